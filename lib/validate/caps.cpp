#include "validate/caps.h"

namespace dp2trace::validate {

void Caps::Add(const trace::Header& header) {
  for (const trace::CapValue& value : header.caps) {
    if (const d3d::CapInfo* const info = d3d::FindCap(value.name); info != nullptr) Set(info->cap, value.value);
  }
}

}  // namespace dp2trace::validate
