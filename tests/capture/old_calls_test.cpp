// The calls from before DrawPrimitives2, as tokens: what dp2trace_capture_ddraw.h makes of them.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "stream/stream.h"
#include "toy_driver.h"
#include "trace/reader.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr d2c_u32 kVertexSize = 32;  // D3DTLVERTEX
constexpr uint32_t kTlVertex = 0x1C4;

int Append(void* file, const void* bytes, d2c_u32 size) {
  const auto* const from = static_cast<const uint8_t*>(bytes);
  auto& to = *static_cast<std::vector<uint8_t>*>(file);
  to.insert(to.end(), from, from + size);
  return 0;
}

struct OldCall {
  trace::Dp2 event;  // its views point into the members below
  std::vector<uint8_t> commands;
  std::vector<uint8_t> vertices;
  std::string operations;  // "TRIANGLELIST 2"; the names and counts of its tokens
};

// The calls that the function records.
template <class Record>
std::vector<OldCall> Recorded(const Record& record) {
  std::vector<uint8_t> file;
  d2c recorder;
  d2c_open(&recorder, Append, &file, nullptr, 0, nullptr, 0);
  d2c_header header;
  d2c_header_init(&header);
  d2c_put_header(&recorder, &header);
  record(&recorder);
  REQUIRE(d2c_finish(&recorder) == D2C_OK);
  DiagnosticList findings;
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, findings);
  REQUIRE(reader.ok());
  std::vector<OldCall> calls;
  for (trace::EventRecord event; reader->Next(event);) {
    const auto* const call = std::get_if<trace::Dp2>(&event.event);
    if (call == nullptr) continue;
    OldCall& kept = calls.emplace_back();
    kept.event = *call;
    kept.commands.assign(call->commands.begin(), call->commands.end());
    kept.vertices.assign(call->vertices.begin(), call->vertices.end());
    const stream::Environment environment{.vertex_size = call->vertex_size, .event = {}};
    stream::Decoder decoder(kept.commands, environment, nullptr);
    for (stream::Command command; decoder.Next(command);) {
      kept.operations += (kept.operations.empty() ? "" : ", ") + std::string(command.op->name) +
                         " " + std::to_string(command.count);
    }
    CHECK(decoder.rest().empty());
  }
  CHECK(findings.empty());
  return calls;
}

template <class Record>
OldCall RecordedOne(const Record& record) {
  std::vector<OldCall> calls = Recorded(record);
  REQUIRE(calls.size() == 1);
  return calls.front();
}

const d2c_u64 kContext = d2c_u64_of(0, 77);

std::vector<uint8_t> Vertices(uint32_t count) {
  std::vector<uint8_t> bytes(size_t{count} * kVertexSize);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i * 7 + 1);
  return bytes;
}

void CheckVertices(const OldCall& call, uint32_t count) {
  CHECK(call.event.flags == 1);  // D3DHALDP2_USERMEMVERTICES
  CHECK(call.event.vertex_type == kTlVertex);
  CHECK(call.event.vertex_size == kVertexSize);
  CHECK(call.event.vertex_length == count);
  CHECK(call.vertices == Vertices(count));
}

}  // namespace

