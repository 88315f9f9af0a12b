#include "runtime/core/recorder.h"

#include <algorithm>
#include <utility>

#include "d3d/interface.h"
#include "rules/rule.h"
#include "runtime/core/packet_writer.h"

namespace dp2trace::runtime {
namespace {

// Legacy tokens number vertices with 16 bits.
constexpr uint64_t kMaxVertices = 65536;
// Bytes of vertices after which a batch ends.
constexpr uint64_t kVertexBatchSize = uint64_t{4} << 20;
// Unspecified: strides that no device has (508 is usual); chosen: beyond 64 KiB they are cut, so that no padding grows without bounds.
constexpr uint32_t kMaxVertexSize = 0xFFFF;
// What a model keeps of a surface or a level, and of a context, about.
constexpr uint64_t kSurfaceSize = 512, kContextSize = 16 << 10, kSpaceSize = 2048;
// Copies of an event's bytes on their way: as payload, in its chunk, compressed; as text.
constexpr uint64_t kEventCopies = 4;
// Work, in steps (Allowance), beside the writing of what was recorded.
constexpr uint64_t kTokenSteps = 64, kEventSteps = 512, kByteSteps = 2;

// Bytes that an event brings along.
uint64_t SizeOf(const trace::Event& event) {
  if (const auto* const update = std::get_if<trace::SurfaceUpdate>(&event))
    return update->data.size();
  if (const auto* const call = std::get_if<trace::Dp2>(&event))
    return call->commands.size() + call->vertices.size();
  if (const auto* const render = std::get_if<trace::Render>(&event)) {
    return render->command_buffer.size() + render->allocation_list.size() +
           render->patch_location_list.size() +
           (render->dp2_env ? render->dp2_env->vertices.size() : 0);
  }
  if (const auto* const marker = std::get_if<trace::Marker>(&event)) return marker->text.size();
  return 0;
}

}  // namespace

Recorder::Recorder(EventSink& sink, RecorderOptions options)
    : sink_(sink), options_(std::move(options)) {
  if (options_.transport == Transport::kKmt) packets_ = std::make_unique<PacketWriter>(*this);
}

Recorder::~Recorder() = default;

MemoryShare Recorder::KeepMemory(uint64_t size) const {
  if (!options_.allowance->Fits(size) || !Spend(size)) return {};
  return {options_.allowance, size};
}

// What stays of a space, and of the object that it belongs to, when that is gone.
uint32_t Recorder::NewSpace() {
  Hold(kSpaceSize);
  return space_count_++;
}

uint32_t Recorder::NewHandle(uint32_t space) {
  Space& table = spaces_[space];
  Hold(kSurfaceSize);
  if (table.free.empty()) return table.next++;
  const uint32_t handle = *table.free.begin();
  table.free.erase(table.free.begin());
  return handle;
}

void Recorder::FreeHandle(uint32_t space, uint32_t handle) {
  Space& table = spaces_[space];
  const bool is_freed = handle != 0 && handle < table.next && table.free.insert(handle).second;
  // The handle itself stays known.
  if (is_freed) options_.allowance->Give(kSurfaceSize);
}

void Recorder::CreateSurface(const trace::SurfaceCreate& surface) {
  std::vector<uint32_t> sub_handles;
  for (const trace::SubSurface& sub : surface.sub_surfaces) {
    if (sub.handle != 0) sub_handles.push_back(sub.handle);
  }
  const bool is_new =
      spaces_[surface.space].sub_handles.emplace(surface.handle, std::move(sub_handles)).second;
  Emit(surface);
  if (packets_ != nullptr && is_new) packets_->OnSurface(surface);
}

void Recorder::DestroySurface(uint32_t space, uint32_t handle) {
  Space& table = spaces_[space];
  const auto found = table.sub_handles.find(handle);
  if (found == table.sub_handles.end()) return;
  Flush();
  if (packets_ != nullptr) packets_->OnSurfaceDestroy(space, handle, found->second);
  Emit(trace::SurfaceDestroy{space, handle});
  for (const uint32_t sub : found->second)
    FreeHandle(space, sub);
  FreeHandle(space, handle);
  table.sub_handles.erase(found);
}

void Recorder::Mark(std::string_view text, uint64_t position) {
  trace::Marker marker;
  marker.text = text;
  marker.source = options_.source;
  marker.position = position;
  Emit(marker);
}

uint64_t Recorder::CreateContext(uint32_t space, uint32_t target, uint32_t depth,
                                 std::optional<uint32_t> runtime_version) {
  trace::ContextCreate context;
  context.space = space;
  context.context = next_context_++;
  context.target = target;
  context.depth = depth;
  context.runtime_version = runtime_version.value_or(options_.runtime_version);
  context_spaces_[context.context] = space;
  Hold(kContextSize);
  if (packets_ != nullptr) {
    Flush();
    packets_->OnContext(context);
  } else {
    Emit(context);
  }
  return context.context;
}

void Recorder::DestroyContext(uint64_t context) {
  const auto found = context_spaces_.find(context);
  if (found == context_spaces_.end()) return;
  Flush();
  if (packets_ != nullptr) {
    packets_->OnContextDestroy(context);
  } else {
    Emit(trace::ContextDestroy{found->second, context});
  }
  context_spaces_.erase(found);
  options_.allowance->Give(kContextSize);
}

void Recorder::SwitchTo(uint64_t context) {
  if (batch_.context == context) return;
  Flush();
  batch_.context = context;
}

void Recorder::Token(uint64_t context, opcode::Op op, std::span<const uint32_t> values, Bytes tail,
                     std::optional<uint16_t> count) {
  if (!Spend(kTokenSteps + kByteSteps * (4 * values.size() + tail.size()))) return;
  SwitchTo(context);
  ++use_count_;
  const bool is_draw = opcode::Info(op).is(opcode::kDraw);
  if (!batch_.tokens.Append(op, values, tail, count)) {
    if (status_.ok()) {
      status_ = Status(MakeDiagnostic(
          Rule::kIo001, "a token was recorded with values that its operation does not have"));
    }
    return;
  }
  if (is_draw) {
    ++draw_count_;
    batch_.is_pinned = false;
  }
  if (!batch_.is_pinned && batch_.tokens.bytes().size() >= options_.batch_size) Flush();
}

uint32_t Recorder::AddVertices(uint64_t context, uint32_t vertex_type, uint32_t vertex_size,
                               Bytes vertices) {
  if (!Spend(kTokenSteps + vertices.size())) return 0;
  SwitchTo(context);
  vertex_size = std::min(vertex_size, kMaxVertexSize);
  const uint64_t size = std::max<uint32_t>(vertex_size, 1);
  const uint64_t total = uint64_t{batch_.vertices.size()} + vertices.size();
  const bool is_other = batch_.vertex_type != vertex_type || batch_.vertex_size != vertex_size;
  if (!batch_.vertices.empty() &&
      (is_other || total / size >= kMaxVertices || total > kVertexBatchSize))
    Flush();
  batch_.vertex_type = vertex_type;
  batch_.vertex_size = vertex_size;
  batch_.is_pinned = true;
  // A vertex cut short by the program's last element takes a whole place.
  batch_.vertices.resize((batch_.vertices.size() + size - 1) / size * size);
  const auto first = static_cast<uint32_t>(batch_.vertices.size() / size);
  batch_.vertices.insert(batch_.vertices.end(), vertices.begin(), vertices.end());
  return first;
}

void Recorder::Flush() {
  if (!batch_.tokens.empty()) SendBatch();
  batch_.tokens.clear();
  batch_.vertices.clear();
  batch_.vertex_type = 0;
  batch_.vertex_size = 0;
  batch_.is_pinned = false;
}

void Recorder::Finish() {
  Flush();
  if (status_.ok() && event_count_ == 0) SendHeader();
}

void Recorder::SendBatch() {
  const uint32_t size = std::max<uint32_t>(batch_.vertex_size, 1);
  batch_.vertices.resize((batch_.vertices.size() + size - 1) / size * size);
  if (packets_ != nullptr) {
    packets_->OnBatch(batch_.context, batch_.tokens.bytes(), batch_.vertices, batch_.vertex_type,
                      batch_.vertex_size);
    return;
  }
  trace::Dp2 call;
  const auto space = context_spaces_.find(batch_.context);
  call.space = space == context_spaces_.end() ? 0 : space->second;
  call.context = batch_.context;
  call.commands = batch_.tokens.bytes();
  if (!batch_.vertices.empty()) {
    call.flags = d3d::kUserMemVertices;
    call.vertex_type = batch_.vertex_type;
    call.vertex_size = batch_.vertex_size;
    call.vertices = batch_.vertices;
  }
  Send(trace::Event(call));
}

void Recorder::SendHeader() {
  trace::Header header;
  header.generator = options_.generator;
  header.driver_level = options_.level;
  header.d3d9ex = options_.d3d9ex;
  ++event_count_;
  status_ = sink_.OnEvent(trace::Event(header));
}

void Recorder::Send(const trace::Event& event) {
  if (!status_.ok()) return;
  if (event_count_ == 0) SendHeader();
  const uint64_t size = SizeOf(event);
  if (!status_.ok() || !Spend(kEventSteps + kByteSteps * size)) return;
  const MemoryShare copies = HoldShare(kEventCopies * size);
  if (!copies.is_granted()) return;
  ++event_count_;
  status_ = sink_.OnEvent(event);
}

}  // namespace dp2trace::runtime
