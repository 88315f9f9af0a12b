// Files: reading in pieces, and output files that appear whole or not at all.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/status.h"

namespace dp2trace {

// An input that is read front to back; "-" is standard input. Errors name the path and the system's reason (TRACE-001).
class InputFile {
 public:
  static Result<InputFile> Open(const std::string& path);

  // Reads up to out.size() bytes; returns how many (0 = end of file).
  Result<size_t> Read(std::span<uint8_t> out);
  // True for a regular file, which can be read at any position.
  bool seekable() const { return seekable_; }
  // Bytes in the file; 0 when it is not seekable.
  uint64_t size() const { return size_; }
  // Moves to a byte position; only where seekable().
  Status Seek(uint64_t position);
  const std::string& path() const { return path_; }

 private:
  struct Closer {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);  // NOLINT(cert-err33-c): nothing was written
    }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  bool seekable_ = false;
  uint64_t size_ = 0;
};

// Whether a file must survive a crash of the system, or may then be torn (a cache that checks what it reads).
enum class Sync : uint8_t { kDisk, kNone };

// An output that is written to a temporary name beside `path` and renamed by Commit(); removed when Commit() was not reached.
// "-" is standard output, written as it comes. Errors: IO-001.
class OutputFile {
 public:
  static Result<OutputFile> Create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  Status Write(Bytes bytes);
  Status Write(std::string_view text);
  // Flushes to disk where asked for, closes, renames.
  Status Commit(Sync sync = Sync::kDisk);
  uint64_t written() const { return written_; }

 private:
  OutputFile() = default;
  void Discard();

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
  uint64_t written_ = 0;
};

// Reads a whole file of at most `limit` bytes.
Result<std::vector<uint8_t>> ReadWholeFile(const std::string& path, uint64_t limit);

}  // namespace dp2trace
