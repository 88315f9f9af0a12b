#include "runtime/core/area_update.h"

#include "recording.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

// What surface_update events say about the area, and how many bytes they carry.
class AreaSink final : public EventSink {
 public:
  Status OnEvent(const trace::Event& event) override {
    if (const auto* update = std::get_if<trace::SurfaceUpdate>(&event)) {
      updates.push_back(*update);
      first_bytes.push_back(update->data.empty() ? uint8_t{0} : update->data[0]);
      sizes.push_back(update->data.size());
    }
    return OkStatus();
  }
  std::vector<trace::SurfaceUpdate> updates;
  std::vector<uint8_t> first_bytes;
  std::vector<size_t> sizes;
};

// 4 x 4 pixels of A8R8G8B8, rows of 20 bytes (4 of padding).
LockedArea Whole() {
  LockedArea area;
  area.handle = 1;
  area.box = {0, 0, 4, 4, 0, 1};
  area.is_whole = true;
  area.pitch = 20;
  area.format = d3d::FindFormat(21);
  return area;
}

MemoryWrite Write(uint64_t offset, size_t size) {
  MemoryWrite write{offset, std::vector<uint8_t>(size)};
  for (size_t i = 0; i < size; ++i)
    write.bytes[i] = static_cast<uint8_t>(offset + i);
  return write;
}

std::vector<trace::SurfaceUpdate> Record(const LockedArea& area, const MemoryWrite& write,
                                         AreaSink& sink) {
  Recorder recorder(sink, {});
  SplitWrites(area, std::span(&write, 1),
              [&](const trace::SurfaceUpdate& update) { recorder.UpdateSurface(update); });
  return sink.updates;
}

}  // namespace

TEST_CASE("SplitWrites: a write that covers the level is one update with the lock's pitch") {
  AreaSink sink;
  const auto updates = Record(Whole(), Write(0, 80), sink);
  REQUIRE(updates.size() == 1);
  CHECK_FALSE(updates[0].rect);
  CHECK(updates[0].pitch == 20u);
  CHECK(sink.sizes[0] == 76);  // without the padding of the last row
}

TEST_CASE("SplitWrites: whole rows become one rectangle") {
  AreaSink sink;
  const auto updates = Record(Whole(), Write(20, 36), sink);
  REQUIRE(updates.size() == 1);
  CHECK(updates[0].rect == d3d::Rect{0, 1, 4, 3});
  CHECK(updates[0].pitch == 20u);
  CHECK(sink.sizes[0] == 36);
}

TEST_CASE("SplitWrites: parts of rows become rectangles of their own, cut pixels are left out") {
  AreaSink sink;
  // From byte 6 of row 0 (pixels 2 and 3 are whole), rows 1 and 2, 5 bytes of row 3 (pixel 0).
  const auto updates = Record(Whole(), Write(6, 59), sink);
  REQUIRE(updates.size() == 3);
  CHECK(updates[0].rect == d3d::Rect{2, 0, 4, 1});
  CHECK(sink.first_bytes[0] == 8);
  CHECK(updates[1].rect == d3d::Rect{0, 1, 4, 3});
  CHECK(sink.first_bytes[1] == 20);
  CHECK(updates[2].rect == d3d::Rect{0, 3, 1, 4});
  CHECK(sink.first_bytes[2] == 60);
}

TEST_CASE("SplitWrites: only padding is nothing") {
  AreaSink sink;
  CHECK(Record(Whole(), Write(16, 4), sink).empty());
}

TEST_CASE("SplitWrites: the area of a lock begins at its own pointer") {
  AreaSink sink;
  LockedArea area = Whole();
  area.box = {1, 2, 3, 4, 0, 1};
  area.is_whole = false;
  const auto updates = Record(area, Write(0, 28), sink);
  REQUIRE(updates.size() == 1);
  CHECK(updates[0].rect == d3d::Rect{1, 2, 3, 4});
  CHECK(updates[0].pitch == 20u);
}

TEST_CASE("SplitWrites: rows of blocks are four pixels high, those at the edge less") {
  AreaSink sink;
  LockedArea area = Whole();
  area.box = {0, 0, 8, 6, 0, 1};
  area.pitch = 16;
  area.format = d3d::FindFormat(0x31545844);  // DXT1: 8 bytes per block
  const auto updates = Record(area, Write(16, 16), sink);
  REQUIRE(updates.size() == 1);
  CHECK(updates[0].rect == d3d::Rect{0, 4, 8, 6});
  CHECK_FALSE(updates[0].pitch);  // one row of blocks
}

TEST_CASE("SplitWrites: a slice of a volume is a box") {
  AreaSink sink;
  LockedArea area = Whole();
  area.box.back = 2;
  area.is_volume = true;
  area.pitch = 16;
  area.slice_pitch = 64;
  const auto updates = Record(area, Write(64, 64), sink);
  REQUIRE(updates.size() == 1);
  CHECK(updates[0].box == d3d::Box{0, 0, 4, 4, 1, 2});
  CHECK_FALSE(updates[0].pitch);
}

TEST_CASE("RecordBufferWrites: a range after the lock's offset, cut at the end of the buffer") {
  AreaSink sink;
  Recorder recorder(sink, {});
  const MemoryWrite write = Write(8, 100);
  RecordBufferWrites(recorder, 0, 1, 16, 64, 0, std::span(&write, 1));
  REQUIRE(sink.updates.size() == 1);
  CHECK(sink.updates[0].range == d3d::Range{24, 40});
  CHECK(sink.sizes[0] == 40);
}

TEST_CASE("SplitWrites: a small write into a volume of very many slices is found at once") {
  AreaSink sink;
  LockedArea area = Whole();
  area.box.back = 0xFFFFFFFF;
  area.is_volume = true;
  area.pitch = 16;
  area.slice_pitch = 64;
  const auto updates = Record(area, Write(uint64_t{64} * 4000000000, 64), sink);
  REQUIRE(updates.size() == 1);
  CHECK(updates[0].box == d3d::Box{0, 0, 4, 4, 4000000000, 4000000001});
}
