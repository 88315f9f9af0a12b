// What the draws and tokens of a trace ask for, counted while it is played.
// Source: lib/design.md 3 ("Numbers").
#pragma once

#include <cstdint>
#include <utility>

#include "device/state_observer.h"
#include "play/listener.h"

namespace dp2trace::info {

struct Tally {
  uint64_t vertices = 0;          // that primitives use, of all instances
  uint64_t primitives = 0;        // of all instances; a patch is one
  uint64_t states_set = 0;        // values that tokens wrote, out of state blocks, too
  uint64_t states_redundant = 0;  // of these: with the value that they had
  uint64_t reads = 0;             // of pictures, by the CPU
};

class TallyCounter final : public play::Listener, private device::StateObserver {
 public:
  // Since the last call.
  Tally Take() { return std::exchange(tally_, {}); }
  const Tally& tally() const { return tally_; }

 private:
  play::Detail detail() const override { return play::Detail::kContents; }
  device::StateObserver* state_observer() override { return this; }
  bool OnDraw(const device::Draw& draw) override;
  bool OnPatch(const device::PatchDraw& patch) override;
  Status OnRead(const trace::SurfaceRead& read) override;
  void OnContext(const device::Context& context) override;
  void OnSet(const device::Context& context, const stream::Command& command, device::StateKey key,
             const device::StateWords& words, const device::StateBlock* block) override;

  Tally tally_;
};

}  // namespace dp2trace::info
