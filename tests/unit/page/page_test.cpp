#include "page/page.h"

#include <doctest/doctest.h>

#include <string>

#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("SharedFiles: the files of the folder, byte for byte") {
  CHECK(page::SharedFiles().size() == 5);
  for (const page::EmbeddedFile& file : page::SharedFiles()) {
    CHECK(std::string(file.text) ==
          ReadText(DP2TRACE_SOURCE_DIR "/lib/page/html/" + std::string(file.name)));
  }
}

TEST_CASE("DataScript: a call with the name that its file lies under") {
  CHECK(page::DataFile("rows/match-1") == "data/rows/match-1.js");
  CHECK(page::DataScript("rows/match-1", "[1]") == "pageData(\"rows/match-1\",[1]);\n");
}

TEST_CASE("DataScript: no text of a trace ends a script") {
  CHECK(page::DataScript("run", R"(["</script><b>","a</",1])") ==
        "pageData(\"run\",[\"<\\/script><b>\",\"a<\\/\",1]);\n");
}