TEST_CASE("Old calls: Clear2 is a CLEAR with its rectangles") {
  const int32_t rects[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  const OldCall call = RecordedOne([&](d2c* c) {
    CHECK(d2c_old_clear(c, 3, kContext, 3, 0x11223344, 0x3F000000, 9, rects, 2) == D2C_OK);
  });
  CHECK(call.event.space == 3);
  CHECK(call.event.context == 77);
  CHECK(call.operations == "CLEAR 2");
  REQUIRE(call.commands.size() == 4 + 16 + 32);
  CHECK(LoadU32(&call.commands[4]) == 3);
  CHECK(LoadU32(&call.commands[8]) == 0x11223344);
  CHECK(LoadU32(&call.commands[12]) == 0x3F000000);
  CHECK(LoadU32(&call.commands[16]) == 9);
  CHECK(std::memcmp(&call.commands[20], rects, sizeof rects) == 0);
}

TEST_CASE("Old calls: SetRenderTarget and RenderState") {
  const OldCall target =
      RecordedOne([](d2c* c) { CHECK(d2c_old_target(c, 0, kContext, 5, 6) == D2C_OK); });
  CHECK(target.operations == "SETRENDERTARGET 1");
  CHECK(LoadU32(&target.commands[4]) == 5);
  CHECK(LoadU32(&target.commands[8]) == 6);
  const uint32_t states[2][2] = {{7, 1}, {22, 3}};
  const OldCall state =
      RecordedOne([&](d2c* c) { CHECK(d2c_old_states(c, 0, kContext, states, 2) == D2C_OK); });
  CHECK(state.operations == "RENDERSTATE 2");
  CHECK(std::memcmp(&state.commands[4], states, sizeof states) == 0);
}

TEST_CASE("Old calls: RenderPrimitive takes as many vertices as its records name") {
  const std::vector<uint8_t> vertices = Vertices(9);
  const uint16_t triangles[2][4] = {{0, 1, 2, 0}, {2, 1, 4, 0}};
  const OldCall triangle = RecordedOne([&](d2c* c) {
    CHECK(d2c_old_render(c, 0, kContext, 3, triangles, 2, vertices.data()) == D2C_OK);
  });
  CHECK(triangle.operations == "INDEXEDTRIANGLELIST 2");
  CheckVertices(triangle, 5);
  const uint16_t lines[2][2] = {{0, 8}, {3, 1}};
  const OldCall line = RecordedOne([&](d2c* c) {
    CHECK(d2c_old_render(c, 0, kContext, 2, lines, 2, vertices.data()) == D2C_OK);
  });
  CHECK(line.operations == "INDEXEDLINELIST 2");
  CheckVertices(line, 9);
  const uint16_t points[1][2] = {{2, 4}};  // two points from the fourth on
  const OldCall point = RecordedOne([&](d2c* c) {
    CHECK(d2c_old_render(c, 0, kContext, 1, points, 1, vertices.data()) == D2C_OK);
  });
  CHECK(point.operations == "POINTS 1");
  CheckVertices(point, 6);
}

TEST_CASE("Old calls: DrawOnePrimitive of every type") {
  const std::vector<uint8_t> vertices = Vertices(6);
  const char* const names[] = {"POINTS 1",       "LINELIST 3",      "LINESTRIP 5",
                               "TRIANGLELIST 2", "TRIANGLESTRIP 4", "TRIANGLEFAN 4"};
  for (d2c_u32 type = 1; type <= 6; ++type) {
    CAPTURE(type);
    const OldCall call = RecordedOne([&](d2c* c) {
      CHECK(d2c_old_draw(c, 0, kContext, type, vertices.data(), 6, nullptr, 0) == D2C_OK);
    });
    CHECK(call.operations == names[type - 1]);
    CheckVertices(call, 6);
  }
}

TEST_CASE("Old calls: DrawOneIndexedPrimitive of every type keeps its indices") {
  const std::vector<uint8_t> vertices = Vertices(4);
  const uint16_t indices[6] = {3, 2, 1, 0, 1, 2};
  const char* const names[] = {"INDEXEDLINELIST2 3", "INDEXEDLINESTRIP 5", "INDEXEDTRIANGLELIST2 2",
                               "INDEXEDTRIANGLESTRIP 4", "INDEXEDTRIANGLEFAN 4"};
  for (d2c_u32 type = 2; type <= 6; ++type) {
    CAPTURE(type);
    const OldCall call = RecordedOne([&](d2c* c) {
      CHECK(d2c_old_draw(c, 0, kContext, type, vertices.data(), 4, indices, 6) == D2C_OK);
    });
    CHECK(call.operations == names[type - 2]);
    CheckVertices(call, 4);
    REQUIRE(call.commands.size() == 6 + sizeof indices);
    CHECK(std::memcmp(&call.commands[6], indices, sizeof indices) == 0);
  }
}

TEST_CASE("Old calls: DrawPrimitives is taken apart batch by batch") {
  // Counts; states; on the next boundary of 32 bytes the vertices. The last batch has no vertices.
  alignas(32) uint8_t data[32 + 3 * kVertexSize + 32 + 2 * kVertexSize + 8] = {};
  const uint16_t first[4] = {1, 4, 0, 3};
  std::memcpy(data, first, sizeof first);
  const uint32_t state[2] = {7, 1};
  std::memcpy(data + 8, state, sizeof state);
  const std::vector<uint8_t> vertices = Vertices(3);
  std::memcpy(data + 32, vertices.data(), vertices.size());
  uint8_t* const second = data + 32 + vertices.size();
  const uint16_t line[4] = {0, 2, 0, 2};
  std::memcpy(second, line, sizeof line);
  std::memcpy(second + 32, vertices.data(), 2 * kVertexSize);
  const std::vector<OldCall> calls =
      Recorded([&](d2c* c) { CHECK(d2c_old_draws(c, 0, kContext, data) == D2C_OK); });
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].operations == "RENDERSTATE 1");
  CHECK(calls[1].operations == "TRIANGLELIST 1");
  CheckVertices(calls[1], 3);
  CHECK(calls[2].operations == "LINELIST 1");
  CheckVertices(calls[2], 2);
}

