// Commands as `dump` writes them.
#pragma once

#include <string>
#include <string_view>

namespace dp2trace::runtime {

// The commands of the lines of `dump`: those that start with an offset, without it and the number of a draw.
inline std::string Commands(std::string_view lines) {
  std::string result;
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    if (line.starts_with("  0x")) {
      std::string_view command = line.substr(line.find(' ', 2) + 1);
      if (command.starts_with("draw ")) command.remove_prefix(command.find(": ") + 2);
      result += std::string(command) + "\n";
    }
    lines = end == std::string_view::npos ? std::string_view() : lines.substr(end + 1);
  }
  return result;
}

}  // namespace dp2trace::runtime
