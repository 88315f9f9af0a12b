// Objects of Direct3D 2 to 6 that a program makes beside devices: materials, lights, viewports and execute buffers.
// Source: Microsoft's DirectX 6 API reference.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/core/recorder.h"
#include "runtime/ddraw/legacy_types.h"
#include "runtime/ddraw/surface.h"
#include "vertex/math.h"

namespace dp2trace::runtime::ddraw {

class LegacyDevice;

struct LegacyMaterial {
  d3d::Material material{.diffuse = {0, 0, 0, 0}};
};

struct LegacyLight {
  d3d::Light light;
  bool is_set = false;  // SetLight was called
};

// IDirect3DViewport*. A clear goes to its area, with its background.
struct LegacyViewport {
  LegacyDevice* device = nullptr;  // AddViewport; null: none
  ViewportArea area;
  uint32_t background = 0;  // handle of a material
  std::weak_ptr<Surface> background_depth;
  std::vector<std::shared_ptr<LegacyLight>> lights;
};

// A vertex that PROCESSVERTICES made: a D3DTLVERTEX, and where it lies in clip space.
struct ProcessedVertex {
  vertex::Float4 clip = {};
  bool has_clip = false;  // false: copied, in screen coordinates from the start
  std::array<uint8_t, kLegacyVertexSize> bytes = {};
};

// IDirect3DExecuteBuffer: vertices and instructions in memory of the program.
struct ExecuteBuffer {
  MemoryShare share, processed_share;
  std::vector<uint8_t> bytes;
  ExecuteData data;
  std::vector<ProcessedVertex> processed;
};

}  // namespace dp2trace::runtime::ddraw
