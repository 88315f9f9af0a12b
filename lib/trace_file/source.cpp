#include "trace_file/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/output_folder.h"
#include "base/plain_text.h"
#include "base/work_budget.h"
#include "json/reader.h"
#include "os/path.h"
#include "rules/rule.h"
#include "trace/call_results.h"
#include "trace/codec.h"
#include "trace/command_stream.h"
#include "trace/container.h"
#include "trace/event_kind.h"
#include "trace/foreign_file.h"
#include "trace_file/log_input.h"
#include "trace_file/text_input.h"

namespace dp2trace::trace_file {
namespace {

class BinarySource final : public Source {
 public:
  // `bytes`: what the reader reads, where that is not a file.
  explicit BinarySource(trace::Reader reader, std::vector<uint8_t> bytes = {})
      : bytes_(std::move(bytes)), reader_(std::move(reader)) {}

  bool Next(trace::EventRecord& record) override {
    const bool is_read = reader_.Next(record);
    content_ = is_read ? record.payload.size() : 0;
    return is_read;
  }
  void SkipTo(uint64_t number, uint64_t session) override {
    if (!reader_.SeekToEvent(number)) Source::SkipTo(number, session);
  }
  Form form() const override { return Form::kBinary; }
  std::string version() const override {
    return fmt::format("{}.{}", reader_.version().major, reader_.version().minor);
  }
  bool is_truncated() const override { return reader_.truncated(); }
  bool is_incomplete() const override { return reader_.incomplete(); }
  Status status() const override { return reader_.status(); }
  uint64_t position() const override { return reader_.position(); }
  uint64_t size() const override { return reader_.size(); }
  uint64_t content() const override { return content_; }

 private:
  std::vector<uint8_t> bytes_;
  trace::Reader reader_;
  uint64_t content_ = 0;
};

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
      is_incomplete_ = true;
      AddErrors(next.status());
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
  Status status() const override { return status_; }
  uint64_t position() const override { return input_->position(); }
  uint64_t size() const override { return input_->size(); }
  uint64_t content() const override { return reader_.value_bytes(); }

 private:
  // The error that ends the trace, and those further on in the text: who writes a trace by hand fixes them in one go.
  void AddErrors(Status error) {
    for (size_t i = 0; i < json::kMaxErrors && !error.ok(); ++i) {
      findings_->Add(error.diagnostic());
      if (status_.ok() && error.diagnostic().rule == Rule::kTrace001) status_ = error;
      error = reader_.FurtherError();
    }
  }

  std::unique_ptr<TextInput> input_;
  DiagnosticList* findings_;
  json::Reader reader_;
  bool is_incomplete_ = false;
  Status status_;
};

// Delivers what another source delivers.
class OuterSource : public Source {
 public:
  explicit OuterSource(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  bool Next(trace::EventRecord& record) override { return source_->Next(record); }
  void SkipTo(uint64_t number, uint64_t session) override { source_->SkipTo(number, session); }
  void Locate(Diagnostic& finding) const override { source_->Locate(finding); }
  std::function<void(Diagnostic&)> Hold() const override { return source_->Hold(); }
  Form form() const override { return source_->form(); }
  std::string version() const override { return source_->version(); }
  bool is_truncated() const override { return source_->is_truncated(); }
  bool is_incomplete() const override { return source_->is_incomplete(); }
  Status status() const override { return source_->status(); }
  uint64_t content() const override { return source_->content(); }
  uint64_t position() const override { return source_->position(); }
  uint64_t size() const override { return source_->size(); }

 protected:
  std::unique_ptr<Source> source_;
};

// Ends a trace that holds more than the file should (ContentBytesFor), at the event that is too much.
class BoundedSource final : public OuterSource {
 public:
  BoundedSource(std::unique_ptr<Source> source, uint64_t content, DiagnosticList& findings)
      : OuterSource(std::move(source)), content_(content), findings_(&findings) {}

