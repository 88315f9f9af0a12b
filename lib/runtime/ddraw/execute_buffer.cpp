#include "runtime/ddraw/execute_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "d3d/fvf.h"

namespace dp2trace::runtime::ddraw {
namespace {

// D3DOPCODE.
enum class Opcode : uint8_t {
  kPoint = 1,
  kLine = 2,
  kTriangle = 3,
  kMatrixLoad = 4,
  kMatrixMultiply = 5,
  kStateTransform = 6,
  kStateLight = 7,
  kStateRender = 8,
  kProcessVertices = 9,
  kTextureLoad = 10,
  kExit = 11,
  kBranchForward = 12,
  kSpan = 13,
  kSetStatus = 14,
};

constexpr size_t kHeaderSize = 4;

// Bytes of a record; 0 for an instruction without records, or none that is known.
uint8_t RecordSize(uint8_t opcode) {
  switch (static_cast<Opcode>(opcode)) {
    case Opcode::kPoint:
    case Opcode::kLine:
    case Opcode::kSpan:
      return 4;
    case Opcode::kTriangle:
    case Opcode::kMatrixLoad:
    case Opcode::kStateTransform:
    case Opcode::kStateLight:
    case Opcode::kStateRender:
    case Opcode::kTextureLoad:
      return 8;
    case Opcode::kMatrixMultiply:
      return 12;
    case Opcode::kProcessVertices:
    case Opcode::kBranchForward:
      return 16;
    case Opcode::kSetStatus:
      return 24;
    case Opcode::kExit:
      return 0;
  }
  return 0;
}

// D3DPROCESSVERTICES.dwFlags; what is neither lit (0) nor copied is transformed (1).
constexpr uint32_t kTransformLight = 0, kCopy = 2, kOperationMask = 7, kNoColor = 0x10;
// D3DSETSTATUS.
constexpr uint32_t kSetsStatus = 1;
// D3DSTATUS: what any vertex is outside of, and, 12 bits higher, what all are; and that nothing was tested visible.
constexpr uint32_t kUnionBits = 0x3F;
constexpr uint32_t kIntersectionShift = 12;

// D3DCLIP_LEFT, RIGHT, TOP, BOTTOM, FRONT, BACK.
uint32_t ClipFlags(const vertex::Float4& clip) {
  const float x = clip[0];
  const float y = clip[1];
  const float z = clip[2];
  const float w = clip[3];
  return (x < -w ? 0x1U : 0U) | (x > w ? 0x2U : 0U) | (y > w ? 0x4U : 0U) | (y < -w ? 0x8U : 0U) |
         (z < 0 ? 0x10U : 0U) | (z > w ? 0x20U : 0U);
}

}  // namespace

ExecuteBufferRun::ExecuteBufferRun(LegacyDevice& device, ExecuteBuffer& buffer,
                                   TextureLoader loader, uint32_t flags)
    : device_(device),
      buffer_(buffer),
      loader_(std::move(loader)),
      is_clipped_((flags & kExecuteUnclipped) == 0) {}

bool ExecuteBufferRun::Spend(uint64_t amount) {
  constexpr uint64_t kElementSteps = 400;  // of a vertex or primitive (Allowance)
  if (amount > budget_ || !device_.recorder().Spend(amount * kElementSteps)) return false;
  budget_ -= amount;
  return true;
}

bool ExecuteBufferRun::Run() {
  const ExecuteData& data = buffer_.data;
  // Unspecified: a length that ends before EXIT; chosen: the instructions end at EXIT or at the end of the buffer, as drivers had it.
  size_t at = data.instruction_offset;
  bool is_complete = true;
  while (!is_done_) {
    if (at > buffer_.bytes.size() || buffer_.bytes.size() - at < kHeaderSize) return false;
    Instruction instruction;
    instruction.opcode = buffer_.bytes[at];
    instruction.size = buffer_.bytes[at + 1];
    instruction.count = Half(at + 2);
    instruction.records = at + kHeaderSize;
    start_ = at;
    const size_t end = instruction.records + size_t{instruction.size} * instruction.count;
    if (end > buffer_.bytes.size()) return false;
    branch_.reset();
    is_complete = RunInstruction(instruction) && is_complete;
    at = branch_.value_or(end);
  }
  return is_complete;
}

bool ExecuteBufferRun::RunInstruction(const Instruction& instruction) {
  constexpr uint64_t kRecordSteps = 100;  // Allowance
  if (!device_.recorder().Spend((instruction.count + uint64_t{1}) * kRecordSteps)) {
    is_done_ = true;
    return false;
  }
  const auto opcode = static_cast<Opcode>(instruction.opcode);
  if (opcode == Opcode::kExit) {
    is_done_ = true;
    return true;
  }
  const uint8_t least = RecordSize(instruction.opcode);
  if (least == 0 || instruction.size < least) return instruction.count == 0;
  const bool is_draw =
      opcode == Opcode::kPoint || opcode == Opcode::kLine || opcode == Opcode::kTriangle;
  if (is_draw) return DrawPrimitives(instruction);
  bool is_complete = true;
  for (uint32_t i = 0; i < instruction.count && !branch_ && !is_done_; ++i) {
    is_complete =
        RunRecord(instruction, instruction.records + size_t{i} * instruction.size) && is_complete;
  }
  return is_complete;
}

bool ExecuteBufferRun::RunRecord(const Instruction& instruction, size_t at) {
  switch (static_cast<Opcode>(instruction.opcode)) {
    case Opcode::kMatrixLoad:
      return device_.CopyMatrix(Word(at), Word(at + 4));
    case Opcode::kMatrixMultiply:
      return device_.MultiplyMatrices(Word(at), Word(at + 4), Word(at + 8));
    case Opcode::kStateTransform:
      return device_.SetTransformByHandle(Word(at), Word(at + 4));
    case Opcode::kStateLight:
      device_.SetLightState(Word(at), Word(at + 4));
      return true;
    case Opcode::kStateRender:
      device_.SetRenderState(Word(at), Word(at + 4));
      return true;
    case Opcode::kProcessVertices:
      return ProcessVertices(at);
    case Opcode::kTextureLoad: {
      Surface* const dest = device_.FindTexture(Word(at));
      Surface* const source = device_.FindTexture(Word(at + 4));
      return dest != nullptr && source != nullptr && loader_(*dest, *source);
    }
    case Opcode::kBranchForward:
      Branch(at);
      return true;
    case Opcode::kSetStatus:
      SetStatus(at);
      return true;
    default:
      return false;  // SPAN: for drivers only
  }
}

void ExecuteBufferRun::Branch(size_t at) {
  const uint32_t mask = Word(at);
  const uint32_t value = Word(at + 4);
  const uint32_t offset = Word(at + 12);
  const bool negates = Word(at + 8) != 0;
  if (((buffer_.data.status & mask) == value) == negates) return;
  if (offset == 0) {
    is_done_ = true;
  } else {
    branch_ = start_ + offset;
  }
}

void ExecuteBufferRun::SetStatus(size_t at) {
  if ((Word(at) & kSetsStatus) != 0) buffer_.data.status = Word(at + 4);
}

bool ExecuteBufferRun::ProcessVertices(size_t at) {
  const uint32_t flags = Word(at);
  const uint32_t operation = flags & kOperationMask;
  const uint32_t first = Half(at + 4);
  const uint32_t dest = Half(at + 6);
  const uint32_t count = Word(at + 8);
  constexpr uint32_t kMostVertices = 0x10000;
  const uint64_t begin = uint64_t{buffer_.data.vertex_offset} + uint64_t{first} * kLegacyVertexSize;
  const uint64_t end = begin + uint64_t{count} * kLegacyVertexSize;
  if (operation > kCopy || end > buffer_.bytes.size() || dest + uint64_t{count} > kMostVertices ||
      !Spend(count))
    return false;
  const auto geometry = device_.Geometry(operation == kTransformLight);
  if (!geometry) return false;
  if (const size_t size = size_t{dest} + count; buffer_.processed.size() < size) {
    buffer_.processed_share = device_.recorder().HoldShare(2 * size * sizeof(ProcessedVertex));
    if (!buffer_.processed_share.is_granted()) return false;
    buffer_.processed.resize(size);
  }
  const SoftwareGeometry software(*geometry);
  const uint32_t fvf = operation == kTransformLight ? kFvfVertex : kFvfLVertex;
  const auto reader = VertexReader::OfFvf(fvf);
  static const d3d::FvfLayout kLayout = d3d::DecodeFvf(kFvfTLVertex);
  const VertexReader::Stream stream{buffer_.bytes, begin, kLegacyVertexSize};
  uint32_t any = 0;
  uint32_t all = kUnionBits;
  for (uint32_t i = 0; i < count; ++i) {
    ProcessedVertex& vertex = buffer_.processed[size_t{dest} + i];
    const std::array<uint8_t, kLegacyVertexSize> old = vertex.bytes;
    vertex.has_clip = operation != kCopy;
    if (operation == kCopy) {
      std::memcpy(vertex.bytes.data(), buffer_.bytes.data() + begin + size_t{i} * kLegacyVertexSize,
                  kLegacyVertexSize);
      continue;
    }
    vertex.clip = software.Process(reader->Read({&stream, 1}, i), kLayout, vertex.bytes.data());
    if ((flags & kNoColor) != 0)
      std::memcpy(vertex.bytes.data() + kLayout.diffuse, old.data() + kLayout.diffuse, 8);
    any |= ClipFlags(vertex.clip);
    all &= ClipFlags(vertex.clip);
  }
  if (operation != kCopy && count != 0) {
    buffer_.data.status |= any;
    buffer_.data.status &= ~(kUnionBits << kIntersectionShift) | all << kIntersectionShift;
  }
  return true;
}

bool ExecuteBufferRun::DrawPrimitives(const Instruction& instruction) {
  const auto opcode = static_cast<Opcode>(instruction.opcode);
  const size_t numbers = opcode == Opcode::kTriangle ? 3 : 2;
  const auto record = [&](uint32_t i) {
    return instruction.records + size_t{i} * instruction.size;
  };
  // The vertices that the records name.
  uint32_t low = 0xFFFFFFFF;
  uint32_t high = 0;
  for (uint32_t i = 0; i < instruction.count; ++i) {
    const bool is_point = opcode == Opcode::kPoint;
    const uint32_t points = is_point ? Half(record(i)) : 0;
    if (is_point && points == 0) continue;
    if (!Spend(is_point ? points : 1)) return false;
    for (size_t n = is_point ? 1 : 0; n < numbers; ++n) {
      const uint32_t v = Half(record(i) + 2 * n);
      low = std::min(low, v);
      high = std::max(high, v + (is_point ? points - 1 : 0));
    }
  }
  if (low > high) return true;
  if (high < buffer_.processed.size() && !Spend((high - low) / 8)) return false;
  if (!device_.SendViewport() || high >= buffer_.processed.size()) return false;
  ScreenVertices vertices{.fvf = kFvfTLVertex, .size = kLegacyVertexSize, .bytes = {}, .clip = {}};
  for (uint32_t v = low; v <= high; ++v) {
    const ProcessedVertex& vertex = buffer_.processed[v];
    vertices.bytes.insert(vertices.bytes.end(), vertex.bytes.begin(), vertex.bytes.end());
    if (!is_clipped_) continue;
    // What came in screen coordinates is not cut here.
    constexpr vertex::Float4 kInside = {0, 0, 0, 1};
    vertices.clip.push_back(vertex.has_clip ? vertex.clip : kInside);
  }
  const ViewportArea& area = device_.viewport()->area;
  const ClipVolume volume{
      .mapping = vertex::ViewportMapping({area.x, area.y, area.width, area.height, 0, 1})};
  PrimitiveClipper clipper(device_.recorder(), device_.device().context(), vertices, volume,
                           device_.is_flat());
  for (uint32_t i = 0; i < instruction.count; ++i) {
    const size_t at = record(i);
    const auto number = [&](size_t n) { return uint32_t{Half(at + 2 * n)} - low; };
    if (opcode == Opcode::kPoint) {
      for (uint32_t k = 0; k < Half(at); ++k)
        clipper.AddPoint(number(1) + k);
    } else if (opcode == Opcode::kLine) {
      clipper.AddLine(number(0), number(1));
    } else {
      clipper.AddTriangle({number(0), number(1), number(2)}, Half(at + 6));
    }
  }
  clipper.Finish();
  return true;
}

}  // namespace dp2trace::runtime::ddraw
