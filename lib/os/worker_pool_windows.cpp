#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "os/files.h"
#include "os/path.h"
#include "os/process.h"
#include "os/windows.h"
#include "os/worker_pool.h"

namespace dp2trace {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kWorkerOption = "--run-as-worker";
constexpr DWORD kExitOutOfMemory = 101;
constexpr DWORD kExitFailed = 102;

struct Monitor {
  std::mutex mutex;  // of `is_finished` of all processes
  std::condition_variable ended;
};
// Never destroyed: threads may outlive main().
Monitor& TheMonitor() {
  static auto* const monitor = new Monitor;
  return *monitor;
}

struct Pipe {
  Handle reader, writer;
};

std::error_code MakePipe(Pipe& pipe) {
  HANDLE reader = nullptr;
  HANDLE writer = nullptr;
  if (CreatePipe(&reader, &writer, nullptr, 0) == 0) return LastError();
  pipe.reader = Handle(reader);
  pipe.writer = Handle(writer);
  return {};
}

void WriteTo(HANDLE pipe, std::string_view text) {
  constexpr size_t kMost = size_t{1} << 20;
  DWORD written = 0;
  while (!text.empty() &&
         WriteFile(pipe, text.data(), static_cast<DWORD>(std::min(text.size(), kMost)), &written,
                   nullptr) != 0)
    text.remove_prefix(written);
}

std::string ReadFrom(HANDLE pipe) {
  std::string text;
  std::vector<char> piece(65536);
  DWORD count = 0;
  while (ReadFile(pipe, piece.data(), static_cast<DWORD>(piece.size()), &count, nullptr) != 0 &&
         count != 0)
    text.append(piece.data(), count);
  return text;
}

// Empty: there was none.
std::string ExceptionName(DWORD code) {
  constexpr DWORD kAborted = 3;
  return code == kAborted ? "abort()" : CrashName(code);
}

}  // namespace

struct WorkerPool::Process {
  uint64_t id = 0;
  Child child;
  Handle input, output;
  Clock::time_point deadline;
  std::string text;  // what the work returned
  std::string error;
  bool is_finished = false;
  std::thread thread;  // gives the order, and waits for the end

  void Serve(const std::string& order) {
    WriteTo(input.get(), order);
    input.Close();
    text = ReadFrom(output.get());
    (void)WaitForSingleObject(child.process.get(), INFINITE);
    const std::lock_guard lock(TheMonitor().mutex);
    is_finished = true;
    TheMonitor().ended.notify_all();
  }
  void End() {
    (void)TerminateJobObject(child.job.get(), kExitFailed);
    if (thread.joinable()) thread.join();
  }
};

WorkerPool::WorkerPool(const Worker& worker, size_t jobs, const WorkerLimits& limits)
    : worker_(worker), jobs_(jobs), limits_(limits) {}

WorkerPool::~WorkerPool() {
  for (const auto& process : processes_)
    process->End();
}

void WorkerPool::Start(uint64_t id, const std::string& order, uint64_t further_s) {
  Process& started = *processes_.emplace_back(std::make_unique<Process>());
  started.id = id;
  started.deadline = Clock::now() + std::chrono::seconds(limits_.timeout_s + further_s);
  Pipe input;
  Pipe output;
  std::error_code error = MakePipe(input);
  if (!error) error = MakePipe(output);
  if (!error) {
    ChildStart start;
    start.program = ToPath(ProgramPath()).native();
    start.command_line = L"\"" + start.program + L"\" " + ToWide(kWorkerOption) + L" \"" +
                         ToWide(worker_.name) + L"\"";
    start.input = input.reader.get();
    start.output = output.writer.get();
    start.max_memory = limits_.max_memory;
    error = StartChild(start, started.child);
  }
  if (error) {
    started.error = fmt::format("no process for a worker: {}", error.message());
    started.is_finished = true;
    return;
  }
  started.input = std::move(input.writer);
  started.output = std::move(output.reader);
  started.thread = std::thread([&started, order] { started.Serve(order); });
}

WorkerEnd WorkerPool::Finish(size_t index, bool is_late) {
  const std::unique_ptr<Process> process = std::move(processes_[index]);
  processes_.erase(processes_.begin() + static_cast<ptrdiff_t>(index));
  WorkerEnd end{.id = process->id,
                .kind = WorkerEnd::Kind::kCrash,
                .output = {},
                .reason = std::move(process->error)};
  if (!process->thread.joinable()) return end;
  DWORD code = 0;
  if (!is_late) (void)GetExitCodeProcess(process->child.process.get(), &code);
  process->End();
  if (is_late) {
    end.kind = WorkerEnd::Kind::kTimeOut;
    end.reason = fmt::format("it took more than {} s", limits_.timeout_s);
  } else if (const std::string name = ExceptionName(code); !name.empty()) {
    end.reason = fmt::format("its worker was ended by {}", name);
  } else if (code == kExitOutOfMemory) {
    end.kind = WorkerEnd::Kind::kOutOfMemory;
    end.reason = fmt::format("it needs more memory than {} bytes", limits_.max_memory);
  } else if (code != 0) {
    end.reason = fmt::format("its worker ended without a result (exit code {})", code);
  } else {
    end.kind = WorkerEnd::Kind::kFinished;
    end.output = std::move(process->text);
  }
  return end;
}

WorkerEnd WorkerPool::Wait() {
  Monitor& monitor = TheMonitor();
  std::unique_lock lock(monitor.mutex);
  while (true) {
    const auto now = Clock::now();
    Clock::time_point first = Clock::time_point::max();
    size_t late = processes_.size();
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (processes_[i]->is_finished) {
        lock.unlock();
        return Finish(i, false);
      }
      first = std::min(first, processes_[i]->deadline);
      if (late == processes_.size() && now >= processes_[i]->deadline) late = i;
    }
    if (late != processes_.size()) {
      lock.unlock();
      return Finish(late, true);
    }
    (void)monitor.ended.wait_until(lock, first);
  }
}

// The job of a worker (windows.cpp) ends it together with what it has started, without a moment for `leave`.
void LeaveWithParent(std::function<void()> /*leave*/) {}

std::optional<int> RunAsWorker(std::span<const Worker> workers) {
  const std::vector<std::string> arguments = ArgumentsOf(0, nullptr);
  if (arguments.size() != 2 || arguments[0] != kWorkerOption) return std::nullopt;
  const auto worker = std::ranges::find(workers, arguments[1], &Worker::name);
  if (worker == workers.end()) return kExitFailed;
  (void)SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);  // nobody answers questions
  try {
    const std::string order = ReadFrom(GetStdHandle(STD_INPUT_HANDLE));
    const Descriptor output(kStandardOutput);
    return WriteFully(output, AsBytes(worker->work(order))) ? kExitFailed : 0;
  } catch (const std::bad_alloc&) {
    return kExitOutOfMemory;
  } catch (...) {
    return kExitFailed;
  }
}

}  // namespace dp2trace
