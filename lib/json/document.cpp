#include "json/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/plain_text.h"
#include "json/excerpt.h"
#include "json/locate.h"
#include "rules/rule.h"

namespace dp2trace::json {
namespace {

constexpr uint64_t kLargestText = UINT32_MAX;  // positions on the tape are 32 bits wide

}  // namespace

Document::Document(const DocumentLimits& limits)
    : limits_(limits), arena_(limits.max_memory), values_(tape_, arena_, options_) {}

Status Document::Parse(std::string text, uint64_t first_line, uint64_t first_offset) {
  text_ = std::move(text);
  first_line_ = first_line;
  first_offset_ = first_offset;
  arena_.Reset();
  values_ = Values(tape_, arena_, options_);
  if (text_.size() > std::min(limits_.max_memory, kLargestText)) {
    return Status(MakeDiagnostic(
        Rule::kJson014,
        fmt::format("the text has {} bytes, {} are allowed{}", text_.size(),
                    std::min(limits_.max_memory, kLargestText),
                    limits_.max_memory < kLargestText ? " by --max-memory" : ", a fixed limit")));
  }
  TapeError error;
  if (tape_.Parse(text_, limits_.max_depth, arena_, error)) return OkStatus();
  if (error.rule == Rule::kJson014) {
    error.message = fmt::format("the values need more memory than --max-memory allows ({})",
                                Counted(limits_.max_memory, "byte"));
  }
  Diagnostic finding = MakeDiagnostic(error.rule, std::move(error.message));
  finding.offset = error.position;
  if (error.rule == Rule::kJson001) {
    const size_t at = std::min(error.position, text_.size());
    const size_t line_end = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    finding.message +=
        fmt::format(" (column {})", line_end == std::string::npos ? at + 1 : at - line_end);
  }
  return Status(Placed(std::move(finding)));
}

Status Document::Read(const std::string& path) {
  const Result<std::vector<uint8_t>> bytes =
      ReadWholeFile(path, std::min(limits_.max_memory, kLargestText));
  if (!bytes.ok()) return bytes.status();
  return Parse(std::string(bytes->begin(), bytes->end()));
}

Status Document::status() const {
  if (values_.findings().empty()) return OkStatus();
  Diagnostic finding = values_.findings().front();
  finding.offset = FindPlace(tape_, text_, finding);
  return Status(Placed(std::move(finding)));
}

Status Document::Fail(const Node& node, Rule rule, std::string message) {
  values_.Fail(node, rule, std::move(message));
  return status();
}

Diagnostic Document::Placed(Diagnostic finding) const {
  const size_t offset =
      std::min<size_t>(static_cast<size_t>(finding.offset.value_or(0)), text_.size());
  finding.line =
      first_line_ + static_cast<uint64_t>(std::count(text_.data(), text_.data() + offset, '\n'));
  // Of the first line only the whole text knows the start.
  const size_t line_end = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
  if (line_end != std::string::npos) {
    finding.column = offset - line_end;
  } else if (first_offset_ == 0) {
    finding.column = offset + 1;
  }
  finding.offset = first_offset_ + offset;
  ExcerptLine(text_, offset, finding.excerpt);
  return finding;
}

}  // namespace dp2trace::json
