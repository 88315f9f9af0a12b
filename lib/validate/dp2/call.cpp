#include "validate/dp2/call.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/interface.h"
#include "device/buffer_kind.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using device::VertexMemory;
using opcode::Op;

// Bits of dwFlags. Source: lib/opcode/dp2.md 1.2.
constexpr uint32_t kExecuteBuffer = 0x02;
constexpr uint32_t kReqVertexBufSize = 0x10;
constexpr uint32_t kReqCommandBufSize = 0x20;
constexpr uint32_t kDriverFlags = 0xC0;
constexpr uint32_t kAllFlags = 0xFF;

constexpr uint32_t kCommandUnparsed = 0x88760BB8;  // D3DERR_COMMAND_UNPARSED

std::string HexText(uint64_t value) {
  return fmt::format("{:#x}", value);
}

uint64_t CommandLength(const trace::Dp2& call) {
  return call.command_length.value_or(
      static_cast<uint32_t>(std::min<uint64_t>(call.commands.size(), UINT32_MAX)));
}

// DP2-CALL-001; DP2-CTX-003 where the context lived once.
void CheckContext(const EventView& view, const trace::Dp2& call) {
  if (view.device.FindContext(call.space, call.context) != nullptr) return;
  if (view.device.WasContextDestroyed(call.space, call.context)) {
    view.findings.Add(
        Rule::kDp2Ctx003, "context",
        fmt::format("context {} was destroyed; the call is not executed", call.context),
        fmt::format("{}", call.context), "a live context");
    return;
  }
  view.findings.Add(
      Rule::kDp2Call001, "context",
      fmt::format("context {} does not exist; the call is not executed", call.context),
      fmt::format("{}", call.context), "a live context");
}

void CheckFlags(EventFindings& findings, const trace::Dp2& call) {
  if (const uint32_t unknown = call.flags & ~kAllFlags) {
    findings.Add(Rule::kDp2Call002, "flags",
                 fmt::format("dwFlags has the undefined bits {:#x}", unknown),
                 FlagsText(trace::kDp2CallFlagNames, call.flags),
                 fmt::format("flags of {}", FlagsText(trace::kDp2CallFlagNames, kAllFlags)));
  }
  if (const uint32_t foreign = call.flags & kDriverFlags) {
    findings.Add(Rule::kDp2Call003, "flags",
                 fmt::format("dwFlags has {}, which the driver sets on return",
                             FlagsText(trace::kDp2CallFlagNames, foreign)),
                 FlagsText(trace::kDp2CallFlagNames, call.flags),
                 fmt::format("no {}", FlagsText(trace::kDp2CallFlagNames, foreign)));
  }
  const bool lacks_vertex_size =
      (call.flags & kReqVertexBufSize) != 0 && call.req_vertex_buf_size == 0;
  const bool lacks_command_size =
      (call.flags & kReqCommandBufSize) != 0 && call.req_command_buf_size == 0;
  if (lacks_vertex_size) {
    findings.Add(Rule::kDp2Call009, "req_vertex_buf_size",
                 "REQVERTEXBUFSIZE asks for a vertex buffer of 0 bytes", "0", "1 or more");
  }
  if (lacks_command_size) {
    findings.Add(Rule::kDp2Call009, "req_command_buf_size",
                 "REQCOMMANDBUFSIZE asks for a command buffer of 0 bytes", "0", "1 or more");
  }
  // A trace without any pointer has not recorded them.
  const bool has_pointers = call.commands_pointer != 0 || call.vertices_pointer != 0;
  if ((call.flags & kExecuteBuffer) != 0 && has_pointers && call.rstates_pointer == 0 &&
      call.rstates.empty()) {
    findings.Add(Rule::kDp2Call010, "rstates_pointer",
                 "EXECUTEBUFFER is set and lpdwRStates is null", "0", "not 0");
  }
}

