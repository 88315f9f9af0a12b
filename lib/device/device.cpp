#include "device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "d3d/interface.h"
#include "device/token.h"
#include "rules/rule.h"
#include "stream/response.h"

namespace dp2trace::device {
namespace {

// Drawing, blits and queries do not belong into a recording. Source: lib/opcode/dp2.md 11.
bool IsForbiddenInRecording(const opcode::OpInfo& op) {
  const bool is_issue = op.is(opcode::kQueryKind) && !op.is(opcode::kResource);
  return op.is(opcode::kDraw) || op.is(opcode::kBlt) || is_issue;
}

// An operation that the driver does not know. It is skipped.
void ReportLevel(const Token& token, Rule defect) {
  const opcode::OpInfo& op = *token.command.op;
  const stream::Record record;  // none: the word is in the header
  if (defect == Rule::kDp2Level004) {
    token.Report(defect, record, stream::OperationWord(),
                 "the operation is of Direct3D 9Ex, the trace is not", "9", "9Ex");
    return;
  }
  token.Report(
      defect, record, stream::OperationWord(),
      fmt::format("the operation is of level {}, the header says that the driver has level {}",
                  op.level, token.context.level),
      fmt::format("{}", op.level), fmt::format("at most {}", token.context.level));
}

// The vertices of a call: those of the trace, or of a surface.
void FindVertexMemory(const Space& space, const trace::Dp2& dp2, Call& call) {
  const bool is_user_memory = (dp2.flags & d3d::kUserMemVertices) != 0;
  const uint64_t announced = uint64_t{dp2.vertex_length.value_or(0)} * dp2.vertex_size;
  std::optional<uint64_t> size = dp2.vertex_buffer_size;
  call.vertex_buffer = is_user_memory ? 0 : dp2.vertex_buffer;
  call.has_user_memory = is_user_memory && !dp2.vertices.empty();
  if (call.vertex_buffer != 0) {
    const SurfaceRef buffer = space.Find(dp2.vertex_buffer);
    if (!buffer || !buffer.resource->is_buffer()) {
      call.memory = VertexMemory::kNotLive;
      return;
    }
    const Bytes bytes(buffer.bits().bytes, static_cast<size_t>(buffer.surface().size_bytes()));
    call.vertices = bytes.subspan(std::min<size_t>(dp2.vertex_offset, bytes.size()));
    size = bytes.size();
  } else if (dp2.vertices.empty() && dp2.vertices_pointer == 0 &&
             !(is_user_memory && announced != 0)) {
    call.memory = VertexMemory::kNone;  // announced user memory that is not stored: DP2-STREAM-011
    return;
  }
  call.memory_needed = dp2.vertex_offset + announced;
  if (!size || call.memory_needed <= *size) return;
  call.memory = VertexMemory::kTooSmall;
  call.memory_size = *size;
}

// Of another device, or null.
const image::Surface* SurfaceIn(const Device* device, uint32_t space, uint32_t handle) {
  const Space* const found = device == nullptr ? nullptr : device->FindSpace(space);
  const Resource* const resource = found == nullptr ? nullptr : found->FindRoot(handle);
  return resource == nullptr ? nullptr : &resource->surface;
}

}  // namespace

Device::Device(const Options& options) : options_(options), work_(options.max_steps) {}

Device::Device(const Device& other)
    : options_(other.options_),
      work_(other.work_),
      header_(other.header_),
      level_(other.level_),
      surface_bytes_(other.surface_bytes_),
      object_bytes_(other.object_bytes_),
      destroyed_contexts_(other.destroyed_contexts_) {
  for (const auto& [id, space] : other.spaces_)
    spaces_.emplace(id, std::make_unique<Space>(*space, surface_bytes_));
  for (const auto& [key, context] : other.contexts_)
    contexts_.emplace(key, std::make_unique<Context>(*context, space(context->space_id)));
}

Device::~Device() = default;

void Device::TakeOwnBytes(const Device* earlier) {
  for (const auto& [id, space] : spaces_) {
    for (const auto& [handle, resource] : space->roots())
      resource->surface.TakeOwnBytes(SurfaceIn(earlier, id, handle));
  }
}

uint64_t Device::BytesBeside(const Device* earlier) const {
  uint64_t bytes = object_bytes_ + contexts_.size() * sizeof(Context);
  for (const auto& [id, space] : spaces_) {
    for (const auto& [handle, resource] : space->roots()) {
      const image::Surface* const other = SurfaceIn(earlier, id, handle);
      const bool is_shared = other != nullptr && other->SharesBytes(resource->surface);
      bytes += sizeof(Resource) + (is_shared ? 0 : resource->surface.size_bytes());
    }
  }
  return bytes;
}

void Device::OnLoss() {
  for (const auto& [id, space] : spaces_)
    space->NoteLoss();
  for (const auto& [key, context] : contexts_)
    context->NoteLoss();
}

void Device::OnHeader(const trace::Header& header, std::optional<uint32_t> level_override) {
  header_ = header;
  // Views of the event do not outlive it.
  header_.generator = {};
  header_.caps.clear();
  header_.raw_caps = {};
  level_ = std::clamp(level_override.value_or(header.driver_level), d3d::kFirstDriverLevel,
                      d3d::kLastDriverLevel);
}

void Device::Reset() {
  contexts_.clear();
  spaces_.clear();
  surface_bytes_ = 0;
  object_bytes_ = 0;
  destroyed_contexts_.clear();
  header_ = {};
}

Space& Device::space(uint32_t id) {
  std::unique_ptr<Space>& space = spaces_[id];
  if (!space) space = std::make_unique<Space>(surface_bytes_);
  return *space;
}

Space* Device::FindSpace(uint32_t id) {
  const auto space = spaces_.find(id);
  return space == spaces_.end() ? nullptr : space->second.get();
}

Context* Device::FindContext(uint32_t space, uint64_t id) {
  const auto context = contexts_.find({space, id});
  return context == contexts_.end() ? nullptr : context->second.get();
}

const Space* Device::FindSpace(uint32_t id) const {
  const auto space = spaces_.find(id);
  return space == spaces_.end() ? nullptr : space->second.get();
}

const Context* Device::FindContext(uint32_t space, uint64_t id) const {
  const auto context = contexts_.find({space, id});
  return context == contexts_.end() ? nullptr : context->second.get();
}

Defects Device::OnContextCreate(const trace::ContextCreate& create, uint64_t event) {
  if (HasFailed(create.ddrval) || !work_.Spend(kNewContextSteps)) return {};
  if (create.context == 0)
    return {EventDefect(Rule::kDp2Ctx002, "context", "the context id is 0", "0", "not 0")};
  Defects defects;
  if (FindContext(create.space, create.context) != nullptr) {
    defects.push_back(EventDefect(Rule::kDp2Ctx002, "context",
                                  fmt::format("context {} exists and is replaced", create.context),
                                  fmt::format("{}", create.context),
                                  "an id that no live context has"));
  }
  // Thousands of live contexts are no program's: each has a state of many kilobytes.
  const uint64_t needed = (contexts_.size() + 1) * sizeof(Context);
  if (defects.empty() && needed > options_.max_context_bytes) {
    return {EventDefect(
        Rule::kReplayObject001, "context",
        fmt::format(
            "context {} would be one of {} that are alive; it is not created: their states may take {} bytes, a fixed limit",
            create.context, contexts_.size() + 1, options_.max_context_bytes),
        Counted(needed, "byte"), fmt::format("at most {}", options_.max_context_bytes))};
  }
  if (create.runtime_version > d3d::kMaxRuntimeVersion) {
    defects.push_back(
        EventDefect(Rule::kDp2Level007, "runtime_version",
                    fmt::format("runtime version {} counts as 5", create.runtime_version),
                    fmt::format("{}", create.runtime_version), "0 to 5"));
  }
  trace::ContextCreate used = create;
  Space& owner = space(create.space);
  // A packet's context may not record its target.
  const bool is_unrecorded = create.target == 0 && (create.context & kPacketContext) != 0;
  const auto is_reported = [&owner](uint32_t handle) {
    return handle != 0 && owner.history().IsReported(handle);
  };
  const bool has_no_target = !is_unrecorded && !owner.Find(create.target);
  if (has_no_target) {
    if (!is_reported(create.target)) {
      defects.push_back(EventDefect(
          Rule::kDp2Ctx001, "target",
          create.target == 0 ? "the render target is null"
                             : fmt::format("surface {} {}", create.target,
                                           Describe(owner.history().Find(create.target))),
          fmt::format("{}", create.target), "a live surface"));
    }
    used.target = 0;
  }
  const SurfaceRef depth = owner.Find(create.depth);
  const bool has_bad_depth = create.depth != 0 && (!depth || !CanBeDepth(*depth.resource));
  if (has_bad_depth) {
    if (depth || !is_reported(create.depth)) {
      defects.push_back(
          EventDefect(Rule::kDp2Ctx005, "depth",
                      depth ? fmt::format("surface {} of format {} is not a depth surface",
                                          create.depth, depth.surface().info().name)
                            : fmt::format("surface {} {}", create.depth,
                                          Describe(owner.history().Find(create.depth))),
                      depth ? Describe(*depth.resource) : fmt::format("{}", create.depth),
                      "a depth surface, or 0"));
    }
    used.depth = 0;
  }
  destroyed_contexts_.erase({create.space, create.context});
  auto& context = contexts_[{create.space, create.context}];
  if (context != nullptr) object_bytes_ -= context->object_bytes;
  context = std::make_unique<Context>(level_, header_.d3d9ex, used, owner);
  if (create.target != 0) context->setters.targets[0].event = event;
  if (create.depth != 0) context->setters.targets[kTargetCount].event = event;
  if (has_no_target || is_unrecorded) context->bindings.NoteRefused(kFirstTargetBinding);
  if (has_bad_depth || (is_unrecorded && create.depth == 0))
    context->bindings.NoteRefused(kDepthBinding);
  if (options_.observer != nullptr) options_.observer->OnContext(*context);
  return defects;
}

Defects Device::OnContextDestroy(const trace::ContextDestroy& destroy) {
  if (const Context* const context = FindContext(destroy.space, destroy.context);
      context != nullptr) {
    object_bytes_ -= context->object_bytes;
    contexts_.erase({destroy.space, destroy.context});
    destroyed_contexts_.insert({destroy.space, destroy.context});
    return {};
  }
  return {EventDefect(Rule::kDp2Ctx003, "context",
                      fmt::format("there is no context {}", destroy.context),
                      fmt::format("{}", destroy.context), "a live context")};
}

std::optional<image::Palette> Device::PaletteOf(uint32_t space, const Resource& resource) const {
  for (const auto& [key, context] : ContextsOf(space)) {
    if (auto palette = context->PaletteOf(resource)) return palette;
  }
  return std::nullopt;
}

Call Device::MakeCall(uint64_t event, const Context& context, const trace::Dp2& dp2) {
  Call call;
  call.event = event;
  call.vertex_type = dp2.vertex_type;
  call.vertex_size = dp2.vertex_size;
  call.vertices = dp2.vertices;
  call.environment = {
      .command_offset = dp2.command_offset, .vertex_size = dp2.vertex_size, .event = event};
  FindVertexMemory(*context.space, dp2, call);
  const uint64_t stored = dp2.vertex_size == 0 ? 0 : call.vertices.size() / dp2.vertex_size;
  call.is_count_announced = dp2.vertex_length.has_value();
  call.vertex_count =
      dp2.vertex_length.value_or(static_cast<uint32_t>(std::min<uint64_t>(stored, UINT32_MAX)));
  return call;
}

void Device::OnResponse(Context& context, Bytes response) {
  stream::ResponseDecoder decoder(response);
  for (stream::Command group; decoder.Next(group);) {
    if (group.op->op != opcode::Op::kResponseQuery) continue;
    for (const stream::Record& record : stream::Records(group, {})) {
      const uint32_t id = record.U32(stream::Field(opcode::layout::kResponseQuery, "query_id"));
      const auto query = context.queries.find(id);
      if (query == context.queries.end()) continue;
      query->second.state = QueryState::kSignaled;
      context.NoteQuery(id);
    }
  }
}

Defects Device::Apply(Context& context, const Call& call, const stream::Command& command,
                      DrawSink& sink) {
  Defects defects;
  Token token = {options_, header_, context, call, command, sink, work_, object_bytes_, defects};
  if (const std::optional<Rule> defect =
          FindLevelDefect(*command.op, context.level, header_.d3d9ex)) {
    ReportLevel(token, *defect);
    return defects;
  }
  if (context.recording && IsForbiddenInRecording(*command.op)) {
    token.Report(Rule::kDp2Sblk010,
                 fmt::format("state block {} is being recorded", context.recording->handle()),
                 std::string(command.op->name), "STATESET END before");
    return defects;
  }
  if (const Handler handler = FindHandler(command.op->op); handler != nullptr) handler(token);
  return defects;
}

}  // namespace dp2trace::device
