// Any bytes as a container: what can be read is validated and replayed with small limits. Replaying stays within its buffers and ends.
// Chunks get the hashes that their bytes have. With bit 0 of byte 15, which containers do not use, surface 3 is made a picture at the end
// of its life.
#include <cstdint>
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < trace::kFileHeaderSize) return 0;
  std::vector<uint8_t> file(data, data + size);
  testing::FixHashes(file);
  replay::Options options = SmallLimits();
  if ((data[15] & 1) != 0) options.surface = 3;
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
