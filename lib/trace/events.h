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
  std::string_view name;  // JSON name
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
enum class LostCause : uint32_t { kNone, kWrite, kSize, kBusy, kArgument, kFault, kLimit };

using d3d::Box;
using d3d::ColorKey;
using d3d::PixelFormat;
using d3d::Range;
using d3d::Rect;
using d3d::SurfaceKind;

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
    v(Field{"left"}, &Rect::left);
    v(Field{"top"}, &Rect::top);
    v(Field{"right"}, &Rect::right);
    v(Field{"bottom"}, &Rect::bottom);
  }
};
template <>
struct FieldsOf<Box> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"left"}, &Box::left);
    v(Field{"top"}, &Box::top);
    v(Field{"right"}, &Box::right);
    v(Field{"bottom"}, &Box::bottom);
    v(Field{"front"}, &Box::front);
    v(Field{"back"}, &Box::back);
  }
};
template <>
struct FieldsOf<Range> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"offset"}, &Range::offset);
    v(Field{"size"}, &Range::size);
  }
};
template <>
struct FieldsOf<ColorKey> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"low", Form::kHex}, &ColorKey::low);
    v(Field{"high", Form::kHex}, &ColorKey::high);
  }
};
template <>
struct FieldsOf<PixelFormat> {
  template <class V>
  static void Visit(V&& v) {
    v(Field{"size"}, &PixelFormat::size);
    v(Field{"flags", Form::kFlags, &kDdPixelFormatFlagNames}, &PixelFormat::flags);
    v(Field{"four_cc", Form::kHex}, &PixelFormat::four_cc);
    v(Field{"bit_count"}, &PixelFormat::bit_count);
    v(Field{"red_mask", Form::kHex}, &PixelFormat::red_mask);
    v(Field{"green_mask", Form::kHex}, &PixelFormat::green_mask);
    v(Field{"blue_mask", Form::kHex}, &PixelFormat::blue_mask);
    v(Field{"alpha_mask", Form::kHex}, &PixelFormat::alpha_mask);
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
  uint32_t value = 0;  // raw bits; float members hold an f32
  bool operator==(const CapValue&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"name"}, &CapValue::name);
    v(Field{"value"}, &CapValue::value);
  }
};

struct Header {
  std::string_view generator;
  uint32_t driver_level = 9;  // 6-9
  bool d3d9ex = false;
  uint32_t pointer_width = 32;  // 32 or 64 bits
  OsProfile os_profile = OsProfile::kWin10;
  LengthOrigin length_origin = LengthOrigin::kZero;
  Dp2HandleMode dp2_handle_mode = Dp2HandleMode::kTable;
  PaletteOrder palette_order = PaletteOrder::kArgb;
  std::vector<CapValue> caps;         // empty = not advertised
  std::vector<uint32_t> cap_formats;  // D3DFORMAT values that the device advertises
  RecordingStart start = RecordingStart::kBeginning;
  // D3DCAPS8 or D3DCAPS9 as the driver fills it; members in `caps` replace its words.
  Bytes raw_caps;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"generator"}, &Header::generator);
    v(Field{"driver_level"}, &Header::driver_level);
    v(Field{"d3d9ex"}, &Header::d3d9ex);
    v(Field{"pointer_width"}, &Header::pointer_width);
    v(Field{"os_profile", Form::kEnum, &kOsProfileNames}, &Header::os_profile);
    v(Field{"length_origin", Form::kEnum, &kLengthOriginNames}, &Header::length_origin);
    v(Field{"dp2_handle_mode", Form::kEnum, &kDp2HandleModeNames}, &Header::dp2_handle_mode);
    v(Field{"palette_order", Form::kEnum, &kPaletteOrderNames}, &Header::palette_order);
    v(Field{"caps"}, &Header::caps);
    v(Field{"formats", Form::kFormat}, &Header::cap_formats);
    v(Field{"start", Form::kEnum, &kRecordingStartNames}, &Header::start);
    v(Field{"raw_caps", Form::kHexBytes}, &Header::raw_caps);
  }
};

// D3dContextCreate.
struct ContextCreate {
  uint32_t space = 0;
  uint64_t context = 0;
  uint32_t target = 0;
  uint32_t depth = 0;            // 0 = no depth surface
  uint32_t runtime_version = 5;  // 0 = 3.0, 1 = 5.0, 2 = 6.0, 3 = 7.0, 4 = 8.0, 5 = 9.0
  bool pure_device = false;
  uint32_t process = 0;
  std::optional<uint32_t> ddrval;
  bool operator==(const ContextCreate&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &ContextCreate::space);
    v(Field{"context"}, &ContextCreate::context);
    v(Field{"target"}, &ContextCreate::target);
    v(Field{"depth"}, &ContextCreate::depth);
    v(Field{"runtime_version"}, &ContextCreate::runtime_version);
    v(Field{"pure_device"}, &ContextCreate::pure_device);
    v(Field{"process"}, &ContextCreate::process);
    v(Field{"ddrval", Form::kHex}, &ContextCreate::ddrval);
  }
};

struct ContextDestroy {
  uint32_t space = 0;
  uint64_t context = 0;
  bool operator==(const ContextDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &ContextDestroy::space);
    v(Field{"context"}, &ContextDestroy::context);
  }
};

