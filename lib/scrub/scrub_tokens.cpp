// What tokens carry of pictures, vertices and texts: immediate vertices, palettes, comments in shaders.
#include "base/bytes.h"
#include "scrub/scrub.h"
#include "scrub/scrub_texels.h"
#include "scrub/scrub_vertices.h"
#include "shader/decoder.h"

namespace dp2trace::scrub {
namespace {

constexpr size_t kWordSize = 4;
constexpr uint32_t kCommentOpcode = 0xFFFE;

// Comments between `begin` and `end`, where no operand stands.
void ClearComments(std::span<uint8_t> code, size_t begin, size_t end) {
  for (size_t at = begin; at + kWordSize <= end; at += kWordSize) {
    const uint32_t token = LoadU32(code.data() + at);
    if ((token & 0x8000FFFF) != kCommentOpcode) continue;
    for (uint32_t words = token >> 16; words > 0 && at + 2 * kWordSize <= end; --words) {
      at += kWordSize;
      Store(code.data() + at, uint32_t{0});
    }
  }
}

class TokenScrubber final : public stream::Visitor {
 public:
  TokenScrubber(const ScrubOptions& options, Bytes source, std::span<uint8_t> out)
      : options_(options), source_(source), out_(out) {}

  void SetOp(opcode::Op op) { op_ = op; }
  void OnFixed(const opcode::StructDesc& /*layout*/, const uint8_t* /*at*/) override {}
  void OnRecord(uint32_t /*index*/, const opcode::StructDesc& /*layout*/,
                const uint8_t* /*at*/) override {}
  void OnTail(uint32_t /*record*/, const opcode::TailDesc& desc, Bytes /*padding*/,
              Bytes bytes) override {
    if (bytes.empty()) return;
    const auto at = static_cast<size_t>(bytes.data() - source_.data());
    const std::span<uint8_t> part = out_.subspan(at, bytes.size());
    const Noise noise(0, at + 1);
    if (desc.counting == opcode::TailCount::kVertices) {
      if (!options_.keeps_geometry) ScrubVertices(noise, 0, part);
    } else if (desc.is_shader_code) {
      if (!options_.keeps_shaders) ScrubShader(part);
    } else if (op_ == opcode::Op::kUpdatePalette && !options_.keeps_textures) {
      ScrubPalette(noise, part);
    }
  }

 private:
  // Entries of 4 bytes; the last one is alpha, or flags.
  static void ScrubPalette(const Noise& noise, std::span<uint8_t> entries) {
    for (size_t at = 0; at < entries.size(); ++at) {
      entries[at] =
          at % 4 != 3 ? static_cast<uint8_t>(noise.At(at)) : ScrubAlpha(entries[at], noise.At(at));
    }
  }

  const ScrubOptions& options_;
  Bytes source_;
  std::span<uint8_t> out_;
  opcode::Op op_{};
};

}  // namespace

void ScrubShader(std::span<uint8_t> code) {
  DiagnosticList findings;  // nobody reads it
  const std::vector<uint8_t> copy(code.begin(), code.end());
  const shader::Program program = shader::Decode(copy, findings);
  size_t at = kWordSize;  // after the version
  for (const shader::Instruction& instruction : program.instructions) {
    ClearComments(code, at, instruction.offset);
    at = size_t{instruction.offset} + instruction.size;
  }
  // A defect ends the program before its END.
  constexpr uint32_t kEnd = 0x0000FFFF;
  const size_t size = program.size;
  const bool has_ended =
      size >= kWordSize && size <= code.size() && LoadU32(code.data() + size - kWordSize) == kEnd;
  ClearComments(code, at, has_ended ? size : code.size());
  if (has_ended) std::fill(code.begin() + static_cast<ptrdiff_t>(size), code.end(), uint8_t{0});
}

void ScrubTokens(const trace::CommandStream& stream, const ScrubOptions& options,
                 std::span<uint8_t> commands) {
  TokenScrubber scrubber(options, stream.bytes, commands);
  stream::Decoder decoder(stream.bytes, stream.environment, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    scrubber.SetOp(command.op->op);
    stream::Visit(command, stream.environment, scrubber);
  }
}

}  // namespace dp2trace::scrub
