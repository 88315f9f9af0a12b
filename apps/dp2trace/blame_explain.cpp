#include "blame_explain.h"

#include <optional>
#include <string>
#include <string_view>

#include "blame/follow.h"
#include "blame/levels.h"
#include "blame/report.h"
#include "blame_pictures.h"
#include "console.h"
#include "history_frame.h"
#include "sandbox_option.h"
#include "work.h"

namespace dp2trace::app {
namespace {

class Explainer {
 public:
  Explainer(const BlameVerb& options, const Suspect& suspect)
      : options_(options), suspect_(suspect) {}

  ExitCode Run() {
    // The commands of the user have run: they would not in the sandbox.
    if (!options_.run.empty()) Confine(options_.is_sandboxed, {.traces = {options_.trace}});
    const Result<blame::Frame> recorded = blame::RecordFrame(
        {.last_draw = suspect_.draw, .play = options_.play}, suspect_.span, Feed());
    if (!is_readable_) return code_;
    if (!recorded.ok()) return Fail(options_.trace, recorded.status());
    const blame::Frame& frame = *recorded;
    if (!frame.absence.empty()) {
      PrintError(frame.absence);
      return Absent(code_);
    }
    const PictureName name = {frame.number, suspect_.draw, suspect_.span.read};
    const Result<Likeness> likeness =
        CompareWith(options_, frame.picture, suspect_.picture, TextOf(name));
    if (!likeness.ok()) return Fail(options_.against, likeness.status());
    if (*likeness == Likeness::kNotCompared) {
      PrintError("nothing was compared: the region is outside of the picture");
      return Worse(code_, ExitCode::kNothingToDo);
    }
    blame::Blame found = blame::FindBlame(frame, suspect_.picture, options_.loose);
    if (const Status status = LookCloser(frame, found); !status.ok())
      return Fail(options_.trace, status);
    const std::string text = options_.json ? blame::ReportJson(frame, found, suspect_.search)
                                           : blame::ReportText(frame, found, suspect_.search);
    code_ = Worse(code_, ReportOutput(WriteResult(text)));
    return *likeness == Likeness::kDifferent ? Worse(code_, ExitCode::kFindings) : code_;
  }

 private:
  ExitCode Fail(std::string_view file, const Status& status) {
    return Worse(code_, ReportFailure(file, status));
  }

  // Reports what the reader finds once, though several frames are recorded.
  blame::Feeding Feed() {
    return [this](play::Player& player) {
      Status status;
      is_readable_ = PlayTrace({options_.trace, options_.max_memory, "blame", reports_reading_},
                               player, status, code_);
      reports_reading_ = false;
      return status;
    };
  }

  // What takes the trace another time.
  Status LookCloser(const blame::Frame& frame, blame::Blame& found) {
    if (found.wrong_draws.empty()) return OkStatus();
    if (suspect_.search.last_right_frame != 0) {
      history::FrameSpan span;
      if (FindFrame(options_.trace, suspect_.search.last_right_frame, options_.max_memory,
                    options_.play.validation, span) == ExitCode::kOk) {
        const Result<blame::Frame> right =
            blame::RecordFrame({.play = options_.play}, span, Feed());
        if (!right.ok()) return right.status();
        found.changes = blame::FindChanges(*right, frame, found.wrong_draws);
      }
    }
    Result<std::optional<blame::BlamedLevel>> level = blame::FindLevel(
        frame, found, suspect_.picture, options_.loose, suspect_.span, options_.play, Feed());
    if (!level.ok()) return level.status();
    found.level = *level;
    return OkStatus();
  }

  const BlameVerb& options_;
  const Suspect& suspect_;
  ExitCode code_ = ExitCode::kOk;
  bool is_readable_ = true;
  bool reports_reading_ = true;
};

}  // namespace

ExitCode Explain(const BlameVerb& options, const Suspect& suspect) {
  return Explainer(options, suspect).Run();
}

}  // namespace dp2trace::app
