#include "validate/dp2/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/flag_text.h"
#include "device/state_block.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/draw_format.h"
#include "validate/dp2/topics.h"
#include "validate/dp2/viewport.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::TransformState;
using device::Matrix;
using stream::Record;

constexpr stream::FieldRef kTransform = stream::Field(layout::kSetTransform, "transform");
constexpr stream::FieldRef kMatrix = stream::Field(layout::kSetTransform, "matrix");
static_assert(stream::Field(layout::kMultiplyTransform, "matrix").offset == kMatrix.offset);

// Elements of a matrix in the documents' names.
constexpr size_t k34 = 11, k44 = 15;

Matrix MatrixOf(const Record& record) {
  Matrix matrix;
  for (uint32_t i = 0; i < matrix.size(); ++i)
    matrix[i] = record.F32(kMatrix, i);
  return matrix;
}

// The first element that is a NaN or an infinity.
std::optional<uint32_t> FindInfinite(const Matrix& matrix) {
  const auto bad =  // NOLINT(*-qualified-auto): no pointer everywhere
      std::ranges::find_if(matrix, [](float value) { return !std::isfinite(value); });
  if (bad == matrix.end()) return std::nullopt;
  return static_cast<uint32_t>(bad - matrix.begin());
}

// DP2-XFORM-002.
void CheckNumber(const CommandView& view, const Record& record, uint32_t number) {
  const bool is_modern = view.runtime_version() >= d3d::kFirstModernRuntime;
  const bool is_old_world = number == d3d::Value(TransformState::World) ||
                            (number >= d3d::Value(TransformState::World1) &&
                             number <= d3d::Value(TransformState::World3));
  const bool is_new_world = number >= d3d::Value(TransformState::WorldMatrix0);
  if (is_modern ? !is_old_world : !is_new_world) return;
  view.Report(Rule::kDp2Xform002, record, kTransform,
              fmt::format("transform {} belongs to {} interfaces, the runtime has version {}",
                          ValueText(d3d::kTransformStateNames, number),
                          is_modern ? "older" : "newer", view.runtime_version()),
              ValueText(d3d::kTransformStateNames, number),
              ValueRangesText(d3d::kTransformStateNames, [is_modern](uint32_t row) {
                return is_modern ? row >= d3d::Value(TransformState::WorldMatrix0)
                                 : row == d3d::Value(TransformState::World) ||
                                       (row >= d3d::Value(TransformState::World1) &&
                                        row <= d3d::Value(TransformState::World3));
              }));
}

// DP2-XFORM-007. Blending without indices reaches one matrix for each weight.
void CheckWorldIndex(const CommandView& view, const Record& record, uint32_t canonical) {
  const std::optional<uint32_t> last = view.caps.Find(d3d::Cap::MaxVertexBlendMatrixIndex);
  if (!last || canonical < d3d::Value(TransformState::WorldMatrix0)) return;
  const uint32_t matrices =
      std::max(view.caps.Find(d3d::Cap::MaxVertexBlendMatrices).value_or(1), 1U);
  const uint32_t limit = std::max(*last, matrices - 1);
  const uint32_t index = canonical - d3d::Value(TransformState::WorldMatrix0);
  if (index <= limit) return;
  view.Report(Rule::kDp2Xform007, record, kTransform,
              fmt::format("the device has world matrices 0 to {}, this is {}", limit, index),
              fmt::format("{}", index), fmt::format("at most {}", limit));
}

// DP2-XFORM-006.
void CheckProjection(const CommandView& view, const Record& record, const Matrix& matrix) {
  if (matrix[k34] == 0.0F && matrix[k44] != 1.0F) {
    view.Report(Rule::kDp2Xform006, record, stream::PartOf(kMatrix, k44),
                fmt::format("the projection has _34 = 0 and _44 = {}", matrix[k44]),
                fmt::format("{}", matrix[k44]), "1");
    return;
  }
  for (size_t column = 0; column < 4; ++column) {
    bool is_zero = true;
    for (size_t row = 0; row < 4; ++row)
      is_zero = is_zero && matrix[4 * row + column] == 0.0F;
    if (!is_zero) continue;
    view.Report(Rule::kDp2Xform006, record, kMatrix,
                fmt::format("column {} of the projection is zero", column + 1), "0, 0, 0, 0",
                "a column that is not zero");
    return;
  }
}

// Bit s where the matrix belongs to texture stage s.
uint32_t TextureBit(uint32_t canonical) {
  const uint32_t first = d3d::Value(TransformState::Texture0);
  return canonical >= first && canonical <= d3d::Value(TransformState::Texture7)
             ? 1U << (canonical - first)
             : 0;
}

