// Runs command lines of dp2trace one after the other, each in a fork of itself: what a sanitizer sets up at the start of a program is done once.
// Reads lines "ERRORS<tab>SECONDS<tab>ARGUMENT<tab>...", where ERRORS is the file that standard error goes to, and answers each by a line
// "STATUS KIBIBYTES": the exit code or minus the signal that ended the run (SIGXCPU: it took more than SECONDS of processor time, SIGALRM: it does not end at all), and the memory it used.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "program.h"

namespace {

std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == '\t') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

void Redirect(const char* path, int flags, int to) {
  const int file = open(path, flags, 0644);
  if (file < 0 || dup2(file, to) < 0) _exit(127);
  close(file);
}

// Processor time, as a busy machine gives a run little of it; the clock ends one that waits for ever.
void LimitTime(unsigned long seconds) {
  constexpr unsigned kPatience = 20;
  const rlimit limit = {.rlim_cur = seconds, .rlim_max = seconds + 1};
  if (setrlimit(RLIMIT_CPU, &limit) != 0) _exit(127);
  alarm(static_cast<unsigned>(seconds) * kPatience);
}

[[noreturn]] void RunForked(std::vector<std::string>& words) {
  Redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  Redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
  Redirect(words[0].c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  LimitTime(std::stoul(words[1]));
  words[1] = "dp2trace";
  std::vector<char*> arguments;
  for (size_t i = 1; i < words.size(); ++i)
    arguments.push_back(words[i].data());
  arguments.push_back(nullptr);
  std::exit(dp2trace::app::RunProgram(static_cast<int>(arguments.size()) - 1, arguments.data()));
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> words = Split(line);
    if (words.size() < 3) return 2;
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) RunForked(words);
    int status = 0;
    rusage used{};
    if (wait4(child, &status, 0, &used) != child) return 1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    (void)std::printf("%d %ld\n", code, used.ru_maxrss);
    (void)std::fflush(stdout);
  }
  return 0;
}
