#include "trace_file/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "json/reader.h"
#include "rules/rule.h"
#include "trace/call_results.h"
#include "trace/codec.h"
#include "trace/event_kind.h"
#include "trace/foreign_file.h"
#include "trace_file/text_input.h"

namespace dp2trace::trace_file {
namespace {

class BinarySource final : public Source {
 public:
  explicit BinarySource(trace::Reader reader) : reader_(std::move(reader)) {}

  bool Next(trace::EventRecord& record) override { return reader_.Next(record); }
  Form form() const override { return Form::kBinary; }
  std::string version() const override {
    return fmt::format("{}.{}", reader_.version().major, reader_.version().minor);
  }
  bool is_truncated() const override { return reader_.truncated(); }
  bool is_incomplete() const override { return reader_.incomplete(); }
  uint64_t position() const override { return reader_.position(); }
  uint64_t size() const override { return reader_.size(); }

 private:
  trace::Reader reader_;
};

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

class JsonSource final : public Source {
 public:
  JsonSource(std::unique_ptr<TextInput> input, const std::string& path, uint64_t max_memory,
             DiagnosticList& findings)
      : input_(std::move(input)),
        findings_(&findings),
        reader_([text = input_.get()](std::span<uint8_t> out) { return text->Read(out); },
                {FolderOf(path), max_memory}) {}

  bool Next(trace::EventRecord& record) override {
    if (is_incomplete_) return false;
    const uint64_t number = reader_.event_count();
    const Result<bool> next = reader_.Next(record.event);
    if (!next.ok()) {
      findings_->Add(next.status().diagnostic());
      is_incomplete_ = true;
      return false;
    }
    if (!*next) return false;
    const auto* unknown = std::get_if<trace::Unknown>(&record.event);
    record.number = number;
    record.kind = trace::CodeOf(record.event);
    record.flags = unknown == nullptr ? uint16_t{0} : unknown->flags;
    record.payload = {};
    return true;
  }
  void Locate(Diagnostic& finding) const override {
    const json::TextPosition place = reader_.Locate(finding.path);
    finding.line = place.line;
    finding.column = place.column;
  }
  std::function<void(Diagnostic&)> Hold() const override {
    return [held = reader_.Hold()](Diagnostic& finding) {
      const json::TextPosition place = held(finding.path);
      finding.line = place.line;
      finding.column = place.column;
    };
  }
  Form form() const override { return Form::kJson; }
  std::string version() const override { return {}; }
  bool is_truncated() const override { return reader_.truncated(); }
  bool is_incomplete() const override { return is_incomplete_; }
  uint64_t position() const override { return input_->position(); }
  uint64_t size() const override { return input_->size(); }

 private:
  std::unique_ptr<TextInput> input_;
  DiagnosticList* findings_;
  json::Reader reader_;
  bool is_incomplete_ = false;
};

class ResultSource final : public Source {
 public:
  explicit ResultSource(std::unique_ptr<Source> source)
      : source_(std::move(source)),
        joiner_([this](trace::EventRecord& record) { return Fetch(record); }) {}

  bool Next(trace::EventRecord& record) override {
    held_ = {};
    is_next_fetched_ = joiner_.has_ahead();
    return joiner_.Next(record);
  }
  void Locate(Diagnostic& finding) const override {
    if (held_) {
      held_(finding);
    } else {
      source_->Locate(finding);
    }
  }
  std::function<void(Diagnostic&)> Hold() const override { return held_ ? held_ : source_->Hold(); }
  Form form() const override { return source_->form(); }
  std::string version() const override { return source_->version(); }
  bool is_truncated() const override { return source_->is_truncated(); }
  bool is_incomplete() const override { return source_->is_incomplete(); }
  uint64_t position() const override { return source_->position(); }
  uint64_t size() const override { return source_->size(); }

 private:
  // What is fetched behind the event that Next() delivers moves the source on: the place of that event is kept before.
  bool Fetch(trace::EventRecord& record) {
    if (is_next_fetched_) held_ = source_->Hold();
    is_next_fetched_ = true;
    return source_->Next(record);
  }

