// Trace events -> canonical JSON text: one array, one event per line. Memory does not grow with the length of the trace.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/vertices.h"
#include "trace/events.h"

namespace dp2trace::json {

// Receives the text in pieces, in order.
using TextSink = std::function<Status(std::string_view)>;

enum class Blobs : uint8_t { kInline, kFiles };

struct WriterOptions {
  Blobs blobs = Blobs::kInline;
  // Of the JSON file; names the folder of the side files. Needed for Blobs::kFiles only.
  std::string path = {};
  Vertices vertices = Vertices::kBytes;
  // The words of the vertices of the event that is written (json/vertices.h), where it does not say their format: those of a call, or the data of an
  // upload. Null: they stay bytes. May be empty.
  std::function<const std::string*()> words = {};
};

class Writer {
 public:
  explicit Writer(TextSink sink, const WriterOptions& options = {});
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  // Appends one event. The first one should be the header: the reader demands it. Fails only where the sink or a side file fails.
  Status Write(const trace::Event& event);
  // Closes the array and hands the last text to the sink. Nothing may be written afterwards.
  // Hands out what is left without the end of the array: a trace that is cut.
  Status Flush();
  Status Finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// One event as the line that the writer would write, without separators. For messages and tests.
std::string ToText(const trace::Event& event, Vertices vertices = Vertices::kBytes);

}  // namespace dp2trace::json
