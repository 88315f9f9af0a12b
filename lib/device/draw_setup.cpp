#include "device/draw_setup.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/checked.h"
#include "base/plain_text.h"
#include "d3d/fvf.h"
#include "d3d/stream_source.h"
#include "device/vertex_program.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

using stream::Record;

bool IsUserMemory(const Context& context) {
  return context.state.streams[0].is_user_memory;
}

// An FVF as the layout of a draw.
bool UseFvf(const Token& token, const Record& record, uint32_t fvf, ProgramLayout& program) {
  if (const std::optional<Rule> defect = FindFvfDefect(fvf, token.context.level)) {
    token.Report(*defect, record, NameFormat(fvf),
                 fmt::format("{} ({:#x})", d3d::FvfText(fvf), fvf), std::string(LegalFvf(*defect)));
    return false;
  }
  program.of_fvf = LayoutOfFvf(fvf, FvfLevel(token.context));
  program.layout = &program.of_fvf;
  return true;
}

bool ReportNoLayout(const Token& token, const Record& record, uint32_t format) {
  // One that was deleted is reported by the rules about bindings.
  const VertexProgram& program = token.context.state.vertex_program;
  const Context::Histories& histories = token.context.histories;
  const HandleHistory& history =
      program.is_level8 ? histories.vertex_shaders : histories.declarations;
  if ((format & 1) != 0 && history.Find(format) == Absence::kDestroyed) return false;
  token.Report(Rule::kDp2Draw004, record,
               "no vertex shader, declaration or vertex format is current",
               format == 0 ? std::string("none") : fmt::format("{}", format),
               "a declaration or a vertex format");
  return false;
}

// The vertices of the call; at most as many bytes as it announces vertices of this stride.
bool BindUserMemory(const Token& token, const Record& record, uint32_t stride,
                    VertexStream& stream) {
  const Call& call = token.call;
  if (!call.has_user_memory) {
    token.Report(Rule::kDp2Draw007, record, "stream 0 is user memory and the call has none", "none",
                 "USERMEMVERTICES and vertices");
    return false;
  }
  stream.bytes = call.vertices;
  const uint64_t announced =
      call.is_count_announced ? uint64_t{call.vertex_count} * stride : UINT64_MAX;
  if (announced < stream.bytes.size())
    stream.bytes = stream.bytes.first(static_cast<size_t>(announced));
  if (!stream.bytes.empty() || stride == 0) return true;
  token.Report(Rule::kDp2Draw008, record, "stream 0 is user memory of 0 vertices", "0",
               "1 or more");
  return false;
}

// The call announces the element `last` of its user memory: that its bytes are missing is DP2-STREAM-011.
bool IsAnnounced(const Call& call, uint32_t stride, uint32_t element_end, int64_t last) {
  return call.is_count_announced && last >= 0 &&
         static_cast<uint64_t>(last) * stride + element_end <= uint64_t{call.vertex_count} * stride;
}

bool BindBuffer(const Token& token, const Record& record, const StreamBinding& binding,
                VertexStream& stream) {
  stream.stride = binding.stride;
  if (binding.is_user_memory) return BindUserMemory(token, record, binding.stride, stream);
  if (binding.buffer == 0) return true;
  // A buffer that was destroyed, or is something else by now: the rules about bindings say so.
  const SurfaceRef buffer = token.context.space->Find(binding.buffer);
  if (!buffer || !buffer.resource->is_buffer()) return false;
  stream.bytes = Bytes(buffer.bits().bytes, static_cast<size_t>(buffer.surface().size_bytes()));
  stream.origin = binding.offset;
  return true;
}

// Source: lib/opcode/dp2.md 18.3 and 6.2. Stride 0 repeats one vertex.
void CheckStride(const Token& token, const Record& record, const VertexLayout& layout, uint32_t end,
                 uint32_t index, uint32_t stride) {
  if (stride == 0 || end <= stride) return;
  token.Report(layout.fvf ? Rule::kDp2Fvf011 : Rule::kDp2Vsh017, record,
               fmt::format("the vertex of stream {} needs {}, the stride is {}", index,
                           Counted(end, "byte"), stride),
               fmt::format("{}", end), fmt::format("at most {}", stride));
}

// First and last element of a stream that the vertices first to last read.
std::pair<int64_t, int64_t> ElementsOf(const Draw& draw, const VertexStream& stream, int64_t first,
                                       int64_t last) {
  const bool is_indexed = draw.indices.size != 0;
  const uint32_t count = stream.divider & d3d::kDividerMask;
  if ((stream.divider & d3d::kInstanceData) != 0)
    return {0, (draw.instance_count - 1) / std::max<uint32_t>(count, 1)};
  const bool divides = !is_indexed && stream.divider == count && count > 1;
  return divides ? std::pair{first / count, last / count} : std::pair{first, last};
}

}  // namespace

uint32_t FvfLevel(const Context& context) {
  return context.runtime_version < d3d::kFirstModernRuntime ? std::min(context.level, 7U)
                                                            : context.level;
}

std::string NameFormat(uint32_t fvf) {
  return fmt::format("the vertex format is {:#x} ({})", fvf, d3d::FvfText(fvf));
}

bool FindProgramLayout(const Token& token, const Record& record, ProgramLayout& program) {
  const BoundProgram bound = FindBoundProgram(token.context);
  program.is_programmable = bound.is_programmable;
  program.layout = bound.layout;
  if (bound.layout != nullptr) return true;
  if (!bound.is_fvf) return ReportNoLayout(token, record, bound.format);
  return UseFvf(token, record, bound.format, program);
}

