// Shaders, declarations and constant registers. Source: DP2 specification, 12 and 18.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device/apply/apply.h"
#include "device/layout.h"
#include "device/token.h"
#include "rules/rule.h"
#include "shader/decoder.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using opcode::Op;
using stream::Record;
using ShaderTable = std::map<uint32_t, ShaderObject>;

constexpr stream::FieldRef kHandle = stream::Field(layout::kCreateVertexShader, "handle");
constexpr stream::FieldRef kRegister = stream::Field(layout::kSetVertexShaderConst, "register");
constexpr stream::FieldRef kCount = stream::Field(layout::kSetVertexShaderConst, "count");
// Every record of this file starts with its handle, every record of constants with register and count.
static_assert(kHandle.offset == 0 &&
              stream::Field(layout::kCreateVertexShaderDecl, "handle").offset == 0 &&
              stream::Field(layout::kCreateVertexShaderFunc, "handle").offset == 0 &&
              stream::Field(layout::kCreatePixelShader, "handle").offset == 0 &&
              stream::Field(layout::kPixelShader, "handle").offset == 0);
static_assert(stream::Field(layout::kSetPixelShaderConst, "count").offset == kCount.offset);

constexpr uint64_t kShaderCost = 256;  // bytes, beside tokens, program and elements

// One of the four spaces of handles, by the operations that delete and set.
struct ShaderSpace {
  Op delete_op;
  Op set_op;
  ShaderTable Context::*table;
  StateKind kind;
  bool takes_fvf;  // handles with bit 0 clear are FVF codes
};
constexpr ShaderSpace kSpaces[] = {
    {Op::kDeleteVertexShader, Op::kSetVertexShader, &Context::vertex_shaders,
     StateKind::kVertexShader, true},
    {Op::kDeleteVertexShaderDecl, Op::kSetVertexShaderDecl, &Context::declarations,
     StateKind::kVertexDeclaration, true},
    {Op::kDeleteVertexShaderFunc, Op::kSetVertexShaderFunc, &Context::vertex_functions,
     StateKind::kVertexFunction, false},
    {Op::kDeletePixelShader, Op::kSetPixelShader, &Context::pixel_shaders, StateKind::kPixelShader,
     false},
};

const ShaderSpace& SpaceOf(Op op) {
  const auto* const row = std::ranges::find_if(kSpaces, [op](const ShaderSpace& space) {
    return space.delete_op == op || space.set_op == op;
  });
  return row == std::end(kSpaces) ? kSpaces[0] : *row;
}

// Source: 18.5 (register limits: the largest of all versions that a driver of the level may have).
struct ConstantFile {
  Op op;
  StateKind kind;
  uint32_t registers;
  uint32_t level8_registers;  // pixel shaders of level 8 are those of version 1.x
};
constexpr ConstantFile kConstantFiles[] = {
    {Op::kSetVertexShaderConst, StateKind::kVertexFloat, 8192, 8192},
    {Op::kSetVertexShaderConstI, StateKind::kVertexInteger, 16, 16},
    {Op::kSetVertexShaderConstB, StateKind::kVertexBoolean, 16, 16},
    {Op::kSetPixelShaderConst, StateKind::kPixelFloat, 224, 8},
    {Op::kSetPixelShaderConstI, StateKind::kPixelInteger, 16, 16},
    {Op::kSetPixelShaderConstB, StateKind::kPixelBoolean, 16, 16},
};

std::vector<uint8_t> Copy(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

uint64_t CostOf(const ShaderObject& shader) {
  return kShaderCost + shader.code.size() + shader.declaration.size() +
         shader.layout.elements.size() * sizeof(VertexElement) +
         shader::MemorySize(*shader.program);
}

// The compile step, once for all draws. What is wrong with the code, `lint` reports.
std::shared_ptr<const shader::Program> Compile(Bytes code) {
  if (code.empty()) return std::make_shared<const shader::Program>();
  DiagnosticList ignored;
  return std::make_shared<const shader::Program>(shader::Decode(code, ignored));
}

// Unspecified: creating a live handle again; chosen: the new object replaces the old one, as for state blocks.
void Insert(const Token& token, const Record& record, ShaderTable& table, ShaderObject shader) {
  const uint32_t handle = record.U32(kHandle);
  if (const auto old = table.find(handle); old != table.end()) {
    token.Report(Rule::kDp2Vsh002, record, fmt::format("{} exists and is replaced", handle),
                 fmt::format("{}", handle));
    token.Release(CostOf(old->second));
    table.erase(old);
  }
  shader.number = ++token.context.shader_count;
  if (token.Charge(record, CostOf(shader))) table.emplace(handle, std::move(shader));
}

bool CheckHandle(const Token& token, const Record& record, bool is_legal) {
  const uint32_t handle = record.U32(kHandle);
  if (is_legal) return true;
  token.Report(Rule::kDp2Vsh001, record, fmt::format("handle {} cannot be created", handle),
               fmt::format("{}", handle));
  return false;
}

bool CheckSize(const Token& token, const Record& record, Bytes tokens, bool may_be_empty) {
  if (tokens.size() % sizeof(uint32_t) == 0 && (may_be_empty || !tokens.empty())) return true;
  token.Report(Rule::kDp2Vsh006, record, fmt::format("{} bytes of tokens", tokens.size()),
               fmt::format("{}", tokens.size()));
  return false;
}

// Functions and pixel shaders: code alone.
void ApplyCreateCode(Token& token, ShaderTable& table) {
  for (const Record& record : token.Records()) {
    const Bytes code = record.Tail(0).bytes;
    if (!CheckHandle(token, record, record.U32(kHandle) != 0) ||
        !CheckSize(token, record, code, false))
      continue;
    Insert(token, record, table,
           {.code = Copy(code),
            .program = Compile(code),
            .declaration = {},
            .layout = {},
            .number = 0});
  }
}

// CONSTMEM of a level 8 declaration is loaded when the shader is set.
void LoadConstants(const Token& token, const ShaderObject& shader) {
  const Result<TokenDeclaration> declaration = ReadDeclarationTokens(shader.declaration);
  if (!declaration.ok()) return;
  for (const DeclaredConstant& constant : declaration->constants) {
    StateWords words = {};
    std::ranges::copy(constant.words, words.begin());
    token.Set({StateKind::kVertexFloat, constant.index}, words);
  }
}

void SetConstants(const Token& token, const Record& record, const ConstantFile& file) {
  const uint32_t first = record.U32(kRegister);
  const uint32_t count = record.U32(kCount);
  const uint32_t registers = token.context.level < 9 ? file.level8_registers : file.registers;
  if (uint64_t{first} + count > registers) {
    token.Report(Rule::kDp2Const001, record,
                 fmt::format("{} registers from {} on, there are {}", count, first, registers),
                 fmt::format("{}", uint64_t{first} + count), fmt::format("at most {}", registers));
    return;
  }
  const stream::TailPart values = record.Tail(0);
  for (uint32_t i = 0; i < count; ++i)
    token.Set({file.kind, first + i}, LoadWords(values.at(i), WordCount(file.kind)));
}

}  // namespace