// A handle of a mip level or cube face below the root of a surface, and where the record differs from what the root implies.
struct SubSurface {
  uint32_t handle = 0;  // 0 = the level has no handle of its own
  uint32_t face = 0;    // 0-5 in the order of kCubeFaceNames
  uint32_t level = 0;
  std::optional<uint32_t> caps2;
  std::optional<uint32_t> width;
  std::optional<uint32_t> height;
  std::optional<uint32_t> pitch;
  bool operator==(const SubSurface&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"handle"}, &SubSurface::handle);
    v(Field{"face"}, &SubSurface::face);
    v(Field{"level"}, &SubSurface::level);
    v(Field{"caps2", Form::kFlags, &kSurfaceCaps2Names}, &SubSurface::caps2);
    v(Field{"width"}, &SubSurface::width);
    v(Field{"height"}, &SubSurface::height);
    v(Field{"pitch"}, &SubSurface::pitch);
  }
};

// D3dCreateSurfaceEx (and CreateD3DBuffer): one event per root surface.
struct SurfaceCreate {
  uint32_t space = 0;
  uint32_t handle = 0;
  SurfaceKind kind = SurfaceKind::kTexture;
  uint32_t caps = 0, caps2 = 0, caps3 = 0, caps4 = 0;  // DDSCAPSEX
  uint32_t format = 0;                                 // D3DFORMAT; 0 where pixel_format says it
  std::optional<PixelFormat> pixel_format;             // DDPIXELFORMAT as given
  uint32_t width = 0;                                  // pixels; bytes for a buffer
  uint32_t height = 1;
  uint32_t depth = 1;  // slices of a volume; a volume has DDSCAPS2_VOLUME
  uint32_t levels = 1;
  uint32_t faces = 0;  // cube faces that exist; 0 = no cube map
  uint32_t samples = 0;
  uint32_t sample_quality = 0;
  std::optional<uint32_t> pitch;      // bytes per row of level 0, as recorded
  std::optional<ColorKey> color_key;  // source colour key
  uint32_t empty_face_color = 0;      // dwEmptyFaceColor
  std::vector<uint32_t> flip_chain;   // handles of the back buffers, in flip order
  std::vector<SubSurface> sub_surfaces;
  bool operator==(const SurfaceCreate&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &SurfaceCreate::space);
    v(Field{"handle"}, &SurfaceCreate::handle);
    v(Field{"kind", Form::kEnum, &kSurfaceKindNames}, &SurfaceCreate::kind);
    v(Field{"caps", Form::kFlags, &kSurfaceCapsNames}, &SurfaceCreate::caps);
    v(Field{"caps2", Form::kFlags, &kSurfaceCaps2Names}, &SurfaceCreate::caps2);
    v(Field{"caps3", Form::kFlags, &kSurfaceCaps3Names}, &SurfaceCreate::caps3);
    v(Field{"caps4", Form::kHex}, &SurfaceCreate::caps4);
    v(Field{"format", Form::kFormat}, &SurfaceCreate::format);
    v(Field{"pixel_format"}, &SurfaceCreate::pixel_format);
    v(Field{"width"}, &SurfaceCreate::width);
    v(Field{"height"}, &SurfaceCreate::height);
    v(Field{"depth"}, &SurfaceCreate::depth);
    v(Field{"levels"}, &SurfaceCreate::levels);
    v(Field{"faces", Form::kFlags, &kCubeFaceNames}, &SurfaceCreate::faces);
    v(Field{"samples"}, &SurfaceCreate::samples);
    v(Field{"sample_quality"}, &SurfaceCreate::sample_quality);
    v(Field{"pitch"}, &SurfaceCreate::pitch);
    v(Field{"color_key"}, &SurfaceCreate::color_key);
    v(Field{"empty_face_color", Form::kHex}, &SurfaceCreate::empty_face_color);
    v(Field{"flip_chain"}, &SurfaceCreate::flip_chain);
    v(Field{"sub_surfaces"}, &SurfaceCreate::sub_surfaces);
  }
};

struct SurfaceDestroy {
  uint32_t space = 0;
  uint32_t handle = 0;
  bool operator==(const SurfaceDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &SurfaceDestroy::space);
    v(Field{"handle"}, &SurfaceDestroy::handle);
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
  std::optional<uint32_t>
      pitch;  // bytes from row to row (block row to block row) in `data`; default: tight
  std::optional<uint32_t> slice_pitch;  // bytes from slice to slice in `data`; default: tight
  uint32_t flags = 0;                   // of the lock
  Bytes data;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &SurfaceUpdate::space);
    v(Field{"handle"}, &SurfaceUpdate::handle);
    v(Field{"face"}, &SurfaceUpdate::face);
    v(Field{"level"}, &SurfaceUpdate::level);
    v(Field{"rect"}, &SurfaceUpdate::rect);
    v(Field{"box"}, &SurfaceUpdate::box);
    v(Field{"range"}, &SurfaceUpdate::range);
    v(Field{"pitch"}, &SurfaceUpdate::pitch);
    v(Field{"slice_pitch"}, &SurfaceUpdate::slice_pitch);
    v(Field{"flags", Form::kFlags, &kSurfaceLockFlagNames}, &SurfaceUpdate::flags);
    v(Field{"data"}, &SurfaceUpdate::data);
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
    v(Field{"space"}, &SurfaceRead::space);
    v(Field{"handle"}, &SurfaceRead::handle);
    v(Field{"face"}, &SurfaceRead::face);
    v(Field{"level"}, &SurfaceRead::level);
    v(Field{"rect"}, &SurfaceRead::rect);
    v(Field{"box"}, &SurfaceRead::box);
    v(Field{"range"}, &SurfaceRead::range);
    v(Field{"flags", Form::kFlags, &kSurfaceLockFlagNames}, &SurfaceRead::flags);
  }
};

