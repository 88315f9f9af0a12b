#include "lint/split_run.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "lint/part_reader.h"
#include "replay/runner.h"
#include "validate/findings.h"

namespace dp2trace::lint {
namespace {

using validate::ContextNews;
using ContextKey = std::pair<uint32_t, uint64_t>;  // space and id

constexpr size_t kMaxWaitingSize = size_t{32} << 20;  // bytes of parts that are read ahead
constexpr size_t kMaxSpares = 8;                      // parts whose memory is kept for others
constexpr size_t kMaxSpareSize = size_t{2} << 20;     // bytes of such a part

// A thread's own way through the trace.
struct Walker {
  explicit Walker(const LintJob& job)
      : findings(job.limits), runner(job.validation, findings, observer) {}

  DiagnosticList findings;  // of the part that is being weighed
  replay::Observer observer;
  replay::Runner runner;
  const WorkBudget& work() const { return runner.device().work(); }
  std::set<ContextKey> stale;  // contexts whose news the runner may not have
  // The news of these contexts are what the runner supposes, not what is known.
  void Doubt(const replay::News& news) {
    for (const auto& [key, told] : news.contexts)
      stale.insert(key);
  }
};

enum class Stage : uint8_t { kFree, kClaimed, kWeighed, kAccepted };

struct Slot {
  std::unique_ptr<Part> part;
  size_t walkers = 0;  // that are behind it
  Stage stage = Stage::kFree;
  const Walker* owner = nullptr;
  size_t accepted = 0;  // parts before it whose findings were known when it was claimed
  DiagnosticList findings;
  replay::News news;
  uint64_t steps = 0;  // of the work that weighing it took
};

// What the claimed part starts from.
struct Start {
  std::vector<std::pair<ContextKey, ContextNews>> news;
  validate::ShaderCombinations shader_links;
};

class Split {
 public:
  Split(trace_file::Source& source, DiagnosticList& reading, const LintJob& job, LintResult& result)
      : source_(&source),
        reading_(&reading),
        reader_(source, reading, job.part_size),
        job_(job),
        result_(&result) {}

  // False where one thread has to find out where the trace takes more work than it may.
  bool Run();

 private:
  void Work(Walker& walker);
  const Part* Get(size_t index, std::unique_lock<std::mutex>& lock);
  bool CanRead() const;
  // Nobody goes on.
  bool IsOver() const { return failure_ != nullptr || is_too_much_; }
  void Read(std::unique_lock<std::mutex>& lock);
  // What is known to have been told.
  ContextNews NewsOf(const ContextKey& key) const;
  Start Claim(size_t index, Walker& walker);
  // Returns the steps of its work.
  uint64_t Weigh(const Part& part, const Start& start, Walker& walker);
  void PassOver(const Part& part, Walker& walker);
  // Hands over what was found in a part that was claimed; waits where the next one would hang on it.
  void Deliver(size_t index, uint64_t steps, Walker& walker, std::unique_lock<std::mutex>& lock);
  void Accept();
  void ForgetSession();
  void Leave(size_t index);
  Slot& At(size_t index) { return slots_[index - first_]; }

