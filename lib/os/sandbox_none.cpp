#include "os/sandbox.h"

namespace dp2trace {

void EnterSandbox(const SandboxPaths&) {}

std::string SandboxWords() {
  return "none";
}

}  // namespace dp2trace
