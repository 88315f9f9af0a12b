// `golden accept`: takes what a check found into the manifest and the store.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "golden/accept.h"
#include "golden/results.h"
#include "golden/store.h"
#include "golden_command.h"
#include "golden_list.h"
#include "options.h"
#include "rules/rule.h"

namespace dp2trace::app {
namespace {

struct AcceptOptions {
  std::vector<std::string> traces;
  std::string manifest = "manifest.json";
  std::string results;
  std::string store;
  std::vector<std::string> actual;
  bool is_allowed_in_ci = false;
};

bool IsInCi() {
  const char* const value = std::getenv("CI");
  return value != nullptr && (std::string_view(value) == "true" || std::string_view(value) == "1");
}

// A picture that the store should have.
struct Wanted {
  golden::GoldenImage image;
  std::string trace;
  bool is_required = false;  // it is accepted now; otherwise it was before, and may be absent here
};

class AcceptRun {
 public:
  explicit AcceptRun(const AcceptOptions& options) : options_(options), store_(options.store) {
    for (const std::string& folder : options.actual)
      sources_.emplace_back(folder);
    chosen_.insert(options.traces.begin(), options.traces.end());
  }

  ExitCode Run() {
    if (IsInCi() && !options_.is_allowed_in_ci) {
      PrintError("CI is set: a machine does not accept pictures, a person does; see --allow-ci");
      return ExitCode::kUsage;
    }
    Result<ManifestFile> file = ReadManifest(options_.manifest);
    if (!file.ok()) return ReportFailure(options_.manifest, file.status());
    if (const Status status = TakeResults(*file); !status.ok())
      return ReportFailure(options_.results, status);
    if (!chosen_.empty()) {
      PrintError(fmt::format("the results have no trace {}", *chosen_.begin()));
      return ExitCode::kUsage;
    }
    // The pictures first: a manifest never names one that is not there.
    if (const Status status = FillStore(); !status.ok())
      return ReportFailure(options_.store, status);
    if (!acceptance_.changes.empty()) {
      if (const Status status = WriteManifest(*file); !status.ok())
        return ReportFailure(options_.manifest, status);
    }
    const ExitCode code = ReportOutput(PrintChanges());
    return acceptance_.refused.empty() ? code : Worse(code, ExitCode::kFindings);
  }

 private:
  Status TakeResults(ManifestFile& file) {
    Result<golden::ResultsReader> reader = golden::ResultsReader::Open(options_.results);
    if (!reader.ok()) return reader.status();
    if (reader->head().manifest != file.hash) {
      return Status(
          MakeDiagnostic(Rule::kGoldenResults002,
                         fmt::format("{} is of another manifest than {} is now: check again",
                                     options_.results, options_.manifest)));
    }
    golden::TraceResult result;
    while (true) {
      const Result<bool> next = reader->Next(result);
      if (!next.ok()) return next.status();
      if (!*next) return OkStatus();
      Take(result, file.manifest);
      result = {};
    }
  }

  void Take(const golden::TraceResult& result, golden::Manifest& manifest) {
    if (!options_.traces.empty() &&
        std::ranges::find(options_.traces, result.path) == options_.traces.end())
      return;
    chosen_.erase(result.path);
    const size_t changes = acceptance_.changes.size();
    const size_t refused = acceptance_.refused.size();
    golden::Accept(result, manifest, acceptance_);
    if (options_.store.empty() || acceptance_.refused.size() != refused ||
        result.status == golden::GoldenStatus::kExpectedFail)
      return;
    const bool is_changed = acceptance_.changes.size() != changes;
    for (const golden::ImageResult& image : result.images) {
      if (image.actual)
        wanted_.push_back({*image.actual, result.path,
                           is_changed && image.status != golden::GoldenStatus::kMatch});
    }
  }

