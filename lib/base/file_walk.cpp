#include "base/file_walk.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <system_error>

#include "os/path.h"

namespace dp2trace {
namespace {

namespace fs = std::filesystem;

class Walk {
 public:
  explicit Walk(const fs::path& folder) : folders_{folder} {}

  // What stands there itself comes first, then what links lead to.
  FilesBelow Run() {
    while (!folders_.empty() || !links_.empty()) {
      std::deque<fs::path>& next = folders_.empty() ? links_ : folders_;
      const fs::path folder = next.front();
      next.pop_front();
      Look(folder);
    }
    std::ranges::sort(found_.files);
    std::ranges::sort(found_.broken_links);
    std::ranges::sort(found_.unreadable);
    return std::move(found_);
  }

 private:
  void Look(const fs::path& folder) {
    std::error_code error;
    const fs::path place = fs::canonical(folder, error);
    if (!error && !seen_.insert(place).second) return;
    std::vector<fs::path> children;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
      children.push_back(at->path());
    if (error) found_.unreadable.emplace_back(ToText(folder), error.message());
    std::ranges::sort(children);
    for (const fs::path& child : children)
      Sort(child);
  }

  void Sort(const fs::path& child) {
    std::error_code error;
    const bool is_link = fs::is_symlink(fs::symlink_status(child, error));
    const fs::file_status status = fs::status(child, error);
    if (fs::is_directory(status)) {
      (is_link ? links_ : folders_).push_back(child);
    } else if (fs::is_regular_file(status)) {
      found_.files.push_back(ToText(child));
    } else if (is_link && !fs::exists(status)) {
      found_.broken_links.push_back(ToText(child));
    }
  }

  std::deque<fs::path> folders_, links_;  // that are to be looked at
  std::set<fs::path> seen_;
  FilesBelow found_;
};

}  // namespace

FilesBelow FindFilesBelow(const std::string& folder) {
  return Walk(ToPath(folder)).Run();
}

}  // namespace dp2trace
