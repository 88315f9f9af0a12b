// The events of a trace as data. Each structure names its fields once, in Fields(); the binary form, JSON, the schema, dump and
// the tests are visitors over that list.
//
// Views (Bytes, std::string_view) point into the reader's buffer or the loader's arena and live until the next event is read.
// A field that equals its default is absent from the binary and the JSON form; std::optional is "not recorded".
// Source: lib/design.md 3; lib/kmt/packets.md 1 to 4 and 6; lib/opcode/dp2.md 1 and 13.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/enum_info.h"
#include "d3d/geometry.h"
#include "kmt/flags.h"
#include "kmt/profile.h"

namespace dp2trace::trace {

enum class EventKind : uint16_t {
#define DP2TRACE_EVENT(Type, code, name) k##Type = (code),
#include "trace/events.def"
#undef DP2TRACE_EVENT
};

// How a field is written as text, beyond what its C++ type says.
enum class Form : uint8_t {
  kPlain,     // numbers as numbers, Bytes as base64 (or a side file), text as text
  kHex,       // number printed as "0x..." in dump; a number in JSON
  kEnum,      // a name of `names`; numbers without a name stay numbers
  kFlags,     // array of names of `names`, unknown bits as one number
  kFormat,    // D3DFORMAT: a name of the format table, or a number
  kFvf,       // FVF code: its flag names in dump, a number in JSON
  kCommands,  // Bytes: a DP2 command stream, named tokens, or hex where the bytes are not canonical
  kAllocationList,  // Bytes: D3DDDI_ALLOCATIONLIST elements as objects, or hex
  kPatchList,       // Bytes: D3DDDI_PATCHLOCATIONLIST elements as objects, or hex
  kHexBytes,        // Bytes as hex digits
  kFloatBits,       // u32 that holds an f32
};

struct Field {
  std::string_view name;     // JSON name
  std::string_view meaning;  // with its unit, for who fills it in
  Form form = Form::kPlain;
  const EnumInfo* names = nullptr;  // for kEnum and kFlags
};

extern const EnumInfo kSurfaceKindNames;
extern const EnumInfo kOsProfileNames;
extern const EnumInfo kLengthOriginNames;
extern const EnumInfo kDp2HandleModeNames;
extern const EnumInfo kPaletteOrderNames;
extern const EnumInfo kRecordingStartNames;
extern const EnumInfo kPayloadKindNames;
extern const EnumInfo kOriginNames;
extern const EnumInfo kVertexSourceNames;
extern const EnumInfo kBindKindNames;
extern const EnumInfo kBltKindNames;
extern const EnumInfo kContextKindNames;
extern const EnumInfo kLostCauseNames;
extern const EnumInfo kCubeFaceNames;  // flags: bit f = face f, in the order +X, -X, +Y, -Y, +Z, -Z
extern const EnumInfo kDp2CallFlagNames;      // D3DHALDP2_*
extern const EnumInfo kSurfaceCapsNames;      // DDSCAPS_*
extern const EnumInfo kSurfaceCaps2Names;     // DDSCAPS2_* of dwCaps2
extern const EnumInfo kSurfaceCaps3Names;     // DDSCAPS3_*, the multisample fields left as numbers
extern const EnumInfo kSurfaceLockFlagNames;  // DDLOCK_* / D3DLOCK_*
extern const EnumInfo kDdPixelFormatFlagNames;  // DDPF_*

using kmt::kClientHintNames;
using kmt::kCreateAllocationFlagNames;
using kmt::kCreateContextFlagNames;
using kmt::kCreateDeviceFlagNames;
using kmt::kKmtLockFlagNames;
using kmt::kPresentFlagNames;
using kmt::kRenderFlagNames;
using kmt::kSignalFlagNames;
using kmt::kSubmitFlagNames;
using kmt::kSyncTypeNames;
using kmt::OsProfile;

enum class LengthOrigin : uint32_t { kZero, kOffset };
enum class Dp2HandleMode : uint32_t { kTable, kIdentity };
enum class PaletteOrder : uint32_t { kArgb, kRgbx };
// Where a recording began: with the first object, with all live objects and the state, or in the middle.
enum class RecordingStart : uint32_t { kBeginning, kSnapshot, kBare };
enum class PayloadKind : uint32_t { kDp2, kOpaque, kRenderKm };
enum class Origin : uint32_t { kUser, kKernel };
enum class VertexSource : uint32_t { kNone, kInline, kAllocation };
enum class BindKind : uint32_t {
  kTarget,
  kDepth,
  kTexture,
  kVolume,
  kCube,
  kVertexBuffer,
  kIndexBuffer,
  kSystemMemory,
  kOther
};
enum class BltKind : uint32_t { kCopy, kColorFill, kDepthFill };
enum class ContextKind : uint32_t { kLegacy, kVirtual };
// Why a recorder lost events: its callback failed, an event is too large for a file, a call came while another one was being recorded, the
// call made no sense, memory was not there while it was read, a limit that the recorder was given.
enum class LostCause : uint32_t { kNone, kWrite, kSize, kBusy, kArgument, kFault, kLimit, kRoom };

using d3d::Box;
using d3d::ColorKey;
using d3d::PixelFormat;
using d3d::Range;
using d3d::Rect;
using d3d::SurfaceKind;

// Fields of several structures.
namespace fields {
inline constexpr Field kSpace{
    "space",
    "which handles are meant: one number for each DirectDraw object or KMT device whose handles overlap"};
inline constexpr Field kD3dContext{"context", "dwhContext"};
inline constexpr Field kRuntimeVersion{
    "runtime_version",
    "interface of the application: 0 is 3.0, 1 is 5.0, 2 is 6.0, 3 is 7.0, 4 is 8.0, 5 is 9.0"};
inline constexpr Field kPureDevice{"pure_device", "D3DCREATE_PUREDEVICE"};
inline constexpr Field kProcess{"process",
                                "number of the process, as the recorder counts or names them"};
inline constexpr Field kDdrval{"ddrval", "HRESULT that the call returned", Form::kHex};
inline constexpr Field kFace{"face", "face of a cube map, 0 to 5: +X, -X, +Y, -Y, +Z, -Z"};
inline constexpr Field kLevel{"level", "mip level, 0 is the largest"};
inline constexpr Field kHandle{"handle",
                               "handle of the surface, or of one of its levels and faces"};
inline constexpr Field kRect{"rect", "pixels of the level; without it the whole level"};
inline constexpr Field kBox{"box", "pixels and slices of a level of a volume"};
inline constexpr Field kRange{"range", "bytes of a buffer"};
inline constexpr Field kLockFlags{"flags", "DDLOCK flags of the lock", Form::kFlags,
                                  &kSurfaceLockFlagNames};
inline constexpr Field kVertexType{
    "vertex_type", "FVF of the vertices; 0 with a declaration or a shader", Form::kFvf};
inline constexpr Field kVertexSize{"vertex_size", "bytes from vertex to vertex, dwVertexSize"};
inline constexpr Field kVertexOffset{"vertex_offset",
                                     "bytes into the vertex buffer, dwVertexOffset"};
inline constexpr Field kVertexLength{
    "vertex_length", "number of vertices, dwVertexLength; without it as many as the bytes hold"};
inline constexpr Field kErrorOffset{
    "error_offset",
    "dwErrorOffset after the call: bytes into the command buffer, of the token that failed"};
inline constexpr Field kFlagsOut{"flags_out", "dwFlags after the call, where it differs",
                                 Form::kFlags, &kDp2CallFlagNames};
inline constexpr Field kCommandsPointerOut{
    "commands_pointer_out", "lpDDCommands after the call, where the driver gave another buffer",
    Form::kHex};
inline constexpr Field kVerticesPointerOut{
    "vertices_pointer_out", "lpDDVertex after the call, where the driver gave another buffer",
    Form::kHex};
inline constexpr Field kResponse{"response", "bytes that the driver wrote for queries (level 9)",
                                 Form::kHexBytes};
inline constexpr Field kOrigin{"origin", "who made the call, an application or the kernel",
                               Form::kEnum, &kOriginNames};
inline constexpr Field kPayload{"payload", "what the command buffer holds", Form::kEnum,
                                &kPayloadKindNames};
inline constexpr Field kSubmittingContext{
    "context", "hContext, or hDevice with the implicit context", Form::kHex};
inline constexpr Field kPresentHistoryToken{"present_history_token", "PresentHistoryToken",
                                            Form::kHex};
inline constexpr Field kBroadcastContext{
    "broadcast_context", "hContext of each context that gets the packet, too", Form::kHex};
inline constexpr Field kRawOut{"raw_out", "the structure after the call, byte for byte",
                               Form::kHexBytes};
inline constexpr Field kStatus{"status", "NTSTATUS that the call returned", Form::kHex};
inline constexpr Field kOut{"out", "buffer and lists that the call returned for the next packet"};
inline constexpr Field kQueuedBufferCount{"queued_buffer_count",
                                          "QueuedBufferCount after the call: packets that wait"};
inline constexpr Field kNewCommandBufferOut{
    "new_command_buffer_out", "NewCommandBuffer after the call, a GPU virtual address", Form::kHex};
inline constexpr Field kAdapter{"adapter", "hAdapter of D3DKMT", Form::kHex};
inline constexpr Field kDevice{"device", "hDevice of D3DKMT", Form::kHex};
inline constexpr Field kKmtContext{"context", "hContext of D3DKMT", Form::kHex};
inline constexpr Field kPrivateDriverData{"private_driver_data", "bytes of the driver's own"};
inline constexpr Field kAllocation{"allocation", "hAllocation", Form::kHex};
inline constexpr Field kAllocations{"allocations", "hAllocation of each", Form::kHex};
inline constexpr Field kSync{"sync", "hSyncObject", Form::kHex};
inline constexpr Field kResources{"resources", "hResource of each", Form::kHex};
inline constexpr Field kObjects{"objects", "hSyncObject of each, 1 to 32", Form::kHex};
}  // namespace fields

// The fields of a structure, in the order of both forms: its own Fields(), and those of the plain types of d3d.
template <class T>
struct FieldsOf {
  template <class V, class U = T>
  static auto Visit(V&& v) -> decltype(U::Fields(v)) {
    U::Fields(v);
  }
};
template <>
struct FieldsOf<Rect> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"left", "first column"}, &Rect::left);
    v(Field{"top", "first row"}, &Rect::top);
    v(Field{"right", "column after the last one"}, &Rect::right);
    v(Field{"bottom", "row after the last one"}, &Rect::bottom);
  }
};
template <>
struct FieldsOf<Box> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"left", "first column"}, &Box::left);
    v(Field{"top", "first row"}, &Box::top);
    v(Field{"right", "column after the last one"}, &Box::right);
    v(Field{"bottom", "row after the last one"}, &Box::bottom);
    v(Field{"front", "first slice"}, &Box::front);
    v(Field{"back", "slice after the last one"}, &Box::back);
  }
};
template <>
struct FieldsOf<Range> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"offset", "first byte"}, &Range::offset);
    v(Field{"size", "number of bytes"}, &Range::size);
  }
};
template <>
struct FieldsOf<ColorKey> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"low", "lowest value in the format of the surface", Form::kHex}, &ColorKey::low);
    v(Field{"high", "highest value", Form::kHex}, &ColorKey::high);
  }
};
template <>
struct FieldsOf<PixelFormat> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"size", "dwSize, 32 bytes"}, &PixelFormat::size);
    v(Field{"flags", "dwFlags", Form::kFlags, &kDdPixelFormatFlagNames}, &PixelFormat::flags);
    v(Field{"four_cc", "dwFourCC, or the number of a D3DFORMAT", Form::kHex},
      &PixelFormat::four_cc);
    v(Field{"bit_count", "bits of a pixel, dwRGBBitCount or dwZBitDepth"}, &PixelFormat::bit_count);
    v(Field{"red_mask", "bits of red, of luminance or of dU; of a depth format dwStencilBitDepth",
            Form::kHex},
      &PixelFormat::red_mask);
    v(Field{"green_mask", "bits of green, of dV or of depth", Form::kHex},
      &PixelFormat::green_mask);
    v(Field{"blue_mask", "bits of blue, of bump luminance or of stencil", Form::kHex},
      &PixelFormat::blue_mask);
    v(Field{"alpha_mask", "bits of alpha", Form::kHex}, &PixelFormat::alpha_mask);
  }
};
// Calls the visitor with each field of T and its member pointer.
template <class T, class V>
auto VisitFields(V&& v) -> decltype(FieldsOf<T>::Visit(v)) {
  FieldsOf<T>::Visit(v);
}

