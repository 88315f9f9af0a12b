// A trace as a stream of events, whichever form the file has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/file_measure.h"
#include "base/status.h"
#include "trace/reader.h"
#include "trace_file/form.h"

namespace dp2trace::trace_file {

// What a program may take, --max-memory, is that of all copies that it makes of an event: bytes, values, text, what is changed in it. The
// reader gets one share.
inline constexpr uint64_t kMemoryShares = 10;

// What all events of a trace may hold whose file has so many bytes: a program keeps some of each of them, and works on all. A quarter of its
// memory for each megabyte of the file.
constexpr uint64_t ContentBytesFor(uint64_t max_memory, std::optional<uint64_t> file_bytes) {
  return ForEachMegabyte(std::max<uint64_t>(max_memory / 4, 1), file_bytes);
}
// An event counts as so many bytes more than it holds; each byte of its commands as so many.
inline constexpr uint64_t kEventContent = 64;
inline constexpr uint64_t kCommandByteContent = 8;

struct OpenError {
  Status status;
  bool is_usage = false;  // the file may be a trace, its name says neither form
};

class Source {
 public:
  // Opens a trace, in the form that FormOf() says, or out of the lines of a log (log_input.h); "-" is standard input. `max_memory` is that of the program
  // (kMemoryShares, ContentBytesFor()). Findings while reading go to `findings`, which outlives the source. Null, and `error` set, when the trace cannot be opened.
  static std::unique_ptr<Source> Open(const std::string& path, uint64_t max_memory,
                                      DiagnosticList& findings, OpenError& error);
  virtual ~Source() = default;

  // The next event; it lives until the next call. Its payload is that of the container, and empty in JSON: see PayloadOf(). False at
  // the end, or where reading must stop.
  virtual bool Next(trace::EventRecord& record) = 0;
  // Moves so that Next() delivers event `number`, or the first one after it that is there; before the first Next(). `session` is the number of
  // the last header before it. Where the input has no index, it is read up to there.
  virtual void SkipTo(uint64_t number, uint64_t session);

  // The place in the text of what a finding about the last event names by its path. Nothing in a container.
  virtual void Locate(Diagnostic&) const {}
  // Locate() of the last event, for when the source has gone on. Empty for a container.
  virtual std::function<void(Diagnostic&)> Hold() const { return {}; }

  virtual Form form() const = 0;
  // "1.0" of a container; empty for JSON.
  virtual std::string version() const = 0;
  // The input ends early.
  virtual bool is_truncated() const = 0;
  // Not every event could be read as it was written.
  virtual bool is_incomplete() const = 0;
  // The first failure to read the input, which seems to end there: nothing that was made of it may pass for the whole. What the input
  // itself lacks is not a failure.
  virtual Status status() const = 0;
  // Bytes of the last event: its payload, or in JSON its values.
  virtual uint64_t content() const { return 0; }
  // Bytes consumed, and bytes in all (0 = not known).
  virtual uint64_t position() const = 0;
  virtual uint64_t size() const = 0;
};

// Opens a trace again that has been read to its end before, with `known` as its findings; the list outlives the source. A finding beyond
// them is a failure: the file is no longer what it was. Null where it cannot be opened any more.
std::unique_ptr<Source> OpenAgain(const std::string& path, uint64_t max_memory,
                                  const DiagnosticList& known);

// The bytes of an event that a source delivered: those of the container, or encoded into `buffer`.
Bytes PayloadOf(const trace::EventRecord& record, std::vector<uint8_t>& buffer);

// Does work on the last event; the findings that it adds to the list get their places in the file. Returns what the work returns.
template <class Work>
auto Placed(const Source& source, DiagnosticList& findings, const Work& work) {
  const size_t first = findings.items().size();
  auto result = work();
  findings.ForEachFrom(first, [&source](Diagnostic& finding) { source.Locate(finding); });
  return result;
}

// The same trace for readers that execute it: calls carry the results that were recorded after them (trace::ResultJoiner).
std::unique_ptr<Source> WithResults(std::unique_ptr<Source> source);

}  // namespace dp2trace::trace_file
