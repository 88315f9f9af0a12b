#include "import/hex/comments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/words.h"
#include "import/hex/dump_line.h"
#include "import/hex/log_text.h"

namespace dp2trace::import {
namespace {

bool IsHexDigit(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

bool AreTwoBytes(std::string_view text) {
  const auto words = SplitWords(text);
  return words.size() >= 2 && std::ranges::all_of(words, [](std::string_view word) {
           return word.size() == 2 && std::ranges::all_of(word, IsHexDigit);
         });
}

// What stands in front of a place in a line.
class Before {
 public:
  void Take(char c) {
    constexpr std::string_view kApart = " \t,:-|`xX";
    is_in_name_ = (is_in_name_ || (has_digit_ && c == '<')) && last_ != '>';  // <buffer+16>
    has_digit_ = has_digit_ || IsHexDigit(c);
    are_numbers_ =
        are_numbers_ && (is_in_name_ || IsHexDigit(c) || kApart.find(c) != std::string_view::npos);
    last_ = c;
  }
  // Nothing but numbers and what parts them.
  bool are_numbers() const { return are_numbers_; }
  // "/*" begins a comment at any place, "//" after a gap: base64 has that, too, but no blanks and no commas. Others do after numbers.
  bool IsFollowedByComment(std::string_view rest) const {
    if (rest.starts_with("/*")) return true;
    if (last_ != ' ' && last_ != '\t' && last_ != ',') return false;
    if (rest.starts_with("//")) return true;
    return are_numbers_ && has_digit_ && (rest.starts_with('#') || rest.starts_with(';'));
  }

 private:
  bool has_digit_ = false;
  bool are_numbers_ = true;
  bool is_in_name_ = false;
  char last_ = ' ';
};

// "# 00 01", "; 00 ; 01": bytes as well as a comment.
bool MayBeData(std::string_view comment) {
  comment.remove_prefix(1);
  const size_t end = std::min(comment.find_first_of("#;"), comment.size());
  DumpLine line;
  return ParseDumpLine(comment.substr(0, end), false, line).empty();
}

}  // namespace

std::string WithoutCComments(std::string_view line, bool& is_open) {
  std::string text;
  while (!line.empty()) {
    if (is_open || line.starts_with("/*")) {
      const size_t end = line.find("*/", is_open ? 0 : 2);
      text += ' ';
      is_open = end == std::string_view::npos;
      line.remove_prefix(is_open ? line.size() : end + 2);
    } else if (line.starts_with("//")) {
      break;
    } else {
      text += line.front();
      line.remove_prefix(1);
    }
  }
  return text;
}

bool BeginsComment(std::string_view text) {
  return text.starts_with("//") || text.starts_with("/*") || text.starts_with('#') ||
         text.starts_with(';');
}

size_t CommentStart(std::string_view line) {
  Before before;
  for (size_t at = 0; at < line.size(); ++at) {
    if (before.IsFollowedByComment(line.substr(at))) return at;
    const bool were_numbers = before.are_numbers();
    before.Take(line[at]);
    const bool is_word = were_numbers && !before.are_numbers();
    if (is_word && AreTwoBytes(line.substr(0, at))) return at;
  }
  return line.size();
}

std::string WithoutDumpComments(std::string_view line, std::string& wrong) {
  std::string text;
  Before before;
  for (size_t at = 0; at < line.size(); ++at) {
    if (!before.IsFollowedByComment(line.substr(at))) {
      before.Take(line[at]);
      text += line[at];
      continue;
    }
    const std::string_view comment = line.substr(at);
    if (!comment.starts_with("/*")) {
      if (!comment.starts_with("//") && MayBeData(comment)) {
        wrong =
            fmt::format("has numbers after '{}', which may be a comment or data: write // there",
                        comment.front());
      }
      break;
    }
    const size_t end = comment.find("*/", 2);
    if (end == std::string_view::npos) {
      wrong = "has a comment that does not end in its line";
      break;
    }
    before.Take(' ');
    text += ' ';
    at += end + 1;
  }
  return std::string(WithoutSemicolon(text));
}

}  // namespace dp2trace::import
