// A vertex shader that the runtime runs itself (ProcessVertices): the machine of the reference renderer on the state of a device.
// Source: Microsoft's Direct3D 8 and 9 API reference (ProcessVertices); lib/raster/rendering-shaders.md 8.
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

// The vertices that a shader writes: what is where in them.
struct OutputLayout {
  struct Element {
    uint32_t offset = 0;                         // bytes
    d3d::DeclType type = d3d::DeclType::Float4;  // floats or D3DCOLOR
    d3d::DeclUsage usage = d3d::DeclUsage::PositionT;
    uint32_t usage_index = 0;
  };
  std::vector<Element> elements;
  uint32_t vertex_size = 0;  // bytes
  bool is_declared = false;  // by a declaration; else of a flexible vertex format

  static OutputLayout OfFvf(uint32_t fvf);
  // `declaration`: elements of level 9, 8 bytes each, without the end marker. Source: API reference (IDirect3DDevice9::ProcessVertices).
  // Unspecified: a position that is not four floats, element types beyond floats and colours, streams beyond the first; chosen: None.
  static std::optional<OutputLayout> OfDeclaration(Bytes declaration);
};

// What a shader made of a vertex.
struct ShadedVertex {
  Float4 position = {};  // in clip space
  // By elements of the layout. Empty: the shader does not write it, or it is the position.
  std::vector<std::optional<Float4>> values;
  uint64_t steps = 0;  // instructions that were executed
};

class VertexProgram {
 public:
  static constexpr uint32_t kStreamCount = 16;
  using Streams = std::array<VertexReader::Stream, kStreamCount>;

  // The bytes of the streams outlive the object. None where the shader or the layout of its input cannot be read.
  // Unspecified: what a shader of model 3 samples here; chosen: no texture.
  static std::optional<VertexProgram> Make(const StateTable& state, uint32_t level,
                                           const Streams& streams, OutputLayout output);
  VertexProgram(VertexProgram&& other) noexcept;
  ~VertexProgram();

  // Reads past the end of a stream give 0.
  ShadedVertex Run(uint64_t index) const;

 private:
  struct Machine;
  explicit VertexProgram(std::unique_ptr<Machine> machine);
  std::unique_ptr<Machine> machine_;
};

// Writes what there is of the vertex, the position in screen coordinates. `out`: layout.vertex_size bytes.
void StoreShaded(const ShadedVertex& vertex, const vertex::ViewportMapping& mapping,
                 const OutputLayout& layout, uint8_t* out);

// The shader with code that draws of this state run, or null.
const Shader* FindVertexShader(const StateTable& state);
// Its outputs have the meanings that it declares: model 3.
bool DeclaresOutputs(const Shader& shader);

}  // namespace dp2trace::runtime
