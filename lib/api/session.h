// A trace that is fed, checked and drawn: what comes after dp2trace.h.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "replay/replayer.h"
#include "trace/fed_reader.h"
#include "verify/recording_checks.h"

namespace dp2trace::api {

struct SessionOptions {
  trace::ReaderOptions reader;
  replay::Options replay;
  // What `dp2trace verify` says of a recording, too.
  std::optional<verify::CheckOptions> checks;
};

class Session {
 public:
  explicit Session(const SessionOptions& options);

  // Takes the next bytes and executes what is whole. Fails when they are no trace.
  Status Feed(Bytes bytes);
  // Executes a call that waits for its result without it.
  Status Settle();
  // Nothing follows.
  Status Finish();
  bool is_finished() const { return is_finished_; }
  // The bytes are no trace.
  bool has_refused_input() const { return !reader_.status().ok(); }

  // The oldest finding that was not taken yet.
  std::optional<Diagnostic> TakeFinding();
  // All findings of the severity, taken or not.
  uint64_t CountOf(Severity severity) const { return findings_.count(severity); }
  // Findings that were not kept: too many waited.
  uint64_t unlisted() const { return findings_.dropped(); }

  const replay::Statistics& statistics() const { return replayer_.statistics(); }
  const device::Device& device() const { return replayer_.device(); }
  // False where nothing is drawn.
  bool keeps_pixels() const { return keeps_pixels_; }

 private:
  class NoImages final : public replay::ImageSink {
    Status OnImage(const replay::ImageInfo&, const image::Picture&) override { return OkStatus(); }
  };

  Status Drain();
  Status Take(const trace::EventRecord& record);
  Status Execute(const trace::EventRecord& record);

  NoImages images_;
  DiagnosticList findings_;
  std::deque<Diagnostic> waiting_;  // findings that were moved out of findings_
  trace::FedReader reader_;
  std::optional<verify::RecordingChecks> checks_;
  replay::Replayer replayer_;
  // A call whose result may be the next event, with bytes of its own.
  std::optional<trace::EventRecord> held_;
  std::vector<uint8_t> held_payload_;
  uint64_t session_ = 0;  // number of the last header
  bool keeps_pixels_;
  bool is_finished_ = false;
};

}  // namespace dp2trace::api
