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

}  // namespace dp2trace
