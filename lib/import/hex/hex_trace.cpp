#include "import/hex/hex_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "base/near_miss.h"
#include "base/plain_text.h"
#include "base/words.h"
#include "d3d/formats.h"
#include "d3d/fvf.h"
#include "import/hex/comments.h"
#include "import/hex/dump_text.h"
#include "import/hex/log_text.h"
#include "rules/rule.h"
#include "trace/utf8.h"

namespace dp2trace::import {
namespace {

using Words = std::vector<std::string_view>;

// Runtime versions that go with the driver levels 6 to 9.
constexpr uint32_t kRuntimeOfLevel[] = {2, 3, 4, 5};

struct Extent {
  uint32_t width = 0;
  uint32_t height = 0;
};

std::optional<uint64_t> ParseNumber(std::string_view word) {
  int base = 10;
  if (word.starts_with("0x")) {
    word.remove_prefix(2);
    base = 16;
  }
  uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, value, base);
  if (word.empty() || result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

// "640x480".
std::optional<Extent> ParseExtent(std::string_view word) {
  const size_t cross = word.find('x');
  if (cross == std::string_view::npos || cross == 0) return std::nullopt;
  const auto width = ParseNumber(word.substr(0, cross));
  const auto height = ParseNumber(word.substr(cross + 1));
  if (!width || !height || *width == 0 || *height == 0 || *width > UINT32_MAX ||
      *height > UINT32_MAX)
    return std::nullopt;
  return Extent{static_cast<uint32_t>(*width), static_cast<uint32_t>(*height)};
}

class HexTrace {
 public:
  HexTrace(const HexEventSink& sink, std::shared_ptr<Allowance> allowance)
      : sink_(&sink), allowance_(std::move(allowance)), lines_(allowance_) {}

  // What stands in front of the lines.
  Status SetPrefix(const std::string& prefix) {
    if (prefix.empty()) return OkStatus();
    try {
      prefix_.emplace(prefix, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error&) {
      return Refuse(fmt::format("\"{}\" is not a regular expression", prefix));
    }
    return OkStatus();
  }

  Status Read(std::string_view text) {
    for (; !text.empty(); ++line_) {
      const size_t end = std::min(text.find('\n'), text.size());
      DP2TRACE_RETURN_IF_ERROR(Line(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    DP2TRACE_RETURN_IF_ERROR(EndDump());
    if (calls_ == 0) return Refuse("there is no call: a line \"commands\" and a dump below it");
    return has_drawn_ ? Present() : OkStatus();
  }

 private:
  enum class Dump : uint8_t { kNone, kVertices, kCommands, kTexels };
  // A line that is not a dump.
  struct Directive {
    std::string_view name;
    Status (HexTrace::*read)(const Words&);
  };
  static constexpr size_t kDirectiveCount = 12;
  static const Directive kDirectives[kDirectiveCount];

  Status Refuse(std::string message) const {
    Diagnostic finding = MakeDiagnostic(Rule::kHex001, std::move(message));
    finding.line = line_;
    return Status(std::move(finding));
  }

  // `size`: of the bytes that the event brings along.
  Status Send(const trace::Event& event, uint64_t size = 0) {
    const MemoryShare text(allowance_, kEventCopies * size);
    if (!text.is_granted() || !allowance_->Spend(kEventSteps + kByteSteps * size))
      return Refuse(allowance_->Reason());
    return (*sink_)(event);
  }

  Status Line(std::string_view line) {
    if (!allowance_->Spend(kEventSteps + kByteSteps * line.size()))
      return Refuse(allowance_->Reason());
    while (line.ends_with('\r'))
      line.remove_suffix(1);
    const size_t whole = line.size();
    if (prefix_) line = WithoutPrefix(line);
    const Words words = SplitWords(line);
    // One word in a dump is none: "//////8=" is base64.
    const bool may_be_data = dump_ != Dump::kNone && words.size() == 1 && words[0].size() > 2;
    if (words.empty() || (words[0].starts_with("//") && !may_be_data)) return OkStatus();
    if (words[0].starts_with("/*") && IsComment(line)) return OkStatus();
    if (words[0].starts_with("#")) {
      if (dump_ != Dump::kNone) lines_.AddComment(line, line_);
      return OkStatus();
    }
    if (const Directive* const directive = Find(words[0])) {
      DP2TRACE_RETURN_IF_ERROR(EndDump());
      return (this->*directive->read)(words);
    }
    if (IsTypedCommand(line)) return OkStatus();
    const std::string_view bare = WithoutLogPrefix(line);
    const Words rest = SplitWords(bare);
    if (const Directive* const directive = rest.empty() ? nullptr : Find(rest[0])) {
      DP2TRACE_RETURN_IF_ERROR(EndDump());
      return (this->*directive->read)(rest);
    }
    if (dump_ != Dump::kNone) {
      if (lines_.Add(line, line_, line.size() != whole)) return OkStatus();
      const std::string clause = NearDirective(words[0]);
      return clause.empty() ? OkStatus()
                            : Refuse(fmt::format("unexpected text: \"{}\"{}", words[0], clause));
    }
    return Refuse(fmt::format("unexpected text: \"{}\"{}", words[0], Suggestion(words[0])));
  }

  static bool IsComment(std::string_view line) {
    bool is_open = false;
    return SplitWords(WithoutCComments(line, is_open)).empty() && !is_open;
  }

  static const Directive* Find(std::string_view word) {
    const auto found = std::ranges::find(kDirectives, word, &Directive::name);
    return found == std::end(kDirectives) ? nullptr : &*found;
  }

  std::string_view WithoutPrefix(std::string_view line) const {
    constexpr size_t kLongest = 1024;  // characters: a match takes stack for each of them
    const std::string_view start = line.substr(0, kLongest);
    std::match_results<std::string_view::const_iterator> match;
    const bool is_found = std::regex_search(start.begin(), start.end(), match, *prefix_,
                                            std::regex_constants::match_continuous);
    return is_found ? line.substr(static_cast<size_t>(match.length(0))) : line;
  }

  static std::vector<std::string_view> NamesOfDirectives() {
    std::vector<std::string_view> names;
    for (const Directive& directive : kDirectives)
      names.push_back(directive.name);
    return names;
  }
  static std::string NearDirective(std::string_view word) {
    return NearMissClause(word, NamesOfDirectives());
  }
  static std::string Suggestion(std::string_view word) {
    const std::string near = NearDirective(word);
    return near.empty()
               ? fmt::format("; expected a dump or one of {}", fmt::join(NamesOfDirectives(), ", "))
               : near;
  }

  Status NeedNumber(const Words& words, uint64_t min, uint64_t max, uint32_t& out) {
    const auto number = words.size() == 2 ? ParseNumber(words[1]) : std::nullopt;
    if (!number || *number < min || *number > max)
      return Refuse(fmt::format("{} takes one number from {} to {}", words[0], min, max));
    out = static_cast<uint32_t>(*number);
    return OkStatus();
  }

  Status RefuseLate(std::string_view word) {
    return Refuse(fmt::format("{} must come before the first dump: move this line up", word));
  }
  Status OnLevel(const Words& words) {
    if (is_started_) return RefuseLate("level");
    return NeedNumber(words, 6, 9, level_);
  }
  Status OnRuntime(const Words& words) {
    if (is_started_) return RefuseLate("runtime");
    return NeedNumber(words, 0, 5, runtime_.emplace());
  }
  Status OnStart(const Words& words) {
    if (is_started_) return RefuseLate("start");
    const bool is_beginning = words.size() == 2 && words[1] == "beginning";
    if (words.size() != 2 || (!is_beginning && words[1] != "bare")) {
      return Refuse(
          "start is \"beginning\" or \"bare\" (from the middle: what is not described is "
          "invented)");
    }
    start_ = is_beginning ? trace::RecordingStart::kBeginning : trace::RecordingStart::kBare;
    return OkStatus();
  }

  // WORD [HANDLE] [WIDTHxHEIGHT] [FORMAT]
  Status ReadSurface(const Words& words, trace::SurfaceCreate& create) {
    for (size_t i = 1; i < words.size(); ++i) {
      if (const auto extent = ParseExtent(words[i]); extent && !words[i].starts_with("0x")) {
        create.width = extent->width;
        create.height = extent->height;
      } else if (const auto handle = ParseNumber(words[i]);
                 handle && *handle != 0 && *handle <= UINT32_MAX) {
        create.handle = static_cast<uint32_t>(*handle);
      } else if (const auto* const format = d3d::FindFormatByName(words[i])) {
        create.format = static_cast<uint32_t>(format->format);
      } else {
        std::vector<std::string_view> names;
        for (const d3d::FormatInfo& row : d3d::AllFormats())
          names.push_back(row.name);
        return Refuse(fmt::format("\"{}\" is not a handle, a size (640x480) or a format{}",
                                  words[i], NearMissClause(words[i], names)));
      }
    }
    return OkStatus();
  }

  Status OnTarget(const Words& words) {
    if (is_started_) return RefuseLate("target");
    target_.kind = trace::SurfaceKind::kTarget;
    DP2TRACE_RETURN_IF_ERROR(ReadSurface(words, target_));
    return target_.width == 0 ? Refuse("target needs a size: target 640x480 X8R8G8B8") : OkStatus();
  }
  Status OnDepth(const Words& words) {
    if (is_started_) return RefuseLate("depth");
    depth_.emplace();
    depth_->kind = trace::SurfaceKind::kDepth;
    depth_->handle = kDepthHandle;
    depth_->format = static_cast<uint32_t>(d3d::Format::D16);
    return ReadSurface(words, *depth_);
  }
  Status OnTexture(const Words& words) {
    trace::SurfaceCreate texture;
    texture.kind = trace::SurfaceKind::kTexture;
    DP2TRACE_RETURN_IF_ERROR(ReadSurface(words, texture));
    if (texture.handle == 0 || texture.width == 0 || texture.format == 0)
      return Refuse("texture needs a handle, a size and a format: texture 5 64x64 R5G6B5");
    DP2TRACE_RETURN_IF_ERROR(Start());
    texture_ = texture.handle;
    dump_ = Dump::kTexels;
    return Send(texture);
  }

  Status OnFvf(const Words& words) {
    std::string text;
    for (size_t i = 1; i < words.size(); ++i)
      text += words[i];
    std::string_view wrong;
    const std::optional<uint32_t> code = d3d::ParseFvf(text, wrong);
    if (!code) {
      const std::vector<std::string> rows = d3d::FvfNames();
      const std::vector<std::string_view> names(rows.begin(), rows.end());
      return Refuse(fmt::format("\"{}\" is not a name of D3DFVF, or excludes another one{}", wrong,
                                NearMissClause(wrong, names)));
    }
    vertex_type_ = *code;
    stride_ = 0;
    return OkStatus();
  }
  Status OnStride(const Words& words) { return NeedNumber(words, 1, UINT32_MAX, stride_); }

  Status OnVertices(const Words& words) { return Begin(words, Dump::kVertices); }
  Status OnCommands(const Words& words) { return Begin(words, Dump::kCommands); }
  Status Begin(const Words& words, Dump dump) {
    if (words.size() != 1)
      return Refuse(fmt::format("put the dump on the lines below \"{}\"", words[0]));
    dump_ = dump;
    dump_line_ = line_;
    return Start();
  }
  Status OnPresent(const Words& words) {
    if (words.size() != 1) return Refuse("nothing may follow present on its line");
    DP2TRACE_RETURN_IF_ERROR(Start());
    return Present();
  }
  Status OnMarker(const Words& words) {
    std::string text;
    for (size_t i = 1; i < words.size(); ++i)
      text += fmt::format("{}{}", i == 1 ? "" : " ", words[i]);
    if (!trace::IsUtf8(text)) return Refuse("the text of the marker is not UTF-8");
    DP2TRACE_RETURN_IF_ERROR(Start());
    trace::Marker marker;
    marker.text = text;
    return Send(marker);
  }

  // The header, and what the first call needs.
  Status Start() {
    if (is_started_) return OkStatus();
    is_started_ = true;
    trace::Header header;
    header.driver_level = level_;
    header.start = start_;
    header.generator = "dp2trace import-hex";
    DP2TRACE_RETURN_IF_ERROR(Send(header));
    if (target_.width == 0) {
      if (start_ == trace::RecordingStart::kBare) return OkStatus();  // invented with the context
      return Refuse("a target is needed: target 640x480");
    }
    if (target_.handle == 0) target_.handle = kTargetHandle;
    if (target_.format == 0) target_.format = static_cast<uint32_t>(d3d::Format::X8R8G8B8);
    DP2TRACE_RETURN_IF_ERROR(Send(target_));
    trace::ContextCreate context;
    context.context = kContext;
    context.target = target_.handle;
    context.runtime_version = runtime_.value_or(kRuntimeOfLevel[level_ - 6]);
    if (depth_) {
      if (depth_->width == 0) {
        depth_->width = target_.width;
        depth_->height = target_.height;
      }
      context.depth = depth_->handle;
      DP2TRACE_RETURN_IF_ERROR(Send(*depth_));
    }
    return Send(context);
  }

  Status EndDump() {
    const Dump dump = std::exchange(dump_, Dump::kNone);
    if (dump == Dump::kNone) return OkStatus();
    Result<std::vector<uint8_t>> bytes = lines_.Finish();
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty() && dump != Dump::kTexels) {
      Diagnostic finding = MakeDiagnostic(
          Rule::kHex001,
          fmt::format("no dump follows \"{}\"", dump == Dump::kVertices ? "vertices" : "commands"));
      finding.line = dump_line_;
      return Status(std::move(finding));
    }
    if (dump == Dump::kVertices) {
      vertices_ = std::move(*bytes);
      vertices_line_ = dump_line_;
      vertex_share_ = MemoryShare(allowance_, vertices_.capacity());
      return vertex_share_.is_granted() ? OkStatus() : Refuse(allowance_->Reason());
    }
    if (dump == Dump::kTexels) {
      if (bytes->empty()) return OkStatus();  // contents are not known
      trace::SurfaceUpdate update;
      update.handle = texture_;
      update.data = *bytes;
      return Send(update, bytes->size());
    }
    return Call(*bytes);
  }

  // With no size they are vertices of a declaration.
  Status CheckVertices(uint32_t vertex_size) const {
    if (vertex_size == 0 || vertices_.size() % vertex_size == 0) return OkStatus();
    Diagnostic finding = MakeDiagnostic(
        Rule::kHex001, fmt::format("the dump of the vertices has {}, expected a multiple of {}: "
                                   "that is the size of a vertex{}",
                                   Counted(vertices_.size(), "byte"), vertex_size,
                                   stride_ != 0 ? "" : " of " + d3d::FvfText(vertex_type_)));
    finding.line = vertices_line_;
    finding.actual = fmt::to_string(vertices_.size());
    finding.expected = fmt::format("a multiple of {}", vertex_size);
    return Status(std::move(finding));
  }

  Status Call(Bytes commands) {
    trace::Dp2 call;
    call.context = kContext;
    call.vertex_type = vertex_type_;
    call.vertex_size = stride_ != 0 ? stride_ : d3d::FvfVertexSize(vertex_type_);
    DP2TRACE_RETURN_IF_ERROR(CheckVertices(call.vertex_size));
    call.commands = commands;
    call.vertices = vertices_;
    ++calls_;
    has_drawn_ = true;
    return Send(call, commands.size() + vertices_.size());
  }

  Status Present() {
    has_drawn_ = false;
    trace::Present present;
    present.handle = target_.handle != 0 ? target_.handle : kTargetHandle;
    return Send(present);
  }

  static constexpr uint32_t kTargetHandle = 1;
  static constexpr uint32_t kDepthHandle = 2;
  static constexpr uint64_t kContext = 1;

  // What an event's bytes take on their way: as payload, compressed, as text. And work, in steps (Allowance).
  static constexpr uint64_t kEventCopies = 16;
  static constexpr uint64_t kEventSteps = 500, kByteSteps = 4;

  const HexEventSink* sink_;
  std::shared_ptr<Allowance> allowance_;
  uint64_t line_ = 1;
  uint64_t dump_line_ = 0;
  uint64_t vertices_line_ = 0;
  std::optional<std::regex> prefix_;
  Dump dump_ = Dump::kNone;
  DumpText lines_;
  bool is_started_ = false;
  bool has_drawn_ = false;  // since the last present
  uint64_t calls_ = 0;
  uint32_t level_ = 7;
  std::optional<uint32_t> runtime_;
  trace::RecordingStart start_ = trace::RecordingStart::kBare;
  trace::SurfaceCreate target_;
  std::optional<trace::SurfaceCreate> depth_;
  uint32_t texture_ = 0;
  uint32_t vertex_type_ = 0;
  uint32_t stride_ = 0;
  std::vector<uint8_t> vertices_;
  MemoryShare vertex_share_;
};

const HexTrace::Directive HexTrace::kDirectives[kDirectiveCount] = {
    {"level", &HexTrace::OnLevel},       {"runtime", &HexTrace::OnRuntime},
    {"start", &HexTrace::OnStart},       {"target", &HexTrace::OnTarget},
    {"depth", &HexTrace::OnDepth},       {"texture", &HexTrace::OnTexture},
    {"fvf", &HexTrace::OnFvf},           {"stride", &HexTrace::OnStride},
    {"vertices", &HexTrace::OnVertices}, {"commands", &HexTrace::OnCommands},
    {"present", &HexTrace::OnPresent},   {"marker", &HexTrace::OnMarker},
};

}  // namespace

Status ReadHexTrace(std::string_view text, const HexEventSink& sink,
                    std::shared_ptr<Allowance> allowance, const std::string& prefix) {
  const MemoryShare copy(allowance, text.size());
  HexTrace trace(sink, std::move(allowance));
  DP2TRACE_RETURN_IF_ERROR(trace.SetPrefix(prefix));
  return trace.Read(PlainLog(text));
}

}  // namespace dp2trace::import
