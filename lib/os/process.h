// This process, its machine, and whether others are there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dp2trace {

// What main() is given, without the name of the program: UTF-8.
std::vector<std::string> ArgumentsOf(int argc, char** argv);
// The file that runs; empty where the system does not say.
std::string ProgramPath();

int64_t ProcessNumber();
// False only where it is certain that no process has this number.
bool IsRunning(int64_t process);
std::string HostName();

// What ended a command whose exit code this is, as the shell of the system tells: "SIGSEGV" of 139, "an access violation". Empty: nothing
// special.
std::string CrashName(int64_t exit_code);

// Sixteen hex digits that nobody can foresee.
std::string RandomDigits();

}  // namespace dp2trace
