// What is left to a process that reads the files of strangers: some paths to read, some to write, no network, no other programs.
// Linux only: Landlock for files and TCP, seccomp for system calls; elsewhere, and in builds with sanitizers, there is none.
// Source: landlock(7), seccomp(2).
#pragma once

#include <string>
#include <vector>

namespace dp2trace {

struct SandboxPaths {
  // Files and folders, with all that is below; what is not there is left out.
  std::vector<std::string> readable = {};
  std::vector<std::string> writable = {};  // readable, too
  // Folders that are writable and can be removed themselves. Landlock knows it as a right to remove what is empty beside them, too.
  std::vector<std::string> removable = {};
  bool accepts_connections = false;  // of sockets that listen already
};

// For the calling thread and those that it starts later: everything else that the process opened before stays open. For good: there is
// no way back. A system that knows only a part of it does that part.
void EnterSandbox(const SandboxPaths& paths);

// What EnterSandbox() can do here: "Landlock 4, seccomp", or "none".
std::string SandboxWords();

}  // namespace dp2trace
