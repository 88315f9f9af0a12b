#include "state/state_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "d3d/fvf.h"
#include "d3d/states.h"
#include "opcode/layouts.h"
#include "state/state_snapshot.h"
#include "text/command.h"
#include "text/value.h"

namespace dp2trace::state {
namespace {

namespace layout = opcode::layout;
using device::Context;
using device::State;
using device::StateKey;
using device::StateKind;
using device::StateWords;

constexpr uint32_t kMatrixRow = 4;

StateWords WordsOf(const State& state, StateKey key) {
  StateWords words = {};
  device::ReadState(state, key, words);
  return words;
}

std::string Structure(const opcode::StructDesc& layout, const StateWords& words) {
  std::array<uint8_t, sizeof words> bytes = {};
  std::memcpy(bytes.data(), words.data(), sizeof words);
  std::string text;
  text::AppendStructure(text, layout, bytes.data(), 0);
  // Without the braces: there is nothing else on the line.
  const bool is_braced = text.starts_with('{') && text.ends_with('}');
  return is_braced ? text.substr(1, text.size() - 2) : text;
}

std::string Floats(const uint32_t* words, uint32_t count) {
  std::string text = "[";
  for (uint32_t i = 0; i < count; ++i) {
    if (i != 0) text += i % kMatrixRow == 0 ? " | " : " ";
    text::AppendFloat(text, words[i]);
  }
  return text + "]";
}

std::string Matrix(const StateWords& words) {
  StateWords identity = {};
  std::memcpy(identity.data(), device::kIdentity.data(), sizeof device::kIdentity);
  return words == identity ? "identity" : Floats(words.data(), 16);
}

std::string StateValue(const d3d::StateInfo* info, uint32_t value, uint32_t runtime_version) {
  std::string text;
  text::AppendStateValue(text, info, value, runtime_version);
  return text;
}

std::string StageValue(const Context& context, uint32_t index, uint32_t value) {
  const uint32_t state = index % d3d::kTextureStageStateCount;
  if (state == d3d::Value(d3d::TextureStageState::TextureMap)) return SurfaceText(context, value);
  const d3d::StateInfo* const info = d3d::FindTextureStageState(state);
  return StateValue(info, value, context.runtime_version);
}

// The handle of the code: a level 8 shader is declaration and code in one.
uint32_t CodeHandle(const device::VertexProgram& program) {
  const bool is_both = program.is_level8 && (program.format & 1) != 0;
  return is_both ? program.format : program.function;
}

std::string Object(uint32_t handle, bool is_alive) {
  return handle == 0 ? "none" : fmt::format("{}{}", handle, is_alive ? "" : " (not there)");
}

std::string Declaration(const Context& context, const State& state) {
  const device::VertexProgram& program = state.vertex_program;
  const bool is_created = context.declarations.contains(program.format);
  if (program.is_level8 && (program.format & 1) != 0)
    return fmt::format("of vertex shader {}", program.format);
  if ((program.format & 1) == 0 && !is_created)
    return program.format == 0 ? "none" : d3d::FvfText(program.format);
  return Object(program.format, is_created);
}

std::string VertexFunction(const Context& context, const State& state) {
  const device::VertexProgram& program = state.vertex_program;
  const uint32_t handle = CodeHandle(program);
  const auto& shaders = program.is_level8 ? context.vertex_shaders : context.vertex_functions;
  return Object(handle, shaders.contains(handle));
}

std::string Stream(const Context& context, const StateWords& words) {
  if (words[3] != 0) return fmt::format("user memory, stride {}", words[2]);
  if (words[0] == 0) return words[2] == 0 ? "none" : fmt::format("none, stride {}", words[2]);
  return fmt::format("{}; offset {}, stride {}", SurfaceText(context, words[0]), words[1],
                     words[2]);
}

std::string Indices(const Context& context, const StateWords& words) {
  if (words[0] == 0) return "none";
  return fmt::format("{}; stride {}", SurfaceText(context, words[0]), words[1]);
}

}  // namespace

std::string NameOrNumber(const EnumInfo& names, uint32_t value) {
  std::string text;
  text::AppendEnum(text, names, value);
  return text;
}

bool SameValue(const State& a, const State& b, StateKey key) {
  if (key.kind == StateKind::kVertexDeclaration) {
    return a.vertex_program.format == b.vertex_program.format &&
           a.vertex_program.is_level8 == b.vertex_program.is_level8;
  }
  if (key.kind == StateKind::kVertexFunction)
    return CodeHandle(a.vertex_program) == CodeHandle(b.vertex_program);
  return WordsOf(a, key) == WordsOf(b, key);
}

std::string SurfaceText(const Context& context, uint32_t handle) {
  if (handle == 0) return "none";
  const device::SurfaceRef found = context.space->Find(handle);
  if (!found) return fmt::format("{}: {}", handle, Describe(context.space->history().Find(handle)));
  const device::Resource& resource = *found.resource;
  const image::SurfaceDescription& description = resource.surface.description();
  if (resource.is_buffer()) {
    return fmt::format("{}: {} of {} bytes", handle, Describe(resource),
                       resource.surface.size_bytes());
  }
  const image::Area area = resource.surface.WholeLevel(found.level);
  std::string text = fmt::format("{}: {} {}x{}", handle, resource.surface.info().name, area.width(),
                                 area.height());
  if (resource.is_volume()) text += fmt::format("x{}", area.depth());
  if (resource.is_cube()) text += " cube";
  if (description.levels > 1) text += fmt::format(", {} levels", description.levels);
  if (description.samples > 1) text += fmt::format(", {} samples", description.samples);
  if (handle != resource.handle)
    text += fmt::format(" (face {}, level {} of {})", found.face, found.level, resource.handle);
  if (resource.color_key) {
    text += fmt::format(", colour key {:#x} to {:#x}", resource.color_key->low,
                        resource.color_key->high);
  }
  if (resource.lod != 0) text += fmt::format(", LOD {}", resource.lod);
  const auto palette = context.palette_bindings.find(resource.handle);
  if (palette != context.palette_bindings.end())
    text += fmt::format(", palette {}", palette->second.palette);
  return text;
}

std::string ValueText(const Context& context, const State& state, StateKey key) {
  const StateWords words = WordsOf(state, key);
  switch (key.kind) {
    case StateKind::kRender:
      return StateValue(d3d::FindRenderState(key.index), words[0], context.runtime_version);
    case StateKind::kStage:
      return StageValue(context, key.index, words[0]);
    case StateKind::kTransform:
      return Matrix(words);
    case StateKind::kViewport:
      return words[4] == 0 ? "the whole target" : Structure(layout::kViewportInfo, words);
    case StateKind::kZRange:
      return Structure(layout::kZRange, words);
    case StateKind::kWInfo:
      return Structure(layout::kWInfo, words);
    case StateKind::kScissor:
      return words[4] == 0 ? "the whole target" : Structure(layout::kRect, words);
    case StateKind::kMaterial:
      return Structure(layout::kSetMaterial, words);
    case StateKind::kLight:
      return Structure(layout::kLight7, words);
    case StateKind::kLightEnable:
    case StateKind::kVertexBoolean:
    case StateKind::kPixelBoolean:
      return words[0] != 0 ? "TRUE" : "FALSE";
    case StateKind::kClipPlane:
    case StateKind::kVertexFloat:
    case StateKind::kPixelFloat:
      return Floats(words.data(), 4);
    case StateKind::kVertexInteger:
    case StateKind::kPixelInteger:
      return fmt::format("[{} {} {} {}]", static_cast<int32_t>(words[0]),
                         static_cast<int32_t>(words[1]), static_cast<int32_t>(words[2]),
                         static_cast<int32_t>(words[3]));
    case StateKind::kVertexShader:
    case StateKind::kVertexDeclaration:
      return Declaration(context, state);
    case StateKind::kVertexFunction:
      return VertexFunction(context, state);
    case StateKind::kPixelShader:
      return Object(words[0], context.pixel_shaders.contains(words[0]));
    case StateKind::kStream:
      return Stream(context, words);
    case StateKind::kStreamDivider:
      return fmt::format("{:#x}", words[0]);
    case StateKind::kIndices:
      return Indices(context, words);
  }
  return {};
}

}  // namespace dp2trace::state