  std::unique_ptr<Source> source_;
  trace::ResultJoiner joiner_;
  std::function<void(Diagnostic&)> held_;
  bool is_next_fetched_ = false;
};

// What the file is when it cannot be a JSON trace at all; empty when it can.
std::string_view ForeignClause(Bytes start) {
  if (start.empty()) return "it is empty";
  if (start.size() >= 3 && start[0] == 0xEF && start[1] == 0xBB) start = start.subspan(3);
  const auto first =
      std::find_if(start.begin(), start.end(), [](uint8_t byte) { return byte > ' '; });
  if (first != start.end() && (*first == '[' || *first == '{')) return {};
  if (trace::ParseFileHeader(start)) return "it is a binary trace; its name should end in .dp2t";
  return trace::DescribeForeignFile(start);
}

std::unique_ptr<Source> OpenJson(InputFile file, uint64_t max_memory, DiagnosticList& findings,
                                 OpenError& error) {
  const std::string path = file.path();
  auto input = std::make_unique<TextInput>(std::move(file));
  const Result<Bytes> start = input->Peek();
  if (!start.ok()) {
    error.status = start.status();
    return nullptr;
  }
  if (const std::string_view clause = ForeignClause(*start); !clause.empty()) {
    error.status = Status(
        MakeDiagnostic(Rule::kJson001, fmt::format("the file is not a JSON trace: {}", clause)));
    return nullptr;
  }
  return std::make_unique<JsonSource>(std::move(input), path, max_memory, findings);
}

std::unique_ptr<Source> OpenBinary(InputFile file, uint64_t max_memory, DiagnosticList& findings,
                                   OpenError& error) {
  Result<trace::Reader> reader = trace::Reader::Open(std::move(file), findings, {max_memory});
  if (reader.ok()) return std::make_unique<BinarySource>(std::move(*reader));
  error.status = reader.status();
  return nullptr;
}

bool LooksLikeTrace(Bytes start) {
  const auto first =
      std::find_if(start.begin(), start.end(), [](uint8_t byte) { return byte > ' '; });
  return trace::ParseFileHeader(start).has_value() || (first != start.end() && *first == '[');
}

// A name that says neither form. Wrong use where the file could be a trace, a file that cannot be read where it is something else.
OpenError UnknownExtension(InputFile file) {
  const std::string path = file.path();
  TextInput input(std::move(file));
  const Result<Bytes> start = input.Peek();
  if (!start.ok()) return {start.status()};
  const bool is_usage = LooksLikeTrace(*start);
  const std::string_view clause =
      is_usage ? std::string_view() : trace::DescribeForeignFile(*start);
  return {Status(MakeDiagnostic(
              Rule::kTrace001,
              fmt::format("cannot read {}: the name of a trace ends in .dp2t or .json{}{}", path,
                          clause.empty() ? "" : "; ", clause))),
          is_usage};
}

// Standard input: the binary form starts with a byte that no text starts with.
Form FormOfStandardInput() {
  const int first = std::getc(stdin);
  if (first == EOF) return Form::kBinary;
  (void)std::ungetc(first, stdin);  // one byte can always go back
  return first == trace::kMagic[0] ? Form::kBinary : Form::kJson;
}

}  // namespace

Bytes PayloadOf(const trace::EventRecord& record, std::vector<uint8_t>& buffer) {
  if (!record.payload.empty()) return record.payload;
  buffer.clear();
  trace::EncodePayload(record.event, buffer);
  return buffer;
}

std::unique_ptr<Source> WithResults(std::unique_ptr<Source> source) {
  return source == nullptr ? nullptr : std::make_unique<ResultSource>(std::move(source));
}

std::unique_ptr<Source> Source::Open(const std::string& path, uint64_t max_memory,
                                     DiagnosticList& findings, OpenError& error) {
  const std::optional<Form> form = path == "-" ? FormOfStandardInput() : FormOfPath(path);
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) {
    error.status = file.status();
    return nullptr;
  }
  if (!form) {
    error = UnknownExtension(std::move(*file));
    return nullptr;
  }
  return *form == Form::kJson ? OpenJson(std::move(*file), max_memory, findings, error)
                              : OpenBinary(std::move(*file), max_memory, findings, error);
}

}  // namespace dp2trace::trace_file
