#include "info/tally.h"

#include <algorithm>

#include "device/device.h"
#include "device/draw.h"
#include "device/place.h"
#include "device/state_value.h"

namespace dp2trace::info {

bool TallyCounter::OnDraw(const device::Draw& draw) {
  tally_.vertices += device::VertexCount(draw.type, draw.primitive_count) * draw.instance_count;
  tally_.primitives += uint64_t{draw.primitive_count} * draw.instance_count;
  return true;
}

bool TallyCounter::OnPatch(const device::PatchDraw& /*patch*/) {
  ++tally_.primitives;
  return true;
}

Status TallyCounter::OnRead(const trace::SurfaceRead& read) {
  if (device::FindPicture(player().device(), read)) ++tally_.reads;
  return OkStatus();
}

void TallyCounter::OnContext(const device::Context& /*context*/) {}

void TallyCounter::OnSet(const device::Context& context, const stream::Command& /*command*/,
                         device::StateKey key, const device::StateWords& words,
                         const device::StateBlock* /*block*/) {
  ++tally_.states_set;
  device::StateWords before = {};
  device::ReadState(context.state, key, before);
  const uint32_t count = device::WordCount(key.kind);
  if (std::equal(before.begin(), before.begin() + count, words.begin())) ++tally_.states_redundant;
}

}  // namespace dp2trace::info
