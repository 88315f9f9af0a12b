// The structures of DP2 tokens as field lists. Packed, little-endian, the same for 32-bit and 64-bit processes.
// Source: tests/data/dp2-ops.json ("structs", the element fields and tails of the operations); lib/opcode/dp2.md 10.1, 10.2, 15, 17 and 18.
//
// JSON names: the documentation's name without its type prefix (dw, w, dv, dcv, dlt, h, b, dwDD), in snake_case. Where a
// rectangle and a handle would get the same name, the rectangle, point or range says what it is (rSource -> source_rect).
#pragma once

#include "d3d/enums.h"
#include "opcode/opcode.h"
#include "rules/rule.h"

namespace dp2trace::opcode::layout {

using enum Wire;

constexpr StructDesc Packed(std::string_view spec_name, std::span<const FieldDesc> fields) {
  uint32_t size = 0;
  for (const FieldDesc& field : fields)
    size += field.size();
  return {spec_name, fields, size, false};
}

// A structure whose only field stands for it.
constexpr StructDesc Plain(std::string_view spec_name, std::span<const FieldDesc> fields) {
  StructDesc result = Packed(spec_name, fields);
  result.plain = true;
  return result;
}

// Stands for "no structure" in opcodes.def.
inline constexpr StructDesc kNone = {"", {}, 0};

inline constexpr std::string_view kPointParts[] = {"x", "y"};
inline constexpr std::string_view kRectParts[] = {"left", "top", "right", "bottom"};
inline constexpr std::string_view kBoxParts[] = {"left", "top", "right", "bottom", "front", "back"};
inline constexpr std::string_view kRangeParts[] = {"offset", "size"};

// D3DHAL_DP2SETCONVOLUTIONKERNELMONO.dwFlags. Source: tests/data/dp2-ops.json, operation 97.
inline constexpr uint32_t kRowWeights = 1;
inline constexpr uint32_t kColWeights = 2;
inline constexpr EnumValue kConvolutionFlagValues[] = {{"ROW_WEIGHTS", kRowWeights, 9, 9},
                                                       {"COL_WEIGHTS", kColWeights, 9, 9}};
inline constexpr EnumInfo kConvolutionFlagNames = {"CONVOLUTIONKERNEL", true,
                                                   kConvolutionFlagValues};

// ---------- headers --------------------------------------------------------------------------------------------------
inline constexpr FieldDesc kCommandHeaderFields[] = {
    {"command", "bCommand", kU8},
    {"reserved", "bReserved", kU8},
    {"primitive_count", "wPrimitiveCount", kU16},
};
inline constexpr StructDesc kCommandHeader = Packed("D3DHAL_DP2COMMAND", kCommandHeaderFields);
static_assert(kCommandHeader.size == 4);

inline constexpr FieldDesc kResponseHeaderFields[] = {
    {"command", "bCommand", kU8},
    {"reserved", "bReserved", kU8},
    {"state_count", "wStateCount", kU16},
    {"total_size", "dwTotalSize", kU32},
};
inline constexpr StructDesc kResponseHeader = Packed("D3DHAL_DP2RESPONSE", kResponseHeaderFields);
static_assert(kResponseHeader.size == 8);

// ---------- elements of arrays and tails -----------------------------------------------------------------------------
inline constexpr FieldDesc kIndexFields[] = {{"index", "wV", kU16}};
inline constexpr StructDesc kIndex = Plain("u16", kIndexFields);
static_assert(kIndex.size == 2);

// A palette entry: 0xAARRGGBB, or as the palette_order of the trace says. Source: lib/opcode/dp2.md 15.
inline constexpr FieldDesc kPaletteEntryFields[] = {
    {"entry", "PALETTEENTRY", kU32, 1, Meaning::kHex}};
inline constexpr StructDesc kPaletteEntry = Plain("PALETTEENTRY", kPaletteEntryFields);
static_assert(kPaletteEntry.size == 4);

inline constexpr FieldDesc kFloatFields[] = {{"value", "f32", kF32}};
inline constexpr StructDesc kFloat = Plain("f32", kFloatFields);

inline constexpr FieldDesc kFloat4Fields[] = {{"value", "f32x4", kF32, 4}};
inline constexpr StructDesc kFloat4 = Plain("f32x4", kFloat4Fields);

inline constexpr FieldDesc kInt4Fields[] = {{"value", "i32x4", kI32, 4}};
inline constexpr StructDesc kInt4 = Plain("i32x4", kInt4Fields);

inline constexpr FieldDesc kBoolFields[] = {{"value", "BOOL", kU32, 1, Meaning::kBool}};
inline constexpr StructDesc kBool = Plain("BOOL", kBoolFields);

inline constexpr FieldDesc kLight7Fields[] = {
    {"type", "dltType", kU32, 1, Meaning::kEnum, &d3d::kLightTypeNames},
    {"diffuse", "dcvDiffuse", kF32, 4},
    {"specular", "dcvSpecular", kF32, 4},
    {"ambient", "dcvAmbient", kF32, 4},
    {"position", "dvPosition", kF32, 3},
    {"direction", "dvDirection", kF32, 3},
    {"range", "dvRange", kF32},
    {"falloff", "dvFalloff", kF32},
    {"attenuation0", "dvAttenuation0", kF32},
    {"attenuation1", "dvAttenuation1", kF32},
    {"attenuation2", "dvAttenuation2", kF32},
    {"theta", "dvTheta", kF32},
    {"phi", "dvPhi", kF32},
};
inline constexpr StructDesc kLight7 = Packed("D3DLIGHT7", kLight7Fields);
static_assert(kLight7.size == 104);

inline constexpr FieldDesc kRectPatchInfoFields[] = {
    {"start_vertex_offset_width", "StartVertexOffsetWidth", kU32},
    {"start_vertex_offset_height", "StartVertexOffsetHeight", kU32},
    {"width", "Width", kU32},
    {"height", "Height", kU32},
    {"stride", "Stride", kU32},
    {"basis", "Basis", kU32, 1, Meaning::kEnum, &d3d::kBasisNames},
    {"degree", "Degree", kU32, 1, Meaning::kEnum, &d3d::kDegreeNames},
};
inline constexpr StructDesc kRectPatchInfo = Packed("D3DRECTPATCH_INFO", kRectPatchInfoFields);
static_assert(kRectPatchInfo.size == 28);

inline constexpr FieldDesc kTriPatchInfoFields[] = {
    {"start_vertex_offset", "StartVertexOffset", kU32},
    {"num_vertices", "NumVertices", kU32},
    {"basis", "Basis", kU32, 1, Meaning::kEnum, &d3d::kBasisNames},
    {"degree", "Degree", kU32, 1, Meaning::kEnum, &d3d::kDegreeNames},
};
inline constexpr StructDesc kTriPatchInfo = Packed("D3DTRIPATCH_INFO", kTriPatchInfoFields);
static_assert(kTriPatchInfo.size == 16);

inline constexpr FieldDesc kVertexElement9Fields[] = {
    {"stream", "Stream", kU16},
    {"offset", "Offset", kU16},
    {"type", "Type", kU8, 1, Meaning::kEnum, &d3d::kDeclTypeNames},
    {"method", "Method", kU8, 1, Meaning::kEnum, &d3d::kDeclMethodNames},
    {"usage", "Usage", kU8, 1, Meaning::kEnum, &d3d::kDeclUsageNames},
    {"usage_index", "UsageIndex", kU8},
};
inline constexpr StructDesc kVertexElement9 = Packed("D3DVERTEXELEMENT9", kVertexElement9Fields);
static_assert(kVertexElement9.size == 8);

// ---------- fixed structures and records, by first use -----------------------------------------------------------------
inline constexpr FieldDesc kPointsFields[] = {
    {"count", "wCount", kU16},
    {"v_start", "wVStart", kU16},
};
inline constexpr StructDesc kPoints = Packed("D3DHAL_DP2POINTS", kPointsFields);
static_assert(kPoints.size == 4);

inline constexpr FieldDesc kStartVertexFields[] = {
    {"v_start", "wVStart", kU16},
};
inline constexpr StructDesc kStartVertex = Packed("D3DHAL_DP2STARTVERTEX", kStartVertexFields);
static_assert(kStartVertex.size == 2);

inline constexpr FieldDesc kLineListFields[] = {
    {"v_start", "wVStart", kU16},
};
inline constexpr StructDesc kLineList = Packed("D3DHAL_DP2LINELIST", kLineListFields);
static_assert(kLineList.size == 2);

inline constexpr FieldDesc kLineStripFields[] = {
    {"v_start", "wVStart", kU16},
};
inline constexpr StructDesc kLineStrip = Packed("D3DHAL_DP2LINESTRIP", kLineStripFields);
static_assert(kLineStrip.size == 2);

inline constexpr FieldDesc kTriangleListFields[] = {
    {"v_start", "wVStart", kU16},
};
inline constexpr StructDesc kTriangleList = Packed("D3DHAL_DP2TRIANGLELIST", kTriangleListFields);
static_assert(kTriangleList.size == 2);

inline constexpr FieldDesc kTriangleStripFields[] = {
    {"v_start", "wVStart", kU16},
};
inline constexpr StructDesc kTriangleStrip =
    Packed("D3DHAL_DP2TRIANGLESTRIP", kTriangleStripFields);
static_assert(kTriangleStrip.size == 2);

inline constexpr FieldDesc kTriangleFanFields[] = {
    {"v_start", "wVStart", kU16},
};
inline constexpr StructDesc kTriangleFan = Packed("D3DHAL_DP2TRIANGLEFAN", kTriangleFanFields);
static_assert(kTriangleFan.size == 2);

inline constexpr FieldDesc kIndexedLineListFields[] = {
    {"v1", "wV1", kU16},
    {"v2", "wV2", kU16},
};
inline constexpr StructDesc kIndexedLineList =
    Packed("D3DHAL_DP2INDEXEDLINELIST", kIndexedLineListFields);
static_assert(kIndexedLineList.size == 4);

inline constexpr FieldDesc kIndexedTriangleListFields[] = {
    {"v1", "wV1", kU16},
    {"v2", "wV2", kU16},
    {"v3", "wV3", kU16},
    {"flags", "wFlags", kU16, 1, Meaning::kFlags, &d3d::kTriFlagNames},
};
inline constexpr StructDesc kIndexedTriangleList =
    Packed("D3DHAL_DP2INDEXEDTRIANGLELIST", kIndexedTriangleListFields);
static_assert(kIndexedTriangleList.size == 8);

inline constexpr FieldDesc kIndexedTriangleList2Fields[] = {
    {"v1", "wV1", kU16},
    {"v2", "wV2", kU16},
    {"v3", "wV3", kU16},
};
inline constexpr StructDesc kIndexedTriangleList2 =
    Packed("D3DHAL_DP2INDEXEDTRIANGLELIST2", kIndexedTriangleList2Fields);
static_assert(kIndexedTriangleList2.size == 6);

inline constexpr FieldDesc kTriangleFanImmFields[] = {
    {"edge_flags", "dwEdgeFlags", kU32, 1, Meaning::kHex},
};
inline constexpr StructDesc kTriangleFanImm =
    Packed("D3DHAL_DP2TRIANGLEFAN_IMM", kTriangleFanImmFields);
static_assert(kTriangleFanImm.size == 4);

inline constexpr FieldDesc kRenderStateFields[] = {
    {"render_state", "RenderState", kU32, 1, Meaning::kRenderState},
    {"state", "dwState", kU32, 1, Meaning::kRenderStateValue},
};
inline constexpr StructDesc kRenderState = Packed("D3DHAL_DP2RENDERSTATE", kRenderStateFields);
static_assert(kRenderState.size == 8);

inline constexpr FieldDesc kTextureStageStateFields[] = {
    {"stage", "wStage", kU16},
    {"ts_state", "TSState", kU16, 1, Meaning::kTextureStageState},
    {"value", "dwValue", kU32, 1, Meaning::kTextureStageStateValue},
};
inline constexpr StructDesc kTextureStageState =
    Packed("D3DHAL_DP2TEXTURESTAGESTATE", kTextureStageStateFields);
static_assert(kTextureStageState.size == 8);

inline constexpr FieldDesc kViewportInfoFields[] = {
    {"x", "dwX", kU32},
    {"y", "dwY", kU32},
    {"width", "dwWidth", kU32},
    {"height", "dwHeight", kU32},
};
inline constexpr StructDesc kViewportInfo = Packed("D3DHAL_DP2VIEWPORTINFO", kViewportInfoFields);
static_assert(kViewportInfo.size == 16);

inline constexpr FieldDesc kWInfoFields[] = {
    {"w_near", "dvWNear", kF32},
    {"w_far", "dvWFar", kF32},
};
inline constexpr StructDesc kWInfo = Packed("D3DHAL_DP2WINFO", kWInfoFields);
static_assert(kWInfo.size == 8);

inline constexpr FieldDesc kSetPaletteFields[] = {
    {"palette_handle", "dwPaletteHandle", kU32, 1, Meaning::kPalette},
    {"palette_flags", "dwPaletteFlags", kU32, 1, Meaning::kFlags, &d3d::kPaletteFlagNames},
    {"surface_handle", "dwSurfaceHandle", kU32, 1, Meaning::kSurface},
};
inline constexpr StructDesc kSetPalette = Packed("D3DHAL_DP2SETPALETTE", kSetPaletteFields);
static_assert(kSetPalette.size == 12);

inline constexpr FieldDesc kUpdatePaletteFields[] = {
    {"palette_handle", "dwPaletteHandle", kU32, 1, Meaning::kPalette},
    {"start_index", "wStartIndex", kU16},
    {"num_entries", "wNumEntries", kU16},
};
inline constexpr StructDesc kUpdatePalette =
    Packed("D3DHAL_DP2UPDATEPALETTE", kUpdatePaletteFields);
static_assert(kUpdatePalette.size == 8);

inline constexpr FieldDesc kZRangeFields[] = {
    {"min_z", "dvMinZ", kF32},
    {"max_z", "dvMaxZ", kF32},
};
inline constexpr StructDesc kZRange = Packed("D3DHAL_DP2ZRANGE", kZRangeFields);
static_assert(kZRange.size == 8);

inline constexpr FieldDesc kSetMaterialFields[] = {
    {"diffuse", "dcvDiffuse", kF32, 4},   {"ambient", "dcvAmbient", kF32, 4},
    {"specular", "dcvSpecular", kF32, 4}, {"emissive", "dcvEmissive", kF32, 4},
    {"power", "dvPower", kF32},
};
inline constexpr StructDesc kSetMaterial = Packed("D3DHAL_DP2SETMATERIAL", kSetMaterialFields);
static_assert(kSetMaterial.size == 68);

inline constexpr FieldDesc kSetLightFields[] = {
    {"index", "dwIndex", kU32},
    {"data_type", "dwDataType", kU32, 1, Meaning::kEnum, &d3d::kSetLightDataNames},
};
inline constexpr StructDesc kSetLight = Packed("D3DHAL_DP2SETLIGHT", kSetLightFields);
static_assert(kSetLight.size == 8);

inline constexpr FieldDesc kCreateLightFields[] = {
    {"index", "dwIndex", kU32},
};
inline constexpr StructDesc kCreateLight = Packed("D3DHAL_DP2CREATELIGHT", kCreateLightFields);
static_assert(kCreateLight.size == 4);

inline constexpr FieldDesc kSetTransformFields[] = {
    {"transform", "xfrmType", kU32, 1, Meaning::kTransform},
    {"matrix", "matrix", kF32, 16},
};
inline constexpr StructDesc kSetTransform = Packed("D3DHAL_DP2SETTRANSFORM", kSetTransformFields);
static_assert(kSetTransform.size == 68);

inline constexpr FieldDesc kMultiplyTransformFields[] = {
    {"transform", "xfrmType", kU32, 1, Meaning::kTransform},
    {"matrix", "matrix", kF32, 16},
};
inline constexpr StructDesc kMultiplyTransform =
    Packed("D3DHAL_DP2MULTIPLYTRANSFORM", kMultiplyTransformFields);
static_assert(kMultiplyTransform.size == 68);

inline constexpr FieldDesc kExtFields[] = {
    {"ext_token", "dwExtToken", kU32, 1, Meaning::kHex},
    {"size", "dwSize", kU32},
};
inline constexpr StructDesc kExt = Packed("D3DHAL_DP2EXT", kExtFields);
static_assert(kExt.size == 8);

inline constexpr FieldDesc kTexBltFields[] = {
    {"dest_surface", "dwDDDestSurface", kU32, 1, Meaning::kSurface},
    {"src_surface", "dwDDSrcSurface", kU32, 1, Meaning::kSurface},
    {"dest_point", "pDest", kI32, 2, Meaning::kNumber, nullptr, kPointParts},
    {"src_rect", "rSrc", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
    {"flags", "dwFlags", kU32, 1, Meaning::kHex},
};
inline constexpr StructDesc kTexBlt = Packed("D3DHAL_DP2TEXBLT", kTexBltFields);
static_assert(kTexBlt.size == 36);

inline constexpr FieldDesc kStateSetFields[] = {
    {"operation", "dwOperation", kU32, 1, Meaning::kEnum, &d3d::kStateSetOpNames},
    {"param", "dwParam", kU32, 1, Meaning::kStateBlock},
    {"type", "sbType", kU32, 1, Meaning::kEnum, &d3d::kStateBlockTypeNames},
};
inline constexpr StructDesc kStateSet = Packed("D3DHAL_DP2STATESET", kStateSetFields);
static_assert(kStateSet.size == 12);

inline constexpr FieldDesc kSetPriorityFields[] = {
    {"surface", "dwDDSurface", kU32, 1, Meaning::kSurface},
    {"priority", "dwPriority", kU32},
};
inline constexpr StructDesc kSetPriority = Packed("D3DHAL_DP2SETPRIORITY", kSetPriorityFields);
static_assert(kSetPriority.size == 8);

inline constexpr FieldDesc kSetRenderTargetFields[] = {
    {"render_target", "hRenderTarget", kU32, 1, Meaning::kSurface},
    {"z_buffer", "hZBuffer", kU32, 1, Meaning::kSurface},
};
inline constexpr StructDesc kSetRenderTarget =
    Packed("D3DHAL_DP2SETRENDERTARGET", kSetRenderTargetFields);
static_assert(kSetRenderTarget.size == 8);

inline constexpr FieldDesc kClearFields[] = {
    {"flags", "dwFlags", kU32, 1, Meaning::kFlags, &d3d::kClearFlagNames},
    {"fill_color", "dwFillColor", kU32, 1, Meaning::kColor},
    {"fill_depth", "dvFillDepth", kF32},
    {"fill_stencil", "dwFillStencil", kU32},
    {"rects", "Rects", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
};
inline constexpr StructDesc kClear = Packed("D3DHAL_DP2CLEAR", kClearFields);
static_assert(kClear.size == 32);

inline constexpr FieldDesc kSetTexLodFields[] = {
    {"surface", "dwDDSurface", kU32, 1, Meaning::kSurface},
    {"lod", "dwLOD", kU32},
};
inline constexpr StructDesc kSetTexLod = Packed("D3DHAL_DP2SETTEXLOD", kSetTexLodFields);
static_assert(kSetTexLod.size == 8);

inline constexpr FieldDesc kSetClipPlaneFields[] = {
    {"index", "dwIndex", kU32},
    {"plane", "plane", kF32, 4},
};
inline constexpr StructDesc kSetClipPlane = Packed("D3DHAL_DP2SETCLIPPLANE", kSetClipPlaneFields);
static_assert(kSetClipPlane.size == 20);

inline constexpr FieldDesc kCreateVertexShaderFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kVertexShader},
    {"decl_size", "dwDeclSize", kU32},
    {"code_size", "dwCodeSize", kU32},
};
inline constexpr StructDesc kCreateVertexShader =
    Packed("D3DHAL_DP2CREATEVERTEXSHADER", kCreateVertexShaderFields);
static_assert(kCreateVertexShader.size == 12);

inline constexpr FieldDesc kFvfOrHandleFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kFvfOrHandle},
};
inline constexpr StructDesc kFvfOrHandle = Packed("D3DHAL_DP2VERTEXSHADER", kFvfOrHandleFields);
static_assert(kFvfOrHandle.size == 4);

