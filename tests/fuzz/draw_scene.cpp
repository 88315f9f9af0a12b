#include "draw_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "d3d/formats.h"
#include "d3d/fvf.h"
#include "d3d/states.h"
#include "json/base64.h"
#include "support/shader_assembler.h"

namespace dp2trace::testing {
namespace {

constexpr uint32_t kTarget = 1, kDepth = 2, kSecondTarget = 3, kTextureTarget = 4,
                   kFirstTexture = 10;
constexpr uint32_t kTextureCount = 4;
// D3DFVF_TEXCOORDSIZE3 of sets 0 and 1.
constexpr uint32_t kThreeCoordinates = 1U << 16 | 1U << 18;

constexpr std::string_view kTargetFormats[] = {
    "X8R8G8B8",      "A8R8G8B8",      "X8R8G8B8",    "A8R8G8B8",
    "X8R8G8B8",      "A8R8G8B8",      "R5G6B5",      "X1R5G5B5",
    "A1R5G5B5",      "A4R4G4B4",      "X4R4G4B4",    "A8R3G3B2",
    "R3G3B2",        "A8B8G8R8",      "X8B8G8R8",    "A2R10G10B10",
    "G16R16",        "A16B16G16R16",  "A2B10G10R10", "R16F",
    "G16R16F",       "A16B16G16R16F", "R32F",        "G32R32F",
    "A32B32G32R32F", "R8G8B8",        "A8",          "L8",
    "A8L8",          "A4L4",          "L16",         "V8U8",
    "L6V5U5",        "Q8W8V8U8",      "V16U16",      "A2W10V10U10",
    "Q16W16V16U16"};
constexpr std::string_view kDepthFormats[] = {"D16",     "D24X8", "D24S8",         "D24S8", "D15S1",
                                              "D24X4S4", "D32",   "D32F_LOCKABLE", "D24FS8"};
constexpr std::string_view kTextureFormats[] = {
    "P8",       "A8R8G8B8", "X8R8G8B8",      "A8R8G8B8",      "R5G6B5",       "A1R5G5B5",
    "X8R8G8B8", "A8R8G8B8", "R8G8B8",        "X1R5G5B5",      "A4R4G4B4",     "R3G3B2",
    "A8",       "L8",       "A8L8",          "A4L4",          "DXT1",         "DXT3",
    "DXT5",     "DXT2",     "DXT4",          "ATI1",          "ATI2",         "V8U8",
    "L6V5U5",   "X8L8V8U8", "Q8W8V8U8",      "CxV8U8",        "V16U16",       "A2W10V10U10",
    "G16R16",   "L16",      "A2R10G10B10",   "A2B10G10R10",   "A16B16G16R16", "Q16W16V16U16",
    "R16F",     "G16R16F",  "A16B16G16R16F", "R32F",          "G32R32F",      "A32B32G32R32F",
    "D16",      "D24S8",    "D24X8",         "D32F_LOCKABLE", "D24FS8",       "INTZ",
    "DF24",     "DF16",     "UYVY",          "YUY2",          "G8R8_G8B8",    "R8G8_B8G8",
    "NV12",     "YV12",     "A8P8",          "MULTI2_ARGB8"};

std::string Base64(const std::vector<uint8_t>& bytes) {
  std::string text;
  json::AppendBase64(bytes, text);
  return text;
}

struct Texture {
  uint32_t handle = 0;
  std::string_view format;
  uint32_t width = 0, height = 0, depth = 1, levels = 1, faces = 1;
};

class SceneMaker {
 public:
  explicit SceneMaker(Choices& choices) : c_(choices) {}

