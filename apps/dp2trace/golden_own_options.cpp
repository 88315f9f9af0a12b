#include "golden_own_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "base/plain_text.h"
#include "base/shell_command.h"
#include "compare_options.h"
#include "console.h"
#include "os/path.h"

namespace dp2trace::app {

void AddOwnRenderer(Verb& command, golden::OwnPictures& own) {
  Argument& pictures =
      command
          .Add(
              "--pictures", own.folder,
              "Judges the pictures of another renderer in this folder, instead of those of the replay: "
              "TRACE/frame-000001.png, ...")
          .Value("DIR");
  command
      .Add("--run", own.command,
           "Judges another renderer: a command that plays {trace} and writes frame-000001.png, ... "
           "into the folder {out}; both are quoted for the shell. It has --timeout and "
           "--max-worker-memory, and no sandbox")
      .Excludes(pictures)
      .Value("COMMAND");
  command
      .Add(
          "--tolerance", own.tolerance,
          "With --run or --pictures: how far a channel may be off, where the manifest does not say (0)")
      .Range(0, 255)
      .Value("N");
  command
      .Add("--max-pixels", own.max_pixels,
           "With --run or --pictures: pixels of a picture that may be off by more (0)")
      .Value("N");
  AddIgnoreEdges(command, own.edge_pixels);
}

namespace {

// What is wrong; empty: nothing.
std::string FindUsageError(const golden::OwnPictures& own) {
  constexpr std::string_view kPlaces[] = {"trace", "out"};
  if (!own.command.empty()) {
    if (const std::string wrong = FindPlaceError(own.command, kPlaces); !wrong.empty())
      return "--run " + wrong;
    for (const std::string_view place : kPlaces) {
      const std::string text = fmt::format("{{{}}}", place);
      if (own.command.find(text) == std::string::npos)
        return fmt::format("--run needs {{trace}} and {{out}}: {} is missing", text);
    }
  }
  std::error_code error;
  if (!own.folder.empty() && !std::filesystem::is_directory(ToPath(own.folder), error))
    return fmt::format("--pictures: there is no folder {}", Plain(own.folder));
  if (own.is_used() || (own.tolerance == 0 && own.max_pixels == 0 && own.edge_pixels == 0))
    return {};
  return "--tolerance, --max-pixels and --ignore-edges need --run or --pictures: pictures of the replay are compared exactly";
}

}  // namespace

bool CheckOwnRenderer(const golden::OwnPictures& own) {
  const std::string error = FindUsageError(own);
  if (!error.empty()) PrintError(error);
  return error.empty();
}

}  // namespace dp2trace::app
