// Rules about shader objects, declarations and constants: DP2-VSH-*, DP2-CONST-*.
// Source: lib/opcode/dp2.md 18 and 25.
#include "validate/dp2/topics.h"

#include <fmt/format.h>

#include "device/layout.h"
#include "device/vertex_program.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "shader/instruction.h"
#include "validate/dp2/shader.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using device::VertexElement;
using opcode::Op;
using stream::Record;

constexpr uint32_t kCanShareOffset = 0x40;  // D3DDEVCAPS2_VERTEXELEMENTSCANSHARESTREAMOFFSET

// Every record of this file starts with its handle.
constexpr stream::FieldRef kHandle = stream::Field(layout::kPixelShader, "handle");
static_assert(kHandle.offset == 0 &&
              stream::Field(layout::kCreateVertexShader, "handle").offset == 0 &&
              stream::Field(layout::kCreateVertexShaderDecl, "handle").offset == 0);

// The object that the operation's space has current: its handle, or 0. What was refused is none.
uint32_t CurrentHandle(const device::Context& context, Op op) {
  const device::VertexProgram& program = context.state.vertex_program;
  const auto live = [](const std::map<uint32_t, device::ShaderObject>& table, uint32_t handle) {
    const auto shader = table.find(handle);
    return shader != table.end() && !device::IsRefused(shader->second) ? handle : 0;
  };
  switch (op) {
    case Op::kDeleteVertexShader:
      return program.is_level8 ? live(context.vertex_shaders, program.format) : 0;
    case Op::kDeleteVertexShaderDecl:
      return program.is_level8 ? 0 : live(context.declarations, program.format);
    case Op::kDeleteVertexShaderFunc:
      return live(context.vertex_functions, program.function);
    case Op::kDeletePixelShader:
      return live(context.pixel_shaders, context.state.pixel_shader);
    default:
      return 0;
  }
}

// DP2-VSH-004.
void CheckDelete(const CommandView& view) {
  const uint32_t current = CurrentHandle(view.context, view.command.op->op);
  if (current == 0) return;
  for (const Record& record : view.Records()) {
    if (record.U32(kHandle) != current) continue;
    view.Report(Rule::kDp2Vsh004, record, kHandle,
                fmt::format("handle {} is current while it is deleted", current),
                fmt::format("{}", current), "an object that is not set");
    return;
  }
}

// The first token of the code.
stream::Word VersionWord(Op op, const Record& record) {
  stream::Word word = stream::TailWord(record, op == Op::kCreateVertexShader ? 1 : 0);
  word.length = sizeof(uint32_t);
  return word;
}

// DP2-VSH-014. Version 2.x is an option of 2.0, which other capabilities describe.
void CheckVersion(const CommandView& view) {
  const bool is_pixel = view.command.op->op == Op::kCreatePixelShader;
  const std::optional<uint32_t> cap =
      view.caps.Find(is_pixel ? d3d::Cap::PixelShaderVersion : d3d::Cap::VertexShaderVersion);
  if (!cap) return;
  const uint32_t most = *cap & 0xFFFF;
  for (const Record& record : view.Records()) {
    const Bytes code = CodeOf(view.command.op->op, record);
    shader::Version version;
    if (code.empty() || !shader::ReadVersion(LoadU32(code.data()), version) ||
        version.is_pixel != is_pixel)
      continue;
    const uint32_t word = LoadU32(code.data()) & 0xFFFF;
    const uint32_t asked = word == 0x0201 ? 0x0200 : word;
    if (asked <= most) continue;
    view.Report(Rule::kDp2Vsh014, record, VersionWord(view.command.op->op, record),
                fmt::format("the shader is of version {}.{}, the device has {}.{}", word >> 8,
                            word & 0xFF, most >> 8, most & 0xFF),
                fmt::format("{}.{}", word >> 8, word & 0xFF),
                fmt::format("at most {}.{}", most >> 8, most & 0xFF));
  }
}

