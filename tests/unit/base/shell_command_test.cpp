#include "base/shell_command.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "support/test_folder.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using std::chrono::milliseconds;

TEST_CASE("shell command: how it ended") {
  CHECK(RunCommand("true").is_success());
  CHECK(Describe(RunCommand("kill -TERM $$")) == "was ended by SIGTERM");
  CHECK(Describe(RunCommand("kill -ABRT $$; exit 0")) == "was ended by SIGABRT");
  CHECK(Describe(RunCommand("exit 139")) == "ended with 139 (SIGSEGV)");
  CHECK(Describe(RunCommand("exit 3")) == "ended with 3");
  CHECK(Describe(RunCommand("kill -9 $$")) == "was ended by SIGKILL");
  CHECK_FALSE(RunCommand("/no/such/program 2> /dev/null").is_success());
}

TEST_CASE("shell command: a limit of time ends it and what it started") {
  // Whatever runs holds an end of the pipe: the other one sees when nobody does any more.
  const testing::TestFolder folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  const CommandEnd end =
      RunCommand("exec 3> '" + pipe + "'; echo runs >&3; sleep 600 & sleep 600", milliseconds(500));
  CHECK(Describe(end) == "took more than 0.5 s");
  char line[8] = {};
  CHECK(read(reader, line, sizeof line) == 5);
  pollfd closed = {.fd = reader, .events = POLLIN, .revents = 0};
  CHECK(poll(&closed, 1, 60000) == 1);
  CHECK(read(reader, line, sizeof line) == 0);
  (void)close(reader);
  CHECK(RunCommand("true", milliseconds(20000)).is_success());
}

TEST_CASE(
    "shell command: what it leaves behind ends with it, and nobody waits for what made itself a session") {
  const testing::TestFolder folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  CHECK(RunCommand("exec 3> '" + pipe + "'; sleep 600 &", milliseconds(60000)).is_success());
  pollfd closed = {.fd = reader, .events = POLLIN, .revents = 0};
  CHECK(poll(&closed, 1, 60000) == 1);
  (void)close(reader);
  CHECK(RunCommand("setsid sleep 3 & exit 0", milliseconds(2000)).is_success());
}

TEST_CASE(
    "shell command: the end of its output is kept, however long it is and whoever has its pipe") {
  const auto output = [](const std::string& command) {
    return RunCommand(command, milliseconds(2000), CommandOutput::kKept).output;
  };
  CHECK(output("echo a; echo b >&2").ends_with("a\nb"));
  CHECK(output("true").empty());
  const std::string cut = output("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i + 1)); done");
  CHECK(cut.starts_with("...\nline "));
  CHECK(cut.ends_with("line 2999"));
  CHECK(cut.size() < 4200);
  CHECK(output("head -c 9000000 /dev/zero; echo; echo end").ends_with("\nend"));
  CHECK(output("echo a; setsid sleep 3 2> /dev/null & exit 0") == "a");
  CHECK(output("exec > /dev/null 2>&1; sleep 0.1").empty());
  const CommandEnd late =
      RunCommand("echo begins; sleep 600", milliseconds(200), CommandOutput::kKept);
  CHECK(late.kind == CommandEnd::Kind::kTimedOut);
  CHECK(late.output == "begins");
  CHECK(RunCommand("true").peak_memory > 10000);
}

TEST_CASE("shell command: it reads from nowhere") {
  CHECK(RunCommand("! read line").is_success());
}

TEST_CASE("shell command: places of a text become values") {
  CHECK(Substitute("run {draw} > {out} {draw}", {{"draw", "7"}, {"out", "a{draw}.png"}}) ==
        "run '7' > 'a{draw}.png' '7'");
  CHECK(Substitute("{", {{"draw", "7"}}) == "{");
  CHECK(Substitute("{draw", {{"draw", "7"}}) == "{draw");
  CHECK(Substitute("awk '{print}'", {{"draw", "7"}}) == "awk '{print}'");
}

TEST_CASE("shell command: a place that is not known is named with those that are") {
  constexpr std::string_view kNames[] = {"trace", "out"};
  CHECK(FindPlaceError("run {trace} {out} {outt}", kNames) ==
        "has {outt}; the places are {trace} and {out}");
  CHECK(FindPlaceError("run '{Out}'", kNames) == "has {Out}; the places are {trace} and {out}");
  CHECK(FindPlaceError("run {frame}", std::span(kNames).first(1)) ==
        "has {frame}; the place is {trace}");
  for (const char* const command : {"run {trace} {out}", "awk '{print}' {trace}", "echo ${HOME}",
                                    "{ run; }", "cp {a,b} {}", "run \"it's\" {", "{1}"})
    CHECK(FindPlaceError(command, kNames).empty());
}

TEST_CASE("shell command: a value is one word, with quotes around its place or without") {
  const std::string value = R"(it's $HOME "a" `b` \c  *{place})";
  const testing::TestFolder folder;
  const std::string file = folder / "a file";
  for (const std::string place :
       {"{v}", "\"{v}\"", "'{v}'", "\"$(printf %s {v})\"", "\"$(printf %s \"{v}\")\"",
        "$(true)'{v}'", "\"\"{v}", "\\'{v}\\'", "\"'{v}'\""}) {
    const bool has_quotes = place.find('\\') != std::string::npos || place == "\"'{v}'\"";
    const std::string wanted = has_quotes ? "'" + value + "'" : value;
    CAPTURE(place);
    CHECK(RunCommand(Substitute("test " + place + " = {w}", {{"v", value}, {"w", wanted}}))
              .is_success());
    CHECK_FALSE(RunCommand(Substitute("test " + place + " = {w}", {{"v", value}, {"w", "x"}}))
                    .is_success());
  }
  CHECK(RunCommand(Substitute("echo x > {out}.txt", {{"out", file}})).is_success());
  CHECK(access((file + ".txt").c_str(), F_OK) == 0);
}