void CheckCommandBuffer(EventFindings& findings, const trace::Dp2& call) {
  const uint64_t end = call.command_offset + CommandLength(call);
  if (call.command_buffer_size && end > *call.command_buffer_size) {
    findings.Add(Rule::kDp2Call004, "command_offset",
                 fmt::format("the commands end at {}, their buffer has {}", end,
                             Counted(*call.command_buffer_size, "byte")),
                 fmt::format("{}", end), fmt::format("at most {}", *call.command_buffer_size));
  }
  if (call.command_offset % 2 != 0) {
    findings.Add(Rule::kDp2Call016, "command_offset",
                 fmt::format("dwCommandOffset is {}", call.command_offset),
                 fmt::format("{}", call.command_offset), "an even number");
  }
}

void CheckEmptyStream(EventFindings& findings, const trace::Dp2& call, uint32_t level) {
  if (CommandLength(call) != 0) return;
  if (level < 9) {
    findings.Add(Rule::kDp2Call011, "command_length",
                 fmt::format("the stream is empty, a level {} runtime has no use for that", level),
                 "0", "1 or more");
  } else {
    findings.Add(Rule::kDp2Call012, "command_length",
                 "the stream is empty: the runtime polls for query responses", "0",
                 "bytes of commands");
  }
}

// The error offset, from the start of the buffer or of the stream, is that of a command header.
bool IsCommandHeader(const trace::Dp2& call) {
  const auto size =
      static_cast<size_t>(std::min<uint64_t>(call.commands.size(), CommandLength(call)));
  stream::Decoder decoder(call.commands.first(size),
                          {.command_offset = call.command_offset, .vertex_size = call.vertex_size},
                          nullptr);
  const auto is_named = [&call](uint64_t offset) {
    return offset == call.error_offset || offset - call.command_offset == call.error_offset;
  };
  stream::Command command;
  while (decoder.Next(command)) {
    if (is_named(command.offset)) return true;
  }
  return !decoder.rest().empty() && is_named(decoder.rest_offset());
}

// The recorded result.
void CheckResult(EventFindings& findings, const trace::Dp2& call, uint32_t level) {
  if (!call.ddrval) return;
  if (*call.ddrval == d3d::kWasStillDrawing) {
    findings.Add(Rule::kDp2Call015, "ddrval",
                 "DDERR_WASSTILLDRAWING: nothing was executed, the runtime calls again",
                 HexText(*call.ddrval), "a driver that waits, or another call");
  }
  if (level == 9 && !device::HasFailed(call.ddrval) && call.error_offset != 0 &&
      call.response.empty()) {
    findings.Add(Rule::kDp2Call013, "error_offset",
                 fmt::format("the call succeeded, dwErrorOffset is {} and no response follows",
                             call.error_offset),
                 fmt::format("{}", call.error_offset), "0");
  }
  if (*call.ddrval == kCommandUnparsed && !IsCommandHeader(call)) {
    findings.Add(
        Rule::kDp2Call014, "error_offset",
        fmt::format("D3DERR_COMMAND_UNPARSED, and no command starts at the error offset {}",
                    call.error_offset),
        fmt::format("{}", call.error_offset), "the offset of a command");
  }
}

// Each call once: a draw that follows in the same call has the same defect.
bool IsNews(const CommandView& view) {
  if (view.memory.call.objected == view.call.event) return false;
  view.memory.call.objected = view.call.event;
  return true;
}

void ReportTooSmall(const CommandView& view) {
  const device::Call& call = view.call;
  view.Report(Rule::kDp2Call005,
              fmt::format("the vertices of the call end at {}, their memory has {}",
                          call.memory_needed, Counted(call.memory_size, "byte")),
              fmt::format("{}", call.memory_needed), fmt::format("at most {}", call.memory_size));
}