// One advertised capability: a member of D3DCAPS9 by its snake_case name.
struct CapValue {
  std::string_view name;
  uint32_t value = 0;
  bool operator==(const CapValue&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"name", "member of D3DCAPS9 in snake_case, as max_texture_width"}, &CapValue::name);
    v(Field{"value", "its 32 bits; of a float the bits of the float"}, &CapValue::value);
  }
};

struct Header {
  std::string_view generator;
  uint32_t driver_level = 9;
  bool d3d9ex = false;
  uint32_t pointer_width = 32;
  OsProfile os_profile = OsProfile::kWin10;
  LengthOrigin length_origin = LengthOrigin::kZero;
  Dp2HandleMode dp2_handle_mode = Dp2HandleMode::kTable;
  PaletteOrder palette_order = PaletteOrder::kArgb;
  std::vector<CapValue> caps;
  std::vector<uint32_t> cap_formats;
  RecordingStart start = RecordingStart::kBeginning;
  Bytes raw_caps;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"generator", "name and version of the recorder"}, &Header::generator);
    v(Field{"driver_level", "level of the driver interface, 6 to 9"}, &Header::driver_level);
    v(Field{"d3d9ex", "a driver of Direct3D 9Ex"}, &Header::d3d9ex);
    v(Field{"pointer_width", "bits of a pointer in the recorded structures, 32 or 64"},
      &Header::pointer_width);
    v(Field{"os_profile", "Windows version, which says which fields the structures of D3DKMT have",
            Form::kEnum, &kOsProfileNames},
      &Header::os_profile);
    v(Field{"length_origin",
            "where CommandLength of a packet counts from: the start of the buffer, or CommandOffset",
            Form::kEnum, &kLengthOriginNames},
      &Header::length_origin);
    v(Field{"dp2_handle_mode",
            "what a handle in a packet's tokens is: a number that `dp2_bind` ties to an allocation, or the allocation itself",
            Form::kEnum, &kDp2HandleModeNames},
      &Header::dp2_handle_mode);
    v(Field{"palette_order", "order of the bytes of palette entries: 0xAARRGGBB, or red first",
            Form::kEnum, &kPaletteOrderNames},
      &Header::palette_order);
    v(Field{"caps", "capabilities that the device advertises; empty: not recorded"}, &Header::caps);
    v(Field{"formats", "D3DFORMAT values that the device advertises", Form::kFormat},
      &Header::cap_formats);
    v(Field{"start",
            "where the recording begins: with the first object, with all live objects and their state, or in the middle",
            Form::kEnum, &kRecordingStartNames},
      &Header::start);
    v(Field{"raw_caps",
            "D3DCAPS8 or D3DCAPS9 as the driver fills it; `caps` replaces members of it",
            Form::kHexBytes},
      &Header::raw_caps);
  }
};

