#include "json/writer.h"

#include <optional>

#include "json/event_writer.h"

namespace dp2trace::json {

namespace {

// JSON is handed on in pieces of about this size.
constexpr size_t kPieceSize = 256 << 10;

}  // namespace

class Writer::Implementation {
 public:
  Implementation(TextSink sink, const WriterOptions& options)
      : sink_(std::move(sink)), vertices_(options.vertices), words_(options.words) {
    if (options.blobs == Blobs::kFiles) side_files_.emplace(options.path);
  }

  Status Write(const trace::Event& event) {
    text_.Raw(is_first_ ? "[\n" : ",\n");
    is_first_ = false;
    DP2TRACE_RETURN_IF_ERROR(WriteEvent(event, side_files_ ? &*side_files_ : nullptr, vertices_,
                                        text_, words_ ? words_() : nullptr));
    return text_.size() < kPieceSize ? OkStatus() : Flush();
  }

  Status Finish() {
    text_.Raw(is_first_ ? "[\n]\n" : "\n]\n");
    return Flush();
  }

  Status Flush() {
    Status status = sink_(text_.string());
    text_.Clear();
    return status;
  }

 private:
  TextSink sink_;
  std::optional<SideFileWriter> side_files_;
  Vertices vertices_;
  std::function<const std::string*()> words_;
  Builder text_;
  bool is_first_ = true;
};

Writer::Writer(TextSink sink, const WriterOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(sink), options)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Status Writer::Write(const trace::Event& event) {
  return implementation_->Write(event);
}
Status Writer::Flush() {
  return implementation_->Flush();
}
Status Writer::Finish() {
  return implementation_->Finish();
}

std::string ToText(const trace::Event& event, Vertices vertices) {
  Builder text;
  const Status status = WriteEvent(event, nullptr, vertices, text);
  return status.ok() ? std::move(text.string())
                     : std::string();  // without side files nothing fails
}

}  // namespace dp2trace::json
