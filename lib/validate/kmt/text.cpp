#include "validate/kmt/text.h"

#include <fmt/format.h>

#include "kmt/ntstatus.h"

namespace dp2trace::validate {
namespace {

// "an allocation", "a context".
std::string WithArticle(std::string_view noun) {
  return fmt::format("{} {}", noun.front() == 'a' ? "an" : "a", noun);
}

void Join(std::string& text, const std::string& part) {
  if (!text.empty()) text += '|';
  text += part;
}

// What has no name comes after the names.
std::string WithRest(std::string text, uint32_t rest) {
  if (rest != 0) Join(text, Hex(rest));
  return text.empty() ? "0" : text;
}

}  // namespace

std::string Hex(uint64_t value) {
  return fmt::format("{:#x}", value);
}

std::string AtMost(uint64_t value) {
  return fmt::format("{} or less", value);
}

std::string FlagsText(const kmt::FlagTable& table, uint32_t value) {
  std::string text;
  uint32_t rest = value;
  for (const kmt::FlagRow& row : table.rows) {
    if ((value & row.mask) != row.mask) continue;
    Join(text, std::string(row.name));
    rest &= ~row.mask;
  }
  return WithRest(std::move(text), rest);
}

std::string LegalFlagsText(const kmt::FlagTable& table, uint32_t excluded) {
  uint32_t all = 0;
  for (const kmt::FlagRow& row : table.rows)
    all |= row.mask;
  return "flags of " + FlagsText(table, all & ~excluded);
}

std::string FieldsText(std::span<const kmt::BitField> fields, uint32_t value) {
  std::string text;
  uint32_t rest = value;
  for (const kmt::BitField& field : fields) {
    const uint32_t number = field.Get(value);
    rest &= ~field.mask();
    if (number == 0) continue;
    Join(text,
         field.width == 1 ? std::string(field.name) : fmt::format("{} {}", field.name, number));
  }
  return WithRest(std::move(text), rest);
}

std::string LegalFieldsText(std::span<const kmt::BitField> fields, uint32_t excluded) {
  std::string text;
  for (const kmt::BitField& field : fields) {
    if ((field.mask() & excluded) == 0) Join(text, std::string(field.name));
  }
  return "bits of " + text;
}

std::string ElementPath(std::string_view list, size_t index) {
  return fmt::format("{}/{}", list, index);
}

std::string DescribeHandle(const device::KmtObjects& kmt, uint32_t process, uint32_t handle) {
  if (handle == 0) return "is 0";
  const auto name = kmt.Look(process, handle);
  if (!name) return "was never announced";
  return fmt::format("names {}{}", WithArticle(device::Name(name->type)),
                     name->is_live ? "" : " that is destroyed");
}

std::string DescribeStatus(uint32_t status) {
  const std::string_view name = kmt::StatusName(status);
  return name.empty() ? Hex(status) : fmt::format("{:#x} ({})", status, name);
}

bool CheckLive(const EventView& view, Rule rule, std::string_view path, uint32_t process,
               uint32_t handle, device::KmtType type) {
  if (view.kmt.IsLive(process, handle, type)) return true;
  const std::string is = DescribeHandle(view.kmt, process, handle);
  const std::string wanted = "a live " + std::string(device::Name(type));
  view.findings.Add(rule, std::string(path),
                    fmt::format("handle {:#x} {}; expected {}", handle, is, wanted), Hex(handle),
                    wanted);
  return false;
}

}  // namespace dp2trace::validate
