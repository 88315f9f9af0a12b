#include "base/diagnostic.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace dp2trace {
namespace {

// What is dropped has no excerpt, which follows from the place.
bool IsRepeat(const Diagnostic& last, const Diagnostic& finding) {
  const auto facts = [](const Diagnostic& one) {
    return std::tie(one.rule, one.severity, one.event, one.offset, one.length, one.line, one.column,
                    one.path, one.message, one.actual, one.expected);
  };
  return facts(last) == facts(finding);
}

// What occurrences of one finding share; empty: it has no others. What lies in no state recurs only in other frames.
std::string KeyOf(const Diagnostic& finding) {
  if (!finding.cause.empty() || finding.frame == 0) return finding.cause;
  return StatementOf(finding.message, finding);
}

}  // namespace

Diagnostic::Diagnostic() = default;
Diagnostic::Diagnostic(const Diagnostic&) = default;
Diagnostic::Diagnostic(Diagnostic&&) noexcept = default;
Diagnostic& Diagnostic::operator=(const Diagnostic&) = default;
Diagnostic& Diagnostic::operator=(Diagnostic&&) noexcept = default;
Diagnostic::~Diagnostic() = default;

std::string StatementOf(std::string_view message, const Diagnostic& finding) {
  constexpr char kEnd = '\0';
  return fmt::format("{}{}{}{}{}{}{}", message, kEnd, finding.actual, kEnd, finding.expected, kEnd,
                     Name(finding.severity));
}

void Occurrences::Add(uint64_t frame) {
  ++count_;
  if (frame == 0 || frame == last_frame_) return;
  last_frame_ = frame;
  const auto at =
      std::ranges::find_if(frames_, [&](const Range& range) { return frame <= range.last + 1; });
  if (at == frames_.end()) {
    if (frames_.size() < kMaxRanges) {
      frames_.push_back({frame, frame});
    } else {
      ++more_frames_;
    }
    return;
  }
  if (at->first <= frame && frame <= at->last) return;
  const auto next = std::next(at);
  if (frame == at->last + 1) {
    // What follows the last range is only counted, once something was.
    if (next == frames_.end() && more_frames_ != 0) return void(++more_frames_);
    at->last = frame;
    if (next != frames_.end() && next->first == frame + 1) {
      at->last = next->last;
      frames_.erase(next);
    }
  } else if (frame + 1 == at->first) {
    at->first = frame;
  } else {
    frames_.insert(at, {frame, frame});
    if (frames_.size() > kMaxRanges) {
      more_frames_ += frames_.back().last - frames_.back().first + 1;
      frames_.pop_back();
    }
  }
}

Diagnostic* DiagnosticList::FindCause(Rule rule, const std::string& cause) {
  if (!limits_.joins_causes || cause.empty()) return nullptr;
  const auto found = causes_.find({rule, cause});
  return found == causes_.end() ? nullptr : &items_[found->second];
}

void DiagnosticList::CountAgain(Rule rule, const std::string& cause, uint64_t frame) {
  if (Diagnostic* const first = FindCause(rule, cause)) first->more.Add(frame);
}

bool DiagnosticList::Keeps(Rule rule) const {
  // No rule crowds out the others.
  if (items_.size() >= limits_.all) return limits_.all != 0 && !kept_by_rule_.contains(rule);
  if (limits_.per_rule == UINT64_MAX) return true;
  const auto kept = kept_by_rule_.find(rule);
  return (kept == kept_by_rule_.end() ? 0 : kept->second) < limits_.per_rule;
}

void DiagnosticList::Add(Diagnostic diagnostic) {
  const Diagnostic* const last = last_ ? &*last_ : items_.empty() ? nullptr : &items_.back();
  if (last != nullptr && IsRepeat(*last, diagnostic)) return;
  std::string key = limits_.joins_causes ? KeyOf(diagnostic) : std::string();
  if (Diagnostic* const first = FindCause(diagnostic.rule, key)) {
    if (!diagnostic.cause.empty() || first->frame != diagnostic.frame) {
      first->more.Add(diagnostic.frame);
      return;
    }
  }
  ++counts_[static_cast<size_t>(diagnostic.severity)];
  if (!Keeps(diagnostic.rule)) {
    ++dropped_;
    ++dropped_by_rule_[diagnostic.rule];
    last_ = std::move(diagnostic);
    return;
  }
  last_.reset();
  ++kept_by_rule_[diagnostic.rule];
  if (!key.empty()) causes_.try_emplace({diagnostic.rule, std::move(key)}, items_.size());
  items_.push_back(std::move(diagnostic));
}

void DiagnosticList::Append(DiagnosticList later) {
  for (size_t i = 0; i < kSeverityCount; ++i)
    counts_[i] += later.counts_[i];
  for (Diagnostic& diagnostic : later.items_) {
    if (Keeps(diagnostic.rule)) {
      ++kept_by_rule_[diagnostic.rule];
      items_.push_back(std::move(diagnostic));
    } else {
      ++dropped_;
      ++dropped_by_rule_[diagnostic.rule];
    }
  }
  dropped_ += later.dropped_;
  for (const auto& [rule, count] : later.dropped_by_rule_)
    dropped_by_rule_[rule] += count;
  for (const auto& [rule, count] : later.disabled_)
    disabled_[rule] += count;
  last_ = std::move(later.last_);
}

}  // namespace dp2trace
