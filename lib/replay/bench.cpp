#include "replay/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "raster/stage_clock.h"
#include "replay/renderers.h"
#include "rules/rule.h"
#include "stream/stream.h"
#include "trace/codec.h"
#include "trace/event_kind.h"

namespace dp2trace::replay {
namespace {

using Clock = std::chrono::steady_clock;
using raster::Stage;

// The command bytes of a call or packet from its first token on.
Bytes CommandsOf(const trace::Event& event) {
  if (const auto* call = std::get_if<trace::Dp2>(&event)) return call->commands;
  const auto* render = std::get_if<trace::Render>(&event);
  if (render == nullptr || render->payload != trace::PayloadKind::kDp2) return {};
  const size_t start = std::min<size_t>(render->command_offset, render->command_buffer.size());
  return render->command_buffer.subspan(start);
}

bool Draws(const trace::Event& event) {
  stream::Decoder decoder(CommandsOf(event), {}, nullptr);
  for (stream::Command command; decoder.Next(command);) {
    if (command.op->is(opcode::kDraw)) return true;
  }
  return false;
}

// What would take away something that the next loop needs.
bool Destroys(const trace::Event& event) {
  return std::holds_alternative<trace::SurfaceDestroy>(event) ||
         std::holds_alternative<trace::ContextDestroy>(event) ||
         std::holds_alternative<trace::KmtContextDestroy>(event) ||
         std::holds_alternative<trace::DeviceDestroy>(event) ||
         std::holds_alternative<trace::AllocationDestroy>(event) ||
         std::holds_alternative<trace::AdapterClose>(event) ||
         std::holds_alternative<trace::Dp2Unbind>(event);
}

FrameTimes TimesOf(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::ranges::sort(seconds);
  const auto at = [&](size_t percent) { return seconds[(seconds.size() - 1) * percent / 100]; };
  return {seconds.front(), at(50), at(95)};
}

// What is measured is done again and again.
RunnerOptions WithoutLimit(RunnerOptions options) {
  options.max_steps = UINT64_MAX;
  return options;
}

}  // namespace

// A device at work on a bench.
class BenchRun final : private Observer, private device::DrawSink {
 public:
  BenchRun(const Bench& bench, const BenchOptions& options)
      : bench_(bench),
        options_(options),
        runner_(WithoutLimit(options.validation), findings_, *this),
        renderer_(MakeRenderer(options.renderer, options.raster, runner_.execution_findings())) {
    runner_.SetSink(*this);
  }

  Result<BenchResult> Run() {
    if (!FindFrames()) return BenchResult{};
    for (uint64_t number = 0; number < first_event_; ++number)
      DP2TRACE_RETURN_IF_ERROR(Play(number));
    DP2TRACE_RETURN_IF_ERROR(PlayUntilDrawing());
    Save();
    DP2TRACE_RETURN_IF_ERROR(PlayLoop());  // warms up, and counts
    const raster::RendererStatistics before = renderer_->statistics();
    counts_ = {};
    frame_seconds_.clear();
    DP2TRACE_RETURN_IF_ERROR(PlayLoop());
    Count(before);
    BenchResult result = counts_;
    frame_seconds_.clear();
    const Clock::time_point start = Clock::now();
    for (uint64_t loop = 0; loop < options_.loops; ++loop)
      DP2TRACE_RETURN_IF_ERROR(PlayLoop());
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.loops = options_.loops;
    result.frame = TimesOf(std::move(frame_seconds_));
    DP2TRACE_RETURN_IF_ERROR(MeasureStages(result));
    return result;
  }

