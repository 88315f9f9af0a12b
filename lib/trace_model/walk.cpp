#include "trace_model/walk.h"

namespace dp2trace::trace_model {

Status WalkQuietly(trace_file::Source& source, const std::string& /*label*/, const Visit& visit) {
  trace::EventRecord record;
  while (source.Next(record) && visit(record)) {
  }
  return source.status();
}

}  // namespace dp2trace::trace_model