// One D3dDrawPrimitives2 call: D3DHAL_DRAWPRIMITIVES2DATA before and after, and the bytes that it pointed to.
struct Dp2 {
  uint32_t space = 0;
  uint64_t context = 0;
  uint32_t flags = 0;                           // D3DHALDP2_*
  uint32_t vertex_type = 0;                     // FVF
  uint32_t vertex_size = 0;                     // bytes per vertex (dwVertexSize before the call)
  uint32_t vertex_offset = 0;                   // bytes
  std::optional<uint32_t> vertex_length;        // vertices; default: vertices.size() / vertex_size
  uint32_t command_offset = 0;                  // bytes
  std::optional<uint32_t> command_length;       // bytes; default: commands.size()
  std::optional<uint32_t> command_buffer_size;  // bytes of the buffer that the commands came from
  std::optional<uint32_t> vertex_buffer_size;   // bytes of the buffer that the vertices came from
  uint32_t vertex_buffer = 0;                   // surface handle of lpDDVertex; 0 = inline or none
  uint32_t req_vertex_buf_size = 0;
  uint32_t req_command_buf_size = 0;
  uint64_t commands_pointer = 0;      // lpDDCommands, kept as a number
  uint64_t vertices_pointer = 0;      // lpDDVertex / lpVertices
  uint64_t rstates_pointer = 0;       // lpdwRStates
  Bytes commands;                     // from dwCommandOffset on
  Bytes vertices;                     // from dwVertexOffset on
  Bytes rstates;                      // lpdwRStates before the call, 4 bytes per state
  std::optional<uint32_t> ddrval;     // result; none = not recorded
  uint32_t error_offset = 0;          // dwErrorOffset after the call
  std::optional<uint32_t> flags_out;  // dwFlags after the call, where it differs
  uint64_t commands_pointer_out = 0;  // lpDDCommands after the call, where a swap was recorded
  uint64_t vertices_pointer_out = 0;
  Bytes response;  // query response buffer (level 9)
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &Dp2::space);
    v(Field{"context"}, &Dp2::context);
    v(Field{"flags", Form::kFlags, &kDp2CallFlagNames}, &Dp2::flags);
    v(Field{"vertex_type", Form::kFvf}, &Dp2::vertex_type);
    v(Field{"vertex_size"}, &Dp2::vertex_size);
    v(Field{"vertex_offset"}, &Dp2::vertex_offset);
    v(Field{"vertex_length"}, &Dp2::vertex_length);
    v(Field{"command_offset"}, &Dp2::command_offset);
    v(Field{"command_length"}, &Dp2::command_length);
    v(Field{"command_buffer_size"}, &Dp2::command_buffer_size);
    v(Field{"vertex_buffer_size"}, &Dp2::vertex_buffer_size);
    v(Field{"vertex_buffer"}, &Dp2::vertex_buffer);
    v(Field{"req_vertex_buf_size"}, &Dp2::req_vertex_buf_size);
    v(Field{"req_command_buf_size"}, &Dp2::req_command_buf_size);
    v(Field{"commands_pointer", Form::kHex}, &Dp2::commands_pointer);
    v(Field{"vertices_pointer", Form::kHex}, &Dp2::vertices_pointer);
    v(Field{"rstates_pointer", Form::kHex}, &Dp2::rstates_pointer);
    v(Field{"commands", Form::kCommands}, &Dp2::commands);
    v(Field{"vertices"}, &Dp2::vertices);
    v(Field{"rstates"}, &Dp2::rstates);
    v(Field{"ddrval", Form::kHex}, &Dp2::ddrval);
    v(Field{"error_offset"}, &Dp2::error_offset);
    v(Field{"flags_out", Form::kFlags, &kDp2CallFlagNames}, &Dp2::flags_out);
    v(Field{"commands_pointer_out", Form::kHex}, &Dp2::commands_pointer_out);
    v(Field{"vertices_pointer_out", Form::kHex}, &Dp2::vertices_pointer_out);
    v(Field{"response", Form::kHexBytes}, &Dp2::response);
  }
};

// What a DP2 call carries outside the token stream, for a render event (lib/kmt/packets.md 6.7).
struct Dp2Env {
  uint32_t flags = 0;
  uint32_t vertex_type = 0;
  uint32_t vertex_size = 0;
  uint32_t vertex_offset = 0;
  std::optional<uint32_t> vertex_length;  // vertices; default: vertices.size() / vertex_size
  VertexSource vertex_source = VertexSource::kNone;
  Bytes vertices;                 // with kInline
  uint32_t allocation_index = 0;  // with kAllocation: element of the allocation list
  template <class V>
  static void Fields(V&& v) {
    v(Field{"flags", Form::kFlags, &kDp2CallFlagNames}, &Dp2Env::flags);
    v(Field{"vertex_type", Form::kFvf}, &Dp2Env::vertex_type);
    v(Field{"vertex_size"}, &Dp2Env::vertex_size);
    v(Field{"vertex_offset"}, &Dp2Env::vertex_offset);
    v(Field{"vertex_length"}, &Dp2Env::vertex_length);
    v(Field{"vertex_source", Form::kEnum, &kVertexSourceNames}, &Dp2Env::vertex_source);
    v(Field{"vertices"}, &Dp2Env::vertices);
    v(Field{"allocation_index"}, &Dp2Env::allocation_index);
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
    v(Field{"command_buffer", Form::kHex}, &Triple::command_buffer);
    v(Field{"command_buffer_size"}, &Triple::command_buffer_size);
    v(Field{"allocation_list", Form::kHex}, &Triple::allocation_list);
    v(Field{"allocation_list_size"}, &Triple::allocation_list_size);
    v(Field{"patch_location_list", Form::kHex}, &Triple::patch_location_list);
    v(Field{"patch_location_list_size"}, &Triple::patch_location_list_size);
  }
};

