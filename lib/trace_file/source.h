// A trace as a stream of events, whichever form the file has.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "trace/reader.h"
#include "trace_file/form.h"

namespace dp2trace::trace_file {

struct OpenError {
  Status status;
  bool is_usage = false;  // the file may be a trace, its name says neither form
};

class Source {
 public:
  // Opens a trace by the extension of its path; "-" is standard input, known by its first byte. Findings while reading go to
  // `findings`, which outlives the source. Null, and `error` set, when the trace cannot be opened.
  static std::unique_ptr<Source> Open(const std::string& path, uint64_t max_memory,
                                      DiagnosticList& findings, OpenError& error);
  virtual ~Source() = default;

  // The next event; it lives until the next call. Its payload is that of the container, and empty in JSON: see PayloadOf(). False at
  // the end, or where reading must stop.
  virtual bool Next(trace::EventRecord& record) = 0;

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
  // Bytes consumed, and bytes in all (0 = not known).
  virtual uint64_t position() const = 0;
  virtual uint64_t size() const = 0;
};

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

// The same trace for readers that execute it: calls carry the results that were recorded behind them (trace::ResultJoiner).
std::unique_ptr<Source> WithResults(std::unique_ptr<Source> source);

}  // namespace dp2trace::trace_file
