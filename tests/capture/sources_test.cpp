// The walk over the tokens of a call, and the contents that it reads.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/file.h"
#include "bridge.h"
#include "dp2trace_capture_dp2.h"
#include "opcode/opcode.h"
#include "stream/stream.h"
#include "support/random.h"
#include "support/stream_generator.h"
#include "trace/reader.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// Surfaces in system memory: their levels by handle.
using Memory = std::map<uint32_t, std::vector<std::vector<uint8_t>>>;

int Find(void* user, d2c_u32 /*space*/, d2c_u32 handle, d2c_u32 part,
         struct d2c_surface_update* update) {
  const Memory& memory = *static_cast<Memory*>(user);
  const auto found = memory.find(handle);
  if (found == memory.end() || part >= found->second.size()) return 0;
  update->level = part;
  update->data =
      d2c_bytes_of(found->second[part].data(), static_cast<d2c_u32>(found->second[part].size()));
  return 1;
}

void Append32(std::vector<uint8_t>& out, uint32_t word) {
  for (int i = 0; i < 4; ++i)
    out.push_back(static_cast<uint8_t>(word >> 8 * i));
}

// A token with one record: what is not a handle is zero.
std::vector<uint8_t> Token(uint8_t op, uint32_t record_size, uint32_t place, uint32_t handle) {
  std::vector<uint8_t> token = {op, 0, 1, 0};
  std::vector<uint8_t> word;
  Append32(word, handle);
  token.resize(4 + record_size);
  std::ranges::copy(word, token.begin() + 4 + place);
  return token;
}

class Recording {
 public:
  Recording() {
    d2c_open(&capture_, testing::Sink::Write, &sink_, nullptr, 0, nullptr, 0);
    d2c_sources_init(&sources_, Find, &memory, known_, 8);
  }

  void Call(const std::vector<uint8_t>& commands, uint64_t context = 1) {
    struct d2c_dp2 call;
    d2c_dp2_init(&call);
    call.context = d2c_u64_of(0, static_cast<uint32_t>(context));
    call.commands = d2c_bytes_of(commands.data(), static_cast<d2c_u32>(commands.size()));
    struct d2c_u64 number;
    CHECK(d2c_ddraw_dp2(&capture_, &sources_, &call, &number) == D2C_OK);
    CHECK(number.hi == 0);
  }
  void Forget(uint32_t handle) { d2c_sources_forget(&sources_, 0, handle); }

  // "5.1": the handle and level of each update since the last call, then of the calls "dp2".
  std::string Events() {
    DiagnosticList findings;
    Result<Reader> reader = Reader::FromBytes(sink_.file, findings);
    std::string text;
    size_t count = 0;
    for (EventRecord record; reader->Next(record);) {
      if (count++ < seen_) continue;
      if (const auto* const update = std::get_if<SurfaceUpdate>(&record.event))
        text += fmt::format("{}.{} ", update->handle, update->level);
      if (std::holds_alternative<Dp2>(record.event)) text += "dp2 ";
    }
    seen_ = count;
    return text;
  }

  Memory memory;

 private:
  testing::Sink sink_;
  d2c capture_;
  struct d2c_sources sources_;
  struct d2c_known known_[8];
  size_t seen_ = 0;
};

}  // namespace

TEST_CASE("Sources: the size of every token is that of the table of operations") {
  testing::Random random(11);
  for (int round = 0; round < 400; ++round) {
    const stream::Environment environment = testing::RandomEnvironment(random);
    const std::vector<uint8_t> bytes = testing::RandomStream(random, environment);
    stream::Decoder decoder(bytes, environment, nullptr);
    size_t at = 0;
    for (stream::Command command; decoder.Next(command);) {
      const auto left = static_cast<d2c_u32>(bytes.size() - at);
      const auto offset = static_cast<d2c_u32>(environment.command_offset + at);
      CAPTURE(command.op->name);
      REQUIRE(d2c_token_size(&bytes[at], left, offset, environment.vertex_size) ==
              command.bytes.size());
      at += command.bytes.size();
    }
    REQUIRE(at == bytes.size());
  }
}

