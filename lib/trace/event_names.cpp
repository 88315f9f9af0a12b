// Name tables of the enumerations and flag words of the events. Those of the D3DKMT structures are in lib/kmt.
// Source: lib/opcode/dp2.md 1.2, 13.2 and 13.5; ddraw.h for the DDSCAPS_, DDLOCK_ and DDPF_ bits that need no explanation there.
#include "trace/events.h"

namespace dp2trace::trace {
namespace {

// A value of an enumeration of the trace format: the name is ours, in lower case (lib/design.md 3).
template <class E>
constexpr EnumValue Named(std::string_view name, E value) {
  return EnumValue{.name = name, .value = static_cast<uint32_t>(value)};
}

// clang-format off
constexpr EnumValue kSurfaceKindValues[] = {
    Named("texture", SurfaceKind::kTexture), Named("target", SurfaceKind::kTarget), Named("depth", SurfaceKind::kDepth),
    Named("plain", SurfaceKind::kPlain), Named("vertex_buffer", SurfaceKind::kVertexBuffer),
    Named("index_buffer", SurfaceKind::kIndexBuffer), Named("command_buffer", SurfaceKind::kCommandBuffer),
};
constexpr EnumValue kOsProfileValues[] = {
    Named("vista", OsProfile::kVista), Named("win7", OsProfile::kWin7), Named("win8", OsProfile::kWin8),
    Named("win10", OsProfile::kWin10),
};
constexpr EnumValue kLengthOriginValues[] = {Named("zero", LengthOrigin::kZero), Named("offset", LengthOrigin::kOffset)};
constexpr EnumValue kDp2HandleModeValues[] = {
    Named("table", Dp2HandleMode::kTable), Named("identity", Dp2HandleMode::kIdentity),
};
constexpr EnumValue kPaletteOrderValues[] = {Named("argb", PaletteOrder::kArgb), Named("rgbx", PaletteOrder::kRgbx)};
constexpr EnumValue kRecordingStartValues[] = {
    Named("beginning", RecordingStart::kBeginning), Named("snapshot", RecordingStart::kSnapshot), Named("bare", RecordingStart::kBare),
};
constexpr EnumValue kPayloadKindValues[] = {
    Named("dp2", PayloadKind::kDp2), Named("opaque", PayloadKind::kOpaque), Named("renderkm", PayloadKind::kRenderKm),
};
constexpr EnumValue kOriginValues[] = {Named("user", Origin::kUser), Named("kernel", Origin::kKernel)};
constexpr EnumValue kVertexSourceValues[] = {
    Named("none", VertexSource::kNone), Named("inline", VertexSource::kInline), Named("allocation", VertexSource::kAllocation),
};
constexpr EnumValue kBindKindValues[] = {
    Named("target", BindKind::kTarget), Named("depth", BindKind::kDepth), Named("texture", BindKind::kTexture),
    Named("volume", BindKind::kVolume), Named("cube", BindKind::kCube), Named("vertex_buffer", BindKind::kVertexBuffer),
    Named("index_buffer", BindKind::kIndexBuffer), Named("system_memory", BindKind::kSystemMemory),
    Named("other", BindKind::kOther),
};
constexpr EnumValue kBltKindValues[] = {
    Named("copy", BltKind::kCopy), Named("color_fill", BltKind::kColorFill), Named("depth_fill", BltKind::kDepthFill),
};
constexpr EnumValue kContextKindValues[] = {Named("legacy", ContextKind::kLegacy), Named("virtual", ContextKind::kVirtual)};
constexpr EnumValue kLostCauseValues[] = {
    Named("none", LostCause::kNone), Named("write", LostCause::kWrite), Named("size", LostCause::kSize), Named("busy", LostCause::kBusy),
    Named("argument", LostCause::kArgument), Named("fault", LostCause::kFault), Named("limit", LostCause::kLimit), Named("room", LostCause::kRoom)};

// Bit f is face f.
constexpr EnumValue kCubeFaceValues[] = {
    {"POSITIVEX", 0x01}, {"NEGATIVEX", 0x02}, {"POSITIVEY", 0x04},
    {"NEGATIVEY", 0x08}, {"POSITIVEZ", 0x10}, {"NEGATIVEZ", 0x20},
};

constexpr EnumValue kDp2CallFlagValues[] = {
    {"USERMEMVERTICES", 0x01}, {"EXECUTEBUFFER", 0x02},  {"SWAPVERTEXBUFFER", 0x04}, {"SWAPCOMMANDBUFFER", 0x08},
    {"REQVERTEXBUFSIZE", 0x10}, {"REQCOMMANDBUFSIZE", 0x20}, {"VIDMEMVERTEXBUF", 0x40}, {"VIDMEMCOMMANDBUF", 0x80},
};

// EXECUTEBUFFER is the DDI's name (ddrawi.h) of DDSCAPS_RESERVED2.
constexpr EnumValue kSurfaceCapsValues[] = {
    {"RESERVED1", 0x00000001},        {"ALPHA", 0x00000002},              {"BACKBUFFER", 0x00000004},
    {"COMPLEX", 0x00000008},          {"FLIP", 0x00000010},               {"FRONTBUFFER", 0x00000020},
    {"OFFSCREENPLAIN", 0x00000040},   {"OVERLAY", 0x00000080},            {"PALETTE", 0x00000100},
    {"PRIMARYSURFACE", 0x00000200},   {"PRIMARYSURFACELEFT", 0x00000400}, {"SYSTEMMEMORY", 0x00000800},
    {"TEXTURE", 0x00001000},          {"3DDEVICE", 0x00002000},           {"VIDEOMEMORY", 0x00004000},
    {"VISIBLE", 0x00008000},          {"WRITEONLY", 0x00010000},          {"ZBUFFER", 0x00020000},
    {"OWNDC", 0x00040000},            {"LIVEVIDEO", 0x00080000},          {"HWCODEC", 0x00100000},
    {"MODEX", 0x00200000},            {"MIPMAP", 0x00400000},             {"EXECUTEBUFFER", 0x00800000},
    {"ALLOCONLOAD", 0x04000000},      {"VIDEOPORT", 0x08000000},          {"LOCALVIDMEM", 0x10000000},
    {"NONLOCALVIDMEM", 0x20000000},   {"STANDARDVGAMODE", 0x40000000},    {"OPTIMIZED", 0x80000000},
};

// VERTEXBUFFER and COMMANDBUFFER are the DDI's names of DDSCAPS2_RESERVED1 and RESERVED2.
constexpr EnumValue kSurfaceCaps2Values[] = {
    {"HARDWAREDEINTERLACE", 0x00000002},   {"HINTDYNAMIC", 0x00000004},        {"HINTSTATIC", 0x00000008},
    {"TEXTUREMANAGE", 0x00000010},         {"VERTEXBUFFER", 0x00000020},       {"COMMANDBUFFER", 0x00000040},
    {"OPAQUE", 0x00000080},                {"HINTANTIALIASING", 0x00000100},   {"CUBEMAP", 0x00000200},
    {"CUBEMAP_POSITIVEX", 0x00000400},     {"CUBEMAP_NEGATIVEX", 0x00000800},  {"CUBEMAP_POSITIVEY", 0x00001000},
    {"CUBEMAP_NEGATIVEY", 0x00002000},     {"CUBEMAP_POSITIVEZ", 0x00004000},  {"CUBEMAP_NEGATIVEZ", 0x00008000},
    {"MIPMAPSUBLEVEL", 0x00010000},        {"D3DTEXTUREMANAGE", 0x00020000},   {"DONOTPERSIST", 0x00040000},
    {"STEREOSURFACELEFT", 0x00080000},     {"VOLUME", 0x00200000},             {"NOTUSERLOCKABLE", 0x00400000},
    {"POINTS", 0x00800000},                {"RTPATCHES", 0x01000000},          {"NPATCHES", 0x02000000},
    {"RESERVED3", 0x04000000},             {"DISCARDBACKBUFFER", 0x10000000},  {"ENABLEALPHACHANNEL", 0x20000000},
    {"EXTENDEDFORMATPRIMARY", 0x40000000}, {"ADDITIONALPRIMARY", 0x80000000},
};

// Bits 0-7 are the sample count and quality: numbers, no flags.
constexpr EnumValue kSurfaceCaps3Values[] = {
    {"RESERVED1", 0x0100},     {"RESERVED2", 0x0200}, {"LIGHTWEIGHTMIPMAP", 0x0400},
    {"AUTOGENMIPMAP", 0x0800}, {"DMAP", 0x1000},      {"CREATESHAREDRESOURCE", 0x2000},
    {"READONLYRESOURCE", 0x4000}, {"OPENSHAREDRESOURCE", 0x8000},
};

// The driver sees DDLOCK_ bits. D3DLOCK_ bits have the same positions, with two exceptions: D3DLOCK_DISCARD is called
// DISCARDCONTENTS, and D3DLOCK_NO_DIRTY_UPDATE (0x8000) arrives as NODIRTYUPDATE.
constexpr EnumValue kSurfaceLockFlagValues[] = {
    {"WAIT", 0x00001},        {"EVENT", 0x00002},           {"READONLY", 0x00010},   {"WRITEONLY", 0x00020},
    {"NOSYSLOCK", 0x00800},   {"NOOVERWRITE", 0x01000},     {"DISCARDCONTENTS", 0x02000},
    {"DONOTWAIT", 0x04000},   {"HASVOLUMETEXTUREBOXRECT", 0x08000}, {"NODIRTYUPDATE", 0x10000},
};

constexpr EnumValue kDdPixelFormatFlagValues[] = {
    {"ALPHAPIXELS", 0x000001},     {"ALPHA", 0x000002},           {"FOURCC", 0x000004},
    {"PALETTEINDEXED4", 0x000008}, {"PALETTEINDEXEDTO8", 0x000010}, {"PALETTEINDEXED8", 0x000020},
    {"RGB", 0x000040},             {"COMPRESSED", 0x000080},      {"RGBTOYUV", 0x000100},
    {"YUV", 0x000200},             {"ZBUFFER", 0x000400},         {"PALETTEINDEXED1", 0x000800},
    {"PALETTEINDEXED2", 0x001000}, {"ZPIXELS", 0x002000},         {"STENCILBUFFER", 0x004000},
    {"ALPHAPREMULT", 0x008000},    {"LUMINANCE", 0x020000},       {"BUMPLUMINANCE", 0x040000},
    {"BUMPDUDV", 0x080000},        {"D3DFORMAT", 0x200000},
};
// clang-format on

}  // namespace

constinit const EnumInfo kSurfaceKindNames = {"surface_kind", false, kSurfaceKindValues};
constinit const EnumInfo kOsProfileNames = {"os_profile", false, kOsProfileValues};
constinit const EnumInfo kLengthOriginNames = {"length_origin", false, kLengthOriginValues};
constinit const EnumInfo kDp2HandleModeNames = {"dp2_handle_mode", false, kDp2HandleModeValues};
constinit const EnumInfo kPaletteOrderNames = {"palette_order", false, kPaletteOrderValues};
constinit const EnumInfo kRecordingStartNames = {"start", false, kRecordingStartValues};
constinit const EnumInfo kPayloadKindNames = {"payload_kind", false, kPayloadKindValues};
constinit const EnumInfo kOriginNames = {"origin", false, kOriginValues};
constinit const EnumInfo kVertexSourceNames = {"vertex_source", false, kVertexSourceValues};
constinit const EnumInfo kBindKindNames = {"bind_kind", false, kBindKindValues};
constinit const EnumInfo kBltKindNames = {"blt_kind", false, kBltKindValues};
constinit const EnumInfo kContextKindNames = {"context_kind", false, kContextKindValues};
constinit const EnumInfo kLostCauseNames = {"lost_cause", false, kLostCauseValues};
constinit const EnumInfo kCubeFaceNames = {"DDSCAPS2_CUBEMAP", true, kCubeFaceValues};
constinit const EnumInfo kDp2CallFlagNames = {"D3DHALDP2", true, kDp2CallFlagValues};
constinit const EnumInfo kSurfaceCapsNames = {"DDSCAPS", true, kSurfaceCapsValues};
constinit const EnumInfo kSurfaceCaps2Names = {"DDSCAPS2", true, kSurfaceCaps2Values};
constinit const EnumInfo kSurfaceCaps3Names = {"DDSCAPS3", true, kSurfaceCaps3Values};
constinit const EnumInfo kSurfaceLockFlagNames = {"DDLOCK", true, kSurfaceLockFlagValues};
constinit const EnumInfo kDdPixelFormatFlagNames = {"DDPF", true, kDdPixelFormatFlagValues};

}  // namespace dp2trace::trace
