// Every instruction of every shader in the traces: what the disassembler prints is assembled to the words that it was.
#include <doctest/doctest.h>

#include "shader/assembler.h"
#include "shader/decoder.h"
#include "shader/disassembler.h"
#include "stream/records.h"
#include "stream/stream.h"
#include "trace/command_stream.h"
#include "traces.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<uint32_t> WordsOf(Bytes code) {
  std::vector<uint32_t> words;
  for (size_t at = 0; at + 4 <= code.size(); at += 4)
    words.push_back(LoadU32(code.data() + at));
  return words;
}

// Instructions of programs that can run.
size_t CheckProgram(Bytes code) {
  DiagnosticList findings;
  const shader::Program program = shader::Decode(code, findings);
  if (!program.is_executable) return 0;
  for (const shader::Instruction& instruction : program.instructions) {
    const std::string text = shader::InstructionText(program, instruction);
    INFO(text);
    const auto words = shader::Assemble(program.version, text);
    const std::string error = words.ok() ? "" : words.status().diagnostic().message;
    REQUIRE(error.empty());
    CHECK(*words == WordsOf(code.subspan(instruction.offset, instruction.size)));
  }
  return program.instructions.size();
}

size_t CheckTrace(Bytes container) {
  size_t count = 0;
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(container, findings);
  if (!reader.ok()) return 0;
  for (trace::EventRecord record; reader->Next(record);) {
    const auto stream = trace::StreamOf(record.event, trace::LengthOrigin::kZero);
    if (!stream) continue;
    stream::Decoder decoder(stream->bytes, stream->environment, nullptr);
    for (stream::Command command; decoder.Next(command);) {
      for (const stream::Record& token : stream::Records(command, stream->environment)) {
        for (size_t tail = 0; tail < command.op->tails.size(); ++tail) {
          if (command.op->tails[tail].is_shader_code) count += CheckProgram(token.Tail(tail).bytes);
        }
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("traces: the text of each instruction of a shader is assembled to its words") {
  size_t count = 0;
  for (const std::string& path : TraceFiles("", ".dp2t")) {
    INFO(path);
    count += CheckTrace(ReadTraceFile(path));
  }
  for (const std::string& path : TraceFiles("", ".json")) {
    // Control bits of an instruction that has no variants.
    if (path == "malformed/DP2-SHADER-026/mov.json") continue;
    INFO(path);
    const auto container = ToContainer(ReadTextFile(path), FolderOf(path));
    if (container.ok()) count += CheckTrace(*container);
  }
  CHECK(count > 1000);
}
