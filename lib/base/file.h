// Files: reading in pieces, and output files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "os/files.h"

namespace dp2trace {

// An input that is read front to back; "-" is standard input. Errors name the path and the system's reason (TRACE-001).
class InputFile {
 public:
  static Result<InputFile> Open(const std::string& path);

  // Reads up to out.size() bytes; returns how many (0 = end of file).
  Result<size_t> Read(std::span<uint8_t> out);
  // The next `size` bytes, fewer at the end of the file; Read() still delivers them. Valid until the next call.
  Result<Bytes> Peek(size_t size);
  // True for a regular file, which can be read at any position.
  bool seekable() const { return seekable_; }
  // Bytes in the file; 0 when it is not seekable.
  uint64_t size() const { return size_; }
  // Moves to a byte position; only where seekable().
  Status Seek(uint64_t position);
  const std::string& path() const { return path_; }

 private:
  // Bytes that Peek() has read; those before `at` are delivered.
  struct Ahead {
    std::vector<uint8_t> bytes;
    size_t at = 0;
  };
  // Standard input has one for all that open it.
  Ahead& ahead();

  std::string path_;
  Descriptor file_;
  Ahead ahead_;
  bool seekable_ = false;
  uint64_t size_ = 0;
};

// IO-001, "cannot write PATH: REASON".
Status CannotWrite(const std::string& path, std::string_view reason);

// Standard output has one buffer, in which everything keeps its order. Errors: IO-001.
Status WriteStandardOutput(std::string_view text);
Status FlushStandardOutput();

// Whether a file must survive a crash of the system, or may then be torn (a cache that checks what it reads).
enum class Sync : uint8_t { kDisk, kNone };

// An output that is written to a temporary name in the folder of its place and renamed by Commit(); removed when Commit() was not
// reached. A link is followed, and owner and permissions of a file that is replaced stay. What is not a regular file (a device, a pipe,
// /dev/stdout) is written as it comes, and so is "-", standard output. Errors: IO-001.
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
  // Commit() that takes the place of nothing but a file whose content has this hash (HashOfContent): what somebody else wrote since is
  // an error, and stays.
  Status CommitOver(const std::string& hash);
  uint64_t written() const { return written_; }

 private:
  OutputFile() = default;
  std::error_code Open();
  std::error_code Close(Sync sync);
  std::error_code TakePlace();
  std::error_code Exchange(const std::string& hash);
  void Forget();
  void Discard();

  std::string path_;       // as the caller names it; "-"
  std::string target_;     // where links lead
  std::string temporary_;  // empty: it has its place, or goes straight to it
  Descriptor file_;
  std::vector<uint8_t> buffer_;
  uint64_t written_ = 0;
};

// What an output at this path, a file or a folder, needs to be writable: the folder in which it is made, or the device that it goes to.
std::string PlaceToWrite(const std::string& path);

// Reads a whole file of at most `limit` bytes.
Result<std::vector<uint8_t>> ReadWholeFile(const std::string& path, uint64_t limit);
// XXH3-128 of the content; empty where there is no file.
Result<std::string> HashOfContent(const std::string& path);
// Writes at the end of a file, after what others have written, and makes it where it is not there.
Status AppendToFile(const std::string& path, std::string_view text);

}  // namespace dp2trace