 private:
  // Events [first_event_, end_event_): from behind the present before the first selected frame to that of the last one.
  bool FindFrames() {
    uint64_t first = 0;
    uint64_t last = 0;
    for (uint64_t frame = 1; frame <= bench_.frame_count(); ++frame) {
      if (!options_.frames.Contains(frame)) continue;
      if (first == 0) first = frame;
      last = frame;
    }
    if (first == 0) return false;
    first_event_ = first == 1 ? 0 : bench_.presents_[first - 2] + 1;
    end_event_ =
        last <= bench_.presents_.size() ? bench_.presents_[last - 1] + 1 : bench_.events_.size();
    return true;
  }

  Status Decode(uint64_t number, trace::Event& event) {
    const Bench::StoredEvent& stored = bench_.events_[number];
    clock_.Enter(Stage::kDecode);
    (void)trace::DecodePayload(stored.kind, 0, stored.payload, event);
    clock_.Enter(Stage::kCheck);
    return OkStatus();
  }
  Status Play(uint64_t number) {
    trace::Event event;
    DP2TRACE_RETURN_IF_ERROR(Decode(number, event));
    return runner_.OnEvent(number, event);
  }
  // Moves the start of the loop to the first call of the frames that draws.
  Status PlayUntilDrawing() {
    const uint64_t start = first_event_;
    while (first_event_ < end_event_) {
      trace::Event event;
      DP2TRACE_RETURN_IF_ERROR(Decode(first_event_, event));
      if (Draws(event)) return OkStatus();
      if (std::holds_alternative<trace::Present>(event) && first_event_ != start) return OkStatus();
      DP2TRACE_RETURN_IF_ERROR(runner_.OnEvent(first_event_, event));
      ++first_event_;
    }
    return OkStatus();
  }

  void Save() {
    for (const auto& [key, context] : runner_.device().contexts())
      saved_.emplace_back(key, *context);
  }
  void Restore() {
    for (const auto& [key, saved] : saved_) {
      device::Context* const context = runner_.device().FindContext(key.first, key.second);
      if (context != nullptr) *context = saved;
    }
  }

  Status PlayLoop() {
    Restore();
    findings_ = DiagnosticList();
    frame_start_ = Clock::now();
    for (uint64_t number = first_event_; number < end_event_; ++number) {
      trace::Event event;
      DP2TRACE_RETURN_IF_ERROR(Decode(number, event));
      if (Destroys(event)) continue;
      // Another session begins: what it draws is none of these frames.
      if (std::holds_alternative<trace::Header>(event) && number != 0) break;
      DP2TRACE_RETURN_IF_ERROR(runner_.OnEvent(number, event));
    }
    const bool is_unfinished = end_event_ == bench_.events_.size() && bench_.has_unfinished_;
    if (is_unfinished) return EndFrame();
    clock_.Enter(Stage::kNone);
    renderer_->Finish();
    return OkStatus();
  }

  Status EndFrame() {
    clock_.Enter(Stage::kNone);
    renderer_->Finish();
    clock_.Enter(Stage::kCheck);
    const Clock::time_point now = Clock::now();
    frame_seconds_.push_back(std::chrono::duration<double>(now - frame_start_).count());
    frame_start_ = now;
    return OkStatus();
  }

  void Count(const raster::RendererStatistics& before) {
    const raster::RendererStatistics after = renderer_->statistics();
    counts_.frames = frame_seconds_.size();
    counts_.pixels = after.pixels - before.pixels;
    counts_.texels = after.texels - before.texels;
    const auto subtract = [](const auto& counts, const auto& sooner, auto& to) {
      for (const auto& [name, count] : counts) {
        const auto found = sooner.find(name);
        const uint64_t of_loop = count - (found == sooner.end() ? 0 : found->second);
        if (of_loop != 0) to[std::string(name)] = of_loop;
      }
    };
    subtract(after.handed_on, before.handed_on, counts_.handed_on);
    subtract(after.slow, before.slow, counts_.slow);
  }

