#include "lint_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/near_miss.h"
#include "console.h"

namespace dp2trace::app {
namespace {

bool IsFormat(std::string_view name) { return std::ranges::find(report::kFindingFormats, name) != std::end(report::kFindingFormats); }

// The runner made the file; other steps may have written to it.
Status Append(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "ab");
  const bool is_written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  const bool is_closed = file != nullptr && std::fclose(file) == 0;
  if (is_written && is_closed) return OkStatus();
  return Status(MakeDiagnostic(Rule::kIo001, fmt::format("cannot write {}: {}", path, std::strerror(is_written ? errno : error))));
}

}  // namespace

bool LintOutputs::Parse(const std::string& format, const std::vector<std::string>& outputs) {
  const auto add = [this](const std::string& name, const std::string& path, bool is_appended) {
    auto output = std::make_unique<Output>();
    output->format = name;
    output->path = path;
    output->is_appended = is_appended;
    outputs_.push_back(std::move(output));
  };
  add(format, "", false);
  for (const std::string& text : outputs) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == text.size() || text.substr(equals + 1) == "-") {
      PrintError(fmt::format("--output: '{}' is not FORMAT=PATH; --format chooses what goes to standard output", text));
      return false;
    }
    if (!IsFormat(name)) {
      PrintError(fmt::format("--output: '{}' is no format{}", name, NearMissClause(name, report::kFindingFormats)));
      return false;
    }
    add(name, text.substr(equals + 1), false);
  }
  const bool is_for_github = std::ranges::any_of(outputs_, [](const auto& output) { return output->format == "github"; });
  const char* const summary = std::getenv("GITHUB_STEP_SUMMARY");  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  if (is_for_github && summary != nullptr && *summary != '\0') add("github-summary", summary, true);
  return true;
}

Status LintOutputs::Open(Output& output, const report::WriterOptions& options) {
  report::TextSink sink = WriteResult;
  if (output.is_appended) {
    sink = [&output](std::string_view text) {
      output.text += text;
      return OkStatus();
    };
  } else if (!output.path.empty()) {
    Result<OutputFile> file = OutputFile::Create(output.path);
    if (!file.ok()) return file.status();
    output.file = std::make_unique<OutputFile>(std::move(*file));
    sink = [&output](std::string_view text) { return output.file->Write(text); };
  }
  output.writer = report::MakeFindingWriter(output.format, options, std::move(sink));
  return output.writer->Begin();
}

Status LintOutputs::Open(const report::WriterOptions& options) {
  for (const auto& output : outputs_) DP2TRACE_RETURN_IF_ERROR(Open(*output, options));
  return OkStatus();
}

Status LintOutputs::Add(const report::FileFindings& file) {
  for (const auto& output : outputs_) DP2TRACE_RETURN_IF_ERROR(output->writer->Add(file));
  return OkStatus();
}

Status LintOutputs::Finish(const report::Outcome& outcome) {
  for (const auto& output : outputs_) DP2TRACE_RETURN_IF_ERROR(output->writer->Finish(outcome));
  for (const auto& output : outputs_) {
    if (output->file) DP2TRACE_RETURN_IF_ERROR(output->file->Commit());
    if (output->is_appended) DP2TRACE_RETURN_IF_ERROR(Append(output->path, output->text));
  }
  return FinishResult();
}

}  // namespace dp2trace::app
