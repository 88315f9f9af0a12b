// `golden init`: a first manifest.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file_update.h"
#include "base/plain_text.h"
#include "console.h"
#include "golden/golden.h"
#include "golden/trace_list.h"
#include "os/files.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct InitOptions {
  std::vector<std::string> folders;
  std::string manifest = "manifest.json";
  bool is_sandboxed = true;
};

ExitCode RunInit(const InitOptions& options) {
  Confine(options.is_sandboxed, {.inputs = options.folders, .files = {options.manifest}});
  golden::ManifestFile file = golden::NewManifest(options.manifest);
  for (const std::string& folder : options.folders) {
    if (LookAt(folder).kind != FileKind::kFolder)
      return UsageError(fmt::format("there is no folder {}", folder));
    const std::string relative = golden::PathBelow(file.folder, folder);
    if (relative.empty()) {
      return UsageError(fmt::format("{} is not below {}, the folder of the manifest", folder,
                                    file.folder == "./" ? "the current folder" : file.folder));
    }
    file.manifest.include.push_back(relative);
  }
  const Result<std::vector<golden::RunTrace>> traces = golden::ListTraces(file, {});
  if (!traces.ok()) return ReportFailure(options.manifest, traces.status());
  Result<FileUpdate> update = FileUpdate::Begin(options.manifest);
  if (!update.ok()) return ReportFailure(options.manifest, update.status());
  if (update->is_there())
    return UsageError(options.manifest + " is there already; golden check reads it");
  const Status written = update->Commit(golden::ManifestText(file.manifest));
  if (!written.ok()) return ReportFailure(options.manifest, written);
  const ExitCode code = ReportOutput(
      WriteResult(fmt::format("{}: {}, none of them accepted\n", Plain(options.manifest),
                              Counted(traces->size(), "trace"))));
  if (traces->empty()) {
    PrintNote(
        "there are no traces yet; those that come into the folders later belong to the manifest");
    return Worse(code, ExitCode::kNothingToDo);
  }
  PrintNote(fmt::format(
      "next: dp2trace golden check --manifest {} --store pictures --results results.jsonl",
      options.manifest));
  return code;
}

}  // namespace

void AddGoldenInit(Verb& golden) {
  auto options = std::make_shared<InitOptions>();
  Verb& command =
      golden.AddVerb("init", "Write a first manifest, to which all traces in some folders belong");
  command.Add("FOLDER", options->folders, "Folders of traces, below that of the manifest")
      .Required();
  command.Add("--manifest", options->manifest, "The manifest to write (manifest.json)")
      .Value("FILE");
  AddSandboxOption(command, options->is_sandboxed);
  command.TakeConfiguration();
  command.SetExample("dp2trace golden init traces/scenes --manifest traces/manifest.json");
  command.OnRun([options] { return RunInit(*options); });
}

}  // namespace dp2trace::app
