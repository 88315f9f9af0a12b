// Golden results for GitHub Actions: workflow commands that become annotations, and the page of Markdown that a step shows as its summary.
// Source: GitHub documentation, "Workflow commands for GitHub Actions": ten annotations of a step are shown.
#include <fmt/format.h>

#include <utility>

#include "base/plain_text.h"
#include "golden/result_writer.h"
#include "text/escape.h"

namespace dp2trace::golden {
namespace {

constexpr uint64_t kMaxAnnotations = 10;
constexpr uint64_t kMaxRows = 100;  // a summary may have a megabyte

class GoldenGithubWriter final : public GoldenWriter {
 public:
  explicit GoldenGithubWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin(const GoldenRunInfo& run) override {
    folder_ = run.folder;
    failures_ = CountFailures(run.counts);
    // The last annotation counts what the others leave out.
    room_ = failures_ > kMaxAnnotations ? kMaxAnnotations - 1 : kMaxAnnotations;
    return OkStatus();
  }

  Status Add(const TraceResult& result) override {
    if (!IsFailure(result.status) || written_ == room_) return OkStatus();
    ++written_;
    // A file that is not of the project cannot have an annotation.
    const std::string file =
        IsElsewhere(folder_)
            ? ""
            : fmt::format("file={},", text::EscapeCommand(folder_ + result.path, true));
    return sink_(fmt::format("::error {}title=golden {}::{}\n", file, Name(result.status),
                             text::EscapeCommand(result.path + ": " + result.message, false)));
  }

  Status Finish() override {
    return written_ == failures_ ? OkStatus()
                                 : sink_(fmt::format("::error title=golden::and {} more\n",
                                                     Counted(failures_ - written_, "trace")));
  }

 private:
  TextSink sink_;
  std::string folder_;
  uint64_t failures_ = 0;
  uint64_t room_ = 0;
  uint64_t written_ = 0;
};

class GoldenSummaryWriter final : public GoldenWriter {
 public:
  explicit GoldenSummaryWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin(const GoldenRunInfo& run) override {
    failures_ = CountFailures(run.counts);
    std::string page = fmt::format(
        "## Golden images: {}\n\n",
        failures_ == 0 ? "all as expected"
                       : Counted(failures_, "trace") + (failures_ == 1 ? " fails" : " fail"));
    if (run.head.shard.count != 1) page += fmt::format("Shard {} only.\n\n", Name(run.head.shard));
    page += "| status | traces |\n| --- | ---: |\n";
    for (size_t i = 0; i < kGoldenStatusCount; ++i) {
      if (run.counts[i] != 0)
        page += fmt::format("| {} | {} |\n", Name(static_cast<GoldenStatus>(i)), run.counts[i]);
    }
    if (failures_ != 0) page += "\n| trace | status | what |\n| --- | --- | --- |\n";
    return sink_(page);
  }

  Status Add(const TraceResult& result) override {
    if (!IsFailure(result.status) || written_ == kMaxRows) return OkStatus();
    ++written_;
    return sink_(fmt::format("| {} | {} | {} |\n", text::EscapeCell(result.path),
                             Name(result.status), text::EscapeCell(result.message)));
  }

  Status Finish() override {
    return written_ == failures_
               ? OkStatus()
               : sink_(fmt::format("\nand {} more.\n", Counted(failures_ - written_, "trace")));
  }

 private:
  TextSink sink_;
  uint64_t failures_ = 0;
  uint64_t written_ = 0;
};

}  // namespace

std::unique_ptr<GoldenWriter> MakeGoldenGithubWriter(TextSink sink) {
  return std::make_unique<GoldenGithubWriter>(std::move(sink));
}

std::unique_ptr<GoldenWriter> MakeGoldenGithubSummaryWriter(TextSink sink) {
  return std::make_unique<GoldenSummaryWriter>(std::move(sink));
}

}  // namespace dp2trace::golden
