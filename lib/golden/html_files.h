// The files of a golden report that are the same for every run: page, style, scripts. They lie in html/ and are built into the library.
#pragma once

#include <span>
#include <string_view>

namespace dp2trace::golden {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

std::span<const EmbeddedFile> HtmlFiles();

}  // namespace dp2trace::golden
