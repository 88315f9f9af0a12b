#include "inspect_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "frame_options.h"
#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

// What a live page takes: it makes what it shows by itself.
constexpr std::array<std::string_view, 8> kOfLivePage = {"--frames",  "--draws",     "--output",
                                                         "--force",   "--engine",    "--example",
                                                         "--sandbox", "--max-output"};

}  // namespace

void AddInspectOptions(Verb& command, InspectOptions& options) {
  command.Add("TRACE", options.trace,
              "Trace to read, .dp2t or .json; with --live it may be left out");
  command
      .Add(
          "-o,--output", options.output,
          "Folder for the page; replaced where it is an earlier one. With --live: file, - is standard output")
      .Required()
      .Value("DIR");
  std::string error;
  options.inspect.frames = *Selection::Parse(fmt::format("1-{}", kFirstFrames), error);
  options.frames = &AddSelection(
      command, "--frames", options.inspect.frames,
      "Frames to show: 24, 3-5, last (1-3). With --live: the part of the trace that the page has, as trim cuts it out (all)");
  Argument& live = command.AddSwitch(
      "--live", options.is_live,
      "One file with the trace, or a part of it, and an engine inside, which shows any frame and pixel; without TRACE the page waits for one that is dropped on it. Takes only " +
          fmt::format("{} and {}", fmt::join(kOfLivePage.begin(), kOfLivePage.end() - 1, ", "),
                      kOfLivePage.back()));
  AddForce(command, options.is_forced, "With --live: replace the file where it exists");
  command.Add("--engine", options.engine, "With --live: the engine, engine.wasm").Value("FILE");
  command.Add("--example", options.examples, "With --live: a trace that the page offers to look at")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention()
      .Value("FILE");
  options.draws = &AddSelection(
      command, "--draws", options.inspect.draws,
      "Draws of these frames that are items of their own; what lies between is one (all). With --live: in place of --frames, draws of the whole trace");
  const auto take_pixel = [&options](const std::string& text) {
    inspect::HistoryPixel& pixel = options.pixels.emplace_back();
    return TakePixel(text, pixel.x, pixel.y);
  };
  command.AddParsed("--history", take_pixel, "The whole history of this pixel of the frames, too")
      .AtMost(Argument::kAnyNumber)
      .Value("X,Y");
  inspect::Limits& limits = options.inspect.limits;
  command.Add("--max-items", limits.items, "Most items of a frame (10000)").Value("N");
  AddSize(command, "--max-data", limits.bytes,
          "Size of the data after which items are shown together, with K, M or G (256M)");
  AddSize(command, "--max-surface-copies", limits.surfaces,
          "Memory for copies of the surfaces that a frame writes, with K, M or G (192M)");
  AddFormat(command, options.json);
  AddRendererOptions(command, options.inspect.play.renderer, options.inspect.play.raster);
  AddRuleOptions(command, options.rules);
  AddLimitOptions(command, options.trace, options.inspect.play.validation,
                  options.inspect.play.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
  for (Argument* option : command.Options()) {
    if (option != &live && !Verb::IsForCommandLineOnly(*option) &&
        std::ranges::find(kOfLivePage, option->name()) == kOfLivePage.end())
      option->Excludes(live);
  }
}

std::string FindAbsent(const InspectOptions& options, const inspect::Inspector& inspector) {
  if (inspector.frames().empty()) {
    const std::string present = RangeOf("frame", inspector.frames_seen());
    return options.frames->count() == 0 ? "there is nothing to show: " + present
                                        : NothingChosen("--frames", present);
  }
  if (inspector.has_chosen_draw() || options.inspect.draws.is_all() ||
      options.inspect.draws.IsPast(0))
    return {};
  const auto& [first, last] = inspector.draws_seen();
  return NothingChosen(
      "--draws", last == 0
                     ? "the frames of the page have no draws"
                     : fmt::format("the frames of the page have draws {} to {}", first, last));
}

}  // namespace dp2trace::app
