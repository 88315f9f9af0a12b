#include "live/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "image/deflate.h"
#include "inspect/html_files.h"
#include "json/builder.h"

namespace dp2trace::live {
namespace {

constexpr int kCompression = 9;  // 12 takes four times as long for 3 % less

// What a page may load: nothing from elsewhere.
constexpr std::string_view kFilePolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; "
    "img-src blob: data:; connect-src 'none'";
constexpr std::string_view kServedPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src blob: data:; connect-src 'self'";

std::string_view FileText(std::string_view name) {
  for (const auto files : {HtmlFiles(), inspect::HtmlFiles(), page::SharedFiles()}) {
    const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
    if (found != files.end()) return found->text;
  }
  return {};  // the files name each other: a test reads every page
}

// The text between two others that begin at or after `at`; moves on after it. False: there is none.
bool TakeBetween(std::string_view text, std::string_view before, std::string_view after, size_t& at,
                 size_t& start, std::string_view& between) {
  start = text.find(before, at);
  if (start == std::string_view::npos) return false;
  const size_t first = start + before.size();
  const size_t end = text.find(after, first);
  between = text.substr(first, end - first);
  at = end + after.size();
  return true;
}

// Each file that is named in such a tag stands in its place.
std::string Inlined(std::string_view text, std::string_view before, std::string_view after,
                    std::string_view tag) {
  std::string out;
  size_t at = 0;
  size_t copied = 0;
  size_t start = 0;
  std::string_view name;
  while (TakeBetween(text, before, after, at, start, name)) {
    out += text.substr(copied, start - copied);
    out += fmt::format("<{0}>\n{1}</{0}>", tag, FileText(name));
    copied = at;
  }
  return out.append(text.substr(copied));
}

void InsertBefore(std::string& text, std::string_view place, std::string_view more) {
  text.insert(text.find(place), more);
}

// What stands between quotes.
std::string Attribute(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "&quot;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Bytes that a script reads, and no browser runs.
std::string DataElement(std::string_view attributes, Bytes bytes) {
  json::Builder base64;
  base64.Base64(image::Deflate(bytes, kCompression));
  const std::string_view text = base64.string();
  return fmt::format("<script type=\"application/octet-stream\" {} data-packed>{}</script>\n",
                     attributes, text.substr(1, text.size() - 2));
}

std::string TraceElement(std::string_view which, const OwnTrace& trace) {
  std::string attributes = fmt::format("{} data-name=\"{}\" data-title=\"{}\"", which,
                                       Attribute(trace.name), Attribute(trace.title));
  if (!trace.part.empty()) attributes += fmt::format(" data-part=\"{}\"", Attribute(trace.part));
  return DataElement(attributes, trace.bytes);
}

std::string Scripts(const PageContent& content) {
  std::string out;
  if (!content.engine.empty()) {
    out += fmt::format("<script id=\"engine-script\">\n{}</script>\n", FileText("engine.js"));
    out += fmt::format("<script type=\"text/plain\" id=\"worker-script\">\n{}</script>\n",
                       FileText("worker.js"));
    out += DataElement("id=\"engine\"", content.engine);
    if (content.trace != nullptr) out += TraceElement("id=\"own-trace\"", *content.trace);
    for (const OwnTrace& example : content.examples)
      out += TraceElement("class=\"example\"", example);
  }
  for (const std::string_view name :
       {"source.js", "order.js", "changes.js", "beside.js", "find.js", "surfaces.js", "live.js"})
    out += fmt::format("<script>\n{}</script>\n", FileText(name));
  return out;
}

}  // namespace

std::string_view MissingExport(Bytes engine) {
  constexpr std::string_view kCall = "exports.dp2trace_";
  const std::string_view text = FileText("engine.js");
  for (size_t at = text.find(kCall); at != std::string_view::npos; at = text.find(kCall, at)) {
    const size_t start = text.find("dp2trace_", at);
    at = text.find('(', start);
    const std::string_view name = text.substr(start, at - start);
    if (std::search(engine.begin(), engine.end(), name.begin(), name.end()) == engine.end())
      return name;
  }
  return {};
}

std::string PageText(const PageContent& content) {
  const bool is_served = content.engine.empty();
  std::string text(FileText("index.html"));
  InsertBefore(text, "<title>",
               fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n",
                           is_served ? kServedPolicy : kFilePolicy));
  if (is_served) InsertBefore(text, "<title>", "<meta name=\"dp2trace-server\" content=\"\">\n");
  InsertBefore(text, "</head>", "<link rel=\"stylesheet\" href=\"live.css\">\n");
  InsertBefore(text, "<main>", FileText("live.html"));
  // The page starts with its last script.
  InsertBefore(text, "<script src=\"inspect.js\">", Scripts(content));
  text = Inlined(text, "<link rel=\"stylesheet\" href=\"", "\">", "style");
  return Inlined(text, "<script src=\"", "\"></script>", "script");
}

}  // namespace dp2trace::live
