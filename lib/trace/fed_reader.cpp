#include "trace/fed_reader.h"

#include <optional>

#include "trace/event_reader.h"

namespace dp2trace::trace {

FedReader::FedReader(DiagnosticList& findings, const ReaderOptions& options)
    : events_(std::make_unique<EventReader>(InputWindow::Fed(), findings, options)) {}
FedReader::~FedReader() = default;
FedReader::FedReader(FedReader&&) noexcept = default;
FedReader& FedReader::operator=(FedReader&&) noexcept = default;

void FedReader::Feed(Bytes bytes) {
  if (status_.ok()) events_->window().Feed(bytes);
}

void FedReader::Close() {
  events_->window().Close();
}

// Reads the file header as soon as it is there.
bool FedReader::Open() {
  if (is_open_ || !status_.ok()) return is_open_;
  const std::optional<Status> opened = events_->Open();
  if (!opened) return false;
  is_open_ = opened->ok();
  status_ = *opened;
  return is_open_;
}

bool FedReader::Next(RawEvent& event) {
  return Open() && events_->Next(event);
}

bool FedReader::Next(EventRecord& record) {
  return Open() && events_->Next(record);
}

const Status& FedReader::status() const {
  return status_;
}
bool FedReader::ended() const {
  return !status_.ok() || events_->chunks().at_end();
}
Version FedReader::version() const {
  return events_->chunks().version();
}
bool FedReader::truncated() const {
  return events_->chunks().truncated();
}
bool FedReader::incomplete() const {
  return events_->chunks().incomplete();
}
uint64_t FedReader::position() const {
  return events_->chunks().window().position();
}

}  // namespace dp2trace::trace
