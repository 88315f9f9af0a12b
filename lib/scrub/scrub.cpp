#include "scrub/scrub.h"

#include <algorithm>
#include <tuple>
#include <variant>

#include "device/place.h"
#include "play/player.h"
#include "rules/rule.h"
#include "scrub/scrub_texels.h"
#include "scrub/scrub_vertices.h"
#include "trace_file/form.h"
#include "trace_file/sink.h"

namespace dp2trace::scrub {
namespace {

constexpr size_t kMostFindings = 100000;

// The noise of vertices that lie in a call, not in a surface.
constexpr Noise kCallNoise(0, 0);

// The noise of a level, of an update or a picture.
template <class Event>
Noise LevelNoise(const Event& event) {
  return {uint64_t{event.space} << 32 | event.handle,
          (uint64_t{event.face} << 32 | event.level) + 1};
}

Status CannotRead() {
  return Failure(Rule::kTrace001, "the trace cannot be read again");
}

// All that lint finds in a trace.
Status FindAll(const trace_model::Open& open, const trace_model::WorkBounds& bounds,
               DiagnosticList& findings, BlitKeys* keys, const trace_model::Walk& walk) {
  const auto source = trace_file::WithResults(open());
  if (source == nullptr) return CannotRead();
  findings = DiagnosticList(kMostFindings);
  play::RunnerOptions validation;
  validation.max_steps = bounds.max_steps;
  validation.file_bytes = bounds.file_bytes;
  play::Player player({.validation = validation, .raster = {}}, findings, {});
  DP2TRACE_RETURN_IF_ERROR(walk(*source, "lint", [&](const trace::EventRecord& record) {
    (void)player.OnEvent(record.number, record.event);
    if (player.has_ended()) return false;
    const auto* const blt = std::get_if<trace::Blt>(&record.event);
    if (keys == nullptr || blt == nullptr) return true;
    if (blt->src_color_key) (*keys)[{blt->space, blt->src}].push_back(*blt->src_color_key);
    if (blt->dest_color_key) (*keys)[{blt->space, blt->dest}].push_back(*blt->dest_color_key);
    return true;
  }));
  player.Finish();
  return player.CheckWork();
}

// Messages hold values, which differ.
auto PlaceOf(const Diagnostic& finding) {
  return std::tie(finding.rule, finding.event, finding.offset, finding.path);
}

// Those of `findings` that `others` lacks, each one counted.
std::vector<Diagnostic> Lacking(const DiagnosticList& findings, const DiagnosticList& others) {
  std::vector<const Diagnostic*> rest;
  for (const Diagnostic& other : others.items())
    rest.push_back(&other);
  const auto is_before = [](const Diagnostic* a, const Diagnostic* b) {
    return PlaceOf(*a) < PlaceOf(*b);
  };
  std::ranges::stable_sort(rest, is_before);
  std::vector<bool> is_taken(rest.size());
  std::vector<Diagnostic> lacking;
  for (const Diagnostic& finding : findings.items()) {
    auto at = std::ranges::lower_bound(rest, &finding, is_before);
    while (at != rest.end() && is_taken[static_cast<size_t>(at - rest.begin())] &&
           PlaceOf(**at) == PlaceOf(finding))
      ++at;
    if (at != rest.end() && PlaceOf(**at) == PlaceOf(finding)) {
      is_taken[static_cast<size_t>(at - rest.begin())] = true;
    } else {
      lacking.push_back(finding);
    }
  }
  return lacking;
}

uint64_t WidthOf(const trace::SurfaceUpdate& update, const image::Area& whole) {
  if (update.box) return update.box->right - uint64_t{update.box->left};
  if (update.rect) {
    return static_cast<uint64_t>(
        std::max<int64_t>(int64_t{update.rect->right} - update.rect->left, 0));
  }
  return whole.width();
}

}  // namespace

std::span<uint8_t> Scrubber::Own(Bytes& bytes) {
  std::vector<uint8_t>& copy = storage_.emplace_back(bytes.begin(), bytes.end());
  bytes = copy;
  return copy;
}

void Scrubber::Clear(Bytes& bytes) {
  std::ranges::fill(Own(bytes), uint8_t{0});
}

const trace::Event& Scrubber::Scrub(const trace::Event& event) {
  naming_.Apply(event);
  scratch_.Add(event);
  storage_.clear();
  event_ = event;
  std::visit([this](auto& e) { On(e); }, event_);
  return event_;
}

void Scrubber::On(trace::Header& header) {
  header.generator = "dp2trace scrub";
}

void Scrubber::On(trace::Marker& marker) {
  marker.text = {};
  marker.source = {};
}

void Scrubber::On(trace::SurfaceUpdate& update) {
  const device::SurfaceRef place =
      device::FindPlace(scratch_.device(), update.space, update.handle, update.face, update.level);
  const bool is_buffer = place && place.resource->is_buffer();
  if (is_buffer && place.resource->kind == d3d::SurfaceKind::kIndexBuffer) return;
  const uint64_t first = update.range ? update.range->offset : 0;
  if (is_buffer) return ScrubVertexBytes(LevelNoise(update), first, update.data);
  if (options_.keeps_textures) return;
  const Noise noise = LevelNoise(update);
  const std::span<uint8_t> bytes = Own(update.data);
  // What goes nowhere is not a picture of anything: only its bytes count.
  if (!place) return ScrubVertices(noise, 0, bytes);
  const d3d::FormatInfo& info = place.surface().info();
  std::vector<d3d::ColorKey> keys;
  if (place.resource->color_key) keys.push_back(*place.resource->color_key);
  if (const auto found = keys_.find({update.space, update.handle}); found != keys_.end())
    keys.insert(keys.end(), found->second.begin(), found->second.end());
  TexelRows rows;
  if (!update.range && info.kind != d3d::FormatKind::kPlanarYuv) {
    const uint64_t width =
        std::min<uint64_t>(WidthOf(update, place.surface().WholeLevel(place.level)), UINT32_MAX);
    rows = {d3d::RowSize(info, static_cast<uint32_t>(width)), update.pitch.value_or(0),
            update.slice_pitch.value_or(0)};
  }
  // A range may begin inside a texel.
  const uint64_t size = std::max<uint64_t>(info.block_size, 1);
  const uint64_t lead = std::min<uint64_t>((size - first % size) % size, bytes.size());
  ScrubTexels(info, keys, rows, noise, bytes.subspan(lead));
  std::fill_n(bytes.begin(), lead, uint8_t{0});
}

void Scrubber::On(trace::Picture& picture) {
  if (options_.keeps_textures || picture.data.empty()) return;
  const device::SurfaceRef place = device::FindPlace(scratch_.device(), picture.space,
                                                     picture.handle, picture.face, picture.level);
  const Noise noise = LevelNoise(picture);
  const std::span<uint8_t> bytes = Own(picture.data);
  const d3d::FormatInfo* info = d3d::FindFormat(picture.format);
  if (picture.format == 0 && picture.pixel_format) {
    const d3d::PixelFormat& p = *picture.pixel_format;
    info = d3d::FormatFromPixelFormat(p.flags, p.four_cc, p.bit_count, p.red_mask, p.green_mask,
                                      p.blue_mask, p.alpha_mask);
  } else if (picture.format == 0) {
    info = place ? &place.surface().info() : nullptr;
  }
  if (info == nullptr) return ScrubVertices(noise, 0, bytes);
  ScrubTexels(*info, {}, {.row_size = 0, .pitch = picture.pitch.value_or(0)}, noise, bytes);
}

void Scrubber::ScrubVertexBytes(const Noise& noise, uint64_t first, Bytes& bytes) {
  if (!options_.keeps_geometry && !bytes.empty()) ScrubVertices(noise, first, Own(bytes));
}

void Scrubber::On(trace::Dp2& call) {
  ScrubVertexBytes(kCallNoise, 0, call.vertices);
  const auto stream = trace::StreamOf(trace::Event(call), naming_.length_origin());
  if (stream) ScrubCommands(*stream, call.commands);
}

void Scrubber::On(trace::Render& packet) {
  if (packet.payload == trace::PayloadKind::kOpaque) return Clear(packet.command_buffer);
  if (packet.dp2_env) ScrubVertexBytes(kCallNoise, 0, packet.dp2_env->vertices);
  const auto stream = trace::StreamOf(trace::Event(packet), naming_.length_origin());
  if (stream) ScrubCommands(*stream, packet.command_buffer);
}

void Scrubber::ScrubCommands(const trace::CommandStream& stream, Bytes& commands) {
  if (stream.bytes.empty()) return;
  const auto begin = static_cast<size_t>(stream.bytes.data() - commands.data());
  ScrubTokens(stream, options_, Own(commands).subspan(begin, stream.bytes.size()));
}

void Scrubber::On(trace::KmtContextCreate& context) {
  Clear(context.private_driver_data);
}

void Scrubber::On(trace::AllocationCreate& create) {
  Clear(create.private_runtime_data);
  Clear(create.private_driver_data);
  for (trace::AllocationInfo& info : create.allocations)
    Clear(info.private_driver_data);
}

void Scrubber::On(trace::ResourceOpen& open) {
  for (trace::AllocationInfo& info : open.allocations)
    Clear(info.private_driver_data);
}

void Scrubber::On(trace::SubmitCommand& submit) {
  Clear(submit.private_driver_data);
}

// No event of a known kind has this encoding.
void Scrubber::On(trace::Unknown& unknown) {
  std::ranges::fill(Own(unknown.payload), uint8_t{0xFF});
}

Result<ScrubResult> ScrubTrace(const trace_model::Open& open, const ScrubOptions& options,
                               const std::string& output, uint64_t max_memory,
                               const trace_model::WorkBounds& bounds,
                               const trace_model::Walk& walk) {
  ScrubResult result;
  DiagnosticList before;
  DiagnosticList after;
  BlitKeys keys;
  DP2TRACE_RETURN_IF_ERROR(FindAll(open, bounds, before, &keys, walk));
  const auto source = open();
  const auto form = trace_file::FormOfPath(output);
  if (source == nullptr || !form) return CannotRead();
  auto sink = trace_file::Sink::Create(output, *form);
  if (!sink.ok()) return sink.status();
  Status status;
  auto scrubber = std::make_unique<Scrubber>(options, std::move(keys), bounds);
  DP2TRACE_RETURN_IF_ERROR(walk(*source, "scrub", [&](const trace::EventRecord& record) {
    status = (*sink)->Add(scrubber->Scrub(record.event));
    if (status.ok()) status = scrubber->CheckWork();
    ++result.events;
    return status.ok();
  }));
  if (!status.ok()) return status;
  scrubber.reset();  // a device less, before another one follows
  if (result.events == 0) return result;
  DP2TRACE_RETURN_IF_ERROR((*sink)->Finish());
  DiagnosticList reading;  // our own file: what it keeps of the input may be damaged
  const trace_model::Open reopen = [&] {
    trace_file::OpenError error;
    return trace_file::Source::Open(output, max_memory, reading, error);
  };
  DP2TRACE_RETURN_IF_ERROR(FindAll(reopen, bounds, after, nullptr, walk));
  result.findings = before.items().size() + before.dropped();
  result.gone = Lacking(before, after);
  result.came = Lacking(after, before);
  result.is_partial = before.dropped() + after.dropped() != 0;
  return result;
}

}  // namespace dp2trace::scrub
