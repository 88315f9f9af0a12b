#include "bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "base/plain_text.h"
#include "play/player.h"
#include "raster/stage_clock.h"
#include "rules/rule.h"
#include "stream/stream.h"
#include "trace/codec.h"
#include "trace/event_kind.h"

namespace dp2trace::bench {
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

}  // namespace

// A device at work on a bench.
class BenchRun final : private play::Listener {
 public:
  BenchRun(const Bench& bench, const BenchOptions& options)
      : bench_(bench),
        options_(options),
        player_({options.validation, options.renderer, options.raster}, {this}) {}

  Result<BenchResult> Run() {
    if (!FindFrames()) return BenchResult{};
    BenchResult result;
    const Status status = Measure(result);
    if (!is_cut_) {
      DP2TRACE_RETURN_IF_ERROR(status);
      return result;
    }
    return CutResult(result);
  }

 private:
  Status Measure(BenchResult& result) {
    frame_start_ = start_ = Clock::now();
    for (uint64_t number = 0; number < first_event_; ++number)
      DP2TRACE_RETURN_IF_ERROR(Play(number));
    DP2TRACE_RETURN_IF_ERROR(PlayUntilDrawing());
    Save();
    frame_seconds_.clear();
    start_ = Clock::now();
    DP2TRACE_RETURN_IF_ERROR(PlayLoop());  // warms up, unless it is all that there is time for
    result.loops = 1;
    if (!IsLate()) {
      DP2TRACE_RETURN_IF_ERROR(PlayLoop());
      frame_seconds_.clear();
      start_ = Clock::now();
      result.loops = 0;
    }
    Count();
    const uint64_t loops = result.loops;
    result = counts_;
    result.loops = loops;
    while (result.loops == 0 || (result.loops < options_.loops && !IsLate())) {
      DP2TRACE_RETURN_IF_ERROR(PlayLoop());
      ++result.loops;
    }
    result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    result.frame = TimesOf(std::move(frame_seconds_));
    const bool has_time =
        result.seconds <= options_.max_seconds * static_cast<double>(result.loops);
    return has_time ? MeasureStages(result) : OkStatus();
  }
  bool IsLate() const {
    return std::chrono::duration<double>(Clock::now() - began_).count() > options_.max_seconds;
  }

  // What is known where a frame was not played to its end.
  BenchResult CutResult(BenchResult result) {
    player_.FinishDrawing();
    frame_seconds_.push_back(std::chrono::duration<double>(Clock::now() - frame_start_).count());
    ++counts_.frames;
    // Counted loops stay what they are.
    if (result.frames == 0) {
      Count();
      result = counts_;
    }
    if (result.seconds == 0) {
      result.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
      result.frame = TimesOf(std::move(frame_seconds_));
    }
    result.is_cut = true;
    return result;
  }
  // Ends the bench; nobody sees the status.
  Status Cut() {
    is_cut_ = true;
    return Failure(Rule::kTrace010, "it takes too long");
  }
  Status CheckTime() {
    const double seconds = std::chrono::duration<double>(Clock::now() - frame_start_).count();
    return seconds <= options_.max_frame_seconds ? OkStatus() : Cut();
  }
  Status OnEvent(uint64_t number, const trace::Event& event) {
    DP2TRACE_RETURN_IF_ERROR(player_.OnEvent(number, event));
    return player_.has_ended() ? Cut() : OkStatus();
  }

