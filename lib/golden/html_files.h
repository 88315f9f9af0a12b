// The files of a golden report that are the same for every run, beside those that all pages share: page, style, scripts. They lie in html/
// and are built into the library.
#pragma once

#include <span>

#include "page/page.h"

namespace dp2trace::golden {

using page::EmbeddedFile;

std::span<const EmbeddedFile> HtmlFiles();

}  // namespace dp2trace::golden
