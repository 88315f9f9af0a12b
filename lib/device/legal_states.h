// Which values of render states and texture stage states a context takes: what the tables of d3d/ say for its driver level and runtime,
// looked up once, since these two tokens are most of a stream.
// Source: lib/opcode/dp2.md 7.2, 8.2 and 22.
#pragma once

#include <array>
#include <cstdint>

#include "d3d/states.h"

namespace dp2trace::device {

class LegalStates {
 public:
  LegalStates(uint32_t level, bool d3d9ex, uint32_t runtime_version);

  // False where the record of an illegal value is refused. Of the other types an illegal value is a warning and keeps its bits.
  // Handles are not looked at.
  bool IsLegal(const d3d::StateInfo& info, uint32_t value) const;

  // The same at once, for the small values of enumerations and for types that take any value. False: ask IsLegal().
  bool IsSurelyLegalRender(uint32_t number, uint32_t value) const {
    return number < render_.size() && render_[number].IsSurelyLegal(value);
  }
  bool IsSurelyLegalStage(uint32_t number, uint32_t value) const {
    return number < stage_.size() && stage_[number].IsSurelyLegal(value);
  }
  // True where setting the state does nothing but store the value: no handle is looked up, no other state follows.
  bool IsPlainRender(uint32_t number) const { return render_[number].is_plain; }
  bool IsPlainStage(uint32_t number) const { return stage_[number].is_plain; }
  // The first stage that is certain to exist for no state: below it only the class of the state counts.
  bool HasStage(uint32_t number, uint32_t stage) const { return stage < stage_[number].stages; }

 private:
  struct Row {
    uint32_t values = 0;  // bit v: the value v is legal
    bool takes_any = false;
    bool is_plain = false;
    uint8_t stages = 0;  // stages 0 to stages - 1 have the state
    bool IsSurelyLegal(uint32_t value) const {
      return takes_any || (value < 32 && ((values >> value) & 1) != 0);
    }
  };
  Row MakeRow(const d3d::StateInfo& info) const;

  uint32_t level_;
  bool d3d9ex_;
  uint32_t runtime_version_;
  std::array<Row, d3d::kRenderStateCount> render_ = {};
  std::array<Row, d3d::kTextureStageStateCount> stage_ = {};
};

}  // namespace dp2trace::device