void ApplyCreateVertexShader(Token& token) {
  for (const Record& record : token.Records()) {
    const uint32_t handle = record.U32(kHandle);
    const Bytes declaration = record.Tail(0).bytes;
    const Bytes code = record.Tail(1).bytes;
    if (!CheckHandle(token, record, (handle & 1) != 0)) continue;
    if (!CheckSize(token, record, declaration, true) || !CheckSize(token, record, code, true))
      continue;
    Result<TokenDeclaration> tokens = ReadDeclarationTokens(declaration);
    if (!tokens.ok()) {
      token.Report(tokens.status(), record);
      continue;
    }
    Insert(token, record, token.context.vertex_shaders,
           {.code = Copy(code),
            .program = Compile(code),
            .declaration = Copy(declaration),
            .layout = std::move(tokens->layout),
            .number = 0});
  }
}

void ApplyCreateDeclaration(Token& token) {
  for (const Record& record : token.Records()) {
    const Bytes elements = record.Tail(0).bytes;
    if (!CheckHandle(token, record, record.U32(kHandle) != 0)) continue;
    Result<VertexLayout> vertex = LayoutOfElements(elements);
    if (!vertex.ok()) {
      token.Report(vertex.status(), record);
      continue;
    }
    Insert(token, record, token.context.declarations,
           {.code = {},
            .program = Compile({}),
            .declaration = Copy(elements),
            .layout = std::move(*vertex),
            .number = 0});
  }
}

void ApplyCreateVertexFunction(Token& token) {
  ApplyCreateCode(token, token.context.vertex_functions);
}

void ApplyCreatePixelShader(Token& token) {
  ApplyCreateCode(token, token.context.pixel_shaders);
}

// What is bound stays bound: the next draw that needs it finds nothing. Source: 12.3.
void ApplyDeleteShader(Token& token) {
  ShaderTable& table = token.context.*SpaceOf(token.command.op->op).table;
  for (const Record& record : token.Records()) {
    const uint32_t handle = record.U32(kHandle);
    const auto shader = table.find(handle);
    if (shader == table.end()) {
      token.Report(handle == 0 ? Rule::kDp2Vsh005 : Rule::kDp2Vsh003, record,
                   fmt::format("there is no {}", handle), fmt::format("{}", handle));
      continue;
    }
    token.Release(CostOf(shader->second));
    table.erase(shader);
  }
}

void ApplySetShader(Token& token) {
  const ShaderSpace& space = SpaceOf(token.command.op->op);
  const ShaderTable& table = token.context.*space.table;
  for (const Record& record : token.Records()) {
    const uint32_t handle = record.U32(kHandle);
    const auto shader = table.find(handle);
    const bool needs_object = space.takes_fvf ? (handle & 1) != 0 : handle != 0;
    if (needs_object && shader == table.end()) {
      token.Report(Rule::kDp2Vsh003, record, fmt::format("there is no {}", handle),
                   fmt::format("{}", handle));
      continue;
    }
    token.Set({space.kind}, handle);
    if (space.kind == StateKind::kVertexShader && shader != table.end())
      LoadConstants(token, shader->second);
  }
}

void ApplyShaderConstants(Token& token) {
  const auto* const file =
      std::ranges::find(kConstantFiles, token.command.op->op, &ConstantFile::op);
  if (file == std::end(kConstantFiles)) return;
  for (const Record& record : token.Records())
    SetConstants(token, record, *file);
}

}  // namespace dp2trace::device
