// What on a command line names nothing, and what was probably meant.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace dp2trace::app {

// "unknown option --frmaes; did you mean --frames?" for the first word that is no verb or option of its place; empty where all are known.
std::string DescribeUnknown(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace dp2trace::app
