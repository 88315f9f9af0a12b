// Processes the vertices of a draw 64 at a time, with programs that are kept as long as the state stays.
// Source: lib/raster/rendering-geometry.md 2; lib/raster/rendering-shaders.md 8; raster::VertexProcessor has the same results.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/draw.h"
#include "fast/machine/kernels.h"
#include "fast/native/native_cache.h"
#include "fast/shader/shader_cache.h"
#include "fast/tile/vertex_records.h"
#include "fast/vertex/vertex_code.h"
#include "raster/vertex/processor.h"

namespace dp2trace::fast {

class VertexBlocks {
 public:
  // The caches outlive the object.
  VertexBlocks(const KernelTable& kernels, ShaderCache& shaders, NativeCache& native)
      : kernels_(&kernels), shaders_(&shaders), native_(&native) {}

  // The program of the draws of a processor, which runs the vertex shader or (null) fixed function. None for what only the processor
  // does, vertex by vertex.
  BoundVertexCode CodeOf(const raster::VertexProcessor& processor,
                         const std::shared_ptr<const shader::Program>& shader,
                         const vertex::ViewportMapping& viewport);

  // Appends the records of these vertices (base added) of an instance. `code` is that of the processor.
  void Run(const BoundVertexCode& bound, const raster::VertexProcessor& processor,
           const device::Draw& draw, const QueuedDraw& queued, std::span<const int64_t> numbers,
           uint32_t instance, VertexRecords& records);

 private:
  struct CachedCode {
    std::vector<uint32_t> key;
    std::shared_ptr<const VertexCode> code;
    uint64_t last_use = 0;
  };

  // The constants of the program with its parameters.
  const Constant* Bind(const BoundVertexCode& bound);

  const KernelTable* kernels_;
  ShaderCache* shaders_;
  NativeCache* native_;
  std::vector<CachedCode> cache_;
  uint64_t use_ = 0;
  std::vector<Block> registers_;
  BoundVertexCode bound_;  // whose constants these are
  std::vector<Constant> constants_;
};

}  // namespace dp2trace::fast