// D3dContextCreate.
struct ContextCreate {
  uint32_t space = 0;
  uint64_t context = 0;
  uint32_t target = 0;
  uint32_t depth = 0;
  uint32_t runtime_version = 5;
  bool pure_device = false;
  uint32_t process = 0;
  std::optional<uint32_t> ddrval;
  bool operator==(const ContextCreate&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &ContextCreate::space);
    v(fields::kD3dContext, &ContextCreate::context);
    v(Field{"target", "handle of the render target"}, &ContextCreate::target);
    v(Field{"depth", "handle of the depth surface; 0: none"}, &ContextCreate::depth);
    v(fields::kRuntimeVersion, &ContextCreate::runtime_version);
    v(fields::kPureDevice, &ContextCreate::pure_device);
    v(fields::kProcess, &ContextCreate::process);
    v(fields::kDdrval, &ContextCreate::ddrval);
  }
};

struct ContextDestroy {
  uint32_t space = 0;
  uint64_t context = 0;
  bool operator==(const ContextDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &ContextDestroy::space);
    v(fields::kD3dContext, &ContextDestroy::context);
  }
};

// A handle of a mip level or cube face below the root of a surface, and where the record differs from what the root implies.
struct SubSurface {
  uint32_t handle = 0;
  uint32_t face = 0;
  uint32_t level = 0;
  std::optional<uint32_t> caps2;
  std::optional<uint32_t> width;
  std::optional<uint32_t> height;
  std::optional<uint32_t> pitch;
  bool operator==(const SubSurface&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"handle", "handle of this level or face; 0: it has none of its own"},
      &SubSurface::handle);
    v(fields::kFace, &SubSurface::face);
    v(fields::kLevel, &SubSurface::level);
    v(Field{"caps2", "dwCaps2, where it differs from what the root implies", Form::kFlags,
            &kSurfaceCaps2Names},
      &SubSurface::caps2);
    v(Field{"width", "pixels, where it differs from what the root implies"}, &SubSurface::width);
    v(Field{"height", "pixels, where it differs from what the root implies"}, &SubSurface::height);
    v(Field{"pitch", "bytes from row to row"}, &SubSurface::pitch);
  }
};

// D3dCreateSurfaceEx (and CreateD3DBuffer): one event per root surface.
struct SurfaceCreate {
  uint32_t space = 0;
  uint32_t handle = 0;
  SurfaceKind kind = SurfaceKind::kTexture;
  uint32_t caps = 0, caps2 = 0, caps3 = 0, caps4 = 0;
  uint32_t format = 0;
  std::optional<PixelFormat> pixel_format;
  uint32_t width = 0;
  uint32_t height = 1;
  uint32_t depth = 1;
  uint32_t levels = 1;
  uint32_t faces = 0;
  uint32_t samples = 0;
  uint32_t sample_quality = 0;
  std::optional<uint32_t> pitch;
  std::optional<ColorKey> color_key;
  uint32_t empty_face_color = 0;
  std::vector<uint32_t> flip_chain;
  std::vector<SubSurface> sub_surfaces;
  bool operator==(const SurfaceCreate&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &SurfaceCreate::space);
    v(Field{"handle", "handle of the root surface"}, &SurfaceCreate::handle);
    v(Field{"kind", "what the surface is", Form::kEnum, &kSurfaceKindNames}, &SurfaceCreate::kind);
    v(Field{"caps", "dwCaps of DDSCAPSEX", Form::kFlags, &kSurfaceCapsNames}, &SurfaceCreate::caps);
    v(Field{"caps2", "dwCaps2", Form::kFlags, &kSurfaceCaps2Names}, &SurfaceCreate::caps2);
    v(Field{"caps3", "dwCaps3", Form::kFlags, &kSurfaceCaps3Names}, &SurfaceCreate::caps3);
    v(Field{"caps4", "dwCaps4, of a volume its depth", Form::kHex}, &SurfaceCreate::caps4);
    v(Field{"format", "D3DFORMAT; 0 where `pixel_format` describes it", Form::kFormat},
      &SurfaceCreate::format);
    v(Field{"pixel_format", "DDPIXELFORMAT as given"}, &SurfaceCreate::pixel_format);
    v(Field{"width", "pixels; bytes of a buffer"}, &SurfaceCreate::width);
    v(Field{"height", "pixels; 1 of a buffer"}, &SurfaceCreate::height);
    v(Field{"depth", "slices of a volume, which has DDSCAPS2_VOLUME, too"}, &SurfaceCreate::depth);
    v(Field{"levels", "number of mip levels, 1 without any below the root"},
      &SurfaceCreate::levels);
    v(Field{"faces", "cube faces that exist; 0: not a cube map", Form::kFlags, &kCubeFaceNames},
      &SurfaceCreate::faces);
    v(Field{"samples", "samples of a pixel; 0: not multisampled"}, &SurfaceCreate::samples);
    v(Field{"sample_quality", "quality level of the multisampling"},
      &SurfaceCreate::sample_quality);
    v(Field{"pitch", "bytes from row to row of level 0"}, &SurfaceCreate::pitch);
    v(Field{"color_key", "source colour key"}, &SurfaceCreate::color_key);
    v(Field{"empty_face_color", "dwEmptyFaceColor, of cube faces that do not exist", Form::kHex},
      &SurfaceCreate::empty_face_color);
    v(Field{"flip_chain", "handles of the back buffers, in the order in which they are shown"},
      &SurfaceCreate::flip_chain);
    v(Field{"sub_surfaces",
            "levels and faces that have a handle of their own, or differ from what the root implies"},
      &SurfaceCreate::sub_surfaces);
  }
};

struct SurfaceDestroy {
  uint32_t space = 0;
  uint32_t handle = 0;
  bool operator==(const SurfaceDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &SurfaceDestroy::space);
    v(Field{"handle", "handle of the root, of a level or a face"}, &SurfaceDestroy::handle);
  }
};

// Bytes written by the CPU (lock, write, unlock). At most one of rect, box and range; none = the whole level.
struct SurfaceUpdate {
  uint32_t space = 0;
  uint32_t handle = 0;
  uint32_t face = 0;
  uint32_t level = 0;
  std::optional<Rect> rect;
  std::optional<Box> box;
  std::optional<Range> range;
  std::optional<uint32_t> pitch;
  std::optional<uint32_t> slice_pitch;
  uint32_t flags = 0;
  Bytes data;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &SurfaceUpdate::space);
    v(fields::kHandle, &SurfaceUpdate::handle);
    v(fields::kFace, &SurfaceUpdate::face);
    v(fields::kLevel, &SurfaceUpdate::level);
    v(fields::kRect, &SurfaceUpdate::rect);
    v(fields::kBox, &SurfaceUpdate::box);
    v(fields::kRange, &SurfaceUpdate::range);
    v(Field{"pitch",
            "bytes from row to row of `data` (of blocks, where the format has them); without it rows follow each other"},
      &SurfaceUpdate::pitch);
    v(Field{"slice_pitch",
            "bytes from slice to slice of `data`; without it slices follow each other"},
      &SurfaceUpdate::slice_pitch);
    v(fields::kLockFlags, &SurfaceUpdate::flags);
    v(Field{"data", "the bytes that the CPU wrote"}, &SurfaceUpdate::data);
  }
};

