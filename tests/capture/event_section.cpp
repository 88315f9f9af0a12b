#include "event_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "trace/field_types.h"

namespace dp2trace::testing {
namespace {

using trace::Field;

// The structures inside events, each after those that it holds; an element's index is that of its layout.
#define DP2TRACE_INNER_STRUCTURES(X) \
  X(Rect, "rect")                    \
  X(Box, "box")                      \
  X(Range, "range")                  \
  X(ColorKey, "color_key")           \
  X(PixelFormat, "pixel_format")     \
  X(CapValue, "cap_value")           \
  X(SubSurface, "sub_surface")       \
  X(Dp2Env, "dp2_env")               \
  X(Triple, "triple")                \
  X(D3dContext, "d3d_context")       \
  X(AllocationInfo, "allocation_info")

template <class T>
struct NameOf;
#define DP2TRACE_NAME(Type, name)                   \
  template <>                                       \
  struct NameOf<trace::Type> {                      \
    static constexpr std::string_view kName = name; \
  };
DP2TRACE_INNER_STRUCTURES(DP2TRACE_NAME)
#undef DP2TRACE_NAME

// What a member of type T is in C, and which D2C__ type writes it.
template <class T>
struct Member {
  std::string declaration;  // type and name
  std::string_view type;
};

template <class T>
std::string CType() {
  if constexpr (trace::Structure<T>) {
    return fmt::format("struct d2c_{}", NameOf<T>::kName);
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return "struct d2c_u64";
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return "struct d2c_bytes";
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return "const char *";
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return "d2c_i32";
  } else {
    static_assert(std::is_same_v<T, bool> || std::is_enum_v<T> || std::is_same_v<T, uint32_t>);
    return "d2c_u32";
  }
}

template <class T>
std::string_view WriteType() {
  if constexpr (trace::Structure<T>) {
    return "D2C__STRUCT";
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return "D2C__U64";
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return "D2C__BYTES";
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return "D2C__TEXT";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "D2C__BOOL";
  } else {
    return "D2C__U32";
  }
}

template <class T>
struct Unwrap {
  using Type = T;
};
template <class T>
struct Unwrap<std::optional<T>> {
  using Type = T;
};
template <class T>
struct Unwrap<std::vector<T>> {
  using Type = T;
};

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  });
  return upper;
}

// An enumeration of the trace format, whose values the header names.
bool IsOurs(const Field& field) {
  return field.form == trace::Form::kEnum && field.names->name[0] >= 'a';
}

std::string Spaced(const std::string& type) {
  return type.back() == '*' ? type : type + " ";
}

// What a field means, and which names its values have.
std::string Meaning(const Field& field) {
  std::string text(field.meaning);
  if (field.names == nullptr) return text;
  return text + (IsOurs(field) ? fmt::format("; D2C_{}_*", UpperCase(field.names->name))
                               : fmt::format("; {}", field.names->name));
}

template <class T>
void AppendMember(std::string& out, const Field& field, const T& value) {
  using Inner = typename Unwrap<T>::Type;
  if constexpr (trace::kIsOptional<T>) {
    out += fmt::format("  d2c_u32 has_{};\n  {}{}; /* {} */\n", field.name, Spaced(CType<Inner>()),
                       field.name, Meaning(field));
  } else if constexpr (trace::kIsVector<T>) {
    out += fmt::format("  const {} *{}; /* {} */\n  d2c_u32 {}_items;\n", CType<Inner>(),
                       field.name, Meaning(field), field.name);
  } else {
    out += fmt::format("  {}{}; /* {}", Spaced(CType<T>()), field.name, Meaning(field));
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, uint32_t>) {
      if (static_cast<uint32_t>(value) != 0)
        out += fmt::format("; at first {}", static_cast<uint32_t>(value));
    }
    out += " */\n";
  }
}

template <class T>
void AppendStructure(std::string& out, std::string_view name) {
  out += fmt::format("struct d2c_{} {{\n", name);
  const T defaults{};
  trace::VisitFields<T>(
      [&](const Field& field, auto member) { AppendMember(out, field, defaults.*member); });
  out += "};\n\n";
}

// The values of an enumeration of the trace format, in the names of their rows.
void AppendEnum(std::string& out, const EnumInfo& info) {
  std::string line = "enum {\n";
  for (const EnumValue& row : info.values) {
    line += fmt::format("  D2C_{}_{} = {}{}\n", UpperCase(info.name), UpperCase(row.name),
                        row.value, &row == &info.values.back() ? "" : ",");
  }
  out += line + "};\n";
}

template <class T>
void CollectEnums(std::vector<const EnumInfo*>& enums) {
  trace::VisitFields<T>([&](const Field& field, auto) {
    if (IsOurs(field) && std::ranges::find(enums, field.names) == enums.end())
      enums.push_back(field.names);
  });
}

// The function that records an event of this name.
std::string FunctionOf(std::string_view name) {
  if (name == "header") return "d2c_put_header";
  if (name == "dp2") return "d2c_dp2_call";
  return fmt::format("d2c_{}", name);
}

template <class T>
size_t IndexOf() {
  size_t index = 0;
  size_t found = 0;
#define DP2TRACE_INDEX(Type, name)                   \
  if (std::is_same_v<T, trace::Type>) found = index; \
  ++index;
  DP2TRACE_INNER_STRUCTURES(DP2TRACE_INDEX)
#undef DP2TRACE_INDEX
  return found;
}

