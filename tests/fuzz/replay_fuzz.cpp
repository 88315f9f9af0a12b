// Any bytes as a container: what can be read is validated and replayed with small limits. Replaying stays within its buffers and ends.
// Chunks get the hashes that their bytes have. With bit 0 of byte 15, which containers do not use, surface 3 is made a picture at the end
// of its life; with bit 1 players that go on where others stood have to find what one player does.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "container_file.h"
#include "replay/replayer.h"
#include "trace/reader.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test program

class NullSink final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
};

replay::Options SmallLimits() {
  replay::Options options;
  options.validation.device.surfaces.max_dimension = 64;
  options.validation.device.surfaces.max_bytes = 1U << 20;
  options.validation.max_surface_bytes = 4U << 20;
  options.validation.device.max_object_bytes = 4U << 20;
  options.validation.device.max_primitives = 1U << 12;
  options.validation.device.max_control_points = 1U << 10;
  options.raster.max_patch_segments = 8;
  options.raster.max_draw_steps = 1U << 15;
  return options;
}

// A trace may ask for many things that are each within the limits.
constexpr uint64_t kMaxEvents = 200;
constexpr uint64_t kMaxDraws = 300;

class Pictures final : public play::Listener {
  play::Detail detail() const override { return play::Detail::kPictures; }
};

// What is found in the first events; `step`: so many for each player.
std::vector<Diagnostic> FindingsOf(const std::vector<uint8_t>& file, const replay::Options& limits,
                                   uint64_t step) {
  DiagnosticList reading;
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, reading, {.max_memory = 4U << 20});
  if (!reader.ok()) return {};
  DiagnosticList findings;
  Pictures pictures;
  play::Options options{.validation = limits.validation, .raster = limits.raster};
  std::unique_ptr<const play::Snapshot> start;
  auto player = std::make_unique<play::Player>(options, findings,
                                               std::initializer_list<play::Listener*>{&pictures});
  uint64_t played = 0;
  trace::EventRecord record;
  while (reader->Next(record) && played < kMaxEvents && player->draws().count() < kMaxDraws) {
    if (played % step == step - 1 && !player->has_ended()) {
      start = player->Save(start.get());
      options.start = start.get();
      player = std::make_unique<play::Player>(options, findings,
                                              std::initializer_list<play::Listener*>{&pictures});
    }
    ++played;
    if (!player->OnEvent(record.number, record.event).ok()) break;
  }
  player->Finish();
  return findings.items();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < trace::kFileHeaderSize) return 0;
  std::vector<uint8_t> file(data, data + size);
  testing::FixHashes(file);
  replay::Options options = SmallLimits();
  if ((data[15] & 1) != 0) options.surface = 3;
  if ((data[15] & 2) != 0 && FindingsOf(file, options, 8) != FindingsOf(file, options, kMaxEvents))
    std::abort();
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, findings, {.max_memory = 4U << 20});
  if (!reader.ok()) return 0;
  NullSink images;
  replay::Replayer replayer(options, findings, images);
  trace::EventRecord record;
  while (reader->Next(record) && record.number < kMaxEvents &&
         replayer.statistics().draws < kMaxDraws) {
    if (!replayer.OnEvent(record.number, record.event).ok()) return 0;
  }
  (void)replayer.Finish();  // pictures cannot fail here
  return 0;
}
