#include "text/sarif.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "os/path.h"

namespace dp2trace::text {
namespace {

// Bytes that have a meaning in a URI are escaped one by one.
std::string EscapeUri(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace

ArtifactUri UriOf(const std::string& file) {
  const std::filesystem::path path = ToPath(file);
  std::error_code error;
  std::filesystem::path relative = path.lexically_normal();
  if (path.is_absolute())
    relative = path.lexically_normal().lexically_relative(std::filesystem::current_path(error));
  const bool is_inside = !error && !relative.empty() && *relative.begin() != "..";
  if (is_inside) return {EscapeUri(ToText(relative)), true};
  const std::string place = ToText(std::filesystem::absolute(path, error).lexically_normal());
  // A drive has a slash before it.
  return {(place.starts_with('/') ? "file://" : "file:///") + EscapeUri(place), false};
}

}  // namespace dp2trace::text
