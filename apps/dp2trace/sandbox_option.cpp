#include "sandbox_option.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/output_folder.h"
#include "base/sandbox.h"
#include "interruption.h"
#include "options.h"
#include "trace_file/form.h"

namespace dp2trace::app {
namespace {

namespace fs = std::filesystem;

std::string FirstThatExists(std::string path) {
  std::error_code error;
  while (!fs::exists(path, error) && FolderOf(path) != path)
    path = FolderOf(path);
  return path;
}

}  // namespace

void AddSandboxOption(CLI::App& command, bool& is_sandboxed) {
  command
      .add_option_function<std::string>(
          "--sandbox", [&is_sandboxed](const std::string& word) { is_sandboxed = word == "auto"; },
          "auto: the program reads the trace, writes its output, and can do nothing else, where the system has a sandbox (auto)")
      ->check(OneOf({"auto", "off"}))
      ->type_name("auto|off");
}

void Confine(bool is_sandboxed, const Confinement& confinement) {
  if (!is_sandboxed) return;
  SandboxPaths paths;
  for (const std::string& trace : confinement.traces) {
    for (std::string& path : trace_file::ReadPathsOf(trace))
      paths.readable.push_back(std::move(path));
  }
  for (const std::string& folder : confinement.folders) {
    if (!folder.empty()) paths.writable.push_back(FirstThatExists(folder));
  }
  for (const std::string& file : confinement.files) {
    if (!file.empty() && file != "-") paths.writable.push_back(FolderOf(file));
  }
  RestartWatch([&paths] { EnterSandbox(paths); });
}

}  // namespace dp2trace::app
