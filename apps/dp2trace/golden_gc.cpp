// `golden gc`: what lies in a store and no manifest names.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "console.h"
#include "golden/store.h"
#include "golden/trace_list.h"
#include "golden_command.h"
#include "options.h"

namespace dp2trace::app {
namespace {

struct GcOptions {
  std::string store;
  std::vector<std::string> manifests;
  bool is_deleting = false;
};

ExitCode RunGc(const GcOptions& options) {
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
    if (const Status status = WriteResult(entry.file + "\n"); !status.ok())
      return ReportOutput(status);
  }
  return ReportOutput(
      WriteResult(fmt::format("{} of {} files {}\n", unnamed, entries->size(),
                              options.is_deleting ? "deleted" : "are named by no manifest")));
}

}  // namespace

void AddGoldenGc(CLI::App& golden, ExitCode& code) {
  auto options = std::make_shared<GcOptions>();
  CLI::App* command =
      golden.add_subcommand("gc", "List the pictures of a store that no manifest names");
  command->add_option("--store", options->store, "Folder of the accepted pictures")
      ->required()
      ->type_name("DIR");
  command->add_option("--manifest", options->manifests, "All manifests that use the store")
      ->required()
      ->type_name("FILE");
  command->add_flag("--delete", options->is_deleting, "Delete them");
  AddExample(*command,
             "dp2trace golden gc --store pictures --manifest traces/manifest.json --delete");
  command->callback([options, &code] { code = RunGc(*options); });
}

}  // namespace dp2trace::app