  std::string Make() {
    text_ = "[\n{\"event\":\"header\"}";
    MakeSurfaces();
    for (uint32_t i = 0; i < kTextureCount; ++i)
      MakeTexture(kFirstTexture + i);
    Commands({FirstClear(), FirstStates()});
    if (c_.OneIn(3)) MakePixelShader();
    if (c_.OneIn(4)) MakeVertexShader();
    if (c_.OneIn(4)) StartQuery();
    const uint32_t calls = 1 + c_.Below(6);
    for (uint32_t i = 0; i < calls; ++i)
      MakeCall();
    if (has_query_) Commands({R"({"op":"ISSUEQUERY","records":[{"query_id":1,"flags":["END"]}]})"});
    Event(R"("surface_read","handle":1)");
    if (has_depth_) Event(R"("surface_read","handle":2)");
    if (has_second_) Event(R"("surface_read","handle":3)");
    Event(R"("surface_read","handle":4)");
    return text_ + "\n]\n";
  }

 private:
  template <size_t n>
  std::string_view Pick(const std::string_view (&names)[n]) {
    return names[c_.Below(n)];
  }
  void Event(const std::string& members) { text_ += ",\n{\"event\":" + members + "}"; }
  void Commands(const std::vector<std::string>& commands) {
    Event(fmt::format(R"("dp2","context":1,"commands":[{}])", fmt::join(commands, ",")));
  }

  void MakeSurfaces() {
    width_ = Side();
    height_ = Side();
    const uint32_t samples = c_.OneIn(6) ? 1U << c_.Below(4) : 1;
    const auto surface = [&](uint32_t handle, std::string_view kind, std::string_view format) {
      Event(fmt::format(
          R"("surface_create","handle":{},"kind":"{}","format":"{}","width":{},"height":{},"samples":{})",
          handle, kind, format, width_, height_, samples));
    };
    surface(kTarget, "target", Pick(kTargetFormats));
    has_depth_ = !c_.OneIn(4);
    if (has_depth_) surface(kDepth, "depth", Pick(kDepthFormats));
    has_second_ = c_.OneIn(6);
    if (has_second_) surface(kSecondTarget, "target", Pick(kTargetFormats));
    Event(fmt::format(
        R"("surface_create","handle":{},"caps":["3DDEVICE","TEXTURE"],"format":"{}","width":{},"height":{})",
        kTextureTarget, Pick(kTargetFormats), 1 + c_.Below(100), 1 + c_.Below(100)));
    Event(fmt::format(R"("context_create","context":1,"target":1,"depth":{})",
                      has_depth_ ? kDepth : 0));
    if (has_second_) {
      Commands({fmt::format(
          R"({{"op":"SETRENDERTARGET2","records":[{{"rt_index":1,"render_target":{}}}]}})",
          kSecondTarget)});
    }
  }

  // Few are larger than a tile, which cost as much as many small ones.
  uint32_t Side() { return 1 + c_.Below(c_.OneIn(8) ? 200 : c_.OneIn(4) ? 72 : 24); }

  std::vector<uint8_t> RandomBytes(size_t size) {
    std::vector<uint8_t> bytes(size);
    Random random(c_.U32());
    // Few different bytes make equal texels, whole numbers, infinities and matches of colour keys likelier.
    constexpr uint8_t kFew[] = {0, 0x3C, 0x80, 0xBC, 0x7F, 0xFF, 0x40, 0};
    const bool is_few = c_.OneIn(4);
    for (uint8_t& byte : bytes)
      byte = is_few ? kFew[random.Byte() % std::size(kFew)] : random.Byte();
    return bytes;
  }

