// Scrubs traces and compares: the same events, draws and findings, nothing of the contents left, the same when scrubbed again.
// scrub_check [--no-pictures] TRACE|FOLDER...
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/hash.h"
#include "device/place.h"
#include "replay/replayer.h"
#include "scrub/scrub.h"
#include "support/test_folder.h"
#include "trace/draw_counter.h"
#include "trace/event_kind.h"
#include "trace_file/inputs.h"
#include "trace_file/source.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test program

namespace {

constexpr uint64_t kMaxMemory = uint64_t{1} << 30;
constexpr size_t kRun = 16;           // bytes
constexpr size_t kDistinctBytes = 8;  // a run with fewer different bytes says nothing

std::unique_ptr<trace_file::Source> Open(const std::string& path) {
  static DiagnosticList findings;  // outlives the source; nobody reads it
  trace_file::OpenError error;
  return trace_file::Source::Open(path, kMaxMemory, findings, error);
}

class VertexTails final : public stream::Visitor {
 public:
  void OnFixed(const opcode::StructDesc& /*layout*/, const uint8_t* /*at*/) override {}
  void OnRecord(uint32_t /*index*/, const opcode::StructDesc& /*layout*/,
                const uint8_t* /*at*/) override {}
  void OnTail(uint32_t /*record*/, const opcode::TailDesc& desc, Bytes /*padding*/,
              Bytes bytes) override {
    if (desc.counting == opcode::TailCount::kVertices) tails.push_back(bytes);
  }
  std::vector<Bytes> tails;
};

// The arrays of an event that hold texels and vertices. Indices say which vertices belong together, bits of alpha are a mask: both stay.
std::vector<Bytes> ContentsOf(const trace::Event& event, const device::Device& device,
                              trace::LengthOrigin origin) {
  std::vector<Bytes> contents;
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event)) {
    const device::SurfaceRef place =
        device::FindPlace(device, update->space, update->handle, update->face, update->level);
    const bool stays = place && (place.resource->kind == d3d::SurfaceKind::kIndexBuffer ||
                                 place.surface().info().format == d3d::Format::A1);
    if (!stays) contents.push_back(update->data);
  } else if (const auto* const picture = std::get_if<trace::Picture>(&event)) {
    contents.push_back(picture->data);
  } else if (const auto* const call = std::get_if<trace::Dp2>(&event)) {
    contents.push_back(call->vertices);
  } else if (const auto* const packet = std::get_if<trace::Render>(&event)) {
    if (packet->dp2_env) contents.push_back(packet->dp2_env->vertices);
  }
  if (const auto stream = trace::StreamOf(event, origin)) {
    VertexTails visitor;
    stream::Decoder decoder(stream->bytes, stream->environment, nullptr);
    for (stream::Command command; decoder.Next(command);)
      stream::Visit(command, stream->environment, visitor);
    contents.insert(contents.end(), visitor.tails.begin(), visitor.tails.end());
  }
  return contents;
}

// What is compared of one trace.
struct Looked {
  std::vector<uint16_t> kinds;
  std::vector<size_t> sizes;  // of contents
  uint64_t draws = 0;
  std::string text;  // of markers and headers, one of each
};

// Calls visit(hash) for each run that says something and begins at a multiple of `step`.
template <class Visit>
void ForEachRun(Bytes bytes, size_t step, const Visit& visit) {
  std::array<uint8_t, 256> counts = {};
  size_t distinct = 0;
  for (size_t end = 0; end < bytes.size(); ++end) {
    distinct += static_cast<size_t>(counts[bytes[end]]++ == 0);
    if (end >= kRun) distinct -= static_cast<size_t>(--counts[bytes[end - kRun]] == 0);
    const size_t at = end + 1 - kRun;
    if (end + 1 >= kRun && at % step == 0 && distinct >= kDistinctBytes)
      visit(Xxh3_64(bytes.subspan(at, kRun)));
  }
}

// Calls contents(bytes) for each array of texels or vertices.
template <class Contents>
Looked Look(const std::string& path, const Contents& contents) {
  Looked looked;
  const auto source = Open(path);
  if (source == nullptr) return looked;
  trace_model::ScratchDevice scratch;
  trace::NamingContext naming;
  trace::DrawCounter draws;
  for (trace::EventRecord record; source->Next(record);) {
    naming.Apply(record.event);
    draws.Add(record.event);
    scratch.Add(record.event);
    looked.kinds.push_back(trace::CodeOf(record.event));
    for (const Bytes bytes : ContentsOf(record.event, scratch.device(), naming.length_origin())) {
      looked.sizes.push_back(bytes.size());
      contents(bytes);
    }
    if (const auto* const marker = std::get_if<trace::Marker>(&record.event)) {
      looked.text += marker->text;
      looked.text += marker->source;
    }
  }
  looked.draws = draws.count();
  return looked;
}

