#include "runtime/core/recorder.h"

#include "recording.h"
#include "rules/rule.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

trace::SurfaceCreate Target(Recorder& recorder) {
  trace::SurfaceCreate surface;
  surface.handle = recorder.NewHandle(0);
  surface.kind = d3d::SurfaceKind::kTarget;
  surface.format = 21;
  surface.width = surface.height = 4;
  return surface;
}

size_t Count(const std::string& lines, std::string_view part) {
  size_t count = 0;
  for (size_t at = lines.find(part); at != std::string::npos; at = lines.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("Recorder: the smallest free handle is given, per space") {
  LineSink sink;
  Recorder recorder(sink, {});
  const uint32_t space = recorder.NewSpace();
  const uint32_t other = recorder.NewSpace();
  CHECK(recorder.NewHandle(space) == 1);
  CHECK(recorder.NewHandle(space) == 2);
  CHECK(recorder.NewHandle(space) == 3);
  CHECK(recorder.NewHandle(other) == 1);
  recorder.FreeHandle(space, 2);
  recorder.FreeHandle(space, 1);
  CHECK(recorder.NewHandle(space) == 1);
  CHECK(recorder.NewHandle(space) == 2);
  CHECK(recorder.NewHandle(space) == 4);
}

TEST_CASE("Recorder: destroying a surface frees its sub-surface handles") {
  LineSink sink;
  Recorder recorder(sink, {});
  trace::SurfaceCreate surface = Target(recorder);
  surface.sub_surfaces.push_back({.handle = recorder.NewHandle(0),
                                  .face = 0,
                                  .level = 1,
                                  .caps2 = {},
                                  .width = {},
                                  .height = {},
                                  .pitch = {}});
  recorder.CreateSurface(surface);
  recorder.DestroySurface(0, 1);
  CHECK(recorder.NewHandle(0) == 1);
  CHECK(recorder.NewHandle(0) == 2);
}

TEST_CASE("Recorder: tokens gather until an event that is none, then become one call before it") {
  LineSink sink;
  Recorder recorder(sink, {});
  recorder.CreateSurface(Target(recorder));
  const uint64_t context = recorder.CreateContext(0, 1, 0);
  sink.Take();
  recorder.Token(context, Op::kRenderState, {7, 0});
  recorder.Token(context, Op::kRenderState, {22, 1});
  recorder.Present({0, 1, std::nullopt});
  CHECK(
      sink.Take() ==
      "3 dp2 context=1 commands=20 bytes\n"
      "  0x0000 RENDERSTATE 2 {render_state=ZENABLE state=FALSE} {render_state=CULLMODE state=NONE}\n"
      "4 present handle=1\n");
}

TEST_CASE("Recorder: the header comes first, with the level") {
  LineSink sink;
  Recorder recorder(sink, {.level = 8, .generator = "me"});
  recorder.Finish();
  recorder.Finish();
  CHECK(sink.Take() == "0 header generator=\"me\" driver_level=8\n");
  CHECK(recorder.event_count() == 1);
}

TEST_CASE("Recorder: a batch ends when it has grown, but not between vertices and their draw") {
  LineSink sink;
  Recorder recorder(sink, {.batch_size = 24});
  const uint64_t context = recorder.CreateContext(0, 0, 0);
  sink.Take();
  recorder.Token(context, Op::kRenderState, {7, 0});
  recorder.Token(context, Op::kRenderState, {7, 1});
  CHECK(sink.Take().empty());
  recorder.Token(context, Op::kRenderState, {7, 0});  // 28 bytes
  CHECK(Count(sink.Take(), " dp2 ") == 1);
  const std::vector<uint8_t> vertices(48, 0);
  CHECK(recorder.AddVertices(context, 0, 16, vertices) == 0);
  recorder.Token(context, Op::kSetStreamSourceUm, {0, 16});
  recorder.Token(context, Op::kSetStreamSourceUm, {0, 16});
  recorder.Token(context, Op::kSetStreamSourceUm, {0, 16});
  CHECK(sink.Take().empty());
  recorder.Token(context, Op::kDrawPrimitive, {4, 0, 1});
  CHECK(Count(sink.Take(), " dp2 ") == 1);
}

TEST_CASE("Recorder: vertices of one kind share a call, others begin a new one") {
  LineSink sink;
  Recorder recorder(sink, {});
  const uint64_t context = recorder.CreateContext(0, 0, 0);
  sink.Take();
  const std::vector<uint8_t> vertices(48, 0);
  CHECK(recorder.AddVertices(context, 0, 16, vertices) == 0);
  recorder.Token(context, Op::kDrawPrimitive, {4, 0, 1});
  CHECK(recorder.AddVertices(context, 0, 16, vertices) == 3);
  recorder.Token(context, Op::kDrawPrimitive, {4, 3, 1});
  CHECK(sink.Take().empty());
  CHECK(recorder.AddVertices(context, 0, 24, vertices) == 0);
  CHECK(Count(sink.Take(), "vertex_size=16 ") == 1);
  CHECK(recorder.draw_count() == 2);
}

TEST_CASE("Recorder: a vertex that is cut short takes a whole place") {
  LineSink sink;
  Recorder recorder(sink, {});
  const uint64_t context = recorder.CreateContext(0, 0, 0);
  const std::vector<uint8_t> vertices(40, 0);
  CHECK(recorder.AddVertices(context, 0, 16, vertices) == 0);
  CHECK(recorder.AddVertices(context, 0, 16, vertices) == 3);
}

TEST_CASE("Recorder: another context ends the batch of the first") {
  LineSink sink;
  Recorder recorder(sink, {});
  const uint64_t first = recorder.CreateContext(0, 0, 0);
  const uint64_t second = recorder.CreateContext(0, 0, 0);
  sink.Take();
  recorder.Token(first, Op::kRenderState, {7, 0});
  recorder.Token(second, Op::kRenderState, {7, 0});
  CHECK(Count(sink.Take(), "context=1 ") == 1);
  recorder.Flush();
  CHECK(Count(sink.Take(), "context=2 ") == 1);
}

TEST_CASE("Recorder: a failure of the sink stays") {
  class FailingSink final : public EventSink {
   public:
    Status OnEvent(const trace::Event&) override {
      ++calls;
      return Status(MakeDiagnostic(Rule::kIo001, "full"));
    }
    int calls = 0;
  };
  FailingSink sink;
  Recorder recorder(sink, {});
  recorder.Mark("a", 1);
  recorder.Mark("b", 2);
  CHECK_FALSE(recorder.status().ok());
  CHECK(sink.calls == 1);
}
