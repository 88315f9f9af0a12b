// The folder of an inspect page: data files that the page loads one by one, as scripts, since a page from a disk may load nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/output_folder.h"
#include "inspect/data_sink.h"

namespace dp2trace::inspect {

class DataFolder final : public DataSink {
 public:
  // The folder appears with Commit(). One that is there is replaced only where it is an inspect page. Fails (IO-001).
  static Result<DataFolder> Create(const std::string& path);

  // The files of the page itself. They come first.
  Status WritePage();
  // data/NAME.js
  Status Write(std::string_view name, std::string_view value) override;
  Status WritePacked(std::string_view name, std::string_view value) override;
  Status Commit() { return folder_.Commit(); }
  uint64_t bytes() const override { return bytes_; }

 private:
  explicit DataFolder(OutputFolder folder) : folder_(std::move(folder)) {}

  OutputFolder folder_;
  image::Deflater texts_{kTextCompression};
  uint64_t bytes_ = 0;
};

}  // namespace dp2trace::inspect
