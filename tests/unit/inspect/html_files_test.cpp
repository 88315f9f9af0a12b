#include "inspect/html_files.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("HtmlFiles: the page and all that it names, each name once") {
  std::string index;
  std::set<std::string> names;
  for (const page::EmbeddedFile& file : inspect::HtmlFiles()) {
    CHECK(std::string(file.text) ==
          ReadText(DP2TRACE_SOURCE_DIR "/lib/inspect/html/" + std::string(file.name)));
    if (file.name == "index.html") index = file.text;
  }
  for (const auto files : {inspect::HtmlFiles(), page::SharedFiles()}) {
    for (const page::EmbeddedFile& file : files) {
      CHECK(names.emplace(file.name).second);
      if (file.name != "index.html")
        CHECK(index.find("\"" + std::string(file.name) + "\"") != std::string::npos);
    }
  }
}
