#include "lint/finding_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/plain_text.h"

namespace dp2trace::lint {
namespace {

constexpr FindingForm kForms[] = {
#define DP2TRACE_FINDING_FORM(name, make, is_for_files_only) {name, make, is_for_files_only},
#include "lint/forms.def"
};

}  // namespace

std::span<const FindingForm> FindingForms() {
  return kForms;
}

std::unique_ptr<FindingWriter> MakeFindingWriter(std::string_view format,
                                                 const WriterOptions& options, TextSink sink) {
  const auto* const form = std::ranges::find(kForms, format, &FindingForm::name);
  return form == std::end(kForms) ? nullptr : form->make(options, std::move(sink));
}

std::string CountsInWords(const SeverityCounts& counts, std::string_view kind) {
  std::string words;
  const auto add = [&words, kind](uint64_t count, std::string_view one, std::string_view many) {
    if (count != 0)
      words +=
          fmt::format("{}{} {}{}", words.empty() ? "" : ", ", count, kind, count == 1 ? one : many);
  };
  add(counts[static_cast<size_t>(Severity::kError)], "error", "errors");
  add(counts[static_cast<size_t>(Severity::kWarning)], "warning", "warnings");
  add(counts[static_cast<size_t>(Severity::kAdvice)], "advice", "advice");
  return words.empty() ? "no findings" : words;
}

std::string OutcomeInWords(const Outcome& outcome) {
  const bool has_findings = outcome.counts != SeverityCounts{};
  std::string words = Counted(outcome.files, "file") + ": ";
  if (outcome.unread == 0) return words + CountsInWords(outcome.counts);
  const std::string_view ends = outcome.unread == 1 ? "its end" : "their ends";
  if (!has_findings && outcome.unread == outcome.files)
    return words + fmt::format("not read to {}", ends);
  words += has_findings ? CountsInWords(outcome.counts) : "no findings in what was read";
  return words + fmt::format(", {} not read to {}", outcome.unread, ends);
}

}  // namespace dp2trace::lint