// The CPU read this area here (a read-only lock).
struct SurfaceRead {
  uint32_t space = 0;
  uint32_t handle = 0;
  uint32_t face = 0;
  uint32_t level = 0;
  std::optional<Rect> rect;
  std::optional<Box> box;
  std::optional<Range> range;
  uint32_t flags = 0;
  bool operator==(const SurfaceRead&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &SurfaceRead::space);
    v(fields::kHandle, &SurfaceRead::handle);
    v(fields::kFace, &SurfaceRead::face);
    v(fields::kLevel, &SurfaceRead::level);
    v(fields::kRect, &SurfaceRead::rect);
    v(fields::kBox, &SurfaceRead::box);
    v(fields::kRange, &SurfaceRead::range);
    v(fields::kLockFlags, &SurfaceRead::flags);
  }
};

// One D3dDrawPrimitives2 call: D3DHAL_DRAWPRIMITIVES2DATA before and after, and the bytes that it pointed to.
struct Dp2 {
  uint32_t space = 0;
  uint64_t context = 0;
  uint32_t flags = 0;
  uint32_t vertex_type = 0;
  uint32_t vertex_size = 0;
  uint32_t vertex_offset = 0;
  std::optional<uint32_t> vertex_length;
  uint32_t command_offset = 0;
  std::optional<uint32_t> command_length;
  std::optional<uint32_t> command_buffer_size;
  std::optional<uint32_t> vertex_buffer_size;
  uint32_t vertex_buffer = 0;
  uint32_t req_vertex_buf_size = 0;
  uint32_t req_command_buf_size = 0;
  uint64_t commands_pointer = 0;
  uint64_t vertices_pointer = 0;
  uint64_t rstates_pointer = 0;
  Bytes commands;
  Bytes vertices;
  Bytes rstates;
  std::optional<uint32_t> ddrval;
  uint32_t error_offset = 0;
  std::optional<uint32_t> flags_out;
  uint64_t commands_pointer_out = 0;
  uint64_t vertices_pointer_out = 0;
  Bytes response;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &Dp2::space);
    v(fields::kD3dContext, &Dp2::context);
    v(Field{"flags", "dwFlags before the call", Form::kFlags, &kDp2CallFlagNames}, &Dp2::flags);
    v(fields::kVertexType, &Dp2::vertex_type);
    v(fields::kVertexSize, &Dp2::vertex_size);
    v(fields::kVertexOffset, &Dp2::vertex_offset);
    v(fields::kVertexLength, &Dp2::vertex_length);
    v(Field{"command_offset", "dwCommandOffset, bytes"}, &Dp2::command_offset);
    v(Field{"command_length", "dwCommandLength, bytes; without it all of `commands`"},
      &Dp2::command_length);
    v(Field{"command_buffer_size", "bytes of the surface that the commands are in"},
      &Dp2::command_buffer_size);
    v(Field{"vertex_buffer_size", "bytes of the buffer that the vertices are in"},
      &Dp2::vertex_buffer_size);
    v(Field{"vertex_buffer",
            "handle of lpDDVertex; 0: the vertices are in user memory, or there are none"},
      &Dp2::vertex_buffer);
    v(Field{"req_vertex_buf_size", "dwReqVertexBufSize, bytes"}, &Dp2::req_vertex_buf_size);
    v(Field{"req_command_buf_size", "dwReqCommandBufSize, bytes"}, &Dp2::req_command_buf_size);
    v(Field{"commands_pointer", "lpDDCommands, kept as a number", Form::kHex},
      &Dp2::commands_pointer);
    v(Field{"vertices_pointer", "lpDDVertex or lpVertices, kept as a number", Form::kHex},
      &Dp2::vertices_pointer);
    v(Field{"rstates_pointer", "lpdwRStates, kept as a number", Form::kHex}, &Dp2::rstates_pointer);
    v(Field{"commands", "the tokens, from dwCommandOffset on", Form::kCommands}, &Dp2::commands);
    v(Field{"vertices", "the vertices in user memory, from dwVertexOffset on"}, &Dp2::vertices);
    v(Field{"rstates", "lpdwRStates before the call, 4 bytes of each render state"}, &Dp2::rstates);
    v(fields::kDdrval, &Dp2::ddrval);
    v(fields::kErrorOffset, &Dp2::error_offset);
    v(fields::kFlagsOut, &Dp2::flags_out);
    v(fields::kCommandsPointerOut, &Dp2::commands_pointer_out);
    v(fields::kVerticesPointerOut, &Dp2::vertices_pointer_out);
    v(fields::kResponse, &Dp2::response);
  }
};

// What a DP2 call carries outside the token stream, for a render event (lib/kmt/packets.md 6.7).
struct Dp2Env {
  uint32_t flags = 0;
  uint32_t vertex_type = 0;
  uint32_t vertex_size = 0;
  uint32_t vertex_offset = 0;
  std::optional<uint32_t> vertex_length;
  VertexSource vertex_source = VertexSource::kNone;
  Bytes vertices;
  uint32_t allocation_index = 0;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"flags", "dwFlags of the call", Form::kFlags, &kDp2CallFlagNames}, &Dp2Env::flags);
    v(fields::kVertexType, &Dp2Env::vertex_type);
    v(fields::kVertexSize, &Dp2Env::vertex_size);
    v(fields::kVertexOffset, &Dp2Env::vertex_offset);
    v(fields::kVertexLength, &Dp2Env::vertex_length);
    v(Field{"vertex_source", "where the vertices are", Form::kEnum, &kVertexSourceNames},
      &Dp2Env::vertex_source);
    v(Field{"vertices", "the vertices, with `inline`"}, &Dp2Env::vertices);
    v(Field{"allocation_index",
            "element of the allocation list that holds the vertices, with `allocation`"},
      &Dp2Env::allocation_index);
  }
};

// The triple that a context writes into: buffer, allocation list, patch list. Pointers are numbers, sizes bytes and elements.
struct Triple {
  uint64_t command_buffer = 0;
  uint32_t command_buffer_size = 0;
  uint64_t allocation_list = 0;
  uint32_t allocation_list_size = 0;
  uint64_t patch_location_list = 0;
  uint32_t patch_location_list_size = 0;
  bool operator==(const Triple&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"command_buffer", "pointer to the command buffer, kept as a number", Form::kHex},
      &Triple::command_buffer);
    v(Field{"command_buffer_size", "bytes"}, &Triple::command_buffer_size);
    v(Field{"allocation_list", "pointer to the allocation list, kept as a number", Form::kHex},
      &Triple::allocation_list);
    v(Field{"allocation_list_size", "elements"}, &Triple::allocation_list_size);
    v(Field{"patch_location_list", "pointer to the patch location list, kept as a number",
            Form::kHex},
      &Triple::patch_location_list);
    v(Field{"patch_location_list_size", "elements"}, &Triple::patch_location_list_size);
  }
};

