#include "json/caps_file.h"

#include <fmt/format.h>

#include "d3d/caps.h"
#include "json/document.h"
#include "rules/rule.h"

namespace dp2trace::json {
namespace {

constexpr DocumentLimits kLimits = {.max_memory = uint64_t{1} << 20, .max_depth = 4};

bool ReadCap(Values& values, const Node& node, const d3d::CapInfo& info, uint32_t& bits) {
  switch (info.type) {
    case d3d::CapType::kU32:
    case d3d::CapType::kHex:
      return values.U32(node, bits);
    case d3d::CapType::kF32:
      return values.FloatBits(node, bits);
    case d3d::CapType::kI32: {
      int64_t number = 0;
      if (!values.Signed(node, INT32_MIN, INT32_MAX, number)) return false;
      bits = static_cast<uint32_t>(static_cast<int32_t>(number));
      return true;
    }
  }
  return false;
}

bool ReadFormats(Document& document, const Node& node, std::vector<uint32_t>& formats) {
  Values& values = document.values();
  if (!values.Expect(node, NodeType::kArray)) return false;
  ElementIterator elements = document.Elements(node);
  while (const Node* const element = elements.Next()) {
    if (!values.Format(*element, formats.emplace_back())) return false;
  }
  return true;
}

bool ReadMembers(Document& document, trace::Header& header) {
  ObjectReader object = document.root_object();
  for (const d3d::CapInfo& info : d3d::AllCaps()) {
    const Node* const node = object.Find(info.name);
    if (node == nullptr) continue;
    if (info.rules.empty()) {
      return document.values().Fail(
          *node, Rule::kJson006,
          fmt::format("no rule reads \"{}\" ({}): {}", info.name, info.spelling, info.why_not));
    }
    trace::CapValue& cap = header.caps.emplace_back();
    cap.name = info.name;
    if (!ReadCap(document.values(), *node, info, cap.value)) return false;
  }
  if (const Node* const node = object.Find("formats");
      node != nullptr && !ReadFormats(document, *node, header.cap_formats))
    return false;
  return object.Finish();
}

}  // namespace

Status ReadCapsFile(const std::string& path, trace::Header& header) {
  Document document(kLimits);
  DP2TRACE_RETURN_IF_ERROR(document.Read(path));
  return ReadMembers(document, header) ? OkStatus() : document.status();
}

}  // namespace dp2trace::json
