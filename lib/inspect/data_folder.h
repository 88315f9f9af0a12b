// The folder of an inspect page: data files that the page loads one by one, as scripts, since a page from a disk may load nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/output_folder.h"
#include "base/status.h"
#include "image/deflate.h"
#include "json/text.h"

namespace dp2trace::inspect {

// Measured on frames of games. Pixels: level 6 makes the data 1 % smaller in a tenth more time, level 1 makes them 6 % larger. Text:
// level 3 makes the data of a page 1 to 6 % smaller.
inline constexpr int kPixelCompression = 3, kTextCompression = 1;

class DataFolder {
 public:
  // The folder appears with Commit(). One that is there is replaced only where it is an inspect page. Fails (IO-001).
  static Result<DataFolder> Create(const std::string& path);

  // The files of the page itself. They come first.
  Status WritePage();
  // data/NAME.js: hands the value, which is JSON, to the page.
  Status Write(std::string_view name, std::string_view value);
  // The same, as a zlib stream: {"zlib": "BASE64"} in place of the value.
  Status WritePacked(std::string_view name, std::string_view value);
  // Pixels as a zlib stream in base64: a JSON string.
  void AppendPixels(json::Text& out, Bytes bytes) { out.Base64(pixels_.Deflate(bytes)); }
  Status Commit() { return folder_.Commit(); }
  // Of all data files so far.
  uint64_t bytes() const { return bytes_; }

 private:
  explicit DataFolder(OutputFolder folder) : folder_(std::move(folder)) {}

  OutputFolder folder_;
  image::Deflater pixels_{kPixelCompression}, texts_{kTextCompression};
  uint64_t bytes_ = 0;
};

}  // namespace dp2trace::inspect
