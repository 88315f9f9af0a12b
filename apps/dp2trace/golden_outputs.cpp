#include "golden_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "console.h"

namespace dp2trace::app {
namespace {

bool IsFormat(std::string_view name) { return std::ranges::find(report::kGoldenFormats, name) != std::end(report::kGoldenFormats); }

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

void GoldenOutputs::AddOutput(const std::string& format, const std::string& path, bool is_appended) {
  auto output = std::make_unique<Output>();
  output->format = format;
  output->path = path;
  output->is_appended = is_appended;
  outputs_.push_back(std::move(output));
}

bool GoldenOutputs::Parse(const std::vector<std::string>& outputs) {
  for (const std::string& text : outputs) {
    const size_t equals = text.find('=');
    const std::string format = text.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == text.size()) {
      PrintError(fmt::format("--output: '{}' is not FORMAT=PATH", text));
      return false;
    }
    if (!IsFormat(format)) {
      PrintError(fmt::format("--output: '{}' is no format; there are {}", format, fmt::join(report::kGoldenFormats, ", ")));
      return false;
    }
    AddOutput(format, text.substr(equals + 1), false);
  }
  const bool is_for_github = std::ranges::any_of(outputs_, [](const auto& output) { return output->format == "github"; });
  const char* const summary = std::getenv("GITHUB_STEP_SUMMARY");  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  if (is_for_github && summary != nullptr && *summary != '\0') AddOutput("github-summary", summary, true);
  return true;
}

Status GoldenOutputs::Begin(const report::GoldenRunInfo& run) {
  for (const auto& output : outputs_) {
    report::TextSink sink = [text = &output->text](std::string_view piece) {
      *text += piece;
      return OkStatus();
    };
    if (!output->is_appended) {
      Result<OutputFile> file = OutputFile::Create(output->path);
      if (!file.ok()) return file.status();
      output->file = std::make_unique<OutputFile>(std::move(*file));
      sink = [to = output->file.get()](std::string_view piece) { return to->Write(piece); };
    }
    output->writer = report::MakeGoldenWriter(output->format, std::move(sink));
    DP2TRACE_RETURN_IF_ERROR(output->writer->Begin(run));
  }
  return OkStatus();
}

Status GoldenOutputs::Add(const report::TraceResult& result) {
  for (const auto& output : outputs_) DP2TRACE_RETURN_IF_ERROR(output->writer->Add(result));
  return OkStatus();
}

Status GoldenOutputs::Finish() {
  for (const auto& output : outputs_) DP2TRACE_RETURN_IF_ERROR(output->writer->Finish());
  for (const auto& output : outputs_) {
    DP2TRACE_RETURN_IF_ERROR(output->is_appended ? Append(output->path, output->text) : output->file->Commit());
  }
  return OkStatus();
}

}  // namespace dp2trace::app