  void MakeTexture(uint32_t handle) {
    const uint32_t extent = 1U << c_.Below(7);
    uint32_t width = extent;
    uint32_t height = c_.OneIn(2) ? extent : 1U << c_.Below(6);
    bool is_cube = c_.OneIn(6);
    bool is_volume = !is_cube && c_.OneIn(6);
    const std::string_view format = Pick(kTextureFormats);
    const d3d::FormatInfo& info = *d3d::FindFormatByName(format);
    const bool is_planar = info.kind == d3d::FormatKind::kPlanarYuv;
    const bool is_compressed = info.block_width > 1 || is_planar;
    if (is_compressed) {
      width = std::max(width, 4U);
      height = std::max(height, 4U);
    } else if (c_.OneIn(4)) {
      width = 1 + c_.Below(70);
    }
    if (is_planar) is_cube = is_volume = false;
    if (is_cube) height = width = extent < 4 ? 4 : extent;
    const uint32_t depth = is_volume ? 1U << c_.Below(4) : 1;
    const uint32_t levels = is_planar || c_.OneIn(2) ? 1 : 1 + c_.Below(4);
    std::string more;
    if (is_cube) {
      more =
          R"(,"faces":["POSITIVEX","NEGATIVEX","POSITIVEY","NEGATIVEY","POSITIVEZ","NEGATIVEZ"])";
    }
    if (is_volume) more = fmt::format(R"(,"depth":{})", depth);
    if (!is_compressed && c_.OneIn(6)) {
      const uint32_t low = c_.OneIn(2) ? 0 : c_.Below(256);
      more += fmt::format(R"(,"color_key":{{"low":{},"high":{}}})", low, low + c_.Below(64));
    }
    Event(fmt::format(
        R"("surface_create","handle":{},"format":"{}","width":{},"height":{},"levels":{}{})",
        handle, format, width, height, levels, more));
    if (info.has_palette()) MakePalette(handle);
    if (is_planar) return;  // zeros
    textures_.push_back({handle, format, width, height, depth, levels, is_cube ? 6U : 1U});
    Fill(textures_.back());
  }

  void MakePalette(uint32_t handle) {
    std::vector<uint32_t> entries(256);
    for (uint32_t& entry : entries)
      entry = c_.U32();
    Commands(
        {fmt::format(
             R"({{"op":"UPDATEPALETTE","palette_handle":{0},"start_index":0,"num_entries":256,"entries":[{1}]}})",
             handle, fmt::join(entries, ",")),
         fmt::format(
             R"({{"op":"SETPALETTE","records":[{{"palette_handle":{0},"palette_flags":["ALPHA"],"surface_handle":{0}}}]}})",
             handle)});
  }

  void Fill(const Texture& texture) {
    for (uint32_t face = 0; face < texture.faces; ++face) {
      for (uint32_t level = 0; level < texture.levels; ++level) {
        const uint32_t w = std::max(texture.width >> level, 1U);
        const uint32_t h = std::max(texture.height >> level, 1U);
        const uint32_t d = std::max(texture.depth >> level, 1U);
        const d3d::FormatInfo& info = *d3d::FindFormatByName(texture.format);
        const size_t columns = (w + info.block_width - 1U) / info.block_width;
        const size_t rows = (h + info.block_height - 1U) / info.block_height;
        const size_t size = columns * rows * d * info.block_size;
        Event(fmt::format(R"("surface_update","handle":{},"face":{},"level":{},"data":"{}")",
                          texture.handle, face, level, Base64(RandomBytes(size))));
        if (w == 1 && h == 1 && d == 1) break;
      }
    }
  }

  std::string FirstClear() {
    return Clear(has_depth_ ? R"("TARGET","ZBUFFER")" : R"("TARGET")",
                 fmt::format("[0,0,{},{}]", c_.OneIn(4) ? 1 + c_.Below(width_) : width_, height_));
  }

  // Some parts of some rectangles, which may reach out of the surfaces where the viewport cuts them.
  std::string NextClear() {
    std::vector<std::string_view> flags;
    if (!has_depth_ || !c_.OneIn(3)) flags.emplace_back(R"("TARGET")");
    if (has_depth_ && (flags.empty() || !c_.OneIn(3))) flags.emplace_back(R"("ZBUFFER")");
    if (has_depth_ && c_.OneIn(3)) flags.emplace_back(R"("STENCIL")");
    const bool computes = c_.OneIn(4);
    if (computes) flags.emplace_back(R"("COMPUTERECTS")");
    std::vector<std::string> rects;
    const uint32_t count = c_.OneIn(3) ? c_.Below(4) : 1;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t left = c_.OneIn(2) ? 0 : c_.Below(width_);
      const uint32_t top = c_.OneIn(2) ? 0 : c_.Below(height_);
      const uint32_t beyond = computes ? 8 : 0;
      const uint32_t right = c_.OneIn(2) ? width_ : left + c_.Below(width_ - left + 1 + beyond);
      const uint32_t bottom = c_.OneIn(2) ? height_ : top + c_.Below(height_ - top + 1 + beyond);
      rects.push_back(fmt::format("[{},{},{},{}]", left, top, right, bottom));
    }
    return Clear(fmt::format("{}", fmt::join(flags, ",")),
                 fmt::format("{}", fmt::join(rects, ",")));
  }

