#include "base/output_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/file_list.h"
#include "base/output_limit.h"
#include "base/temporaries.h"
#include "os/path.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 100;                       // against others that do the same
constexpr uint64_t kMaxCopy = uint64_t{1} << 30;  // bytes

bool IsThere(const std::error_code& error) {
  return error == std::errc::file_exists || error == std::errc::directory_not_empty;
}

// Why the output must not take the place of what is there; empty where it may.
std::string ObjectionTo(const std::string& path, std::string_view kind) {
  const FileKind there = LookAt(path).kind;
  if (there == FileKind::kMissing) return {};
  if (there != FileKind::kFolder) return "it exists and is not a folder";
  return ObjectionToReplacing(path, kind);
}

// The new folder takes the owner and the permissions of the old one.
void TakeFrom(const std::string& old, const std::string& path) {
  const FileState state = LookAt(old);
  Descriptor folder;
  if (state.kind == FileKind::kFolder && !OpenToRead(path, folder)) TakeOwnerAndMode(folder, state);
}

}  // namespace

Result<OutputFolder> OutputFolder::Create(const std::string& path, const std::string& kind) {
  OutputFolder folder;
  folder.path_ = WithoutSlashes(path);
  folder.target_ = folder.path_;
  folder.kind_ = kind;
  std::error_code error = FollowLinks(folder.target_);
  if (error) return CannotWrite(folder.path_, error.message());
  if (const std::string objection = ObjectionTo(folder.target_, kind); !objection.empty())
    return CannotWrite(folder.path_, objection);
  RemoveRemainders(folder.target_);
  const std::string temporary = TemporaryName(folder.target_);
  const auto lock = LockTemporaries();
  fs::create_directories(ToPath(FolderOf(temporary)), error);
  if (!error) error = CreateNewFolder(temporary, kNewFolderMode);
  if (error) return CannotWrite(folder.path_, error.message());
  // What cannot be deleted, the next program deletes.
  AddTemporary(temporary, [temporary] { (void)RemoveListed(temporary); });
  folder.temporary_ = temporary;
  error = CreateNew(fmt::format("{}/{}", temporary, kFileList), kNewFileMode, folder.list_);
  if (!error) error = WriteFully(folder.list_, AsBytes(FirstLineOfList(kind)));
  if (error) return CannotWrite(folder.path_, error.message());
  return folder;
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept {
  *this = std::move(other);
}

OutputFolder& OutputFolder::operator=(OutputFolder&& other) noexcept {
  if (this == &other) return *this;
  Discard();
  path_ = std::move(other.path_);
  target_ = std::move(other.target_);
  kind_ = std::move(other.kind_);
  temporary_ = std::exchange(other.temporary_, std::string());
  list_ = std::move(other.list_);
  return *this;
}

OutputFolder::~OutputFolder() {
  Discard();
}

void OutputFolder::Discard() {
  if (temporary_.empty()) return;
  (void)list_.Close();             // a file that is open keeps its folder on Windows
  (void)RemoveListed(temporary_);  // what cannot be deleted, the next program deletes
  ForgetTemporary(temporary_);
  temporary_.clear();
}

// Before anything is made: whatever interrupts the program, all that it made is listed.
Status OutputFolder::List(const std::string& name) const {
  const std::error_code error = WriteFully(list_, AsBytes(name + "\n"));
  return error ? CannotWrite(path_, error.message()) : OkStatus();
}

Status OutputFolder::Write(const std::string& file, std::string_view text) const {
  const std::string path = temporary_ + "/" + file;
  DP2TRACE_RETURN_IF_ERROR(SpendOutput(path, kFileOutput + text.size()));
  DP2TRACE_RETURN_IF_ERROR(List(file));
  std::error_code error;
  Descriptor output;
  {
    const auto lock = LockTemporaries();
    fs::create_directories(ToPath(FolderOf(path)), error);
    // No name of its own until it is whole: the folder has one.
    if (!error) error = CreateNew(path, kNewFileMode, output);
  }
  if (!error) error = WriteFully(output, AsBytes(text));
  if (!error) error = output.Close();
  return error ? CannotWrite(path, error.message()) : OkStatus();
}

Status OutputFolder::Copy(const std::string& from, const std::string& file) const {
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(from, kMaxCopy);
  if (!bytes.ok()) return bytes.status();
  return Write(file, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

Status OutputFolder::AllowFoldersIn(const std::string& name) const {
  DP2TRACE_RETURN_IF_ERROR(List(name + "/"));
  const auto lock = LockTemporaries();
  std::error_code error;
  fs::create_directories(ToPath(temporary_ + "/" + name), error);
  return error ? CannotWrite(temporary_ + "/" + name, error.message()) : OkStatus();
}

// Where the system cannot exchange names: for a moment there is nothing.
std::error_code OutputFolder::ReplaceInTwoSteps(std::string& replaced) const {
  replaced = TemporaryName(target_);
  std::error_code error = Rename(target_, replaced);
  if (error) return error;
  error = Rename(temporary_, target_);
  if (IsThere(error)) (void)RemoveListed(replaced);  // somebody was faster, and has replaced it
  return error;
}

// Deletes what was replaced. Where somebody has put something into it since it was looked at, it comes back.
Status OutputFolder::RemoveReplaced(const std::string& replaced) const {
  const std::string objection = ObjectionToReplacing(replaced, kind_);
  if (!objection.empty()) {
    const bool is_back = replaced == temporary_ && !ExchangeNames(temporary_, target_);
    return CannotWrite(
        path_, is_back ? objection
                       : fmt::format("what it held before lies in {}: {}", replaced, objection));
  }
  const std::error_code error = RemoveListed(replaced);
  return error ? CannotWrite(replaced, error.message()) : OkStatus();
}

Status OutputFolder::Replace() const {
  for (int tries = 0; tries < kTries; ++tries) {
    if (const std::string objection = ObjectionTo(target_, kind_); !objection.empty())
      return CannotWrite(path_, objection);
    if (LookAt(target_).kind == FileKind::kMissing) {
      const std::error_code error = RenameToNew(temporary_, target_);
      if (IsThere(error)) continue;  // somebody was faster
      return error ? CannotWrite(path_, error.message()) : OkStatus();
    }
    TakeFrom(target_, temporary_);
    std::string replaced = temporary_;
    std::error_code error = ExchangeNames(temporary_, target_);
    if (error == std::errc::not_supported) error = ReplaceInTwoSteps(replaced);
    if (!error) return RemoveReplaced(replaced);
    const bool is_gone = error == std::errc::no_such_file_or_directory;
    if (!is_gone && !IsThere(error)) return CannotWrite(path_, error.message());
  }
  return CannotWrite(path_, "other programs keep replacing it");
}

Status OutputFolder::Commit() {
  if (const std::error_code error = list_.Close()) return CannotWrite(path_, error.message());
  {
    const auto lock = LockTemporaries();
    DP2TRACE_RETURN_IF_ERROR(Replace());
  }
  ForgetTemporary(temporary_);
  temporary_.clear();
  return OkStatus();
}

}  // namespace dp2trace
