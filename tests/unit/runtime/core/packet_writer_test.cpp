#include "runtime/core/packet_writer.h"

#include "../direct3d/device_fixture.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

template <class View>
auto Elements(const View& view) {
  std::vector<decltype(view[0])> elements;
  for (size_t i = 0; i < view.size(); ++i)
    elements.push_back(view[i]);
  return elements;
}

// Keeps the lists of render packets.
class PacketSink final : public EventSink {
 public:
  Status OnEvent(const trace::Event& event) override {
    kinds.push_back(event.index());
    if (const auto* render = std::get_if<trace::Render>(&event)) {
      commands.push_back(ToHex(render->command_buffer));
      allocations.push_back(Elements(kmt::AllocationListView(render->allocation_list)));
      patches.push_back(Elements(kmt::PatchListView(render->patch_location_list)));
      environments.push_back(*render->dp2_env);
      flags.push_back(render->flags);
      buffer_sizes.push_back(render->out->command_buffer_size);
    }
    if (const auto* bind = std::get_if<trace::Dp2Bind>(&event)) binds.push_back(*bind);
    return OkStatus();
  }
  uint32_t AllocationOf(uint32_t handle) const {
    for (const trace::Dp2Bind& bind : binds) {
      if (bind.handle == handle) return bind.allocation;
    }
    return 0;
  }
  std::vector<size_t> kinds;
  std::vector<std::string> commands;
  std::vector<std::vector<kmt::AllocationElement>> allocations;
  std::vector<std::vector<kmt::PatchElement>> patches;
  std::vector<trace::Dp2Env> environments;
  std::vector<uint32_t> flags, buffer_sizes;
  std::vector<trace::Dp2Bind> binds;
};

trace::SurfaceCreate Surface(Recorder& recorder, d3d::SurfaceKind kind) {
  trace::SurfaceCreate surface;
  surface.handle = recorder.NewHandle(0);
  surface.kind = kind;
  surface.format = kind == d3d::SurfaceKind::kDepth ? 75 : 21;
  surface.width = surface.height = 4;
  return surface;
}

struct WriterFixture {
  WriterFixture() {
    for (const auto kind :
         {d3d::SurfaceKind::kTarget, d3d::SurfaceKind::kDepth, d3d::SurfaceKind::kVertexBuffer}) {
      recorder.CreateSurface(Surface(recorder, kind));
    }
    context = recorder.CreateContext(0, 1, 2);
  }
  PacketSink sink;
  Recorder recorder{sink, {.transport = Transport::kKmt}};
  uint64_t context = 0;
};

}  // namespace

// The stream of lib/kmt/packets.md 6.9, with the lists printed there.
TEST_CASE("PacketWriter: the worked example has exactly the lists of the specification") {
  WriterFixture f;
  f.recorder.Token(f.context, Op::kSetRenderTarget, {1, 2});
  f.recorder.Token(f.context, Op::kSetStreamSource, {0, 3, 16});
  f.recorder.Token(f.context, Op::kDrawPrimitive, {4, 0, 1});
  f.recorder.Flush();
  REQUIRE(f.sink.commands.size() == 1);
  CHECK(f.sink.commands[0] ==
        "290001000100000002000000310001000000000003000000100000003400010004000000"
        "0000000001000000");
  const uint32_t target = f.sink.AllocationOf(1);
  const uint32_t depth = f.sink.AllocationOf(2);
  const uint32_t vertices = f.sink.AllocationOf(3);
  CHECK(f.sink.allocations[0] ==
        std::vector<kmt::AllocationElement>{{0, 0}, {target, 1}, {depth, 1}, {vertices, 0}});
  CHECK(f.sink.patches[0] == std::vector<kmt::PatchElement>{{1, 1, 0x029, 0, 4, 0},
                                                            {2, 5, 0x129, 0, 8, 0},
                                                            {3, 32, 0x031, 0, 20, 12}});
}

