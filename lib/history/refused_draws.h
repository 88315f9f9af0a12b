// Draws of a frame that an error stopped, or that have nothing to draw: they explain what is missing from a picture.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "play/player.h"

namespace dp2trace::history {

// A draw that was not executed, and the finding that says why: its own, or, where no token of its call or packet was executed, the first one there.
struct RefusedDraw {
  uint64_t draw = 0;
  uint64_t event = 0;
  uint64_t offset = 0;  // of the token, from the start of the command buffer
  std::string rule;     // its id
  std::string message;
};

// The error that kept the device from executing a draw: its own or, of an event that is refused as a whole, the first one there. Null: none.
const Diagnostic* FindRefusal(std::span<const Diagnostic> findings, uint64_t event, uint64_t draw,
                              bool is_whole);

// Which tokens are executed, and what the current one does. Hears what a listener of the player hears, under the same names.
class ExecutedTokens {
 public:
  void BeforeApply(const play::Position& position) {
    is_drawn_ = false;
    event_ = position.event;
  }
  // The token draws: OnDraw, OnPatch, OnClear.
  void OnDrawn() { is_drawn_ = true; }
  // The current token has drawn.
  bool is_drawn() const { return is_drawn_; }
  // A token of the current event was executed: it is not refused as a whole.
  bool HasAnyOf(uint64_t event) const { return event_ == event; }

 private:
  bool is_drawn_ = false;
  uint64_t event_ = 0;  // of the last one; 0 is the header
};

// Hears the same.
class RefusedDraws {
 public:
  void BeforeApply(const play::Position& position) { tokens_.BeforeApply(position); }
  void OnDrawn() { tokens_.OnDrawn(); }
  void OnApplied(const play::Position& position);
  void AfterEvent(play::Player& player);
  // So far; at most 1024, in the order of the trace.
  const std::vector<RefusedDraw>& draws() const { return draws_; }
  std::vector<RefusedDraw> Take() { return std::move(draws_); }

 private:
  void Add(uint64_t draw, uint64_t event, uint64_t offset);

  ExecutedTokens tokens_;
  std::vector<RefusedDraw> undrawn_;  // of the current event, without their errors
  std::vector<RefusedDraw> draws_;
};

// Those of the current frame, beside a player. A picture of the frame may come after its present.
class RefusedOfFrame : public play::Listener {
 public:
  const std::vector<RefusedDraw>& refused() const { return refused_.draws(); }
  // "; draw 3 was not drawn (DP2-FVF-001): MESSAGE (and 2 more draws of the frame)"; empty where there are none.
  std::string RefusedClause() const;

 protected:
  Status BeforeEvent(const trace::Event& event) override;
  Status AfterEvent(const trace::Event& event) override;

 private:
  void BeforeApply(const device::Context&, const stream::Command&) override {
    refused_.BeforeApply(player().position());
  }
  Status OnApplied(device::Context&, const stream::Command&) override {
    refused_.OnApplied(player().position());
    return OkStatus();
  }
  bool OnDraw(const device::Draw&) override { return OnDrawn(); }
  bool OnPatch(const device::PatchDraw&) override { return OnDrawn(); }
  bool OnClear(const device::ClearDraw&) override { return OnDrawn(); }
  bool OnDrawn() {
    refused_.OnDrawn();
    return true;
  }

  RefusedDraws refused_;
  uint64_t frame_ = 0;  // its number
};

// "draw 468 was not drawn: MESSAGE [DP2-FVF-001]": one line for each of the first.
std::string RefusedText(const std::vector<RefusedDraw>& draws);
// An array of objects with the members of a RefusedDraw.
std::string RefusedJson(const std::vector<RefusedDraw>& draws);

}  // namespace dp2trace::history