// One D3DKMTRender call: D3DKMT_RENDER in and out, and the submitted triple.
struct Render {
  uint32_t space = 0;
  uint32_t process = 0;
  uint32_t thread = 0;
  Origin origin = Origin::kUser;
  PayloadKind payload = PayloadKind::kDp2;
  uint32_t context = 0;  // hDevice / hContext
  uint32_t command_offset = 0;
  std::optional<uint32_t>
      command_length;  // as recorded; default: what makes command_buffer exactly the extent
  std::optional<uint32_t> allocation_count;      // default: allocation_list.size() / 8
  std::optional<uint32_t> patch_location_count;  // default: patch_location_list.size() / 24
  uint64_t new_command_buffer_pointer = 0;       // pNewCommandBuffer
  uint32_t new_command_buffer_size = 0;
  uint64_t new_allocation_list_pointer = 0;
  uint32_t new_allocation_list_size = 0;
  uint64_t new_patch_location_list_pointer = 0;
  uint32_t new_patch_location_list_size = 0;
  uint32_t flags = 0;  // D3DKMT_RENDERFLAGS
  uint64_t present_history_token = 0;
  uint32_t broadcast_context_count = 0;
  std::vector<uint32_t> broadcast_context;  // as many as were recorded, at most 64 are meaningful
  std::optional<uint64_t> new_command_buffer;   // NewCommandBuffer, absent on Vista
  std::optional<uint64_t> private_driver_data;  // pPrivateDriverData
  std::optional<uint32_t> private_driver_data_size;
  Bytes command_buffer;              // from byte 0, prefix included
  Bytes allocation_list;             // raw
  Bytes patch_location_list;         // raw
  Bytes raw_in;                      // the structure before the call as bytes, where recorded
  Bytes raw_out;                     // and after it
  std::optional<uint32_t> status;    // NTSTATUS; none = not recorded
  std::optional<Triple> out;         // the next triple
  uint32_t queued_buffer_count = 0;  // out
  std::optional<uint64_t> new_command_buffer_out;  // out
  std::optional<Dp2Env> dp2_env;
  // Where the recorder saw buffer and lists being written: pointers that are 0 and all sizes are not recorded.
  std::optional<Triple> buffers;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &Render::space);
    v(Field{"process"}, &Render::process);
    v(Field{"thread"}, &Render::thread);
    v(Field{"origin", Form::kEnum, &kOriginNames}, &Render::origin);
    v(Field{"payload", Form::kEnum, &kPayloadKindNames}, &Render::payload);
    v(Field{"context", Form::kHex}, &Render::context);
    v(Field{"command_offset"}, &Render::command_offset);
    v(Field{"command_length"}, &Render::command_length);
    v(Field{"allocation_count"}, &Render::allocation_count);
    v(Field{"patch_location_count"}, &Render::patch_location_count);
    v(Field{"new_command_buffer_pointer", Form::kHex}, &Render::new_command_buffer_pointer);
    v(Field{"new_command_buffer_size"}, &Render::new_command_buffer_size);
    v(Field{"new_allocation_list_pointer", Form::kHex}, &Render::new_allocation_list_pointer);
    v(Field{"new_allocation_list_size"}, &Render::new_allocation_list_size);
    v(Field{"new_patch_location_list_pointer", Form::kHex},
      &Render::new_patch_location_list_pointer);
    v(Field{"new_patch_location_list_size"}, &Render::new_patch_location_list_size);
    v(Field{"flags", Form::kFlags, &kRenderFlagNames}, &Render::flags);
    v(Field{"present_history_token", Form::kHex}, &Render::present_history_token);
    v(Field{"broadcast_context_count"}, &Render::broadcast_context_count);
    v(Field{"broadcast_context", Form::kHex}, &Render::broadcast_context);
    v(Field{"new_command_buffer", Form::kHex}, &Render::new_command_buffer);
    v(Field{"private_driver_data", Form::kHex}, &Render::private_driver_data);
    v(Field{"private_driver_data_size"}, &Render::private_driver_data_size);
    v(Field{"command_buffer", Form::kCommands}, &Render::command_buffer);
    v(Field{"allocation_list", Form::kAllocationList}, &Render::allocation_list);
    v(Field{"patch_location_list", Form::kPatchList}, &Render::patch_location_list);
    v(Field{"raw_in", Form::kHexBytes}, &Render::raw_in);
    v(Field{"raw_out", Form::kHexBytes}, &Render::raw_out);
    v(Field{"status", Form::kHex}, &Render::status);
    v(Field{"out"}, &Render::out);
    v(Field{"queued_buffer_count"}, &Render::queued_buffer_count);
    v(Field{"new_command_buffer_out", Form::kHex}, &Render::new_command_buffer_out);
    v(Field{"dp2_env"}, &Render::dp2_env);
    v(Field{"buffers"}, &Render::buffers);
  }
};

