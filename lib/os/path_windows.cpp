#include <algorithm>

#include "os/path.h"
#include "os/windows.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

// Names from this length on need a prefix, after which the system takes them as they are: absolute, and only backslashes.
constexpr size_t kLong = 240;
constexpr std::wstring_view kLongPrefix = L"\\\\?\\", kLongServer = L"\\\\?\\UNC\\",
                            kServer = L"\\\\";

}  // namespace

fs::path ToPath(std::string_view text) {
  const fs::path path(ToWide(text));
  if (path.native().size() < kLong || path.native().starts_with(kLongPrefix)) return path;
  std::error_code error;
  fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (error) return path;
  std::wstring name = absolute.make_preferred().native();
  if (name.starts_with(kServer)) return std::wstring(kLongServer) + name.substr(kServer.size());
  return std::wstring(kLongPrefix) + name;
}

std::string ToText(const fs::path& path) {
  std::wstring_view name = path.native();
  std::wstring server;
  if (name.starts_with(kLongServer)) {
    server = std::wstring(kServer) + std::wstring(name.substr(kLongServer.size()));
    name = server;
  } else if (name.starts_with(kLongPrefix)) {
    name.remove_prefix(kLongPrefix.size());
  }
  std::string text = ToNarrow(name);
  std::ranges::replace(text, '\\', '/');
  return text;
}

bool EndsInSlash(std::string_view path) {
  return path.ends_with('/') || path.ends_with('\\');
}

std::string FoldCase(std::string_view name) {
  std::wstring wide = ToWide(name);
  (void)CharUpperBuffW(wide.data(), static_cast<DWORD>(wide.size()));
  return ToNarrow(wide);
}

}  // namespace dp2trace
