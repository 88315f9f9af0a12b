// What a verb hears of a trace that plays: each may be left out. Where it happens, the player's position says.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "device/draw.h"
#include "device/state_observer.h"
#include "play/runner.h"
#include "trace/events.h"

namespace dp2trace::play {

class Player;

// How much of a trace a listener needs to be there; each holds the ones before.
enum class Detail : uint8_t {
  kStates,    // handles, states and objects: surfaces have no pixels
  kContents,  // surfaces hold what updates and blits write
  kPictures,  // and what is drawn
};

class Listener : public Observer {
 public:
  virtual Detail detail() const { return Detail::kStates; }
  // Hears each value that a token sets; null: nobody does.
  virtual device::StateObserver* state_observer() { return nullptr; }
  // No event that follows matters.
  virtual bool is_done() const { return false; }

  // The player is there, in front of the first event.
  virtual void OnStart() {}
  // In front of and after what the event does. A failed status ends the event.
  virtual Status BeforeEvent(const trace::Event&) { return OkStatus(); }
  virtual Status AfterEvent(const trace::Event&) { return OkStatus(); }
  // What a token draws. False: the renderer shall not draw it, since the listener has, or nobody looks at it.
  virtual bool OnDraw(const device::Draw&) { return true; }
  virtual bool OnPatch(const device::PatchDraw&) { return true; }
  virtual bool OnClear(const device::ClearDraw&) { return true; }

 protected:
  // The one that it listens to, which outlives all calls.
  Player& player() const { return *player_; }

 private:
  friend class Player;
  Player* player_ = nullptr;
};

}  // namespace dp2trace::play
