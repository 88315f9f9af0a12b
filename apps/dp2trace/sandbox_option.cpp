#include "sandbox_option.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/checked.h"
#include "base/file.h"
#include "base/file_measure.h"
#include "base/output_limit.h"
#include "options.h"
#include "os/interruption.h"
#include "os/path.h"
#include "os/sandbox.h"
#include "trace_file/form.h"

namespace dp2trace::app {
namespace {

namespace fs = std::filesystem;

std::string FirstThatExists(std::string path) {
  std::error_code error;
  while (!fs::exists(ToPath(path), error) && FolderOf(path) != path)
    path = FolderOf(path);
  return path;
}

bool IsPath(const std::string& path) {
  return !path.empty() && path != "-";
}

// --max-output; none: not given.
std::optional<uint64_t> max_output;

// A kilobyte for each byte that is read, as for one file at least.
uint64_t MaxOutputFor(const Confinement& confinement) {
  uint64_t most =
      confinement.traces.empty() && confinement.inputs.empty() ? ForEachByte(1024, 0) : 0;
  for (const auto* const inputs : {&confinement.traces, &confinement.inputs}) {
    for (const std::string& input : *inputs) {
      const FileState state = input == "-" ? FileState() : LookAt(input);
      const bool is_known = state.kind == FileKind::kRegular && !confinement.is_growing;
      const uint64_t more = ForEachByte(1024, is_known ? std::optional(state.size) : std::nullopt);
      most = CheckedAdd(most, more).value_or(UINT64_MAX);
    }
  }
  return most;
}

}  // namespace

void AddSandboxOption(Verb& command, bool& is_sandboxed) {
  const auto set = [&is_sandboxed](const std::string& word) {
    is_sandboxed = word == "auto";
    return std::string();
  };
  command
      .AddParsed(
          "--sandbox", set,
          "auto: if the system supports it, confine the program to reading its input and writing its output (auto)")
      .OneOf({"auto", "off"});
  AddSize(
      command, "--max-output", max_output,
      "Limit for all output, files and standard output, with K, M or G (1K for each byte of the input, 1G at least)");
}

void Confine(bool is_sandboxed, const Confinement& confinement) {
  SetMaxOutput(max_output.value_or(MaxOutputFor(confinement)));
  if (!is_sandboxed) return;
  SandboxPaths paths;
  paths.accepts_connections = confinement.accepts_connections;
  for (const std::string& trace : confinement.traces) {
    for (std::string& path : trace_file::ReadPathsOf(trace))
      paths.readable.push_back(std::move(path));
  }
  for (const std::string& input : confinement.inputs) {
    if (IsPath(input)) paths.readable.push_back(input);
  }
  for (const std::string& folder : confinement.folders) {
    if (IsPath(folder)) paths.writable.push_back(FirstThatExists(folder));
  }
  for (const std::string& file : confinement.files) {
    if (IsPath(file)) paths.writable.push_back(FirstThatExists(PlaceToWrite(file)));
  }
  if (IsPath(confinement.temporary)) paths.removable.push_back(confinement.temporary);
  RestartWatch([&paths] { EnterSandbox(paths); });
}

}  // namespace dp2trace::app