TEST_CASE("PacketWriter: a later draw lists what is still bound, without patches") {
  WriterFixture f;
  f.recorder.Token(f.context, Op::kSetStreamSource, {0, 3, 16});
  f.recorder.Flush();
  f.recorder.Token(f.context, Op::kDrawPrimitive, {4, 0, 1});
  f.recorder.Flush();
  REQUIRE(f.sink.allocations.size() == 2);
  CHECK(f.sink.allocations[0].size() == 2);
  const uint32_t target = f.sink.AllocationOf(1);
  const uint32_t depth = f.sink.AllocationOf(2);
  const uint32_t vertices = f.sink.AllocationOf(3);
  CHECK(f.sink.allocations[1] ==
        std::vector<kmt::AllocationElement>{{0, 0}, {target, 1}, {depth, 1}, {vertices, 0}});
  CHECK(f.sink.patches[1].empty());
}

TEST_CASE("PacketWriter: the list is in the order of the names, whatever draws used before") {
  WriterFixture f;
  f.recorder.Token(f.context, Op::kSetStreamSource, {0, 3, 16});
  f.recorder.Flush();
  f.recorder.Token(f.context, Op::kDrawPrimitive, {4, 0, 1});
  f.recorder.Token(f.context, Op::kSetStreamSource, {0, 3, 16});
  f.recorder.Token(f.context, Op::kSetRenderTarget, {2, 0});
  f.recorder.Flush();
  const uint32_t target = f.sink.AllocationOf(1);
  const uint32_t depth = f.sink.AllocationOf(2);
  const uint32_t vertices = f.sink.AllocationOf(3);
  CHECK(f.sink.allocations[1] ==
        std::vector<kmt::AllocationElement>{{0, 0}, {vertices, 0}, {depth, 1}, {target, 1}});
}

TEST_CASE("PacketWriter: unbinding patches the NULL element and ends the carrying") {
  WriterFixture f;
  f.recorder.Token(f.context, Op::kSetStreamSource, {0, 3, 16});
  f.recorder.Token(f.context, Op::kSetStreamSource, {0, 0, 0});
  f.recorder.Flush();
  CHECK(f.sink.patches[0][1] == kmt::PatchElement{0, 32, 0x031, 0, 24, 16});
  f.recorder.Token(f.context, Op::kDrawPrimitive, {4, 0, 1});
  f.recorder.Flush();
  CHECK(f.sink.allocations[1].size() == 3);
}

TEST_CASE("PacketWriter: a level with a handle of its own is a part of its root's allocation") {
  PacketSink sink;
  Recorder recorder(sink, {.transport = Transport::kKmt});
  trace::SurfaceCreate texture = Surface(recorder, d3d::SurfaceKind::kTexture);
  texture.levels = 2;
  texture.sub_surfaces.push_back({.handle = recorder.NewHandle(0),
                                  .face = 0,
                                  .level = 1,
                                  .caps2 = {},
                                  .width = {},
                                  .height = {},
                                  .pitch = {}});
  recorder.CreateSurface(texture);
  REQUIRE(sink.binds.size() == 2);
  CHECK(sink.binds[0].size == 64 + 16);
  CHECK(sink.binds[1].allocation == sink.binds[0].allocation);
  CHECK(sink.binds[1].base_offset == 64);
}

TEST_CASE("PacketWriter: vertices of the program's memory travel beside the packet") {
  WriterFixture f;
  const std::vector<uint8_t> vertices(32);
  f.recorder.AddVertices(f.context, 0x42, 16, vertices);
  f.recorder.Token(f.context, Op::kTriangleList, {0}, {}, uint16_t{1});
  f.recorder.Flush();
  REQUIRE(f.sink.environments.size() == 1);
  CHECK(f.sink.environments[0].flags == 1);
  CHECK(f.sink.environments[0].vertex_type == 0x42);
  CHECK(f.sink.environments[0].vertex_size == 16);
  CHECK(f.sink.environments[0].vertex_source == trace::VertexSource::kInline);
}

