#include "trace_file/log_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plain_text.h"
#include "json/base64.h"
#include "rules/rule.h"

namespace dp2trace::trace_file {
namespace {

constexpr std::string_view kMark = "D2T:";
constexpr size_t kBlockSize = size_t{1} << 16;
// Of a line that is kept: longer than any that the recorder writes, with a prefix.
constexpr size_t kMaxLine = 4096;

bool IsBase64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/' || c == '=';
}

Status TooMuch(std::string_view what, const InputFile& file, uint64_t limit) {
  return Status(MakeDiagnostic(
      Rule::kTrace018, fmt::format("{} of {} holds more than {}, what --max-memory allows", what,
                                   file.path(), Counted(limit, "byte"))));
}

Status AddFile(InputFile& file, uint64_t limit, LogLines& lines) {
  std::vector<uint8_t> block(kBlockSize);
  for (;;) {
    const Result<size_t> count = file.Read(block);
    if (!count.ok()) return count.status();
    if (*count == 0) return file.Seek(0);
    lines.Add(Bytes(block).first(*count));
    if (lines.bytes().size() > limit) return TooMuch("the trace in the lines D2T:", file, limit);
  }
}

Status AddAhead(InputFile& file, uint64_t limit, LogLines& lines) {
  size_t size = kBlockSize;
  for (;; size *= 2) {
    const Result<Bytes> text = file.Peek(size);
    if (!text.ok()) return text.status();
    if (text->size() > limit) return TooMuch("the log", file, limit);
    if (text->size() == size) continue;
    lines.Add(*text);
    return OkStatus();
  }
}

}  // namespace

void LogLines::Add(Bytes text) {
  for (const uint8_t byte : text) {
    if (byte == '\n' || byte == '\r') {
      EndLine();
    } else if (byte != 0 && line_.size() < kMaxLine) {
      line_ += static_cast<char>(byte);
    }
  }
}

void LogLines::EndLine() {
  const size_t mark = line_.find(kMark);
  if (mark != std::string::npos) {
    const std::string_view rest = std::string_view(line_).substr(mark + kMark.size());
    const auto end = std::ranges::find_if_not(rest, IsBase64);
    const std::string_view text = rest.substr(0, static_cast<size_t>(end - rest.begin()));
    const size_t before = bytes_.size();
    bytes_.resize(before + json::MaxDecodedBase64Size(text.size()));
    size_t count = 0;
    const bool is_decoded = json::DecodeBase64(text, bytes_.data() + before, count);
    bytes_.resize(before + (is_decoded ? count : 0));
    is_log_ = is_log_ || (is_decoded && count != 0);
  }
  line_.clear();
}

Result<std::optional<std::vector<uint8_t>>> ReadLog(InputFile& file, uint64_t limit) {
  LogLines lines;
  DP2TRACE_RETURN_IF_ERROR(file.seekable() ? AddFile(file, limit, lines)
                                           : AddAhead(file, limit, lines));
  lines.Finish();
  if (!lines.is_log()) return std::optional<std::vector<uint8_t>>();
  return std::optional(std::move(lines.bytes()));
}

}  // namespace dp2trace::trace_file
