// The two forms of a trace, and the names of their files.
#pragma once

#include <optional>
#include <string_view>

namespace dp2trace::trace_file {

enum class Form { kBinary, kJson };

// The form that a path names by its extension, ".dp2t" or ".json"; nothing for any other.
std::optional<Form> FormOfPath(std::string_view path);

}  // namespace dp2trace::trace_file
