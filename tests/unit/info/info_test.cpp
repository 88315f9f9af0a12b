#include "info/info.h"

#include <doctest/doctest.h>

#include "trace/event_kind.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// CLEAR with no flags and no rectangle after its structure; then an operation that does not exist.
std::vector<uint8_t> ClearCommand(bool with_rest) {
  std::vector<uint8_t> bytes(4 + 32 + (with_rest ? 4 : 0));
  bytes[0] = 42;
  bytes[2] = 1;
  if (with_rest) bytes[4 + 32] = 0xF0;
  return bytes;
}

info::Summary Summarize(const std::vector<trace::Event>& events) {
  info::Summarizer summarizer;
  for (size_t i = 0; i < events.size(); ++i)
    summarizer.Add(i, events[i], 10 * (i + 1));
  return summarizer.summary();
}

}  // namespace

TEST_CASE("Summary: counts events, sizes, frames, draws and operations") {
  const std::vector<uint8_t> clear = ClearCommand(false);
  trace::Dp2 call;
  call.commands = clear;
  const info::Summary summary =
      Summarize({trace::Header{}, call, trace::Present{}, call, call, trace::SurfaceRead{}});
  CHECK(summary.event_count == 6);
  CHECK(summary.event_bytes == 210);
  CHECK(summary.largest_event == 5);
  CHECK(summary.kinds.at(static_cast<uint16_t>(trace::EventKind::kDp2)).count == 3);
  CHECK(summary.kinds.at(static_cast<uint16_t>(trace::EventKind::kDp2)).bytes == 110);
  CHECK(summary.draws == 3);
  CHECK(summary.frames == 1);
  CHECK(summary.has_unfinished_frame);
  CHECK(summary.FrameCount() == 2);
  CHECK(summary.reads == 1);
  CHECK(summary.operations[42].commands == 3);
  CHECK(summary.operations[42].bytes == clear.size() * 3);
  CHECK(summary.operation_level == 7);
  CHECK(summary.unframed_streams == 0);
}

TEST_CASE("Summary: a stream that cannot be read to its end is counted") {
  const std::vector<uint8_t> clear = ClearCommand(true);
  trace::Dp2 call;
  call.commands = clear;
  const info::Summary summary = Summarize({call});
  CHECK(summary.unframed_streams == 1);
  CHECK(summary.commands == 1);
  CHECK(summary.command_bytes == clear.size());
}

TEST_CASE("Summary: surfaces alive at the same time, and handles below them") {
  trace::SurfaceCreate a;
  a.handle = 1;
  a.sub_surfaces.resize(2);
  a.sub_surfaces[0].handle = 7;
  trace::SurfaceCreate b;
  b.handle = 2;
  trace::SurfaceCreate other_space = a;
  other_space.space = 1;
  const info::Summary summary = Summarize({a, trace::SurfaceDestroy{0, 1}, b, other_space});
  CHECK(summary.surfaces == 3);
  CHECK(summary.peak_surfaces == 2);
  CHECK(summary.sub_handles == 2);
}

TEST_CASE("Summary: recorded failures and runtime versions") {
  trace::ContextCreate context;
  context.runtime_version = 3;
  trace::Dp2 call;
  call.ddrval = 0x88760BB8;
  const info::Summary summary = Summarize({context, call});
  CHECK(summary.status_failures == 1);
  CHECK(summary.runtime_versions == 1u << 3);
}

TEST_CASE("Info: JSON is one object with escaped texts") {
  trace::Header header;
  header.generator = "a \"b\"";
  const info::Summary summary = Summarize({header});
  const std::string json = info::InfoJson({"x\n.dp2t", "binary", "1.0", 100, true, true}, summary);
  CHECK(json.find(R"("schema":"info/1","trace":"x\n.dp2t")") != std::string::npos);
  CHECK(json.find(R"("generator":"a \"b\"")") != std::string::npos);
  CHECK(json.find(R"("truncated":true,"complete":false)") != std::string::npos);
  CHECK(json.find(
            R"("event_kinds":[{"kind":"header","code":1,"count":1,"bytes":10,"largest":10}])") !=
        std::string::npos);
  CHECK(json.ends_with("}\n"));
}

TEST_CASE("Info: text says whether the trace is whole") {
  const info::Summary summary = Summarize({trace::Header{}});
  CHECK(info::InfoText({"a", "binary", "1.0", 5, true, true}, summary).find("truncated") !=
        std::string::npos);
  CHECK(info::InfoText({"a", "binary", "1.0", 5, false, true}, summary).find("damaged") !=
        std::string::npos);
  CHECK(info::InfoText({"a", "json", "", 5, false, false}, summary).find("complete") !=
        std::string::npos);
}
