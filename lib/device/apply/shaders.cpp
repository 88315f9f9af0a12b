// Shaders, declarations and constant registers. Source: lib/opcode/dp2.md 12 and 18.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "device/apply/apply.h"
#include "device/layout.h"
#include "device/shader_space.h"
#include "device/token.h"
#include "device/vertex_program.h"
#include "rules/rule.h"
#include "shader/decoder.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using opcode::Op;
using stream::FieldRef;
using stream::Record;

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

const ShaderSpace& SpaceOf(Op op) {
  const auto* const row = std::ranges::find_if(kShaderSpaces, [op](const ShaderSpace& space) {
    return space.create_op == op || space.delete_op == op || space.set_op == op;
  });
  return row == std::end(kShaderSpaces) ? kShaderSpaces[0] : *row;
}

// Source: lib/opcode/dp2.md 18.5 (register limits: the largest of all versions that a driver of the level may have).
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
void Insert(const Token& token, const Record& record, ShaderObject shader) {
  const ShaderSpace& space = SpaceOf(token.command.op->op);
  ShaderTable& table = token.context.*space.table;
  const uint32_t handle = record.U32(kHandle);
  if (const auto old = table.find(handle); old != table.end()) {
    if (!IsRefused(old->second)) {
      token.Report(Rule::kDp2Vsh002, record, kHandle,
                   fmt::format("{} {} exists and is replaced", space.noun, handle),
                   fmt::format("{}", handle), "a handle that is not in use");
    }
    token.Release(CostOf(old->second));
    table.erase(old);
  }
  shader.number = ++token.context.shader_count;
  HandleHistory& history = token.context.histories.*space.history;
  if (token.Charge(record, CostOf(shader))) {
    table.emplace(handle, std::move(shader));
    history.NoteMade(handle);
  } else {
    history.NoteRefused(handle);
  }
}

// What the record was to create is refused. An object that has the handle lives on.
void RefuseObject(const Token& token, const Record& record) {
  const ShaderSpace& space = SpaceOf(token.command.op->op);
  const uint32_t handle = record.U32(kHandle);
  if (!(token.context.*space.table).contains(handle))
    (token.context.histories.*space.history).NoteRefused(handle);
}

bool CheckHandle(const Token& token, const Record& record, bool is_legal) {
  const uint32_t handle = record.U32(kHandle);
  if (is_legal) return true;
  token.Report(Rule::kDp2Vsh001, record, kHandle,
               fmt::format("handle {} cannot be created", handle), fmt::format("{}", handle),
               token.command.op->op == Op::kCreateVertexShader ? "an odd number" : "not 0");
  return false;
}

// `tail` holds the tokens, `size` is the field that counts their bytes.
bool CheckSize(const Token& token, const Record& record, size_t tail, FieldRef size,
               bool may_be_empty) {
  const size_t bytes = record.Tail(tail).bytes.size();
  if (bytes % sizeof(uint32_t) == 0 && (may_be_empty || bytes != 0)) return true;
  token.Report(Rule::kDp2Vsh006, record, size, fmt::format("{} of tokens", Counted(bytes, "byte")),
               fmt::format("{}", bytes), may_be_empty ? "a multiple of 4" : "4, 8, 12, ...");
  return false;
}

// Functions and pixel shaders: only code.
void ApplyCreateCode(Token& token) {
  constexpr FieldRef kFunctionSize = stream::Field(layout::kCreateVertexShaderFunc, "size");
  constexpr FieldRef kPixelSize = stream::Field(layout::kCreatePixelShader, "code_size");
  const FieldRef size = token.command.op->op == Op::kCreatePixelShader ? kPixelSize : kFunctionSize;
  for (const Record& record : token.Records()) {
    if (!CheckHandle(token, record, record.U32(kHandle) != 0) ||
        !CheckSize(token, record, 0, size, false)) {
      RefuseObject(token, record);
      continue;
    }
    const Bytes code = record.Tail(0).bytes;
    Insert(token, record,
           {.code = Copy(code),
            .program = Compile(code),
            .declaration = {},
            .layout = {},
            .number = 0});
  }
}

