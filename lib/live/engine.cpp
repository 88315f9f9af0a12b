#include "live/engine.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "json/append.h"
#include "live/loader.h"
#include "live/session.h"
#include "os/wasi/memory_files.h"
#include "validate/rule_set.h"

namespace dp2trace::live {
namespace {

// Of a page, which has at most 4 GB.
constexpr uint64_t kMaxMemory = uint64_t{1} << 30, kMaxKept = uint64_t{256} << 20,
                   kMaxKeyframes = uint64_t{256} << 20;
constexpr const char* kTool = "dp2trace " DP2TRACE_VERSION;
const std::string kImported = "/tmp/imported.dp2t", kEdited = "/tmp/edited.dp2t",
                  kImportedBeside = "/tmp/beside.dp2t", kBesideFolder = "/beside/";

struct Engine {
  std::unique_ptr<Session> session;
  std::string beside;  // path of the file; empty: none
  std::string answer;
};

Engine& TheEngine() {
  static Engine engine;
  return engine;
}

int Answer(Result<std::string> value) {
  TheEngine().answer = value.ok() ? std::move(*value) : value.status().diagnostic().message;
  return value.ok() ? 1 : 0;
}

Result<std::string> Open(const std::string& name) {
  Engine& engine = TheEngine();
  Result<Loaded> loaded = Load(name, kImported, kTool, kMaxMemory);
  if (!loaded.ok()) return loaded.status();
  SessionOptions options{.tool = kTool,
                         .name = name,
                         .path = loaded->path,
                         .place = kEdited,
                         .max_memory = kMaxMemory,
                         .max_kept = kMaxKept,
                         .max_keyframes = kMaxKeyframes,
                         .limits = {},
                         .play = {}};
  // As the program reports without options.
  options.play.validation.rules = validate::RuleSet(validate::Preset::kRecommended);
  Result<std::unique_ptr<Session>> session = Session::Open(std::move(options));
  if (!session.ok()) return session.status();
  engine.session = std::move(*session);
  if (loaded->path != name) RemoveMemoryFile(name);
  json::Text out;
  out.Raw('{');
  AppendList(out, "notes", loaded->notes, [&out](const std::string& note) { out.String(note); });
  out.Raw('}');
  return std::move(out.string());
}

// The file that was there goes: memory is short.
Result<std::string> PutBeside(const std::string& name, std::vector<uint8_t> bytes) {
  Engine& engine = TheEngine();
  if (engine.session == nullptr) return Failure(kCannotRead, "no trace is open");
  for (const std::string& path : {engine.beside, kImportedBeside})
    RemoveMemoryFile(path);
  engine.beside = kBesideFolder + name;
  PutMemoryFile(engine.beside, std::move(bytes));
  return engine.session->Put({.name = name, .path = engine.beside, .imported = kImportedBeside});
}

// The bytes of a call, which owns them.
std::vector<uint8_t> Taken(uint8_t* bytes, size_t size) {
  std::vector<uint8_t> taken(bytes, bytes + size);
  dp2trace_free(bytes);
  return taken;
}

}  // namespace
}  // namespace dp2trace::live

using namespace dp2trace;        // NOLINT(google-build-using-namespace): the C interface
using namespace dp2trace::live;  // NOLINT(google-build-using-namespace): likewise

uint8_t* dp2trace_allocate(size_t size) {
  return static_cast<uint8_t*>(std::malloc(size != 0 ? size : 1));  // NOLINT(*-no-malloc)
}

void dp2trace_free(uint8_t* memory) {
  std::free(memory);  // NOLINT(*-no-malloc)
}

int dp2trace_open(const char* name, size_t name_size, uint8_t* bytes, size_t size) {
  TheEngine() = {};
  const std::string path(name, name_size);
  PutMemoryFile(path, Taken(bytes, size));
  return Answer(Open(path));
}

int dp2trace_beside(const char* name, size_t name_size, uint8_t* bytes, size_t size) {
  return Answer(PutBeside({name, name_size}, Taken(bytes, size)));
}

int dp2trace_ask(const char* name, size_t size) {
  Engine& engine = TheEngine();
  return Answer(engine.session == nullptr
                    ? Result<std::string>(Failure(kCannotRead, "no trace is open"))
                    : engine.session->Ask({name, size}));
}

int dp2trace_file() {
  Engine& engine = TheEngine();
  const auto file = engine.session == nullptr ? nullptr : FindMemoryFile(engine.session->path());
  engine.answer = file == nullptr ? std::string() : std::string(file->begin(), file->end());
  return file == nullptr ? 0 : 1;
}

const char* dp2trace_answer() {
  return TheEngine().answer.data();
}

size_t dp2trace_answer_size() {
  return TheEngine().answer.size();
}
