#include <fcntl.h>
#include <poll.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2 is not in <cstdio>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "os/files.h"
#include "os/path.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux
constexpr uint32_t kPermissions = 07777, kPlainPermissions = 0777;

std::error_code LastError() {
  return {errno, std::system_category()};
}

// Repeats a call of the system that a signal has interrupted.
template <class Call>
auto Repeat(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR)
    result = call();
  return result;
}

// Results must not go into a file that took the number of a closed standard output.
int AboveStandard(int number) {
  if (number < 0 || number > STDERR_FILENO) return number;
  const int higher =
      fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // NOLINT(*-vararg): the system's call
  (void)close(number);
  return higher;
}

std::error_code OpenAs(const std::string& path, int flags, uint32_t mode, Descriptor& file) {
  const int number = AboveStandard(
      Repeat([&] { return open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode); }));  // NOLINT
  if (number < 0) return LastError();
  file = Descriptor(number);
  return {};
}

FileState ToState(const struct stat& info) {
  FileState state;
  state.kind = S_ISREG(info.st_mode)   ? FileKind::kRegular
               : S_ISDIR(info.st_mode) ? FileKind::kFolder
               : S_ISLNK(info.st_mode) ? FileKind::kLink
                                       : FileKind::kOther;
  state.mode = static_cast<uint32_t>(info.st_mode) & kPermissions;
  state.user = info.st_uid;
  state.group = info.st_gid;
  state.size = static_cast<uint64_t>(info.st_size);
  state.device = static_cast<uint64_t>(info.st_dev);
  state.number = static_cast<uint64_t>(info.st_ino);
  return state;
}

fs::path FolderOfLink(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

// The links of /proc/PID/fd and /dev/fd stand for open files, whatever text they have.
bool IsAmongOpenFiles(const std::string& path) {
  std::error_code error;
  const std::string folder = fs::canonical(FolderOfLink(path), error).string();
  return folder.starts_with("/proc/") || folder == "/dev/fd";
}

// The number of an open file of this program that the path names.
std::optional<int> OwnNumberOf(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::canonical(FolderOfLink(path), error);
  if (error || (folder != "/dev/fd" && folder != fs::canonical("/proc/self/fd", error)))
    return std::nullopt;
  const std::string name = fs::path(path).filename().string();
  int number = 0;
  const auto result = std::from_chars(name.data(), name.data() + name.size(), number);
  if (result.ec != std::errc() || result.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace

std::error_code Descriptor::Close() {
  const int number = std::exchange(number_, -1);
  if (number <= STDERR_FILENO) return {};
  // The number is free also where a signal came in between.
  return close(number) == 0 || errno == EINTR ? std::error_code() : LastError();
}

FileState LookAt(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 ? ToState(info) : FileState();
}

FileState LookAt(const Descriptor& file) {
  struct stat info = {};
  return fstat(file.number(), &info) == 0 ? ToState(info) : FileState();
}

std::error_code FollowLinks(std::string& path) {
  for (int links = 0; links < kMostLinks; ++links) {
    if (LookAt(path).kind != FileKind::kLink || IsAmongOpenFiles(path)) return {};
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) return error;
    path = (target.is_absolute() ? target : fs::path(path).parent_path() / target).string();
  }
  return std::make_error_code(std::errc::too_many_symbolic_link_levels);
}

std::error_code OpenToRead(const std::string& path, Descriptor& file) {
  return OpenAs(path, O_RDONLY, 0, file);
}

std::error_code OpenToWrite(const std::string& path, Descriptor& file) {
  const std::optional<int> own = OwnNumberOf(path);
  if (!own) return OpenAs(path, O_WRONLY, 0, file);
  const int number = fcntl(*own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // NOLINT(*-vararg)
  if (number < 0) return LastError();
  file = Descriptor(number);
  return {};
}

std::error_code OpenToAppend(const std::string& path, Descriptor& file) {
  constexpr int kFlags = O_WRONLY | O_APPEND;
  const std::error_code error = OpenAs(path, kFlags, 0, file);
  if (error != std::errc::no_such_file_or_directory) return error;
  return OpenAs(path, kFlags | O_CREAT | O_EXCL | O_NOFOLLOW, kNewFileMode, file);
}

std::error_code CreateNew(const std::string& path, uint32_t mode, Descriptor& file) {
  return OpenAs(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode, file);
}

std::error_code CreateNewFolder(const std::string& path, uint32_t mode) {
  return mkdir(path.c_str(), mode) == 0 ? std::error_code() : LastError();
}

void RemoveEmptyFolder(const std::string& path) {
  (void)rmdir(path.c_str());
}

std::error_code ReadSome(const Descriptor& file, std::span<uint8_t> out, size_t& count) {
  const ssize_t read_now = Repeat([&] { return read(file.number(), out.data(), out.size()); });
  count = read_now < 0 ? 0 : static_cast<size_t>(read_now);
  return read_now < 0 ? LastError() : std::error_code();
}

std::error_code ReadFully(const Descriptor& file, std::span<uint8_t> out, size_t& count) {
  count = 0;
  while (count < out.size()) {
    size_t read_now = 0;
    if (const std::error_code error = ReadSome(file, out.subspan(count), read_now)) return error;
    if (read_now == 0) break;
    count += read_now;
  }
  return {};
}

bool AwaitInput(const Descriptor& file, std::chrono::milliseconds time) {
  pollfd wanted = {.fd = file.number(), .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, static_cast<int>(time.count())) > 0;
}

std::error_code WriteFully(const Descriptor& file, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        Repeat([&] { return write(file.number(), bytes.data(), bytes.size()); });
    if (written < 0) return LastError();
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

std::error_code MoveTo(const Descriptor& file, uint64_t position) {
  return lseek(file.number(), static_cast<off_t>(position), SEEK_SET) < 0 ? LastError()
                                                                          : std::error_code();
}

std::error_code Synchronize(const Descriptor& file) {
  // EINVAL: the file system has no disk.
  return Repeat([&] { return fsync(file.number()); }) == 0 || errno == EINVAL ? std::error_code()
                                                                              : LastError();
}

void TakeOwnerAndMode(const Descriptor& file, const FileState& like) {
  const FileState now = LookAt(file);
  const bool is_owner = (now.user == like.user && now.group == like.group) ||
                        fchown(file.number(), like.user, like.group) == 0;
  // What runs as its owner must not run as another.
  (void)fchmod(file.number(), like.mode & (is_owner ? kPermissions : kPlainPermissions));
}

std::error_code Rename(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? std::error_code() : LastError();
}

std::error_code RenameToNew(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) return LastError();
#endif
  if (LookAt(to).kind != FileKind::kMissing) return std::make_error_code(std::errc::file_exists);
  return Rename(from, to);
}

std::error_code ExchangeNames(const std::string& one, const std::string& other) {
#ifdef RENAME_EXCHANGE
  if (renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) return LastError();
#else
  (void)one, (void)other;
#endif
  return std::make_error_code(std::errc::not_supported);
}

std::error_code TakeLock(Descriptor& file, bool waits) {
  const int how = LOCK_EX | (waits ? 0 : LOCK_NB);
  if (Repeat([&] { return flock(file.number(), how); }) == 0) return {};
  return errno == EWOULDBLOCK ? std::make_error_code(std::errc::resource_unavailable_try_again)
                              : LastError();
}

}  // namespace dp2trace
