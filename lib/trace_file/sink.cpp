#include "trace_file/sink.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "os/path.h"
#include "rules/rule.h"
#include "trace_file/source.h"

namespace dp2trace::trace_file {
namespace {

class BinarySink final : public Sink {
 public:
  BinarySink(OutputFile file, const SinkOptions& options)
      : file_(std::move(file)), writer_(file_, options.container) {}

  Status Add(const trace::Event& event) override { return writer_.Add(event); }
  Status Add(const trace::EventRecord& record) override {
    return writer_.AddRaw(record.kind, record.flags, PayloadOf(record, payload_));
  }
  Status Finish(bool is_whole) override {
    DP2TRACE_RETURN_IF_ERROR(is_whole ? writer_.Finish() : writer_.FinishCut());
    return file_.Commit();
  }
  uint64_t written() const override { return file_.written(); }

 private:
  OutputFile file_;
  trace::Writer writer_;
  std::vector<uint8_t> payload_;
};

class JsonSink final : public Sink {
 public:
  JsonSink(OutputFile file, const std::string& path, const SinkOptions& options)
      : file_(std::move(file)),
        writer_([this](std::string_view text) { return file_.Write(text); },
                json::WriterOptions{options.blobs, path, options.vertices, options.words}) {}

  Status Add(const trace::Event& event) override { return writer_.Write(event); }
  Status Add(const trace::EventRecord& record) override { return writer_.Write(record.event); }
  Status Finish(bool is_whole) override {
    DP2TRACE_RETURN_IF_ERROR(is_whole ? writer_.Finish() : writer_.Flush());
    return file_.Commit();
  }
  uint64_t written() const override { return file_.written(); }

 private:
  OutputFile file_;
  json::Writer writer_;
};

}  // namespace

Result<std::unique_ptr<Sink>> Sink::Create(const std::string& path, Form form,
                                           const SinkOptions& options) {
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(ToPath(path), error))
    return Status(MakeDiagnostic(Rule::kIo001, "cannot write " + path + ": Is a directory"));
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  if (form == Form::kJson)
    return std::unique_ptr<Sink>(std::make_unique<JsonSink>(std::move(*file), path, options));
  return std::unique_ptr<Sink>(std::make_unique<BinarySink>(std::move(*file), options));
}

}  // namespace dp2trace::trace_file
