#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/file.h"
#include "base/temporaries.h"
#include "console.h"
#include "limit_options.h"
#include "live/loader.h"
#include "live/page.h"
#include "live/session.h"
#include "live/watch.h"
#include "options.h"
#include "os/path.h"
#include "os/shell.h"
#include "renderer_options.h"
#include "rule_options.h"
#include "sandbox_option.h"
#include "verbs.h"
#include "view_server.h"

namespace dp2trace::app {
namespace {

constexpr const char* kTool = "dp2trace " DP2TRACE_VERSION;

struct ViewVerb {
  std::string trace;
  uint32_t port = 0;
  bool opens_browser = true;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  RuleOptions rules;
  play::Options play;
};

// The trace, or what a capture or a text of hex dumps becomes in the folder.
Result<std::unique_ptr<live::Session>> Open(const ViewVerb& options, const std::string& folder,
                                            live::Watch& watch) {
  const Result<live::Loaded> loaded =
      live::Load(options.trace, folder + "/imported.dp2t", kTool, options.max_memory);
  if (!loaded.ok()) return loaded.status();
  for (const std::string& note : loaded->notes)
    PrintNote(note);
  return live::Session::Open({.tool = kTool,
                              .name = NameOf(options.trace),
                              .path = loaded->path,
                              .place = folder + "/edited.dp2t",
                              .watch = &watch,
                              .max_memory = options.max_memory,
                              .limits = {},
                              .play = options.play});
}

ExitCode RunView(ViewVerb options) {
  if (options.trace == "-")
    return UsageError("view reads the trace again for each frame: it needs a file");
  ExitCode code = ApplyRuleOptions(options.rules, options.play.validation);
  if (code != ExitCode::kOk) return code;
  const TemporaryFolder folder;
  live::Watch watch;
  std::unique_ptr<live::Session> session;
  ViewServer server(
      {.page = live::PageText({}),
       .ask = [&session](std::string_view name) { return session->Ask(name); },
       .folder = folder.path(),
       .put =
           [&](const std::string& name, const std::string& path) {
             return session->Put(
                 {.name = name, .path = path, .imported = folder.path() + "/imported-beside.dp2t"});
           },
       .progress = [&watch] { return watch.ProgressText(); },
       .cancel = [&watch] { watch.Cancel(); }});
  if (!server.Bind(static_cast<uint16_t>(options.port))) {
    PrintError(options.port == 0 ? std::string("there is no free port on 127.0.0.1")
                                 : fmt::format("port {} of 127.0.0.1 cannot be had", options.port));
    return ExitCode::kInput;
  }
  // A browser that comes before there is anything to see waits. The sandbox starts no programs any more.
  if (options.opens_browser) OpenInBrowser(server.address());
  Confine(options.is_sandboxed,
          {.traces = {options.trace}, .folders = {folder.path()}, .accepts_connections = true});
  Result<std::unique_ptr<live::Session>> opened = Open(options, folder.path(), watch);
  if (!opened.ok()) return ReportFailure(options.trace, opened.status());
  session = std::move(*opened);
  Status printed = WriteResult(server.address() + "\n");
  if (printed.ok()) printed = FlushStandardOutput();  // a script reads it while the program runs
  code = ReportOutput(printed);
  if (code != ExitCode::kOk) return code;
  PrintNote("it ends with the page, or with Ctrl-C");
  server.Serve();
  return ExitCode::kOk;
}

}  // namespace

void AddView(Verb& program) {
  auto options = std::make_shared<ViewVerb>();
  Verb& command = program.AddVerb(
      "view", "Look at a trace in the browser: every frame, any pixel, all findings");
  command
      .Add("TRACE", options->trace,
           "Trace to read; also a capture of apitrace, or a text of hex dumps")
      .Required();
  command.Add("--port", options->port, "Port on 127.0.0.1; 0: any that is free (0)")
      .Range(0, 65535)
      .Value("N");
  command.AddSwitch("--no-browser", options->opens_browser, "Only print the address", false);
  AddRendererOptions(command, options->play.renderer, options->play.raster);
  AddRuleOptions(command, options->rules);
  AddLimitOptions(command, options->trace, options->play.validation, options->play.raster);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  command.SetExample("dp2trace view capture.dp2t");
  command.OnRun([options] { return RunView(*options); });
}

}  // namespace dp2trace::app