// A DirectDraw blit or fill outside the stream (DdBlt).
struct Blt {
  uint32_t space = 0;
  BltKind kind = BltKind::kCopy;
  uint32_t src = 0;
  uint32_t src_face = 0;
  uint32_t src_level = 0;
  std::optional<Rect> src_rect;  // none = the whole level
  uint32_t dest = 0;
  uint32_t dest_face = 0;
  uint32_t dest_level = 0;
  std::optional<Rect> dest_rect;
  uint32_t flags = 0;  // DDBLT_*
  std::optional<ColorKey> src_color_key;
  std::optional<ColorKey> dest_color_key;
  uint32_t fill = 0;  // fill value in the pixel format of the destination
  std::optional<uint32_t> ddrval;
  bool operator==(const Blt&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &Blt::space);
    v(Field{"kind", Form::kEnum, &kBltKindNames}, &Blt::kind);
    v(Field{"src"}, &Blt::src);
    v(Field{"src_face"}, &Blt::src_face);
    v(Field{"src_level"}, &Blt::src_level);
    v(Field{"src_rect"}, &Blt::src_rect);
    v(Field{"dest"}, &Blt::dest);
    v(Field{"dest_face"}, &Blt::dest_face);
    v(Field{"dest_level"}, &Blt::dest_level);
    v(Field{"dest_rect"}, &Blt::dest_rect);
    v(Field{"flags", Form::kHex}, &Blt::flags);
    v(Field{"src_color_key"}, &Blt::src_color_key);
    v(Field{"dest_color_key"}, &Blt::dest_color_key);
    v(Field{"fill", Form::kHex}, &Blt::fill);
    v(Field{"ddrval", Form::kHex}, &Blt::ddrval);
  }
};

// Frame boundary: the surface and area that is shown. Changes no state.
struct Present {
  uint32_t space = 0;
  uint32_t handle = 0;
  std::optional<Rect> rect;  // none = the whole surface
  bool operator==(const Present&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &Present::space);
    v(Field{"handle"}, &Present::handle);
    v(Field{"rect"}, &Present::rect);
  }
};

struct Marker {
  std::string_view text;
  std::string_view source;           // file or capture that the position refers to
  std::optional<uint64_t> position;  // line, or API call number of an import
  bool operator==(const Marker&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"text"}, &Marker::text);
    v(Field{"source"}, &Marker::source);
    v(Field{"position"}, &Marker::position);
  }
};

// What an earlier event returned: the call is in the trace before the driver executes it, its result follows.
struct CallResult {
  uint64_t call = 0;                  // number of the event
  uint32_t ddrval = 0;                // HRESULT; the NTSTATUS of a render or another KMT call
  uint32_t error_offset = 0;          // dwErrorOffset after the call
  std::optional<uint32_t> flags_out;  // dwFlags after the call, where it differs
  uint64_t commands_pointer_out = 0;  // lpDDCommands after the call, where a swap was recorded
  uint64_t vertices_pointer_out = 0;
  Bytes response;  // query response buffer (level 9)
  // What only a render has.
  Bytes raw_out;                                   // the structure after the call as bytes
  std::optional<Triple> out;                       // the next triple
  uint32_t queued_buffer_count = 0;                // out
  std::optional<uint64_t> new_command_buffer_out;  // out
  template <class V>
  static void Fields(V&& v) {
    v(Field{"call"}, &CallResult::call);
    v(Field{"ddrval", Form::kHex}, &CallResult::ddrval);
    v(Field{"error_offset"}, &CallResult::error_offset);
    v(Field{"flags_out", Form::kFlags, &kDp2CallFlagNames}, &CallResult::flags_out);
    v(Field{"commands_pointer_out", Form::kHex}, &CallResult::commands_pointer_out);
    v(Field{"vertices_pointer_out", Form::kHex}, &CallResult::vertices_pointer_out);
    v(Field{"response", Form::kHexBytes}, &CallResult::response);
    v(Field{"raw_out", Form::kHexBytes}, &CallResult::raw_out);
    v(Field{"out"}, &CallResult::out);
    v(Field{"queued_buffer_count"}, &CallResult::queued_buffer_count);
    v(Field{"new_command_buffer_out", Form::kHex}, &CallResult::new_command_buffer_out);
  }
};

// Pixels that the driver itself made: what the area of the surface holds at this place of the trace.
struct Picture {
  uint32_t space = 0;
  uint32_t handle = 0;
  uint32_t face = 0;
  uint32_t level = 0;
  std::optional<Rect> rect;                 // none = the whole level
  uint32_t format = 0;                      // D3DFORMAT of `data`; 0 = that of the surface
  std::optional<PixelFormat> pixel_format;  // DDPIXELFORMAT as given, where `format` is 0
  std::optional<uint32_t> pitch;            // bytes from row to row in `data`; default: tight
  Bytes data;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &Picture::space);
    v(Field{"handle"}, &Picture::handle);
    v(Field{"face"}, &Picture::face);
    v(Field{"level"}, &Picture::level);
    v(Field{"rect"}, &Picture::rect);
    v(Field{"format", Form::kFormat}, &Picture::format);
    v(Field{"pixel_format"}, &Picture::pixel_format);
    v(Field{"pitch"}, &Picture::pitch);
    v(Field{"data"}, &Picture::data);
  }
};

// What a recorder was told since the `lost` before this one, and could not write.
struct Lost {
  uint32_t events = 0;
  LostCause cause = LostCause::kNone;  // of the first of them
  bool operator==(const Lost&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"events"}, &Lost::events);
    v(Field{"cause", Form::kEnum, &kLostCauseNames}, &Lost::cause);
  }
};

struct AdapterOpen {
  uint32_t process = 0;
  uint32_t adapter = 0;
  std::optional<uint32_t> max_allocation_list_slot_id;
  std::optional<uint32_t> wddm_version;  // major * 100 + minor * 10, as 130 for 1.3
  bool no_dma_patching = false;
  bool supports_gdi_accel = false;
  std::optional<uint32_t> status;
  bool operator==(const AdapterOpen&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &AdapterOpen::process);
    v(Field{"adapter", Form::kHex}, &AdapterOpen::adapter);
    v(Field{"max_allocation_list_slot_id"}, &AdapterOpen::max_allocation_list_slot_id);
    v(Field{"wddm_version"}, &AdapterOpen::wddm_version);
    v(Field{"no_dma_patching"}, &AdapterOpen::no_dma_patching);
    v(Field{"supports_gdi_accel"}, &AdapterOpen::supports_gdi_accel);
    v(Field{"status", Form::kHex}, &AdapterOpen::status);
  }
};

