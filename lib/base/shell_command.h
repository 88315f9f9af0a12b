// Commands of the user: run by the shell, with a limit of time, and ended where the program is interrupted.
#pragma once

#include <chrono>
#include <optional>
#include <span>
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

// What is wrong with the places of a command: "has {outt}; the places are {trace} and {out}" where "{word}" is none of the names. "${word}" is the
// shell's, and in single quotes (awk '{print}') a word is only meant as a place where it is close to a name. Empty: nothing.
std::string FindPlaceError(std::string_view command, std::span<const std::string_view> names);

// Runs it (os/shell.h) and waits for its end. What it started is ended with it, also where the time is over, and by RemoveTemporaries().
CommandEnd RunCommand(const std::string& command,
                      std::optional<std::chrono::milliseconds> timeout = std::nullopt,
                      CommandOutput output = CommandOutput::kPassed);

}  // namespace dp2trace