inline constexpr FieldDesc kVertexShaderHandleFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kVertexShader},
};
inline constexpr StructDesc kVertexShaderHandle =
    Packed("D3DHAL_DP2VERTEXSHADER", kVertexShaderHandleFields);
static_assert(kVertexShaderHandle.size == 4);

inline constexpr FieldDesc kVertexDeclarationHandleFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kVertexDeclaration},
};
inline constexpr StructDesc kVertexDeclarationHandle =
    Packed("D3DHAL_DP2VERTEXSHADER", kVertexDeclarationHandleFields);
static_assert(kVertexDeclarationHandle.size == 4);

inline constexpr FieldDesc kVertexShaderCodeHandleFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kVertexShaderCode},
};
inline constexpr StructDesc kVertexShaderCodeHandle =
    Packed("D3DHAL_DP2VERTEXSHADER", kVertexShaderCodeHandleFields);
static_assert(kVertexShaderCodeHandle.size == 4);

inline constexpr FieldDesc kSetVertexShaderConstFields[] = {
    {"register", "dwRegister", kU32},
    {"count", "dwCount", kU32},
};
inline constexpr StructDesc kSetVertexShaderConst =
    Packed("D3DHAL_DP2SETVERTEXSHADERCONST", kSetVertexShaderConstFields);
