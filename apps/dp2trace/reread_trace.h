// A trace that a verb reads several times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "exit_code.h"
#include "history/frame_search.h"
#include "play/feed.h"
#include "trace_file/source.h"

namespace dp2trace::app {

// Prints why the trace cannot be read, where that is so, and shows how far it is.
class RereadTrace final : public play::Feed {
 public:
  RereadTrace(const std::string& path, uint64_t max_memory)
      : path_(path), max_memory_(max_memory) {}

  // Which plays that follow print what the reader finds. None do at first.
  enum class Reports { kNone, kNext, kAll };
  void Report(Reports reports) { reports_ = reports; }

  Status Read(const std::string& purpose,
              const std::function<bool(const trace::EventRecord&)>& visit) override;
  Status Play(const std::string& purpose, play::Player& player) override;

  // What was printed so far means so much.
  ExitCode code() const { return code_; }
  // Work on the trace failed, or on the other file: prints why, unless the trace could not be read, which was printed.
  ExitCode Fail(const Status& status) { return Fail(path_, status); }
  ExitCode Fail(std::string_view file, const Status& status);
  // Prints what is absent, after what the reader found where that may be why.
  ExitCode ReportAbsent(const history::FoundSpan& found);

 private:
  const std::string& path_;
  uint64_t max_memory_;
  Reports reports_ = Reports::kNone;
  ExitCode code_ = ExitCode::kOk;
  bool is_readable_ = true;
  // Of the last Read().
  DiagnosticList reading_;
  std::unique_ptr<trace_file::Source> source_;
};

// The events up to a read of the CPU, for verbs that read the trace another time. Not kOk, after a line that says why, where there is no such
// read.
ExitCode FindSpan(const std::string& trace, uint64_t max_memory, uint64_t read,
                  history::FrameSpan& span);

}  // namespace dp2trace::app
