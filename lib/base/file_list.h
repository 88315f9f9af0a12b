// The list, in a folder that the program writes as a whole, of the files that it wrote there: nothing else in it is ever deleted.
//
//   dp2trace golden report: it wrote these files, and what replaces the folder deletes no others
//   index.html
//   inspect/
//
// A line that ends in a slash is a folder whose folders have lists of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace dp2trace {

inline constexpr std::string_view kFileList = ".dp2trace-files";

// The first line of the list that a kind of output has.
std::string FirstLineOfList(std::string_view kind);

// Why a folder must not be replaced by an output of this kind; empty where it may be: it is empty, or holds what its list has and
// nothing else.
std::string ObjectionToReplacing(const std::string& folder, std::string_view kind);

// How many files of the folder its lists have, the lists left out: those that an output there takes away.
uint64_t CountListed(const std::string& folder);

// Deletes what the lists in the folder have, and the folder; the list last. What is not listed stays, and is an error
// (directory_not_empty). A folder that is not there is none.
std::error_code RemoveListed(const std::string& folder);

}  // namespace dp2trace