static_assert(kSetVertexShaderConst.size == 8);

inline constexpr FieldDesc kSetStreamSourceFields[] = {
    {"stream", "dwStream", kU32},
    {"vb_handle", "dwVBHandle", kU32, 1, Meaning::kSurface},
    {"stride", "dwStride", kU32},
};
inline constexpr StructDesc kSetStreamSource =
    Packed("D3DHAL_DP2SETSTREAMSOURCE", kSetStreamSourceFields);
static_assert(kSetStreamSource.size == 12);

inline constexpr FieldDesc kSetStreamSourceUmFields[] = {
    {"stream", "dwStream", kU32},
    {"stride", "dwStride", kU32},
};
inline constexpr StructDesc kSetStreamSourceUm =
    Packed("D3DHAL_DP2SETSTREAMSOURCEUM", kSetStreamSourceUmFields);
static_assert(kSetStreamSourceUm.size == 8);

inline constexpr FieldDesc kSetIndicesFields[] = {
    {"vb_handle", "dwVBHandle", kU32, 1, Meaning::kSurface},
    {"stride", "dwStride", kU32},
};
inline constexpr StructDesc kSetIndices = Packed("D3DHAL_DP2SETINDICES", kSetIndicesFields);
static_assert(kSetIndices.size == 8);

