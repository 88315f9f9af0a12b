#include "draw_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "d3d/states.h"
#include "json/base64.h"
#include "support/shader_assembler.h"

namespace dp2trace::testing {
namespace {

constexpr uint32_t kTarget = 1, kDepth = 2, kSecondTarget = 3, kFirstTexture = 10;
constexpr uint32_t kTextureCount = 4;

constexpr std::string_view kTargetFormats[] = {
    "X8R8G8B8", "A8R8G8B8",      "X8R8G8B8",    "A8R8G8B8",     "R5G6B5", "X1R5G5B5",
    "A1R5G5B5", "A4R4G4B4",      "A2R10G10B10", "A2B10G10R10",  "G16R16", "A16B16G16R16",
    "R16F",     "A16B16G16R16F", "R32F",        "A32B32G32R32F"};
constexpr std::string_view kDepthFormats[] = {"D16",     "D24X8", "D24S8",         "D24S8", "D15S1",
                                              "D24X4S4", "D32",   "D32F_LOCKABLE", "D24FS8"};
constexpr std::string_view kTextureFormats[] = {
    "A8R8G8B8", "X8R8G8B8", "A8R8G8B8", "R5G6B5", "A1R5G5B5",    "A4R4G4B4",
    "R3G3B2",   "A8",       "L8",       "A8L8",   "A4L4",        "DXT1",
    "DXT3",     "DXT5",     "V8U8",     "L6V5U5", "X8L8V8U8",    "Q8W8V8U8",
    "G16R16",   "L16",      "R16F",     "R32F",   "A2R10G10B10", "A16B16G16R16"};

std::string Base64(const std::vector<uint8_t>& bytes) {
  std::string text;
  json::AppendBase64(bytes, text);
  return text;
}

class SceneMaker {
 public:
  explicit SceneMaker(Choices& choices) : c_(choices) {}

  std::string Make() {
    text_ = "[\n{\"event\":\"header\"}";
    MakeSurfaces();
    for (uint32_t i = 0; i < kTextureCount; ++i)
      MakeTexture(kFirstTexture + i);
    Commands({Clear(), FirstStates()});
    if (c_.OneIn(3)) MakePixelShader();
    if (c_.OneIn(4)) StartQuery();
    const uint32_t calls = 1 + c_.Below(6);
    for (uint32_t i = 0; i < calls; ++i)
      MakeCall();
    if (has_query_) Commands({R"({"op":"ISSUEQUERY","records":[{"query_id":1,"flags":["END"]}]})"});
    Event(R"("surface_read","handle":1)");
    if (has_depth_) Event(R"("surface_read","handle":2)");
    if (has_second_) Event(R"("surface_read","handle":3)");
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
    width_ = 1 + c_.Below(c_.OneIn(4) ? 200 : 72);
    height_ = 1 + c_.Below(c_.OneIn(4) ? 200 : 72);
    const uint32_t samples = c_.OneIn(10) ? 1U << c_.Below(4) : 1;
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
    Event(fmt::format(R"("context_create","context":1,"target":1,"depth":{})",
                      has_depth_ ? kDepth : 0));
    if (has_second_) {
      Commands({fmt::format(
          R"({{"op":"SETRENDERTARGET2","records":[{{"rt_index":1,"render_target":{}}}]}})",
          kSecondTarget)});
    }
  }

  std::vector<uint8_t> RandomBytes(size_t size) {
    std::vector<uint8_t> bytes(size);
    Random random(c_.U32());
    for (uint8_t& byte : bytes)
      byte = random.Byte();
    return bytes;
  }

  void MakeTexture(uint32_t handle) {
    const uint32_t extent = 1U << c_.Below(7);
    uint32_t width = extent;
    uint32_t height = c_.OneIn(2) ? extent : 1U << c_.Below(6);
    const bool is_cube = c_.OneIn(8);
    const bool is_volume = !is_cube && c_.OneIn(8);
    const std::string_view format = Pick(kTextureFormats);
    const bool is_compressed = format.starts_with("DXT");
    if (is_compressed) {
      width = std::max(width, 4U);
      height = std::max(height, 4U);
    } else if (c_.OneIn(4)) {
      width = 1 + c_.Below(70);
    }
    if (is_cube) height = width = extent < 4 ? 4 : extent;
    const uint32_t levels = c_.OneIn(2) ? 1 : 1 + c_.Below(4);
    std::string more;
    if (is_cube)
      more =
          R"(,"faces":["POSITIVEX","NEGATIVEX","POSITIVEY","NEGATIVEY","POSITIVEZ","NEGATIVEZ"])";
    if (is_volume) more = fmt::format(R"(,"depth":{})", 1U << c_.Below(4));
    if (!is_compressed && c_.OneIn(10)) more += R"(,"color_key":{"low":0,"high":1073741824})";
    Event(fmt::format(
        R"("surface_create","handle":{},"format":"{}","width":{},"height":{},"levels":{}{})",
        handle, format, width, height, levels, more));
    // More bytes than a level needs are refused, fewer too: rows of single texels of 4 bytes are made by drawing noise below.
    Fill(handle, format, width, height, levels, is_cube ? 6 : 1, is_volume);
  }

