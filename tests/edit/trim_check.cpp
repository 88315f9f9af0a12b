// Cuts parts out of traces and compares: the pictures of a part are those of the whole, nothing new is found in it, and its snapshot has no
// allocation that nothing needs.
// trim_check [-v] TRACE|FOLDER...
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "edit/trim.h"
#include "kmt/lists.h"
#include "replay/replayer.h"
#include "rules/rule_info.h"
#include "support/test_folder.h"
#include "trace_file/inputs.h"
#include "trace_file/sink.h"
#include "trace_file/source.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test program

namespace {

constexpr uint64_t kMaxMemory = uint64_t{1} << 30;

// Draws that would take forever end soon, and alike.
const raster::Options kRaster = {.max_draw_steps = uint64_t{1} << 22, .threads = 1};

struct Shown {
  replay::ImageKind kind;
  uint64_t sequence, event;
  uint32_t target;
  std::string hash;
  // Numbers differ between the whole and its part.
  std::string Describe(uint64_t first) const {
    return fmt::format("{} {} target {} {}", Name(kind), sequence - first + 1, target, hash);
  }
};

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

// Handles, by process.
using Numbers = std::set<std::pair<uint32_t, uint32_t>>;

// Allocations of a trace that are in no list of a packet and stand for no surface of the trace.
class UnusedAllocations {
 public:
  void OnEvent(uint64_t number, const trace::Event& event) {
    if (const auto* const create = std::get_if<trace::AllocationCreate>(&event)) {
      for (const trace::AllocationInfo& info : create->allocations)
        made_[{create->process, info.allocation}] = number;
    } else if (const auto* const surface = std::get_if<trace::SurfaceCreate>(&event)) {
      surfaces_.insert(surface->handle);
      surfaces_.insert(surface->flip_chain.begin(), surface->flip_chain.end());
      for (const trace::SubSurface& sub : surface->sub_surfaces)
        surfaces_.insert(sub.handle);
    } else if (const auto* const bind = std::get_if<trace::Dp2Bind>(&event)) {
      bindings_.emplace_back(bind->handle, std::pair(bind->process, bind->allocation));
    } else if (const auto* const packet = std::get_if<trace::Render>(&event)) {
      const kmt::AllocationListView list(packet->allocation_list);
      for (size_t i = 0; i < list.size(); ++i)
        used_.insert({packet->process, list[i].handle});
    } else if (const auto* const destroy = std::get_if<trace::AllocationDestroy>(&event)) {
      UseAll(destroy->process, destroy->allocations);
    } else if (const auto* const offer = std::get_if<trace::Offer>(&event)) {
      UseAll(offer->process, offer->allocations);
    } else if (const auto* const lock = std::get_if<trace::Lock>(&event)) {
      used_.insert({lock->process, lock->allocation});
    } else if (const auto* const present = std::get_if<trace::KmtPresent>(&event)) {
      UseAll(present->process, {present->source, present->destination});
    }
  }

  // By process and handle: the event that made it last.
  const std::map<std::pair<uint32_t, uint32_t>, uint64_t>& made() const { return made_; }

  Numbers Find() const {
    Numbers unused;
    for (const auto& [allocation, number] : made_) {
      if (!used_.contains(allocation)) unused.insert(allocation);
    }
    for (const auto& [handle, allocation] : bindings_) {
      if (surfaces_.contains(handle)) unused.erase(allocation);
    }
    return unused;
  }

 private:
  void UseAll(uint32_t process, const std::vector<uint32_t>& allocations) {
    for (const uint32_t allocation : allocations)
      used_.insert({process, allocation});
  }

