// `golden gc`: what lies in a store and no manifest names.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/plain_text.h"
#include "console.h"
#include "golden/store.h"
#include "golden/trace_list.h"
#include "options.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct GcOptions {
  std::string store;
  std::vector<std::string> manifests;
  bool is_deleting = false;
  bool is_sandboxed = true;
};

ExitCode RunGc(const GcOptions& options) {
  Confinement confinement = {.inputs = options.manifests};
  (options.is_deleting ? confinement.folders : confinement.inputs).push_back(options.store);
  Confine(options.is_sandboxed, confinement);
  std::set<std::string> named;
  for (const std::string& path : options.manifests) {
    const Result<golden::ManifestFile> file = golden::ReadManifest(path);
    if (!file.ok()) return ReportFailure(path, file.status());
    for (const golden::ManifestTrace& trace : file->manifest.traces) {
      for (const golden::GoldenImage& image : trace.images)
        named.insert(image.hash);
    }
  }
  const golden::PictureStore store(options.store);
  const Result<std::vector<golden::PictureStore::Entry>> entries = store.List();
  if (!entries.ok()) return ReportFailure(options.store, entries.status());
  uint64_t unnamed = 0;
  for (const golden::PictureStore::Entry& entry : *entries) {
    if (named.contains(entry.hash)) continue;
    ++unnamed;
    if (options.is_deleting) {
      if (const Status status = store.Remove(entry); !status.ok())
        return ReportFailure(options.store, status);
    }
    if (const Status status = WriteResult(Plain(entry.file) + "\n"); !status.ok())
      return ReportOutput(status);
  }
  return ReportOutput(
      WriteResult(fmt::format("{}: {} of {}\n", options.is_deleting ? "deleted" : "in no manifest",
                              unnamed, Counted(entries->size(), "file"))));
}

}  // namespace

void AddGoldenGc(Verb& golden) {
  auto options = std::make_shared<GcOptions>();
  Verb& command = golden.AddVerb("gc", "List the pictures of a store that no manifest names");
  command.Add("--store", options->store, "Folder of the accepted pictures").Required().Value("DIR");
  command.Add("--manifest", options->manifests, "All manifests that use the store")
      .Required()
      .Value("FILE");
  command.AddSwitch("--delete", options->is_deleting, "Delete them");
  AddSandboxOption(command, options->is_sandboxed);
  command.TakeConfiguration();
  command.SetExample(
      "dp2trace golden gc --store pictures --manifest traces/manifest.json --delete");
  command.OnRun([options] { return RunGc(*options); });
}

}  // namespace dp2trace::app