struct AdapterClose {
  uint32_t process = 0;
  uint32_t adapter = 0;
  std::optional<uint32_t> status;
  bool operator==(const AdapterClose&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &AdapterClose::process);
    v(Field{"adapter", Form::kHex}, &AdapterClose::adapter);
    v(Field{"status", Form::kHex}, &AdapterClose::status);
  }
};

// D3DKMTCreateDevice. `space` is the handle space that the device's surfaces live in.
struct DeviceCreate {
  uint32_t space = 0;
  uint32_t process = 0;
  uint32_t adapter = 0;
  uint32_t device = 0;
  uint32_t flags = 0;
  std::optional<Triple> triple;  // of the implicit context
  bool guaranteed_contract = false;
  std::optional<uint32_t> status;
  bool operator==(const DeviceCreate&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"space"}, &DeviceCreate::space);
    v(Field{"process"}, &DeviceCreate::process);
    v(Field{"adapter", Form::kHex}, &DeviceCreate::adapter);
    v(Field{"device", Form::kHex}, &DeviceCreate::device);
    v(Field{"flags", Form::kFlags, &kCreateDeviceFlagNames}, &DeviceCreate::flags);
    v(Field{"triple"}, &DeviceCreate::triple);
    v(Field{"guaranteed_contract"}, &DeviceCreate::guaranteed_contract);
    v(Field{"status", Form::kHex}, &DeviceCreate::status);
  }
};

struct DeviceDestroy {
  uint32_t process = 0;
  uint32_t device = 0;
  std::optional<uint32_t> status;
  bool operator==(const DeviceDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &DeviceDestroy::process);
    v(Field{"device", Form::kHex}, &DeviceDestroy::device);
    v(Field{"status", Form::kHex}, &DeviceDestroy::status);
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
    v(Field{"runtime_version"}, &D3dContext::runtime_version);
    v(Field{"target"}, &D3dContext::target);
    v(Field{"depth"}, &D3dContext::depth);
    v(Field{"pure_device"}, &D3dContext::pure_device);
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
  std::optional<uint64_t> command_buffer_address;  // GPU virtual address, Windows 7 and later
  std::optional<D3dContext> d3d;
  bool no_patching = false;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &KmtContextCreate::process);
    v(Field{"device", Form::kHex}, &KmtContextCreate::device);
    v(Field{"context", Form::kHex}, &KmtContextCreate::context);
    v(Field{"kind", Form::kEnum, &kContextKindNames}, &KmtContextCreate::kind);
    v(Field{"node_ordinal"}, &KmtContextCreate::node_ordinal);
    v(Field{"engine_affinity"}, &KmtContextCreate::engine_affinity);
    v(Field{"flags", Form::kFlags, &kCreateContextFlagNames}, &KmtContextCreate::flags);
    v(Field{"client_hint", Form::kEnum, &kClientHintNames}, &KmtContextCreate::client_hint);
    v(Field{"private_driver_data"}, &KmtContextCreate::private_driver_data);
    v(Field{"triple"}, &KmtContextCreate::triple);
    v(Field{"command_buffer_address", Form::kHex}, &KmtContextCreate::command_buffer_address);
    v(Field{"d3d"}, &KmtContextCreate::d3d);
    v(Field{"no_patching"}, &KmtContextCreate::no_patching);
    v(Field{"status", Form::kHex}, &KmtContextCreate::status);
  }
};

struct KmtContextDestroy {
  uint32_t process = 0;
  uint32_t context = 0;
  std::optional<uint32_t> status;
  bool operator==(const KmtContextDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &KmtContextDestroy::process);
    v(Field{"context", Form::kHex}, &KmtContextDestroy::context);
    v(Field{"status", Form::kHex}, &KmtContextDestroy::status);
  }
};

// One element of pAllocationInfo, with what the trace knows about the allocation.
struct AllocationInfo {
  uint32_t allocation = 0;
  uint64_t system_memory = 0;  // pSystemMem
  uint32_t flags = 0;          // 1 Primary, 2 Stereo
  uint32_t vidpn_source_id = 0;
  uint64_t model_size = 0;  // bytes; 0 = unknown
  BindKind model_kind = BindKind::kOther;
  Bytes private_driver_data;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"allocation", Form::kHex}, &AllocationInfo::allocation);
    v(Field{"system_memory", Form::kHex}, &AllocationInfo::system_memory);
    v(Field{"flags", Form::kHex}, &AllocationInfo::flags);
    v(Field{"vidpn_source_id"}, &AllocationInfo::vidpn_source_id);
    v(Field{"model_size"}, &AllocationInfo::model_size);
    v(Field{"model_kind", Form::kEnum, &kBindKindNames}, &AllocationInfo::model_kind);
    v(Field{"private_driver_data"}, &AllocationInfo::private_driver_data);
  }
};

