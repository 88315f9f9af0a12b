// Arrays of C in a log: the numbers between braces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dp2trace::import {

class CArray {
 public:
  // The line begins an array: "BYTE x[] = {", "{ 0x12, 0x00 };".
  static bool Begins(std::string_view line);
  bool is_open() const { return depth_ > 0 || is_in_comment_; }
  // A comment has begun and not ended.
  bool is_in_comment() const { return is_in_comment_; }
  // The numbers of the line, which begins an array or belongs to the open one: each with "0x", and with as many digits as the declared type has.
  // Empty, or what is wrong with it: "has ...".
  std::string Read(std::string_view line, std::string& numbers);

 private:
  std::string AppendNumber(std::string_view word, std::string& numbers);

  size_t depth_ = 0;
  bool is_in_comment_ = false;
  size_t size_ = 0;   // bytes of a number; 0: not known
  size_t count_ = 0;  // numbers so far
};

}  // namespace dp2trace::import
