#include "trace_file/form.h"

#include <filesystem>

namespace dp2trace::trace_file {

std::optional<Form> FormOfPath(std::string_view path) {
  if (path.ends_with(".dp2t")) return Form::kBinary;
  if (path.ends_with(".json")) return Form::kJson;
  return std::nullopt;
}

std::string ReadPathOf(const std::string& path) {
  if (path != "-" && FormOfPath(path) == Form::kBinary) return path;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace dp2trace::trace_file
