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

#include "kmt/lists.h"
#include "part_pictures.h"
#include "rules/rule_info.h"
#include "support/test_folder.h"
#include "trace_file/inputs.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test program
using testing::Chosen;
using testing::Replayed;

namespace {

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

  std::function<void(const trace::EventRecord&)> Visitor() {
    return [this](const trace::EventRecord& record) { OnEvent(record.number, record.event); };
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

class Checker {
 public:
  explicit Checker(bool is_verbose) : is_verbose_(is_verbose) {}

  void Check(const std::string& path) {
    const Replayed first = testing::Replay(path, "none");
    if (!first.is_read || first.statistics.draws == 0) return;
    const uint64_t frames = first.statistics.frames;
    const uint64_t draws = first.statistics.draws;
    const uint64_t middle = draws / 2 + 1;
    const uint64_t end = std::min(draws, middle + 7);
    UnusedAllocations allocations;
    const Replayed whole =
        testing::Replay(path, fmt::format("{}-{}", middle, end), allocations.Visitor());
    std::set<uint64_t> chosen;
    for (const uint64_t frame : {uint64_t{2}, (frames + 1) / 2, frames}) {
      if (frame >= 1 && frame <= frames && chosen.insert(frame).second)
        CheckPart(path, whole, allocations, {trim::Unit::kFrames, frame, frame});
    }
    CheckPart(path, whole, allocations, {trim::Unit::kDraws, middle, end});
  }

  int Finish() const {
    for (const auto& [gap, count] : gaps_)
      fmt::print("{:6} parts are kept from the beginning on, for {}\n", count, gap);
    fmt::print("{} parts, {} differ; {} bytes of traces became {}\n", parts_, failures_,
               sizes_.first, sizes_.second);
    return failures_ == 0 && parts_ != 0 ? 0 : 1;
  }

 private:
  void CheckPart(const std::string& path, const Replayed& whole,
                 const UnusedAllocations& allocations, const Chosen& chosen) {
    const testing::TestFolder folder;
    const std::string output = folder / "part.dp2t";
    const std::string name = fmt::format("{} {}", path, chosen.Describe());
    trim::Part part;
    if (!testing::Trim(path, output, chosen, part).ok()) {
      if (part.is_found) Fail(name, "cannot be trimmed");
      return;
    }
    ++parts_;
    if (!part.is_from_start && !part.gap.empty()) ++gaps_[part.gap];
    UnusedAllocations kept;
    const Replayed cut =
        testing::Replay(output, testing::DrawsOfPart(part, chosen), kept.Visitor());
    std::string error;
    for (const Rule rule : cut.rules) {
      if (!whole.rules.contains(rule)) error += fmt::format(" new finding {};", Info(rule).id);
    }
    const bool is_shifted = !part.is_from_start && part.gap.empty();
    for (const auto& allocation : kept.Find()) {
      const auto made = allocations.made().find(allocation);
      if (is_shifted && made != allocations.made().end() && made->second < part.begin.event)
        error += fmt::format(" allocation {:#x} is for nothing;", allocation.second);
    }
    sizes_.first += std::filesystem::file_size(path);
    sizes_.second += std::filesystem::file_size(output);
    const std::string difference = testing::CompareWithWhole(whole, cut, part, chosen);
    if (!difference.empty()) error += " " + difference;
    if (!error.empty()) Fail(name, error);
    if (is_verbose_) {
      fmt::print("{}: {} -> {} bytes\n", name, std::filesystem::file_size(path),
                 std::filesystem::file_size(output));
    }
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