  std::string Clear(std::string_view flags, std::string_view rects) {
    return fmt::format(
        R"({{"op":"CLEAR","flags":[{}],"fill_color":{},"fill_depth":{},"fill_stencil":{},"rects":[{}]}})",
        flags, c_.U32(), c_.Real(0, 1), c_.Below(256), rects);
  }

  std::string FirstStates() {
    return fmt::format(
        R"({{"op":"RENDERSTATE","records":[{{"render_state":"CULLMODE","state":"NONE"}},{{"render_state":"LIGHTING","state":{}}},{{"render_state":"ZENABLE","state":{}}}]}})",
        c_.OneIn(8) ? 1 : 0,
        !has_depth_ || c_.OneIn(3) ? 0
        : c_.OneIn(5)              ? 2
                                   : 1);
  }

  static uint32_t Bits(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }

  // A legal value of the state; anything at all once in a while.
  uint32_t ValueOf(const d3d::StateInfo& info) {
    if (c_.OneIn(64)) return c_.U32();
    if (info.type == d3d::ValueType::kF32)
      return Bits(c_.OneIn(3) ? c_.Real(-4, 4) : c_.Real(0, 1));
    if (info.max >= 4294967295.0) return c_.OneIn(2) ? c_.U32() : c_.Below(4);
    const auto least = static_cast<uint32_t>(std::max(info.min, 0.0));
    const auto range = static_cast<uint32_t>(std::min(info.max - least, 65535.0));
    for (uint32_t tries = 0; tries < 8; ++tries) {
      const uint32_t value = least + c_.Below(range + 1);
      if (!d3d::IsExcluded(info, value)) return value;
    }
    return least;
  }

  std::string States() {
    std::string records;
    const auto states = d3d::AllRenderStates();
    const uint32_t count = c_.Below(8);
    for (uint32_t i = 0; i < count; ++i) {
      const d3d::StateInfo& info = states[c_.Below(static_cast<uint32_t>(states.size()))];
      // Tessellation is another renderer's, and takes long.
      const bool is_dull =
          info.has_side_effect || info.name.find("TESS") != std::string_view::npos ||
          info.name.find("NPATCH") != std::string_view::npos ||
          info.name.find("PATCH") != std::string_view::npos || info.type == d3d::ValueType::kHandle;
      if (is_dull) continue;
      records += fmt::format(R"({}{{"render_state":{},"state":{}}})", records.empty() ? "" : ",",
                             info.code, ValueOf(info));
    }
    // Those that matter most, more often.
    constexpr uint32_t kOften[] = {15,  19,  20,  22,  23,  24,  25,  27,  28,  34,  35,  52,
                                   53,  54,  55,  56,  57,  58,  59,  7,   8,   9,   14,  168,
                                   171, 174, 185, 195, 206, 207, 208, 10,  16,  154, 156, 161,
                                   162, 176, 12,  13,  26,  41,  144, 190, 191, 192, 193, 194};
    const uint32_t often = c_.Below(6);
    for (uint32_t i = 0; i < often; ++i) {
      const d3d::StateInfo* const info = d3d::FindRenderState(kOften[c_.Below(std::size(kOften))]);
      if (info == nullptr) continue;
      records += fmt::format(R"({}{{"render_state":{},"state":{}}})", records.empty() ? "" : ",",
                             info->code, ValueOf(*info));
    }
    return fmt::format(R"({{"op":"RENDERSTATE","records":[{}]}})", records);
  }