// One D3DKMTRender call: D3DKMT_RENDER in and out, and the submitted triple.
struct Render {
  uint32_t space = 0;
  uint32_t process = 0;
  uint32_t thread = 0;
  Origin origin = Origin::kUser;
  PayloadKind payload = PayloadKind::kDp2;
  uint32_t context = 0;
  uint32_t command_offset = 0;
  std::optional<uint32_t> command_length;
  std::optional<uint32_t> allocation_count;
  std::optional<uint32_t> patch_location_count;
  uint64_t new_command_buffer_pointer = 0;
  uint32_t new_command_buffer_size = 0;
  uint64_t new_allocation_list_pointer = 0;
  uint32_t new_allocation_list_size = 0;
  uint64_t new_patch_location_list_pointer = 0;
  uint32_t new_patch_location_list_size = 0;
  uint32_t flags = 0;
  uint64_t present_history_token = 0;
  uint32_t broadcast_context_count = 0;
  std::vector<uint32_t> broadcast_context;
  std::optional<uint64_t> new_command_buffer;
  std::optional<uint64_t> private_driver_data;
  std::optional<uint32_t> private_driver_data_size;
  Bytes command_buffer;
  Bytes allocation_list;
  Bytes patch_location_list;
  Bytes raw_in;
  Bytes raw_out;
  std::optional<uint32_t> status;
  std::optional<Triple> out;
  uint32_t queued_buffer_count = 0;
  std::optional<uint64_t> new_command_buffer_out;
  std::optional<Dp2Env> dp2_env;
  std::optional<Triple> buffers;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &Render::space);
    v(fields::kProcess, &Render::process);
    v(Field{"thread", "number of the thread"}, &Render::thread);
    v(fields::kOrigin, &Render::origin);
    v(fields::kPayload, &Render::payload);
    v(fields::kSubmittingContext, &Render::context);
    v(Field{"command_offset", "CommandOffset, bytes"}, &Render::command_offset);
    v(Field{"command_length", "CommandLength, bytes; without it as many as `command_buffer` has"},
      &Render::command_length);
    v(Field{"allocation_count", "AllocationCount; without it the elements of `allocation_list`"},
      &Render::allocation_count);
    v(Field{"patch_location_count",
            "PatchLocationCount; without it the elements of `patch_location_list`"},
      &Render::patch_location_count);
    v(Field{"new_command_buffer_pointer", "pNewCommandBuffer before the call", Form::kHex},
      &Render::new_command_buffer_pointer);
    v(Field{"new_command_buffer_size", "NewCommandBufferSize before the call, bytes"},
      &Render::new_command_buffer_size);
    v(Field{"new_allocation_list_pointer", "pNewAllocationList before the call", Form::kHex},
      &Render::new_allocation_list_pointer);
    v(Field{"new_allocation_list_size", "NewAllocationListSize before the call, elements"},
      &Render::new_allocation_list_size);
    v(Field{"new_patch_location_list_pointer", "pNewPatchLocationList before the call", Form::kHex},
      &Render::new_patch_location_list_pointer);
    v(Field{"new_patch_location_list_size", "NewPatchLocationListSize before the call, elements"},
      &Render::new_patch_location_list_size);
    v(Field{"flags", "D3DKMT_RENDERFLAGS", Form::kFlags, &kRenderFlagNames}, &Render::flags);
    v(fields::kPresentHistoryToken, &Render::present_history_token);
    v(Field{"broadcast_context_count", "BroadcastContextCount, 0 to 64"},
      &Render::broadcast_context_count);
    v(fields::kBroadcastContext, &Render::broadcast_context);
    v(Field{"new_command_buffer",
            "NewCommandBuffer before the call, a GPU virtual address; Vista has none", Form::kHex},
      &Render::new_command_buffer);
    v(Field{"private_driver_data", "pPrivateDriverData, kept as a number", Form::kHex},
      &Render::private_driver_data);
    v(Field{"private_driver_data_size", "PrivateDriverDataSize, bytes"},
      &Render::private_driver_data_size);
    v(Field{"command_buffer",
            "the command buffer from its first byte, with what stands before CommandOffset",
            Form::kCommands},
      &Render::command_buffer);
    v(Field{"allocation_list", "the allocation list, 8 bytes an element", Form::kAllocationList},
      &Render::allocation_list);
    v(Field{"patch_location_list", "the patch location list, 24 bytes an element",
            Form::kPatchList},
      &Render::patch_location_list);
    v(Field{"raw_in", "D3DKMT_RENDER before the call, byte for byte", Form::kHexBytes},
      &Render::raw_in);
    v(fields::kRawOut, &Render::raw_out);
    v(fields::kStatus, &Render::status);
    v(fields::kOut, &Render::out);
    v(fields::kQueuedBufferCount, &Render::queued_buffer_count);
    v(fields::kNewCommandBufferOut, &Render::new_command_buffer_out);
    v(Field{"dp2_env", "what a DP2 call carries outside of its tokens"}, &Render::dp2_env);
    v(Field{"buffers",
            "where buffer and lists were written; a pointer or a size of 0 is not recorded"},
      &Render::buffers);
  }
};

// A DirectDraw blit or fill outside the stream (DdBlt).
struct Blt {
  uint32_t space = 0;
  BltKind kind = BltKind::kCopy;
  uint32_t src = 0;
  uint32_t src_face = 0;
  uint32_t src_level = 0;
  std::optional<Rect> src_rect;
  uint32_t dest = 0;
  uint32_t dest_face = 0;
  uint32_t dest_level = 0;
  std::optional<Rect> dest_rect;
  uint32_t flags = 0;
  std::optional<ColorKey> src_color_key;
  std::optional<ColorKey> dest_color_key;
  uint32_t fill = 0;
  std::optional<uint32_t> ddrval;
  bool operator==(const Blt&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &Blt::space);
    v(Field{"kind", "a copy or a fill", Form::kEnum, &kBltKindNames}, &Blt::kind);
    v(Field{"src", "handle of the source"}, &Blt::src);
    v(Field{"src_face", "face of the source, 0 to 5"}, &Blt::src_face);
    v(Field{"src_level", "level of the source"}, &Blt::src_level);
    v(Field{"src_rect", "pixels of the source; without it the whole level"}, &Blt::src_rect);
    v(Field{"dest", "handle of the destination"}, &Blt::dest);
    v(Field{"dest_face", "face of the destination, 0 to 5"}, &Blt::dest_face);
    v(Field{"dest_level", "level of the destination"}, &Blt::dest_level);
    v(Field{"dest_rect", "pixels of the destination; without it the whole level"}, &Blt::dest_rect);
    v(Field{"flags", "DDBLT flags", Form::kHex}, &Blt::flags);
    v(Field{"src_color_key", "with DDBLT_KEYSRCOVERRIDE"}, &Blt::src_color_key);
    v(Field{"dest_color_key", "with DDBLT_KEYDESTOVERRIDE"}, &Blt::dest_color_key);
    v(Field{"fill", "value of a fill, in the format of the destination", Form::kHex}, &Blt::fill);
    v(fields::kDdrval, &Blt::ddrval);
  }
};

// Frame boundary: the surface and area that is shown. Changes no state.
struct Present {
  uint32_t space = 0;
  uint32_t handle = 0;
  std::optional<Rect> rect;
  bool operator==(const Present&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &Present::space);
    v(Field{"handle", "handle of the surface that is shown"}, &Present::handle);
    v(Field{"rect", "pixels that are shown; without it all"}, &Present::rect);
  }
};

struct Marker {
  std::string_view text;
  std::string_view source;
  std::optional<uint64_t> position;
  bool operator==(const Marker&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"text", "any text"}, &Marker::text);
    v(Field{"source", "file or capture that `position` is in"}, &Marker::source);
    v(Field{"position", "line of a file, or number of an API call"}, &Marker::position);
  }
};