inline constexpr FieldDesc kDrawPrimitiveFields[] = {
    {"prim_type", "primType", kU32, 1, Meaning::kEnum, &d3d::kPrimitiveTypeNames},
    {"v_start", "VStart", kU32},
    {"primitive_count", "PrimitiveCount", kU32},
};
inline constexpr StructDesc kDrawPrimitive =
    Packed("D3DHAL_DP2DRAWPRIMITIVE", kDrawPrimitiveFields);
static_assert(kDrawPrimitive.size == 12);

inline constexpr FieldDesc kDrawIndexedPrimitiveFields[] = {
    {"prim_type", "primType", kU32, 1, Meaning::kEnum, &d3d::kPrimitiveTypeNames},
    {"base_vertex_index", "BaseVertexIndex", kI32},
    {"min_index", "MinIndex", kU32},
    {"num_vertices", "NumVertices", kU32},
    {"start_index", "StartIndex", kU32},
    {"primitive_count", "PrimitiveCount", kU32},
};
inline constexpr StructDesc kDrawIndexedPrimitive =
    Packed("D3DHAL_DP2DRAWINDEXEDPRIMITIVE", kDrawIndexedPrimitiveFields);
static_assert(kDrawIndexedPrimitive.size == 24);

inline constexpr FieldDesc kCreatePixelShaderFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kPixelShader},
    {"code_size", "dwCodeSize", kU32},
};
inline constexpr StructDesc kCreatePixelShader =
    Packed("D3DHAL_DP2CREATEPIXELSHADER", kCreatePixelShaderFields);
