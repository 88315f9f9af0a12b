#include "golden/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "golden/golden.h"
#include "image/output.h"
#include "image/png.h"
#include "os/path.h"
#include "rules/rule.h"

namespace dp2trace::golden {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".png";
constexpr std::string_view kTemporary = ".tmp";
constexpr size_t kFolderDigits = 2;

Status StoreError(std::string message) {
  return Status(MakeDiagnostic(Rule::kGoldenStore001, std::move(message)));
}

Status WriteError(const std::string& path, const std::error_code& error) {
  return Status(
      MakeDiagnostic(Rule::kIo001, fmt::format("cannot write {}: {}", path, error.message())));
}

// The hash that a file of the store is named by; empty where the name is none.
std::string HashOfFile(const std::string& folder, std::string_view name) {
  if (!name.ends_with(kExtension)) return {};
  std::string hash = folder;
  hash += name.substr(0, name.size() - kExtension.size());
  return IsHash(hash) ? hash : std::string();
}

// "cdef....png.1234.tmp": what an output file is called before it is whole.
bool IsRemainder(const std::string& folder, std::string_view name) {
  const size_t extension = name.find(kExtension);
  if (!name.ends_with(kTemporary) || extension == std::string_view::npos) return false;
  return !HashOfFile(folder, name.substr(0, extension + kExtension.size())).empty();
}

}  // namespace

std::string PictureStore::FileOf(std::string_view hash) {
  return fmt::format("{}/{}{}", hash.substr(0, kFolderDigits), hash.substr(kFolderDigits),
                     kExtension);
}

std::string PictureStore::PathOf(std::string_view hash) const {
  return folder_ + "/" + FileOf(hash);
}

bool PictureStore::Has(std::string_view hash) const {
  std::error_code error;
  return !folder_.empty() && fs::is_regular_file(ToPath(PathOf(hash)), error);
}

Result<image::Picture> PictureStore::Read(const std::string& hash, uint32_t format) const {
  if (!Has(hash)) return StoreError(fmt::format("{} has no picture {}", folder_, hash));
  Result<image::Picture> picture = image::ReadPng(PathOf(hash));
  if (!picture.ok())
    return StoreError(fmt::format("{}: {}", PathOf(hash), picture.status().diagnostic().message));
  const std::string found = image::HashOf(*picture, static_cast<d3d::Format>(format));
  if (found != hash) {
    return StoreError(
        fmt::format("{} is damaged: its pixels have the hash {}", PathOf(hash), found));
  }
  return picture;
}

Result<bool> PictureStore::Write(const std::string& hash, const image::Picture& picture) const {
  if (Has(hash)) return false;
  const std::string path = PathOf(hash);
  std::error_code error;
  fs::create_directories(ToPath(FolderOf(path)), error);
  if (error) return WriteError(path, error);
  DP2TRACE_RETURN_IF_ERROR(image::WritePng(path, picture));
  return true;
}

Result<std::vector<PictureStore::Entry>> PictureStore::List() const {
  std::vector<Entry> entries;
  std::error_code error;
  if (!fs::exists(ToPath(folder_), error)) return entries;
  for (fs::directory_iterator folder(ToPath(folder_), error), end; !error && folder != end;
       folder.increment(error)) {
    const std::string digits = ToText(folder->path().filename());
    std::error_code unreadable;
    if (digits.size() != kFolderDigits || !folder->is_directory(unreadable)) continue;
    for (fs::directory_iterator file(folder->path(), error); !error && file != end;
         file.increment(error)) {
      const std::string name = ToText(file->path().filename());
      const std::string hash = HashOfFile(digits, name);
      if (!hash.empty() || IsRemainder(digits, name))
        entries.push_back({fmt::format("{}/{}", digits, name), hash});
    }
    if (error) break;
  }
  if (error) {
    return Status(MakeDiagnostic(Rule::kTrace001,
                                 fmt::format("cannot read {}: {}", folder_, error.message())));
  }
  std::ranges::sort(entries, {}, &Entry::file);
  return entries;
}

Status PictureStore::Remove(const Entry& entry) const {
  const std::string path = folder_ + "/" + entry.file;
  std::error_code error;
  fs::remove(ToPath(path), error);
  return error ? WriteError(path, error) : OkStatus();
}

}  // namespace dp2trace::golden
