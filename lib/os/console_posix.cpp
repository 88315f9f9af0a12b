#include "os/console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace dp2trace {

void PrepareStreams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;  // NOLINT(*-vararg)
    // The lowest number that is free is this one. It is open in the direction that nobody uses.
    (void)open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // NOLINT(*-vararg)
  }
  (void)std::signal(SIGPIPE, SIG_DFL);
}

bool IsTerminal(Stream stream) {
  return isatty(static_cast<int>(stream)) != 0;
}

bool ChangesBytes(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK);  // NOLINT(*-vararg)
  if (file < 0) return false;
  termios state{};
  const bool is_cooked = tcgetattr(file, &state) == 0 && (state.c_lflag & ICANON) != 0;
  (void)close(file);
  return is_cooked;
}

uint32_t ColumnsOf(Stream stream) {
  winsize size{};
  const bool is_known =
      ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0;  // NOLINT(*-vararg)
  return is_known ? size.ws_col : 0;
}

}  // namespace dp2trace
