#include "os/path.h"

namespace dp2trace {

std::filesystem::path ToPath(std::string_view text) {
  return text;
}

std::string ToText(const std::filesystem::path& path) {
  return path.string();
}

bool EndsInSlash(std::string_view path) {
  return path.ends_with('/');
}

std::string FoldCase(std::string_view name) {
  return std::string(name);
}

}  // namespace dp2trace
