#include "json/output.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace dp2trace::json {

TEST_CASE("OutputHead: names the program, its version, the schema and the trace") {
  const std::string head = OutputHead("info", "a\"b");
  CHECK(head.starts_with(R"({"tool":"dp2trace","version":")"));
  CHECK(head.ends_with(R"(,"schema":"info/1","trace":"a\"b")"));
  CHECK(OutputHead("list").ends_with(R"("schema":"list/1")"));
}

TEST_CASE("OutputEnd: has the errors, one a line") {
  CHECK(OutputEnd({}) == ",\"errors\":[]}\n");
  const std::vector<std::string> errors = {"{}", "{}"};
  CHECK(OutputEnd(errors) == ",\n\"errors\":[\n{},\n{}\n]}\n");
}

TEST_CASE("ColorJson, RectangleJson: one form each") {
  CHECK(ColorJson({0x20, 0x40, 0x60, 0xff}) == R"("#ff204060")");
  CHECK(RectangleJson(3, 4, 10, 6) == R"({"x":3,"y":4,"width":7,"height":2})");
}

}  // namespace dp2trace::json
