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
};

// Operations that are not here change nothing: EXT, ADDDIRTYRECT and ADDDIRTYBOX (one copy of each surface is kept, 20.4),
// SETCONVOLUTIONKERNELMONO (its filter is drawn as LINEAR), and the two that travel to the runtime.
// clang-format off
constexpr HandlerRow kRows[] = {
    {Op::kPoints, ApplyLegacyPoints},
    {Op::kIndexedLineList, ApplyLegacyIndexedDraw},
    {Op::kIndexedTriangleList, ApplyLegacyIndexedDraw},
    {Op::kRenderState, ApplyRenderState},
    {Op::kLineList, ApplyLegacyDraw},
    {Op::kLineStrip, ApplyLegacyDraw},
    {Op::kIndexedLineStrip, ApplyLegacyIndexedDraw},
    {Op::kTriangleList, ApplyLegacyDraw},
    {Op::kTriangleStrip, ApplyLegacyDraw},
    {Op::kIndexedTriangleStrip, ApplyLegacyIndexedDraw},
    {Op::kTriangleFan, ApplyLegacyDraw},
    {Op::kIndexedTriangleFan, ApplyLegacyIndexedDraw},
    {Op::kTriangleFanImm, ApplyImmediateDraw},
    {Op::kLineListImm, ApplyImmediateDraw},
    {Op::kTextureStageState, ApplyTextureStageState},
    {Op::kIndexedTriangleList2, ApplyLegacyIndexedDraw},
    {Op::kIndexedLineList2, ApplyLegacyIndexedDraw},
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
    {Op::kClear, ApplyClear},
    {Op::kSetTexLod, ApplyTextureLod},
    {Op::kSetClipPlane, ApplyClipPlane},
    {Op::kCreateVertexShader, ApplyCreateVertexShader},
    {Op::kDeleteVertexShader, ApplyDeleteShader},
    {Op::kSetVertexShader, ApplySetShader},
    {Op::kSetVertexShaderConst, ApplyShaderConstants},
    {Op::kSetStreamSource, ApplyStreamSource},
    {Op::kSetStreamSourceUm, ApplyStreamSourceUserMemory},
    {Op::kSetIndices, ApplyIndices},
    {Op::kDrawPrimitive, ApplyDrawPrimitive},
    {Op::kDrawIndexedPrimitive, ApplyDrawIndexedPrimitive},
    {Op::kCreatePixelShader, ApplyCreatePixelShader},
    {Op::kDeletePixelShader, ApplyDeleteShader},
    {Op::kSetPixelShader, ApplySetShader},
    {Op::kSetPixelShaderConst, ApplyShaderConstants},
    {Op::kClippedTriangleFan, ApplyClippedTriangleFan},
    {Op::kDrawPrimitive2, ApplyDrawPrimitive2},
    {Op::kDrawIndexedPrimitive2, ApplyDrawIndexedPrimitive2},
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

}  // namespace

Handler FindHandler(Op op) {
  return kHandlers[static_cast<uint8_t>(op)];
}

}  // namespace dp2trace::device