  Status FillStore() {
    for (const Wanted& wanted : wanted_) {
      const std::string& hash = wanted.image.hash;
      if (store_.Has(hash) && !wanted.is_required) continue;
      if (store_.Has(hash) && store_.Read(hash, wanted.image.format).ok()) continue;
      DP2TRACE_RETURN_IF_ERROR(Fetch(wanted));
    }
    return OkStatus();
  }

  Status Fetch(const Wanted& wanted) {
    for (const golden::PictureStore& source : sources_) {
      if (!source.Has(wanted.image.hash)) continue;
      const Result<image::Picture> picture = source.Read(wanted.image.hash, wanted.image.format);
      if (!picture.ok()) return picture.status();
      if (store_.Has(wanted.image.hash)) {  // damaged
        DP2TRACE_RETURN_IF_ERROR(
            store_.Remove({golden::PictureStore::FileOf(wanted.image.hash), wanted.image.hash}));
      }
      const Result<bool> written = store_.Write(wanted.image.hash, *picture);
      if (!written.ok()) return written.status();
      ++stored_;
      return OkStatus();
    }
    if (!wanted.is_required) return OkStatus();
    return Status(MakeDiagnostic(
        Rule::kGoldenStore001,
        fmt::format(
            "the picture {} ({} of {}) lies in no folder of --actual; check again, or copy it there",
            wanted.image.hash, NameOf(wanted.image.key), wanted.trace)));
  }

  Status WriteManifest(const ManifestFile& file) const {
    Result<OutputFile> output = OutputFile::Create(options_.manifest);
    if (!output.ok()) return output.status();
    DP2TRACE_RETURN_IF_ERROR(output->Write(golden::ManifestText(file.manifest)));
    return output->Commit();
  }

  Status PrintChanges() const {
    for (const std::string& change : acceptance_.changes)
      DP2TRACE_RETURN_IF_ERROR(WriteResult(change + "\n"));
    for (const std::string& refused : acceptance_.refused)
      PrintError("not accepted: " + refused);
    std::string text = fmt::format("{}: {} changed, {} added, {} removed", options_.manifest,
                                   golden::Count(acceptance_.changed, "trace"), acceptance_.added,
                                   acceptance_.removed);
    if (!options_.store.empty())
      text += fmt::format("; {} new in {}", golden::Count(stored_, "picture"), options_.store);
    return WriteResult(text + "\n");
  }

  const AcceptOptions& options_;
  golden::PictureStore store_;
  std::vector<golden::PictureStore> sources_;
  std::set<std::string> chosen_;  // by the user, and not found yet
  golden::Acceptance acceptance_;
  std::vector<Wanted> wanted_;
  uint64_t stored_ = 0;
};

}  // namespace

void AddGoldenAccept(CLI::App& golden, ExitCode& code) {
  auto options = std::make_shared<AcceptOptions>();
  CLI::App* command = golden.add_subcommand(
      "accept", "Take what a check found into the manifest and the store, and say what changed");
  command->add_option("TRACE", options->traces,
                      "Traces, as the manifest names them, to accept (all)");
  command->add_option("--results", options->results, "What golden check or golden merge wrote")
      ->required()
      ->type_name("FILE");
  command->add_option("--manifest", options->manifest, "The manifest to change (manifest.json)")
      ->type_name("FILE");
  command
      ->add_option("--store", options->store,
                   "Folder that takes the pictures; without it, none are kept")
      ->type_name("DIR");
  command
      ->add_option("--actual", options->actual,
                   "Folders in which the checks left the pictures (FILE.pictures)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command->add_flag("--allow-ci", options->is_allowed_in_ci,
                    "Accept although the environment says CI=true");
  AddExample(
      *command,
      "dp2trace golden accept --results results.jsonl --manifest traces/manifest.json --store pictures");
  command->callback([options, &code] {
    if (options->actual.empty()) options->actual = {options->results + ".pictures"};
    code = AcceptRun(*options).Run();
  });
}

}  // namespace dp2trace::app
