// The findings of a lint in the forms that people and continuous integration read: one file of this folder per form.
// Source: lib/design.md 7.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "base/text_sink.h"

namespace dp2trace::lint {

struct ListedFinding {
  Diagnostic finding;
  std::string fingerprint;
  // The reason, possibly empty, where the baseline accepts it: it is listed where the form has a place for that, and never counted.
  std::optional<std::string> accepted;
};

using SeverityCounts = std::array<uint64_t, kSeverityCount>;

struct FileFindings {
  std::string file;
  std::vector<ListedFinding> findings;
  SeverityCounts counts = {};         // of all that are not accepted, listed or not
  std::map<Rule, uint64_t> unlisted;  // beyond the limits, by rule
  uint64_t accepted = 0;
  std::optional<Diagnostic> failure;  // why the file could not be read to its end

  uint64_t count(Severity severity) const { return counts[static_cast<size_t>(severity)]; }
};

// What is known when all files are done.
struct Outcome {
  SeverityCounts counts = {};
  uint64_t unlisted = 0;
  uint64_t accepted = 0;
  uint64_t disabled = 0;  // findings of rules that the user switched off
  uint64_t files = 0;
  uint64_t unread = 0;  // of these: those that could not be read to their ends
  int exit_code = 0;

  uint64_t count(Severity severity) const { return counts[static_cast<size_t>(severity)]; }
};

struct WriterOptions {
  std::string version;                                 // of the program
  std::optional<Severity> fail_on = Severity::kError;  // what makes a test fail; none: nothing
  bool has_color = false;                              // escape sequences of a terminal in text
  bool lists_all = false;                              // text tells what repeats each time
  bool dumps_all = false;                              // and shows bytes of which none is wrong
};

// What standard input is called in findings.
inline constexpr std::string_view kStandardInputName = "<stdin>";

// Begin, Add for each file, Finish: all in order, each once. Fails only where the sink does.
class FindingWriter {
 public:
  virtual ~FindingWriter() = default;
  virtual Status Begin() { return OkStatus(); }
  virtual Status Add(const FileFindings& file) = 0;
  virtual Status Finish(const Outcome&) { return OkStatus(); }
};

// One for each form.
#define DP2TRACE_FINDING_FORM(name, make, is_for_files_only) \
  std::unique_ptr<FindingWriter> make(const WriterOptions& options, TextSink sink);
#include "lint/forms.def"

struct FindingForm {
  std::string_view name;
  std::unique_ptr<FindingWriter> (*make)(const WriterOptions& options, TextSink sink);
  bool is_for_files_only = false;
};
// All forms, those for files only last.
std::span<const FindingForm> FindingForms();
// By name; null for any other.
std::unique_ptr<FindingWriter> MakeFindingWriter(std::string_view format,
                                                 const WriterOptions& options, TextSink sink);

// The findings that count, of a severity, in words: "1 error, 2 warnings"; "no findings". `kind` is "" or "more ": "2 more warnings".
std::string CountsInWords(const SeverityCounts& counts, std::string_view kind = "");
// The same of all files, with how many could not be read: "2 files: no findings in what was read, 1 not read to its end".
std::string OutcomeInWords(const Outcome& outcome);

}  // namespace dp2trace::lint
