#include "golden/worker_pool.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <new>

using namespace dp2trace::golden;  // NOLINT(google-build-using-namespace): test file

namespace {

// How one work ends.
WorkerEnd EndOf(const WorkerLimits& limits, const std::function<std::string()>& work) {
  WorkerPool pool(1, limits);
  CHECK(pool.is_empty());
  pool.Start(7, work);
  CHECK(pool.is_full());
  const WorkerEnd end = pool.Wait();
  CHECK(end.id == 7);
  CHECK(pool.is_empty());
  return end;
}

}  // namespace

TEST_CASE("WorkerPool: what the work returns comes back, however long") {
  const std::string text(size_t{1} << 20, 'x');
  const WorkerEnd end = EndOf({60, 0}, [&] { return text; });
  CHECK(end.kind == WorkerEnd::Kind::kFinished);
  CHECK(end.output == text);
}

TEST_CASE("WorkerPool: a worker that dies, throws or lacks memory ends alone") {
  const WorkerEnd killed = EndOf({60, 0}, []() -> std::string {
    (void)std::raise(SIGKILL);
    return {};
  });
  CHECK(killed.kind == WorkerEnd::Kind::kCrash);
  CHECK(killed.reason == "its worker was ended by SIGKILL");
  const WorkerEnd thrown = EndOf({60, 0}, []() -> std::string { throw 1; });
  CHECK(thrown.kind == WorkerEnd::Kind::kCrash);
  const WorkerEnd hungry = EndOf({60, 0}, []() -> std::string { throw std::bad_alloc(); });
  CHECK(hungry.kind == WorkerEnd::Kind::kOutOfMemory);
}

TEST_CASE("WorkerPool: a worker that hangs is ended at its time limit") {
  const WorkerEnd end = EndOf({1, 0}, []() -> std::string {
    while (true)
      (void)pause();
  });
  CHECK(end.kind == WorkerEnd::Kind::kTimeOut);
  CHECK(end.reason == "it took more than 1 s");
}

TEST_CASE("WorkerPool: several workers at once, each with its own output") {
  WorkerPool pool(3, {60, 0});
  for (uint64_t id = 0; id < 3; ++id)
    pool.Start(id, [id] { return std::to_string(id); });
  uint64_t seen = 0;
  while (!pool.is_empty()) {
    const WorkerEnd end = pool.Wait();
    CHECK(end.output == std::to_string(end.id));
    seen |= uint64_t{1} << end.id;
  }
  CHECK(seen == 7);
}
