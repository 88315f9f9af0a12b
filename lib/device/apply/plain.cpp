// Runs of tokens that do nothing but store values. Source: DP2 specification, 7 to 9.
#include "device/apply/plain.h"

#include <array>
#include <cstring>

#include "d3d/enums.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using opcode::Op;

constexpr uint16_t kNoTransform = UINT16_MAX;

// d3d::CanonicalTransform() of the numbers below kTransformSlotCount; kNoTransform for those that are not defined.
const std::array<uint16_t, d3d::kTransformSlotCount>& CanonicalTransforms() {
  static const std::array<uint16_t, d3d::kTransformSlotCount> kTable = [] {
    std::array<uint16_t, d3d::kTransformSlotCount> table = {};
    for (uint32_t number = 0; number < table.size(); ++number)
      table[number] = static_cast<uint16_t>(d3d::CanonicalTransform(number).value_or(kNoTransform));
    return table;
  }();
  return kTable;
}

// A matrix of its own, bit 31 of whose number asks for nothing.
bool StorePlainTransform(Context& context, const uint8_t* at, PlainRun& run) {
  constexpr stream::FieldRef kGivenNumber = stream::Field(layout::kSetTransform, "transform");
  constexpr stream::FieldRef kGivenMatrix = stream::Field(layout::kSetTransform, "matrix");
  static_assert(kGivenMatrix.size() == sizeof(Matrix));
  const uint32_t number = stream::FieldU32(at, kGivenNumber);
  if (number >= d3d::kTransformSlotCount) return false;
  const uint16_t canonical = CanonicalTransforms()[number];
  if (canonical == kNoTransform) return false;
  std::memcpy(context.state.transforms[canonical].data(), at + kGivenMatrix.offset, sizeof(Matrix));
  run.transforms.set(canonical);
  run.sets_transforms = true;
  return true;
}

// Takes tokens from the front of a stream.
class PlainReader {
 public:
  PlainReader(Context& context, const Options& options, bool is_d3d9ex, bool with_render_states)
      : context_(&context) {
    const auto takes = [&](Op op) {
      return !FindLevelDefect(opcode::Info(op), context.level, is_d3d9ex);
    };
    takes_render_states_ = with_render_states && StoresRenderStates(context, options);
    takes_stage_states_ = StoresStageStates(context, options) && takes(Op::kTextureStageState);
    takes_transforms_ = StoresValues(context, options) && takes(Op::kSetTransform);
  }

  PlainRun Read(Bytes stream) {
    const uint8_t* at = stream.data();
    size_t left = stream.size();
    while (left >= opcode::kCommandHeaderSize) {
      const size_t size = Take(at, left);
      if (size == 0) break;
      at += size;
      left -= size;
      ++run_.tokens;
    }
    run_.size = stream.size() - left;
    return run_;
  }

 private:
  // The size of the token at the front; 0 where the run ends there.
  size_t Take(const uint8_t* at, size_t left) {
    switch (static_cast<Op>(*at)) {
      case Op::kRenderState:
        if (!takes_render_states_) return 0;
        return StoreAll<layout::kRenderState.size>(at, left, [this](const uint8_t* record) {
          return StorePlainRenderState(*context_, record);
        });
      case Op::kTextureStageState:
        if (!takes_stage_states_) return 0;
        return StoreAll<layout::kTextureStageState.size>(at, left, [this](const uint8_t* record) {
          return StorePlainStageState(*context_, record);
        });
      case Op::kSetTransform:
        if (!takes_transforms_) return 0;
        return StoreAll<layout::kSetTransform.size>(at, left, [this](const uint8_t* record) {
          return StorePlainTransform(*context_, record, run_);
        });
      default:
        return 0;
    }
  }

  // The records before one that is not plain are stored all the same: who applies the whole token stores them again.
  template <uint32_t kRecordSize, class Store>
  static size_t StoreAll(const uint8_t* at, size_t left, const Store& store) {
    const size_t size = opcode::kCommandHeaderSize + size_t{kRecordSize} * LoadU16(at + 2);
    if (size > left) return 0;
    const uint8_t* const end = at + size;
    for (at += opcode::kCommandHeaderSize; at != end; at += kRecordSize) {
      if (!store(at)) return 0;
    }
    return size;
  }

  Context* context_;
  bool takes_render_states_;
  bool takes_stage_states_;
  bool takes_transforms_;
  PlainRun run_;
};

}  // namespace

PlainRun Device::ApplyPlain(Context& context, Bytes stream, bool with_render_states) {
  return PlainReader(context, options_, header_.d3d9ex, with_render_states).Read(stream);
}

}  // namespace dp2trace::device
