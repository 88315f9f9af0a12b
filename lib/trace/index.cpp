#include "trace/index.h"

namespace dp2trace::trace {
namespace {

// U64 offset, u64 first event, u32 event count, u32 raw size.
constexpr size_t kChunkEntrySize = 24;
constexpr size_t kFrameEntrySize = 8;  // u64 event number

IndexedChunk ReadEntry(ByteReader& reader) {
  IndexedChunk entry;
  entry.offset = reader.Read<uint64_t>();
  entry.first_event = reader.Read<uint64_t>();
  entry.event_count = reader.Read<uint32_t>();
  entry.raw_size = reader.Read<uint32_t>();
  return entry;
}

bool Ascends(const TraceIndex& index) {
  uint64_t next_offset = 0;
  uint64_t next_event = 0;
  for (const IndexedChunk& chunk : index.chunks) {
    if (chunk.offset < next_offset || chunk.first_event != next_event) return false;
    next_offset = chunk.offset + 1;
    next_event += chunk.event_count;
  }
  if (next_event != index.event_count) return false;
  uint64_t next_frame = 0;
  for (const uint64_t frame : index.frames) {
    if (frame < next_frame || frame >= index.event_count) return false;
    next_frame = frame + 1;
  }
  return true;
}

}  // namespace

std::optional<EventRange> EventsOfFrame(const TraceIndex& index, uint64_t frame) {
  if (frame == 0 || frame > index.frames.size() + 1) return std::nullopt;
  const auto number = static_cast<size_t>(frame);
  const uint64_t first = number == 1 ? 0 : index.frames[number - 2] + 1;
  const uint64_t end =
      number <= index.frames.size() ? index.frames[number - 1] + 1 : index.event_count;
  if (first >= end) return std::nullopt;
  return EventRange{first, end - 1};
}

std::vector<uint8_t> EncodeIndex(const TraceIndex& index) {
  std::vector<uint8_t> out;
  out.reserve(24 + index.chunks.size() * kChunkEntrySize + index.frames.size() * kFrameEntrySize);
  ByteWriter writer(out);
  writer.Write<uint64_t>(index.event_count);
  writer.Write<uint64_t>(index.chunks.size());
  writer.Write<uint64_t>(index.frames.size());
  for (const IndexedChunk& chunk : index.chunks) {
    writer.Write(chunk.offset);
    writer.Write(chunk.first_event);
    writer.Write(chunk.event_count);
    writer.Write(chunk.raw_size);
  }
  for (const uint64_t frame : index.frames)
    writer.Write(frame);
  return out;
}

std::optional<TraceIndex> ParseIndex(Bytes bytes) {
  ByteReader reader(bytes);
  TraceIndex index;
  index.event_count = reader.Read<uint64_t>();
  const auto chunk_count = reader.Read<uint64_t>();
  const auto frame_count = reader.Read<uint64_t>();
  if (reader.failed() || chunk_count > reader.remaining() / kChunkEntrySize) return std::nullopt;
  if (frame_count > reader.remaining() / kFrameEntrySize) return std::nullopt;
  if (chunk_count * kChunkEntrySize + frame_count * kFrameEntrySize != reader.remaining())
    return std::nullopt;
  index.chunks.resize(static_cast<size_t>(chunk_count));
  for (IndexedChunk& chunk : index.chunks)
    chunk = ReadEntry(reader);
  index.frames.resize(static_cast<size_t>(frame_count));
  for (uint64_t& frame : index.frames)
    frame = reader.Read<uint64_t>();
  if (!Ascends(index)) return std::nullopt;
  return index;
}

}  // namespace dp2trace::trace
