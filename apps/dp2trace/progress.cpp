#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "base/plain_text.h"
#include "os/console.h"

namespace dp2trace::app {
namespace {

constexpr std::chrono::milliseconds kDelay{500};  // from the start of the program
constexpr std::chrono::milliseconds kInterval{100};
const std::chrono::steady_clock::time_point kStart = std::chrono::steady_clock::now();
constexpr size_t kWidth = 40;  // characters of the bar

void Print(const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

// Whether a bar is drawn. Threads print, too.
std::atomic<bool>& IsDrawn() {
  static std::atomic<bool> is_drawn = false;
  return is_drawn;
}

}  // namespace

void WipeProgress() {
  if (IsDrawn().exchange(false)) Print("\r\033[K");
}

Progress::Progress(std::string_view label, std::string_view noun)
    : label_(Plain(label)),
      noun_(noun),
      is_terminal_(IsTerminal(Stream::kError)),
      next_(kStart + kDelay) {}

Progress::~Progress() {
  WipeProgress();
}

void Progress::Update(uint64_t done, uint64_t total) {
  if (!is_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  IsDrawn() = true;
  if (total == 0) {
    const std::string count = noun_.empty()
                                  ? fmt::format("{:.1f} MB", static_cast<double>(done) / 1e6)
                                  : Counted(done, noun_);
    return Print(fmt::format("\r{} {}\033[K", label_, count));
  }
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<size_t>(part * kWidth);
  const std::string count =
      noun_.empty() ? std::string() : fmt::format(", {} of {}", done, Counted(total, noun_));
  Print(fmt::format("\r{} [{}{}] {:3.0f} %{}\033[K", label_, std::string(filled, '#'),
                    std::string(kWidth - filled, '.'), part * 100, count));
}

Status Progress::Update(uint64_t done) {
  Update(done, 0);
  return OkStatus();
}

void TraceProgress::Update(const std::string& path, uint64_t done, uint64_t total) {
  if (!bar_ || path != path_) bar_.emplace(verb_ + " " + path);
  path_ = path;
  bar_->Update(done, total);
}

void TraceProgress::Stop() {
  bar_.reset();
}

}  // namespace dp2trace::app
