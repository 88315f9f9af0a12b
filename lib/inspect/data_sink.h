// Where the data of an inspect page go, by their names (inspect.md): files in a folder (data_folder.h), or the memory of a session that a page
// asks (live/session.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "base/status.h"
#include "image/deflate.h"
#include "json/builder.h"

namespace dp2trace::inspect {

// Measured on frames of games. Pixels: level 6 makes the data 1 % smaller in a tenth more time, level 1 makes them 6 % larger. Text:
// level 3 makes the data of a page 1 to 6 % smaller.
inline constexpr int kPixelCompression = 3, kTextCompression = 1;

class DataSink {
 public:
  DataSink() = default;
  DataSink(DataSink&&) = default;
  DataSink& operator=(DataSink&&) = default;
  virtual ~DataSink() = default;
  // Hands a value, which is JSON, to the page under this name.
  virtual Status Write(std::string_view name, std::string_view value) = 0;
  // The same for a long value, which may be kept as a zlib stream: {"zlib": "BASE64"} in place of the value.
  virtual Status WritePacked(std::string_view name, std::string_view value) = 0;
  // Of all data so far.
  virtual uint64_t bytes() const = 0;

  // Pixels as a zlib stream in base64: a JSON string.
  void AppendPixels(json::Builder& out, Bytes bytes) { out.Base64(pixels_.Deflate(bytes)); }

 private:
  image::Deflater pixels_{kPixelCompression};
};

}  // namespace dp2trace::inspect
