// Reads the binary container as a stream of events, past whatever is damaged, unknown or cut off.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/status.h"
#include "trace/container.h"
#include "trace/events.h"
#include "trace/index.h"

namespace dp2trace::trace {

class EventReader;
class InputWindow;

struct ReaderOptions {
  uint64_t max_memory = uint64_t{1} << 30;  // bytes that the reader's buffers may take together
};

// One event as bytes. `payload` lives until the next call of Next() or SeekToEvent().
struct RawEvent {
  uint64_t number = 0;
  uint16_t kind = 0;
  uint16_t flags = 0;
  Bytes payload;
};

// One event, decoded; its views live as long as `payload`.
struct EventRecord {
  uint64_t number = 0;
  uint16_t kind = 0;
  uint16_t flags = 0;
  Bytes payload;
  Event event;
};

// A trace that is read front to back. Findings (TRACE-*) go to the list that was given on opening; it outlives the reader.
// Unknown events are delivered, as Unknown: whoever copies a trace keeps them, everyone else passes over them.
class Reader {
 public:
  // Opens a file; "-" is standard input. Fails when it cannot be opened, is not a container, or is of a higher major version.
  static Result<Reader> Open(const std::string& path, DiagnosticList& findings,
                             const ReaderOptions& options = {});
  static Result<Reader> Open(InputFile input, DiagnosticList& findings,
                             const ReaderOptions& options = {});
  // Reads from memory, which outlives the reader and every event.
  static Result<Reader> FromBytes(Bytes file, DiagnosticList& findings,
                                  const ReaderOptions& options = {});
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  // Fetches the next event; false at the end.
  bool Next(RawEvent& event);
  bool Next(EventRecord& event);

  // Moves so that Next() returns event `number`, or the first one after it when that one is lost. False when the input is not
  // seekable. With an index it jumps, without one it reads from the start. Nothing is reported twice.
  bool SeekToEvent(uint64_t number);
  // The index, where the input is seekable and the index whole; loaded on the first call, which keeps the reading position.
  const TraceIndex* Index();

  Version version() const;
  // The file ends before its footer.
  bool truncated() const;
  // Something was cut off, damaged or beyond the memory limit: not every event was delivered as it was written (exit code 3).
  bool incomplete() const;
  // The first failure of the system to read the input, where the trace then seems to end.
  const Status& status() const;
  // Bytes of the input that have been consumed, and the size of the input (0 = not known): for a progress display.
  uint64_t position() const;
  uint64_t size() const;

 private:
  static Result<Reader> Start(InputWindow window, DiagnosticList& findings,
                              const ReaderOptions& options);
  explicit Reader(std::unique_ptr<EventReader> events);
  std::unique_ptr<EventReader> events_;
};

}  // namespace dp2trace::trace
