#include "os/worker_pool.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>

#include "os/shell.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

std::string Lengthen(const std::string& order) {
  return order + std::string(size_t{1} << 20, 'x');
}
std::string Repeat(const std::string& order) {
  return order;
}
std::string Abort(const std::string& /*order*/) {
  (void)std::signal(SIGABRT, SIG_DFL);  // doctest has a handler
  std::abort();
}
std::string Throw(const std::string& /*order*/) {
  throw 1;
}
std::string LackMemory(const std::string& /*order*/) {
  throw std::bad_alloc();
}
std::string Hang(const std::string& /*order*/) {
  while (true)
    std::this_thread::sleep_for(std::chrono::hours(1));
}
// What it starts lives on.
std::string Leave(const std::string& order) {
  (void)ShellCommand::Start("sleep 3");
  return order;
}

constexpr Worker kLengthen = {"lengthen", Lengthen}, kRepeat = {"repeat", Repeat},
                 kAbort = {"abort", Abort}, kThrow = {"throw", Throw},
                 kLackMemory = {"lack memory", LackMemory}, kHang = {"hang", Hang},
                 kLeave = {"leave", Leave};

// A program that is started as a worker does that work before its main().
[[maybe_unused]] const bool kIsNoWorker = [] {
  constexpr Worker kWorkers[] = {kLengthen, kRepeat, kAbort, kThrow, kLackMemory, kHang, kLeave};
  if (const std::optional<int> code = RunAsWorker(kWorkers)) std::_Exit(*code);
  return true;
}();

// How one work ends.
WorkerEnd EndOf(const WorkerLimits& limits, const Worker& worker) {
  WorkerPool pool(worker, 1, limits);
  CHECK(pool.is_empty());
  pool.Start(7, "order");
  CHECK(pool.is_full());
  const WorkerEnd end = pool.Wait();
  CHECK(end.id == 7);
  CHECK(pool.is_empty());
  return end;
}

}  // namespace

TEST_CASE("WorkerPool: what the work returns comes back, however long") {
  const WorkerEnd end = EndOf({60, 0}, kLengthen);
  CHECK(end.kind == WorkerEnd::Kind::kFinished);
  CHECK(end.output == Lengthen("order"));
}

TEST_CASE("WorkerPool: an order may be long, too") {
  WorkerPool pool(kRepeat, 1, {60, 0});
  const std::string order(size_t{1} << 20, 'y');
  pool.Start(7, order);
  CHECK(pool.Wait().output == order);
}

TEST_CASE("WorkerPool: a worker that dies, throws or lacks memory ends only its work") {
  const WorkerEnd died = EndOf({60, 0}, kAbort);
  CHECK(died.kind == WorkerEnd::Kind::kCrash);
  CHECK(died.reason.starts_with("its worker was ended by "));
  const WorkerEnd thrown = EndOf({60, 0}, kThrow);
  CHECK(thrown.kind == WorkerEnd::Kind::kCrash);
  CHECK(thrown.reason == "its worker ended without a result (exit code 102)");
  CHECK(EndOf({60, 0}, kLackMemory).kind == WorkerEnd::Kind::kOutOfMemory);
}

TEST_CASE("WorkerPool: a worker that hangs is ended at its time limit") {
  const WorkerEnd end = EndOf({1, 0}, kHang);
  CHECK(end.kind == WorkerEnd::Kind::kTimeOut);
  CHECK(end.reason == "it took more than 1 s");
}

TEST_CASE("WorkerPool: several workers at once, each with its own output") {
  WorkerPool pool(kRepeat, 3, {60, 0});
  for (uint64_t id = 0; id < 3; ++id)
    pool.Start(id, std::to_string(id));
  uint64_t seen = 0;
  while (!pool.is_empty()) {
    const WorkerEnd end = pool.Wait();
    CHECK(end.output == std::to_string(end.id));
    seen |= uint64_t{1} << end.id;
  }
  CHECK(seen == 7);
}

TEST_CASE("WorkerPool: a process that a worker leaves behind does not hold its output") {
  CHECK(EndOf({.timeout_s = 2}, kLeave).kind == WorkerEnd::Kind::kFinished);
}