  static uint32_t TexelSize(std::string_view format) {
    if (format == "A16B16G16R16") return 8;
    constexpr std::string_view kOne[] = {"R3G3B2", "A8", "L8", "A4L4"};
    constexpr std::string_view kTwo[] = {"R5G6B5", "A1R5G5B5", "A4R4G4B4", "A8L8",
                                         "V8U8",   "L6V5U5",   "L16",      "R16F"};
    if (std::ranges::find(kOne, format) != std::end(kOne)) return 1;
    return std::ranges::find(kTwo, format) != std::end(kTwo) ? 2 : 4;
  }

  void Fill(uint32_t handle, std::string_view format, uint32_t width, uint32_t height,
            uint32_t levels, uint32_t faces, bool is_volume) {
    if (is_volume) return;  // zeros
    for (uint32_t face = 0; face < faces; ++face) {
      for (uint32_t level = 0; level < levels; ++level) {
        const uint32_t w = std::max(width >> level, 1U);
        const uint32_t h = std::max(height >> level, 1U);
        size_t size = size_t{w} * h * TexelSize(format);
        if (format.starts_with("DXT"))
          size = size_t{(w + 3) / 4} * ((h + 3) / 4) * (format == "DXT1" ? 8 : 16);
        Event(fmt::format(R"("surface_update","handle":{},"face":{},"level":{},"data":"{}")",
                          handle, face, level, Base64(RandomBytes(size))));
        if (w == 1 && h == 1) break;
      }
    }
  }

  std::string Clear() {
    return fmt::format(
        R"({{"op":"CLEAR","flags":["TARGET"{}],"fill_color":{},"fill_depth":{},"fill_stencil":{},"rects":[[0,0,{},{}]]}})",
        has_depth_ ? R"(,"ZBUFFER")" : "", c_.U32(), c_.Real(0, 1), c_.Below(256),
        c_.OneIn(4) ? 1 + c_.Below(width_) : width_, height_);
  }

  std::string FirstStates() {
    return fmt::format(
        R"({{"op":"RENDERSTATE","records":[{{"render_state":"CULLMODE","state":"NONE"}},{{"render_state":"LIGHTING","state":{}}},{{"render_state":"ZENABLE","state":{}}}]}})",
        c_.OneIn(8) ? 1 : 0, has_depth_ && !c_.OneIn(3) ? 1 : 0);
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
      if (value >= 32 || (info.excluded >> value & 1U) == 0) return value;
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
    constexpr uint32_t kOften[] = {15, 19,  20,  22,  23,  24,  25,  27,  28, 34, 35,
                                   52, 53,  54,  55,  56,  57,  58,  59,  7,  8,  9,
                                   14, 168, 171, 174, 185, 195, 206, 207, 208};
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
      add(stage, 0, c_.OneIn(5) ? 0 : kFirstTexture + c_.Below(kTextureCount));
      add(stage, 1, c_.OneIn(3) ? 1 + c_.Below(26) : 4);
      add(stage, 4, c_.OneIn(3) ? 1 + c_.Below(26) : 4);
      if (c_.OneIn(2)) {
        add(stage, 16, 1 + c_.Below(2));
        add(stage, 17, 1 + c_.Below(2));
        add(stage, 18, c_.Below(3));
      }
      const uint32_t count = c_.Below(6);
      for (uint32_t i = 0; i < count; ++i) {
        const d3d::StateInfo& info = states[c_.Below(static_cast<uint32_t>(states.size()))];
        if (info.code == 0 || info.state_class == d3d::StateClass::kUserMode) continue;
        add(stage, info.code, ValueOf(info));
      }
    }
    return fmt::format(R"({{"op":"TEXTURESTAGESTATE","records":[{}]}})", records);
  }

