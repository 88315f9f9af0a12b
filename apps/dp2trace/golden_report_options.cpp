#include "golden_report_options.h"

#include "golden_outputs.h"
#include "golden_suite.h"
#include "options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddReportOptions(Verb& command, ReportOptions& options) {
  command
      .Add("RESULTS", options.report.results,
           "What golden check or golden merge wrote; of several, all shards of one run")
      .Required();
  command
      .Add("-o,--folder", options.report.folder,
           "Folder of the page; one that a report has made is replaced")
      .Value("DIR");
  command.Add("--store", options.report.store, "Folder of the accepted pictures").Value("DIR");
  command
      .Add("--actual", options.report.actual,
           "Folders in which the checks left the pictures (FILE.pictures of each)")
      .Value("DIR")
      .OnePerMention();
  Argument& manifest = command
                           .Add("--manifest", options.report.manifest,
                                "The manifest of the run, for tags and where traces lie")
                           .Value("FILE");
  AddSuite(command, options.suite, manifest);
  command.AddSwitch("--keep-matches", options.report.keeps_matches,
                    "Show the pictures that match, too, where the store has them");
  Argument& inspect =
      command.AddSwitch("--inspect", options.inspects,
                        "For each picture that differs, a page that steps through its frame");
  command
      .AddSwitch(
          "--live", options.is_live,
          "For each trace with such pictures, a page with the trace and an engine inside, which shows any frame and pixel")
      .Excludes(inspect);
  command.Add("--engine", options.engine, "With --live: the engine, engine.wasm").Value("FILE");
  command.Add("--max-inspect", options.max_inspect, "Most pages of --inspect and --live (20)")
      .Value("N");
  command
      .Add(
          "--features", options.features,
          "Write which operations, states, formats and instructions the traces got right; they are read, in "
          "the folder of --manifest: .md, .json, else text")
      .Value("FILE");
  command
      .Add("--durations", options.report.durations,
           "How long traces took (--times of the checks), for junit")
      .Value("FILE")
      .OnePerMention();
  AddSandboxOption(command, options.is_sandboxed);
  command
      .Add("--output", options.outputs,
           "Write a file, too: " + FormsInWords() + "; - is standard output")
      .Value("FORMAT=PATH")
      .OnePerMention();
  AddForce(command, options.is_forced, "Replace files of --output and --features that exist");
}

}  // namespace dp2trace::app
