#include "base/words.h"

#include <algorithm>

namespace dp2trace {

std::vector<std::string_view> SplitWords(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> words;
  for (size_t at = text.find_first_not_of(kBlanks); at < text.size();) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::string InLowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace dp2trace
