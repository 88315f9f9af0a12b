// What the rest asks of the operating system about files and folders: one function for each question, repeated where a signal comes in
// between. Names are UTF-8 (os/path.h). Nothing here knows of outputs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace dp2trace {

inline constexpr int kStandardInput = 0, kStandardOutput = 1;

// An open file or folder, closed with the object. Standard input and output stay open.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this == &other) return *this;
    (void)Close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~Descriptor() { (void)Close(); }

  int number() const { return number_; }
  // Fails where what was written before cannot be kept.
  std::error_code Close();

 private:
  int number_ = -1;
};

// What a new file or folder permits, less the umask.
inline constexpr uint32_t kNewFileMode = 0666, kNewFolderMode = 0777;

inline std::span<const uint8_t> AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

enum class FileKind : uint8_t { kMissing, kRegular, kFolder, kLink, kOther };

struct FileState {
  FileKind kind = FileKind::kMissing;
  uint32_t mode = 0;  // permissions
  uint32_t user = 0, group = 0;
  uint64_t size = 0;
  uint64_t device = 0, number = 0;  // two names of one file have the same

  bool IsSameFile(const FileState& other) const {
    return kind == other.kind && device == other.device && number == other.number;
  }
};
// Of the path itself, wherever it leads as a link. What cannot be looked at is missing.
FileState LookAt(const std::string& path);
FileState LookAt(const Descriptor& file);
// Follows the links that a path ends in, also to what is not there yet. Links to open files (/dev/stdout) stay as they are.
std::error_code FollowLinks(std::string& path);

// Files that are there: regular ones, folders, pipes, devices.
std::error_code OpenToRead(const std::string& path, Descriptor& file);
// The same without a regular file's truncation to nothing. What the program has open already (/dev/stdout) goes on where it is.
std::error_code OpenToWrite(const std::string& path, Descriptor& file);
// At its end; the file is made where it is not there.
std::error_code OpenToAppend(const std::string& path, Descriptor& file);
// A new file: fails where anything has the name already, a link, too.
std::error_code CreateNew(const std::string& path, uint32_t mode, Descriptor& file);
// A new folder, likewise.
std::error_code CreateNewFolder(const std::string& path, uint32_t mode);
// Of an empty folder. The standard library tries to remove a file first, which a sandbox may refuse.
void RemoveEmptyFolder(const std::string& path);

// Reads until `out` is full or the file ends.
std::error_code ReadFully(const Descriptor& file, std::span<uint8_t> out, size_t& count);
// Reads what is there, at most `out`; nothing at the end.
std::error_code ReadSome(const Descriptor& file, std::span<uint8_t> out, size_t& count);
// Of what is not a regular file: whether there is something to read, the end included, within the time.
bool AwaitInput(const Descriptor& file, std::chrono::milliseconds time);
std::error_code WriteFully(const Descriptor& file, std::span<const uint8_t> bytes);
std::error_code MoveTo(const Descriptor& file, uint64_t position);
// Waits until the disk has it.
std::error_code Synchronize(const Descriptor& file);

// Makes owner and permissions what they were of another file, as far as this user may.
void TakeOwnerAndMode(const Descriptor& file, const FileState& like);

// Renames; `to` is replaced where it is there.
std::error_code Rename(const std::string& from, const std::string& to);
// Renames; fails (file_exists) where `to` is there.
std::error_code RenameToNew(const std::string& from, const std::string& to);
// Two names change places, in one step. Fails (not_supported) where the system cannot do that.
std::error_code ExchangeNames(const std::string& one, const std::string& other);

// Locks an open file or folder against others that lock it, until it is closed; a program that ends leaves none. Fails
// (resource_unavailable_try_again) where another has the lock and `waits` is not set.
std::error_code TakeLock(Descriptor& file, bool waits);

}  // namespace dp2trace
