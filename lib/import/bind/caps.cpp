#include "import/bind/caps.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "d3d/formats.h"

namespace dp2trace::import {
namespace {

// A member of D3DDEVICEDESC or D3DPRIMCAPS under the name that D3DCAPS9 has for it: without the sign of its type.
std::string_view WithoutPrefix(std::string_view member) {
  if (member == "dwMiscCaps") return "PrimitiveMiscCaps";
  for (const std::string_view prefix : {"dw", "dv", "w"}) {
    if (member.starts_with(prefix)) return member.substr(prefix.size());
  }
  return member;
}

std::string TextOf(const d3d::CapInfo& info, uint32_t value) {
  switch (info.type) {
    case d3d::CapType::kU32:
      return fmt::format("{}", value);
    case d3d::CapType::kI32:
      return fmt::format("{}", std::bit_cast<int32_t>(value));
    case d3d::CapType::kF32:
      return fmt::format("{}", std::bit_cast<float>(value));
    case d3d::CapType::kHex:
      return fmt::format("\"{:#x}\"", value);
  }
  return "0";
}

}  // namespace

void CapsCollector::OnCall(const Call& call) {
  const std::string_view name = call.function->name;
  const CallArgs args(call);
  if (name.ends_with("::GetDeviceCaps")) {
    // The last argument: IDirect3D9 has adapter and device type before it.
    const size_t last = call.args.empty() ? 0 : call.args.size() - 1;
    if (const Value* const caps = Pointee(args.At(last))) TakeWords(*caps);
  } else if (name.ends_with("::CheckDeviceFormat")) {
    has_asked_for_formats_ = true;
    if (const uint32_t format = args.U32(size_t{6}); d3d::FindFormat(format) != nullptr)
      formats_.insert(format);
  } else if (name.starts_with("IDirect3DDevice") && name.ends_with("::GetCaps")) {
    if (const Value* const description = Pointee(args.At(1))) TakeNames(*description);
  }
}

// D3DCAPS8 is the start of D3DCAPS9.
void CapsCollector::TakeWords(const Value& caps) {
  std::vector<uint32_t> words;
  AppendWords(caps, words);
  const std::span<const d3d::CapInfo> rows = d3d::AllCaps();
  for (size_t i = 0; i < std::min(words.size(), rows.size()); ++i)
    caps_[rows[i].cap] = words[i];
}

// D3DDEVICEDESC7 and the like. What triangles can do counts.
void CapsCollector::TakeNames(const Value& description) {
  if (description.kind != ValueKind::kStruct || description.structure == nullptr) return;
  const std::vector<std::string>& members = description.structure->members;
  for (size_t i = 0; i < std::min(members.size(), description.items.size()); ++i) {
    const Value& value = description.items[i];
    if (value.kind == ValueKind::kStruct) {
      if (members[i] == "dpcTriCaps") TakeNames(value);
      continue;
    }
    const std::string_view name = WithoutPrefix(members[i]);
    for (const d3d::CapInfo& row : d3d::AllCaps()) {
      if (row.spelling == name) caps_[row.cap] = AsBits(value);
    }
  }
}

void CapsCollector::OnSurface(const trace::SurfaceCreate& surface) {
  if (d3d::FindFormat(surface.format) != nullptr) formats_.insert(surface.format);
}

std::string CapsCollector::Text() const {
  if (caps_.empty() && !has_asked_for_formats_) return {};
  std::string text = "{";
  const auto separate = [&text] { text += text.size() == 1 ? "\n  " : ",\n  "; };
  for (const auto& [cap, value] : caps_) {
    if (d3d::Info(cap).rules.empty()) continue;
    separate();
    text += fmt::format("\"{}\": {}", d3d::Info(cap).name, TextOf(d3d::Info(cap), value));
  }
  if (has_asked_for_formats_) {
    std::string names;
    for (const uint32_t format : formats_) {
      const d3d::FormatInfo* const info = d3d::FindFormat(format);
      if (info != nullptr) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", info->name);
    }
    separate();
    text += fmt::format("\"formats\": [{}]", names);
  }
  return text + "\n}\n";
}

}  // namespace dp2trace::import
