// Which handler applies which operation.
#include "device/apply/apply.h"

#include <array>

#include "device/token.h"

namespace dp2trace::device {
namespace {

using opcode::Op;

struct HandlerRow {
  Op op = {};
  Handler handler = nullptr;
  bool only_draws = false;  // see OnlyDraws()
};

// Operations that are not here change nothing: EXT, ADDDIRTYRECT and ADDDIRTYBOX (one copy of each surface is kept, 20.4),
// SETCONVOLUTIONKERNELMONO (its filter is drawn as LINEAR), and the two that travel to the runtime.
// clang-format off
constexpr HandlerRow kRows[] = {
    {Op::kPoints, ApplyLegacyPoints, true},
    {Op::kIndexedLineList, ApplyLegacyIndexedDraw, true},
    {Op::kIndexedTriangleList, ApplyLegacyIndexedDraw, true},
    {Op::kRenderState, ApplyRenderState},
    {Op::kLineList, ApplyLegacyDraw, true},
    {Op::kLineStrip, ApplyLegacyDraw, true},
    {Op::kIndexedLineStrip, ApplyLegacyIndexedDraw, true},
    {Op::kTriangleList, ApplyLegacyDraw, true},
    {Op::kTriangleStrip, ApplyLegacyDraw, true},
    {Op::kIndexedTriangleStrip, ApplyLegacyIndexedDraw, true},
    {Op::kTriangleFan, ApplyLegacyDraw, true},
    {Op::kIndexedTriangleFan, ApplyLegacyIndexedDraw, true},
    {Op::kTriangleFanImm, ApplyImmediateDraw, true},
    {Op::kLineListImm, ApplyImmediateDraw, true},
    {Op::kTextureStageState, ApplyTextureStageState},
    {Op::kIndexedTriangleList2, ApplyLegacyIndexedDraw, true},
    {Op::kIndexedLineList2, ApplyLegacyIndexedDraw, true},
    {Op::kViewportInfo, ApplyViewportInfo},
    {Op::kWInfo, ApplyWInfo},
    {Op::kSetPalette, ApplySetPalette},
    {Op::kUpdatePalette, ApplyUpdatePalette},
    {Op::kZRange, ApplyZRange},
    {Op::kSetMaterial, ApplyMaterial},
    {Op::kSetLight, ApplyLight},
    {Op::kCreateLight, ApplyCreateLight},
    {Op::kSetTransform, ApplyTransform},
    {Op::kTexBlt, ApplyTexBlt},
    {Op::kStateSet, ApplyStateSet},
    {Op::kSetPriority, ApplyPriority},
    {Op::kSetRenderTarget, ApplyRenderTarget},
    {Op::kClear, ApplyClear, true},
    {Op::kSetTexLod, ApplyTextureLod},
    {Op::kSetClipPlane, ApplyClipPlane},
    {Op::kCreateVertexShader, ApplyCreateVertexShader},
    {Op::kDeleteVertexShader, ApplyDeleteShader},
    {Op::kSetVertexShader, ApplySetShader},
    {Op::kSetVertexShaderConst, ApplyShaderConstants},
    {Op::kSetStreamSource, ApplyStreamSource},
    {Op::kSetStreamSourceUm, ApplyStreamSourceUserMemory},
    {Op::kSetIndices, ApplyIndices},
    {Op::kDrawPrimitive, ApplyDrawPrimitive, true},
    {Op::kDrawIndexedPrimitive, ApplyDrawIndexedPrimitive, true},
    {Op::kCreatePixelShader, ApplyCreatePixelShader},
    {Op::kDeletePixelShader, ApplyDeleteShader},
    {Op::kSetPixelShader, ApplySetShader},
    {Op::kSetPixelShaderConst, ApplyShaderConstants},
    {Op::kClippedTriangleFan, ApplyClippedTriangleFan, true},
    {Op::kDrawPrimitive2, ApplyDrawPrimitive2, true},
    {Op::kDrawIndexedPrimitive2, ApplyDrawIndexedPrimitive2, true},
    {Op::kDrawRectPatch, ApplyRectPatch},
    {Op::kDrawTriPatch, ApplyTriPatch},
    {Op::kVolumeBlt, ApplyVolumeBlt},
    {Op::kBufferBlt, ApplyBufferBlt},
    {Op::kMultiplyTransform, ApplyMultiplyTransform},
    {Op::kCreateVertexShaderDecl, ApplyCreateDeclaration},
    {Op::kDeleteVertexShaderDecl, ApplyDeleteShader},
    {Op::kSetVertexShaderDecl, ApplySetShader},
    {Op::kCreateVertexShaderFunc, ApplyCreateVertexFunction},
    {Op::kDeleteVertexShaderFunc, ApplyDeleteShader},
    {Op::kSetVertexShaderFunc, ApplySetShader},
    {Op::kSetVertexShaderConstI, ApplyShaderConstants},
    {Op::kSetScissorRect, ApplyScissorRect},
    {Op::kSetStreamSource2, ApplyStreamSource2},
    {Op::kBlt, ApplyBlt},
    {Op::kColorFill, ApplyColorFill},
    {Op::kSetVertexShaderConstB, ApplyShaderConstants},
    {Op::kCreateQuery, ApplyCreateQuery},
    {Op::kSetRenderTarget2, ApplyRenderTarget2},
    {Op::kSetDepthStencil, ApplyDepthStencil},
    {Op::kGenerateMipSubLevels, ApplyGenerateMipSubLevels},
    {Op::kDeleteQuery, ApplyDeleteQuery},
    {Op::kIssueQuery, ApplyIssueQuery},
    {Op::kSetPixelShaderConstI, ApplyShaderConstants},
    {Op::kSetPixelShaderConstB, ApplyShaderConstants},
    {Op::kSetStreamSourceFreq, ApplyStreamDivider},
    {Op::kSurfaceBlt, ApplySurfaceBlt},
    {Op::kComposeRects, ApplyComposeRects},
};
// clang-format on

constexpr std::array<Handler, 256> kHandlers = [] {
  std::array<Handler, 256> handlers{};
  for (const HandlerRow& row : kRows)
    handlers[static_cast<uint8_t>(row.op)] = row.handler;
  return handlers;
}();

constexpr std::array<bool, 256> kOnlyDraws = [] {
  std::array<bool, 256> rows{};
  for (const HandlerRow& row : kRows)
    rows[static_cast<uint8_t>(row.op)] = row.only_draws;
  return rows;
}();

}  // namespace

Handler FindHandler(Op op) {
  return kHandlers[static_cast<uint8_t>(op)];
}

bool OnlyDraws(Op op) {
  return kOnlyDraws[static_cast<uint8_t>(op)];
}

}  // namespace dp2trace::device
