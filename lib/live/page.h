// The live page as one file: what an inspect page consists of, what is beside it (html/), and whom it asks: the engine inside of it, or the
// program that serves it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "page/page.h"

namespace dp2trace::live {

using page::EmbeddedFile;

// The files of html/.
std::span<const EmbeddedFile> HtmlFiles();

// A trace that comes with the page.
struct OwnTrace {
  std::string name;   // with its extension
  std::string title;  // of an example
  std::vector<uint8_t> bytes;
  std::string part = {};  // which part of a longer one it is; empty: it is whole
};

struct PageContent {
  Bytes engine;                     // engine.wasm; empty: the page is served, and asks the server
  const OwnTrace* trace = nullptr;  // is shown at once; null: the page waits for one
  std::vector<OwnTrace> examples = {};
};

// The name of a function that the page calls and the engine does not have; empty: it has them all.
std::string_view MissingExport(Bytes engine);

// Needs no other file and no network, and says so to the browser (Content-Security-Policy).
std::string PageText(const PageContent& content);

}  // namespace dp2trace::live