struct AllocationCreate {
  uint32_t process = 0;
  Origin origin = Origin::kUser;
  uint32_t device = 0;
  uint32_t resource = 0;      // hResource before the call
  uint32_t resource_out = 0;  // hResource after the call
  uint32_t global_share = 0;  // out
  uint32_t flags = 0;
  std::vector<AllocationInfo> allocations;
  Bytes private_runtime_data;
  Bytes private_driver_data;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &AllocationCreate::process);
    v(Field{"origin", Form::kEnum, &kOriginNames}, &AllocationCreate::origin);
    v(Field{"device", Form::kHex}, &AllocationCreate::device);
    v(Field{"resource", Form::kHex}, &AllocationCreate::resource);
    v(Field{"resource_out", Form::kHex}, &AllocationCreate::resource_out);
    v(Field{"global_share", Form::kHex}, &AllocationCreate::global_share);
    v(Field{"flags", Form::kFlags, &kCreateAllocationFlagNames}, &AllocationCreate::flags);
    v(Field{"allocations"}, &AllocationCreate::allocations);
    v(Field{"private_runtime_data"}, &AllocationCreate::private_runtime_data);
    v(Field{"private_driver_data"}, &AllocationCreate::private_driver_data);
    v(Field{"status", Form::kHex}, &AllocationCreate::status);
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
    v(Field{"process"}, &AllocationDestroy::process);
    v(Field{"device", Form::kHex}, &AllocationDestroy::device);
    v(Field{"resource", Form::kHex}, &AllocationDestroy::resource);
    v(Field{"allocations", Form::kHex}, &AllocationDestroy::allocations);
    v(Field{"flags", Form::kHex}, &AllocationDestroy::flags);
    v(Field{"status", Form::kHex}, &AllocationDestroy::status);
  }
};

struct SyncCreate {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t sync = 0;
  uint32_t type = 1;
  Bytes info;  // D3DDDI_SYNCHRONIZATIONOBJECTINFO, 68 bytes, where recorded
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &SyncCreate::process);
    v(Field{"device", Form::kHex}, &SyncCreate::device);
    v(Field{"sync", Form::kHex}, &SyncCreate::sync);
    v(Field{"type", Form::kEnum, &kSyncTypeNames}, &SyncCreate::type);
    v(Field{"info", Form::kHexBytes}, &SyncCreate::info);
    v(Field{"status", Form::kHex}, &SyncCreate::status);
  }
};

struct SyncDestroy {
  uint32_t process = 0;
  uint32_t sync = 0;
  std::optional<uint32_t> status;
  bool operator==(const SyncDestroy&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &SyncDestroy::process);
    v(Field{"sync", Form::kHex}, &SyncDestroy::sync);
    v(Field{"status", Form::kHex}, &SyncDestroy::status);
  }
};

struct ResourceOpen {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t global_share = 0;
  bool external = false;  // the share was created outside the trace
  uint32_t resource = 0;  // out
  std::vector<AllocationInfo> allocations;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &ResourceOpen::process);
    v(Field{"device", Form::kHex}, &ResourceOpen::device);
    v(Field{"global_share", Form::kHex}, &ResourceOpen::global_share);
    v(Field{"external"}, &ResourceOpen::external);
    v(Field{"resource", Form::kHex}, &ResourceOpen::resource);
    v(Field{"allocations"}, &ResourceOpen::allocations);
    v(Field{"status", Form::kHex}, &ResourceOpen::status);
  }
};

struct Lock {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t allocation = 0;
  uint32_t allocation_out = 0;  // hAllocation after the call; 0 = unchanged
  uint32_t flags = 0;
  uint32_t private_driver_data = 0;
  std::vector<uint32_t> pages;
  uint64_t data_pointer = 0;  // pData
  uint64_t gpu_virtual_address = 0;
  std::optional<uint32_t> status;
  bool operator==(const Lock&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &Lock::process);
    v(Field{"device", Form::kHex}, &Lock::device);
    v(Field{"allocation", Form::kHex}, &Lock::allocation);
    v(Field{"allocation_out", Form::kHex}, &Lock::allocation_out);
    v(Field{"flags", Form::kFlags, &kKmtLockFlagNames}, &Lock::flags);
    v(Field{"private_driver_data", Form::kHex}, &Lock::private_driver_data);
    v(Field{"pages"}, &Lock::pages);
    v(Field{"data_pointer", Form::kHex}, &Lock::data_pointer);
    v(Field{"gpu_virtual_address", Form::kHex}, &Lock::gpu_virtual_address);
    v(Field{"status", Form::kHex}, &Lock::status);
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
    v(Field{"process"}, &Unlock::process);
    v(Field{"device", Form::kHex}, &Unlock::device);
    v(Field{"allocations", Form::kHex}, &Unlock::allocations);
    v(Field{"status", Form::kHex}, &Unlock::status);
  }
};

struct Offer {
  uint32_t process = 0;
  uint32_t device = 0;
  std::vector<uint32_t> resources;
  std::vector<uint32_t> allocations;
  uint32_t priority = 0;  // 1 low, 2 normal, 3 high, 4 auto
  std::optional<uint32_t> status;
  bool operator==(const Offer&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &Offer::process);
    v(Field{"device", Form::kHex}, &Offer::device);
    v(Field{"resources", Form::kHex}, &Offer::resources);
    v(Field{"allocations", Form::kHex}, &Offer::allocations);
    v(Field{"priority"}, &Offer::priority);
    v(Field{"status", Form::kHex}, &Offer::status);
  }
};

