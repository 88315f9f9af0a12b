#include "part_pictures.h"

#include <fmt/format.h>

#include <algorithm>

namespace dp2trace::testing {
namespace {

const raster::Options kRaster = {.max_draw_steps = uint64_t{1} << 22, .threads = 1};

class Collector final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo& info, const image::Picture& /*picture*/) override {
    images.push_back({info.kind, info.sequence, info.event, info.target,
                      fmt::format("{}{} {}x{}+{}+{}", info.hash, info.raw_hash, info.width,
                                  info.height, info.x, info.y)});
    return OkStatus();
  }
  std::vector<Shown> images;
};

// The part begins with its first chosen draw and frame.
bool IsShifted(const trim::Part& part) {
  return !part.is_from_start && part.gap.empty();
}

// The draw that the numbers of the pictures count from: of those chosen, the first that is executed.
uint64_t FirstDraw(const trim::Part& part, const Chosen& chosen) {
  return IsShifted(part) ? part.first_draw : chosen.first;
}

std::vector<std::string> Expected(const Replayed& whole, const trim::Part& part,
                                  const Chosen& chosen) {
  std::vector<std::string> result;
  uint64_t first_read = 0;
  for (const Shown& image : whole.images) {
    const bool is_frame = image.kind == replay::ImageKind::kFrame;
    const bool is_draw = image.kind == replay::ImageKind::kDraw;
    if (chosen.unit == trim::Unit::kDraws) {
      if (is_draw) result.push_back(image.Describe(FirstDraw(part, chosen)));
      continue;
    }
    if (is_frame && image.sequence >= chosen.first && image.sequence <= chosen.last)
      result.push_back(image.Describe(chosen.first));
    if (image.kind == replay::ImageKind::kRead && image.event >= part.begin.event &&
        (!part.end || image.event < part.end->event)) {
      if (first_read == 0) first_read = image.sequence;
      result.push_back(image.Describe(first_read));
    }
  }
  return result;
}

std::vector<std::string> Actual(const Replayed& cut, const trim::Part& part, const Chosen& chosen) {
  std::vector<std::string> result;
  uint64_t first_read = 0;
  for (const Shown& image : cut.images) {
    const bool is_draw = image.kind == replay::ImageKind::kDraw;
    if (is_draw != (chosen.unit == trim::Unit::kDraws)) continue;
    if (image.kind == replay::ImageKind::kRead && first_read == 0) first_read = image.sequence;
    result.push_back(image.Describe(is_draw && !IsShifted(part)              ? chosen.first
                                    : image.kind == replay::ImageKind::kRead ? first_read
                                                                             : 1));
  }
  return result;
}

}  // namespace

std::string Shown::Describe(uint64_t first) const {
  return fmt::format("{} {} target {} {}", Name(kind), sequence - first + 1, target, hash);
}

std::unique_ptr<trace_file::Source> OpenQuietly(const std::string& path) {
  static DiagnosticList findings;  // outlives the source; nobody reads it
  findings = DiagnosticList();
  trace_file::OpenError error;
  return trace_file::Source::Open(path, kMaxMemory, findings, error);
}

Replayed Replay(const std::string& path, const std::string& draws,
                const std::function<void(const trace::EventRecord&)>& visit) {
  Replayed result;
  const auto source = trace_file::WithResults(OpenQuietly(path));
  if (source == nullptr) return result;
  std::string error;
  replay::Options options;
  options.draws = Selection::Parse(draws, error);
  options.raster = kRaster;
  DiagnosticList findings;
  Collector images;
  replay::Replayer replayer(options, findings, images);
  for (trace::EventRecord record; source->Next(record);) {
    if (visit) visit(record);
    if (!replayer.OnEvent(record.number, record.event).ok()) return result;
  }
  result.is_read = replayer.Finish().ok() && !source->is_incomplete();
  for (const Diagnostic& finding : findings.items())
    result.rules.insert(finding.rule);
  for (const auto& [rule, count] : findings.dropped_by_rule())
    result.rules.insert(rule);
  result.images = std::move(images.images);
  result.statistics = replayer.statistics();
  return result;
}

std::string Chosen::Describe() const {
  return fmt::format("{} {}-{}", unit == trim::Unit::kFrames ? "frames" : "draws", first, last);
}

Status Trim(const std::string& input, const std::string& output, const Chosen& chosen,
            trim::Part& part) {
  std::string error;
  const auto source = trace_file::WithResults(OpenQuietly(input));
  const std::string numbers = fmt::format("{}-{}", chosen.first, chosen.last);
  Result<trim::Part> found =
      trim::FindPart(*source, {.unit = chosen.unit, .numbers = *Selection::Parse(numbers, error)},
                     {}, trace_model::WalkQuietly);
  if (!found.ok()) return found.status();
  part = std::move(*found);
  if (!part.is_found) return Failure(kCannotRead, "nothing was chosen");
  const trace_model::RenderOptions options = {.raster = kRaster};
  return trim::WritePart([&input] { return OpenQuietly(input); }, part, options, output,
                         trace_model::WalkQuietly);
}

std::string CompareWithWhole(const Replayed& whole, const Replayed& cut, const trim::Part& part,
                             const Chosen& chosen) {
  const std::vector<std::string> expected = Expected(whole, part, chosen);
  const std::vector<std::string> actual = Actual(cut, part, chosen);
  for (size_t i = 0; i < std::max(expected.size(), actual.size()); ++i) {
    const std::string a = i < expected.size() ? expected[i] : "nothing";
    const std::string b = i < actual.size() ? actual[i] : "nothing";
    if (a != b) return fmt::format("picture {}: {} is {}", i, a, b);
  }
  return {};
}

std::string DrawsOfPart(const trim::Part& part, const Chosen& chosen) {
  if (chosen.unit == trim::Unit::kFrames) return "none";
  if (!IsShifted(part)) return fmt::format("{}-{}", chosen.first, chosen.last);
  return fmt::format("1-{}", chosen.last - FirstDraw(part, chosen) + 1);
}

}  // namespace dp2trace::testing
