// What on a command line names nothing, and what was probably meant.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"

namespace dp2trace::app {

// "unknown option --frmaes; did you mean --frames?" for the first word that is not a verb or option of its place; empty where all are known.
std::string DescribeUnknown(const Verb& program, const std::vector<std::string>& words);
// The same, only of verbs: the help of one that is not there is asked for.
std::string DescribeUnknownVerb(const Verb& program, const std::vector<std::string>& words);

}  // namespace dp2trace::app
