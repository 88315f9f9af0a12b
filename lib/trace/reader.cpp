#include "trace/reader.h"

#include <utility>

#include "trace/event_reader.h"

namespace dp2trace::trace {

Result<Reader> Reader::Start(InputWindow window, DiagnosticList& findings,
                             const ReaderOptions& options) {
  auto events = std::make_unique<EventReader>(std::move(window), findings, options);
  const std::optional<Status> opened = events->Open();
  if (!opened->ok()) return *opened;
  return Reader(std::move(events));
}

Reader::Reader(std::unique_ptr<EventReader> events) : events_(std::move(events)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Result<Reader> Reader::Open(const std::string& path, DiagnosticList& findings,
                            const ReaderOptions& options) {
  Result<InputFile> input = InputFile::Open(path);
  if (!input.ok()) return input.status();
  return Open(std::move(*input), findings, options);
}

Result<Reader> Reader::Open(InputFile input, DiagnosticList& findings,
                            const ReaderOptions& options) {
  return Start(InputWindow(std::move(input)), findings, options);
}

Result<Reader> Reader::FromBytes(Bytes file, DiagnosticList& findings,
                                 const ReaderOptions& options) {
  return Start(InputWindow(file), findings, options);
}

bool Reader::Next(RawEvent& event) {
  return events_->Next(event);
}
bool Reader::Next(EventRecord& event) {
  return events_->Next(event);
}
bool Reader::SeekToEvent(uint64_t number) {
  return events_->SeekToEvent(number);
}
const TraceIndex* Reader::Index() {
  return events_->Index();
}
Version Reader::version() const {
  return events_->chunks().version();
}
bool Reader::truncated() const {
  return events_->chunks().truncated();
}
bool Reader::incomplete() const {
  return events_->chunks().incomplete();
}
const Status& Reader::status() const {
  return events_->chunks().window().status();
}
uint64_t Reader::position() const {
  return events_->chunks().window().position();
}
uint64_t Reader::size() const {
  return events_->chunks().window().size();
}

}  // namespace dp2trace::trace