  std::string Stages() {
    std::string records;
    const auto add = [&](uint32_t stage, uint32_t state, uint32_t value) {
      records += fmt::format(R"({}{{"stage":{},"ts_state":{},"value":{}}})",
                             records.empty() ? "" : ",", stage, state, value);
    };
    const auto states = d3d::AllTextureStageStates();
    const uint32_t stages = 1 + c_.Below(3);
    for (uint32_t stage = 0; stage < stages; ++stage) {
      const uint32_t texture =
          c_.OneIn(8) ? kTextureTarget : kFirstTexture + c_.Below(kTextureCount);
      add(stage, 0, c_.OneIn(5) ? 0 : texture);
      add(stage, 1, c_.OneIn(3) ? 1 + c_.Below(26) : 4);
      add(stage, 4, c_.OneIn(3) ? 1 + c_.Below(26) : 4);
      if (c_.OneIn(2)) {
        add(stage, 16, 1 + c_.Below(2));
        add(stage, 17, 1 + c_.Below(2));
        add(stage, 18, c_.Below(3));
      }
      AddSampler(stage, add);
      const uint32_t count = c_.Below(6);
      for (uint32_t i = 0; i < count; ++i) {
        const d3d::StateInfo& info = states[c_.Below(static_cast<uint32_t>(states.size()))];
        if (info.code == 0 || info.state_class == d3d::StateClass::kUserMode) continue;
        add(stage, info.code, ValueOf(info));
      }
    }
    return fmt::format(R"({{"op":"TEXTURESTAGESTATE","records":[{}]}})", records);
  }

  // States of textures that a program would set together: D3DTSS_ numbers.
  template <class Add>
  void AddSampler(uint32_t stage, const Add& add) {
    if (c_.OneIn(2)) {
      const uint32_t filter = c_.OneIn(3) ? 1 : 2;
      add(stage, 16, filter);
      add(stage, 17, c_.OneIn(3) ? 3 : filter);
      add(stage, 18, c_.Below(3));
      add(stage, 21, 1 + c_.Below(17));
    }
    if (c_.OneIn(4)) {
      for (const uint32_t axis : {13U, 14U, 25U})
        add(stage, axis, c_.OneIn(2) ? 4 : 1 + c_.Below(5));
      add(stage, 15, c_.U32());
    }
    if (c_.OneIn(6)) add(stage, 29, 1);
    if (c_.OneIn(3)) add(stage, 24, c_.Below(5) | (c_.OneIn(4) ? 256U : 0U));
    if (c_.OneIn(6)) add(stage, 19, Bits(c_.Real(-3, 3)));
  }

  std::string Source() {
    constexpr std::string_view kSources[] = {"r0", "r1", "r2", "r3", "c0", "c1", "v0"};
    constexpr std::string_view kSwizzles[] = {"", ".x", ".y", ".z", ".w", ".yzxw", ".wzyx"};
    return fmt::format("{}{}{}", c_.OneIn(5) ? "-" : "", Pick(kSources), Pick(kSwizzles));
  }

  // One instruction that the shaders of both kinds have; it writes one of r0 to r3.
  std::string Arithmetic(uint32_t to) {
    constexpr std::string_view kMasks[] = {"", ".xyz", ".w", ".xy", ".xz"};
    constexpr std::string_view kScalar[] = {"exp", "log", "rcp", "rsq"};
    constexpr std::string_view kUnary[] = {"mov", "frc", "abs"};
    constexpr std::string_view kBinary[] = {"add", "sub", "mul", "min", "max", "dp3", "dp4"};
    const std::string_view mask = Pick(kMasks);
    switch (c_.Below(7)) {
      case 0:
        return fmt::format("{} r{}{}, r{}.{}\n", Pick(kScalar), to, mask, c_.Below(4),
                           "xyzw"[c_.Below(4)]);
      case 1:
        return fmt::format("{} r{}{}, {}\n", Pick(kUnary), to, mask, Source());
      case 2:
        return fmt::format("{} r{}{}, {}, {}, {}\n", c_.OneIn(2) ? "mad" : "lrp", (to + 1) % 4,
                           mask, Source(), Source(), Source());
      case 3:
        return c_.OneIn(2) ? fmt::format("nrm r{}, r{}\n", to, (to + 1) % 4)
                           : fmt::format("pow r{}, r{}.x, r{}.y\n", to, (to + 1) % 4, (to + 2) % 4);
      default:
        return fmt::format("{} r{}{}, {}, {}\n", Pick(kBinary), to, mask, Source(), Source());
    }
  }

