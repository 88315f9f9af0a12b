#include "os/relative_path.h"

#include <filesystem>
#include <system_error>

#include "os/path.h"

namespace dp2trace {
namespace {

std::filesystem::path WholePath(const std::string& folder) {
  std::error_code error;  // what cannot be looked at is taken as it is named
  const std::filesystem::path named = std::filesystem::absolute(ToPath(folder), error);
  const std::filesystem::path whole = std::filesystem::weakly_canonical(named, error);
  return error ? named.lexically_normal() : whole;
}

}  // namespace

std::string PathFrom(const std::string& folder, const std::string& path) {
  const std::filesystem::path whole = WholePath(FolderOf(path)) / ToPath(NameOf(path));
  const std::filesystem::path relative = whole.lexically_relative(WholePath(folder));
  return ToText(relative.empty() ? whole : relative);
}

std::string PathFromHere(const std::string& path) {
  const std::string here = PathFrom(".", path);
  const bool is_elsewhere = here.starts_with("../") || ToPath(here).is_absolute();
  return is_elsewhere ? ToText(ToPath(path).lexically_normal()) : here;
}

}  // namespace dp2trace
