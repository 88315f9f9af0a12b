#include "import/bind/gdi_drawings.h"

namespace dp2trace::import {

void GdiDrawings::OnGetDc(const LockKey& surface, const std::string& function,
                          const runtime::Recorder& recorder) {
  const uint64_t uses = recorder.use_count();
  Drawing& drawing = recorder.At(open_, surface);
  // Somebody may have looked at what was drawn before, or it was drawn through another interface.
  if (drawing.calls != 0 && (drawing.uses != uses || drawing.function != function)) {
    missing_[drawing.function] += drawing.calls;
    drawing.calls = 0;
  }
  drawing.function = function;
  drawing.uses = uses;
  ++drawing.calls;
}

void GdiDrawings::OnWholeWrite(const LockKey& surface, const runtime::Recorder& recorder) {
  const auto found = open_.find(surface);
  if (found == open_.end() || found->second.uses != recorder.use_count()) return;
  recorder.Erase(open_, surface);
}

std::map<std::string, uint64_t> GdiDrawings::Missing() const {
  std::map<std::string, uint64_t> missing = missing_;
  for (const auto& [surface, drawing] : open_)
    missing[drawing.function] += drawing.calls;
  return missing;
}

}  // namespace dp2trace::import
