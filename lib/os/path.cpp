#include "os/path.h"

#include <algorithm>

namespace dp2trace {
namespace {

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

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

bool HasExtension(std::string_view path, std::string_view extension) {
  return path.size() >= extension.size() &&
         std::ranges::equal(path.substr(path.size() - extension.size()), extension, {}, Lower,
                            Lower);
}

std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && EndsInSlash(path))
    path.pop_back();
  return path;
}

}  // namespace dp2trace