bool Overlap(const VertexElement& a, const VertexElement& b) {
  const uint32_t a_size = d3d::DeclTypeSize(a.type);
  const uint32_t b_size = d3d::DeclTypeSize(b.type);
  return a.stream == b.stream && a_size != 0 && b_size != 0 && a.offset < b.offset + b_size &&
         b.offset < a.offset + a_size;
}

void CheckOverlap(const CommandView& view, const Record& record,
                  const device::VertexLayout& vertex) {
  for (size_t i = 0; i < vertex.elements.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const VertexElement& a = vertex.elements[j];
      const VertexElement& b = vertex.elements[i];
      if (!Overlap(a, b)) continue;
      stream::Word word = stream::TailWord(record, 0, i);
      view.Report(Rule::kDp2Vsh018, record, word,
                  fmt::format("elements {} and {} overlap in stream {}, at {} and {}", j, i,
                              a.stream, a.offset, b.offset),
                  fmt::format("{} and {}", a.offset, b.offset), "elements beside each other");
      return;
    }
  }
}

// DP2-VSH-018.
void CheckElements(const CommandView& view) {
  const std::optional<uint32_t> caps = view.caps.Find(d3d::Cap::DevCaps2);
  if (!caps || (*caps & kCanShareOffset) != 0 || !view.Wants(Rule::kDp2Vsh018)) return;
  for (const Record& record : view.Records()) {
    const Result<device::VertexLayout> vertex = device::LayoutOfElements(record.Tail(0).bytes);
    if (vertex.ok()) CheckOverlap(view, record, *vertex);
  }
}

constexpr CommandRule kDeclarationRules[] = {
    {Op::kDeleteVertexShader, CheckDelete},     {Op::kDeleteVertexShaderDecl, CheckDelete},
    {Op::kDeleteVertexShaderFunc, CheckDelete}, {Op::kDeletePixelShader, CheckDelete},
    {Op::kCreateVertexShader, CheckVersion},    {Op::kCreateVertexShaderFunc, CheckVersion},
    {Op::kCreatePixelShader, CheckVersion},     {Op::kCreateVertexShaderDecl, CheckElements},
};

// Bit i: texture coordinate set i.
uint32_t TextureSets(const device::VertexLayout& vertex) {
  uint32_t sets = 0;
  for (const VertexElement& element : vertex.elements) {
    if (element.usage == d3d::Value(d3d::DeclUsage::Texcoord) && element.usage_index < 32)
      sets |= 1U << element.usage_index;
  }
  return sets;
}

bool HasPixelShader3(const device::Context& context) {
  constexpr uint32_t kVersion3 = 0x0300;
  const auto shader = context.pixel_shaders.find(context.state.pixel_shader);
  if (shader == context.pixel_shaders.end() || shader->second.code.size() < sizeof(uint32_t))
    return false;
  return (LoadU32(shader->second.code.data()) & 0xFFFF) >= kVersion3;
}

void CheckDeclarationAtDraw(const CommandView& view) {
  const bool is_level9 = !view.context.state.vertex_program.is_level8;
  if (view.command.op->level < 8 || !is_level9) return;
  const device::BoundProgram program = device::FindBoundProgram(view.context);
  if (program.layout == nullptr || !program.layout->is_transformed) return;
  const uint32_t sets = TextureSets(*program.layout);
  if ((sets & (sets + 1)) == 0 || HasPixelShader3(view.context)) return;
  view.ReportAtDraw(
      Rule::kDp2Vsh020, 0,
      fmt::format("the declaration has POSITIONT and the texture coordinate sets {:#x}, with a gap",
                  sets),
      fmt::format("{:#x}", sets), "sets from 0 on without a gap");
}

}  // namespace

const Topic kDeclarationTopic = {
    .rules = [] { return std::span<const CommandRule>(kDeclarationRules); },
    .at_draw = CheckDeclarationAtDraw};

}  // namespace dp2trace::validate
