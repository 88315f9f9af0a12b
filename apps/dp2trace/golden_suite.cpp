#include "golden_suite.h"

#include "console.h"
#include "os/path.h"
#include "trace_reading.h"

namespace dp2trace::app {

void AddSuite(Verb& command, std::string& suite, Argument& manifest) {
  command
      .Add(
          "--suite", suite,
          "Traces that come with the program, with their manifest: basic has some for each operation and "
          "state, and scenes")
      .OneOf({"basic"})
      .Excludes(manifest);
}

bool FindSuite(const std::string& suite, std::string& manifest) {
  if (suite.empty()) return true;
  manifest = FindDataFile("suite/manifest.json", "../../../../traces/manifest.json");
  if (!manifest.empty()) return true;
  PrintError(
      "--suite: there are no traces beside the program; cmake --install puts them into share/dp2trace/suite");
  return false;
}

std::vector<std::string> SuiteFolders(const std::string& manifest) {
  return {FolderOf(manifest) + "/features", FolderOf(manifest) + "/scenes"};
}

}  // namespace dp2trace::app