  std::string Definitions() const {
    return "def c0, 0.25, -0.5, 2, 1\ndef c1, 0.75, 0.125, -1, 3\n";
  }

  // Reads both colours and two textures.
  void MakePixelShader() {
    const bool has_gradients = c_.OneIn(3);
    std::string code = (has_gradients ? "ps_2_x\n" : "ps_2_0\n") + Definitions() +
                       "dcl v0\ndcl v1\ndcl t0\ndcl t1\ndcl_2d s0\ndcl_2d s1\nmov r0, v0\n"
                       "mov r1, v1\nmov r2, t0\nmov r3, c1\n";
    const uint32_t count = 1 + c_.Below(10);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t to = c_.Below(4);
      if (has_gradients && c_.OneIn(4)) {
        code += fmt::format("texldd r{}, t{}, s{}, r{}, r{}\n", to, c_.Below(2), c_.Below(2),
                            c_.Below(4), c_.Below(4));
      } else if (c_.OneIn(4)) {
        code += fmt::format("{} r{}, t{}, s{}\n",
                            c_.OneIn(3)   ? "texldb"
                            : c_.OneIn(4) ? "texldp"
                                          : "texld",
                            to, c_.Below(2), c_.Below(2));
      } else if (c_.OneIn(12)) {
        code += fmt::format("texkill r{}\n", to);
      } else if (c_.OneIn(8)) {
        code += fmt::format("cmp r{}, {}, {}, {}\n", to, Source(), Source(), Source());
      } else {
        code += Arithmetic(to);
      }
    }
    code += "mov oC0, r0\n";
    if (has_second_ && c_.OneIn(2)) code += "mov oC1, r1\n";
    if (has_depth_ && c_.OneIn(6)) code += "mov oDepth, r2.x\n";
    const std::vector<uint8_t> bytes = AssembleShader(code);
    Commands(
        {fmt::format(
             R"({{"op":"CREATEPIXELSHADER","records":[{{"handle":1,"code_size":{},"code":"{}"}}]}})",
             bytes.size(), Base64(bytes)),
         R"({"op":"SETPIXELSHADER","records":[{"handle":1}]})"});
  }

  // Of vertices that are not transformed.
  void MakeVertexShader() {
    std::string code = "vs_2_0\n" + Definitions() +
                       "dcl_position v0\ndcl_normal v1\ndcl_color v2\ndcl_color1 v3\n"
                       "dcl_texcoord v4\ndcl_texcoord1 v5\nmov r0, v0\nmov r1, v1\nmov r2, v2\n"
                       "mov r3, v4\n";
    const uint32_t count = c_.Below(8);
    for (uint32_t i = 0; i < count; ++i)
      code += Arithmetic(c_.Below(4));
    code += c_.OneIn(3) ? "mov oPos, v0\nmad oPos.w, r1.x, c0.x, c0.w\n" : "mov oPos, v0\n";
    code += "mov oD0, r2\nmov oD1, v3\nmov oT0, r3\nmov oT1, v5\n";
    const std::vector<uint8_t> bytes = AssembleShader(code);
    Commands({fmt::format(
        R"({{"op":"CREATEVERTEXSHADERFUNC","records":[{{"handle":2,"size":{},"code":"{}"}}]}})",
        bytes.size(), Base64(bytes))});
    has_vertex_shader_ = true;
  }