  // Events [first_event_, end_event_): from after the present before the first selected frame to that of the last one.
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
    return OnEvent(number, event);
  }
  // Moves the start of the loop to the first call of the frames that draws.
  Status PlayUntilDrawing() {
    const uint64_t start = first_event_;
    while (first_event_ < end_event_) {
      trace::Event event;
      DP2TRACE_RETURN_IF_ERROR(Decode(first_event_, event));
      if (Draws(event)) return OkStatus();
      if (std::holds_alternative<trace::Present>(event) && first_event_ != start) return OkStatus();
      DP2TRACE_RETURN_IF_ERROR(OnEvent(first_event_, event));
      ++first_event_;
    }
    return OkStatus();
  }

  void Save() {
    for (const auto& [key, context] : player_.device().contexts())
      saved_.emplace_back(key, *context);
  }
  void Restore() {
    for (const auto& [key, saved] : saved_) {
      device::Context* const context = player_.device().FindContext(key.first, key.second);
      if (context != nullptr) *context = saved;
    }
  }

  Status PlayLoop() {
    Restore();
    // What a trace may take holds for each loop, unless the user says otherwise.
    if (!options_.validation.max_steps)
      player_.device().work() = WorkBudget(play::StepsOf(options_.validation));
    player_.findings() = DiagnosticList();
    before_ = player_.drawing_statistics();
    counts_ = {};
    frame_start_ = Clock::now();
    for (uint64_t number = first_event_; number < end_event_; ++number) {
      trace::Event event;
      DP2TRACE_RETURN_IF_ERROR(Decode(number, event));
      if (Destroys(event)) continue;
      // Another session begins: what it draws is none of these frames.
      if (std::holds_alternative<trace::Header>(event) && number != 0) break;
      DP2TRACE_RETURN_IF_ERROR(OnEvent(number, event));
    }
    const bool is_unfinished = end_event_ == bench_.events_.size() && bench_.has_unfinished_;
    if (is_unfinished) return EndFrame();
    clock_.Enter(Stage::kNone);
    player_.FinishDrawing();
    return OkStatus();
  }

  Status EndFrame() {
    clock_.Enter(Stage::kNone);
    player_.FinishDrawing();
    clock_.Enter(Stage::kCheck);
    const Clock::time_point now = Clock::now();
    frame_seconds_.push_back(std::chrono::duration<double>(now - frame_start_).count());
    ++counts_.frames;
    frame_start_ = now;
    return OkStatus();
  }

  // Of the last loop.
  void Count() {
    const raster::RendererStatistics& before = before_;
    const raster::RendererStatistics after = player_.drawing_statistics();
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
    player_.renderer()->SetMeasuring(true);
    const raster::StageTimes before = player_.drawing_statistics().times;
    clock_.SetMeasuring(true);
    DP2TRACE_RETURN_IF_ERROR(PlayLoop());
    clock_.Enter(Stage::kNone);
    const raster::StageTimes after = player_.drawing_statistics().times;
    raster::StageTimes& stages = result.stages.emplace();
    for (size_t i = 0; i < raster::kStageCount; ++i)
      stages[i] = clock_.times()[i] + after[i] - before[i];
    stages[static_cast<size_t>(Stage::kNone)] = 0;
    return OkStatus();
  }

  play::Detail detail() const override { return play::Detail::kPictures; }
  void BeforeApply(const device::Context& /*context*/, const stream::Command& command) override {
    clock_.Enter(Stage::kApply);
    if (command.op->is(opcode::kDraw)) ++counts_.draws;
  }
  Status OnApplied(device::Context& /*context*/, const stream::Command& command) override {
    clock_.Enter(Stage::kCheck);
    return command.op->is(opcode::kDraw) ? CheckTime() : OkStatus();
  }
  Status OnRead(const trace::SurfaceRead& /*read*/) override {
    clock_.Enter(Stage::kNone);
    player_.FinishDrawing();
    clock_.Enter(Stage::kCheck);
    return OkStatus();
  }
  Status OnPresent(const trace::Present& /*present*/) override { return EndFrame(); }

  bool OnDraw(const device::Draw& draw) override {
    const uint64_t primitives = uint64_t{draw.primitive_count} * draw.instance_count;
    const bool has_triangles = draw.type == d3d::PrimitiveType::TriangleList ||
                               draw.type == d3d::PrimitiveType::TriangleStrip ||
                               draw.type == d3d::PrimitiveType::TriangleFan;
    if (has_triangles) counts_.triangles += primitives;
    counts_.vertices += device::VertexCount(draw.type, draw.primitive_count) * draw.instance_count;
    const Stage before = clock_.Enter(Stage::kNone);
    player_.renderer()->OnDraw(draw);
    clock_.Enter(before);
    return false;
  }
  bool OnPatch(const device::PatchDraw& patch) override {
    const Stage before = clock_.Enter(Stage::kNone);
    player_.renderer()->OnPatch(patch);
    clock_.Enter(before);
    return false;
  }
  bool OnClear(const device::ClearDraw& clear) override {
    const Stage before = clock_.Enter(Stage::kNone);
    player_.renderer()->OnClear(clear);
    clock_.Enter(before);
    return false;
  }

  const Bench& bench_;
  const BenchOptions& options_;
  raster::StageClock clock_;
  uint64_t first_event_ = 0, end_event_ = 0;  // of the loop
  std::vector<std::pair<std::pair<uint32_t, uint64_t>, device::Context>> saved_;
  BenchResult counts_;
  std::vector<double> frame_seconds_;
  raster::RendererStatistics before_;  // the last loop
  const Clock::time_point began_ = Clock::now();
  Clock::time_point start_, frame_start_;
  bool is_cut_ = false;
  play::Player player_;
};

Status Bench::Add(const trace::Event& event, uint64_t max_memory) {
  StoredEvent stored;
  stored.kind = trace::CodeOf(event);
  trace::EncodePayload(event, stored.payload);
  size_bytes_ += stored.payload.size() + sizeof(StoredEvent);
  if (size_bytes_ > max_memory) {
    return Status(MakeDiagnostic(
        Rule::kTrace010, fmt::format("the trace needs more than {} of memory, see --max-memory",
                                     Counted(max_memory, "byte"))));
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

}  // namespace dp2trace::bench
