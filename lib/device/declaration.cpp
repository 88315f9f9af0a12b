// Level 8 declaration tokens (D3DVSD_*). Source: lib/opcode/dp2.md 18.2.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/plain_text.h"
#include "device/layout.h"
#include "rules/rule.h"
#include "shader/semantics.h"

namespace dp2trace::device {
namespace {

constexpr uint32_t kEndToken = 0xFFFFFFFF;
constexpr uint32_t kSpecialBit = 1U << 28;  // tessellator stream, skip, TESSUV
constexpr uint32_t kLastRegister = shader::kMappedRegisterCount - 1;
constexpr uint32_t kLastDataType = 7;  // SHORT4
constexpr uint32_t kConstantWords = 4;

enum class TokenType : uint32_t {
  kNop,
  kStream,
  kStreamData,
  kTessellator,
  kConstants,
  kExtension,
  kUndefined,
  kEnd
};

// Offsets count from the start of the declaration.
Status Refuse(Rule rule, size_t at, std::string_view what, std::string actual,
              std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, fmt::format("declaration token {}: {}", at, what));
  finding.offset = at * sizeof(uint32_t);
  finding.length = sizeof(uint32_t);
  finding.path = fmt::format("{}", at);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  return Status(std::move(finding));
}

class TokenReader {
 public:
  explicit TokenReader(Bytes bytes) : bytes_(bytes), count_(bytes.size() / sizeof(uint32_t)) {}

  Result<TokenDeclaration> Read() {
    while (at_ < count_) {
      const uint32_t token = Word(at_);
      if (token == kEndToken) {
        if (at_ + 1 == count_) return std::move(result_);
        return Refuse(Rule::kDp2Vsh007, at_, "END is not the last token",
                      fmt::format("token {} of {}", at_, count_), "the last token");
      }
      DP2TRACE_RETURN_IF_ERROR(ReadToken(token));
      ++at_;
    }
    const size_t last = count_ == 0 ? 0 : count_ - 1;
    return Refuse(Rule::kDp2Vsh007, last, "it is the last token, and END is missing",
                  count_ == 0 ? "nothing" : fmt::format("{:#x}", Word(last)), "0xffffffff");
  }

 private:
  uint32_t Word(size_t index) const { return LoadU32(bytes_.data() + index * sizeof(uint32_t)); }

  Status ReadToken(uint32_t token) {
    switch (static_cast<TokenType>(token >> 29)) {
      case TokenType::kNop:
        return OkStatus();
      case TokenType::kStream:
        return ReadStream(token);
      case TokenType::kStreamData:
        return ReadData(token);
      case TokenType::kTessellator:
        return ReadTessellator(token);
      case TokenType::kConstants:
        return ReadConstants(token);
      case TokenType::kExtension:
        return Skip((token >> 24) & 0x1F);
      case TokenType::kUndefined:
      case TokenType::kEnd:
        break;
    }
    return Refuse(Rule::kDp2Vsh008, at_, "its type is not defined", fmt::format("{}", token >> 29),
                  "0 to 5 or 7");
  }

  Status ReadStream(uint32_t token) {
    is_tessellator_ = (token & kSpecialBit) != 0;
    has_stream_ = true;
    stream_ = is_tessellator_ ? 0 : token & 0xF;
    offset_ = 0;
    return OkStatus();
  }

  Status ReadData(uint32_t token) {
    if (!has_stream_ || is_tessellator_) {
      return Refuse(Rule::kDp2Vsh009, at_, "data before any stream", fmt::format("{:#x}", token),
                    "a STREAM token before");
    }
    const uint32_t number = (token >> 16) & 0xF;
    if ((token & kSpecialBit) != 0) {
      offset_ += number * static_cast<uint32_t>(sizeof(uint32_t));
      return OkStatus();
    }
    const uint32_t input = token & 0x1F;
    if (number > kLastDataType || input > kLastRegister) {
      return Refuse(Rule::kDp2Vsh008, at_, "data type or register out of range",
                    fmt::format("data type {}, register {}", number, input),
                    fmt::format("at most {} and {}", kLastDataType, kLastRegister));
    }
    if (offset_ > UINT16_MAX) {
      return Refuse(Rule::kDp2Vsh008, at_, "the vertex is too large", fmt::format("{}", offset_),
                    fmt::format("at most {}", UINT16_MAX));
    }
    Add(stream_, offset_, number, d3d::DeclMethod::Default, input);
    offset_ += d3d::DeclTypeSize(number);
    return OkStatus();
  }

  // TESSUV makes the parameters, TESSNORMAL the cross product of the tangents of its input register.
  Status ReadTessellator(uint32_t token) {
    const uint32_t output = token & 0x1F;
    const uint32_t input = (token >> 20) & 0xF;
    if (output > kLastRegister) {
      return Refuse(Rule::kDp2Vsh008, at_, "register out of range", fmt::format("{}", output),
                    fmt::format("at most {}", kLastRegister));
    }
    const uint32_t unused = d3d::Value(d3d::DeclType::Unused);
    if ((token & kSpecialBit) != 0) {
      Add(0, 0, unused, d3d::DeclMethod::Uv, output);
      return OkStatus();
    }
    for (const VertexElement& element : result_.layout.elements) {
      if (element.shader_register != input) continue;
      const VertexElement source = element;  // Add() may move the elements
      Add(source.stream, source.offset, source.type, d3d::DeclMethod::CrossUv, output);
      return OkStatus();
    }
    return Refuse(Rule::kDp2Vsh008, at_, "its input register has no data", fmt::format("{}", input),
                  "a register of a token before");
  }

  Status ReadConstants(uint32_t token) {
    const uint32_t count = (token >> 25) & 0xF;
    const size_t first = at_ + 1;
    DP2TRACE_RETURN_IF_ERROR(Skip(count * kConstantWords));
    for (uint32_t i = 0; i < count; ++i) {
      DeclaredConstant constant{.index = (token & 0x7F) + i, .words = {}};
      for (uint32_t part = 0; part < kConstantWords; ++part)
        constant.words[part] = Word(first + size_t{i} * kConstantWords + part);
      result_.constants.push_back(constant);
    }
    return OkStatus();
  }

  Status Skip(uint32_t words) {
    if (words >= count_ - at_) {
      return Refuse(Rule::kDp2Vsh010, at_, "its data run past the declaration",
                    Counted(words, "token"), fmt::format("at most {}", count_ - at_ - 1));
    }
    at_ += words;
    return OkStatus();
  }

  void Add(uint32_t stream, uint32_t offset, uint32_t type, d3d::DeclMethod method,
           uint32_t input) {
    const shader::Semantic& semantic = shader::RegisterSemantic(input);
    result_.layout.elements.push_back({.stream = static_cast<uint16_t>(stream),
                                       .offset = static_cast<uint16_t>(offset),
                                       .type = static_cast<uint8_t>(type),
                                       .method = static_cast<uint8_t>(d3d::Value(method)),
                                       .usage = static_cast<uint8_t>(d3d::Value(semantic.usage)),
                                       .usage_index = static_cast<uint8_t>(semantic.index),
                                       .shader_register = static_cast<uint8_t>(input)});
  }

  Bytes bytes_;
  size_t count_;
  size_t at_ = 0;
  bool has_stream_ = false;
  bool is_tessellator_ = false;
  uint32_t stream_ = 0;
  uint32_t offset_ = 0;
  TokenDeclaration result_;
};

}  // namespace

Result<TokenDeclaration> ReadDeclarationTokens(Bytes declaration) {
  return TokenReader(declaration).Read();
}

}  // namespace dp2trace::device
