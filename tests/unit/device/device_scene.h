// A device with one context, and tokens written by number: what the tests of this folder share.
#pragma once

#include <bit>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "device/device.h"
#include "opcode/opcode.h"
#include "rules/rule_info.h"
#include "stream/stream.h"

namespace dp2trace::device {

using Bytes8 = std::vector<uint8_t>;

// Little-endian bytes of a token.
class TokenBytes {
 public:
  TokenBytes& U8(std::initializer_list<uint32_t> values) { return Append(values, 1); }
  TokenBytes& U16(std::initializer_list<uint32_t> values) { return Append(values, 2); }
  TokenBytes& U32(std::initializer_list<uint32_t> values) { return Append(values, 4); }
  TokenBytes& F32(std::initializer_list<float> values) {
    for (const float value : values)
      U32({std::bit_cast<uint32_t>(value)});
    return *this;
  }
  TokenBytes& Op(opcode::Op op, uint32_t count) {
    U8({static_cast<uint32_t>(op), 0});
    return U16({count});
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  TokenBytes& Append(std::initializer_list<uint32_t> values, uint32_t size) {
    for (const uint32_t value : values) {
      for (uint32_t i = 0; i < size; ++i)
        bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
    return *this;
  }
  std::vector<uint8_t> bytes_;
};

inline TokenBytes Token1(opcode::Op op, std::initializer_list<uint32_t> words, uint32_t count = 1) {
  return TokenBytes().Op(op, count).U32(words);
}
inline uint32_t Bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

// One vertex of a primitive as its number (base added), and the primitives of a draw.
struct SeenDraw {
  d3d::PrimitiveType type{};
  std::vector<std::vector<int64_t>> primitives;
  std::vector<uint8_t> edges;
  Draw draw;  // views may dangle: the numbers only
  VertexLayout layout;
};

class RecordingSink final : public DrawSink {
 public:
  void OnDraw(const Draw& draw) override {
    SeenDraw seen{
        .type = draw.type, .primitives = {}, .edges = {}, .draw = draw, .layout = *draw.layout};
    const size_t corners =
        draw.type == d3d::PrimitiveType::PointList ? 1
        : draw.type == d3d::PrimitiveType::LineList || draw.type == d3d::PrimitiveType::LineStrip
            ? 2
            : 3;
    for (uint32_t i = 0; i < draw.primitive_count; ++i) {
      const Assembled assembled = Assemble(draw, i);
      std::vector<int64_t> vertices;
      for (size_t k = 0; k < corners; ++k)
        vertices.push_back(draw.base_vertex + IndexAt(draw, assembled.k[k]));
      seen.primitives.push_back(vertices);
      seen.edges.push_back(assembled.edges);
    }
    draws.push_back(seen);
  }
  void OnPatch(const PatchDraw& patch) override {
    patches.push_back(patch);
    const VertexStream& stream = patch.points.streams[0];
    patch_bytes.emplace_back(stream.bytes.begin(), stream.bytes.end());
  }
  void OnClear(const ClearDraw& clear) override { clears.push_back(clear); }

  std::vector<SeenDraw> draws;
  std::vector<PatchDraw> patches;
  std::vector<std::vector<uint8_t>> patch_bytes;  // stream 0
  std::vector<ClearDraw> clears;
};

inline constexpr uint32_t kTarget = 1, kDepthSurface = 2;
inline constexpr uint32_t kA8R8G8B8 = 21, kR5G6B5 = 23, kP8 = 41, kD24S8 = 75, kVertexData = 100;
inline constexpr uint32_t kXyzRhwDiffuse = 0x44;  // 20 bytes

// Space 0 with a 16 x 16 target (1) and depth surface (2), and a context (1) of them.
class Scene {
 public:
  explicit Scene(uint32_t level = 9, uint32_t runtime_version = 5, const Options& options = {})
      : device(options) {
    trace::Header header;
    header.driver_level = level;
    header.d3d9ex = true;
    device.OnHeader(header);
    Create({.handle = kTarget,
            .kind = d3d::SurfaceKind::kTarget,
            .format = kA8R8G8B8,
            .width = 16,
            .height = 16});
    Create({.handle = kDepthSurface,
            .kind = d3d::SurfaceKind::kDepth,
            .format = kD24S8,
            .width = 16,
            .height = 16});
    Collect(2, device.OnContextCreate({.context = 1,
                                       .target = kTarget,
                                       .depth = kDepthSurface,
                                       .runtime_version = runtime_version}));
    call.event = 10;
    call.environment.command_offset = 0x100;
  }

  // What the device noticed, as findings of the event.
  void Collect(uint64_t event, const Defects& defects) {
    for (const Defect& defect : defects)
      findings.Add(FindingOf(defect, event));
  }
  void Create(const trace::SurfaceCreate& create) { Collect(1, device.OnSurfaceCreate(create)); }
  void Texture(uint32_t handle, uint32_t format, uint32_t size, uint32_t levels = 1) {
    Create({.handle = handle,
            .caps = kCapsTexture,
            .format = format,
            .width = size,
            .height = size,
            .levels = levels});
  }
  void Buffer(uint32_t handle, const std::vector<uint8_t>& bytes) {
    Create({.handle = handle,
            .kind = d3d::SurfaceKind::kVertexBuffer,
            .format = kVertexData,
            .width = static_cast<uint32_t>(bytes.size())});
    trace::SurfaceUpdate update;
    update.handle = handle;
    update.data = bytes;
    Collect(1, device.OnSurfaceUpdate(update));
  }
  void Update(uint32_t handle, const std::vector<uint8_t>& bytes, uint32_t level = 0) {
    trace::SurfaceUpdate update;
    update.handle = handle;
    update.level = level;
    update.data = bytes;
    Collect(1, device.OnSurfaceUpdate(update));
  }
  std::vector<uint8_t> Read(uint32_t handle, uint32_t level = 0) {
    const SurfaceRef ref = device.space(0).Find(handle);
    return *ref.surface().Read(ref.face, level, ref.surface().WholeLevel(level));
  }

  Context& context() { return *device.FindContext(0, 1); }
  State& state() { return context().state; }

  // Applies every command of the bytes.
  void Run(const TokenBytes& token) {
    call.environment.vertex_size = call.vertex_size;
    call.environment.event = call.event;
    stream::Decoder decoder(token.bytes(), call.environment, &findings);
    stream::Command command;
    while (decoder.Next(command))
      Collect(call.event, device.Apply(context(), call, command, sink));
  }
  void Run(opcode::Op op, std::initializer_list<uint32_t> words, uint32_t count = 1) {
    Run(Token1(op, words, count));
  }
  // Vertices for legacy tokens, as many as `count`.
  void Vertices(uint32_t fvf, uint32_t size, uint32_t count) {
    vertices.assign(size_t{size} * count, 0);
    call.vertex_type = fvf;
    call.vertex_size = size;
    call.vertex_count = count;
    call.vertices = vertices;
    call.has_user_memory = true;
  }

  std::vector<std::string> Ids() const {
    std::vector<std::string> ids;
    for (const Diagnostic& finding : findings.items())
      ids.emplace_back(Info(finding.rule).id);
    return ids;
  }

  DiagnosticList findings;
  Device device;
  RecordingSink sink;
  Call call;
  std::vector<uint8_t> vertices;
};

using Ids = std::vector<std::string>;

}  // namespace dp2trace::device