// What an earlier event returned: the call is in the trace before the driver executes it, its result follows.
struct CallResult {
  uint64_t call = 0;
  uint32_t ddrval = 0;
  uint32_t error_offset = 0;
  std::optional<uint32_t> flags_out;
  uint64_t commands_pointer_out = 0;
  uint64_t vertices_pointer_out = 0;
  Bytes response;
  // What only a render has.
  Bytes raw_out;
  std::optional<Triple> out;
  uint32_t queued_buffer_count = 0;
  std::optional<uint64_t> new_command_buffer_out;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"call", "number of the event that returned, from the header of its session"},
      &CallResult::call);
    v(Field{"ddrval", "HRESULT; of a render and of other calls of D3DKMT the NTSTATUS", Form::kHex},
      &CallResult::ddrval);
    v(fields::kErrorOffset, &CallResult::error_offset);
    v(fields::kFlagsOut, &CallResult::flags_out);
    v(fields::kCommandsPointerOut, &CallResult::commands_pointer_out);
    v(fields::kVerticesPointerOut, &CallResult::vertices_pointer_out);
    v(fields::kResponse, &CallResult::response);
    v(fields::kRawOut, &CallResult::raw_out);
    v(fields::kOut, &CallResult::out);
    v(fields::kQueuedBufferCount, &CallResult::queued_buffer_count);
    v(fields::kNewCommandBufferOut, &CallResult::new_command_buffer_out);
  }
};

// Pixels that the driver itself made: what the area of the surface holds at this place of the trace.
struct Picture {
  uint32_t space = 0;
  uint32_t handle = 0;
  uint32_t face = 0;
  uint32_t level = 0;
  std::optional<Rect> rect;
  uint32_t format = 0;
  std::optional<PixelFormat> pixel_format;
  std::optional<uint32_t> pitch;
  Bytes data;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kSpace, &Picture::space);
    v(fields::kHandle, &Picture::handle);
    v(fields::kFace, &Picture::face);
    v(fields::kLevel, &Picture::level);
    v(fields::kRect, &Picture::rect);
    v(Field{"format", "D3DFORMAT of `data`; 0: that of the surface", Form::kFormat},
      &Picture::format);
    v(Field{"pixel_format", "DDPIXELFORMAT as given, where `format` is 0"}, &Picture::pixel_format);
    v(Field{"pitch", "bytes from row to row of `data`; without it rows follow each other"},
      &Picture::pitch);
    v(Field{"data", "the pixels"}, &Picture::data);
  }
};

// What a recorder was told since the `lost` before this one, and could not write.
struct Lost {
  uint32_t events = 0;
  LostCause cause = LostCause::kNone;
  bool operator==(const Lost&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"events", "events that were not recorded since the last `lost`"}, &Lost::events);
    v(Field{"cause", "why the first of them was not recorded", Form::kEnum, &kLostCauseNames},
      &Lost::cause);
  }
};

struct AdapterOpen {
  uint32_t process = 0;
  uint32_t adapter = 0;
  std::optional<uint32_t> max_allocation_list_slot_id;
  std::optional<uint32_t> wddm_version;
  bool no_dma_patching = false;
  bool supports_gdi_accel = false;
  std::optional<uint32_t> status;
  bool operator==(const AdapterOpen&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &AdapterOpen::process);
    v(fields::kAdapter, &AdapterOpen::adapter);
    v(Field{"max_allocation_list_slot_id", "MaxAllocationListSlotId of DXGK_DRIVERCAPS"},
      &AdapterOpen::max_allocation_list_slot_id);
    v(Field{"wddm_version", "100 times major plus 10 times minor: 130 is 1.3"},
      &AdapterOpen::wddm_version);
    v(Field{"no_dma_patching", "NoDmaPatching of DXGK_DRIVERCAPS"}, &AdapterOpen::no_dma_patching);
    v(Field{"supports_gdi_accel", "the driver accelerates GDI"}, &AdapterOpen::supports_gdi_accel);
    v(fields::kStatus, &AdapterOpen::status);
  }
};

struct AdapterClose {
  uint32_t process = 0;
  uint32_t adapter = 0;
  std::optional<uint32_t> status;
  bool operator==(const AdapterClose&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &AdapterClose::process);
    v(fields::kAdapter, &AdapterClose::adapter);
    v(fields::kStatus, &AdapterClose::status);
  }
};

// D3DKMTCreateDevice. `space` is the handle space that the device's surfaces live in.
struct DeviceCreate {
  uint32_t space = 0;
  uint32_t process = 0;
  uint32_t adapter = 0;
  uint32_t device = 0;
  uint32_t flags = 0;
  std::optional<Triple> triple;
  bool guaranteed_contract = false;
  std::optional<uint32_t> status;
  bool operator==(const DeviceCreate&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space", "which handles the surfaces of the device have"}, &DeviceCreate::space);
    v(fields::kProcess, &DeviceCreate::process);
    v(fields::kAdapter, &DeviceCreate::adapter);
    v(fields::kDevice, &DeviceCreate::device);
    v(Field{"flags", "D3DKMT_CREATEDEVICEFLAGS", Form::kFlags, &kCreateDeviceFlagNames},
      &DeviceCreate::flags);
    v(Field{"triple", "buffer and lists of the implicit context"}, &DeviceCreate::triple);
    v(Field{"guaranteed_contract", "a guaranteed contract: each packet fits in one DMA buffer"},
      &DeviceCreate::guaranteed_contract);
    v(fields::kStatus, &DeviceCreate::status);
  }
};

struct DeviceDestroy {
  uint32_t process = 0;
  uint32_t device = 0;
  std::optional<uint32_t> status;
  bool operator==(const DeviceDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &DeviceDestroy::process);
    v(fields::kDevice, &DeviceDestroy::device);
    v(fields::kStatus, &DeviceDestroy::status);
  }
};

// The D3D context that a KMT context owns when its packets carry DP2.
struct D3dContext {
  uint32_t runtime_version = 5;
  uint32_t target = 0;
  uint32_t depth = 0;
  bool pure_device = false;
  bool operator==(const D3dContext&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kRuntimeVersion, &D3dContext::runtime_version);
    v(Field{"target", "handle of the first render target"}, &D3dContext::target);
    v(Field{"depth", "handle of the first depth surface; 0: none"}, &D3dContext::depth);
    v(fields::kPureDevice, &D3dContext::pure_device);
  }
};

struct KmtContextCreate {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t context = 0;
  ContextKind kind = ContextKind::kLegacy;
  uint32_t node_ordinal = 0;
  uint32_t engine_affinity = 0;
  uint32_t flags = 0;
  uint32_t client_hint = 0;
  Bytes private_driver_data;
  std::optional<Triple> triple;
  std::optional<uint64_t> command_buffer_address;
  std::optional<D3dContext> d3d;
  bool no_patching = false;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &KmtContextCreate::process);
    v(fields::kDevice, &KmtContextCreate::device);
    v(fields::kKmtContext, &KmtContextCreate::context);
    v(Field{"kind", "a context of D3DKMTCreateContext, or of D3DKMTCreateContextVirtual",
            Form::kEnum, &kContextKindNames},
      &KmtContextCreate::kind);
    v(Field{"node_ordinal", "NodeOrdinal"}, &KmtContextCreate::node_ordinal);
    v(Field{"engine_affinity", "EngineAffinity"}, &KmtContextCreate::engine_affinity);
    v(Field{"flags", "D3DDDI_CREATECONTEXTFLAGS", Form::kFlags, &kCreateContextFlagNames},
      &KmtContextCreate::flags);
    v(Field{"client_hint", "ClientHint", Form::kEnum, &kClientHintNames},
      &KmtContextCreate::client_hint);
    v(fields::kPrivateDriverData, &KmtContextCreate::private_driver_data);
    v(Field{"triple", "buffer and lists that the call returned"}, &KmtContextCreate::triple);
    v(Field{"command_buffer_address", "CommandBuffer, a GPU virtual address, since Windows 7",
            Form::kHex},
      &KmtContextCreate::command_buffer_address);
    v(Field{"d3d", "the D3D context whose tokens the packets carry"}, &KmtContextCreate::d3d);
    v(Field{"no_patching", "NoPatching of DXGK_CONTEXTINFO_CAPS"}, &KmtContextCreate::no_patching);
    v(fields::kStatus, &KmtContextCreate::status);
  }
};

