#include "json/sarif.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "json/append.h"
#include "os/path.h"
#include "os/relative_path.h"

namespace dp2trace::json {
namespace {

constexpr std::string_view kHere = "%SRCROOT%", kElsewhere = "%TRACES%";

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

void BeginSarif(Builder& out) {
  out.Raw('{');
  AppendString(out, "version", "2.1.0");
  AppendString(
      out, "$schema",
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
  out.Raw(",\"runs\":[{\"tool\":{\"driver\":{");
  AppendString(out, "name", "dp2trace");
}

void EndSarifRules(Builder& out, const std::string& folder) {
  out.Raw("\n]}},\"columnKind\":\"unicodeCodePoints\",\"originalUriBaseIds\":{\"%SRCROOT%\":{");
  AppendSarifMessage(out, "description", "The folder in which dp2trace was run.");
  out.Raw('}');
  const ArtifactUri base = folder.empty() ? ArtifactUri{{}, kHere} : UriOf(folder);
  if (base.base.empty()) {
    out.Key(kElsewhere);
    out.Raw('{');
    AppendString(out, "uri", base.uri);
    AppendSarifMessage(out, "description", "The folder of the manifest.");
    out.Raw('}');
  }
  out.Raw("},\"results\":[");
}

void AppendSarifMessage(Builder& out, std::string_view key, std::string_view text,
                        std::string_view markdown) {
  out.Key(key);
  out.Raw('{');
  AppendString(out, "text", text);
  if (!markdown.empty()) AppendString(out, "markdown", markdown);
  out.Raw('}');
}

ArtifactUri UriOf(const std::string& file) {
  const std::string path = PathFromHere(file);
  if (!ToPath(path).is_absolute() && !path.starts_with("../")) return {EscapeUri(path), kHere};
  std::error_code error;
  const std::string place =
      ToText(std::filesystem::absolute(ToPath(path), error).lexically_normal());
  // A drive has a slash before it.
  return {(place.starts_with('/') ? "file://" : "file:///") + EscapeUri(place), {}};
}

ArtifactUri UriIn(const std::string& folder, const std::string& file) {
  const ArtifactUri whole = UriOf(folder + file);
  return whole.base.empty() ? ArtifactUri{EscapeUri(file), kElsewhere} : whole;
}

void AppendArtifactLocation(Builder& out, const ArtifactUri& uri) {
  out.Key("artifactLocation");
  out.Raw('{');
  AppendString(out, "uri", uri.uri);
  if (!uri.base.empty()) AppendString(out, "uriBaseId", uri.base);
  out.Raw('}');
}

}  // namespace dp2trace::json
