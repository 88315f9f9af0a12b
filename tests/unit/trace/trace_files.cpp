#include "trace_files.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/hash.h"
#include "support/random.h"
#include "trace/fed_reader.h"

namespace dp2trace::testing {
namespace {

template <class Record>
void Take(const Record& event, ReadResult& result) {
  result.events.push_back(
      {event.number, event.kind, event.flags, {event.payload.begin(), event.payload.end()}});
}

template <class Record>
ReadResult ReadFed(Bytes file, const trace::ReaderOptions& options,
                   const std::function<size_t()>& next_size) {
  ReadResult result;
  trace::FedReader reader(result.findings, options);
  Record event;
  while (!file.empty()) {
    // Each piece in memory of its own, which is gone when the next one comes.
    const std::vector<uint8_t> piece(
        file.begin(),
        file.begin() + static_cast<std::ptrdiff_t>(std::min(file.size(), next_size())));
    file = file.subspan(piece.size());
    reader.Feed(piece);
    while (reader.Next(event))
      Take(event, result);
    CHECK_FALSE(reader.Next(event));
  }
  reader.Close();
  while (reader.Next(event))
    Take(event, result);
  CHECK(reader.ended());
  CHECK_FALSE(reader.Next(event));  // the end stays the end
  result.status = reader.status();
  result.truncated = reader.truncated();
  result.incomplete = reader.incomplete();
  return result;
}

void CheckSame(const ReadResult& fed, const ReadResult& read) {
  CHECK(fed.events == read.events);
  CHECK(fed.findings.items() == read.findings.items());
  REQUIRE(fed.status.ok() == read.status.ok());
  if (!fed.status.ok()) CHECK(fed.status.diagnostic() == read.status.diagnostic());
  CHECK(fed.truncated == read.truncated);
  CHECK(fed.incomplete == read.incomplete);
}

// What is fed in pieces gives the same as what is read: in pieces of random sizes, and of one byte where the file is short.
template <class Record>
void CheckFed(Bytes file, const trace::ReaderOptions& options, const ReadResult& read) {
  Random random(file.size());
  const size_t largest = size_t{1} << random.Below(20);  // bytes
  CAPTURE(largest);
  CheckSame(ReadFed<Record>(file, options,
                            [&] { return 1 + random.Below(static_cast<uint32_t>(largest)); }),
            read);
  if (file.size() < 1000) CheckSame(ReadFed<Record>(file, options, [] { return size_t{1}; }), read);
}

template <class Record>
ReadResult ReadAll(Bytes file, const trace::ReaderOptions& options) {
  ReadResult result;
  Result<trace::Reader> reader = trace::Reader::FromBytes(file, result.findings, options);
  result.status = reader.status();
  if (!reader.ok()) return result;
  Record event;
  while (reader->Next(event))
    Take(event, result);
  CHECK_FALSE(reader->Next(event));  // the end stays the end
  result.truncated = reader->truncated();
  result.incomplete = reader->incomplete();
  return result;
}

template <class Record>
ReadResult Read(Bytes file, const trace::ReaderOptions& options) {
  const ReadResult result = ReadAll<Record>(file, options);
  // A limit counts the buffers of the one that is fed, too.
  if (options.max_memory == trace::ReaderOptions().max_memory)
    CheckFed<Record>(file, options, result);
  return result;
}

}  // namespace

ReadResult FeedTrace(Bytes file, const std::function<size_t()>& next_size,
                     const trace::ReaderOptions& options) {
  return ReadFed<trace::EventRecord>(file, options, next_size);
}

std::vector<uint8_t> WriteTrace(const std::vector<trace::Event>& events,
                                const trace::WriterOptions& options) {
  std::vector<uint8_t> file;
  trace::Writer writer(
      [&file](Bytes bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
        return OkStatus();
      },
      options);
  for (const trace::Event& event : events)
    REQUIRE(writer.Add(event).ok());
  REQUIRE(writer.Finish().ok());
  return file;
}

trace::Marker TextMarker(std::string_view text) {
  trace::Marker marker;
  marker.text = text;
  return marker;
}

ReadResult ReadTrace(Bytes file, const trace::ReaderOptions& options) {
  return Read<trace::RawEvent>(file, options);
}
ReadResult ReadRecords(Bytes file, const trace::ReaderOptions& options) {
  return Read<trace::EventRecord>(file, options);
}

size_t CountOf(const DiagnosticList& findings, Rule rule) {
  return static_cast<size_t>(std::ranges::count(findings.items(), rule, &Diagnostic::rule));
}

std::vector<uint8_t> WriteSizedEvents(const std::vector<size_t>& sizes,
                                      const trace::WriterOptions& options) {
  std::vector<trace::Event> events;
  std::vector<std::vector<uint8_t>> payloads(sizes.size());
  events.emplace_back(trace::Header{});
  for (size_t i = 0; i < sizes.size(); ++i) {
    payloads[i].resize(sizes[i]);
    for (size_t k = 0; k < sizes[i]; ++k)
      payloads[i][k] = static_cast<uint8_t>(i * 7 + k / 3);
    events.emplace_back(trace::Unknown{5000, trace::kEventOptional, payloads[i]});
  }
  return WriteTrace(events, options);
}

std::vector<uint8_t> WriteChunks(size_t count, size_t per_chunk, trace::Compression compression) {
  std::vector<size_t> sizes(count * per_chunk,
                            trace::kMinChunkSize / per_chunk - trace::kEventHeaderSize);
  sizes[0] -= 2 * trace::kEventHeaderSize;  // the header event shares the first chunk
  return WriteSizedEvents(sizes, {compression, 3, trace::kMinChunkSize});
}

std::vector<size_t> ChunkOffsets(Bytes file) {
  std::vector<size_t> offsets;
  size_t at = trace::kFileHeaderSize;
  while (const auto header = trace::ParseChunkHeader(file.subspan(std::min(at, file.size())))) {
    offsets.push_back(at);
    at += trace::kChunkHeaderSize + header->stored_size;
  }
  return offsets;
}

void EditHeader(std::vector<uint8_t>& file, size_t offset,
                const std::function<void(trace::ChunkHeader&)>& edit) {
  const std::span<uint8_t, trace::kChunkHeaderSize> bytes =
      std::span(file).subspan(offset).first<trace::kChunkHeaderSize>();
  std::optional<trace::ChunkHeader> header = trace::ParseChunkHeader(bytes);
  REQUIRE(header.has_value());
  edit(*header);
  trace::EncodeChunkHeader(*header, bytes);
}

void FixDataHash(std::vector<uint8_t>& file, size_t offset) {
  EditHeader(file, offset, [&](trace::ChunkHeader& header) {
    header.data_hash =
        Xxh3_64(Bytes(file).subspan(offset + trace::kChunkHeaderSize, header.stored_size));
  });
}

}  // namespace dp2trace::testing
