#include "os/sandbox.h"

#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "support/test_folder.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

namespace fs = std::filesystem;

// Whether a process in the sandbox can do it.
bool CanDo(const SandboxPaths& paths, const std::function<bool()>& work) {
  const pid_t process = fork();
  if (process == 0) {
    EnterSandbox(paths);
    _exit(work() ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(process, &status, 0) == process);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status) == 0;
}

bool CanRead(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "r");
  const bool is_read = file != nullptr && std::fgetc(file) == 'x';
  if (file != nullptr) (void)std::fclose(file);
  return is_read;
}

bool CanWrite(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  return std::fclose(file) == 0;
}

struct Folders {
  Folders() {
    for (const char* const name : {"in", "out", "other"}) {
      fs::create_directory(root / name);
      std::ofstream(root / (std::string(name) + "/file")) << 'x';
    }
  }
  SandboxPaths paths() const { return {{root / "in", root / "gone"}, {root / "out"}}; }
  std::string At(const std::string& name) const { return root / name; }
  testing::TestFolder root;
};

bool HasFiles() {
  return SandboxWords().find("Landlock") != std::string::npos;
}
bool HasCalls() {
  return SandboxWords().find("seccomp") != std::string::npos;
}

}  // namespace

TEST_CASE("EnterSandbox: what is named can be read and written, and the rest cannot") {
  const Folders folders;
  const auto can = [&](const std::function<bool()>& work) { return CanDo(folders.paths(), work); };
  CHECK(can([&] { return CanRead(folders.At("in/file")); }));
  CHECK(can([&] { return CanRead(folders.At("out/file")); }));
  CHECK(can([&] { return CanWrite(folders.At("out/new")); }));
  CHECK(can([&] {
    fs::create_directory(folders.At("out/folder"));
    fs::rename(folders.At("out/new"), folders.At("out/folder/renamed"));
    return fs::remove(folders.At("out/folder/renamed"));
  }));
  if (!HasFiles()) return;
  CHECK_FALSE(can([&] { return CanWrite(folders.At("in/file")); }));
  CHECK_FALSE(can([&] { return CanRead(folders.At("other/file")); }));
  CHECK_FALSE(can([&] { return CanWrite(folders.At("other/new")); }));
  CHECK_FALSE(can([&] { return unlink(folders.At("other/file").c_str()) == 0; }));
  CHECK(fs::exists(folders.At("other/file")));
}

TEST_CASE(
    "EnterSandbox: a folder that is removable goes, and nothing else that has something in it") {
  const Folders folders;
  const SandboxPaths paths = {.removable = {folders.At("out")}};
  const auto can = [&](const std::function<bool()>& work) { return CanDo(paths, work); };
  CHECK(can([&] { return CanWrite(folders.At("out/new")); }));
  CHECK(can([&] {
    return fs::remove(folders.At("out/new")) && fs::remove(folders.At("out/file")) &&
           rmdir(folders.At("out").c_str()) == 0;
  }));
  CHECK_FALSE(fs::exists(folders.At("out")));
  if (!HasFiles()) return;
  CHECK_FALSE(can([&] { return unlink(folders.At("other/file").c_str()) == 0; }));
  CHECK_FALSE(can([&] { return CanRead(folders.At("other/file")); }));
}

TEST_CASE("EnterSandbox: a thread that is started later is inside, too") {
  const Folders folders;
  if (!HasFiles()) return;
  CHECK_FALSE(CanDo(folders.paths(), [&] {
    bool is_read = true;
    std::thread([&] { is_read = CanRead(folders.At("other/file")); }).join();
    return is_read;
  }));
}

TEST_CASE(
    "EnterSandbox: no network, no other programs, no signals; a question whether a process lives") {
  const auto can = [](const std::function<bool()>& work) { return CanDo({}, work); };
  CHECK(can([] { return kill(getpid(), 0) == 0; }));
  if (!HasCalls()) return;
  CHECK_FALSE(can([] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }));
  CHECK_FALSE(can([] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }));
  CHECK_FALSE(can([] { return kill(getppid(), SIGCONT) == 0; }));
  CHECK(can([] {
    (void)execl("/bin/true", "true", nullptr);  // NOLINT(*-vararg): the system's call
    return errno == EPERM || errno == EACCES;
  }));
}
