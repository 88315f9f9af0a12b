#include "validate/caps.h"

namespace dp2trace::validate {

void Caps::Add(const trace::Header& header) {
  // D3DCAPS8 is the beginning of D3DCAPS9.
  for (const d3d::CapInfo& info : d3d::AllCaps()) {
    if (info.offset() + 4 <= header.raw_caps.size())
      Set(info.cap, LoadU32(&header.raw_caps[info.offset()]));
  }
  for (const trace::CapValue& value : header.caps) {
    if (const d3d::CapInfo* const info = d3d::FindCap(value.name); info != nullptr)
      Set(info->cap, value.value);
  }
  if (header.cap_formats.empty()) return;
  formats_.insert(formats_.end(), header.cap_formats.begin(), header.cap_formats.end());
  std::ranges::sort(formats_);
  is_empty_ = false;
}

void Caps::Describe(trace::Header& header) const {
  header.caps.clear();
  for (const d3d::CapInfo& info : d3d::AllCaps()) {
    if (const auto value = Find(info.cap)) header.caps.push_back({info.name, *value});
  }
  header.cap_formats = formats_;
}

}  // namespace dp2trace::validate
