#include "base/file_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "base/file.h"
#include "os/path.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "dp2trace ";
constexpr uint64_t kMaxList = uint64_t{1} << 30;  // bytes

// What lies in a folder, names below it.
class Content {
 public:
  explicit Content(const std::string& folder) : folder_(folder) {
    first_line_ = AddList("");
    Walk("", ToPath(folder));
    if (error_ == std::errc::no_such_file_or_directory) error_.clear();
    std::ranges::sort(foreign_);
  }

  const std::error_code& error() const { return error_; }
  const std::string& first_line() const { return first_line_; }  // empty: it has no list
  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::string>& folders() const { return folders_; }  // before what is in them
  const std::vector<std::string>& foreign() const { return foreign_; }

 private:
  // Takes the list of a folder, whose name is empty or ends in a slash; returns its first line.
  std::string AddList(const std::string& name) {
    std::string list = name;
    list += kFileList;
    if (LookAt(folder_ + "/" + list).kind != FileKind::kRegular) return {};
    const Result<std::vector<uint8_t>> bytes = ReadWholeFile(folder_ + "/" + list, kMaxList);
    if (!bytes.ok()) return {};
    std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    // Its writer may have been killed at any byte.
    if (text.substr(0, kProgram.size()) != kProgram.substr(0, text.size())) return {};
    const std::string first(text.substr(0, text.find('\n')));
    Add(list);
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      text.remove_prefix(end + 1);
      if (const std::string_view line = text.substr(0, text.find('\n')); !line.empty())
        Add(name + std::string(line));
    }
    return first;
  }

  // A listed name, and the folders that it is in.
  void Add(const std::string& name) {
    for (size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
      listed_folders_.insert(name.substr(0, end + 1));
    (name.ends_with('/') ? with_lists_ : listed_).insert(name);
  }

  // Links are not followed.
  void Walk(const std::string& name, const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      std::string below = name + ToText(entry->path().filename());
      if (entry->symlink_status(error).type() != fs::file_type::directory) {
        (listed_.contains(below) ? files_ : foreign_).push_back(below);
        continue;
      }
      below += '/';
      if (with_lists_.contains(name)) (void)AddList(below);
      if (!listed_folders_.contains(below)) {
        foreign_.push_back(below);
        continue;
      }
      folders_.push_back(below);
      Walk(below, entry->path());
    }
    if (error && !error_) error_ = error;
  }

  std::string folder_, first_line_;
  std::set<std::string> listed_, listed_folders_, with_lists_;
  std::vector<std::string> files_, folders_, foreign_;
  std::error_code error_;
};

}  // namespace

std::string FirstLineOfList(std::string_view kind) {
  return fmt::format("{}{}: it wrote these files, and what replaces the folder deletes no others\n",
                     kProgram, kind);
}

std::string ObjectionToReplacing(const std::string& folder, std::string_view kind) {
  const Content content(folder);
  if (content.error()) return content.error().message();
  if (!content.foreign().empty()) {
    return fmt::format(
        "the folder holds something else: {}, which is not in {} there; choose another, or delete it",
        content.foreign().front(), kFileList);
  }
  const std::string_view first = content.first_line();
  const bool is_empty = content.files().empty() && content.folders().empty();
  if (is_empty || first.starts_with(fmt::format("{}{}:", kProgram, kind))) return {};
  return fmt::format(
      "the folder holds something else: it is of {}, not of {}{}; choose another, or delete it",
      first.substr(0, first.find(':')), kProgram, kind);
}

uint64_t CountListed(const std::string& folder) {
  const Content content(folder);
  return static_cast<uint64_t>(std::ranges::count_if(
      content.files(), [](const std::string& name) { return !name.ends_with(kFileList); }));
}

std::error_code RemoveListed(const std::string& folder) {
  const Content content(folder);
  std::error_code error = content.error();
  // The list of the whole comes last: what an interruption leaves can still be told from what somebody else made.
  std::vector<std::string> names = content.files();
  std::erase(names, kFileList);
  // Not of std::ranges: what that returns does not compile with Clang 14.
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return !name.ends_with(kFileList); });
  std::ranges::reverse_copy(content.folders(), std::back_inserter(names));
  if (!error && !content.foreign().empty())
    error = std::make_error_code(std::errc::directory_not_empty);
  if (content.foreign().empty()) names.emplace_back(kFileList);
  for (const std::string& name : names) {
    std::error_code failure;
    fs::remove(ToPath(folder + "/" + name), failure);
    if (failure && !error) error = failure;
  }
  if (!error) fs::remove(ToPath(folder), error);
  return error;
}

}  // namespace dp2trace
