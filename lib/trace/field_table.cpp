#include "trace/field_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "trace/event_kind.h"

namespace dp2trace::trace {
namespace {

template <class T>
struct TypeName;
#define DP2TRACE_TYPE_NAME(Type, text)        \
  template <>                                 \
  struct TypeName<Type> {                     \
    static std::string Get() { return text; } \
  };
DP2TRACE_TYPE_NAME(bool, "bool")
DP2TRACE_TYPE_NAME(int32_t, "i32")
DP2TRACE_TYPE_NAME(uint32_t, "u32")
DP2TRACE_TYPE_NAME(uint64_t, "u64")
DP2TRACE_TYPE_NAME(std::string_view, "text")
DP2TRACE_TYPE_NAME(Bytes, "bytes")
DP2TRACE_TYPE_NAME(Rect, "rect")
DP2TRACE_TYPE_NAME(Box, "box")
DP2TRACE_TYPE_NAME(Range, "range")
DP2TRACE_TYPE_NAME(ColorKey, "color_key")
DP2TRACE_TYPE_NAME(PixelFormat, "pixel_format")
DP2TRACE_TYPE_NAME(CapValue, "cap_value")
DP2TRACE_TYPE_NAME(SubSurface, "sub_surface")
DP2TRACE_TYPE_NAME(Dp2Env, "dp2_env")
DP2TRACE_TYPE_NAME(Triple, "triple")
DP2TRACE_TYPE_NAME(D3dContext, "d3d_context")
DP2TRACE_TYPE_NAME(AllocationInfo, "allocation_info")
#undef DP2TRACE_TYPE_NAME
template <class T>
requires std::is_enum_v<T>
struct TypeName<T> {
  static std::string Get() { return "enum"; }
};
template <class T>
struct TypeName<std::vector<T>> {
  static std::string Get() { return "array of " + TypeName<T>::Get(); }
};
template <class T>
struct TypeName<std::optional<T>> {
  static std::string Get() { return TypeName<T>::Get(); }
};

template <class T>
std::string DefaultText(const Field& field, const T& value) {
  if constexpr (requires { value.has_value(); }) {
    return "not recorded";
  } else if constexpr (requires { value.empty(); }) {
    return "empty";
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    const std::string_view name =
        field.names == nullptr ? "" : NameOf(*field.names, static_cast<uint32_t>(value));
    return name.empty() ? fmt::format("{}", static_cast<uint32_t>(value))
                        : fmt::format("`{}`", name);
  } else {
    return fmt::format("{}", value);
  }
}

std::string_view FormNote(Form form) {
  switch (form) {
    case Form::kPlain:
      return "";
    case Form::kHex:
      return "";
    case Form::kEnum:
      return "";
    case Form::kFlags:
      return "flags";
    case Form::kFormat:
      return "D3DFORMAT";
    case Form::kFvf:
      return "FVF";
    case Form::kCommands:
      return "DP2 tokens";
    case Form::kAllocationList:
      return "D3DDDI_ALLOCATIONLIST[]";
    case Form::kPatchList:
      return "D3DDDI_PATCHLOCATIONLIST[]";
    case Form::kHexBytes:
      return "";
    case Form::kFloatBits:
      return "f32 bits";
  }
  return "";
}

template <class T>
void AppendTable(std::string& out, std::string_view title) {
  out += fmt::format(
      "#### {}\n\n| bit | field | type | absent means | meaning |\n| ---: | --- | --- | --- | --- |\n",
      title);
  const T defaults{};
  int bit = 0;
  VisitFields<T>([&](const Field& field, auto member) {
    using Value = std::decay_t<decltype(defaults.*member)>;
    std::string type = TypeName<Value>::Get();
    const std::string_view note = field.names != nullptr ? field.names->name : FormNote(field.form);
    if (!note.empty()) type += fmt::format(" ({})", note);
    out += fmt::format("| {} | `{}` | {} | {} | {} |\n", bit++, field.name, type,
                       DefaultText(field, defaults.*member), field.meaning);
  });
  out += '\n';
}

template <class T>
void AppendStructure(std::string& out) {
  AppendTable<T>(out, TypeName<T>::Get());
}

// The tables of the enumerations that fields of T refer to, each once.
template <class T>
void CollectEnums(std::vector<const EnumInfo*>& enums) {
  VisitFields<T>([&](const Field& field, auto) {
    if (field.form == Form::kEnum && std::ranges::find(enums, field.names) == enums.end())
      enums.push_back(field.names);
  });
}

void AppendEnums(std::string& out) {
  std::vector<const EnumInfo*> enums;
#define DP2TRACE_EVENT(Type, code, name) CollectEnums<Type>(enums);
#include "trace/events.def"
#undef DP2TRACE_EVENT
  CollectEnums<Dp2Env>(enums);
  CollectEnums<AllocationInfo>(enums);
  out += "### Enumerations\n\n| name | values |\n| --- | --- |\n";
  for (const EnumInfo* info : enums) {
    out += fmt::format("| {} |", info->name);
    for (const EnumValue& row : info->values)
      out += fmt::format(" {} `{}`", row.value, row.name);
    out += " |\n";
  }
  out += '\n';
}

}  // namespace

std::string EventFieldTable() {
  std::string out = "### Structures inside events\n\n";
  AppendStructure<Rect>(out);
  AppendStructure<Box>(out);
  AppendStructure<Range>(out);
  AppendStructure<ColorKey>(out);
  AppendStructure<PixelFormat>(out);
  AppendStructure<CapValue>(out);
  AppendStructure<SubSurface>(out);
  AppendStructure<Dp2Env>(out);
  AppendStructure<Triple>(out);
  AppendStructure<D3dContext>(out);
  AppendStructure<AllocationInfo>(out);
  AppendEnums(out);
  out += "### Events\n\n";
#define DP2TRACE_EVENT(Type, code, name) \
  AppendTable<Type>(out, fmt::format("{} (kind {})", name, code));
#include "trace/events.def"
#undef DP2TRACE_EVENT
  out.pop_back();
  return out;
}

}  // namespace dp2trace::trace
