// Manual pages and completions, written from the program's own verbs and options.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"

namespace dp2trace::app {

// A page of section 1 in the language of man(7), for the verb `verbs[index]`.
std::string ManualPage(const std::vector<const Verb*>& verbs, size_t index);

std::string BashCompletion(const std::vector<const Verb*>& verbs);
std::string ZshCompletion(const std::vector<const Verb*>& verbs);
std::string FishCompletion(const std::vector<const Verb*>& verbs);
std::string PowerShellCompletion(const std::vector<const Verb*>& verbs);

}  // namespace dp2trace::app