TEST_CASE("Sources: bytes that are no tokens, and tokens that are cut, have no size") {
  testing::Random random(12);
  for (int round = 0; round < 2000; ++round) {
    const stream::Environment environment = testing::RandomEnvironment(random);
    std::vector<uint8_t> bytes = testing::RandomStream(random, environment, {.commands = 2});
    testing::Mutate(random, 3, bytes);
    for (size_t at = 0; at < bytes.size();) {
      const std::vector<uint8_t> rest(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.end());
      const d2c_u32 size = d2c_token_size(rest.data(), static_cast<d2c_u32>(rest.size()),
                                          static_cast<d2c_u32>(at), environment.vertex_size);
      REQUIRE(size <= rest.size());
      if (size == 0) break;
      at += size;
    }
  }
  CHECK(d2c_token_size(nullptr, 100, 0, 0) == 0);
}

TEST_CASE("Sources: the header has the numbers of the operations") {
  const auto bytes = ReadWholeFile(
      std::string(DP2TRACE_SOURCE_DIR) + "/lib/capture/dp2trace_capture_dp2.h", 1 << 20);
  REQUIRE(bytes.ok());
  const std::string header(bytes->begin(), bytes->end());
  for (const opcode::OpInfo& op : opcode::AllOps()) {
    CAPTURE(op.name);
    CHECK(header.find(fmt::format("D2C_OP_{} = {}", op.name, static_cast<int>(op.op))) !=
          std::string::npos);
  }
}

TEST_CASE("Sources: what a copy reads stands before the call, once, and again when it changed") {
  Recording recording;
  recording.memory[5] = {{1, 2, 3, 4}, {5}};
  const std::vector<uint8_t> copy = Token(D2C_OP_TEXBLT, 36, 4, 5);
  recording.Call(copy);
  CHECK(recording.Events() == "5.0 5.1 dp2 ");
  recording.Call(copy);
  CHECK(recording.Events() == "dp2 ");
  recording.memory[5][1][0] = 6;
  recording.Call(copy);
  CHECK(recording.Events() == "5.1 dp2 ");
  recording.Forget(5);
  recording.Call(copy);
  CHECK(recording.Events() == "5.0 5.1 dp2 ");
  recording.Call(Token(D2C_OP_TEXBLT, 36, 4, 9));  // a surface that the driver does not give
  CHECK(recording.Events() == "dp2 ");
}

TEST_CASE("Sources: every copy, and streams and indices as long as they are bound") {
  Recording recording;
  recording.memory[5] = {{1, 2, 3, 4}};
  for (const auto& token : {Token(D2C_OP_VOLUMEBLT, 48, 4, 5), Token(D2C_OP_BUFFERBLT, 24, 4, 5),
                            Token(D2C_OP_BLT, 52, 0, 5), Token(D2C_OP_SURFACEBLT, 52, 0, 5)}) {
    recording.Forget(5);
    recording.Call(token);
    CHECK(recording.Events() == "5.0 dp2 ");
  }
  recording.memory[7] = {{7}};
  recording.Call(Token(D2C_OP_SETSTREAMSOURCE, 12, 4, 7));
  CHECK(recording.Events() == "7.0 dp2 ");
  const std::vector<uint8_t> draw = Token(D2C_OP_DRAWPRIMITIVE, 12, 0, 4);
  recording.memory[7][0][0] = 8;
  recording.Call(draw);
  CHECK(recording.Events() == "7.0 dp2 ");
  recording.memory[7][0][0] = 9;
  recording.Call(draw, 2);  // a context without streams
  CHECK(recording.Events() == "dp2 ");
  recording.Call(Token(D2C_OP_SETINDICES, 8, 0, 5));
  CHECK(recording.Events() == "7.0 dp2 ");  // 5 is known from before
}

TEST_CASE("Sources: no sources, no function, no call") {
  testing::Sink sink;
  d2c capture;
  d2c_open(&capture, testing::Sink::Write, &sink, nullptr, 0, nullptr, 0);
  struct d2c_dp2 call;
  d2c_dp2_init(&call);
  CHECK(d2c_ddraw_dp2(&capture, nullptr, &call, nullptr) == D2C_OK);
  CHECK(d2c_ddraw_dp2(&capture, nullptr, nullptr, nullptr) == D2C_E_ARGUMENT);
  CHECK(d2c_ddraw_dp2(nullptr, nullptr, &call, nullptr) == D2C_E_ARGUMENT);
  struct d2c_sources sources;
  d2c_sources_init(&sources, nullptr, nullptr, nullptr, 5);
  CHECK(d2c_ddraw_dp2(&capture, &sources, &call, nullptr) == D2C_OK);
  d2c_sources_init(nullptr, nullptr, nullptr, nullptr, 0);
  d2c_sources_forget(nullptr, 0, 0);
}
