// The two forms of a trace, and the names of their files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace::trace_file {

enum class Form { kBinary, kJson };

// The form that a path names by its extension, ".dp2t" or ".json"; nothing for any other.
std::optional<Form> FormOfPath(std::string_view path);

// What must be readable for reading the trace, files and folders: the file itself, wherever a link leads, and of JSON the folder that it
// is in, since it may have side files there. Standard input, "-", has them in the current folder.
std::vector<std::string> ReadPathsOf(const std::string& path);

}  // namespace dp2trace::trace_file
