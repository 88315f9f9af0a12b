// A state block: values of a State in the order of their first recording.
// Source: lib/opcode/dp2.md 11.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/binding.h"
#include "device/state.h"
#include "device/state_value.h"

namespace dp2trace::device {

class StateBlock {
 public:
  struct Entry {
    StateKey key;
    uint32_t at = 0;  // first of its words
  };

  explicit StateBlock(uint32_t handle) : handle_(handle) {}
  // CREATE: what the kind holds, with the current values.
  StateBlock(uint32_t handle, d3d::StateBlockType type, const State& state);

  // What a block of the kind takes at least, known without making it: its lights, of which a state may have any number.
  static uint64_t LeastBytes(d3d::StateBlockType type, const State& state);

  uint32_t handle() const { return handle_; }
  // A BEGIN was refused while the block was recorded: an END too many will follow.
  void NoteRefusedBegin() { ++refused_begins_; }
  bool TakeRefusedBegin() {
    if (refused_begins_ == 0) return false;
    --refused_begins_;
    return true;
  }
  // In the order of first recording.
  const std::vector<Entry>& entries() const { return entries_; }
  uint64_t size_bytes() const;

  // Stores a value; a later one replaces it in its place.
  void Set(StateKey key, const StateWords& words);
  // A record that was to store a binding was refused: executing the block leaves the binding unclear.
  void Refuse(uint32_t binding) { refused_.set(binding); }
  const BindingSet& refused() const { return refused_; }
  // False where the key is not in the block.
  bool Get(StateKey key, StateWords& words) const;
  // Overwrites the stored values with those of the state.
  void Capture(const State& state);

 private:
  void Add(StateKey key, const State& state);
  void AddRenderStates(d3d::StateBlockType type, const State& state);
  void AddStageStates(d3d::StateBlockType type, const State& state);
  void AddGeometry(const State& state);
  void AddLights(const State& state);
  void AddVertexProgram(const State& state);
  void AddPixelProgram(const State& state);

  uint32_t handle_;
  uint32_t refused_begins_ = 0;
  BindingSet refused_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> words_;
  std::map<StateKey, uint32_t> places_;  // first word by key
};

}  // namespace dp2trace::device
