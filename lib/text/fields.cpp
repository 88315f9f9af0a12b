#include "text/fields.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "base/plain_text.h"
#include "d3d/caps.h"
#include "d3d/fvf.h"
#include "text/value.h"
#include "trace/field_types.h"

namespace dp2trace::text {
namespace {

using trace::Field;
using trace::Form;
using trace::Structure;

// Arrays show this many elements.
constexpr size_t kShownArrayElements = 64;

void AppendNumber(std::string& out, const Field& field, uint64_t value, int digits) {
  const auto word = static_cast<uint32_t>(value);
  switch (field.form) {
    case Form::kEnum:
      return AppendEnum(out, *field.names, word);
    case Form::kFlags:
      return AppendFlags(out, *field.names, word);
    case Form::kFormat:
      return AppendFormat(out, word);
    case Form::kFloatBits:
      return AppendFloat(out, word);
    case Form::kFvf:
      out += d3d::FvfText(word);
      return;
    case Form::kHex:
      out += fmt::format("0x{:0{}x}", value, digits);
      return;
    case Form::kPlain:
    case Form::kCommands:
    case Form::kAllocationList:
    case Form::kPatchList:
    case Form::kHexBytes:
      break;
  }
  out += fmt::format("{}", value);
}

template <class T>
void AppendValue(std::string& out, const Field& field, const T& value);

void AppendCap(std::string& out, const trace::CapValue& cap) {
  out += cap.name;
  out += '=';
  const d3d::CapInfo* info = d3d::FindCap(cap.name);
  switch (info == nullptr ? d3d::CapType::kHex : info->type) {
    case d3d::CapType::kU32:
      out += fmt::format("{}", cap.value);
      return;
    case d3d::CapType::kI32:
      out += fmt::format("{}", static_cast<int32_t>(cap.value));
      return;
    case d3d::CapType::kF32:
      return AppendFloat(out, cap.value);
    case d3d::CapType::kHex:
      return AppendHex32(out, cap.value);
  }
}

void AppendSize(std::string& out, const Field& field, Bytes bytes) {
  if (field.form == Form::kPlain || field.form == Form::kHexBytes) return AppendBytes(out, bytes);
  out += fmt::format("{}", Counted(bytes.size(), "byte"));
}

template <Structure T>
void AppendMembers(std::string& out, const T& structure, std::string_view separator) {
  const T defaults{};
  std::string_view before = separator;
  trace::VisitFields<T>([&](const Field& field, auto member) {
    if (trace::IsDefault(structure.*member, defaults.*member)) return;
    out += std::exchange(before, " ");
    out += field.name;
    out += '=';
    AppendValue(out, field, structure.*member);
  });
}

template <class Element>
void AppendArray(std::string& out, const Field& field, const std::vector<Element>& values) {
  out += '[';
  for (size_t i = 0; i < values.size() && i < kShownArrayElements; ++i) {
    if (i != 0) out += ' ';
    AppendValue(out, field, values[i]);
  }
  if (values.size() > kShownArrayElements) out += fmt::format(" ... {} in all", values.size());
  out += ']';
}

template <class T>
void AppendValue(std::string& out, const Field& field, const T& value) {
  if constexpr (std::is_same_v<T, Bytes>) {
    AppendSize(out, field, value);
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    AppendQuoted(out, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    AppendNumber(out, field, static_cast<uint32_t>(value), 1);
  } else if constexpr (std::is_signed_v<T>) {
    out += fmt::format("{}", value);
  } else if constexpr (std::is_unsigned_v<T>) {
    AppendNumber(out, field, value, sizeof(T) == 8 ? 1 : 8);
  } else if constexpr (std::is_same_v<T, trace::CapValue>) {
    AppendCap(out, value);
  } else if constexpr (Structure<T>) {
    out += '{';
    AppendMembers(out, value, "");
    out += '}';
  } else if constexpr (requires { value.has_value(); }) {
    AppendValue(out, field, *value);
  } else {
    AppendArray(out, field, value);
  }
}

}  // namespace

void AppendFields(std::string& out, const trace::Event& event) {
  std::visit(
      [&out](const auto& structure) {
        using T = std::remove_cvref_t<decltype(structure)>;
        if constexpr (std::is_same_v<T, trace::Unknown>) {
          out += fmt::format(" kind={} flags={} payload=", structure.kind, structure.flags);
          AppendBytes(out, structure.payload);
        } else {
          AppendMembers(out, structure, " ");
        }
      },
      event);
}

}  // namespace dp2trace::text
