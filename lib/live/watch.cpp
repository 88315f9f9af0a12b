#include "live/watch.h"

#include <fmt/format.h>

#include "os/progress.h"

namespace dp2trace::live {

void Watch::Start() {
  is_cancelled_ = false;
  done_ = size_ = 0;
}

Status Watch::Look(uint64_t done, uint64_t size) {
  done_ = done;
  size_ = size;
  OfferProgress(static_cast<double>(done), static_cast<double>(size));
  return Check();
}

Status Watch::Check() const {
  return is_cancelled_ ? Failure(kCannotRead, "it was cancelled") : OkStatus();
}

std::string Watch::ProgressText() const {
  return fmt::format("{{\"done\":{},\"size\":{}}}", done(), size());
}

trace_model::Walk Watch::walk() {
  return [this](trace_file::Source& source, const std::string& /*label*/,
                const trace_model::Visit& visit) {
    for (trace::EventRecord record; source.Next(record) && visit(record);)
      DP2TRACE_RETURN_IF_ERROR(Look(source.position(), source.size()));
    return source.status();
  };
}

}  // namespace dp2trace::live