  void StartQuery() {
    has_query_ = true;
    Commands({R"({"op":"CREATEQUERY","records":[{"query_id":1,"query_type":"OCCLUSION"}]})",
              R"({"op":"ISSUEQUERY","records":[{"query_id":1,"flags":["BEGIN"]}]})"});
  }

  static void Put(std::vector<uint8_t>& out, uint32_t word) {
    for (uint32_t i = 0; i < 4; ++i)
      out.push_back(static_cast<uint8_t>(word >> (8 * i)));
  }

  // Pixels, or clip coordinates, near the target and sometimes far from it.
  void PutPosition(std::vector<uint8_t>& out, bool is_transformed) {
    const float far = c_.OneIn(12) ? 40.0F : 1.2F;
    if (is_transformed) {
      const auto size = static_cast<float>(std::max(width_, height_));
      Put(out, Bits(c_.Real(-0.2F * far, far) * size));
      Put(out, Bits(c_.Real(-0.2F * far, far) * size));
      Put(out, Bits(c_.OneIn(8) ? c_.Real(-1, 2) : c_.Real(0, 1)));
      Put(out, Bits(c_.OneIn(2) ? 1.0F : c_.Real(0.02F, 2)));
    } else {
      Put(out, Bits(c_.Real(-far, far)));
      Put(out, Bits(c_.Real(-far, far)));
      Put(out, Bits(c_.Real(-0.2F, 1.2F)));
    }
  }

  // What queued draws see changes, or where they go.
  void MakeChange() {
    if (c_.OneIn(3) && !textures_.empty())
      Fill(textures_[c_.Below(static_cast<uint32_t>(textures_.size()))]);
    if (c_.OneIn(5)) {
      Commands({fmt::format(R"({{"op":"SETRENDERTARGET","render_target":{},"z_buffer":0}})",
                            kTextureTarget)});
    } else if (c_.OneIn(2)) {
      Commands({fmt::format(R"({{"op":"SETRENDERTARGET","render_target":1,"z_buffer":{}}})",
                            has_depth_ ? kDepth : 0)});
    }
    if (c_.OneIn(8)) Event(R"("surface_read","handle":1)");
  }

  void MakeCall() {
    if (c_.OneIn(3)) MakeChange();
    std::vector<std::string> commands;
    if (c_.OneIn(4)) commands.push_back(NextClear());
    commands.push_back(States());
    if (!c_.OneIn(3)) commands.push_back(Stages());
    if (c_.OneIn(8)) commands.push_back(Viewport());
    const bool is_transformed = !c_.OneIn(3);
    namespace fvf = d3d::fvf;
    const uint32_t format = (is_transformed ? fvf::kXyzRhw : fvf::kXyz | fvf::kNormal) |
                            fvf::kDiffuse | fvf::kSpecular | 2U << fvf::kTexcountShift |
                            kThreeCoordinates;
    const uint32_t stride = (is_transformed ? 16 : 24) + 8 + 24;
    const uint32_t primitives = 1 + c_.Below(c_.OneIn(5) ? 60 : 4);
    struct Kind {
      std::string_view name;
      uint32_t per_primitive, extra;
    };
    constexpr Kind kKinds[] = {{"TRIANGLELIST", 3, 0}, {"TRIANGLESTRIP", 1, 2},
                               {"TRIANGLEFAN", 1, 2},  {"TRIANGLELIST", 3, 0},
                               {"TRIANGLELIST", 3, 0}, {"LINELIST", 2, 0},
                               {"LINESTRIP", 1, 1},    {"POINTS", 1, 0}};
    const Kind& kind = kKinds[c_.Below(std::size(kKinds))];
    const uint32_t count = kind.per_primitive * primitives + kind.extra;
    std::vector<uint8_t> vertices;
    for (uint32_t i = 0; i < count; ++i) {
      PutPosition(vertices, is_transformed);
      if (!is_transformed) {
        for (uint32_t axis = 0; axis < 3; ++axis)
          Put(vertices, Bits(c_.Real(-1, 1)));
      }
      Put(vertices, c_.U32());
      Put(vertices, c_.U32());
      const float scale = c_.OneIn(6) ? 20.0F : 1.0F;
      for (uint32_t axis = 0; axis < 6; ++axis)
        Put(vertices, Bits(c_.Real(-0.5F, 1.5F) * scale));
    }
    if (!is_transformed && has_vertex_shader_ && c_.OneIn(2) && kind.name == "TRIANGLELIST") {
      AddShaderDraw(format, stride, primitives, commands);
    } else if (kind.name == "TRIANGLELIST" && c_.OneIn(4)) {
      commands.push_back(IndexedTriangles(count));
    } else if (kind.name == "POINTS") {
      commands.push_back(
          fmt::format(R"({{"op":"POINTS","records":[{{"count":{},"v_start":0}}]}})", count));
    } else {
      commands.push_back(
          fmt::format(R"({{"op":"{}","count":{},"v_start":0}})", kind.name, primitives));
    }
    Event(fmt::format(
        R"("dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":{},"vertex_size":{},"commands":[{}],"vertices":"{}")",
        format, stride, fmt::join(commands, ","), Base64(vertices)));
  }