  bool Next(trace::EventRecord& record) override {
    if (content_.is_spent() || !source_->Next(record)) return false;
    if (const auto* header = std::get_if<trace::Header>(&record.event))
      length_origin_ = header->length_origin;
    const auto stream = trace::StreamOf(record.event, length_origin_);
    if (content_.Spend(kEventContent + source_->content() +
                       (stream ? stream->bytes.size() * kCommandByteContent : 0)))
      return true;
    Diagnostic finding = MakeDiagnostic(
        Rule::kTrace018,
        "the trace holds more than --max-memory allows a file of its size; what follows is not read");
    finding.event = record.number;
    finding.actual = fmt::format("more than {}", Counted(content_.total(), "byte"));
    finding.expected = fmt::format("at most {}", content_.total());
    source_->Locate(finding);
    findings_->Add(std::move(finding));
    return false;
  }
  bool is_incomplete() const override { return content_.is_spent() || source_->is_incomplete(); }

 private:
  WorkBudget content_;
  DiagnosticList* findings_;
  trace::LengthOrigin length_origin_ = trace::LengthOrigin::kZero;
};

class ResultSource final : public OuterSource {
 public:
  explicit ResultSource(std::unique_ptr<Source> source)
      : OuterSource(std::move(source)),
        joiner_([this](trace::EventRecord& record) { return Fetch(record); }) {}

  bool Next(trace::EventRecord& record) override {
    held_ = {};
    is_next_fetched_ = joiner_.has_ahead();
    return joiner_.Next(record);
  }
  void SkipTo(uint64_t number, uint64_t session) override {
    source_->SkipTo(number, session);
    joiner_.SetSession(session);
  }
  void Locate(Diagnostic& finding) const override {
    if (held_) {
      held_(finding);
    } else {
      source_->Locate(finding);
    }
  }
  std::function<void(Diagnostic&)> Hold() const override { return held_ ? held_ : source_->Hold(); }

 private:
  // What is fetched after the event that Next() delivers moves the source on: the place of that event is kept before.
  bool Fetch(trace::EventRecord& record) {
    if (is_next_fetched_) held_ = source_->Hold();
    is_next_fetched_ = true;
    return source_->Next(record);
  }

  trace::ResultJoiner joiner_;
  std::function<void(Diagnostic&)> held_;
  bool is_next_fetched_ = false;
};

class LaterSource final : public OuterSource {
 public:
  LaterSource(std::unique_ptr<Source> source, std::unique_ptr<DiagnosticList> findings,
              std::string path, const DiagnosticList& known)
      : OuterSource(std::move(source)),
        findings_(std::move(findings)),
        path_(std::move(path)),
        known_(&known) {}

  Status status() const override {
    DP2TRACE_RETURN_IF_ERROR(source_->status());
    if (known_->dropped() != 0) return OkStatus();
    for (const Diagnostic& finding : findings_->items()) {
      if (std::ranges::find(known_->items(), finding) != known_->items().end()) continue;
      return Status(MakeDiagnostic(
          Rule::kTrace001,
          fmt::format("cannot read {} again: it has changed: {}", path_, finding.message)));
    }
    return OkStatus();
  }

