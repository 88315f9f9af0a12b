// What is wrong with a record, before anybody reports it: the execution skips the record, the rules of the validator leave it alone.
// Source: DP2 specification, 22.
#pragma once

#include <string>

#include "base/rule.h"

namespace dp2trace::device {

struct Defect {
  Rule rule{};
  std::string message;
  std::string actual = {};
  std::string expected = {};
};

}  // namespace dp2trace::device
