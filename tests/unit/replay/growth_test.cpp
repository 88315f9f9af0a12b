// A replay of many frames holds the memory that a replay of few frames holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "json/reader.h"
#include "replay/replayer.h"
#include "replay_run.h"
#include "rules/rule.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

class CountingSink final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo&, const image::Picture&) override {
    ++count;
    return OkStatus();
  }
  uint64_t count = 0;
};

#if defined(__has_feature)
#define DP2TRACE_HAS_FEATURE(name) __has_feature(name)  // Clang
#else
#define DP2TRACE_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    DP2TRACE_HAS_FEATURE(address_sanitizer) || DP2TRACE_HAS_FEATURE(thread_sanitizer)
constexpr bool kKeepsFreedMemory = true;  // sanitizers hold it back for a while
#else
constexpr bool kKeepsFreedMemory = false;
#endif

// Memory in pages: what the allocator holds, where it says so; otherwise what is resident, which grows a while as pages of freed blocks
// are touched for the first time. 0 where the system does not say.
uint64_t HeldPages() {
#ifdef __GLIBC__
  const struct mallinfo2 held = mallinfo2();
  return (held.arena + held.hblkhd) / 4096;
#else

  std::ifstream file("/proc/self/statm");
  uint64_t total = 0;
  uint64_t resident = 0;
  file >> total >> resident;
  return resident;
#endif
}

// A frame: a texture and a state block come and go, a triangle is drawn, the frame is shown.
std::string Frame() {
  return ClearCall("0xFF203040") +
         R"(,
{"event":"surface_create","handle":5,"format":"A8R8G8B8","width":64,"height":64,"levels":7},
{"event":"blt","kind":"color_fill","dest":5,"fill":65280},
{"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":260,"vertex_size":24,"commands":[
{"op":"STATESET","records":[{"operation":"BEGIN","param":3}]},
{"op":"RENDERSTATE","records":[{"render_state":"CULLMODE","state":"NONE"}]},
{"op":"STATESET","records":[{"operation":"END","param":3}]},
{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":5}]},
{"op":"STATESET","records":[{"operation":"DELETE","param":3}]},
{"op":"TRIANGLELIST","count":1,"v_start":0}],
"vertices":"AAAAAAAAAAAAAAA/AACAPwAAAAAAAAAAAAAAQQAAAAAAAAA/AACAPwAAgD8AAAAAAAAAAAAAAEEAAAA/AACAPwAAAAAAAIA/"},
{"event":"dp2","context":1,"commands":[{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":0}]}]},
{"event":"surface_destroy","handle":5},
{"event":"present","handle":1})";
}

// A trace of that many frames, made while it is read.
class FrameSource {
 public:
  explicit FrameSource(uint32_t frames) : rest_(frames) {}

  Result<size_t> Read(std::span<uint8_t> out) {
    if (at_ == text_.size()) Refill();
    const size_t size = std::min(out.size(), text_.size() - at_);
    std::memcpy(out.data(), text_.data() + at_, size);
    at_ += size;
    return size;
  }

 private:
  void Refill() {
    if (is_closed_) return;
    is_closed_ = rest_ == 0;
    text_ = is_closed_ ? "\n]\n" : ",\n" + frame_;
    at_ = 0;
    if (rest_ != 0) --rest_;
  }

  uint32_t rest_;
  std::string frame_ = Frame();
  std::string text_ =
      "[\n{\"event\":\"header\"},\n" + std::string(kTarget.substr(0, kTarget.size() - 1));
  size_t at_ = 0;
  bool is_closed_ = false;
};

}  // namespace

TEST_CASE("Replay: ten thousand frames need no more memory than two thousand" *
          doctest::skip(kKeepsFreedMemory)) {
  CountingSink images;
  DiagnosticList findings;
  replay::Replayer replayer({}, findings, images);
  FrameSource source(10000);
  json::Reader reader([&source](std::span<uint8_t> out) { return source.Read(out); }, {});
  trace::Event event;
  uint64_t number = 0;
  uint64_t before = 0;
  Result<bool> next = reader.Next(event);
  for (; next.ok() && *next; next = reader.Next(event)) {
    REQUIRE(replayer.OnEvent(number++, event).ok());
    // The renderer looks for textures that are no longer used every few hundred frames: the most of some of these.
    if (images.count >= 1000 && images.count < 2000) before = std::max(before, HeldPages());
  }
  if (!next.ok()) FAIL(FormatDiagnostic("trace", next.status().diagnostic()));
  const uint64_t after = HeldPages();
  CHECK(images.count == 10000);
  if (!findings.empty()) FAIL_CHECK(FormatDiagnostic("trace", findings.items()[0]));
  // One page in a hundred frames is below anything that is kept of each frame.
  CHECK(after <= before + 90);
}

// The fast renderer keeps textures in a form of its own, of 4 bytes a texel at least.
TEST_CASE("Replay: textures that come and go do not pile up" * doctest::skip(kKeepsFreedMemory)) {
  constexpr uint32_t kFrames = 500;
  std::string frame = Frame();
  const std::string small = R"("width":64,"height":64,"levels":7)";
  frame.replace(frame.find(small), small.size(), R"("width":512,"height":512,"levels":1)");
  std::string text =
      "[\n{\"event\":\"header\"},\n" + std::string(kTarget.substr(0, kTarget.size() - 1));
  for (uint32_t i = 0; i < kFrames; ++i)
    text += ",\n" + frame;
  text += "\n]\n";
  std::string_view rest = text;
  json::Reader reader([&rest](std::span<uint8_t> out) -> Result<size_t> {
    const size_t size = std::min(out.size(), rest.size());
    std::memcpy(out.data(), rest.data(), size);
    rest.remove_prefix(size);
    return size;
  });
  const uint64_t before = HeldPages();
  CountingSink images;
  DiagnosticList findings;
  replay::Replayer replayer({}, findings, images);
  trace::Event event;
  uint64_t number = 0;
  uint64_t most = before;
  for (Result<bool> next = reader.Next(event); next.ok() && *next; next = reader.Next(event)) {
    REQUIRE(replayer.OnEvent(number++, event).ok());
    most = std::max(most, HeldPages());
  }
  CHECK(images.count == kFrames);
  // 256 MiB are kept; more than 500 MiB were made.
  constexpr uint64_t kPageSize = 4096;
  CHECK((most - before) * kPageSize < uint64_t{330} << 20);
}
