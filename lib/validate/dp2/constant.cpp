#include "validate/dp2/constant.h"

#include <fmt/format.h>

#include <cmath>

#include "base/bytes.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "shader/decoder.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using opcode::Op;
using stream::Record;

constexpr uint32_t kPixelRegisters1 = 8;        // of version 1.x
constexpr uint32_t kMaxVertexRegisters = 8192;  // more are refused by the device

constexpr stream::FieldRef kFirstRegister =
    stream::Field(layout::kSetVertexShaderConst, "register");
constexpr stream::FieldRef kConstantCount = stream::Field(layout::kSetVertexShaderConst, "count");
static_assert(stream::Field(layout::kSetPixelShaderConst, "register").offset ==
                  kFirstRegister.offset &&
              stream::Field(layout::kSetPixelShaderConst, "count").offset == kConstantCount.offset);

// Byte `at` of the values: a component of a register.
stream::Word ValueWord(const Record& record, size_t at) {
  const size_t element = record.Tail(0).desc->element->size;
  stream::Word word = stream::TailWord(record, 0, at / element);
  const size_t part = at % element / sizeof(uint32_t);
  word.offset += part * sizeof(uint32_t);
  word.length = sizeof(uint32_t);
  if (element != sizeof(uint32_t)) word.path += fmt::format("/{}", part);
  return word;
}

// DP2-CONST-002.
bool CheckCount(const CommandView& view, const Record& record) {
  if (record.U32(kConstantCount) != 0) return true;
  view.Report(Rule::kDp2Const002, record, kConstantCount, "the count is 0, no register is set", "0",
              "1 or more");
  return false;
}

// DP2-CONST-003.
void CheckFinite(const CommandView& view, const Record& record) {
  const Bytes values = record.Tail(0).bytes;
  for (size_t at = 0; at + sizeof(uint32_t) <= values.size(); at += sizeof(uint32_t)) {
    const uint32_t word = LoadU32(values.data() + at);
    if ((word & kExponentBits) != kExponentBits) continue;
    const auto value = std::bit_cast<float>(word);
    view.Report(
        Rule::kDp2Const003, record, ValueWord(record, at),
        fmt::format("register {} has the value {}", record.U32(kFirstRegister) + at / 16, value),
        fmt::format("{}", value), "a finite number");
    return;
  }
}

void CheckFloats(const CommandView& view) {
  const uint32_t registers = view.caps.Find(d3d::Cap::MaxVertexShaderConst).value_or(0);
  for (const Record& record : view.Records()) {
    if (!CheckCount(view, record)) continue;
    const uint64_t end = uint64_t{record.U32(kFirstRegister)} + record.U32(kConstantCount);
    if (view.command.op->op == Op::kSetVertexShaderConst && registers != 0 && end > registers) {
      if (end > kMaxVertexRegisters) continue;
      view.Report(Rule::kDp2Const001, record, kConstantCount,
                  fmt::format("registers up to {}, the device has {}", end - 1, registers),
                  fmt::format("{}", end), fmt::format("at most {}", registers));
    }
    CheckFinite(view, record);
  }
}

void CheckIntegers(const CommandView& view) {
  for (const Record& record : view.Records())
    CheckCount(view, record);
}

// DP2-CONST-004.
void CheckBooleans(const CommandView& view) {
  for (const Record& record : view.Records()) {
    if (!CheckCount(view, record)) continue;
    const Bytes values = record.Tail(0).bytes;
    for (size_t at = 0; at + sizeof(uint32_t) <= values.size(); at += sizeof(uint32_t)) {
      const uint32_t value = LoadU32(values.data() + at);
      if (value <= 1) continue;
      view.Report(Rule::kDp2Const004, record, ValueWord(record, at),
                  fmt::format("register {} has the value {}, which counts as TRUE",
                              record.U32(kFirstRegister) + at / 4, value),
                  fmt::format("{}", value), "0 or 1");
      break;
    }
  }
}

// Pixel shaders come or go: what was read of the current one is no longer sure.
void ForgetShader(const CommandView& view) {
  view.memory.constant = {};
}

constexpr CommandRule kConstantRules[] = {
    {Op::kSetVertexShaderConst, CheckFloats},    {Op::kSetPixelShaderConst, CheckFloats},
    {Op::kSetVertexShaderConstI, CheckIntegers}, {Op::kSetPixelShaderConstI, CheckIntegers},
    {Op::kSetVertexShaderConstB, CheckBooleans}, {Op::kSetPixelShaderConstB, CheckBooleans},
    {Op::kCreatePixelShader, ForgetShader},      {Op::kDeletePixelShader, ForgetShader},
};

// Bit r: a shader of version 1.x reads the constant r and does not define it.
uint32_t ConstantsRead(Bytes code) {
  DiagnosticList ignored;
  const shader::Program program = shader::Decode(code, ignored);
  if (!program.is_executable || !program.version.is_pixel || program.version.major != 1) return 0;
  uint32_t read = 0;
  for (const shader::Instruction& instruction : program.instructions) {
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const shader::Source& source = instruction.sources[i];
      if (source.type == shader::RegisterType::kConst && source.number < kPixelRegisters1)
        read |= 1U << source.number;
    }
  }
  for (const shader::Constant& constant : program.floats) {
    if (constant.number < kPixelRegisters1) read &= ~(1U << constant.number);
  }
  return read;
}

bool IsClamped(const device::Float4& values) {
  for (const float value : values) {
    if (std::isfinite(value) && (value < -1 || value > 1)) return true;
  }
  return false;
}

// DP2-CONST-005.
void CheckConstantAtDraw(const CommandView& view) {
  const uint32_t handle = view.context.state.pixel_shader;
  if (handle == 0 || !view.Wants(Rule::kDp2Const005)) return;
  ConstantMemory& memory = view.memory.constant;
  if (memory.shader != handle) {
    const auto shader = view.context.pixel_shaders.find(handle);
    memory = {handle,
              shader == view.context.pixel_shaders.end() ? 0 : ConstantsRead(shader->second.code)};
  }
  const std::vector<device::Float4>& floats = view.context.state.pixel_constants.floats;
  for (uint32_t i = 0; memory.read >> i != 0 && i < floats.size(); ++i) {
    if ((memory.read >> i & 1) == 0 || !IsClamped(floats[i])) continue;
    view.ReportAtDraw(
        Rule::kDp2Const005, i,
        fmt::format(
            "constant {} of the pixel shader has a value outside -1 to 1, which version 1.x clamps",
            i),
        fmt::format("{}, {}, {}, {}", floats[i][0], floats[i][1], floats[i][2], floats[i][3]),
        "-1 to 1");
  }
}

}  // namespace

const Topic kConstantTopic = {.rules = [] { return std::span<const CommandRule>(kConstantRules); },
                              .at_draw = CheckConstantAtDraw};

}  // namespace dp2trace::validate
