#include "rules/place.h"

#include <fmt/format.h>

namespace dp2trace {

std::string PlaceInTrace(const Diagnostic& diagnostic) {
  std::string place;
  if (diagnostic.event) place = fmt::format("event {}", *diagnostic.event);
  if (diagnostic.offset)
    place += fmt::format("{}offset {:#x}", place.empty() ? "" : ", ", *diagnostic.offset);
  return place;
}

}  // namespace dp2trace
