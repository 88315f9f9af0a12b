#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include "os/sanitizers.h"
#include "os/shell.h"
#include "os/worker_pool.h"

namespace dp2trace {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kExitOutOfMemory = 101;
constexpr int kExitFailed = 102;

int output_pipe = -1;  // of a worker

// The type of a resource's name differs between systems.
template <class Resource>
void Limit(Resource resource, uint64_t value) {
  const rlimit limit = {static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  (void)setrlimit(resource, &limit);  // a limit that is lower already stays
}

bool WriteAll(int pipe, const std::string& text) {
  for (size_t written = 0; written < text.size();) {
    const ssize_t count = write(pipe, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    written += static_cast<size_t>(count);
  }
  return true;
}

// The life of a worker. Leaves nothing behind: buffers of the parent's output must not be written twice.
[[noreturn]] void RunWorker(const Worker& worker, const std::string& order,
                            const WorkerLimits& limits, int pipe, pid_t parent) {
#ifdef __linux__
  (void)prctl(PR_SET_PDEATHSIG,
              SIGKILL);  // NOLINT(cppcoreguidelines-pro-type-vararg): dies with its parent
#endif
  if (getppid() != parent) _exit(kExitFailed);
  output_pipe = pipe;
  // What ends the check, also where a terminal tells its whole group, ends the worker through it, and is not a crash of the trace.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    (void)std::signal(signal, SIG_IGN);
  Limit(RLIMIT_CORE, 0);
  if (!kIsSanitized && limits.max_memory != 0) Limit(RLIMIT_AS, limits.max_memory);
  try {
    _exit(WriteAll(pipe, worker.work(order)) ? EXIT_SUCCESS : kExitFailed);
  } catch (const std::bad_alloc&) {
    _exit(kExitOutOfMemory);
  } catch (...) {
    _exit(kExitFailed);
  }
}

// Waits for the end of a process that has ended or will end at once.
int WaitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

struct WorkerPool::Process {
  uint64_t id = 0;
  pid_t number = -1;  // -1: could not be started
  int pipe = -1;
  Clock::time_point deadline;
  std::string output;
  std::string error;

  // Reads what is there; true at the end of the output.
  bool ReadOutput() {
    char piece[65536];
    while (true) {
      const ssize_t count = read(pipe, piece, sizeof piece);
      if (count > 0) {
        output.append(piece, static_cast<size_t>(count));
      } else if (count == 0) {
        return true;
      } else if (errno != EINTR) {
        return errno != EAGAIN && errno != EWOULDBLOCK;
      }
    }
  }
};

WorkerPool::WorkerPool(const Worker& worker, size_t jobs, const WorkerLimits& limits)
    : worker_(worker), jobs_(jobs), limits_(limits) {}

WorkerPool::~WorkerPool() {
  for (const auto& process : processes_) {
    if (process->number < 0) continue;
    (void)kill(process->number, SIGKILL);
    (void)WaitFor(process->number);
    (void)close(process->pipe);
  }
}

void WorkerPool::Start(uint64_t id, const std::string& order, uint64_t further_s) {
  Process& started = *processes_.emplace_back(std::make_unique<Process>());
  started.id = id;
  started.deadline = Clock::now() + std::chrono::seconds(limits_.timeout_s + further_s);
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) {
    started.error = fmt::format("no pipe for a worker: {}", std::strerror(errno));
    return;
  }
  // What a worker starts may outlive it, and must not hold the end of its output.
  for (const int end : ends)
    (void)fcntl(end, F_SETFD, FD_CLOEXEC);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    // The pipes of the others have one reader, too: the program.
    for (const auto& process : processes_)
      (void)close(process->pipe);
    (void)close(ends[0]);
    RunWorker(worker_, order, limits_, ends[1], parent);
  }
  if (child < 0) started.error = fmt::format("no process for a worker: {}", std::strerror(errno));
  (void)close(ends[1]);
  started.number = child;
  started.pipe = ends[0];
  if (child < 0) (void)close(ends[0]);
  (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);  // NOLINT(cppcoreguidelines-pro-type-vararg)
}

WorkerEnd WorkerPool::Finish(size_t index, bool is_late) {
  const std::unique_ptr<Process> process = std::move(processes_[index]);
  processes_.erase(processes_.begin() + static_cast<ptrdiff_t>(index));
  WorkerEnd end{.id = process->id,
                .kind = WorkerEnd::Kind::kCrash,
                .output = {},
                .reason = std::move(process->error)};
  if (process->number < 0) return end;
  if (is_late) (void)kill(process->number, SIGKILL);
  const int status = WaitFor(process->number);
  (void)close(process->pipe);
  if (is_late) {
    end.kind = WorkerEnd::Kind::kTimeOut;
    end.reason = fmt::format("it took more than {} s", limits_.timeout_s);
  } else if (WIFSIGNALED(status)) {
    end.reason = "its worker " + Describe({CommandEnd::Kind::kSignaled, WTERMSIG(status)});
  } else if (WEXITSTATUS(status) == kExitOutOfMemory) {
    end.kind = WorkerEnd::Kind::kOutOfMemory;
    end.reason = fmt::format("it needs more memory than {} bytes", limits_.max_memory);
  } else if (WEXITSTATUS(status) != EXIT_SUCCESS) {
    end.reason =
        fmt::format("its worker ended without a result (exit code {})", WEXITSTATUS(status));
  } else {
    end.kind = WorkerEnd::Kind::kFinished;
    end.output = std::move(process->output);
  }
  return end;
}

WorkerEnd WorkerPool::Wait() {
  constexpr int64_t kLongestWait = 60000;
  while (true) {
    std::vector<pollfd> pipes;
    Clock::time_point first = Clock::time_point::max();
    for (size_t i = 0; i < processes_.size(); ++i) {
      Process& process = *processes_[i];
      if (process.number < 0 || process.ReadOutput()) return Finish(i, false);
      pipes.push_back({process.pipe, POLLIN, 0});
      first = std::min(first, process.deadline);
    }
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (Clock::now() >= processes_[i]->deadline) return Finish(i, true);
    }
    const int64_t left =
        std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count() + 1;
    (void)poll(pipes.data(), pipes.size(),
               static_cast<int>(std::clamp<int64_t>(left, 0, kLongestWait)));
  }
}

void LeaveWithParent(std::function<void()> leave) {
#ifdef __linux__
  (void)prctl(PR_SET_PDEATHSIG, 0);  // NOLINT(cppcoreguidelines-pro-type-vararg)
#endif
  std::thread([leave = std::move(leave)] {
    // Nobody reads the output any more.
    pollfd unread = {output_pipe, 0, 0};
    while (poll(&unread, 1, -1) < 0 && errno == EINTR) {
    }
    leave();
    _exit(kExitFailed);
  }).detach();
}

std::optional<int> RunAsWorker(std::span<const Worker> /*workers*/) {
  return std::nullopt;
}

}  // namespace dp2trace
