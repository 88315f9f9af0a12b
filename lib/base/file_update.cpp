#include "base/file_update.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/file.h"
#include "os/path.h"

namespace dp2trace {
namespace {

// Locks a file, or the folder of one that is not there yet. Who had the lock may have put another file in its place: only a lock on
// what has the name now counts. A file system without locks gives none: then only Commit() notices the others.
Descriptor LockByName(const std::string& path) {
  while (true) {
    const bool is_new = LookAt(path).kind == FileKind::kMissing;
    Descriptor lock;
    const std::error_code error = OpenToRead(is_new ? FolderOf(path) : path, lock);
    if (!is_new && error == std::errc::no_such_file_or_directory) continue;
    if (error || TakeLock(lock, true)) return lock;
    const FileState now = LookAt(path);
    const bool is_same = is_new ? now.kind == FileKind::kMissing : now.IsSameFile(LookAt(lock));
    if (is_same) return lock;
  }
}

}  // namespace

Result<FileUpdate> FileUpdate::Begin(const std::string& path) {
  FileUpdate update;
  update.path_ = path;
  std::string target = path;
  if (const std::error_code error = FollowLinks(target)) return CannotWrite(path, error.message());
  const FileKind kind = LookAt(target).kind;
  if (kind != FileKind::kRegular && kind != FileKind::kMissing)
    return CannotWrite(path, "what is read and written again must be a file");
  update.lock_ = LockByName(target);
  Result<std::string> hash = HashOfContent(target);
  if (!hash.ok()) return hash.status();
  update.hash_ = std::move(*hash);
  return update;
}

Status FileUpdate::Commit(std::string_view text) {
  Result<OutputFile> file = OutputFile::Create(path_);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(text));
  return file->CommitOver(hash_);
}

Result<Descriptor> LockFolder(const std::string& path) {
  Descriptor folder;
  std::error_code error = OpenToRead(path, folder);
  if (!error) error = TakeLock(folder, false);
  if (error == std::errc::resource_unavailable_try_again)
    return CannotWrite(path, "another program writes into this folder");
  if (error && folder.number() < 0) return CannotWrite(path, error.message());
  return folder;  // a file system without locks gives none
}

}  // namespace dp2trace
