#include "coverage/feature_table.h"

#include <doctest/doctest.h>

namespace dp2trace::coverage {

TEST_CASE("Features: supported where all traces are right, and else as they ended") {
  std::vector<JudgedTrace> traces = {
      {{"a", {"operations/CLEAR", "formats/R5G6B5", "rules/DP2-STREAM-001"}}, Verdict::kRight},
      {{"b", {"operations/CLEAR", "operations/TEXBLT", "formats/A8R8G8B8"}}, Verdict::kWrong},
      {{"c", {"operations/TEXBLT", "formats/X8R8G8B8"}}, Verdict::kCrashed},
      {{"n", {"formats/X8R8G8B8", "formats/A4R4G4B4"}}, Verdict::kTimedOut},
      {{"m", {"formats/X8R8G8B8", "formats/A4R4G4B4", "formats/A1R5G5B5"}}, Verdict::kNoPicture}};
  const std::string text = FeatureTable(traces, tables::ListFormat::kMarkdown);
  CHECK(text.find("| Operations | 0 | 1 | 0 | 0 | 0 | 1 |") != std::string::npos);
  CHECK(text.find("| Formats | 1 | 0 | 1 | 1 | 1 | 1 |") != std::string::npos);
  CHECK(text.find("| CLEAR | partly | 1 | 1 | 0 | 0 | 0 | b |") != std::string::npos);
  CHECK(text.find("| TEXBLT | crashed | 0 | 1 | 0 | 0 | 1 | b c |") != std::string::npos);
  CHECK(text.find("| A8R8G8B8 | wrong | 0 | 1 | 0 | 0 | 0 | b |") != std::string::npos);
  CHECK(text.find("| X8R8G8B8 | crashed | 0 | 0 | 1 | 1 | 1 | c n m |") != std::string::npos);
  CHECK(text.find("| A4R4G4B4 | timed out | 0 | 0 | 1 | 1 | 0 | n m |") != std::string::npos);
  CHECK(text.find("| A1R5G5B5 | no picture | 0 | 0 | 1 | 0 | 0 | m |") != std::string::npos);
  CHECK(text.find("| R5G6B5 | supported | 1 | 0 | 0 | 0 | 0 |") != std::string::npos);
  CHECK(text.find("DP2-STREAM-001") == std::string::npos);
  CHECK(text.find("DRAWPRIMITIVE2") == std::string::npos);

  for (char name = 'd'; name <= 'i'; ++name)
    traces.push_back({{std::string(1, name), {"operations/CLEAR"}}, Verdict::kWrong});
  CHECK(FeatureTable(traces, tables::ListFormat::kText).find("b d e f g and 2 more") !=
        std::string::npos);
}

}  // namespace dp2trace::coverage