// What both tokens have in common. The canonical number, or nothing where the device refuses the record.
std::optional<uint32_t> CheckRecord(const CommandView& view, const Record& record) {
  const uint32_t given = record.U32(kTransform);
  const uint32_t number = given & ~d3d::kTransformIdentity;
  const std::optional<uint32_t> canonical = d3d::CanonicalTransform(number);
  if (!canonical) return std::nullopt;
  CheckNumber(view, record, number);
  CheckWorldIndex(view, record, *canonical);
  if (given != number) {
    view.Report(Rule::kDp2Xform003, record, kTransform,
                fmt::format("transform {} asks for the identity by bit 31",
                            ValueText(d3d::kTransformStateNames, number)),
                fmt::format("{:#x}", given), ValueText(d3d::kTransformStateNames, number));
  } else if (const std::optional<uint32_t> bad = FindInfinite(MatrixOf(record))) {
    const float value = MatrixOf(record)[*bad];
    view.Report(Rule::kDp2Xform004, record, stream::PartOf(kMatrix, *bad),
                fmt::format("element _{}{} of {} is {}", *bad / 4 + 1, *bad % 4 + 1,
                            NameOf(d3d::kTransformStateNames, number), RealText(value)),
                RealText(value), "a finite number");
  }
  return canonical;
}

// The matrix that a record of SETTRANSFORM sets.
Matrix GivenMatrix(const Record& record) {
  const bool is_given = (record.U32(kTransform) & d3d::kTransformIdentity) == 0;
  return is_given ? MatrixOf(record) : device::kIdentity;
}

void NoteMatrix(TransformMemory& memory, uint32_t canonical, const Matrix& matrix) {
  memory.matrices_set.set(canonical);
  const uint32_t bit = TextureBit(canonical);
  memory.texture_matrices =
      matrix == device::kIdentity ? memory.texture_matrices & ~bit : memory.texture_matrices | bit;
}

void CheckSetTransform(const CommandView& view) {
  for (const Record& record : view.Records()) {
    const std::optional<uint32_t> canonical = CheckRecord(view, record);
    if (!canonical) continue;
    const Matrix matrix = GivenMatrix(record);
    if (*canonical == d3d::Value(TransformState::Projection) && !FindInfinite(matrix))
      CheckProjection(view, record, matrix);
    if (!view.is_recording()) NoteMatrix(view.memory.transform, *canonical, matrix);
  }
}

// DP2-XFORM-008.
void CheckMultiplyTransform(const CommandView& view) {
  TransformMemory& memory = view.memory.transform;
  for (const Record& record : view.Records()) {
    const std::optional<uint32_t> canonical = CheckRecord(view, record);
    if (!canonical) continue;
    device::StateWords words;
    const bool is_recorded =
        view.is_recording() &&
        view.context.recording->Get({device::StateKind::kTransform, *canonical}, words);
    if (!is_recorded && !memory.matrices_set.test(*canonical)) {
      view.Report(Rule::kDp2Xform008, record, kTransform,
                  fmt::format("transform {} was never set: the identity is multiplied",
                              NameOf(d3d::kTransformStateNames, *canonical)),
                  ValueText(d3d::kTransformStateNames, *canonical), "SETTRANSFORM before");
    }
    if (!view.is_recording()) memory.matrices_set.set(*canonical);
  }
}

// DP2-XFORM-005: what was set since the last draw and is not used by this one. Resetting a matrix to the identity needs no use.
void CheckTextureMatrices(const CommandView& view) {
  uint32_t& set = view.memory.transform.texture_matrices;
  if (set == 0) return;
  const device::State& state = view.context.state;
  const bool transforms = FormatOf(view).is_fixed_function();
  const uint32_t stages = UseOf(view, view.memory.texture_stage.samplers).stages;
  for (uint32_t stage = 0; transforms && stage < stages; ++stage) {
    const bool is_set = ((set >> stage) & 1) != 0;
    if (!is_set || state.stage(stage, d3d::TextureStageState::TextureTransformFlags) != 0) continue;
    view.ReportAtDraw(
        Rule::kDp2Xform005, stage,
        fmt::format(
            "the texture matrix of stage {} was set, TEXTURETRANSFORMFLAGS of the stage is DISABLE",
            stage),
        "DISABLE", "COUNT1 to COUNT4");
  }
  set = 0;
}

constexpr CommandRule kTransformRules[] = {
    {opcode::Op::kSetTransform, CheckSetTransform},
    {opcode::Op::kMultiplyTransform, CheckMultiplyTransform},
    {opcode::Op::kZRange, CheckZRange},
    {opcode::Op::kWInfo, CheckWInfo},
    {opcode::Op::kSetClipPlane, CheckClipPlane},
};

void CheckTransformAtDraw(const CommandView& view) {
  CheckViewportAtDraw(view);
  if (DrawsGeometry(view)) CheckTextureMatrices(view);
}

}  // namespace

const Topic kTransformTopic = {
    .rules = [] { return std::span<const CommandRule>(kTransformRules); },
    .at_draw = CheckTransformAtDraw};

}  // namespace dp2trace::validate