TEST_CASE("Old calls: what cannot be a call is refused and writes nothing") {
  const std::vector<uint8_t> vertices = Vertices(1);
  const std::vector<OldCall> calls = Recorded([&](d2c* c) {
    CHECK(d2c_old_draw(c, 0, kContext, 0, vertices.data(), 1, nullptr, 0) == D2C_E_ARGUMENT);
    CHECK(d2c_old_draw(c, 0, kContext, 7, vertices.data(), 1, nullptr, 0) == D2C_E_ARGUMENT);
    CHECK(d2c_old_draw(c, 0, kContext, 1, vertices.data(), 1, vertices.data(), 1) ==
          D2C_E_ARGUMENT);
    CHECK(d2c_old_render(c, 0, kContext, 4, vertices.data(), 1, vertices.data()) == D2C_E_ARGUMENT);
    CHECK(d2c_old_render(c, 0, kContext, 3, nullptr, 1, vertices.data()) == D2C_E_ARGUMENT);
    CHECK(d2c_old_clear(c, 0, kContext, 1, 0, 0, 0, vertices.data(), 0x10000) == D2C_E_ARGUMENT);
    CHECK(d2c_old_draws(c, 0, kContext, nullptr) == D2C_E_ARGUMENT);
  });
  CHECK(calls.empty());
}

namespace {

struct Nested {
  d2c recorder;
  int result = D2C_OK;
  size_t writes = 0;
};

int CallTheRecorder(void* user, const void* /*bytes*/, d2c_u32 /*size*/) {
  auto& nested = *static_cast<Nested*>(user);
  ++nested.writes;
  nested.result = d2c_old_target(&nested.recorder, 0, kContext, 7, 8);
  return 0;
}

}  // namespace

TEST_CASE("Calls from before DrawPrimitives2 are refused in the callback, and without a recorder") {
  Nested nested;
  d2c_open(&nested.recorder, CallTheRecorder, &nested, nullptr, 0, nullptr, 0);
  CHECK(d2c_old_target(&nested.recorder, 0, kContext, 1, 2) == D2C_OK);
  CHECK(nested.writes > 0);
  CHECK(nested.result == D2C_E_NESTED);
  CHECK(d2c_old_target(nullptr, 0, kContext, 1, 2) == D2C_E_ARGUMENT);
}
