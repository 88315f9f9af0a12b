#include "golden/worker_pool.h"

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
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/sandbox.h"
#include "base/sanitizers.h"

namespace dp2trace::golden {
namespace {

constexpr int kExitOutOfMemory = 101;
constexpr int kExitFailed = 102;

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
[[noreturn]] void RunWorker(const std::function<std::string()>& work, const WorkerLimits& limits,
                            int pipe, pid_t parent) {
#ifdef __linux__
  (void)prctl(PR_SET_PDEATHSIG,
              SIGKILL);  // NOLINT(cppcoreguidelines-pro-type-vararg): dies with its parent
#endif
  if (getppid() != parent) _exit(kExitFailed);
  // What ends the check, also where a terminal tells its whole group, ends the worker through it, and is no crash of the trace.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    (void)std::signal(signal, SIG_IGN);
  Limit(RLIMIT_CORE, 0);
  if (!kIsSanitized && limits.max_memory != 0) Limit(RLIMIT_AS, limits.max_memory);
  try {
    _exit(WriteAll(pipe, work()) ? EXIT_SUCCESS : kExitFailed);
  } catch (const std::bad_alloc&) {
    _exit(kExitOutOfMemory);
  } catch (...) {
    _exit(kExitFailed);
  }
}

std::string SignalName(int number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGABRT:
      return "SIGABRT";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    case SIGKILL:
      return "SIGKILL";
    case SIGTERM:
      return "SIGTERM";
    default:
      return fmt::format("signal {}", number);
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

WorkerPool::~WorkerPool() {
  for (const Worker& worker : workers_) {
    if (worker.process < 0) continue;
    (void)kill(worker.process, SIGKILL);
    (void)WaitFor(worker.process);
    (void)close(worker.pipe);
  }
}

void WorkerPool::Start(uint64_t id, const std::function<std::string()>& work) {
  Worker worker;
  worker.id = id;
  worker.deadline = Clock::now() + std::chrono::seconds(limits_.timeout_s);
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) {
    worker.error = fmt::format("no pipe for a worker: {}", std::strerror(errno));
    workers_.push_back(std::move(worker));
    return;
  }
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) {
    (void)close(ends[0]);
    RunWorker(work, limits_, ends[1], parent);
  }
  if (process < 0) worker.error = fmt::format("no process for a worker: {}", std::strerror(errno));
  (void)close(ends[1]);
  worker.process = process;
  worker.pipe = ends[0];
  if (process < 0) (void)close(ends[0]);
  (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);  // NOLINT(cppcoreguidelines-pro-type-vararg)
  workers_.push_back(std::move(worker));
}

bool WorkerPool::ReadOutput(Worker& worker) {
  char piece[65536];
  while (true) {
    const ssize_t count = read(worker.pipe, piece, sizeof piece);
    if (count > 0) {
      worker.output.append(piece, static_cast<size_t>(count));
    } else if (count == 0) {
      return true;
    } else if (errno != EINTR) {
      return errno != EAGAIN && errno != EWOULDBLOCK;
    }
  }
}

void WorkerPool::Poll() {
  std::vector<pollfd> pipes;
  Clock::time_point first = Clock::time_point::max();
  for (const Worker& worker : workers_) {
    pipes.push_back({worker.pipe, POLLIN, 0});
    first = std::min(first, worker.deadline);
  }
  constexpr int64_t kLongestWait = 60000;
  const int64_t left =
      std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count() + 1;
  (void)poll(pipes.data(), pipes.size(),
             static_cast<int>(std::clamp<int64_t>(left, 0, kLongestWait)));
}

WorkerEnd WorkerPool::Finish(size_t index, bool is_late) {
  Worker worker = std::move(workers_[index]);
  workers_.erase(workers_.begin() + static_cast<ptrdiff_t>(index));
  WorkerEnd end{.id = worker.id,
                .kind = WorkerEnd::Kind::kCrash,
                .output = {},
                .reason = std::move(worker.error)};
  if (worker.process < 0) return end;
  if (is_late) (void)kill(worker.process, SIGKILL);
  const int status = WaitFor(worker.process);
  (void)close(worker.pipe);
  if (is_late) {
    end.kind = WorkerEnd::Kind::kTimeOut;
    end.reason = fmt::format("it took more than {} s", limits_.timeout_s);
  } else if (WIFSIGNALED(status)) {
    end.reason = fmt::format("its worker was ended by {}", SignalName(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) == kExitOutOfMemory) {
    end.kind = WorkerEnd::Kind::kOutOfMemory;
    end.reason = fmt::format("it needs more memory than {} bytes", limits_.max_memory);
  } else if (WEXITSTATUS(status) != EXIT_SUCCESS) {
    end.reason =
        fmt::format("its worker ended without a result (exit code {})", WEXITSTATUS(status));
  } else {
    end.kind = WorkerEnd::Kind::kFinished;
    end.output = std::move(worker.output);
  }
  return end;
}

WorkerEnd WorkerPool::Wait() {
  while (true) {
    for (size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].process < 0 || ReadOutput(workers_[i])) return Finish(i, false);
    }
    for (size_t i = 0; i < workers_.size(); ++i) {
      if (Clock::now() >= workers_[i].deadline) return Finish(i, true);
    }
    Poll();
  }
}

}  // namespace dp2trace::golden
