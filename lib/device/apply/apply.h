// The handlers of the operations, by topic. Each applies all records of its token. Internal to this folder.
// Source: lib/opcode/dp2.md 3 to 20.
#pragma once

#include <cstdint>

namespace dp2trace::device {

struct Token;

// apply_state.cpp
void ApplyRenderState(Token& token);
void ApplyTextureStageState(Token& token);
// The states that TEXTUREMAPBLEND stands for may depend on the texture of stage 0, which changed.
void FollowTexture(const Token& token);
// apply_vendor.cpp
void ApplyVendorCode(const Token& token, uint32_t state, uint32_t value);
// apply_transform.cpp
void ApplyTransform(Token& token);
void ApplyMultiplyTransform(Token& token);
void ApplyViewportInfo(Token& token);
void ApplyZRange(Token& token);
void ApplyWInfo(Token& token);
void ApplyClipPlane(Token& token);
void ApplyScissorRect(Token& token);
void ApplyMaterial(Token& token);
void ApplyCreateLight(Token& token);
void ApplyLight(Token& token);
// apply_state_set.cpp
void ApplyStateSet(Token& token);
// apply_shaders.cpp
void ApplyCreateVertexShader(Token& token);
void ApplyCreateDeclaration(Token& token);
void ApplyCreateVertexFunction(Token& token);
void ApplyCreatePixelShader(Token& token);
void ApplyDeleteShader(Token& token);  // all four spaces
void ApplySetShader(Token& token);
void ApplyShaderConstants(Token& token);  // all six kinds
// apply_bindings.cpp
void ApplyStreamSource(Token& token);
void ApplyStreamSource2(Token& token);
void ApplyStreamSourceUserMemory(Token& token);
void ApplyStreamDivider(Token& token);
void ApplyIndices(Token& token);
void ApplyRenderTarget(Token& token);
void ApplyRenderTarget2(Token& token);
void ApplyDepthStencil(Token& token);
// apply_objects.cpp
void ApplySetPalette(Token& token);
void ApplyUpdatePalette(Token& token);
void ApplyPriority(Token& token);
void ApplyTextureLod(Token& token);
void ApplyCreateQuery(Token& token);
void ApplyDeleteQuery(Token& token);
void ApplyIssueQuery(Token& token);
// apply_draw.cpp
void ApplyLegacyDraw(Token& token);  // from dwVertexOffset on, in order
void ApplyLegacyPoints(Token& token);
void ApplyLegacyIndexedDraw(Token& token);
void ApplyImmediateDraw(Token& token);
// apply_stream_draw.cpp
void ApplyDrawPrimitive(Token& token);
void ApplyDrawIndexedPrimitive(Token& token);
void ApplyDrawPrimitive2(Token& token);
void ApplyDrawIndexedPrimitive2(Token& token);
void ApplyClippedTriangleFan(Token& token);
// apply_patch.cpp
void ApplyRectPatch(Token& token);
void ApplyTriPatch(Token& token);
// apply_clear.cpp
void ApplyClear(Token& token);
// apply_load.cpp
void ApplyTexBlt(Token& token);
void ApplyVolumeBlt(Token& token);
void ApplyBufferBlt(Token& token);
// apply_blt.cpp
void ApplyBlt(Token& token);
void ApplySurfaceBlt(Token& token);
void ApplyColorFill(Token& token);
void ApplyGenerateMipSubLevels(Token& token);
// apply_compose.cpp
void ApplyComposeRects(Token& token);

}  // namespace dp2trace::device