struct Reclaim {
  uint32_t process = 0;
  uint32_t device = 0;
  std::vector<uint32_t> resources;
  std::vector<uint32_t> allocations;
  std::vector<uint32_t> discarded;  // pDiscarded, one per object, where recorded
  std::optional<uint32_t> status;
  bool operator==(const Reclaim&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &Reclaim::process);
    v(Field{"device", Form::kHex}, &Reclaim::device);
    v(Field{"resources", Form::kHex}, &Reclaim::resources);
    v(Field{"allocations", Form::kHex}, &Reclaim::allocations);
    v(Field{"discarded"}, &Reclaim::discarded);
    v(Field{"status", Form::kHex}, &Reclaim::status);
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
    v(Field{"process"}, &SyncWait::process);
    v(Field{"context", Form::kHex}, &SyncWait::context);
    v(Field{"objects", Form::kHex}, &SyncWait::objects);
    v(Field{"fence_value"}, &SyncWait::fence_value);
    v(Field{"status", Form::kHex}, &SyncWait::status);
  }
};

struct SyncSignal {
  uint32_t process = 0;
  uint32_t context = 0;
  std::vector<uint32_t> objects;
  uint32_t flags = 0;
  std::vector<uint32_t> broadcast_context;
  std::optional<uint64_t> fence_value;  // or CpuEventHandle
  std::optional<uint32_t> status;
  bool operator==(const SyncSignal&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &SyncSignal::process);
    v(Field{"context", Form::kHex}, &SyncSignal::context);
    v(Field{"objects", Form::kHex}, &SyncSignal::objects);
    v(Field{"flags", Form::kFlags, &kSignalFlagNames}, &SyncSignal::flags);
    v(Field{"broadcast_context", Form::kHex}, &SyncSignal::broadcast_context);
    v(Field{"fence_value"}, &SyncSignal::fence_value);
    v(Field{"status", Form::kHex}, &SyncSignal::status);
  }
};

// D3DKMTSubmitCommand (WDDM 2.0). The payload is opaque.
struct SubmitCommand {
  uint32_t process = 0;
  PayloadKind payload = PayloadKind::kOpaque;
  uint64_t commands = 0;  // GPU virtual address
  uint32_t command_length = 0;
  uint32_t flags = 0;
  uint64_t present_history_token = 0;
  std::vector<uint32_t> broadcast_context;  // includes the submitting context
  Bytes private_driver_data;
  std::vector<uint32_t> written_primaries;
  std::optional<uint32_t> status;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &SubmitCommand::process);
    v(Field{"payload", Form::kEnum, &kPayloadKindNames}, &SubmitCommand::payload);
    v(Field{"commands", Form::kHex}, &SubmitCommand::commands);
    v(Field{"command_length"}, &SubmitCommand::command_length);
    v(Field{"flags", Form::kFlags, &kSubmitFlagNames}, &SubmitCommand::flags);
    v(Field{"present_history_token", Form::kHex}, &SubmitCommand::present_history_token);
    v(Field{"broadcast_context", Form::kHex}, &SubmitCommand::broadcast_context);
    v(Field{"private_driver_data"}, &SubmitCommand::private_driver_data);
    v(Field{"written_primaries", Form::kHex}, &SubmitCommand::written_primaries);
    v(Field{"status", Form::kHex}, &SubmitCommand::status);
  }
};

struct KmtPresent {
  uint32_t process = 0;
  uint32_t context = 0;  // hDevice / hContext
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
  uint32_t queued_present_count = 0;  // out
  std::optional<uint32_t> status;
  bool operator==(const KmtPresent&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &KmtPresent::process);
    v(Field{"context", Form::kHex}, &KmtPresent::context);
    v(Field{"source", Form::kHex}, &KmtPresent::source);
    v(Field{"destination", Form::kHex}, &KmtPresent::destination);
    v(Field{"flags", Form::kFlags, &kPresentFlagNames}, &KmtPresent::flags);
    v(Field{"color", Form::kHex}, &KmtPresent::color);
    v(Field{"dst_rect"}, &KmtPresent::dst_rect);
    v(Field{"src_rect"}, &KmtPresent::src_rect);
    v(Field{"sub_rects"}, &KmtPresent::sub_rects);
    v(Field{"present_count"}, &KmtPresent::present_count);
    v(Field{"flip_interval"}, &KmtPresent::flip_interval);
    v(Field{"broadcast_context", Form::kHex}, &KmtPresent::broadcast_context);
    v(Field{"queued_present_count"}, &KmtPresent::queued_present_count);
    v(Field{"status", Form::kHex}, &KmtPresent::status);
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
  uint64_t size = 0;  // bytes; 0 = unknown
  bool operator==(const Dp2Bind&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &Dp2Bind::process);
    v(Field{"device", Form::kHex}, &Dp2Bind::device);
    v(Field{"handle"}, &Dp2Bind::handle);
    v(Field{"allocation", Form::kHex}, &Dp2Bind::allocation);
    v(Field{"base_offset"}, &Dp2Bind::base_offset);
    v(Field{"kind", Form::kEnum, &kBindKindNames}, &Dp2Bind::kind);
    v(Field{"size"}, &Dp2Bind::size);
  }
};

struct Dp2Unbind {
  uint32_t process = 0;
  uint32_t device = 0;
  uint32_t handle = 0;
  bool operator==(const Dp2Unbind&) const = default;
  template <class V>
  static void Fields(V&& v) {
    v(Field{"process"}, &Dp2Unbind::process);
    v(Field{"device", Form::kHex}, &Dp2Unbind::device);
    v(Field{"handle"}, &Dp2Unbind::handle);
  }
};

// An event whose kind this version does not know, or whose payload is not the canonical encoding of a known kind: kept byte for byte.
struct Unknown {
  uint16_t kind = 0;
  uint16_t flags = 0;
  Bytes payload;
};

using Event = std::variant<Unknown
#define DP2TRACE_EVENT(Type, code, name) , Type
#include "trace/events.def"
#undef DP2TRACE_EVENT
                           >;

}  // namespace dp2trace::trace