class Counter final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo& /*info*/, const image::Picture& /*picture*/) override {
    ++images;
    return OkStatus();
  }
  uint64_t images = 0;
};

// Pictures of a replay; nothing where it fails.
std::optional<uint64_t> CountPictures(const std::string& path) {
  const auto source = trace_file::WithResults(Open(path));
  if (source == nullptr) return std::nullopt;
  replay::Options options;
  options.renderer = "fast";
  options.raster.threads = 1;
  DiagnosticList findings;
  Counter counter;
  replay::Replayer replayer(options, findings, counter);
  for (trace::EventRecord record; source->Next(record);)
    if (!replayer.OnEvent(record.number, record.event).ok()) return std::nullopt;
  if (!replayer.Finish().ok()) return std::nullopt;
  return counter.images;
}

class Checker {
 public:
  explicit Checker(bool draws) : draws_(draws) {}

  void Check(const std::string& path) {
    const testing::TestFolder folder;
    const std::string once = folder / "once.dp2t";
    const std::string twice = folder / "twice.dp2t";
    const auto scrubbed = Scrub(path, once);
    if (!scrubbed) return;
    ++traces_;
    for (const Diagnostic& finding : scrubbed->gone)
      Fail(path, "gone: " + FormatDiagnostic("", finding));
    for (const Diagnostic& finding : scrubbed->came)
      Fail(path, "new: " + FormatDiagnostic("", finding));

    filter_.assign(kFilter, false);
    std::vector<uint64_t> runs;
    const Looked before = Look(path, [&](Bytes bytes) {
      ForEachRun(bytes, 4, [&](uint64_t run) {
        filter_[run % kFilter] = true;
        runs.push_back(run);
      });
    });
    std::ranges::sort(runs);
    size_t survivors = 0;
    const Looked after = Look(once, [&](Bytes bytes) {
      ForEachRun(bytes, 1, [&](uint64_t run) {
        survivors +=
            static_cast<size_t>(filter_[run % kFilter] && std::ranges::binary_search(runs, run));
      });
    });
    if (before.kinds != after.kinds) Fail(path, "has other events");
    if (before.sizes != after.sizes) Fail(path, "has contents of other sizes");
    if (before.draws != after.draws) Fail(path, "has other draws");
    if (!after.text.empty()) Fail(path, "still has texts: " + after.text);
    if (survivors != 0) Fail(path, fmt::format("{} runs of its contents survive", survivors));
    runs_ += runs.size();
    if (draws_ && CountPictures(path) != CountPictures(once)) Fail(path, "gives other pictures");
    if (!Scrub(once, twice) || testing::ReadText(once) != testing::ReadText(twice))
      Fail(path, "changes when it is scrubbed again");
  }

  int Finish() const {
    fmt::print("{} traces with {} runs of contents, {} failures\n", traces_, runs_, failures_);
    return failures_ == 0 && traces_ != 0 ? 0 : 1;
  }

 private:
  // Nothing where there is no event to scrub.
  static std::optional<scrub::ScrubResult> Scrub(const std::string& input,
                                                 const std::string& output) {
    const auto result = scrub::ScrubTrace([&input] { return Open(input); }, {}, output, kMaxMemory,
                                          {}, trace_model::WalkQuietly);
    return result.ok() && result->events != 0 ? std::optional(*result) : std::nullopt;
  }

  void Fail(const std::string& path, const std::string& why) {
    ++failures_;
    fmt::print("{}: {}\n", path, why);
  }

  bool draws_;
  static constexpr uint64_t kFilter = uint64_t{1} << 26;
  std::vector<bool> filter_;  // most runs are not there: a bit says so
  uint64_t traces_ = 0, runs_ = 0, failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  const bool draws = std::erase(names, "--no-pictures") == 0;
  Checker checker(draws);
  for (const std::string& path : trace_file::ExpandInputs(names).paths)
    checker.Check(path);
  return checker.Finish();
}