static_assert(kCreatePixelShader.size == 8);

inline constexpr FieldDesc kPixelShaderFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kPixelShader},
};
inline constexpr StructDesc kPixelShader = Packed("D3DHAL_DP2PIXELSHADER", kPixelShaderFields);
static_assert(kPixelShader.size == 4);

inline constexpr FieldDesc kSetPixelShaderConstFields[] = {
    {"register", "dwRegister", kU32},
    {"count", "dwCount", kU32},
};
inline constexpr StructDesc kSetPixelShaderConst =
    Packed("D3DHAL_DP2SETPIXELSHADERCONST", kSetPixelShaderConstFields);
static_assert(kSetPixelShaderConst.size == 8);

inline constexpr FieldDesc kClippedTriangleFanFields[] = {
    {"first_vertex_offset", "FirstVertexOffset", kU32},
    {"edge_flags", "dwEdgeFlags", kU32, 1, Meaning::kHex},
    {"primitive_count", "PrimitiveCount", kU32},
};
inline constexpr StructDesc kClippedTriangleFan =
    Packed("D3DHAL_CLIPPEDTRIANGLEFAN", kClippedTriangleFanFields);
static_assert(kClippedTriangleFan.size == 12);

inline constexpr FieldDesc kDrawPrimitive2Fields[] = {
    {"prim_type", "primType", kU32, 1, Meaning::kEnum, &d3d::kPrimitiveTypeNames},
    {"first_vertex_offset", "FirstVertexOffset", kU32},
    {"primitive_count", "PrimitiveCount", kU32},
};
inline constexpr StructDesc kDrawPrimitive2 =
    Packed("D3DHAL_DP2DRAWPRIMITIVE2", kDrawPrimitive2Fields);
static_assert(kDrawPrimitive2.size == 12);

inline constexpr FieldDesc kDrawIndexedPrimitive2Fields[] = {
    {"prim_type", "primType", kU32, 1, Meaning::kEnum, &d3d::kPrimitiveTypeNames},
    {"base_vertex_offset", "BaseVertexOffset", kI32},
    {"min_index", "MinIndex", kU32},
    {"num_vertices", "NumVertices", kU32},
    {"start_index_offset", "StartIndexOffset", kU32},
    {"primitive_count", "PrimitiveCount", kU32},
};
inline constexpr StructDesc kDrawIndexedPrimitive2 =
    Packed("D3DHAL_DP2DRAWINDEXEDPRIMITIVE2", kDrawIndexedPrimitive2Fields);
static_assert(kDrawIndexedPrimitive2.size == 24);

