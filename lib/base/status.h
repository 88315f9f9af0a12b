// Status and Result: "I cannot go on". Findings about a trace travel in a DiagnosticList instead (diagnostic.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/diagnostic.h"

namespace dp2trace {

// Success, or the one diagnostic that says why an operation could not go on.
class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(Diagnostic diagnostic);

  bool ok() const { return diagnostic_ == nullptr; }
  // Only where !ok().
  const Diagnostic& diagnostic() const { return *diagnostic_; }

 private:
  std::shared_ptr<const Diagnostic> diagnostic_;
};

// A failure under a rule whose severity is error, made without the rule table.
Status Failure(Rule rule, std::string message);

inline Status OkStatus() {
  return {};
}

// A value, or the diagnostic that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): reads as a return
  Result(T value) : value_(std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  Result(Status status) : status_(std::move(status)) {}

  bool ok() const { return value_.has_value(); }
  T& value() { return *value_; }
  const T& value() const { return *value_; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const Status& status() const { return status_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace dp2trace

// Returns from the enclosing function (which returns Status or Result) when `expression` is a failed Status.
#define DP2TRACE_RETURN_IF_ERROR(expression)                                      \
  do {                                                                            \
    if (::dp2trace::Status dp2trace_status = (expression); !dp2trace_status.ok()) \
      return dp2trace_status;                                                     \
  } while (false)