  std::map<std::pair<uint32_t, uint32_t>, uint64_t> made_;
  Numbers used_;
  std::set<uint32_t> surfaces_;
  std::vector<std::pair<uint32_t, std::pair<uint32_t, uint32_t>>> bindings_;
};

struct Replayed {
  std::vector<Shown> images;
  UnusedAllocations allocations;
  std::set<Rule> rules;
  replay::Statistics statistics;
  bool is_read = false;
};

std::unique_ptr<trace_file::Source> Open(const std::string& path) {
  static DiagnosticList findings;  // outlives the source; nobody reads it
  trace_file::OpenError error;
  auto source = trace_file::Source::Open(path, kMaxMemory, findings, error);
  return source;
}

Replayed Replay(const std::string& path, const std::string& draws) {
  Replayed result;
  auto raw = Open(path);
  if (raw == nullptr) return result;
  const auto source = trace_file::WithResults(std::move(raw));
  std::string error;
  replay::Options options;
  options.draws = Selection::Parse(draws, error);
  options.raster = kRaster;
  DiagnosticList findings;
  Collector images;
  replay::Replayer replayer(options, findings, images);
  trace::EventRecord record;
  while (source->Next(record)) {
    result.allocations.OnEvent(record.number, record.event);
    if (!replayer.OnEvent(record.number, record.event).ok()) return result;
  }
  result.is_read = replayer.Finish().ok() && !source->is_incomplete();
  for (const Diagnostic& finding : findings.items())
    result.rules.insert(finding.rule);
  result.images = std::move(images.images);
  result.statistics = replayer.statistics();
  return result;
}

// What the verb does. False: nothing was chosen, or it failed.
bool Trim(const std::string& input, const std::string& output, edit::Unit unit, uint64_t first,
          uint64_t last, edit::Part& part) {
  std::string error;
  const auto source = trace_file::WithResults(Open(input));
  part = edit::FindPart(
      *source,
      {.unit = unit, .numbers = *Selection::Parse(fmt::format("{}-{}", first, last), error)},
      edit::WalkQuietly);
  const edit::RenderOptions options = {.raster = kRaster};
  return part.is_found &&
         edit::WritePart([&input] { return Open(input); }, part, options, output, edit::WalkQuietly)
             .ok();
}

class Checker {
 public:
  explicit Checker(bool is_verbose) : is_verbose_(is_verbose) {}

  void Check(const std::string& path) {
    const Replayed first = Replay(path, "none");
    if (!first.is_read || first.statistics.draws == 0) return;
    const uint64_t frames = first.statistics.frames;
    const uint64_t draws = first.statistics.draws;
    const uint64_t middle = draws / 2 + 1;
    const uint64_t end = std::min(draws, middle + 7);
    const Replayed whole = Replay(path, fmt::format("{}-{}", middle, end));
    std::set<uint64_t> chosen;
    for (const uint64_t frame : {uint64_t{2}, (frames + 1) / 2, frames}) {
      if (frame >= 1 && frame <= frames && chosen.insert(frame).second)
        CheckPart(path, whole, edit::Unit::kFrames, frame, frame);
    }
    CheckPart(path, whole, edit::Unit::kDraws, middle, end);
  }

  int Finish() const {
    for (const auto& [gap, count] : gaps_)
      fmt::print("{:6} parts are kept from the beginning on, for {}\n", count, gap);
    fmt::print("{} parts, {} differ; {} bytes of traces became {}\n", parts_, failures_,
               sizes_.first, sizes_.second);
    return failures_ == 0 && parts_ != 0 ? 0 : 1;
  }

