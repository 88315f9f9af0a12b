#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

Progress::Progress(std::string_view label)
    : label_(Plain(label)), is_terminal_(IsTerminal(Stream::kError)), next_(kStart + kDelay) {}

Progress::~Progress() {
  if (is_drawn_) Print("\r\033[K");
}

void Progress::Update(uint64_t done, uint64_t total) {
  if (!is_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  is_drawn_ = true;
  if (total == 0)
    return Print(fmt::format("\r{} {:.1f} MB\033[K", label_, static_cast<double>(done) / 1e6));
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<size_t>(part * kWidth);
  Print(fmt::format("\r{} [{}{}] {:3.0f} %\033[K", label_, std::string(filled, '#'),
                    std::string(kWidth - filled, '.'), part * 100));
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