  static void AddShaderDraw(uint32_t format, uint32_t stride, uint32_t primitives,
                            std::vector<std::string>& commands) {
    commands.push_back(fmt::format(
        R"({{"op":"SETVERTEXSHADERDECL","records":[{{"handle":{}}}]}},{{"op":"SETVERTEXSHADERFUNC","records":[{{"handle":2}}]}},{{"op":"SETSTREAMSOURCEUM","records":[{{"stream":0,"stride":{}}}]}})",
        format, stride));
    commands.push_back(fmt::format(
        R"({{"op":"DRAWPRIMITIVE","records":[{{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":{}}}]}},{{"op":"SETVERTEXSHADERFUNC","records":[{{"handle":0}}]}})",
        primitives));
  }

  std::string IndexedTriangles(uint32_t vertices) {
    std::string records;
    const uint32_t count = 1 + c_.Below(12);
    for (uint32_t i = 0; i < count; ++i) {
      records += fmt::format(R"({}{{"v1":{},"v2":{},"v3":{},"flags":{}}})", i == 0 ? "" : ",",
                             c_.Below(vertices), c_.Below(vertices), c_.Below(vertices),
                             0x100U << c_.Below(3));
    }
    return fmt::format(R"({{"op":"INDEXEDTRIANGLELIST","records":[{}]}})", records);
  }

  std::string Viewport() {
    const uint32_t x = c_.Below(width_);
    const uint32_t y = c_.Below(height_);
    return fmt::format(
        R"({{"op":"VIEWPORTINFO","records":[{{"x":{},"y":{},"width":{},"height":{}}}]}})", x, y,
        1 + c_.Below(width_ - x), 1 + c_.Below(height_ - y));
  }

  Choices& c_;
  std::string text_;
  uint32_t width_ = 0, height_ = 0;
  bool has_depth_ = false, has_second_ = false, has_query_ = false, has_vertex_shader_ = false;
  std::vector<Texture> textures_;
};

}  // namespace

Choices::Choices(std::span<const uint8_t> bytes) : bytes_(bytes), random_(0) {
  uint64_t seed = bytes.size();
  for (const uint8_t byte : bytes)
    seed = seed * 0x100000001B3 + byte;
  random_ = Random(seed);
}

uint32_t Choices::U32() {
  if (bytes_.size() < 4) return random_.U32();
  uint32_t word = 0;
  std::memcpy(&word, bytes_.data(), sizeof word);
  bytes_ = bytes_.subspan(4);
  return word;
}

std::string MakeDrawScene(Choices& choices) {
  return SceneMaker(choices).Make();
}

}  // namespace dp2trace::testing
