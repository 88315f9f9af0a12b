// The decompressed bytes of an apitrace container, read front to back.
// Framings: snappy chunks ("at" magic), gzip, zstd and brotli streams, or no compression at all.
// Source: apitrace docs/FORMAT.markdown, "Compression".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/allowance.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/status.h"

namespace dp2trace::import {

// Turns stored bytes into trace bytes, a piece at a time.
class Framing {
 public:
  virtual ~Framing() = default;
  // Appends the next decompressed piece to `out`; appends nothing at the end of the input. A damaged or cut input sets `error`
  // after everything before it has been appended.
  virtual void Next(std::vector<uint8_t>& out, std::string& error) = 0;
  // Bytes that the decompressor holds beside what it appended.
  virtual uint64_t memory() const = 0;
};

// A forward reader of the decompressed bytes. After the end every read returns zeros and failed() is true.
class ByteSource {
 public:
  // Recognises the framing by its first bytes.
  // What it holds and reads counts against the allowance, and ends the reading once that is exceeded.
  static Result<ByteSource> Open(const std::string& path, std::shared_ptr<Allowance> allowance);
  // By its first bytes: what it holds is not known by them.
  static bool IsDecompressed(Bytes start);
  // The same for a capture in memory.
  static Result<ByteSource> FromBytes(std::vector<uint8_t> bytes,
                                      std::shared_ptr<Allowance> allowance);

  uint8_t ReadU8();
  // Variable-length unsigned integer: 7 bits per byte, least significant first. More than 64 bits: failed().
  uint64_t ReadUint();
  template <class T>
  T ReadRaw() {
    T value{};
    uint8_t bytes[sizeof(T)];
    if (CopyTo(bytes, sizeof bytes)) std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  // Appends `size` bytes to `out`; grows only as the bytes really come, so that an absurd size costs nothing.
  bool AppendTo(std::vector<uint8_t>& out, uint64_t size);
  bool Skip(uint64_t size);

  // Every byte was read and the input ended where a trace may end.
  bool at_end();
  bool failed() const { return failed_; }
  // Why the input ended early; empty when it did not.
  const std::string& error() const { return error_; }
  // Bytes of the decompressed stream that were consumed.
  uint64_t position() const { return consumed_ + position_; }
  // "snappy", "gzip", "zstd", "brotli" or "none".
  std::string_view framing_name() const { return framing_name_; }

 private:
  bool Refill();
  bool Count();
  bool CopyTo(uint8_t* out, size_t size);

  std::shared_ptr<Allowance> allowance_;
  MemoryShare share_;  // of the buffer and of the decompressor
  uint64_t counted_ = 0;
  std::unique_ptr<Framing> framing_;
  std::string_view framing_name_;
  std::vector<uint8_t> buffer_;
  size_t position_ = 0;
  uint64_t consumed_ = 0;
  bool failed_ = false;
  bool ended_ = false;
  std::string error_;
};

}  // namespace dp2trace::import
