#include "fast/vertex/vertex_code.h"

#include "raster/vertex/clip.h"

namespace dp2trace::fast {
namespace {

class ScreenEmitter {
 public:
  ScreenEmitter(Emitter& emitter, VertexCode& code) : emitter_(emitter), code_(code) {}

  void Map(const vertex::ViewportMapping& viewport) {
    const Vector& clip = code_.position;
    // The least w of what is not clipped.
    const Operand w = New(Op::kMax, clip[3], Literal(raster::kLeastW));
    const auto over_w = [&](Operand value) { return New(Op::kDivide, value, w); };
    code_.screen = {New(Op::kMultiplyAdd, over_w(clip[0]), Literal(viewport.half_width),
                        Literal(viewport.center_x)),
                    New(Op::kSubtract, Literal(viewport.center_y),
                        New(Op::kMultiply, over_w(clip[1]), Literal(viewport.half_height))),
                    New(Op::kMultiplyAdd, over_w(clip[2]), Literal(viewport.depth_range),
                        Literal(viewport.min_z)),
                    New(Op::kDivide, Literal(1.0F), w)};
    Keep(clip[2]);
    Keep(New(Op::kSubtract, clip[3], clip[2]));
    for (uint32_t i = 0; i < raster::kUserPlaneCount; ++i) {
      if ((code_.plane_mask >> i & 1U) != 0) Keep(code_.plane_distances[i]);
    }
    And(New(Op::kIsLessEqual, Literal(raster::kLeastW), clip[3]));
  }

  void TakeTransformed() {
    code_.screen = code_.position;
    const Operand rhw = code_.position[3];
    code_.screen[3] = New(Op::kSelect, New(Op::kIsEqual, rhw, Literal(0.0F)), Literal(1.0F), rhw);
  }

  // In the guard band.
  void KeepOnScreen() {
    for (uint32_t i = 0; i < 2; ++i)
      And(New(Op::kIsLessEqual, New(Op::kAbs, code_.screen[i]), Literal(raster::kGuardBand)));
    code_.inside = inside_;
  }

 private:
  Operand Literal(float value) { return emitter_.Literal(value); }
  Operand New(Op op, Operand a, Operand b = {}, Operand c = {}) {
    const uint32_t to = emitter_.program().AddRegister();
    emitter_.To(to, op, a, b, c);
    return Operand::Register(to);
  }
  // NaN is outside.
  void Keep(Operand distance) { And(New(Op::kIsLessEqual, Literal(0.0F), distance)); }
  void And(Operand is_inside) {
    inside_ = has_inside_ ? New(Op::kAnd, inside_, is_inside) : is_inside;
    has_inside_ = true;
  }

  Emitter& emitter_;
  VertexCode& code_;
  Operand inside_;
  bool has_inside_ = false;
};

}  // namespace

void AddScreen(Emitter& emitter, bool is_transformed, const vertex::ViewportMapping& viewport,
               VertexCode& code) {
  ScreenEmitter screen(emitter, code);
  if (is_transformed) {
    screen.TakeTransformed();
  } else {
    screen.Map(viewport);
  }
  screen.KeepOnScreen();
}

}  // namespace dp2trace::fast