struct KmtContextDestroy {
  uint32_t process = 0;
  uint32_t context = 0;
  std::optional<uint32_t> status;
  bool operator==(const KmtContextDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &KmtContextDestroy::process);
    v(fields::kKmtContext, &KmtContextDestroy::context);
    v(fields::kStatus, &KmtContextDestroy::status);
  }
};

// One element of pAllocationInfo, with what the trace knows about the allocation.
struct AllocationInfo {
  uint32_t allocation = 0;
  uint64_t system_memory = 0;
  uint32_t flags = 0;
  uint32_t vidpn_source_id = 0;
  uint64_t model_size = 0;
  BindKind model_kind = BindKind::kOther;
  Bytes private_driver_data;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kAllocation, &AllocationInfo::allocation);
    v(Field{"system_memory", "pSystemMem, kept as a number", Form::kHex},
      &AllocationInfo::system_memory);
    v(Field{"flags", "Flags of D3DDDI_ALLOCATIONINFO: 1 Primary, 2 Stereo", Form::kHex},
      &AllocationInfo::flags);
    v(Field{"vidpn_source_id", "VidPnSourceId"}, &AllocationInfo::vidpn_source_id);
    v(Field{"model_size", "bytes of the allocation, as the recorder knows it; 0: unknown"},
      &AllocationInfo::model_size);
    v(Field{"model_kind", "what the allocation holds, as the recorder knows it", Form::kEnum,
            &kBindKindNames},
      &AllocationInfo::model_kind);
    v(fields::kPrivateDriverData, &AllocationInfo::private_driver_data);
  }
};

struct AllocationCreate {
  uint32_t process = 0;
  Origin origin = Origin::kUser;
  uint32_t device = 0;
  uint32_t resource = 0;
  uint32_t resource_out = 0;
  uint32_t global_share = 0;
  uint32_t flags = 0;
  std::vector<AllocationInfo> allocations;
  Bytes private_runtime_data;
  Bytes private_driver_data;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &AllocationCreate::process);
    v(fields::kOrigin, &AllocationCreate::origin);
    v(fields::kDevice, &AllocationCreate::device);
    v(Field{"resource", "hResource before the call", Form::kHex}, &AllocationCreate::resource);
    v(Field{"resource_out", "hResource after the call", Form::kHex},
      &AllocationCreate::resource_out);
    v(Field{"global_share", "hGlobalShare after the call", Form::kHex},
      &AllocationCreate::global_share);
    v(Field{"flags", "D3DKMT_CREATEALLOCATIONFLAGS", Form::kFlags, &kCreateAllocationFlagNames},
      &AllocationCreate::flags);
    v(Field{"allocations", "elements of pAllocationInfo"}, &AllocationCreate::allocations);
    v(Field{"private_runtime_data", "bytes of the runtime's own"},
      &AllocationCreate::private_runtime_data);
    v(fields::kPrivateDriverData, &AllocationCreate::private_driver_data);
    v(fields::kStatus, &AllocationCreate::status);
  }
};

struct AllocationDestroy {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t resource = 0;
  std::vector<uint32_t> allocations;
  uint32_t flags = 0;
  std::optional<uint32_t> status;
  bool operator==(const AllocationDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &AllocationDestroy::process);
    v(fields::kDevice, &AllocationDestroy::device);
    v(Field{"resource", "hResource", Form::kHex}, &AllocationDestroy::resource);
    v(fields::kAllocations, &AllocationDestroy::allocations);
    v(Field{"flags", "D3DDDICB_DESTROYALLOCATION2FLAGS", Form::kHex}, &AllocationDestroy::flags);
    v(fields::kStatus, &AllocationDestroy::status);
  }
};

struct SyncCreate {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t sync = 0;
  uint32_t type = 1;
  Bytes info;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &SyncCreate::process);
    v(fields::kDevice, &SyncCreate::device);
    v(fields::kSync, &SyncCreate::sync);
    v(Field{"type", "what the object is", Form::kEnum, &kSyncTypeNames}, &SyncCreate::type);
    v(Field{"info", "D3DDDI_SYNCHRONIZATIONOBJECTINFO, 68 bytes", Form::kHexBytes},
      &SyncCreate::info);
    v(fields::kStatus, &SyncCreate::status);
  }
};

struct SyncDestroy {
  uint32_t process = 0;
  uint32_t sync = 0;
  std::optional<uint32_t> status;
  bool operator==(const SyncDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &SyncDestroy::process);
    v(fields::kSync, &SyncDestroy::sync);
    v(fields::kStatus, &SyncDestroy::status);
  }
};

struct ResourceOpen {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t global_share = 0;
  bool external = false;
  uint32_t resource = 0;
  std::vector<AllocationInfo> allocations;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &ResourceOpen::process);
    v(fields::kDevice, &ResourceOpen::device);
    v(Field{"global_share", "hGlobalShare", Form::kHex}, &ResourceOpen::global_share);
    v(Field{"external", "the share was created outside of the trace"}, &ResourceOpen::external);
    v(Field{"resource", "hResource after the call", Form::kHex}, &ResourceOpen::resource);
    v(Field{"allocations", "the allocations of the resource"}, &ResourceOpen::allocations);
    v(fields::kStatus, &ResourceOpen::status);
  }
};

struct Lock {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t allocation = 0;
  uint32_t allocation_out = 0;
  uint32_t flags = 0;
  uint32_t private_driver_data = 0;
  std::vector<uint32_t> pages;
  uint64_t data_pointer = 0;
  uint64_t gpu_virtual_address = 0;
  std::optional<uint32_t> status;
  bool operator==(const Lock&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &Lock::process);
    v(fields::kDevice, &Lock::device);
    v(fields::kAllocation, &Lock::allocation);
    v(Field{"allocation_out", "hAllocation after the call; 0: the same", Form::kHex},
      &Lock::allocation_out);
    v(Field{"flags", "D3DDDICB_LOCKFLAGS", Form::kFlags, &kKmtLockFlagNames}, &Lock::flags);
    v(Field{"private_driver_data", "PrivateDriverData", Form::kHex}, &Lock::private_driver_data);
    v(Field{"pages", "pages that are locked, by number; empty: all"}, &Lock::pages);
    v(Field{"data_pointer", "pData, kept as a number", Form::kHex}, &Lock::data_pointer);
    v(Field{"gpu_virtual_address", "GpuVirtualAddress", Form::kHex}, &Lock::gpu_virtual_address);
    v(fields::kStatus, &Lock::status);
  }
};

struct Unlock {
  uint32_t process = 0;
  uint32_t device = 0;
  std::vector<uint32_t> allocations;
  std::optional<uint32_t> status;
  bool operator==(const Unlock&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &Unlock::process);
    v(fields::kDevice, &Unlock::device);
    v(fields::kAllocations, &Unlock::allocations);
    v(fields::kStatus, &Unlock::status);
  }
};

struct Offer {
  uint32_t process = 0;
  uint32_t device = 0;
  std::vector<uint32_t> resources;
  std::vector<uint32_t> allocations;
  uint32_t priority = 0;
  std::optional<uint32_t> status;
  bool operator==(const Offer&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &Offer::process);
    v(fields::kDevice, &Offer::device);
    v(fields::kResources, &Offer::resources);
    v(fields::kAllocations, &Offer::allocations);
    v(Field{"priority", "1 low, 2 normal, 3 high, 4 auto"}, &Offer::priority);
    v(fields::kStatus, &Offer::status);
  }
};