// A handle of the space that names nothing.
void ReportAbsent(const Token& token, const Record& record, const ShaderSpace& space, Rule rule) {
  const uint32_t handle = record.U32(kHandle);
  const Absence absence = (token.context.histories.*space.history).Find(handle);
  if (handle != 0 && absence == Absence::kRefused) return;
  token.Report(rule, record, kHandle,
               fmt::format("{} {} {}", space.noun, handle, Describe(absence)),
               fmt::format("{}", handle), fmt::format("a live {}", space.noun));
}

// What is wrong with a declaration: the offset of the finding counts from its first byte.
void ReportDeclaration(const Token& token, const Record& record, const Status& status) {
  const Diagnostic& found = status.diagnostic();
  stream::Word word = stream::TailWord(record, 0);
  if (found.offset) {
    word.offset += *found.offset;
    word.length = found.length;
    word.path += '/' + found.path;
  }
  token.Report(found.rule, record, word, found.message, found.actual, found.expected);
  RefuseObject(token, record);
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
    token.Report(
        Rule::kDp2Const001, record, first >= registers ? kRegister : kCount,
        fmt::format("{} from {} on, there are {}", Counted(count, "register"), first, registers),
        fmt::format("{}", uint64_t{first} + count), fmt::format("at most {}", registers));
    return;
  }
  const stream::TailPart values = record.Tail(0);
  for (uint32_t i = 0; i < count; ++i)
    token.Set({file.kind, first + i}, LoadWords(values.at(i), WordCount(file.kind)));
}

}  // namespace

void ApplyCreateVertexShader(Token& token) {
  constexpr FieldRef kDeclarationSize = stream::Field(layout::kCreateVertexShader, "decl_size");
  constexpr FieldRef kCodeSize = stream::Field(layout::kCreateVertexShader, "code_size");
  for (const Record& record : token.Records()) {
    if (!CheckHandle(token, record, (record.U32(kHandle) & 1) != 0) ||
        !CheckSize(token, record, 0, kDeclarationSize, true) ||
        !CheckSize(token, record, 1, kCodeSize, true)) {
      RefuseObject(token, record);
      continue;
    }
    const Bytes declaration = record.Tail(0).bytes;
    const Bytes code = record.Tail(1).bytes;
    Result<TokenDeclaration> tokens = ReadDeclarationTokens(declaration);
    if (!tokens.ok()) {
      ReportDeclaration(token, record, tokens.status());
      continue;
    }
    Insert(token, record,
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
    if (!CheckHandle(token, record, record.U32(kHandle) != 0)) {
      RefuseObject(token, record);
      continue;
    }
    Result<VertexLayout> vertex = LayoutOfElements(elements);
    if (!vertex.ok()) {
      ReportDeclaration(token, record, vertex.status());
      continue;
    }
    Insert(token, record,
           {.code = {},
            .program = Compile({}),
            .declaration = Copy(elements),
            .layout = std::move(*vertex),
            .number = 0});
  }
}

void ApplyCreateVertexFunction(Token& token) {
  ApplyCreateCode(token);
}

void ApplyCreatePixelShader(Token& token) {
  ApplyCreateCode(token);
}

// What is bound stays bound: the next draw that needs it finds nothing. Source: lib/opcode/dp2.md 12.3.
void ApplyDeleteShader(Token& token) {
  const ShaderSpace& space = SpaceOf(token.command.op->op);
  ShaderTable& table = token.context.*space.table;
  for (const Record& record : token.Records()) {
    const uint32_t handle = record.U32(kHandle);
    const auto shader = table.find(handle);
    if (shader == table.end()) {
      ReportAbsent(token, record, space, handle == 0 ? Rule::kDp2Vsh005 : Rule::kDp2Vsh003);
      continue;
    }
    HandleHistory& history = token.context.histories.*space.history;
    if (IsRefused(shader->second)) {
      history.NoteRefused(handle);
    } else {
      history.NoteDestroyed(handle);
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
      ReportAbsent(token, record, space, Rule::kDp2Vsh003);
      token.Refuse({space.kind});
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