template <class T>
void AppendRow(std::string& out, std::string_view owner, const Field& field, const T& value) {
  using Inner = typename Unwrap<T>::Type;
  std::string_view type = WriteType<Inner>();
  std::string has = "D2C__ALWAYS";
  uint32_t default_value = 0;
  if constexpr (trace::kIsOptional<T>) {
    has = fmt::format("D2C__AT(d2c_{}, has_{})", owner, field.name);
  } else if constexpr (trace::kIsVector<T>) {
    type = trace::Structure<Inner> ? "D2C__STRUCTS" : "D2C__WORDS";
    has = fmt::format("D2C__AT(d2c_{}, {}_items)", owner, field.name);
  } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, uint32_t>) {
    default_value = static_cast<uint32_t>(value);
  }
  size_t inner = 0;
  if constexpr (trace::Structure<Inner>) inner = IndexOf<Inner>();
  out += fmt::format("    {{D2C__AT(d2c_{}, {}), {}, {}, {}, {}}},\n", owner, field.name, has, type,
                     inner, default_value);
}

template <class T>
void AppendTable(std::string& out, std::string_view name) {
  out += fmt::format("static const struct d2c__field d2c__fields_{}[] = {{\n", name);
  const T defaults{};
  trace::VisitFields<T>(
      [&](const Field& field, auto member) { AppendRow(out, name, field, defaults.*member); });
  out.resize(out.size() - 2);
  out += "};\n";
}

void AppendLayout(std::string& out, std::string_view name) {
  out += fmt::format("    D2C__LAYOUT({}),\n", name);
}

}  // namespace

std::string EventDeclarations() {
  std::string out;
  std::vector<const EnumInfo*> enums;
#define DP2TRACE_EVENT(Type, code, name) CollectEnums<trace::Type>(enums);
#include "trace/events.def"
#undef DP2TRACE_EVENT
  CollectEnums<trace::Dp2Env>(enums);
  for (const EnumInfo* const info : enums)
    AppendEnum(out, *info);
  out += '\n';
#define DP2TRACE_STRUCTURE(Type, name) AppendStructure<trace::Type>(out, name);
  DP2TRACE_INNER_STRUCTURES(DP2TRACE_STRUCTURE)
#undef DP2TRACE_STRUCTURE
#define DP2TRACE_EVENT(Type, code, name)                                  \
  AppendStructure<trace::Type>(out, name);                                \
  out += fmt::format(                                                     \
      "D2C_API void D2C_CALL d2c_{}_init(struct d2c_{} *event);\n"        \
      "D2C_API int D2C_CALL {}(d2c *c, const struct d2c_{} *event);\n\n", \
      name, name, FunctionOf(name), name);
#include "trace/events.def"
#undef DP2TRACE_EVENT
  return out;
}

// The function that sets the defaults of an event: where all of them are 0 it need not look for others.
template <class T>
void AppendInit(std::string& out, std::string_view name, size_t index) {
  bool are_zero = true;
  const T defaults{};
  trace::VisitFields<T>([&]<class M>(const Field&, M member) {
    using Type = std::remove_cvref_t<decltype(defaults.*member)>;
    if constexpr (std::is_enum_v<Type> || std::is_same_v<Type, uint32_t>)
      are_zero = are_zero && static_cast<uint32_t>(defaults.*member) == 0;
    if constexpr (trace::Structure<typename Unwrap<Type>::Type>) are_zero = false;
  });
  out += fmt::format("D2C_API void D2C_CALL d2c_{}_init(struct d2c_{} *event) {{\n  ", name, name);
  if (are_zero) {
    out += "d2c__zero(event, sizeof *event);\n}\n";
  } else {
    out += fmt::format("d2c__init(event, {});\n}}\n", index);
  }
}

std::string EventDefinitions() {
  std::string out;
#define DP2TRACE_STRUCTURE(Type, name) AppendTable<trace::Type>(out, name);
  DP2TRACE_INNER_STRUCTURES(DP2TRACE_STRUCTURE)
#undef DP2TRACE_STRUCTURE
#define DP2TRACE_EVENT(Type, code, name) AppendTable<trace::Type>(out, name);
#include "trace/events.def"
#undef DP2TRACE_EVENT
  out += "\nstatic const struct d2c__layout d2c__layouts[] = {\n";
  size_t index = 0;
#define DP2TRACE_STRUCTURE(Type, name) \
  AppendLayout(out, name);             \
  ++index;
  DP2TRACE_INNER_STRUCTURES(DP2TRACE_STRUCTURE)
#undef DP2TRACE_STRUCTURE
#define DP2TRACE_EVENT(Type, code, name) AppendLayout(out, name);
#include "trace/events.def"
#undef DP2TRACE_EVENT
  out.resize(out.size() - 2);
  out += "};\n\n";
#define DP2TRACE_EVENT(Type, code, name)                                 \
  AppendInit<trace::Type>(out, name, index);                             \
  out += fmt::format(                                                    \
      "D2C_API int D2C_CALL {}(d2c *c, const struct d2c_{} *event) {{\n" \
      "  return d2c__event(c, {}, {}, event);\n}}\n",                    \
      FunctionOf(name), name, code, index);                              \
  ++index;
#include "trace/events.def"
#undef DP2TRACE_EVENT
  return out;
}

}  // namespace dp2trace::testing
