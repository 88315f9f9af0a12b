// Names of files: UTF-8 with slashes inside the program, what the system has at its border. Nothing else makes a std::filesystem::path of a
// text, or a text of one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace dp2trace {

// Windows: of any length, and with any slashes; what is not UTF-8 comes from ToText().
std::filesystem::path ToPath(std::string_view text);
// Windows: with slashes; a name that is not UTF-16 has its odd halves in three bytes each, as UTF-8 would have them.
std::string ToText(const std::filesystem::path& path);

// The folder that a path lies in; "." for a name without a folder.
std::string FolderOf(const std::string& path);
// The last part of a path.
std::string NameOf(const std::string& path);
// The same with a slash at its end; empty for a name without a folder: what stands before a name in the same folder.
std::string PrefixOf(const std::string& path);
// Whether a path says by its end that it is a folder.
bool EndsInSlash(std::string_view path);
// Whether the name of the file ends so; `extension` is ".png" or the like. Case does not matter.
bool HasExtension(std::string_view path, std::string_view extension);
// Without slashes at its end; the root stays.
std::string WithoutSlashes(std::string path);
// One text for all spellings of a name that mean one file here: Windows does not tell capitals.
std::string FoldCase(std::string_view name);

}  // namespace dp2trace
