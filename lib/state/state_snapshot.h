// Every value that a context has when a draw begins, as text, with its default and who set it.
// Source: lib/opcode/dp2.md 5 to 11, 14, 18 and 20.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "state/state_writes.h"

namespace dp2trace::state {

enum class StateGroup : uint8_t {
  kTarget,
  kTexture,
  kRenderState,
  kTextureStage,
  kVertexProgram,
  kPixelProgram,
  kStream,
  kTransform,
  kViewport,
  kMaterial,
  kLight,
  kVertexConstant,
  kPixelConstant,
};
// "render_state", as JSON has it; "render states".
std::string_view Name(StateGroup group);
std::string_view TitleOf(StateGroup group);

struct StateEntry {
  StateGroup group{};
  std::string
      name;  // "ZENABLE", "stage 0 COLOROP", "WORLDMATRIX(0)"; differs from all others of the group
  std::string value;
  std::string default_value;
  bool is_default = false;
  StateOrigin origin;
};

struct StateSnapshot {
  uint32_t space = 0;
  uint64_t context = 0;
  uint32_t level = 9;
  uint32_t runtime_version = 5;
  std::vector<StateEntry> entries;  // by group, then in the order of the tables
  // Assembly of the shaders that are bound; empty: fixed function.
  std::string vertex_shader, pixel_shader;
};

// A surface in words: "7: A8R8G8B8 256x256, 9 levels"; "0" for none; "7: destroyed" where nothing has the handle.
std::string SurfaceText(const device::Context& context, uint32_t handle);
// One element of a vertex: "stream 0 offset 12 D3DCOLOR COLOR0".
std::string ElementText(const device::VertexElement& element);

StateSnapshot TakeSnapshot(const device::Context& context, const StateWrites& writes);

// The snapshots of one draw after the other, without the assembly: what nothing wrote since the last is not looked at.
class SnapshotSeries {
 public:
  // `writes` notes what is touched (StateWrites::SetNoting).
  void Take(const device::Context& context, StateWrites& writes);
  const StateSnapshot& snapshot() const { return snapshot_; }

  // The snapshot was made anew; `before` are the entries of the one before.
  bool is_rebuilt() const { return is_rebuilt_; }
  const std::vector<StateEntry>& before() const { return before_; }
  // Otherwise: the entries that differ, by their place, and what they were.
  struct Change {
    size_t place = 0;
    StateEntry before;
  };
  const std::vector<Change>& changes() const { return changes_; }

 private:
  void Rebuild(const device::Context& context, const StateWrites& writes);
  void Renew(const device::Context& context, const StateWrites& writes, size_t place);
  // The entries that may differ, in order.
  std::vector<size_t> PlacesOf(const device::Context& context, const StateWrites& writes,
                               const std::set<device::StateKey>& touched) const;

  StateSnapshot snapshot_;
  std::vector<StateEntry> before_;
  std::vector<std::optional<device::StateKey>> keys_;  // of the entries; targets have none
  std::map<device::StateKey, size_t> places_;
  std::vector<size_t> naming_;  // places of the entries that name objects
  uint64_t object_changes_ = 0;
  const device::State* first_ = nullptr;
  size_t lights_ = 0;
  bool is_rebuilt_ = false;
  std::vector<Change> changes_;
};

}  // namespace dp2trace::state
