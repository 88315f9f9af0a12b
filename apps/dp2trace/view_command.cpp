#include <fmt/format.h>

#include <memory>
#include <string>

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

struct ViewOptions {
  std::string trace;
  uint32_t port = 0;
  bool opens_browser = true;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  RuleOptions rules;
  play::Options play;
};

// What a page asks about the trace at the path. Its own files have its number.
Result<ViewSession> OpenSession(const ViewOptions& options, const std::string& path,
                                const TemporaryFolder& folder, const std::string& page) {
  const auto watch = std::make_shared<live::Watch>();
  Result<std::unique_ptr<live::Session>> opened =
      live::Session::Open({.tool = kTool,
                           .name = NameOf(options.trace),
                           .path = path,
                           .place = folder.path() + "/edited-" + page + ".dp2t",
                           .watch = watch.get(),
                           .max_memory = options.max_memory,
                           .play = options.play});
  if (!opened.ok()) return opened.status();
  const std::shared_ptr<live::Session> session = std::move(*opened);
  return ViewSession{
      .ask = [session, watch](std::string_view name) { return session->Ask(name); },
      .put =
          [session](const std::string& name, const std::string& file) {
            return session->Put({.name = name, .path = file, .imported = file + ".dp2t"});
          },
      .progress = [watch] { return watch->ProgressText(); },
      .cancel = [watch] { watch->Cancel(); }};
}

ExitCode RunView(ViewOptions options) {
  if (options.trace == "-")
    return UsageError("view reads the trace again for each frame: it needs a file");
  ExitCode code = ApplyRuleOptions(options.rules, options.play.validation);
  if (code != ExitCode::kOk) return code;
  const TemporaryFolder folder;
  std::string path;
  const auto open = [&](const std::string& id) { return OpenSession(options, path, folder, id); };
  ViewServer server({.page = live::PageText({}), .folder = folder.path(), .open = open});
  if (!server.Bind(static_cast<uint16_t>(options.port))) {
    PrintError(options.port == 0 ? std::string("there is no free port on 127.0.0.1")
                                 : fmt::format("port {} of 127.0.0.1 is not free", options.port));
    return ExitCode::kInput;
  }
  // A browser that comes before there is anything to see waits. The sandbox starts no programs any more.
  if (options.opens_browser) OpenInBrowser(server.address());
  Confine(options.is_sandboxed,
          {.traces = {options.trace}, .temporary = folder.path(), .accepts_connections = true});
  // The trace, or what a capture or a text of hex dumps becomes in the folder.
  const Result<live::Loaded> loaded =
      live::Load(options.trace, folder.path() + "/imported.dp2t", kTool, options.max_memory);
  if (!loaded.ok()) return ReportFailure(options.trace, loaded.status());
  path = loaded->path;
  for (const std::string& note : loaded->notes)
    PrintNote(note);
  if (const Result<ViewSession> opened = open("first"); !opened.ok())
    return ReportFailure(options.trace, opened.status());
  Status printed = WriteResult(server.address() + "\n");
  if (printed.ok()) printed = FlushStandardOutput();  // a script reads it while the program runs
  code = ReportOutput(printed);
  if (code != ExitCode::kOk) return code;
  PrintNote("ends when the page is closed, or with Ctrl-C");
  server.Serve();
  return ExitCode::kOk;
}

}  // namespace

void AddView(Verb& program) {
  auto options = std::make_shared<ViewOptions>();
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