  // An arithmetic pixel shader that reads both colours and two textures.
  void MakePixelShader() {
    constexpr std::string_view kUnary[] = {"mov", "frc", "abs", "exp", "log", "rcp", "rsq", "nrm"};
    constexpr std::string_view kBinary[] = {"add", "sub", "mul", "min", "max", "dp3", "dp4", "pow"};
    constexpr std::string_view kTernary[] = {"mad", "lrp", "cmp"};
    constexpr std::string_view kMasks[] = {"", ".xyz", ".w", ".xy", ".xz"};
    std::string code =
        "ps_2_0\ndef c0, 0.25, -0.5, 2, 1\ndef c1, 0.75, 0.125, -1, 3\ndcl v0\ndcl v1\ndcl t0\ndcl t1\n"
        "dcl_2d s0\ndcl_2d s1\nmov r0, v0\nmov r1, v1\nmov r2, t0\nmov r3, c1\n";
    const auto source = [&] {
      constexpr std::string_view kSources[] = {"r0", "r1", "r2", "r3", "c0", "c1", "v0"};
      constexpr std::string_view kSwizzles[] = {"", ".x", ".y", ".z", ".w", ".yzxw", ".wzyx"};
      return fmt::format("{}{}{}", c_.OneIn(5) ? "-" : "", Pick(kSources), Pick(kSwizzles));
    };
    const uint32_t count = 1 + c_.Below(10);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t to = c_.Below(4);
      const std::string_view mask = Pick(kMasks);
      switch (c_.Below(6)) {
        case 0:
          code += fmt::format("texld r{}, t{}, s{}\n", to, c_.Below(2), c_.Below(2));
          break;
        case 1: {
          const std::string_view op = Pick(kUnary);
          const bool is_scalar = op == "exp" || op == "log" || op == "rcp" || op == "rsq";
          if (is_scalar) {
            code +=
                fmt::format("{} r{}{}, r{}.{}\n", op, to, mask, c_.Below(4), "xyzw"[c_.Below(4)]);
          } else if (op == "nrm") {
            code += fmt::format("nrm r{}, r{}\n", to, (to + 1) % 4);
          } else {
            code += fmt::format("{} r{}{}, {}\n", op, to, mask, source());
          }
          break;
        }
        case 2:
          code += fmt::format("{} r{}{}, {}, {}, {}\n", Pick(kTernary), to, mask, source(),
                              source(), source());
          break;
        case 3:
          if (c_.OneIn(3)) {
            code += fmt::format("texkill r{}\n", to);
            break;
          }
          [[fallthrough]];
        default: {
          const std::string_view op = Pick(kBinary);
          if (op == "pow") {
            code += fmt::format("pow r{}, r{}.x, r{}.y\n", to, c_.Below(4), c_.Below(4));
          } else {
            code += fmt::format("{} r{}{}, {}, {}\n", op, to, mask, source(), source());
          }
        }
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

  void MakeCall() {
    std::vector<std::string> commands;
    if (c_.OneIn(8)) commands.push_back(Clear());
    commands.push_back(States());
    if (!c_.OneIn(3)) commands.push_back(Stages());
    if (c_.OneIn(8)) commands.push_back(Viewport());
    constexpr uint32_t kXyzRhw = 0x004, kXyz = 0x002, kNormal = 0x010, kDiffuse = 0x040,
                       kSpecular = 0x080, kTwoTextures = 0x200;
    const bool is_transformed = !c_.OneIn(3);
    const uint32_t format =
        (is_transformed ? kXyzRhw : kXyz | kNormal) | kDiffuse | kSpecular | kTwoTextures;
    const uint32_t stride = (is_transformed ? 16 : 24) + 8 + 16;
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
      for (uint32_t axis = 0; axis < 4; ++axis)
        Put(vertices, Bits(c_.Real(-0.5F, 1.5F) * scale));
    }
    commands.push_back(
        kind.name == "POINTS"
            ? fmt::format(R"({{"op":"POINTS","records":[{{"count":{},"v_start":0}}]}})", count)
            : fmt::format(R"({{"op":"{}","count":{},"v_start":0}})", kind.name, primitives));
    Event(fmt::format(
        R"("dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":{},"vertex_size":{},"commands":[{}],"vertices":"{}")",
        format, stride, fmt::join(commands, ","), Base64(vertices)));
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
  bool has_depth_ = false, has_second_ = false, has_query_ = false;
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
