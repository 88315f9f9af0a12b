#include "base/status.h"

namespace dp2trace {

Status::Status(Diagnostic diagnostic)
    : diagnostic_(std::make_shared<const Diagnostic>(std::move(diagnostic))) {}

Status Failure(Rule rule, std::string message) {
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.message = std::move(message);
  return Status(std::move(diagnostic));
}

}  // namespace dp2trace
