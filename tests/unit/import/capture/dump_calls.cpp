// Prints the calls of apitrace captures as `apitrace dump --color=never` does, to compare our parser with it call by call.
// usage: dump_calls CAPTURE
#include <fmt/format.h>

#include <cstdio>

#include "import/capture/apitrace.h"

namespace {

using namespace dp2trace::import;  // NOLINT(google-build-using-namespace): test program

std::string Print(const Value& value);

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"') {
      out += "\\\"";
    } else if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\n";
    } else if (c == '\t') {
      out += "\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (byte >= 0x20 && byte <= 0x7E) {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out + "\"";
}

// A structure of the four GUID members prints as uuid(...).
std::string PrintGuid(std::span<const Value> items) {
  const auto tail = [&](size_t i) { return items[3].items[i].bits(); };
  return fmt::format("uuid({:08x}-{:04x}-{:04x}-{:02x}{:02x}-{:02x}{:02x}{:02x}{:02x}{:02x}{:02x})",
                     items[0].bits(), items[1].bits(), items[2].bits(), tail(0), tail(1), tail(2),
                     tail(3), tail(4), tail(5), tail(6), tail(7));
}

std::string List(std::span<const Value> items, const StructSignature* structure) {
  if (structure != nullptr &&
      structure->members == std::vector<std::string>{"Data1", "Data2", "Data3", "Data4"} &&
      items[3].items.size() == 8) {
    return PrintGuid(items);
  }
  std::string out = "{";
  for (size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out += ", ";
    if (structure != nullptr) out += structure->members[i] + " = ";
    out += Print(items[i]);
  }
  return out + "}";
}

std::string PrintBitmask(const Value& value) {
  uint64_t rest = value.bits();
  std::string out;
  for (const EnumSignature::Entry& entry : value.enumeration->entries) {
    const auto bits = static_cast<uint64_t>(entry.value);
    if ((bits != 0 && (rest & bits) == bits) || (bits == 0 && value.bits() == 0)) {
      out += (out.empty() ? "" : " | ") + entry.name;
      rest &= ~bits;
    }
    if (rest == 0 && bits != 0) break;
  }
  if (rest != 0 || out.empty()) out += (out.empty() ? "" : " | ") + fmt::format("0x{:x}", rest);
  return out;
}

std::string PrintEnum(const Value& value) {
  for (const EnumSignature::Entry& entry : value.enumeration->entries) {
    if (entry.value == value.integer) return entry.name;
  }
  return fmt::format("{}", value.integer);
}

std::string Print(const Value& value) {
  switch (value.kind) {
    case ValueKind::kNull:
      return "NULL";
    case ValueKind::kBool:
      return value.integer != 0 ? "true" : "false";
    case ValueKind::kInt:
      return fmt::format("{}", value.integer);
    case ValueKind::kUint:
      return fmt::format("{}", value.bits());
    case ValueKind::kFloat:
      return fmt::format("{:.7g}", value.real);
    case ValueKind::kDouble:
      return fmt::format("{:.17g}", value.real);
    case ValueKind::kString:
      return Quote(value.text);
    case ValueKind::kWideString: {
      std::string narrow;
      for (const uint32_t unit : value.wide)
        narrow += static_cast<char>(unit);
      return "L" + Quote(narrow);
    }
    case ValueKind::kBlob:
      return fmt::format("blob({})", value.blob.size());
    case ValueKind::kEnum:
      return PrintEnum(value);
    case ValueKind::kBitmask:
      return PrintBitmask(value);
    case ValueKind::kArray:
      return value.items.size() == 1 ? "&" + Print(value.items[0]) : List(value.items, nullptr);
    case ValueKind::kStruct:
      return List(value.items, value.structure);
    case ValueKind::kPointer:
      return value.integer != 0 ? fmt::format("0x{:x}", value.bits()) : "NULL";
    case ValueKind::kRepr:
      return Print(value.items[0]);
  }
  return {};
}

void PrintCall(const Call& call) {
  std::string line = fmt::format("{} {}(", call.number, call.function->name);
  bool first = true;
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (!first) line += ", ";
    first = false;
    if (i < call.function->args.size() && !call.function->args[i].empty())
      line += call.function->args[i] + " = ";
    line += call.args[i] ? Print(*call.args[i]) : "?";
  }
  line += ")";
  if (call.result) line += " = " + Print(*call.result);
  if ((call.flags & 1) != 0) line += " // fake";
  fmt::print("{}\n", line);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  dp2trace::Result<CallParser> parser = CallParser::Open(argv[1]);
  if (!parser.ok()) {
    fmt::print(stderr, "{}\n", parser.status().diagnostic().message);
    return 3;
  }
  while (const Call* call = parser->Next())
    PrintCall(*call);
  if (!parser->error().empty()) fmt::print(stderr, "{}\n", parser->error());
  return parser->error().empty() ? 0 : 3;
}
