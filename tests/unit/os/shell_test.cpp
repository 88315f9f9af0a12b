#include "os/shell.h"

#include <doctest/doctest.h>

#include <cerrno>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using std::chrono::milliseconds;

TEST_CASE("shell: how a command ended, in words") {
  ShellCommand command = ShellCommand::Start("exit 3");
  REQUIRE_FALSE(command.name().empty());
  CHECK(command.AwaitEnd(milliseconds(60000)));
  CHECK(Describe(command.Finish()) == "ended with 3");
  CHECK(Describe({CommandEnd::Kind::kSignaled, 99}) == "was ended by signal 99");
  CHECK(Describe({CommandEnd::Kind::kTimedOut, 1500}) == "took more than 1.5 s");
  CHECK(Describe({CommandEnd::Kind::kNotStarted, ENOENT}) ==
        "could not be started: No such file or directory");
}

TEST_CASE("shell: a command that is ended from elsewhere") {
  ShellCommand command = ShellCommand::Start("sleep 600");
  command.killer()();
  CHECK(command.AwaitEnd(std::nullopt));
  CHECK_FALSE(command.Finish().is_success());
}
