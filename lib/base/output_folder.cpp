#include "base/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2 is not in <cstdio>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/temporaries.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSignWithin = 4096;

Status WriteError(const std::string& path, std::string_view reason) {
  return Failure(kCannotWrite, fmt::format("cannot write {}: {}", path, reason));
}

bool HasSign(const std::string& path, std::string_view sign) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return false;
  std::string text(kSignWithin, '\0');
  const Result<size_t> count = file->Read({reinterpret_cast<uint8_t*>(text.data()), text.size()});
  return count.ok() &&
         std::string_view(text).substr(0, *count).find(sign) != std::string_view::npos;
}

// Whether nothing lies in the folder but what a file writer leaves that was interrupted.
bool IsBare(const std::string& path, std::error_code& error) {
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->path().filename().string().ends_with(".tmp")) return false;
  }
  return !error;
}

// Why the folder must not be replaced; empty where it may be.
std::string Objection(const std::string& path, const std::string& mark, const std::string& sign) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::not_found) return {};
  if (error) return error.message();
  if (status.type() != fs::file_type::directory) return "it exists and is no folder";
  const bool is_bare = IsBare(path, error);
  if (error) return error.message();
  if (is_bare || HasSign(path + "/" + mark, sign)) return {};
  return "the folder holds something else; choose another, or delete it";
}

// Deletes a folder, the mark last: what an interruption leaves can still be told from what somebody else made.
void Remove(const std::string& path, const std::string& mark, std::error_code& error) {
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    entries.push_back(entry->path());
  if (error == std::errc::no_such_file_or_directory) return error.clear();
  for (const fs::path& entry : entries) {
    if (!error && entry.filename() != mark) fs::remove_all(entry, error);
  }
  if (!error) fs::remove_all(path, error);
}

// Puts `from` in the place of `to`; what was there has the name `from` afterwards.
bool Exchange(const std::string& from, const std::string& to) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0;
#else
  (void)from, (void)to;
  return false;
#endif
}

}  // namespace

std::string FolderOf(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

Result<OutputFolder> OutputFolder::Create(const std::string& path, const std::string& mark,
                                          const std::string& sign) {
  OutputFolder folder;
  folder.path_ = path;
  folder.mark_ = mark;
  while (folder.path_.size() > 1 && folder.path_.ends_with('/'))
    folder.path_.pop_back();
  const std::string temporary = folder.path_ + ".tmp";
  for (const std::string& place : {folder.path_, temporary}) {
    if (const std::string objection = Objection(place, mark, sign); !objection.empty())
      return WriteError(place, objection);
  }
  const auto lock = LockTemporaries();
  std::error_code error;
  Remove(temporary, mark, error);
  if (!error) fs::create_directories(temporary, error);
  if (error) return WriteError(temporary, error.message());
  AddTemporary(temporary, [temporary, mark] {
    std::error_code unremovable;  // the next program replaces it
    Remove(temporary, mark, unremovable);
  });
  folder.temporary_ = temporary;
  return folder;
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)),
      mark_(std::move(other.mark_)),
      temporary_(std::exchange(other.temporary_, std::string())) {}

OutputFolder& OutputFolder::operator=(OutputFolder&& other) noexcept {
  if (this == &other) return *this;
  Discard();
  path_ = std::move(other.path_);
  mark_ = std::move(other.mark_);
  temporary_ = std::exchange(other.temporary_, std::string());
  return *this;
}

OutputFolder::~OutputFolder() {
  Discard();
}

void OutputFolder::Discard() {
  std::error_code error;
  if (temporary_.empty()) return;
  Remove(temporary_, mark_, error);  // what cannot be deleted, the next report replaces
  ForgetTemporary(temporary_);
  temporary_.clear();
}

Status OutputFolder::Write(const std::string& file, std::string_view text) const {
  const std::string path = temporary_ + "/" + file;
  // A mark without its sign would make the folder a stranger's.
  if (file == mark_) {
    Result<OutputFile> whole = OutputFile::Create(path);
    if (!whole.ok()) return whole.status();
    DP2TRACE_RETURN_IF_ERROR(whole->Write(text));
    return whole->Commit(Sync::kNone);
  }
  std::error_code error;
  std::FILE* output = nullptr;
  {
    const auto lock = LockTemporaries();
    fs::create_directories(FolderOf(path), error);
    // No name of its own until it is whole: the folder has one.
    if (!error) output = std::fopen(path.c_str(), "wbe");
  }
  if (error) return WriteError(path, error.message());
  if (output == nullptr) return WriteError(path, std::strerror(errno));
  const bool is_written = std::fwrite(text.data(), 1, text.size(), output) == text.size();
  const int reason = errno;
  if (std::fclose(output) != 0) return WriteError(path, std::strerror(errno));
  return is_written ? OkStatus() : WriteError(path, std::strerror(reason));
}

Status OutputFolder::Copy(const std::string& from, const std::string& file) const {
  const fs::path path = temporary_ + "/" + file;
  const auto lock = LockTemporaries();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (!error) fs::copy_file(from, path, fs::copy_options::overwrite_existing, error);
  return error ? WriteError(path.string(), error.message()) : OkStatus();
}

Status OutputFolder::Commit() {
  {
    const auto lock = LockTemporaries();
    std::error_code error;
    if (!fs::exists(path_, error)) {
      fs::rename(temporary_, path_, error);
    } else if (!Exchange(temporary_, path_)) {
      Remove(path_, mark_, error);
      if (!error) fs::rename(temporary_, path_, error);
    }
    if (error) return WriteError(path_, error.message());
  }
  Discard();  // the old one, where there was one
  return OkStatus();
}

}  // namespace dp2trace
