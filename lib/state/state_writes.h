// Who set the values of a state: the token after each value, kept beside the device while a trace runs.
// Source: lib/opcode/dp2.md 7 to 11, 14, 18 and 20.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "device/device.h"
#include "device/state_observer.h"
#include "play/player.h"

namespace dp2trace::state {

// A token, or the event that made a context.
struct TokenPlace {
  uint64_t event = 0;
  // Of the token, from the start of the command buffer; none: the event as a whole.
  std::optional<uint64_t> offset = {};
  std::string_view name = {};  // of the operation or event
  bool operator==(const TokenPlace&) const = default;
};

struct StateWrite {
  TokenPlace place;
  std::optional<uint32_t> block = {};       // the state block that `place` executed
  std::optional<TokenPlace> recorded = {};  // where that block was begun, created or captured
  bool operator==(const StateWrite&) const = default;
};

// Nothing where no token ever did it: the value is the default.
struct StateOrigin {
  std::optional<StateWrite> set;      // the last that wrote the value
  std::optional<StateWrite> changed;  // the last that gave it another value
};

// Stands in front of the listeners that ask it. A copy knows the same.
class StateWrites final : public play::Listener, private device::StateObserver {
 public:
  // The value of a key; the handle of a vertex shader of level 8 is found as kVertexDeclaration and kVertexFunction.
  StateOrigin Find(const device::Context& context, device::StateKey key) const;
  // Render target `slot`; kTargetCount: the depth surface.
  StateOrigin FindTarget(const device::Context& context, uint32_t slot) const;
  // Grows where surfaces, shaders, palettes and the like that values name may have changed, in any context.
  uint64_t object_changes() const { return object_changes_; }
  // From here on the keys that are written are noted.
  void SetNoting() { is_noting_ = true; }
  // Those of the context since the last call; nothing where they are not known, all may have been.
  std::optional<std::set<device::StateKey>> TakeTouched(const device::Context& context);
  // What the context began with; null for one that nobody saw begin.
  const device::State* FirstState(const device::Context& context) const;

 private:
  using TargetSlots = std::array<uint32_t, device::kTargetCount + 1>;  // depth last
  struct Record {
    std::shared_ptr<const device::State> first_state;
    std::map<device::StateKey, StateOrigin> origins;
    std::array<StateOrigin, device::kTargetCount + 1> targets;
    std::map<uint32_t, TokenPlace> blocks;  // by handle
    std::set<device::StateKey> touched;
    bool is_known = false;  // what was touched has been asked for since the context began
    // Before the current token.
    TargetSlots handles = {}, versions = {};
  };
  bool is_done() const override { return true; }
  device::StateObserver* state_observer() override { return this; }
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;
  void BeforeApply(const device::Context& context, const stream::Command& command) override;
  Status OnApplied(device::Context& context, const stream::Command& command) override;
  void OnContext(const device::Context& context) override;
  void OnSet(const device::Context& context, const stream::Command& command, device::StateKey key,
             const device::StateWords& words, const device::StateBlock* block) override;

  static TargetSlots HandlesOf(const device::Context& context);
  static TargetSlots VersionsOf(const device::Context& context);
  const Record* FindRecord(const device::Context& context) const;
  TokenPlace PlaceOf(const stream::Command& command) const;
  void NoteBlocks(const stream::Command& command, Record& record) const;

  bool is_noting_ = false;
  uint64_t event_ = 0;
  std::string_view event_name_;
  uint64_t object_changes_ = 0;
  std::map<std::pair<uint32_t, uint64_t>, Record> records_;  // by space and id
};

}  // namespace dp2trace::state