struct Reclaim {
  uint32_t process = 0;
  uint32_t device = 0;
  std::vector<uint32_t> resources;
  std::vector<uint32_t> allocations;
  std::vector<uint32_t> discarded;
  std::optional<uint32_t> status;
  bool operator==(const Reclaim&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &Reclaim::process);
    v(fields::kDevice, &Reclaim::device);
    v(fields::kResources, &Reclaim::resources);
    v(fields::kAllocations, &Reclaim::allocations);
    v(Field{"discarded", "pDiscarded, 1 where the contents are gone, one per object"},
      &Reclaim::discarded);
    v(fields::kStatus, &Reclaim::status);
  }
};

struct SyncWait {
  uint32_t process = 0;
  uint32_t context = 0;
  std::vector<uint32_t> objects;
  std::optional<uint64_t> fence_value;
  std::optional<uint32_t> status;
  bool operator==(const SyncWait&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &SyncWait::process);
    v(fields::kKmtContext, &SyncWait::context);
    v(fields::kObjects, &SyncWait::objects);
    v(Field{"fence_value", "value of a fence object"}, &SyncWait::fence_value);
    v(fields::kStatus, &SyncWait::status);
  }
};

struct SyncSignal {
  uint32_t process = 0;
  uint32_t context = 0;
  std::vector<uint32_t> objects;
  uint32_t flags = 0;
  std::vector<uint32_t> broadcast_context;
  std::optional<uint64_t> fence_value;
  std::optional<uint32_t> status;
  bool operator==(const SyncSignal&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &SyncSignal::process);
    v(fields::kKmtContext, &SyncSignal::context);
    v(fields::kObjects, &SyncSignal::objects);
    v(Field{"flags", "D3DDDICB_SIGNALFLAGS", Form::kFlags, &kSignalFlagNames}, &SyncSignal::flags);
    v(Field{"broadcast_context", "hContext of each further context that signals", Form::kHex},
      &SyncSignal::broadcast_context);
    v(Field{"fence_value", "value of a fence object, or CpuEventHandle"}, &SyncSignal::fence_value);
    v(fields::kStatus, &SyncSignal::status);
  }
};

// D3DKMTSubmitCommand (WDDM 2.0). The payload is opaque.
struct SubmitCommand {
  uint32_t process = 0;
  PayloadKind payload = PayloadKind::kOpaque;
  uint64_t commands = 0;
  uint32_t command_length = 0;
  uint32_t flags = 0;
  uint64_t present_history_token = 0;
  std::vector<uint32_t> broadcast_context;
  Bytes private_driver_data;
  std::vector<uint32_t> written_primaries;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &SubmitCommand::process);
    v(fields::kPayload, &SubmitCommand::payload);
    v(Field{"commands", "GPU virtual address of the command buffer", Form::kHex},
      &SubmitCommand::commands);
    v(Field{"command_length", "CommandLength, bytes"}, &SubmitCommand::command_length);
    v(Field{"flags", "D3DKMT_SUBMITCOMMANDFLAGS", Form::kFlags, &kSubmitFlagNames},
      &SubmitCommand::flags);
    v(fields::kPresentHistoryToken, &SubmitCommand::present_history_token);
    v(Field{"broadcast_context",
            "hContext of each context that gets it, the submitting one included", Form::kHex},
      &SubmitCommand::broadcast_context);
    v(fields::kPrivateDriverData, &SubmitCommand::private_driver_data);
    v(Field{"written_primaries", "hAllocation of each primary that is written", Form::kHex},
      &SubmitCommand::written_primaries);
    v(fields::kStatus, &SubmitCommand::status);
  }
};

struct KmtPresent {
  uint32_t process = 0;
  uint32_t context = 0;
  uint32_t source = 0;
  uint32_t destination = 0;
  uint32_t flags = 0;
  uint32_t color = 0;
  std::optional<Rect> dst_rect;
  std::optional<Rect> src_rect;
  std::vector<Rect> sub_rects;
  uint32_t present_count = 0;
  uint32_t flip_interval = 0;
  std::vector<uint32_t> broadcast_context;
  uint32_t queued_present_count = 0;
  std::optional<uint32_t> status;
  bool operator==(const KmtPresent&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &KmtPresent::process);
    v(fields::kSubmittingContext, &KmtPresent::context);
    v(Field{"source", "hSource, an allocation", Form::kHex}, &KmtPresent::source);
    v(Field{"destination", "hDestination, an allocation; 0: the screen", Form::kHex},
      &KmtPresent::destination);
    v(Field{"flags", "D3DKMT_PRESENTFLAGS", Form::kFlags, &kPresentFlagNames}, &KmtPresent::flags);
    v(Field{"color", "colour of a fill", Form::kHex}, &KmtPresent::color);
    v(Field{"dst_rect", "pixels of the destination"}, &KmtPresent::dst_rect);
    v(Field{"src_rect", "pixels of the source"}, &KmtPresent::src_rect);
    v(Field{"sub_rects", "pixels of the destination that change"}, &KmtPresent::sub_rects);
    v(Field{"present_count", "PresentCount"}, &KmtPresent::present_count);
    v(Field{"flip_interval", "D3DDDI_FLIPINTERVAL_TYPE: vertical blanks to wait"},
      &KmtPresent::flip_interval);
    v(fields::kBroadcastContext, &KmtPresent::broadcast_context);
    v(Field{"queued_present_count", "presents that wait, after the call"},
      &KmtPresent::queued_present_count);
    v(fields::kStatus, &KmtPresent::status);
  }
};

// (device, DP2 handle) -> allocation. Source: lib/kmt/packets.md 6.6.
struct Dp2Bind {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t handle = 0;
  uint32_t allocation = 0;
  uint64_t base_offset = 0;
  BindKind kind = BindKind::kTexture;
  uint64_t size = 0;
  bool operator==(const Dp2Bind&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &Dp2Bind::process);
    v(fields::kDevice, &Dp2Bind::device);
    v(Field{"handle", "number that the tokens use"}, &Dp2Bind::handle);
    v(fields::kAllocation, &Dp2Bind::allocation);
    v(Field{"base_offset", "bytes into the allocation"}, &Dp2Bind::base_offset);
    v(Field{"kind", "what the handle is used as", Form::kEnum, &kBindKindNames}, &Dp2Bind::kind);
    v(Field{"size", "bytes; 0: unknown"}, &Dp2Bind::size);
  }
};

struct Dp2Unbind {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t handle = 0;
  bool operator==(const Dp2Unbind&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(fields::kProcess, &Dp2Unbind::process);
    v(fields::kDevice, &Dp2Unbind::device);
    v(Field{"handle", "number that the tokens used"}, &Dp2Unbind::handle);
  }
};

// An event whose kind this version does not know, or whose payload is not the canonical encoding of a known kind: kept byte for byte.
struct Unknown {
  uint16_t kind = 0;
  uint16_t flags = 0;
  Bytes payload;
};

// Any of them. A class, so that copying one of its many alternatives is compiled once.
struct Event : std::variant<Unknown
#define DP2TRACE_EVENT(Type, code, name) , Type
#include "trace/events.def"
#undef DP2TRACE_EVENT
                            > {
  using variant::variant;
  using variant::operator=;
  Event();
  Event(const Event& other);
  Event(Event&& other) noexcept;
  Event& operator=(const Event& other);
  Event& operator=(Event&& other) noexcept;
  ~Event();
};

}  // namespace dp2trace::trace
