// --suite: traces that come with the program, and their manifest.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"

namespace dp2trace::app {

// In place of --manifest.
void AddSuite(Verb& command, std::string& suite, Argument& manifest);
// The manifest of a suite; that stays what it is where none is named. False after a line that says that it is not there.
bool FindSuite(const std::string& suite, std::string& manifest);
// Of a suite: the traces of its manifest that belong to it.
std::vector<std::string> SuiteFolders(const std::string& manifest);

}  // namespace dp2trace::app
