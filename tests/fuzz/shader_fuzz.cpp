// Any bytes as shader code: decoder, checker, disassembler and interpreter stay within their buffers and end. What the disassembler prints is assembled to
// the same instruction; any bytes as assembly text are assembled or refused.
#include <cstdint>
#include <string>
#include <string_view>

#include "raster/shader/shader.h"
#include "require.h"
#include "shader/assembler.h"
#include "shader/checker.h"
#include "shader/decoder.h"
#include "shader/disassembler.h"
#include "shader/encoder.h"

namespace {

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test program

void Execute(const shader::Program& program) {
  device::Space space;
  const device::Context context(9, false, trace::ContextCreate{}, space);
  if (program.version.is_pixel) {
    raster::Quad quad = {};
    raster::QuadColors colors = {};
    raster::MakePixelShader(context, program, {})->Shade(quad, colors);
    return;
  }
  const device::VertexLayout layout;
  device::Draw draw;
  draw.layout = &layout;
  raster::MakeVertexShaderProcessor(context, draw, program, nullptr)->Process({});
}

// The text does not say what has no meaning: the control field of other instructions, types of samplers and comparisons that there are not, the usage of
// declarations that have none, the bits of a NaN, and modifiers of declarations.
shader::Instruction Meant(const shader::Program& program, shader::Instruction instruction) {
  const Result<shader::Instruction> read =
      shader::ReadInstruction(program.version, shader::InstructionText(program, instruction));
  testing::Require(read.ok(), "what is printed is read");
  if (instruction.info->kind == shader::OpKind::kDeclaration) {
    instruction.literals = read->literals;
    instruction.is_predicated = instruction.is_coissued = false;
    if (instruction.op() != shader::Op::Dcl) {
      const shader::Destination plain = {};
      shader::Destination& target = instruction.destination;
      target.shift = plain.shift;
      target.saturates = target.is_partial_precision = target.is_centroid = false;
    }
  }
  instruction.control = read->control;
  return instruction;
}

void CheckText(const shader::Program& program) {
  for (const shader::Instruction& instruction : program.instructions) {
    const std::string text = shader::InstructionText(program, instruction);
    const auto words = shader::Assemble(program.version, text);
    testing::Require(words.ok(), "what is printed is assembled");
    std::vector<uint32_t> meant;
    shader::EncodeInstruction(program.version, Meant(program, instruction), meant);
    testing::Require(*words == meant, "the text has all of the instruction");
    const auto read = shader::ReadInstruction(program.version, text);
    testing::Require(shader::InstructionText(program, *read) == text, "the text comes back");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  DiagnosticList findings;
  const shader::Program program = shader::Decode(Bytes(data, size), findings);
  testing::Require(program.is_executable || !findings.empty(), "what cannot run is reported");
  shader::Check(program, findings);
  shader::CheckLink(program, program, findings);  // any two programs may be drawn together
  shader::CheckInputs(program, {}, findings);
  shader::Disassemble(program);
  if (program.is_executable) CheckText(program);
  if (program.version.major != 0)
    (void)shader::Assemble(program.version,
                           std::string_view(reinterpret_cast<const char*>(data), size).substr(4));
  if (program.is_executable) Execute(program);
  return 0;
}
