#include "trace_file/form.h"

#include "base/output_folder.h"

namespace dp2trace::trace_file {

std::optional<Form> FormOfPath(std::string_view path) {
  if (path.ends_with(".dp2t")) return Form::kBinary;
  if (path.ends_with(".json")) return Form::kJson;
  return std::nullopt;
}

std::vector<std::string> ReadPathsOf(const std::string& path) {
  std::vector<std::string> paths = {path};
  if (path == "-" || FormOfPath(path) == Form::kJson) paths.push_back(FolderOf(path));
  return paths;
}

}  // namespace dp2trace::trace_file