inline constexpr FieldDesc kDrawRectPatchFields[] = {
    {"handle", "Handle", kU32, 1, Meaning::kPatch},
    {"flags", "Flags", kU32, 1, Meaning::kFlags, &d3d::kPatchFlagNames},
};
inline constexpr StructDesc kDrawRectPatch =
    Packed("D3DHAL_DP2DRAWRECTPATCH", kDrawRectPatchFields);
static_assert(kDrawRectPatch.size == 8);

inline constexpr FieldDesc kDrawTriPatchFields[] = {
    {"handle", "Handle", kU32, 1, Meaning::kPatch},
    {"flags", "Flags", kU32, 1, Meaning::kFlags, &d3d::kPatchFlagNames},
};
inline constexpr StructDesc kDrawTriPatch = Packed("D3DHAL_DP2DRAWTRIPATCH", kDrawTriPatchFields);
static_assert(kDrawTriPatch.size == 8);

inline constexpr FieldDesc kVolumeBltFields[] = {
    {"dest_surface", "dwDDDestSurface", kU32, 1, Meaning::kSurface},
    {"src_surface", "dwDDSrcSurface", kU32, 1, Meaning::kSurface},
    {"dest_x", "dwDestX", kU32},
    {"dest_y", "dwDestY", kU32},
    {"dest_z", "dwDestZ", kU32},
    {"src_box", "srcBox", kU32, 6, Meaning::kNumber, nullptr, kBoxParts},
    {"flags", "dwFlags", kU32, 1, Meaning::kHex},
};
inline constexpr StructDesc kVolumeBlt = Packed("D3DHAL_DP2VOLUMEBLT", kVolumeBltFields);
static_assert(kVolumeBlt.size == 48);

inline constexpr FieldDesc kBufferBltFields[] = {
    {"dest_surface", "dwDDDestSurface", kU32, 1, Meaning::kSurface},
    {"src_surface", "dwDDSrcSurface", kU32, 1, Meaning::kSurface},
    {"offset", "dwOffset", kU32},
    {"src_range", "rSrc", kU32, 2, Meaning::kNumber, nullptr, kRangeParts},
    {"flags", "dwFlags", kU32, 1, Meaning::kHex},
};
inline constexpr StructDesc kBufferBlt = Packed("D3DHAL_DP2BUFFERBLT", kBufferBltFields);
static_assert(kBufferBlt.size == 24);

inline constexpr FieldDesc kAddDirtyRectFields[] = {
    {"surface", "dwSurface", kU32, 1, Meaning::kSurface},
    {"dirty_area", "rDirtyArea", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
};
inline constexpr StructDesc kAddDirtyRect = Packed("D3DHAL_DP2ADDDIRTYRECT", kAddDirtyRectFields);
static_assert(kAddDirtyRect.size == 20);

inline constexpr FieldDesc kAddDirtyBoxFields[] = {
    {"surface", "dwSurface", kU32, 1, Meaning::kSurface},
    {"dirty_box", "DirtyBox", kU32, 6, Meaning::kNumber, nullptr, kBoxParts},
};
inline constexpr StructDesc kAddDirtyBox = Packed("D3DHAL_DP2ADDDIRTYBOX", kAddDirtyBoxFields);
static_assert(kAddDirtyBox.size == 28);

inline constexpr FieldDesc kCreateVertexShaderDeclFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kVertexDeclaration},
    {"num_vertex_elements", "dwNumVertexElements", kU32},
};
inline constexpr StructDesc kCreateVertexShaderDecl =
    Packed("D3DHAL_DP2CREATEVERTEXSHADERDECL", kCreateVertexShaderDeclFields);
static_assert(kCreateVertexShaderDecl.size == 8);

inline constexpr FieldDesc kCreateVertexShaderFuncFields[] = {
    {"handle", "dwHandle", kU32, 1, Meaning::kVertexShaderCode},
    {"size", "dwSize", kU32},
};
inline constexpr StructDesc kCreateVertexShaderFunc =
    Packed("D3DHAL_DP2CREATEVERTEXSHADERFUNC", kCreateVertexShaderFuncFields);
static_assert(kCreateVertexShaderFunc.size == 8);

