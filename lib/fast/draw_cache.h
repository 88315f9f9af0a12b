// What was made for the draws of late: vertex processors and plans. A draw whose state has the contents of an earlier one, bit for bit,
// uses what was made for that one. Source: lib/design.md 6.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/context.h"
#include "device/draw.h"
#include "fast/tile/draw_queue.h"
#include "fast/vertex/vertex_code.h"
#include "raster/draw_plan.h"
#include "raster/vertex/processor.h"

namespace dp2trace::fast {

// How the vertices of draws are processed.
struct VertexSide {
  raster::ShaderPair shaders;  // the processor needs them
  std::unique_ptr<raster::VertexProcessor> processor;
  bool wraps = false;   // any coordinate (WRAPn)
  uint32_t planes = 0;  // bits of the user clip planes in force
  uint64_t use_count = 0;
  // The program of blocks, made when it is worth it; none for what goes vertex by vertex.
  bool has_code = false;
  BoundVertexCode bound;
};

// Keys hold all of the state that the makers may read, and the kind of primitives, so a change needs no notice.
class DrawCache {
 public:
  // For the draw that comes next. `surfaces` are those of the context.
  void Start(const device::Context& context, const raster::BoundSurfaces& surfaces);

  // Null where it has to be made.
  std::shared_ptr<VertexSide> FindVertices(const device::Context& context, const device::Draw& draw,
                                           const raster::ShaderPair& shaders);
  // For the key of the last FindVertices().
  void AddVertices(const std::shared_ptr<VertexSide>& vertices);

  // `outputs` are those of the vertices. The queue's targets are about to change: what samples them is not found.
  std::shared_ptr<const QueuedDraw> FindDraw(const device::Context& context,
                                             const device::Draw& draw,
                                             const raster::ShaderPair& shaders,
                                             const raster::VertexOutputs& outputs,
                                             const raster::BoundSurfaces& targets);
  // For the key of the last FindDraw(). Its texels are its own.
  void AddDraw(const std::shared_ptr<const QueuedDraw>& draw);

  // A round of drawing is over: forgets what is old.
  void EndRound();
  void Clear();

 private:
  using Words = std::vector<uint32_t>;
  // Entries hold textures: those of old rounds may be many versions of one that changes.
  static constexpr size_t kRoundsKept = 4;
  static constexpr size_t kStageWords = d3d::kPixelSamplerCount * d3d::kTextureStageStateCount;

  // Render states, stages and surfaces: most of what draws have in common.
  struct States {
    uint64_t number = 0;  // no two have the same
    uint64_t last_use = 0;
    const device::Context* context = nullptr;
    uint32_t runtime_version = 0;
    bool has_pixel_shader = false;  // a handle, whatever it names
    std::array<uint32_t, d3d::kRenderStateCount> render = {};
    std::array<uint32_t, kStageWords> stages = {};
    raster::BoundSurfaces surfaces;
    std::array<uint64_t, device::kTargetCount + 1> surface_ids = {};
  };
  template <class Value>
  struct Entry {
    Words key;
    std::shared_ptr<Value> value;
    uint64_t last_use = 0;
  };
  template <class Value>
  class Table {
   public:
    // Null where it is not there.
    std::shared_ptr<Value> Find(const Words& key, uint64_t use);
    // For the key of the last Find().
    void Add(const Words& key, std::shared_ptr<Value> value, uint64_t use);
    // Entries that have not been used since.
    void Forget(uint64_t since);
    void Clear();

   private:
    std::vector<Entry<Value>> entries_;
    std::vector<uint64_t> hashes_;  // of their keys
    uint64_t hash_ = 0;             // of the last key
    size_t last_ = 0;               // the entry that was used last
  };

  static bool IsSame(const States& states, const device::Context& context,
                     const raster::BoundSurfaces& surfaces);
  void AddStates(const device::Context& context, const raster::BoundSurfaces& surfaces,
                 uint64_t hash);

  std::vector<std::unique_ptr<States>> states_;
  std::vector<uint64_t> state_hashes_;
  const States* current_ = nullptr;
  uint64_t states_count_ = 0;  // that were made
  uint64_t use_ = 0;
  std::array<uint64_t, kRoundsKept> round_starts_ = {};  // of the last rounds, oldest first
  bool keeps_vertices_ = false, keeps_draw_ = false;
  Words vertex_key_, draw_key_;
  Table<VertexSide> vertices_;
  Table<const QueuedDraw> draws_;
};

}  // namespace dp2trace::fast
