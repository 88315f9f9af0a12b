// Reads the binary container from bytes that come in pieces of any size: the same events and findings as of Reader, as soon as the
// bytes of their chunk are there.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "base/status.h"
#include "trace/container.h"
#include "trace/events.h"
#include "trace/reader.h"

namespace dp2trace::trace {

// A trace that is handed over front to back. Findings (TRACE-*) go to the list that was given, which outlives the reader.
//
//   reader.Feed(bytes);
//   while (reader.Next(record)) ...
//   if (!reader.status().ok()) ...  // no container
class FedReader {
 public:
  explicit FedReader(DiagnosticList& findings, const ReaderOptions& options = {});
  ~FedReader();
  FedReader(FedReader&&) noexcept;
  FedReader& operator=(FedReader&&) noexcept;

  // The next bytes of the trace. They live until Next() returned false; what is not needed by then was copied, at most
  // `max_memory` bytes. Ends the life of an event.
  void Feed(Bytes bytes);
  // Nothing follows: Next() delivers what can be had of a chunk that was cut off, and the findings about the end.
  void Close();

  // Fetches the next event, which lives until the next call of Next() or Feed(). False where more bytes are needed, at the end, and
  // where status() failed.
  bool Next(RawEvent& event);
  bool Next(EventRecord& record);
  // Failed when the bytes are no container, or one of a higher major version: nothing is delivered then. Text may stand before a container:
  // that it is none is known after 16 MiB, or at Close(). A file of a known kind fails at once.
  const Status& status() const;
  // Nothing comes any more: Close() was called and Next() returned false.
  bool ended() const;

  // As of Reader.
  Version version() const;
  bool truncated() const;
  bool incomplete() const;
  // Bytes that have been consumed.
  uint64_t position() const;

 private:
  bool Open();

  std::unique_ptr<EventReader> events_;
  bool is_open_ = false;
  Status status_;
};

}  // namespace dp2trace::trace