 private:
  std::unique_ptr<DiagnosticList> findings_;
  std::string path_;
  const DiagnosticList* known_;
};

// What the file is when it cannot be a JSON trace at all; empty when it can.
std::string_view ForeignClause(Bytes start) {
  if (start.empty()) return "it is empty";
  if (start.size() >= 3 && start[0] == 0xEF && start[1] == 0xBB) start = start.subspan(3);
  const auto first =
      std::find_if(start.begin(), start.end(), [](uint8_t byte) { return byte > ' '; });
  if (first == start.end()) return "it is empty";
  if (*first == '[' || *first == '{') return {};
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

// The container in a log, where the file is one; it is still to be read.
Result<std::optional<std::vector<uint8_t>>> FindLog(InputFile& file, uint64_t limit) {
  std::optional<std::vector<uint8_t>> none;
  if (!file.seekable() && file.path() != "-") return none;
  const Result<Bytes> start = file.Peek(kStartBytes);
  if (!start.ok()) return start.status();
  if (trace::ParseFileHeader(*start)) return none;
  return ReadLog(file, limit);
}

// Of what starts as neither form does, and has no name that says one: text may stand before a container.
Result<std::optional<Form>> FormOfRest(InputFile& file) {
  constexpr size_t kSearched = size_t{16} << 20;  // as the reader of containers does
  const Result<Bytes> text = file.Peek(kSearched);
  if (!text.ok()) return text.status();
  const bool has_container = std::search(text->begin(), text->end(), trace::kMagic.begin(),
                                         trace::kMagic.end()) != text->end();
  const bool is_input = file.path() == "-";
  if (has_container || (is_input && text->empty())) return std::optional(Form::kBinary);
  return is_input ? std::optional(Form::kJson) : std::nullopt;
}

std::unique_ptr<Source> OpenBinary(InputFile file, std::optional<std::vector<uint8_t>> log,
                                   uint64_t max_memory, DiagnosticList& findings,
                                   OpenError& error) {
  Result<trace::Reader> reader = log ? trace::Reader::FromBytes(*log, findings, {max_memory})
                                     : trace::Reader::Open(std::move(file), findings, {max_memory});
  if (reader.ok())
    return std::make_unique<BinarySource>(std::move(*reader),
                                          std::move(log).value_or(std::vector<uint8_t>()));
  error.status = reader.status();
  return nullptr;
}

// A name that says neither form. Wrong use where the file could be a trace, a file that cannot be read where it is something else.
OpenError UnknownExtension(InputFile file) {
  const std::string path = file.path();
  TextInput input(std::move(file));
  const Result<Bytes> start = input.Peek();
  if (!start.ok()) return {start.status()};
  const bool is_usage = FormOfStart(*start).has_value();
  const std::string_view clause =
      is_usage ? std::string_view() : trace::DescribeForeignFile(*start);
  return {Status(MakeDiagnostic(
              Rule::kTrace001,
              fmt::format("cannot read {}: the name of a trace ends in .dp2t or .json{}{}", path,
                          clause.empty() ? "" : "; ", clause))),
          is_usage};
}

}  // namespace

void Source::SkipTo(uint64_t number, uint64_t /*session*/) {
  uint64_t next = 0;
  for (trace::EventRecord record; next < number && Next(record);)
    next = record.number + 1;
}

Bytes PayloadOf(const trace::EventRecord& record, std::vector<uint8_t>& buffer) {
  if (!record.payload.empty()) return record.payload;
  buffer.clear();
  trace::EncodePayload(record.event, buffer);
  return buffer;
}

std::unique_ptr<Source> WithResults(std::unique_ptr<Source> source) {
  return source == nullptr ? nullptr : std::make_unique<ResultSource>(std::move(source));
}

std::unique_ptr<Source> OpenAgain(const std::string& path, uint64_t max_memory,
                                  const DiagnosticList& known) {
  auto findings = std::make_unique<DiagnosticList>();
  OpenError error;
  auto source = Source::Open(path, max_memory, *findings, error);
  if (source == nullptr) return nullptr;
  return std::make_unique<LaterSource>(std::move(source), std::move(findings), path, known);
}

std::unique_ptr<Source> Source::Open(const std::string& path, uint64_t max_memory,
                                     DiagnosticList& findings, OpenError& error) {
  Result<InputFile> file = InputFile::Open(path);
  const Result<std::optional<Form>> found =
      file.ok() ? FormOf(*file) : Result<std::optional<Form>>(file.status());
  if (!found.ok()) {
    error.status = found.status();
    return nullptr;
  }
  const uint64_t share = std::max<uint64_t>(max_memory / kMemoryShares, 1);
  std::optional<Form> form = *found;
  std::optional<std::vector<uint8_t>> log;
  if (!form || (*form == Form::kBinary && file->seekable())) {
    auto in_log = FindLog(*file, share);
    if (!in_log.ok()) {
      error.status = in_log.status();
      return nullptr;
    }
    log = std::move(*in_log);
    if (log) form = Form::kBinary;
  }
  if (!form && (file->seekable() || path == "-")) {
    const Result<std::optional<Form>> rest = FormOfRest(*file);
    if (!rest.ok()) {
      error.status = rest.status();
      return nullptr;
    }
    form = *rest;
  }
  if (!form) {
    error = UnknownExtension(std::move(*file));
    return nullptr;
  }
  const uint64_t content =
      ContentBytesFor(max_memory, file->size() == 0 ? std::nullopt : std::optional(file->size()));
  std::unique_ptr<Source> source =
      *form == Form::kJson ? OpenJson(std::move(*file), share, findings, error)
                           : OpenBinary(std::move(*file), std::move(log), share, findings, error);
  if (source == nullptr) return nullptr;
  return std::make_unique<BoundedSource>(std::move(source), content, findings);
}

}  // namespace dp2trace::trace_file
