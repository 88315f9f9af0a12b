// The two forms of a trace, and the names of their files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace dp2trace::trace_file {

enum class Form { kBinary, kJson };

// The form that a path names by its extension, ".dp2t" or ".json" in any case; nothing for any other.
std::optional<Form> FormOfPath(std::string_view path);

// What the first bytes of a file say: a container, or an array of JSON; nothing for anything else.
std::optional<Form> FormOfStart(Bytes start);

// The form that a file or standard input is in by its first bytes; where these say neither, and of named
// pipes, which may have no writer yet, by its name. Fails where the file cannot be read.
Result<std::optional<Form>> FormOf(InputFile& file);
Result<std::optional<Form>> FormOfFile(const std::string& path);

// What must be readable for reading the trace, files and folders: the file itself, wherever a link leads, and where its name does not say
// that it is a container, the folder that it is in, since JSON may have side files there. Standard input, "-", has them in the current folder.
std::vector<std::string> ReadPathsOf(const std::string& path);

}  // namespace dp2trace::trace_file
