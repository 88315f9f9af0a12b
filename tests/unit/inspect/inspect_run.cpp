#include "inspect_run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <libdeflate.h>

#include <filesystem>

#include "inspect/data_folder.h"
#include "json/base64.h"
#include "support/json_events.h"
#include "support/test_folder.h"

namespace dp2trace::testing {
namespace {

using nlohmann::json;

// pageData("NAME",VALUE);
json ValueOf(const std::string& name, const std::string& script) {
  const std::string start = "pageData(\"" + name + "\",";
  REQUIRE(script.starts_with(start));
  REQUIRE(script.ends_with(");\n"));
  json value = json::parse(script.substr(start.size(), script.size() - start.size() - 3));
  if (!value.is_object() || !value.contains("zlib")) return value;
  const std::vector<uint8_t> text = Inflate(value["zlib"]);
  return json::parse(text.begin(), text.end());
}

void ReadData(const std::string& folder, InspectRun& run) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::string name = std::filesystem::relative(entry.path(), folder).generic_string();
    name.resize(name.size() - 3);
    run.texts[name] = ReadText(entry.path().string());
    run.data[name] = ValueOf(name, run.texts[name]);
  }
}

}  // namespace

std::vector<uint8_t> Inflate(const std::string& base64) {
  std::vector<uint8_t> deflated(dp2trace::json::MaxDecodedBase64Size(base64.size()));
  size_t size = 0;
  REQUIRE(dp2trace::json::DecodeBase64(base64, deflated.data(), size));
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  std::vector<uint8_t> bytes(4 * size + 64);
  size_t count = 0;
  libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
  while (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
    bytes.resize(2 * bytes.size());
    result = libdeflate_zlib_decompress(decompressor, deflated.data(), size, bytes.data(),
                                        bytes.size(), &count);
  }
  libdeflate_free_decompressor(decompressor);
  REQUIRE(result == LIBDEFLATE_SUCCESS);
  bytes.resize(count);
  return bytes;
}

const json& InspectRun::Data(const std::string& name) const {
  const auto found = data.find(name);
  if (found == data.end()) FAIL("no data file ", name);
  return found->second;
}

const json& InspectRun::Items(uint64_t frame) const {
  return Data(fmt::format("frames/{}", frame)).at("items");
}

const json& InspectRun::Details(uint64_t frame, uint64_t n) const {
  return Data(fmt::format("items/{}-{}", frame, n / inspect::kItemsPerPack))
      .at(n % inspect::kItemsPerPack);
}

uint64_t InspectRun::ItemOf(uint64_t frame, uint64_t draw) const {
  for (const json& item : Items(frame)) {
    if (item.value("draw", uint64_t{0}) == draw) return item["n"];
  }
  FAIL("no item is draw ", draw);
  return 0;
}

std::vector<uint8_t> InspectRun::Compose(uint64_t frame, uint32_t target, uint64_t n) const {
  const json& base = Data(fmt::format("base/{}-{}", frame, target));
  std::vector<uint8_t> pixels = Inflate(base.at("data"));
  const auto width = base.at("rect").at(2).get<size_t>();
  const size_t size = base.at("format") == "stencil" ? 1 : 4;
  for (const json& item : Items(frame)) {
    if (item.at("n") > n) break;
    for (const json& write : item.at("writes")) {
      if (write.at("target") != target) continue;
      const json& patch = Data(fmt::format("patches/{}-{}", frame, write.at("patches").get<int>()))
                              .at(write.at("at").get<size_t>());
      CHECK(patch.at("rect") == write.at("rect"));
      const std::vector<uint8_t> bytes = Inflate(patch.at("data"));
      const auto rect = patch.at("rect").get<std::vector<size_t>>();
      const size_t row = (rect[2] - rect[0]) * size;
      REQUIRE(bytes.size() == row * (rect[3] - rect[1]));
      for (size_t i = 0; i < bytes.size(); ++i) {
        uint8_t& pixel = pixels[((rect[1] + i / row) * width + rect[0]) * size + i % row];
        pixel = static_cast<uint8_t>(pixel ^ bytes[i]);
      }
    }
  }
  return pixels;
}

InspectRun InspectTrace(const std::string& trace, const inspect::Options& options) {
  const TestFolder folder;
  InspectRun run;
  Result<inspect::DataFolder> data = inspect::DataFolder::Create(folder / "page");
  REQUIRE(data.ok());
  inspect::Inspector inspector(options, *data);
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(inspector.player().OnEvent(number, event).ok());
    return !inspector.player().is_done();
  });
  REQUIRE(inspector.Finish({.tool = "dp2trace", .trace = "test.json"}).ok());
  REQUIRE(data->Commit().ok());
  run.frames = inspector.frames();
  run.left_out = inspector.left_out();
  ReadData(folder / "page/data", run);
  return run;
}

InspectRun InspectEvents(std::string_view events, const inspect::Options& options) {
  return InspectTrace("[\n{\"event\":\"header\"},\n" + std::string(events) + "\n]\n", options);
}

std::string Call(std::string_view commands, std::string_view more) {
  return fmt::format(R"({{"event":"dp2","context":1,"commands":[{}]{}}})", commands, more);
}

std::string Clear(std::string_view color, std::string_view rect) {
  return fmt::format(R"({{"op":"CLEAR","flags":["TARGET"],"fill_color":"{}","rects":[{}]}})", color,
                     rect);
}

Selection Select(std::string_view text) {
  std::string error;
  return *Selection::Parse(text, error);
}

}  // namespace dp2trace::testing