inline constexpr FieldDesc kRectFields[] = {
    {"rect", "rect", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
};
inline constexpr StructDesc kRect = Plain("RECT", kRectFields);
static_assert(kRect.size == 16);

inline constexpr FieldDesc kSetStreamSource2Fields[] = {
    {"stream", "dwStream", kU32},
    {"vb_handle", "dwVBHandle", kU32, 1, Meaning::kSurface},
    {"offset", "dwOffset", kU32},
    {"stride", "dwStride", kU32},
};
inline constexpr StructDesc kSetStreamSource2 =
    Packed("D3DHAL_DP2SETSTREAMSOURCE2", kSetStreamSource2Fields);
static_assert(kSetStreamSource2.size == 16);

inline constexpr FieldDesc kBltFields[] = {
    {"source", "dwSource", kU32, 1, Meaning::kSurface},
    {"source_rect", "rSource", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
    {"source_mip_level", "dwSourceMipLevel", kU32},
    {"dest", "dwDest", kU32, 1, Meaning::kSurface},
    {"dest_rect", "rDest", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
    {"dest_mip_level", "dwDestMipLevel", kU32},
    {"flags", "Flags", kU32, 1, Meaning::kFlags, &d3d::kBltFlagNames},
};
inline constexpr StructDesc kBlt = Packed("D3DHAL_DP2BLT", kBltFields);
static_assert(kBlt.size == 52);

inline constexpr FieldDesc kSurfaceBltFields[] = {
    {"source", "dwSource", kU32, 1, Meaning::kSurface},
    {"source_rect", "rSource", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
    {"source_mip_level", "dwSourceMipLevel", kU32},
    {"dest", "dwDest", kU32, 1, Meaning::kSurface},
    {"dest_rect", "rDest", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
    {"dest_mip_level", "dwDestMipLevel", kU32},
    {"flags", "Flags", kU32, 1, Meaning::kHex},
};
inline constexpr StructDesc kSurfaceBlt = Packed("D3DHAL_DP2SURFACEBLT", kSurfaceBltFields);
static_assert(kSurfaceBlt.size == 52);

inline constexpr FieldDesc kColorFillFields[] = {
    {"surface", "dwSurface", kU32, 1, Meaning::kSurface},
    {"rect", "rRect", kI32, 4, Meaning::kNumber, nullptr, kRectParts},
    {"color", "Color", kU32, 1, Meaning::kColor},
};
inline constexpr StructDesc kColorFill = Packed("D3DHAL_DP2COLORFILL", kColorFillFields);
static_assert(kColorFill.size == 24);

inline constexpr FieldDesc kCreateQueryFields[] = {
    {"query_id", "dwQueryID", kU32, 1, Meaning::kQuery},
    {"query_type", "QueryType", kU32, 1, Meaning::kEnum, &d3d::kQueryTypeNames},
};
inline constexpr StructDesc kCreateQuery = Packed("D3DHAL_DP2CREATEQUERY", kCreateQueryFields);
static_assert(kCreateQuery.size == 8);

inline constexpr FieldDesc kSetRenderTarget2Fields[] = {
    {"rt_index", "RTIndex", kU32},
    {"render_target", "hRenderTarget", kU32, 1, Meaning::kSurface},
};
inline constexpr StructDesc kSetRenderTarget2 =
    Packed("D3DHAL_DP2SETRENDERTARGET2", kSetRenderTarget2Fields);
static_assert(kSetRenderTarget2.size == 8);

inline constexpr FieldDesc kSetDepthStencilFields[] = {
    {"z_buffer", "hZBuffer", kU32, 1, Meaning::kSurface},
};
inline constexpr StructDesc kSetDepthStencil =
    Packed("D3DHAL_DP2SETDEPTHSTENCIL", kSetDepthStencilFields);
static_assert(kSetDepthStencil.size == 4);

inline constexpr FieldDesc kResponseQueryFields[] = {
    {"query_id", "dwQueryID", kU32, 1, Meaning::kQuery},
    {"size", "dwSize", kU32},
};
inline constexpr StructDesc kResponseQuery =
    Packed("D3DHAL_DP2RESPONSEQUERY", kResponseQueryFields);
static_assert(kResponseQuery.size == 8);

inline constexpr FieldDesc kGenerateMipSubLevelsFields[] = {
    {"surface", "hSurface", kU32, 1, Meaning::kSurface},
    {"filter", "Filter", kU32, 1, Meaning::kEnum, &d3d::kTextureFilterNames},
};
inline constexpr StructDesc kGenerateMipSubLevels =
    Packed("D3DHAL_DP2GENERATEMIPSUBLEVELS", kGenerateMipSubLevelsFields);
static_assert(kGenerateMipSubLevels.size == 8);

inline constexpr FieldDesc kDeleteQueryFields[] = {
    {"query_id", "dwQueryID", kU32, 1, Meaning::kQuery},
};
inline constexpr StructDesc kDeleteQuery = Packed("D3DHAL_DP2DELETEQUERY", kDeleteQueryFields);
static_assert(kDeleteQuery.size == 4);

inline constexpr FieldDesc kIssueQueryFields[] = {
    {"query_id", "dwQueryID", kU32, 1, Meaning::kQuery},
    {"flags", "dwFlags", kU32, 1, Meaning::kFlags, &d3d::kIssueFlagNames},
};
inline constexpr StructDesc kIssueQuery = Packed("D3DHAL_DP2ISSUEQUERY", kIssueQueryFields);
static_assert(kIssueQuery.size == 8);

inline constexpr FieldDesc kSetStreamSourceFreqFields[] = {
    {"stream", "dwStream", kU32},
    {"divider", "dwDivider", kU32, 1, Meaning::kHex},
};
inline constexpr StructDesc kSetStreamSourceFreq =
    Packed("D3DHAL_DP2SETSTREAMSOURCEFREQ", kSetStreamSourceFreqFields);
static_assert(kSetStreamSourceFreq.size == 8);

inline constexpr FieldDesc kSetConvolutionKernelMonoFields[] = {
    {"width", "dwWidth", kU32},
    {"height", "dwHeight", kU32},
    {"flags", "dwFlags", kU32, 1, Meaning::kFlags, &kConvolutionFlagNames},
};
inline constexpr StructDesc kSetConvolutionKernelMono =
    Packed("D3DHAL_DP2SETCONVOLUTIONKERNELMONO", kSetConvolutionKernelMonoFields);
static_assert(kSetConvolutionKernelMono.size == 12);

inline constexpr FieldDesc kComposeRectsFields[] = {
    {"src_surface_handle", "SrcSurfaceHandle", kU32, 1, Meaning::kSurface},
    {"dst_surface_handle", "DstSurfaceHandle", kU32, 1, Meaning::kSurface},
    {"src_rect_descs_vb_handle", "SrcRectDescsVBHandle", kU32, 1, Meaning::kSurface},
    {"num_rects", "NumRects", kU32},
    {"dst_rect_descs_vb_handle", "DstRectDescsVBHandle", kU32, 1, Meaning::kSurface},
    {"operation", "Operation", kU32, 1, Meaning::kEnum, &d3d::kComposeRectsOpNames},
    {"x_offset", "XOffset", kI32},
    {"y_offset", "YOffset", kI32},
};
inline constexpr StructDesc kComposeRects = Packed("D3DHAL_DP2COMPOSERECTS", kComposeRectsFields);
static_assert(kComposeRects.size == 32);

// ---------- tails ----------------------------------------------------------------------------------------------------
inline constexpr std::span<const TailDesc> kNoTails = {};

// A tail of `count_field` elements.
constexpr TailDesc Counted(std::string_view name, const StructDesc* element, uint8_t count_field) {
  TailDesc tail{.name = name, .element = element};
  tail.counting = TailCount::kFieldCount;
  tail.count_field = count_field;
  return tail;
}

// A tail of `bytes_field` bytes.
constexpr TailDesc Blob(std::string_view name, uint8_t bytes_field) {
  TailDesc tail{.name = name};
  tail.counting = TailCount::kFieldBytes;
  tail.count_field = bytes_field;
  return tail;
}
constexpr TailDesc ShaderCode(uint8_t bytes_field) {
  TailDesc tail = Blob("code", bytes_field);
  tail.is_shader_code = true;
  return tail;
}

// A tail of `count` elements.
constexpr TailDesc Fixed(std::string_view name, const StructDesc* element, uint32_t count) {
  TailDesc tail{.name = name, .element = element};
  tail.count = count;
  return tail;
}

// mul * count + add vertices of the size that the call names, aligned to 4.
constexpr TailDesc Vertices(uint32_t mul, uint32_t add) {
  TailDesc tail{.name = "vertices"};
  tail.counting = TailCount::kVertices;
  tail.vertex_mul = mul;
  tail.vertex_add = add;
  return tail;
}

// The same tail, present only where a bit of a field is set, or where the field has a value.
constexpr TailDesc IfBit(uint8_t field, uint32_t bit, TailDesc tail) {
  tail.condition = TailCondition::kFieldHasBit;
  tail.condition_field = field;
  tail.condition_value = bit;
  return tail;
}
constexpr TailDesc IfEqual(uint8_t field, uint32_t value, TailDesc tail) {
  tail.condition = TailCondition::kFieldEquals;
  tail.condition_field = field;
  tail.condition_value = value;
  return tail;
}

inline constexpr TailDesc kTriangleFanVertices[] = {Vertices(1, 2)};
inline constexpr TailDesc kLineListVertices[] = {Vertices(2, 0)};
inline constexpr TailDesc kPaletteEntries[] = {Counted("entries", &kPaletteEntry, 2)};
inline constexpr TailDesc kLightTail[] = {
    IfEqual(1, d3d::Value(d3d::SetLightData::Data), Fixed("light", &kLight7, 1))};
inline constexpr TailDesc kVertexShaderTails[] = {Blob("declaration", 1), ShaderCode(2)};
inline constexpr TailDesc kVertexShaderCodeTails[] = {ShaderCode(1)};
inline constexpr TailDesc kPixelShaderTails[] = {ShaderCode(1)};
inline constexpr TailDesc kDeclarationTails[] = {Counted("elements", &kVertexElement9, 1)};
inline constexpr TailDesc kFloatConstants[] = {Counted("values", &kFloat4, 1)};
inline constexpr TailDesc kIntConstants[] = {Counted("values", &kInt4, 1)};
inline constexpr TailDesc kBoolConstants[] = {Counted("values", &kBool, 1)};
inline constexpr TailDesc kRectPatchTails[] = {
    IfBit(1, d3d::Value(d3d::PatchFlag::HasSegs), Fixed("segments", &kFloat, 4)),
    IfBit(1, d3d::Value(d3d::PatchFlag::HasInfo), Fixed("info", &kRectPatchInfo, 1)),
};
inline constexpr TailDesc kTriPatchTails[] = {
    IfBit(1, d3d::Value(d3d::PatchFlag::HasSegs), Fixed("segments", &kFloat, 3)),
    IfBit(1, d3d::Value(d3d::PatchFlag::HasInfo), Fixed("info", &kTriPatchInfo, 1)),
};
inline constexpr TailDesc kConvolutionTails[] = {
    IfBit(2, kRowWeights, Counted("row_weights", &kFloat, 0)),
    IfBit(2, kColWeights, Counted("col_weights", &kFloat, 1)),
};
inline constexpr TailDesc kQueryDataTails[] = {Blob("data", 1)};

// ---------- what a record must hold for its token to have a known length ---------------------------------------------
inline constexpr RecordCheck kAnyRecord = {};
// Other flags than the two known ones may announce more data. Source: lib/opcode/dp2.md 17.1.
inline constexpr RecordCheck kPatchBits = {
    1, ~(d3d::Value(d3d::PatchFlag::HasSegs) | d3d::Value(d3d::PatchFlag::HasInfo)), 0,
    Rule::kDp2Patch001};
// dwSize must be the size of the structure. Source: tests/data/dp2-ops.json, operation 37.
inline constexpr RecordCheck kExtSize = {1, 0xFFFFFFFF, 8, Rule::kDp2Stream015};

}  // namespace dp2trace::opcode::layout