bool BindStreams(const Token& token, const Record& record, const VertexLayout& layout,
                 uint32_t streams_allowed, Draw& draw) {
  const State& state = token.context.state;
  // While stream 0 is user memory the others do not count. Source: lib/opcode/dp2.md 5.1.
  const uint32_t readable = IsUserMemory(token.context) ? streams_allowed & 1 : streams_allowed;
  const uint32_t used = UsedStreams(layout);
  const std::array<uint32_t, kStreamCount> ends = ElementEnds(layout);
  draw.layout = &layout;
  for (uint32_t i = 0; i < kStreamCount; ++i) {
    VertexStream& stream = draw.streams[i];
    stream.divider = state.stream_dividers[i];
    if (((used & readable) >> i & 1) == 0) continue;
    if (!BindBuffer(token, record, state.streams[i], stream)) return false;
    if (!stream.bytes.empty()) CheckStride(token, record, layout, ends[i], i, stream.stride);
  }
  return true;
}

uint32_t NeededBytes(uint32_t stride, uint32_t element_end) {
  return stride == 0 ? element_end : std::min(element_end, stride);
}

// The vertices that a stream holds, in words.
static std::string LegalVertices(const VertexStream& stream, uint32_t element_end) {
  const uint64_t size = stream.bytes.size();
  if (stream.origin > size || size - stream.origin < element_end) return "no vertex";
  const uint64_t last =
      stream.stride == 0 ? 0 : (size - stream.origin - element_end) / stream.stride;
  return fmt::format("0 to {}", last);
}

// The bytes [first, last] vertices of a stream need are there.
static bool HasVertices(const VertexStream& stream, uint32_t element_end, int64_t first,
                        int64_t last) {
  if (stream.bytes.empty() || element_end == 0) return true;
  if (first < 0 || last < first) return false;
  const std::optional<uint64_t> distance = CheckedMul(static_cast<uint64_t>(last), stream.stride);
  const std::optional<uint64_t> start =
      distance ? CheckedAdd(*distance, stream.origin) : std::nullopt;
  const std::optional<uint64_t> end = start ? CheckedAdd(*start, element_end) : std::nullopt;
  return end && *end <= stream.bytes.size();
}

bool CheckVertices(const Token& token, const Record& record, const stream::Word& word,
                   const Draw& draw, int64_t first, int64_t last, Rule rule) {
  const std::array<uint32_t, kStreamCount> ends = ElementEnds(*draw.layout);
  for (uint32_t i = 0; i < kStreamCount; ++i) {
    const VertexStream& stream = draw.streams[i];
    const uint32_t needed = NeededBytes(stream.stride, ends[i]);
    const auto [first_element, last_element] = ElementsOf(draw, stream, first, last);
    if (HasVertices(stream, needed, first_element, last_element)) continue;
    const bool is_user_memory = i == 0 && IsUserMemory(token.context);
    if (is_user_memory && first_element >= 0 &&
        IsAnnounced(token.call, stream.stride, needed, last_element))
      return false;
    token.Report(
        is_user_memory ? Rule::kDp2Draw008 : rule, record, word,
        fmt::format("the draw reads vertices {} to {} of stream {}, each of {}, and not all "
                    "of them lie in its {}",
                    first_element, last_element, i, Counted(stream.stride, "byte"),
                    Counted(stream.bytes.size(), "byte")),
        fmt::format("{} to {}", first_element, last_element), LegalVertices(stream, needed));
    return false;
  }
  return true;
}

bool CheckPrimitiveCount(const Token& token, const Record& record, const Draw& draw) {
  const uint64_t vertices = VertexCount(draw.type, draw.primitive_count);
  if (vertices > UINT32_MAX) {
    token.Report(Rule::kDp2Draw003, record,
                 fmt::format("{} primitives need {} vertices", draw.primitive_count, vertices),
                 fmt::format("{}", vertices), fmt::format("at most {}", UINT32_MAX));
    return false;
  }
  return true;
}

bool IsWithinLimit(const Token& token, const Record& record, const Draw& draw) {
  const uint64_t all = uint64_t{draw.primitive_count} * draw.instance_count;
  if (all <= token.options.max_primitives) return true;
  token.Report(Rule::kReplayDraw001, record,
               fmt::format("{}, --max-primitives allows {}", Counted(all, "primitive"),
                           token.options.max_primitives),
               fmt::format("{}", all), fmt::format("at most {}", token.options.max_primitives));
  return false;
}

namespace {

// Of indices one after the other.
template <class T>
IndexRange FindPlainRange(const uint8_t* at, uint64_t count) {
  IndexRange range = {UINT32_MAX, 0};
  for (uint64_t k = 0; k < count; ++k, at += sizeof(T)) {
    const auto index = uint32_t{Load<T>(at)};
    range.first = std::min(range.first, index);
    range.last = std::max(range.last, index);
  }
  return range;
}

}  // namespace

IndexRange FindIndexRange(const Draw& draw, uint64_t first_k, uint64_t count) {
  IndexRange range = {UINT32_MAX, 0};
  const IndexSource& indices = draw.indices;
  const uint64_t size = indices.bytes.size();
  constexpr uint64_t kLimit = uint64_t{1} << 40;
  const bool is_plain = indices.size != 0 && indices.per_record == 0 && first_k < kLimit &&
                        count < kLimit && indices.origin <= size &&
                        (first_k + count) * indices.size <= size - indices.origin;
  if (is_plain) {
    const uint8_t* at = indices.bytes.data() + indices.origin + first_k * indices.size;
    return indices.size == 2 ? FindPlainRange<uint16_t>(at, count)
                             : FindPlainRange<uint32_t>(at, count);
  }
  for (uint64_t k = first_k; k < first_k + count; ++k) {
    const uint32_t index = IndexAt(draw, k);
    range.first = std::min(range.first, index);
    range.last = std::max(range.last, index);
  }
  return range;
}

}  // namespace dp2trace::device