TEST_CASE(
    "PacketWriter: a batch that would overfill a list becomes several packets at token bounds") {
  PacketSink sink;
  Recorder recorder(sink, {.transport = Transport::kKmt, .batch_size = 1 << 20});
  recorder.CreateSurface(Surface(recorder, d3d::SurfaceKind::kTarget));
  const uint64_t context = recorder.CreateContext(0, 1, 0);
  for (int i = 0; i < 5000; ++i)
    recorder.Token(context, Op::kSetRenderTarget2, {0, 1});
  recorder.Flush();
  REQUIRE(sink.patches.size() == 2);
  CHECK(sink.patches[0].size() + sink.patches[1].size() == 5000);
  CHECK(sink.patches[0].size() <= 4096);
  CHECK(sink.patches[1][0].patch_offset == 8);
}

TEST_CASE(
    "PacketWriter: a token that no command buffer holds is preceded by a packet that asks for a larger one") {
  WriterFixture f;
  const std::vector<uint8_t> code(300000, 0);
  f.recorder.Token(f.context, Op::kCreatePixelShader, {1, 300000}, code);
  f.recorder.Token(f.context, Op::kCreatePixelShader, {2, 300000}, code);
  f.recorder.Flush();
  REQUIRE(f.sink.commands.size() == 3);
  CHECK(f.sink.commands[0] == "550001000000000001000000");  // SETRENDERTARGET2 {0, 1}
  CHECK(f.sink.flags == std::vector<uint32_t>{1, 0, 0});
  CHECK(f.sink.buffer_sizes == std::vector<uint32_t>{524288, 524288, 524288});
  CHECK(f.sink.commands[1].size() == 2 * 300012);
}

TEST_CASE("PacketWriter: a clear lists what it clears, a draw all that is bound") {
  WriterFixture f;
  const auto clear = [&](uint32_t flags) {
    f.recorder.Token(f.context, Op::kClear, {flags, 0, 0, 0, 0, 0, 4, 4});
  };
  clear(1);
  f.recorder.Flush();
  clear(6);
  f.recorder.Flush();
  CHECK(f.sink.allocations[0] ==
        std::vector<kmt::AllocationElement>{{}, {f.sink.AllocationOf(1), 1}});
  CHECK(f.sink.allocations[1] ==
        std::vector<kmt::AllocationElement>{{}, {f.sink.AllocationOf(2), 1}});
}

TEST_CASE("PacketWriter: the buffers of a flip chain are bound once, with their sizes") {
  PacketSink sink;
  Recorder recorder(sink, {.level = 7, .transport = Transport::kKmt});
  trace::SurfaceCreate front = Surface(recorder, d3d::SurfaceKind::kTarget);
  trace::SurfaceCreate back = Surface(recorder, d3d::SurfaceKind::kTarget);
  for (trace::SurfaceCreate* surface : {&front, &back}) {
    surface->format = 0;
    surface->pixel_format = d3d::PixelFormat{.flags = 0x40,
                                             .bit_count = 16,
                                             .red_mask = 0xF800,
                                             .green_mask = 0x07E0,
                                             .blue_mask = 0x001F};
  }
  front.flip_chain = {back.handle};
  recorder.CreateSurface(front);
  recorder.CreateSurface(back);
  REQUIRE(sink.binds.size() == 2);
  CHECK(sink.binds[0].size == 32);
  CHECK(sink.binds[1].handle == 2);
}

TEST_CASE("PacketWriter: a vertex that is cut short is padded as in a DP2 call") {
  WriterFixture f;
  const uint32_t first = f.recorder.AddVertices(f.context, 0, 16, std::vector<uint8_t>(20));
  f.recorder.Token(f.context, Op::kDrawPrimitive, {4, first, 1});
  f.recorder.Flush();
  CHECK(f.sink.environments[0].vertices.size() == 32);
}