void ReportVertexData(const CommandView& view) {
  const device::Call& call = view.call;
  switch (call.memory) {
    case VertexMemory::kTooSmall:
      return ReportTooSmall(view);
    case VertexMemory::kNone:
      return view.Report(Rule::kDp2Call006, "the call has no vertices", "none", "a vertex buffer");
    case VertexMemory::kNotLive:
      if (view.context.space->history().IsReported(call.vertex_buffer)) return;
      return view.Report(Rule::kDp2Call007,
                         fmt::format("surface {} is not a live buffer", call.vertex_buffer),
                         fmt::format("{}", call.vertex_buffer), "a live vertex buffer");
    case VertexMemory::kPresent:
      return view.Report(Rule::kDp2Call008, "the call has 0 vertices", "0", "1 or more");
  }
}

// The vertices lie in a buffer that was made for something else.
bool CheckBufferKind(const CommandView& view) {
  const uint32_t handle = view.call.vertex_buffer;
  const device::SurfaceRef buffer =
      handle == 0 ? device::SurfaceRef{} : view.context.space->Find(handle);
  if (!buffer || !device::IsMadeForOther(*buffer.resource, d3d::SurfaceKind::kIndexBuffer))
    return true;
  const std::string actual = Describe(*buffer.resource);
  if (IsNews(view)) {
    view.Report(Rule::kDp2Call007, fmt::format("surface {} is {}", handle, actual), actual,
                "a live vertex buffer");
  }
  return false;
}

// A token that reads vertices of the call in its format. Vertices of 0 bytes: DP2-PRIM-009.
void CheckVertexData(const CommandView& view) {
  const device::Call& call = view.call;
  if (view.command.count == 0 || call.vertex_size == 0 || !CheckBufferKind(view)) return;
  if ((call.memory != VertexMemory::kPresent || call.vertex_count == 0) && IsNews(view))
    ReportVertexData(view);
}

void CheckPoints(const CommandView& view) {
  constexpr stream::FieldRef kCount = stream::Field(layout::kPoints, "count");
  for (const stream::Record& record : view.Records()) {
    if (record.U32(kCount) != 0) return CheckVertexData(view);
  }
}

// A draw from streams reads them where stream 0 is user memory. That there is none: DP2-DRAW-007.
void CheckUserMemory(const CommandView& view) {
  const bool reads = view.command.count != 0 && view.context.state.streams[0].is_user_memory &&
                     view.call.has_user_memory;
  if (reads && view.call.memory == VertexMemory::kTooSmall && IsNews(view)) ReportTooSmall(view);
}

constexpr CommandRule kCallRules[] = {
    {Op::kPoints, CheckPoints},
    {Op::kIndexedLineList, CheckVertexData},
    {Op::kIndexedTriangleList, CheckVertexData},
    {Op::kLineList, CheckVertexData},
    {Op::kLineStrip, CheckVertexData},
    {Op::kIndexedLineStrip, CheckVertexData},
    {Op::kTriangleList, CheckVertexData},
    {Op::kTriangleStrip, CheckVertexData},
    {Op::kIndexedTriangleStrip, CheckVertexData},
    {Op::kTriangleFan, CheckVertexData},
    {Op::kIndexedTriangleFan, CheckVertexData},
    {Op::kIndexedTriangleList2, CheckVertexData},
    {Op::kIndexedLineList2, CheckVertexData},
    {Op::kDrawPrimitive, CheckUserMemory},
    {Op::kDrawIndexedPrimitive, CheckUserMemory},
    {Op::kClippedTriangleFan, CheckUserMemory},
    {Op::kDrawPrimitive2, CheckUserMemory},
    {Op::kDrawIndexedPrimitive2, CheckUserMemory},
};

}  // namespace

void CheckCallEvent(const EventView& view, const trace::Dp2& event) {
  CheckContext(view, event);
  CheckFlags(view.findings, event);
  CheckCommandBuffer(view.findings, event);
  const device::Context* const context = view.device.FindContext(event.space, event.context);
  if (context != nullptr) CheckEmptyStream(view.findings, event, context->level);
  CheckResult(view.findings, event, context != nullptr ? context->level : 0);
}

const Topic kCallTopic = {.rules = [] { return std::span<const CommandRule>(kCallRules); }};

}  // namespace dp2trace::validate
