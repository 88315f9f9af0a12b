// Findings as JSON, whole (one object) or line by line (each finding an object, the summary the last line).
#include <fmt/format.h>

#include <utility>

#include "json/output.h"
#include "lint/finding_json.h"
#include "rules/rule_info.h"
#include "text/finding.h"
#include "text/value.h"

namespace dp2trace::lint {
namespace {

std::string SummaryMembers(const Outcome& outcome) {
  return fmt::format(
      "\"errors\":{},\"warnings\":{},\"advice\":{},\"not_listed\":{},\"accepted\":{},\"files\":{},\"unread_files\":{}",
      outcome.count(Severity::kError), outcome.count(Severity::kWarning),
      outcome.count(Severity::kAdvice), outcome.unlisted, outcome.accepted, outcome.files,
      outcome.unread);
}

std::string UnlistedMembers(const std::string& file, Rule rule, uint64_t count) {
  std::string out = "\"file\":";
  text::AppendQuoted(out, file);
  return out + fmt::format(",\"rule\":\"{}\",\"count\":{}", Info(rule).id, count);
}

// Why a file could not be read to its end, as an object.
std::string ErrorOf(const FileFindings& file) {
  std::string out = "{";
  text::AppendFindingMembers(out, file.file, *file.failure);
  return out + "}";
}

class JsonWriter final : public FindingWriter {
 public:
  explicit JsonWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin() override { return sink_(json::OutputHead("lint") + ",\"findings\":["); }

  Status Add(const FileFindings& file) override {
    for (const ListedFinding& listed : file.findings) {
      std::string line = count_++ == 0 ? "\n{" : ",\n{";
      AppendListedFinding(line, file.file, listed);
      DP2TRACE_RETURN_IF_ERROR(sink_(line + "}"));
    }
    if (file.failure) errors_.push_back(ErrorOf(file));
    for (const auto& [rule, count] : file.unlisted) {
      unlisted_ += fmt::format("{}\n{{{}}}", unlisted_.empty() ? "" : ",",
                               UnlistedMembers(file.file, rule, count));
    }
    return OkStatus();
  }

  Status Finish(const Outcome& outcome) override {
    return sink_(fmt::format("{}],\"not_listed\":[{}{}],\"summary\":{{{}}}",
                             count_ == 0 ? "" : "\n", unlisted_, unlisted_.empty() ? "" : "\n",
                             SummaryMembers(outcome)) +
                 json::OutputEnd(errors_));
  }

 private:
  TextSink sink_;
  uint64_t count_ = 0;
  std::string unlisted_;
  std::vector<std::string> errors_;
};

class JsonLinesWriter final : public FindingWriter {
 public:
  explicit JsonLinesWriter(TextSink sink) : sink_(std::move(sink)) {}

  Status Begin() override {
    return sink_(json::OutputHead("lint-lines") + ",\"type\":\"head\"}\n");
  }

  Status Add(const FileFindings& file) override {
    for (const ListedFinding& listed : file.findings) {
      std::string line = "{\"type\":\"finding\",";
      AppendListedFinding(line, file.file, listed);
      DP2TRACE_RETURN_IF_ERROR(sink_(line + "}\n"));
    }
    if (file.failure)
      DP2TRACE_RETURN_IF_ERROR(sink_("{\"type\":\"error\"," + ErrorOf(file).substr(1) + "\n"));
    for (const auto& [rule, count] : file.unlisted) {
      DP2TRACE_RETURN_IF_ERROR(sink_(fmt::format("{{\"type\":\"not_listed\",{}}}\n",
                                                 UnlistedMembers(file.file, rule, count))));
    }
    return OkStatus();
  }

  Status Finish(const Outcome& outcome) override {
    return sink_(fmt::format("{{\"type\":\"summary\",{}}}\n", SummaryMembers(outcome)));
  }

 private:
  TextSink sink_;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeJsonWriter(const WriterOptions&, TextSink sink) {
  return std::make_unique<JsonWriter>(std::move(sink));
}

std::unique_ptr<FindingWriter> MakeJsonLinesWriter(const WriterOptions&, TextSink sink) {
  return std::make_unique<JsonLinesWriter>(std::move(sink));
}

}  // namespace dp2trace::lint
