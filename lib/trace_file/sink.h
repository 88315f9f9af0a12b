// Writes a trace in either form.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "json/writer.h"
#include "trace/reader.h"
#include "trace/writer.h"
#include "trace_file/form.h"

namespace dp2trace::trace_file {

struct SinkOptions {
  trace::WriterOptions container;
  json::Blobs blobs = json::Blobs::kInline;  // of JSON; side files need a path to stand beside
  json::Vertices vertices = json::Vertices::kBytes;  // of JSON
  std::function<const std::string*()> words = {};    // likewise (json::WriterOptions)
};

// A trace that is being written: its file appears at Finish(), or not at all.
class Sink {
 public:
  // "-" is standard output. IO-001 where the file cannot be made, or is a folder.
  static Result<std::unique_ptr<Sink>> Create(const std::string& path, Form form,
                                              const SinkOptions& options = {});
  virtual ~Sink() = default;

  virtual Status Add(const trace::Event& event) = 0;
  // Keeps the bytes of a container as they are, so that what this version does not understand survives.
  virtual Status Add(const trace::EventRecord& record) = 0;
  // Ends the trace, and the file appears. `is_whole`: false leaves a trace that says that it is cut.
  virtual Status Finish(bool is_whole = true) = 0;
  // Bytes of the file that were written so far.
  virtual uint64_t written() const = 0;
};

}  // namespace dp2trace::trace_file