  Status MeasureStages(BenchResult& result) {
    renderer_->SetMeasuring(true);
    const raster::StageTimes before = renderer_->statistics().times;
    clock_.SetMeasuring(true);
    DP2TRACE_RETURN_IF_ERROR(PlayLoop());
    clock_.Enter(Stage::kNone);
    const raster::StageTimes after = renderer_->statistics().times;
    for (size_t i = 0; i < raster::kStageCount; ++i)
      result.stages[i] = clock_.times()[i] + after[i] - before[i];
    result.stages[static_cast<size_t>(Stage::kNone)] = 0;
    return OkStatus();
  }

  void OnHeader(const trace::Header& header) override {
    renderer_->SetClipsTransformedZ(ClipsTransformedZ(header, options_.raster.clips_transformed_z));
  }
  Status OnSessionEnd() override {
    renderer_->Finish();
    return OkStatus();
  }
  void OnCall(device::Context& context) override { renderer_->SetContext(context); }
  void BeforeApply(const device::Context& /*context*/, const stream::Command& command) override {
    clock_.Enter(Stage::kApply);
    if (command.op->is(opcode::kDraw)) ++counts_.draws;
  }
  Status OnApplied(device::Context& /*context*/, const stream::Command& /*command*/) override {
    clock_.Enter(Stage::kCheck);
    return OkStatus();
  }
  Status OnRead(const trace::SurfaceRead& /*read*/) override {
    clock_.Enter(Stage::kNone);
    renderer_->Finish();
    clock_.Enter(Stage::kCheck);
    return OkStatus();
  }
  Status OnPresent(const trace::Present& /*present*/) override { return EndFrame(); }

  void OnDraw(const device::Draw& draw) override {
    const uint64_t primitives = uint64_t{draw.primitive_count} * draw.instance_count;
    const bool has_triangles = draw.type == d3d::PrimitiveType::TriangleList ||
                               draw.type == d3d::PrimitiveType::TriangleStrip ||
                               draw.type == d3d::PrimitiveType::TriangleFan;
    if (has_triangles) counts_.triangles += primitives;
    counts_.vertices += device::VertexCount(draw.type, draw.primitive_count) * draw.instance_count;
    const Stage before = clock_.Enter(Stage::kNone);
    renderer_->OnDraw(draw);
    clock_.Enter(before);
  }
  void OnPatch(const device::PatchDraw& patch) override {
    const Stage before = clock_.Enter(Stage::kNone);
    renderer_->OnPatch(patch);
    clock_.Enter(before);
  }
  void OnClear(const device::ClearDraw& clear) override {
    const Stage before = clock_.Enter(Stage::kNone);
    renderer_->OnClear(clear);
    clock_.Enter(before);
  }

