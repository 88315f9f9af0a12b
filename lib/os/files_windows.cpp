#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <thread>
#include <vector>

#include "os/files.h"
#include "os/path.h"
#include "os/process.h"
#include "os/windows.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
constexpr size_t kMostAtOnce = size_t{1} << 20;  // bytes of a call
constexpr size_t kMostOfTerminal = 8192;
constexpr int kExitPipe = 141;  // as where SIGPIPE ends a program
// Others look into every new file for a moment: scanners, indexes.
constexpr int kTries = 40;
constexpr milliseconds kNap(25), kLockNap(20);

HANDLE HandleOf(const Descriptor& file) {
  const intptr_t handle = file.number() < 0 ? -1 : _get_osfhandle(file.number());
  return handle < 0 ? INVALID_HANDLE_VALUE : reinterpret_cast<HANDLE>(handle);
}

std::error_code ErrorOfErrno() {
  return {errno, std::generic_category()};
}

std::wstring WideName(const std::string& path) {
  return ToPath(path).native();
}

// Names that stand for devices in every folder. With an extension older systems take them for devices, too, and newer ones do not.
bool IsDeviceName(std::string_view stem) {
  std::string name = FoldCase(stem);
  while (name.ends_with(' '))
    name.pop_back();
  constexpr std::array<std::string_view, 6> kDevices = {"CON", "PRN",    "AUX",
                                                        "NUL", "CONIN$", "CONOUT$"};
  if (std::ranges::find(kDevices, name) != kDevices.end()) return true;
  const bool is_port = name.size() == 4 && (name.starts_with("COM") || name.starts_with("LPT"));
  return is_port && name[3] >= '1' && name[3] <= '9';
}

bool IsDevice(const std::string& path) {
  return IsDeviceName(NameOf(path)) || path.starts_with("\\\\.\\");
}

// A file with such a name cannot be had: "con.png", "aux.dp2t", and "a.png:b", which is something hidden in a file.
bool IsReserved(const std::string& path) {
  const std::string name = NameOf(path);
  if (name.find(':') != std::string::npos) return true;
  const size_t dot = name.find('.');
  return dot != std::string::npos && IsDeviceName(std::string_view(name).substr(0, dot));
}

