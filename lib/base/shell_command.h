// Commands of the user: run by the shell, with a limit of time, and ended where the program is interrupted.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/shell.h"

namespace dp2trace {

// Every "{name}" of the command becomes its value, quoted for the shell; what stands in a value is not looked at again.
std::string Substitute(
    std::string_view command,
    const std::vector<std::pair<std::string_view, std::string>>& values);  // names without braces

// Runs it (os/shell.h) and waits for its end. What it started is ended with it, also where the time is over, and by RemoveTemporaries().
CommandEnd RunCommand(const std::string& command,
                      std::optional<std::chrono::milliseconds> timeout = std::nullopt,
                      CommandOutput output = CommandOutput::kPassed);

}  // namespace dp2trace
