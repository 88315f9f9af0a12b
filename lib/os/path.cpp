#include "os/path.h"

namespace dp2trace {

std::string FolderOf(const std::string& path) {
  const std::filesystem::path folder = ToPath(path).parent_path();
  return folder.empty() ? "." : ToText(folder);
}

std::string NameOf(const std::string& path) {
  return ToText(ToPath(path).filename());
}

std::string PrefixOf(const std::string& path) {
  size_t size = path.size();
  while (size > 0 && !EndsInSlash(std::string_view(path).substr(0, size)))
    --size;
  return path.substr(0, size);
}

std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && EndsInSlash(path))
    path.pop_back();
  return path;
}

}  // namespace dp2trace