std::error_code Take(HANDLE handle, int flags, Descriptor& file) {
  if (handle == INVALID_HANDLE_VALUE) return LastError();
  const int number =
      _open_osfhandle(reinterpret_cast<intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (number < 0) {
    (void)CloseHandle(handle);
    return std::make_error_code(std::errc::too_many_files_open);
  }
  file = Descriptor(number);
  return {};
}

std::error_code OpenAs(const std::string& path, DWORD access, DWORD how, int flags,
                       Descriptor& file) {
  if (IsReserved(path)) return std::make_error_code(std::errc::invalid_argument);
  const std::wstring name = WideName(path);
  // The flag: folders, too.
  constexpr DWORD kFlags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS;
  const std::error_code error = Take(
      CreateFileW(name.c_str(), access, kShareAll, nullptr, how, kFlags, nullptr), flags, file);
  if (error != std::errc::permission_denied) return error;
  const DWORD attributes = GetFileAttributesW(name.c_str());
  const bool is_folder =
      attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return is_folder ? std::make_error_code(std::errc::is_a_directory) : error;
}

FileState StateOf(HANDLE handle) {
  FileState state;
  BY_HANDLE_FILE_INFORMATION info = {};
  if (GetFileInformationByHandle(handle, &info) == 0) return state;
  state.kind = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::kFolder
                                                                       : FileKind::kRegular;
  FILE_ATTRIBUTE_TAG_INFO tag = {};
  const bool has_tag =
      (info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
      GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) != 0;
  if (has_tag && tag.ReparseTag == IO_REPARSE_TAG_SYMLINK) state.kind = FileKind::kLink;
  state.size =
      state.kind == FileKind::kRegular ? uint64_t{info.nFileSizeHigh} << 32 | info.nFileSizeLow : 0;
  state.device = info.dwVolumeSerialNumber;
  state.number = uint64_t{info.nFileIndexHigh} << 32 | info.nFileIndexLow;
  return state;
}

// Repeats what fails only because somebody has the file open for a moment.
template <class Call>
std::error_code Persist(const Call& call) {
  for (int tries = 1;; ++tries) {
    if (call()) return {};
    const DWORD code = GetLastError();
    const bool passes = code == ERROR_SHARING_VIOLATION || code == ERROR_ACCESS_DENIED ||
                        code == ERROR_LOCK_VIOLATION;
    if (!passes || tries == kTries) return ErrorOf(code);
    std::this_thread::sleep_for(kNap);
  }
}

// Also over a file that somebody has open, who keeps the old one. False where the file system lacks that.
bool RenameOver(const std::wstring& from, const std::wstring& to) {
  struct Renaming {
    DWORD flags;
    HANDLE root;
    DWORD length;
    wchar_t name[1];
  };
  constexpr auto kRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
  constexpr DWORD kReplace = 1, kPosix = 2, kIgnoreReadOnly = 0x40;
  const Handle file(
      CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, kShareAll, nullptr, OPEN_EXISTING,
                  FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  std::error_code error;
  const std::wstring place = fs::absolute(to, error).native();
  if (!file || error) return false;
  std::vector<uint8_t> memory(sizeof(Renaming) + place.size() * sizeof(wchar_t));
  auto* const renaming = reinterpret_cast<Renaming*>(memory.data());
  renaming->flags = kReplace | kPosix | kIgnoreReadOnly;
  renaming->length = static_cast<DWORD>(place.size() * sizeof(wchar_t));
  std::copy(place.begin(), place.end(), renaming->name);
  return SetFileInformationByHandle(file.get(), kRenameInfoEx, renaming,
                                    static_cast<DWORD>(memory.size())) != 0;
}

// For systems that lack that: whoever has the old file open keeps it, under another name, until he closes it. For a moment there is none.
bool RenameAside(const std::wstring& from, const std::wstring& to) {
  const DWORD attributes = GetFileAttributesW(to.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
    return false;
  const std::wstring aside = to + L"." + ToWide(RandomDigits()) + L".tmp";
  if (MoveFileExW(to.c_str(), aside.c_str(), 0) == 0) return false;
  if (MoveFileExW(from.c_str(), to.c_str(), 0) == 0) {
    const DWORD code = GetLastError();
    (void)MoveFileExW(aside.c_str(), to.c_str(), 0);
    SetLastError(code);
    return false;
  }
  (void)SetFileAttributesW(aside.c_str(), FILE_ATTRIBUTE_NORMAL);
  (void)DeleteFileW(aside.c_str());
  return true;
}

// Locks of files lie after all that they can hold: others may read what is locked.
bool LockFileOnce(HANDLE handle) {
  OVERLAPPED place = {};
  place.OffsetHigh = 0x7FFFFFFF;
  return LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) !=
         0;
}

// Folders have no locks, and the current one cannot be opened to be deleted. A file for temporary files that nobody shares stands for it,
// named after the folder; it goes away with its holder.
bool LockFolderOnce(const std::wstring& path, Descriptor& folder) {
  uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
  for (const wchar_t c : path)
    hash = (hash ^ static_cast<uint16_t>(c)) * 0x100000001B3;
  wchar_t place[MAX_PATH + 1] = {};
  if (GetTempPathW(MAX_PATH + 1, place) == 0) return false;
  const std::wstring name = place + (L"dp2trace-" + std::to_wstring(hash) + L".lock");
  const HANDLE handle =
      CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                  FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
  return handle != INVALID_HANDLE_VALUE && !Take(handle, _O_RDONLY, folder);
}

std::wstring NameOfOpen(HANDLE handle) {
  std::wstring path(size_t{1} << 15, L'\0');
  path.resize(GetFinalPathNameByHandleW(handle, path.data(), static_cast<DWORD>(path.size()), 0));
  return path;
}

}  // namespace

std::error_code Descriptor::Close() {
  constexpr int kStandardError = 2;
  const int number = std::exchange(number_, -1);
  if (number <= kStandardError) return {};
  return _close(number) == 0 ? std::error_code() : ErrorOfErrno();
}

FileState LookAt(const std::string& path) {
  if (IsDevice(path)) return {.kind = FileKind::kOther};
  const Handle file(
      CreateFileW(WideName(path).c_str(), FILE_READ_ATTRIBUTES, kShareAll, nullptr, OPEN_EXISTING,
                  FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  return file ? StateOf(file.get()) : FileState();
}

FileState LookAt(const Descriptor& file) {
  const HANDLE handle = HandleOf(file);
  if (handle == INVALID_HANDLE_VALUE) return {};
  if (GetFileType(handle) != FILE_TYPE_DISK) return {.kind = FileKind::kOther};
  return StateOf(handle);
}

std::error_code FollowLinks(std::string& path) {
  if (LookAt(path).kind != FileKind::kLink) return {};
  const Handle file(CreateFileW(WideName(path).c_str(), FILE_READ_ATTRIBUTES, kShareAll, nullptr,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!file) return LastError();
  const std::wstring target = NameOfOpen(file.get());
  if (target.empty()) return LastError();
  path = ToText(target);
  return {};
}

std::error_code OpenToRead(const std::string& path, Descriptor& file) {
  return OpenAs(path, GENERIC_READ, OPEN_EXISTING, _O_RDONLY, file);
}

std::error_code OpenToWrite(const std::string& path, Descriptor& file) {
  return OpenAs(path, GENERIC_WRITE, OPEN_EXISTING, _O_WRONLY, file);
}

std::error_code OpenToAppend(const std::string& path, Descriptor& file) {
  return OpenAs(path, FILE_APPEND_DATA | SYNCHRONIZE, OPEN_ALWAYS, _O_WRONLY | _O_APPEND, file);
}

std::error_code CreateNew(const std::string& path, uint32_t /*mode*/, Descriptor& file) {
  return OpenAs(path, GENERIC_WRITE, CREATE_NEW, _O_WRONLY, file);
}

std::error_code CreateNewFolder(const std::string& path, uint32_t /*mode*/) {
  if (IsReserved(path) || IsDevice(path)) return std::make_error_code(std::errc::invalid_argument);
  return CreateDirectoryW(WideName(path).c_str(), nullptr) != 0 ? std::error_code() : LastError();
}

void RemoveEmptyFolder(const std::string& path) {
  (void)RemoveDirectoryW(WideName(path).c_str());
}

std::error_code ReadSome(const Descriptor& file, std::span<uint8_t> out, size_t& count) {
  const int read_now =
      _read(file.number(), out.data(), static_cast<unsigned>(std::min(out.size(), kMostAtOnce)));
  count = read_now < 0 ? 0 : static_cast<size_t>(read_now);
  return read_now < 0 ? ErrorOfErrno() : std::error_code();
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

bool AwaitInput(const Descriptor& file, milliseconds time) {
  const HANDLE handle = HandleOf(file);
  if (GetFileType(handle) != FILE_TYPE_PIPE)
    return WaitForSingleObject(handle, static_cast<DWORD>(time.count())) != WAIT_TIMEOUT;
  const auto end = std::chrono::steady_clock::now() + time;
  while (true) {
    DWORD there = 0;
    if (PeekNamedPipe(handle, nullptr, 0, nullptr, &there, nullptr) == 0 || there != 0) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
}

std::error_code WriteFully(const Descriptor& file, std::span<const uint8_t> bytes) {
  const size_t most = _isatty(file.number()) != 0 ? kMostOfTerminal : kMostAtOnce;
  while (!bytes.empty()) {
    const int written =
        _write(file.number(), bytes.data(), static_cast<unsigned>(std::min(bytes.size(), most)));
    // Observed: Wine calls the handle invalid where the reader of a pipe has ended within a large write.
    const bool is_unread =
        written < 0 &&
        (errno == EPIPE || _doserrno == ERROR_NO_DATA || _doserrno == ERROR_BROKEN_PIPE ||
         _doserrno == ERROR_PIPE_NOT_CONNECTED ||
         (_doserrno == ERROR_INVALID_HANDLE && GetFileType(HandleOf(file)) == FILE_TYPE_PIPE));
    if (is_unread && file.number() == kStandardOutput)
      (void)TerminateProcess(GetCurrentProcess(), kExitPipe);  // its reader has seen enough
    if (written < 0) return ErrorOfErrno();
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

std::error_code MoveTo(const Descriptor& file, uint64_t position) {
  return _lseeki64(file.number(), static_cast<int64_t>(position), SEEK_SET) < 0 ? ErrorOfErrno()
                                                                                : std::error_code();
}

std::error_code Synchronize(const Descriptor& file) {
  return _commit(file.number()) == 0 || errno == EBADF || errno == EINVAL ? std::error_code()
                                                                          : ErrorOfErrno();
}

// A new file has what its folder gives it.
void TakeOwnerAndMode(const Descriptor& /*file*/, const FileState& /*like*/) {}

std::error_code Rename(const std::string& from, const std::string& to) {
  if (IsReserved(to)) return std::make_error_code(std::errc::invalid_argument);
  const std::wstring old_name = WideName(from);
  const std::wstring new_name = WideName(to);
  constexpr DWORD kHow = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  return Persist([&] {
    return RenameOver(old_name, new_name) ||
           MoveFileExW(old_name.c_str(), new_name.c_str(), kHow) != 0 ||
           RenameAside(old_name, new_name);
  });
}

std::error_code RenameToNew(const std::string& from, const std::string& to) {
  if (IsReserved(to)) return std::make_error_code(std::errc::invalid_argument);
  if (LookAt(to).kind != FileKind::kMissing) return std::make_error_code(std::errc::file_exists);
  const std::wstring old_name = WideName(from);
  const std::wstring new_name = WideName(to);
  return Persist(
      [&] { return MoveFileExW(old_name.c_str(), new_name.c_str(), MOVEFILE_WRITE_THROUGH) != 0; });
}

std::error_code ExchangeNames(const std::string& /*one*/, const std::string& /*other*/) {
  return std::make_error_code(std::errc::not_supported);
}

std::error_code TakeLock(Descriptor& file, bool waits) {
  const HANDLE handle = HandleOf(file);
  const bool is_folder = LookAt(file).kind == FileKind::kFolder;
  const std::wstring path = is_folder ? NameOfOpen(handle) : std::wstring();
  while (true) {
    const bool is_locked = is_folder ? LockFolderOnce(path, file) : LockFileOnce(handle);
    if (is_locked) return {};
    const DWORD code = GetLastError();
    const bool is_taken =
        code == ERROR_LOCK_VIOLATION || code == ERROR_SHARING_VIOLATION || code == ERROR_IO_PENDING;
    if (!is_taken) return ErrorOf(code);
    if (!waits) return std::make_error_code(std::errc::resource_unavailable_try_again);
    std::this_thread::sleep_for(kLockNap);
  }
}

}  // namespace dp2trace
