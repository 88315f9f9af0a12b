// The files of an inspect page that are the same for every run, beside those that all pages share. They lie in html/ and are built into the
// library.
#pragma once

#include <span>

#include "page/page.h"

namespace dp2trace::inspect {

using page::EmbeddedFile;

std::span<const EmbeddedFile> HtmlFiles();

}  // namespace dp2trace::inspect
