#include "fast/pixel/fog_compiler.h"

#include "d3d/enums.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::fast {
namespace {

using d3d::FogMode;
using raster::FogPlan;
using raster::FogSource;

class FogCompiler {
 public:
  FogCompiler(const FogPlan& fog, PixelCode& code) : fog_(fog), code_(code) {}

  void Compile() {
    const Operand factor = Factor(Input());
    for (size_t i = 0; i < 3; ++i) {
      code_.colors[0][i] = Emit(Op::kBlend, code_.colors[0][i], Constant(fog_.color[i]), factor);
    }
  }

 private:
  Operand Constant(float value) { return code_.program.AddConstant(value); }
  Operand Emit(Op op, Operand a, Operand b = {}, Operand c = {}) {
    const uint32_t to = code_.program.AddRegister();
    code_.program.Add(op, to, a, b, c);
    return Operand::Register(to);
  }

  // FogValue.
  Operand Input() {
    const uint32_t to = code_.program.AddRegister();
    code_.inputs.push_back({.slot = raster::kVaryingCount,
                            .component = static_cast<uint8_t>(fog_.source == FogSource::kW ? 1 : 0),
                            .to = static_cast<uint16_t>(to)});
    const Operand value = Operand::Register(to);
    return fog_.depth_bias != 0 ? Emit(Op::kAdd, value, Constant(fog_.depth_bias)) : value;
  }

  Operand Factor(Operand value) {
    if (fog_.source == FogSource::kFactor) return Emit(Op::kSaturate, value);
    switch (static_cast<FogMode>(fog_.table.mode)) {
      case FogMode::Exp:
        return Decay(Emit(Op::kMultiply, Constant(fog_.table.density), value));
      case FogMode::Exp2: {
        const Operand scaled = Emit(Op::kMultiply, Constant(fog_.table.density), value);
        return Decay(Emit(Op::kMultiply, scaled, scaled));
      }
      case FogMode::Linear:
        return Linear(value);
      case FogMode::None:
        break;
    }
    return Constant(1.0F);
  }
  Operand Decay(Operand exponent) { return Emit(Op::kSaturate, Emit(Op::kExpMinus, exponent)); }
  Operand Linear(Operand distance) {
    if (fog_.table.start == fog_.table.end) {
      return Emit(Op::kAnd, Emit(Op::kIsLess, distance, Constant(fog_.table.start)),
                  Constant(1.0F));
    }
    const Operand left = Emit(Op::kSubtract, Constant(fog_.table.end), distance);
    return Emit(Op::kSaturate,
                Emit(Op::kDivide, left, Constant(fog_.table.end - fog_.table.start)));
  }

  const FogPlan& fog_;
  PixelCode& code_;
};

}  // namespace

void CompileFog(const FogPlan& fog, PixelCode& code) {
  if (fog.source != FogSource::kNone) FogCompiler(fog, code).Compile();
  if (!code.limits_colors) return;
  for (Operand& channel : code.colors[0]) {
    const uint32_t to = code.program.AddRegister();
    code.program.Add(Op::kSaturate, to, channel);
    channel = Operand::Register(to);
  }
}

void FinishCode(const FogPlan& fog, NativeCache& native, PixelCode& code) {
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    if ((code.written_targets >> slot & 1U) != 0) continue;
    code.colors[slot].fill(code.program.AddConstant(0.0F));
  }
  CompileFog(fog, code);
  std::vector<Operand> results;
  for (const std::array<Operand, 4>& color : code.colors)
    results.insert(results.end(), color.begin(), color.end());
  if (code.depth) results.push_back(*code.depth);
  native.AddTo(code.program, results);
}

}  // namespace dp2trace::fast
