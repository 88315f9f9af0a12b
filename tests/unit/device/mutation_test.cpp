// Hostile streams: random tokens with handles, rectangles and counts of any kind end without a read outside a buffer.
#include <doctest/doctest.h>

#include <random>

#include "device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file

namespace {

// Touches every byte that a draw may read.
class ReadingSink final : public DrawSink {
 public:
  void OnDraw(const Draw& draw) override {
    for (uint32_t i = 0; i < std::min(draw.primitive_count, 64U); ++i) {
      for (const uint64_t k : Assemble(draw, i).k)
        sum += IndexAt(draw, k);
    }
    Read(draw);
  }
  void OnPatch(const PatchDraw& patch) override { Read(patch.points); }
  void OnClear(const ClearDraw& clear) override { sum += clear.rects.size(); }
  uint64_t sum = 0;

 private:
  void Read(const Draw& draw) {
    for (const VertexElement& element : draw.layout->elements)
      sum += element.offset;
    for (const VertexStream& stream : draw.streams) {
      for (const uint8_t byte : stream.bytes)
        sum += byte;
    }
  }
};

// A number that is likely to mean something: small, a handle, a boundary, a float.
uint32_t LikelyNumber(std::mt19937& random) {
  constexpr uint32_t kSpecial[] = {0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0xFFFF,
                                   0x7FC00000, 0x7F800000, 0x3F800000, 0x100,
                                   256,        0x44,       0x42,       0x112};
  const auto kind = static_cast<uint32_t>(random() % 8);
  if (kind == 0) return static_cast<uint32_t>(random());
  if (kind == 1) return kSpecial[random() % std::size(kSpecial)];
  return static_cast<uint32_t>(random() % (kind < 5 ? 8 : 32));
}

TokenBytes RandomToken(std::mt19937& random) {
  const std::span<const opcode::OpInfo> ops = opcode::AllOps();
  TokenBytes token;
  token.Op(ops[random() % ops.size()].op, static_cast<uint32_t>(random() % 4));
  for (uint32_t i = 0; i < 64; ++i)
    token.U32({LikelyNumber(random)});
  return token;
}

void MakeSurfaces(Scene& scene) {
  scene.Texture(3, kA8R8G8B8, 8, 4);
  scene.Texture(4, kA8R8G8B8, 4, 3);
  scene.Texture(5, 0x31545844, 8, 4);
  scene.Texture(6, kP8, 8, 1);
  scene.Buffer(7, std::vector<uint8_t>(200, 1));
  scene.Buffer(8, std::vector<uint8_t>(60, 0));
  scene.Create({.handle = 9,
                .caps = kCapsTexture,
                .format = kA8R8G8B8,
                .width = 4,
                .height = 4,
                .levels = 3,
                .faces = 0x3B});
  scene.Create({.handle = 10,
                .caps = kCapsTexture,
                .caps2 = kCaps2Volume,
                .format = 50,
                .width = 4,
                .height = 4,
                .depth = 4,
                .levels = 3});
  scene.Create({.handle = 11, .caps = kCapsTexture, .format = 118, .width = 9, .height = 3});
  scene.Create({.handle = 12, .caps = kCapsTexture, .format = 118, .width = 9, .height = 3});
  scene.Create({.handle = 13, .caps = kCapsTexture, .format = 0x32595559, .width = 6, .height = 3});
}

}  // namespace

TEST_CASE("Device: random tokens do no harm") {
  std::mt19937 random(1);
  for (uint32_t round = 0; round < 300; ++round) {
    Scene scene(6 + round % 4, round % 6, {.surfaces = {}, .max_primitives = 1000});
    MakeSurfaces(scene);
    ReadingSink sink;
    for (uint32_t i = 0; i < 60; ++i) {
      scene.Vertices(LikelyNumber(random), static_cast<uint32_t>(random() % 40),
                     static_cast<uint32_t>(random() % 20));
      const TokenBytes token = RandomToken(random);
      scene.call.environment.vertex_size = scene.call.vertex_size;
      stream::Decoder decoder(token.bytes(), scene.call.environment, nullptr);
      stream::Command command;
      if (decoder.Next(command))
        scene.Collect(0, scene.device.Apply(scene.context(), scene.call, command, sink));
      if (random() % 16 == 0) {
        scene.Collect(
            5, scene.device.OnSurfaceDestroy({.handle = 3 + static_cast<uint32_t>(random() % 11)}));
      }
    }
    CHECK(scene.device.FindContext(0, 1) != nullptr);
  }
}

TEST_CASE("Device: random blits outside the stream do no harm") {
  std::mt19937 random(2);
  Scene scene;
  MakeSurfaces(scene);
  const auto rect = [&random]() -> std::optional<d3d::Rect> {
    if (random() % 2 == 0) return std::nullopt;
    const auto number = [&random] { return static_cast<int32_t>(LikelyNumber(random)); };
    return d3d::Rect{number(), number(), number(), number()};
  };
  for (uint32_t i = 0; i < 2000; ++i) {
    trace::Blt blt;
    blt.kind = static_cast<trace::BltKind>(random() % 3);
    blt.src = static_cast<uint32_t>(random() % 15);
    blt.dest = static_cast<uint32_t>(random() % 15);
    blt.src_level = static_cast<uint32_t>(random() % 3);
    blt.dest_face = static_cast<uint32_t>(random() % 3);
    blt.src_rect = rect();
    blt.dest_rect = rect();
    if (random() % 4 == 0) blt.src_color_key = d3d::ColorKey{0, LikelyNumber(random)};
    scene.Collect(i, scene.device.OnBlt(blt));
  }
  CHECK(scene.device.FindSpace(0) != nullptr);
}
