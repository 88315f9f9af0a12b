#include "json/sarif.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "json/append.h"
#include "os/path.h"

namespace dp2trace::json {
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

void BeginSarif(Text& out) {
  out.Raw('{');
  AppendString(out, "version", "2.1.0");
  AppendString(
      out, "$schema",
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
  out.Raw(",\"runs\":[{\"tool\":{\"driver\":{");
  AppendString(out, "name", "dp2trace");
}

void EndSarifRules(Text& out) {
  out.Raw("\n]}},\"columnKind\":\"unicodeCodePoints\",\"originalUriBaseIds\":{\"%SRCROOT%\":{");
  AppendSarifMessage(out, "description", "The folder in which dp2trace was run.");
  out.Raw("}},\"results\":[");
}

void AppendSarifMessage(Text& out, std::string_view key, std::string_view text,
                        std::string_view markdown) {
  out.Key(key);
  out.Raw('{');
  AppendString(out, "text", text);
  if (!markdown.empty()) AppendString(out, "markdown", markdown);
  out.Raw('}');
}

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

}  // namespace dp2trace::json