  trace_file::Source* source_;
  DiagnosticList* reading_;
  PartReader reader_;  // of the thread that has set is_reading_
  const LintJob& job_;
  LintResult* result_;
  std::deque<Walker> walkers_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Slot> slots_;                     // parts that not everyone has passed
  std::vector<std::unique_ptr<Part>> spares_;  // that are done, for their memory
  size_t first_ = 0;                           // number of the first of the slots
  size_t accepted_ = 0;                        // parts whose findings are in the result
  size_t news_end_ = 0;                        // one past the last of these that told something new
  std::map<ContextKey, ContextNews> news_;
  validate::ShaderCombinations shader_links_;
  bool is_reading_ = false;
  bool is_ended_ = false;
  uint64_t steps_ = 0;  // of the parts whose findings are in the result
  bool is_too_much_ = false;
  std::exception_ptr failure_;
};

bool Split::CanRead() const {
  if (is_reading_) return false;
  uint64_t size = 0;
  for (const Slot& slot : slots_)
    size += slot.part->size;
  return slots_.empty() || (size < kMaxWaitingSize && slots_.size() < 2 * size_t{job_.threads} + 2);
}

void Split::Read(std::unique_lock<std::mutex>& lock) {
  is_reading_ = true;
  std::unique_ptr<Part> spare;
  if (!spares_.empty()) {
    spare = std::move(spares_.back());
    spares_.pop_back();
  }
  lock.unlock();
  std::unique_ptr<Part> part = reader_.Next(std::move(spare));
  if (part != nullptr) {
    for (const PartEvent& event : part->events) {
      if (std::holds_alternative<trace::Present>(event.event))
        result_->frame_ends.push_back(event.number);
    }
    if (job_.progress) job_.progress(result_->file, source_->position(), source_->size());
  }
  lock.lock();
  is_reading_ = false;
  is_ended_ = reader_.is_ended();
  if (part != nullptr) slots_.emplace_back().part = std::move(part);
  changed_.notify_all();
}

// Null behind the last one, or when another thread has failed.
const Part* Split::Get(size_t index, std::unique_lock<std::mutex>& lock) {
  while (!IsOver()) {
    if (index < first_ + slots_.size()) return At(index).part.get();
    if (is_ended_) return nullptr;
    if (CanRead()) {
      Read(lock);
    } else {
      changed_.wait(lock);
    }
  }
  return nullptr;
}

ContextNews Split::NewsOf(const ContextKey& key) const {
  const auto known = news_.find(key);
  return known == news_.end() ? ContextNews() : known->second;
}

Start Split::Claim(size_t index, Walker& walker) {
  Slot& slot = At(index);
  slot.stage = Stage::kClaimed;
  slot.owner = &walker;
  slot.accepted = accepted_;
  Start start;
  for (const ContextKey& key : std::exchange(walker.stale, {}))
    start.news.emplace_back(key, NewsOf(key));
  start.shader_links = shader_links_;
  return start;
}

uint64_t Split::Weigh(const Part& part, const Start& start, Walker& walker) {
  const uint64_t before = walker.work().spent();
  for (const auto& [key, news] : start.news)
    walker.runner.SetNews(key, news);
  walker.runner.SetShaderLinks(start.shader_links);
  walker.runner.StartInterval();
  auto finding = part.findings.begin();
  for (size_t i = 0; i < part.events.size(); ++i) {
    for (; finding != part.findings.end() && finding->first == i; ++finding)
      validate::AddWeighed(walker.findings, job_.validation.rules, finding->second);
    const PartEvent& event = part.events[i];
    (void)walker.runner.OnEvent(event.number, event.event);
  }
  return walker.work().spent() - before;
}

void Split::PassOver(const Part& part, Walker& walker) {
  walker.runner.StartInterval();
  for (const PartEvent& event : part.events)
    walker.runner.PassOver(event.number, event.event);
}

void Split::Deliver(size_t index, uint64_t steps, Walker& walker,
                    std::unique_lock<std::mutex>& lock) {
  replay::News news = walker.runner.TakeNews();
  DiagnosticList findings = std::exchange(walker.findings, DiagnosticList(job_.limits));
  lock.lock();
  Slot& slot = At(index);
  const bool has_changed = news.has_changed;
  walker.Doubt(news);
  if (slot.owner != &walker) return;  // what it supposed was wrong
  slot.stage = Stage::kWeighed;
  slot.findings = std::move(findings);
  slot.news = std::move(news);
  slot.steps = steps;
  Accept();
  changed_.wait(lock, [&] {
    return !has_changed || slot.owner != &walker || slot.stage == Stage::kAccepted || IsOver();
  });
}

// Takes what is known to be right into the result, in order.
void Split::Accept() {
  for (; accepted_ < first_ + slots_.size(); ++accepted_) {
    Slot& slot = At(accepted_);
    if (slot.stage == Stage::kFree) break;
    if (slot.accepted < news_end_) {
      slot.stage = Stage::kFree;
      slot.owner = nullptr;
      break;
    }
    if (slot.stage != Stage::kWeighed) break;
    slot.stage = Stage::kAccepted;
    steps_ += slot.steps;
    result_->findings.Append(std::exchange(slot.findings, DiagnosticList()));
    const replay::News news = std::exchange(slot.news, {});
    if (!news.has_changed) continue;
    news_end_ = accepted_ + 1;
    shader_links_ = news.shader_links;
    for (Walker& walker : walkers_)
      walker.Doubt(news);
    if (news.ends_session) ForgetSession();
    for (const auto& [key, told] : news.contexts) {
      if (told) {
        news_[key] = *told;
      } else {
        news_.erase(key);
      }
    }
  }
  changed_.notify_all();
}

// A walker ahead may have given what was known before the end of the session to contexts of the next one.
void Split::ForgetSession() {
  for (const auto& [key, told] : std::exchange(news_, {})) {
    for (Walker& walker : walkers_)
      walker.stale.insert(key);
  }
}

// Parts that everyone has passed go.
void Split::Leave(size_t index) {
  ++At(index).walkers;
  while (!slots_.empty() && slots_.front().walkers == walkers_.size()) {
    std::unique_ptr<Part>& part = slots_.front().part;
    if (spares_.size() < kMaxSpares && part->size <= kMaxSpareSize)
      spares_.push_back(std::move(part));
    slots_.pop_front();
    ++first_;
  }
  changed_.notify_all();
}

void Split::Work(Walker& walker) {
  std::unique_lock lock(mutex_);
  for (size_t index = 0; const Part* const part = Get(index, lock); ++index) {
    if (At(index).stage == Stage::kFree) {
      const Start start = Claim(index, walker);
      lock.unlock();
      const uint64_t steps = Weigh(*part, start, walker);
      Deliver(index, steps, walker, lock);
    } else {
      lock.unlock();
      PassOver(*part, walker);
      const replay::News news = walker.runner.TakeNews();
      lock.lock();
      walker.Doubt(news);
    }
    if (walker.work().is_spent() || steps_ > walker.work().total()) is_too_much_ = true;
    Leave(index);
  }
}

bool Split::Run() {
  {
    std::unique_lock lock(mutex_);
    Read(lock);
  }
  const size_t count = is_ended_ ? 1 : std::max<size_t>(job_.threads, 1);
  for (size_t i = 0; i < count; ++i)
    walkers_.emplace_back(job_);
  const auto work = [this](Walker& walker) {
    try {
      Work(walker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  };
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < count; ++i)
      others.emplace_back(work, std::ref(walkers_[i]));
    work(walkers_.front());
  }
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  if (is_too_much_) return false;
  validate::DrainWeighed(*reading_, job_.validation.rules, result_->findings);
  Walker& last = walkers_.front();
  for (const ContextKey& key : last.stale)
    last.runner.SetNews(key, NewsOf(key));
  last.runner.Finish();
  result_->findings.Append(std::move(last.findings));
  return true;
}

}  // namespace

bool LintSplit(trace_file::Source& source, DiagnosticList& reading, const LintJob& job,
               LintResult& result) {
  return Split(source, reading, job, result).Run();
}

}  // namespace dp2trace::lint
