// The two forms of a trace, and the names of their files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dp2trace::trace_file {

enum class Form { kBinary, kJson };

// The form that a path names by its extension, ".dp2t" or ".json"; nothing for any other.
std::optional<Form> FormOfPath(std::string_view path);

// The file or folder below which everything lies that reading the trace may open: the file, or the folder of one in JSON, which may have
// side files. Standard input, "-", has them in the current folder.
std::string ReadPathOf(const std::string& path);

}  // namespace dp2trace::trace_file
