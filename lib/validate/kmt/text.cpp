#include "validate/kmt/text.h"

#include <fmt/format.h>

#include "kmt/ntstatus.h"

namespace dp2trace::validate {
namespace {

// "an allocation", "a context".
std::string WithArticle(std::string_view noun) {
  return fmt::format("{} {}", noun.front() == 'a' ? "an" : "a", noun);
}

}  // namespace

std::string Hex(uint64_t value) {
  return fmt::format("{:#x}", value);
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
                    fmt::format("handle {:#x} {}, not {}", handle, is, wanted), Hex(handle),
                    wanted);
  return false;
}

}  // namespace dp2trace::validate
