// Any bytes as shader code: decoder, checker, disassembler and interpreter stay within their buffers and end.
#include <cstdint>

#include "raster/shader/shader.h"
#include "require.h"
#include "shader/checker.h"
#include "shader/decoder.h"
#include "shader/disassembler.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  DiagnosticList findings;
  const shader::Program program = shader::Decode(Bytes(data, size), findings);
  testing::Require(program.is_executable || !findings.empty(), "what cannot run is reported");
  shader::Check(program, findings);
  shader::CheckLink(program, program, findings);  // any two programs may be drawn together
  shader::CheckInputs(program, {}, findings);
  shader::Disassemble(program);
  if (program.is_executable) Execute(program);
  return 0;
}
