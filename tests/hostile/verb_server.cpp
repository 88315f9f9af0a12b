// Runs command lines of dp2trace one after the other in forks of itself: what a sanitizer sets up at the start of a program is done once.
// usage: verb_server [RUNS]    how many of them a fork runs, 1 unless given; more is for builds whose verbs do not lock themselves in
// Reads lines "ERRORS<tab>SECONDS<tab>ARGUMENT<tab>...", where ERRORS is the file that standard error goes to, and answers each by a line
// "STATUS KIBIBYTES": the exit code or minus the signal that ended the run (SIGXCPU: it took more than SECONDS of processor time, SIGALRM: it
// does not end at all), and the most memory that its process used. What a sanitizer says at the end of a process (leaks) is the answer for the last of its runs.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
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
  rusage used{};
  rlimit limit{};
  if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) _exit(127);
  limit.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + seconds;
  if (setrlimit(RLIMIT_CPU, &limit) != 0) _exit(127);
  alarm(static_cast<unsigned>(seconds) * kPatience);
}

// The most memory of the process counts from here on.
void ForgetMemory() {
  const int file = open("/proc/self/clear_refs", O_WRONLY);
  if (file < 0 || write(file, "5", 1) != 1) _exit(127);
  close(file);
}

// Its exit code.
int Run(const std::string& line) {
  std::vector<std::string> words = Split(line);
  if (words.size() < 3) _exit(127);
  Redirect(words[0].c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  LimitTime(std::stoul(words[1]));
  words[1] = "dp2trace";
  std::vector<char*> arguments;
  for (size_t i = 1; i < words.size(); ++i)
    arguments.push_back(words[i].data());
  arguments.push_back(nullptr);
  return dp2trace::app::RunProgram(static_cast<int>(arguments.size()) - 1, arguments.data());
}

struct Outcome {
  int code = 0;     // of exit, or minus a signal
  long memory = 0;  // KiB
};

// A fork that runs command lines until it dies or is told to end.
class Runner {
 public:
  Runner() {
    int lines[2] = {};
    int answers[2] = {};
    if (pipe2(lines, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0) std::exit(1);
    process_ = fork();
    if (process_ < 0) std::exit(1);
    if (process_ == 0) {
      close(lines[1]);
      close(answers[0]);
      RunLines(fdopen(lines[0], "r"), fdopen(answers[1], "w"));
    }
    close(lines[0]);
    close(answers[1]);
    lines_ = fdopen(lines[1], "w");
    answers_ = fdopen(answers[0], "r");
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner() { End(); }

  // None where the process is gone.
  std::optional<Outcome> Do(const std::string& line) {
    Outcome outcome;
    const bool is_sent = std::fprintf(lines_, "%s\n", line.c_str()) > 0 && std::fflush(lines_) == 0;
    if (!is_sent || std::fscanf(answers_, "%d %ld", &outcome.code, &outcome.memory) != 2)
      return std::nullopt;
    return outcome;
  }

  // How the process ended.
  Outcome End() {
    if (process_ == 0) return {};
    (void)std::fclose(lines_);
    (void)std::fclose(answers_);
    int status = 0;
    rusage used{};
    if (wait4(std::exchange(process_, 0), &status, 0, &used) < 0) std::exit(1);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), used.ru_maxrss};
  }

 private:
  [[noreturn]] static void RunLines(std::FILE* lines, std::FILE* answers) {
    // A program that ignores these waits for none of them: each run would start a thread for it.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      (void)std::signal(signal, SIG_IGN);
    Redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    Redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
    char* line = nullptr;
    size_t capacity = 0;
    for (ssize_t size = 0; (size = getline(&line, &capacity, lines)) > 0;) {
      ForgetMemory();
      const int code = Run(std::string(line, static_cast<size_t>(size - 1)));
      rusage used{};
      if (getrusage(RUSAGE_SELF, &used) != 0) _exit(127);
      (void)std::fprintf(answers, "%d %ld\n", code, used.ru_maxrss);
      (void)std::fflush(answers);
    }
    std::free(line);
    alarm(0);
    std::exit(0);
  }

  pid_t process_ = 0;
  std::FILE* lines_ = nullptr;
  std::FILE* answers_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const unsigned long runs = argc > 1 ? std::stoul(argv[1]) : 1;
  (void)std::signal(SIGPIPE, SIG_IGN);
  std::optional<Runner> runner;
  unsigned long done = 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (!runner) {
      runner.emplace();
      done = 0;
    }
    std::optional<Outcome> outcome = runner->Do(line);
    if (!outcome || ++done == runs) {
      const Outcome end = runner->End();
      if (!outcome || end.code != 0) outcome = end;
      runner.reset();
    }
    (void)std::printf("%d %ld\n", outcome->code, outcome->memory);
    (void)std::fflush(stdout);
  }
  return 0;
}
