// A vertex shader that the runtime runs itself (ProcessVertices): the machine of the reference renderer on the state of a device.
// Source: Direct3D 8 and 9 API reference facts (ProcessVertices); rendering specification, 8.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "runtime/core/vertex_reader.h"
#include "runtime/direct3d/state_table.h"
#include "vertex/viewport.h"

namespace dp2trace::runtime {

// What a shader made of a vertex; outputs that it does not write are empty.
struct ShadedVertex {
  Float4 position = {};  // in clip space
  std::optional<Float4> diffuse, specular;
  std::optional<float> fog, point_size;
  std::array<std::optional<Float4>, d3d::kMaxTextureSets> coordinates;
  uint64_t steps = 0;  // instructions that were executed
};

class VertexProgram {
 public:
  static constexpr uint32_t kStreamCount = 16;
  using Streams = std::array<VertexReader::Stream, kStreamCount>;

  // The bytes of the streams outlive the object. None where the shader or the layout of its input cannot be read.
  // Unspecified: what a shader of model 3 samples here; chosen: no texture.
  static std::optional<VertexProgram> Make(const StateTable& state, uint32_t level,
                                           const Streams& streams);
  VertexProgram(VertexProgram&& other) noexcept;
  ~VertexProgram();

  // Reads behind the end of a stream give 0.
  ShadedVertex Run(uint64_t index) const;

 private:
  struct Machine;
  explicit VertexProgram(std::unique_ptr<Machine> machine);
  std::unique_ptr<Machine> machine_;
};

// Writes what there is of the vertex, and what the layout has a place for. Position in screen coordinates; colours are bytes, the fog factor
// the alpha of the specular one.
void StoreShaded(const ShadedVertex& vertex, const vertex::ViewportMapping& mapping,
                 const d3d::FvfLayout& layout, uint8_t* out);

// The shader with code that draws of this state run, or null.
const Shader* FindVertexShader(const StateTable& state);

}  // namespace dp2trace::runtime
