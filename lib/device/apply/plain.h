// Values that a record stores and that have no other effect: what most records of a stream come down to. Internal to this folder.
// Source: lib/opcode/dp2.md 7 and 8.
#pragma once

#include "device/context.h"
#include "device/device.h"
#include "opcode/layouts.h"
#include "stream/records.h"

namespace dp2trace::device {

// Whether values go straight into the state: no state block records them, and nobody hears of them.
inline bool StoresValues(const Context& context, const Options& options) {
  return context.recording == nullptr && options.observer == nullptr;
}
inline bool StoresRenderStates(const Context& context, const Options& options) {
  return StoresValues(context, options) && context.overridden.none();
}
inline bool StoresStageStates(const Context& context, const Options& options) {
  return StoresValues(context, options) && !context.has_legacy_modulate;
}

// Each stores the record at `at`, where that is all there is to do; false where the whole way has to be gone.
inline bool StorePlainRenderState(Context& context, const uint8_t* at, Setter setter) {
  constexpr stream::FieldRef kNumber = stream::Field(opcode::layout::kRenderState, "render_state");
  constexpr stream::FieldRef kValue = stream::Field(opcode::layout::kRenderState, "state");
  const uint32_t number = stream::FieldU32(at, kNumber);
  const uint32_t value = stream::FieldU32(at, kValue);
  const LegalStates& legal = context.legal_states;
  if (!legal.IsSurelyLegalRender(number, value) || !legal.IsPlainRender(number)) return false;
  context.state.render[number] = value;
  context.setters.render[number] = setter;
  return true;
}

// Stage 0 to 15: their slots have the same numbers.
inline bool StorePlainStageState(Context& context, const uint8_t* at, Setter setter) {
  constexpr stream::FieldRef kStage = stream::Field(opcode::layout::kTextureStageState, "stage");
  constexpr stream::FieldRef kNumber =
      stream::Field(opcode::layout::kTextureStageState, "ts_state");
  constexpr stream::FieldRef kValue = stream::Field(opcode::layout::kTextureStageState, "value");
  const uint32_t stage = stream::FieldU32(at, kStage);
  const uint32_t number = stream::FieldU32(at, kNumber);
  const uint32_t value = stream::FieldU32(at, kValue);
  const LegalStates& legal = context.legal_states;
  if (!legal.IsSurelyLegalStage(number, value) || !legal.IsPlainStage(number) ||
      !legal.HasStage(number, stage))
    return false;
  context.state.stages[stage][number] = value;
  context.setters.stages[stage][number] = setter;
  return true;
}

}  // namespace dp2trace::device
