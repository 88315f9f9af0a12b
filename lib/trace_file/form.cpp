#include "trace_file/form.h"

namespace dp2trace::trace_file {

std::optional<Form> FormOfPath(std::string_view path) {
  if (path.ends_with(".dp2t")) return Form::kBinary;
  if (path.ends_with(".json")) return Form::kJson;
  return std::nullopt;
}

}  // namespace dp2trace::trace_file
