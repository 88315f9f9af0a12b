#include "container.h"

#include "trace_file/source.h"

namespace dp2trace::bench {

trace::Writer WriterInto(std::vector<uint8_t>& file) {
  return trace::Writer(
      [&file](Bytes bytes) {
        file.insert(file.end(), bytes.begin(), bytes.end());
        return OkStatus();
      },
      {.compression = trace::Compression::kNone});
}

std::vector<uint8_t> Container(const std::string& path) {
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source =
      trace_file::WithResults(trace_file::Source::Open(path, uint64_t{1} << 30, findings, error));
  if (source == nullptr) return {};
  std::vector<uint8_t> file;
  trace::Writer writer = WriterInto(file);
  trace::EventRecord record;
  while (source->Next(record)) {
    if (!writer.Add(record.event).ok()) return {};
  }
  return writer.Finish().ok() ? file : std::vector<uint8_t>{};
}

}  // namespace dp2trace::bench
