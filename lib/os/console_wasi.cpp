#include "os/console.h"

namespace dp2trace {

void PrepareStreams() {}

bool IsTerminal(Stream) {
  return false;
}

uint32_t ColumnsOf(Stream) {
  return 0;
}

bool ChangesBytes(const std::string&) {
  return false;
}

}  // namespace dp2trace
