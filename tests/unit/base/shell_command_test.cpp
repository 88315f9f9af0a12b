#include "base/shell_command.h"

#include <doctest/doctest.h>

#include <csignal>
#include <string>

#include "support/test_folder.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using std::chrono::milliseconds;

TEST_CASE("shell command: how it ended") {
  CHECK(RunCommand("true").is_success());
  CHECK(RunCommand("exit 3") == CommandEnd{CommandEnd::Kind::kExited, 3});
  CHECK(RunCommand("kill -TERM $$") == CommandEnd{CommandEnd::Kind::kSignaled, SIGTERM});
  CHECK(Describe(RunCommand("exit 3")) == "ended with 3");
  CHECK(Describe(RunCommand("kill -9 $$")) == "was ended by signal 9");
  CHECK_FALSE(RunCommand("/no/such/program 2> /dev/null").is_success());
}

TEST_CASE("shell command: a limit of time ends it and what it started") {
  const testing::TestFolder folder;
  const std::string file = folder / "late";
  const auto start = std::chrono::steady_clock::now();
  const CommandEnd end = RunCommand("(sleep 3; touch '" + file + "') & sleep 30", milliseconds(50));
  CHECK(end.kind == CommandEnd::Kind::kTimedOut);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  CHECK(RunCommand("sleep 4; test ! -e '" + file + "'").is_success());
  CHECK(RunCommand("true", milliseconds(20000)).is_success());
}

TEST_CASE("shell command: it reads from nowhere") {
  CHECK(RunCommand("! read line").is_success());
}

TEST_CASE("shell command: places of a text become values") {
  CHECK(Substitute("run {draw} > {out} {draw}", {{"draw", "7"}, {"out", "a{draw}.png"}}) ==
        "run 7 > a{draw}.png 7");
  CHECK(Substitute("{", {{"draw", "7"}}) == "{");
  CHECK(Substitute("{draw", {{"draw", "7"}}) == "{draw");
  CHECK(Substitute("awk '{print}'", {{"draw", "7"}}) == "awk '{print}'");
}