 private:
  void CheckPart(const std::string& path, const Replayed& whole, edit::Unit unit, uint64_t first,
                 uint64_t last) {
    const testing::TestFolder folder;
    const std::string output = folder / "part.dp2t";
    const bool is_frames = unit == edit::Unit::kFrames;
    const std::string name =
        fmt::format("{} {} {}-{}", path, is_frames ? "frames" : "draws", first, last);
    edit::Part part;
    if (!Trim(path, output, unit, first, last, part)) {
      if (part.is_found) Fail(name, "cannot be trimmed");
      return;
    }
    ++parts_;
    if (!part.is_from_start && !part.gap.empty()) ++gaps_[part.gap];
    const bool is_shifted = !part.is_from_start && part.gap.empty();
    const Replayed cut =
        Replay(output, is_frames ? "none"
                                 : fmt::format("{}-{}", is_shifted ? 1 : first,
                                               is_shifted ? last - first + 1 : last));
    std::string error;
    for (const Rule rule : cut.rules) {
      if (!whole.rules.contains(rule)) error += fmt::format(" new finding {};", Info(rule).id);
    }
    for (const auto& allocation : cut.allocations.Find()) {
      const auto made = whole.allocations.made().find(allocation);
      if (is_shifted && made != whole.allocations.made().end() && made->second < part.begin.event)
        error += fmt::format(" allocation {:#x} is for nothing;", allocation.second);
    }
    sizes_.first += std::filesystem::file_size(path);
    sizes_.second += std::filesystem::file_size(output);
    const std::vector<std::string> expected = Expected(whole, part, unit, first, last);
    const std::vector<std::string> actual = Actual(cut, unit, is_shifted, first);
    for (size_t i = 0; i < std::max(expected.size(), actual.size()); ++i) {
      const std::string a = i < expected.size() ? expected[i] : "nothing";
      const std::string b = i < actual.size() ? actual[i] : "nothing";
      if (a == b) continue;
      error += fmt::format(" picture {}: {} is {}", i, a, b);
      break;
    }
    if (!error.empty()) Fail(name, error);
    if (is_verbose_) {
      fmt::print("{}: {} -> {} bytes, {} pictures\n", name, std::filesystem::file_size(path),
                 std::filesystem::file_size(output), expected.size());
    }
  }

  static std::vector<std::string> Expected(const Replayed& whole, const edit::Part& part,
                                           edit::Unit unit, uint64_t first, uint64_t last) {
    std::vector<std::string> result;
    uint64_t first_read = 0;
    for (const Shown& image : whole.images) {
      const bool is_frame = image.kind == replay::ImageKind::kFrame;
      const bool is_draw = image.kind == replay::ImageKind::kDraw;
      if (unit == edit::Unit::kDraws) {
        if (is_draw) result.push_back(image.Describe(first));
        continue;
      }
      if (is_frame && image.sequence >= first && image.sequence <= last)
        result.push_back(image.Describe(first));
      if (image.kind == replay::ImageKind::kRead && image.event >= part.begin.event &&
          (!part.end || image.event < part.end->event)) {
        if (first_read == 0) first_read = image.sequence;
        result.push_back(image.Describe(first_read));
      }
    }
    return result;
  }

  static std::vector<std::string> Actual(const Replayed& cut, edit::Unit unit, bool is_shifted,
                                         uint64_t first) {
    std::vector<std::string> result;
    uint64_t first_read = 0;
    for (const Shown& image : cut.images) {
      const bool is_draw = image.kind == replay::ImageKind::kDraw;
      if (is_draw != (unit == edit::Unit::kDraws)) continue;
      if (image.kind == replay::ImageKind::kRead && first_read == 0) first_read = image.sequence;
      result.push_back(image.Describe(is_draw && !is_shifted                   ? first
                                      : image.kind == replay::ImageKind::kRead ? first_read
                                                                               : 1));
    }
    return result;
  }

  void Fail(const std::string& name, const std::string& error) {
    ++failures_;
    fmt::print("{}:{}\n", name, error);
  }

  bool is_verbose_;
  int parts_ = 0, failures_ = 0;
  std::map<std::string, int> gaps_;
  std::pair<uint64_t, uint64_t> sizes_;  // of files, before and after; each part counts its whole
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  const bool is_verbose = std::erase(names, "-v") != 0;
  Checker checker(is_verbose);
  for (const std::string& path : trace_file::ExpandInputs(names).paths)
    checker.Check(path);
  return checker.Finish();
}
