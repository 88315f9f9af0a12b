#include "play/checking_renderer.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>

#include "json/reader.h"
#include "play/renderers.h"
#include "play/runner.h"
#include "raster/pixel/clip_rectangle.h"
#include "raster/reference_renderer.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "unit/replay/replay_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// The reference, but for one pixel of every clear that is green, one count too many of every query, and a finding.
class WrongRenderer final : public raster::Renderer {
 public:
  WrongRenderer(const raster::Options& options, DiagnosticList& findings)
      : findings_(findings), reference_(options, findings) {}

  void SetClipsTransformedZ(bool clips) override { reference_.SetClipsTransformedZ(clips); }
  void SetContext(device::Context& context) override {
    context_ = &context;
    reference_.SetContext(context);
  }
  void Finish() override {}
  raster::PixelRect TakeTouched() override { return reference_.TakeTouched(); }
  raster::RendererStatistics statistics() const override { return {}; }
  void SetMeasuring(bool) override {}
  void SetProbe(raster::Probe*) override {}
  void OnDraw(const device::Draw& draw) override {
    reference_.OnDraw(draw);
    for (auto& [id, query] : context_->queries)
      ++query.result;
  }
  void OnPatch(const device::PatchDraw& patch) override { reference_.OnPatch(patch); }
  void OnClear(const device::ClearDraw& clear) override {
    reference_.OnClear(clear);
    if (clear.color == 0xFF00FF00) {
      const image::Level level = context_->Target(0).bits();
      *level.block(5, 3) = 1;
    }
    if (clear.color == 0xFFFFFFFF)
      findings_.Add(MakeDiagnostic(Rule::kReplayDraw002, "it was too much"));
  }

 private:
  DiagnosticList& findings_;
  raster::ReferenceRenderer reference_;
  device::Context* context_ = nullptr;
};

constexpr raster::RendererType kReference = {"reference", "", raster::MakeReferenceRenderer};
constexpr raster::RendererType kWrong = {
    "wrong", "", [](const raster::Options& options, DiagnosticList& findings) {
      return std::unique_ptr<raster::Renderer>(std::make_unique<WrongRenderer>(options, findings));
    }};

class ContextObserver final : public play::Observer {
 public:
  void OnCall(device::Context& context) override { renderer->SetContext(context); }
  void BeforeApply(const device::Context&, const stream::Command& command) override {
    if (command.op->is(opcode::kDraw)) renderer->StartDraw(++draws);
  }
  raster::Renderer* renderer = nullptr;
  uint64_t draws = 0;
};

// The findings of a trace that the two draw, one a line.
std::string Check(std::string_view events) {
  const std::string text = "[\n{\"event\":\"header\"},\n" + std::string(events) + "\n]\n";
  std::string_view rest = text;
  json::Reader reader([&rest](std::span<uint8_t> out) -> Result<size_t> {
    const size_t size = std::min(out.size(), rest.size());
    std::memcpy(out.data(), rest.data(), size);
    rest.remove_prefix(size);
    return size;
  });
  DiagnosticList findings;
  ContextObserver observer;
  play::Runner runner({}, findings, observer);
  play::CheckingRenderer renderer(kReference, kWrong, {}, runner.execution_findings());
  observer.renderer = &renderer;
  runner.SetSink(renderer);
  trace::Event event;
  uint64_t number = 0;
  Result<bool> next = reader.Next(event);
  for (; next.ok() && *next; next = reader.Next(event))
    REQUIRE(runner.OnEvent(number++, event).ok());
  if (!next.ok()) FAIL(FormatDiagnostic("trace", next.status().diagnostic()));
  std::string lines;
  for (const Diagnostic& finding : findings.items()) {
    lines += fmt::format("{} event {} offset {}: {}\n", Info(finding.rule).id, *finding.event,
                         finding.offset.value_or(99), finding.message);
  }
  return lines;
}

}  // namespace

TEST_CASE(
    "Checking renderer: the first pixel that differs is a finding, and the reference's stays") {
  const std::string events = std::string(kTarget) + ClearCall("0xFF0000FF") + "," +
                             ClearCall("0xFF00FF00") + "," + ClearCall("0xFF0000FF");
  CHECK(Check(events) ==
        "REPLAY-CHECK-001 event 4 offset 0: draw 2: pixel 5,3 of render target 0: 0x0000FF01 by "
        "wrong, 0x0000FF00 by reference\n");
}

TEST_CASE("Checking renderer: findings that differ are a finding") {
  CHECK(Check(std::string(kTarget) + ClearCall("0xFFFFFFFF")) ==
        "REPLAY-CHECK-002 event 3 offset 0: draw 1: findings: it was too much by wrong, nothing by "
        "reference\n");
}

TEST_CASE("Checking renderer: queries that differ are a finding") {
  const std::string triangle =
      R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"commands":[
{"op":"CREATEQUERY","records":[{"query_id":3,"query_type":"OCCLUSION"}]},
{"op":"ISSUEQUERY","records":[{"query_id":3,"flags":["BEGIN"]}]},
{"op":"TRIANGLELIST","count":1,"v_start":0}],
"vertices":"AAAAAAAAAAAAAAA/AACAP/////8AAABBAAAAAAAAAD8AAIA//////wAAAAAAAABBAAAAPwAAgD//////"})";
  const std::string found = Check(std::string(kTarget) + triangle);
  CAPTURE(found);
  CHECK(found.find("REPLAY-CHECK-002 event 3") != std::string::npos);
  CHECK(found.find("draw 1: query 3: 37 pixels by wrong, 36 pixels by reference") !=
        std::string::npos);
}

TEST_CASE("Checking renderer: nothing is found where both are the same") {
  replay::Options options;
  options.renderer = play::CheckingRenderer::kName;
  const ReplayRun run =
      Replay(std::string(kTarget) + ClearCall("0xFF00FF00") + R"(,{"event":"present","handle":1})",
             options);
  CHECK(run.Rules() == "");
  CHECK(run.Pixel("frame-000001.png", 5, 3) == "00ff00");
}
