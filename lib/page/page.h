// What pages that the program writes share: they lie in a folder, open from a disk without any network, and load their data piece by
// piece. The files in html/ are built into the library: the base style, the loader of data, elements, keys, panes for pictures.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dp2trace::page {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

// Every page needs them beside its own, in the same folder.
std::span<const EmbeddedFile> SharedFiles();

// A file of data lies at data/NAME.js: a page from a disk may load scripts, nothing else.
std::string DataFile(std::string_view name);
// Its text, which hands a value to the page. `value` is JSON, which is JavaScript.
std::string DataScript(std::string_view name, std::string_view value);

}  // namespace dp2trace::page