  const Bench& bench_;
  const BenchOptions& options_;
  DiagnosticList findings_;
  Runner runner_;
  std::unique_ptr<raster::Renderer> renderer_;
  raster::StageClock clock_;
  uint64_t first_event_ = 0, end_event_ = 0;  // of the loop
  std::vector<std::pair<std::pair<uint32_t, uint64_t>, device::Context>> saved_;
  BenchResult counts_;
  std::vector<double> frame_seconds_;
  Clock::time_point frame_start_;
};

Status Bench::Add(const trace::Event& event, uint64_t max_memory) {
  StoredEvent stored;
  stored.kind = trace::CodeOf(event);
  trace::EncodePayload(event, stored.payload);
  size_bytes_ += stored.payload.size() + sizeof(StoredEvent);
  if (size_bytes_ > max_memory) {
    return Status(MakeDiagnostic(
        Rule::kTrace010,
        fmt::format("the trace needs more than {} bytes of memory, see --max-memory", max_memory)));
  }
  if (std::holds_alternative<trace::Present>(event)) {
    presents_.push_back(events_.size());
    ++frame_count_;
    has_unfinished_ = false;
  } else if (!has_unfinished_) {
    has_unfinished_ = Draws(event);
  }
  events_.push_back(std::move(stored));
  return OkStatus();
}

Result<BenchResult> Bench::Run(const BenchOptions& options) const {
  return BenchRun(*this, options).Run();
}

namespace {

double Rate(uint64_t count, const BenchResult& result) {
  return result.seconds <= 0
             ? 0
             : static_cast<double>(count) * static_cast<double>(result.loops) / result.seconds;
}

struct Count {
  const char* name;
  uint64_t BenchResult::*value;
};
constexpr Count kCounts[] = {
    {"frames", &BenchResult::frames},       {"draws", &BenchResult::draws},
    {"triangles", &BenchResult::triangles}, {"vertices", &BenchResult::vertices},
    {"pixels", &BenchResult::pixels},       {"texels", &BenchResult::texels}};

// Stages in the order of a draw's life.
constexpr Stage kStages[] = {Stage::kDecode, Stage::kCheck, Stage::kApply, Stage::kVertex,
                             Stage::kSetup,  Stage::kBin,   Stage::kCover, Stage::kShade,
                             Stage::kOutput, Stage::kWait};

double MillisecondsOf(const BenchResult& result, Stage stage) {
  return static_cast<double>(result.stages[static_cast<size_t>(stage)]) * 1e-6;
}

}  // namespace

std::string BenchText(const BenchResult& result) {
  std::string text = fmt::format("{} loops of {} frames in {:.3f} s\n", result.loops, result.frames,
                                 result.seconds);
  for (const Count& count : kCounts) {
    text += fmt::format("  {:<10} {:>12} a loop {:>15.1f} a second\n", count.name,
                        result.*count.value, Rate(result.*count.value, result));
  }
  text += fmt::format("  frame      {:.3f} ms least, {:.3f} median, {:.3f} at 95 %\n",
                      result.frame.minimum * 1e3, result.frame.median * 1e3,
                      result.frame.percentile_95 * 1e3);
  text += "  stages of one more loop, all threads together, ms:\n   ";
  for (const Stage stage : kStages)
    text += fmt::format(" {} {:.3f}", Name(stage), MillisecondsOf(result, stage));
  text += "\n";
  for (const auto& [reason, count] : result.handed_on)
    text += fmt::format("  drawn by the reference: {} draws, {}\n", count, reason);
  for (const auto& [part, count] : result.slow)
    text += fmt::format("  partly pixel by pixel: {} draws, {}\n", count, part);
  return text;
}

std::string BenchJson(const BenchResult& result) {
  std::string json =
      fmt::format("\"loops\": {}, \"seconds\": {:.6f}", result.loops, result.seconds);
  for (const Count& count : kCounts)
    json += fmt::format(", \"{}\": {}", count.name, result.*count.value);
  json += ", \"per_second\": {";
  for (const Count& count : kCounts) {
    json += fmt::format("{}\"{}\": {:.1f}", &count == kCounts ? "" : ", ", count.name,
                        Rate(result.*count.value, result));
  }
  json += fmt::format("}}, \"frame_ms\": {{\"min\": {:.6f}, \"median\": {:.6f}, \"p95\": {:.6f}}}",
                      result.frame.minimum * 1e3, result.frame.median * 1e3,
                      result.frame.percentile_95 * 1e3);
  json += ", \"stages_ms\": {";
  for (const Stage stage : kStages) {
    json += fmt::format("{}\"{}\": {:.6f}", stage == kStages[0] ? "" : ", ", Name(stage),
                        MillisecondsOf(result, stage));
  }
  json += "}";
  const auto add = [&json](const char* name, const std::map<std::string, uint64_t>& counts) {
    json += fmt::format(", \"{}\": {{", name);
    const char* separator = "";
    for (const auto& [key, count] : counts) {
      json += fmt::format("{}\"{}\": {}", separator, key, count);
      separator = ", ";
    }
    json += "}";
  };
  add("handed_on", result.handed_on);
  add("slow", result.slow);
  return json;
}

}  // namespace dp2trace::replay
