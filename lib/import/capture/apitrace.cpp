#include "import/capture/apitrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.h"
#include "rules/rule.h"
#include "trace/container.h"
#include "trace/foreign_file.h"

namespace dp2trace::import {
namespace {

constexpr uint64_t kMaxVersion = 6;
constexpr int kMaxDepth = 64;
// Counts of names in a signature; real ones stay below a few thousand.
constexpr uint64_t kMaxNames = 1 << 20;

enum Event : uint8_t { kEnter = 0, kLeave = 1 };
enum Detail : uint8_t { kEnd = 0, kArg = 1, kReturn = 2, kThread = 3, kBacktrace = 4, kFlags = 5 };
enum Type : uint8_t {
  kTypeNull,
  kTypeFalse,
  kTypeTrue,
  kTypeSint,
  kTypeUint,
  kTypeFloat,
  kTypeDouble,
  kTypeString,
  kTypeBlob,
  kTypeEnum,
  kTypeBitmask,
  kTypeArray,
  kTypeStruct,
  kTypeOpaque,
  kTypeRepr,
  kTypeWstring
};

// The memory of one call's values: blocks that never move.
class Arena {
 public:
  explicit Arena(uint64_t& in_use) : in_use_(&in_use) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { *in_use_ -= held_; }

  Bytes Keep(std::vector<uint8_t> bytes) {
    Count(bytes.size());
    bytes_.push_back(std::move(bytes));
    return bytes_.back();
  }
  std::span<const Value> Keep(std::vector<Value> values) {
    Count(values.size() * sizeof(Value));
    values_.push_back(std::move(values));
    return values_.back();
  }
  std::span<const uint32_t> Keep(std::vector<uint32_t> values) {
    Count(values.size() * sizeof(uint32_t));
    wide_.push_back(std::move(values));
    return wide_.back();
  }

 private:
  void Count(uint64_t size) {
    held_ += size;
    *in_use_ += size;
  }
  uint64_t* in_use_;
  uint64_t held_ = 0;
  std::deque<std::vector<uint8_t>> bytes_;
  std::deque<std::vector<Value>> values_;
  std::deque<std::vector<uint32_t>> wide_;
};

struct OpenCall {
  explicit OpenCall(uint64_t& in_use) : arena(in_use) {}
  Arena arena;
  Call call;
};

// The entry of `id`, or null when it is new.
template <class T>
T* Lookup(std::map<uint64_t, std::unique_ptr<T>>& table, uint64_t id) {
  const auto found = table.find(id);
  return found == table.end() ? nullptr : found->second.get();
}

}  // namespace

struct CallParser::State {
  State(ByteSource bytes, uint64_t limit) : source(std::move(bytes)), max_memory(limit) {}

  ByteSource source;
  uint64_t max_memory;
  uint64_t in_use = 0;
  uint64_t version = 0;
  uint64_t next_number = 0;
  std::string error;
  std::vector<std::pair<std::string, std::string>> properties;
  std::map<uint64_t, std::unique_ptr<FunctionSignature>> functions;
  std::map<uint64_t, std::unique_ptr<StructSignature>> structs;
  std::map<uint64_t, std::unique_ptr<EnumSignature>> enums;
  std::map<uint64_t, std::unique_ptr<EnumSignature>> bitmasks;
  std::map<uint64_t, bool> frames;
  std::map<uint64_t, std::unique_ptr<OpenCall>> open;
  std::unique_ptr<OpenCall> returned;

  bool Fail(std::string reason) {
    if (error.empty()) error = std::move(reason);
    return false;
  }
  // The source ended or broke off: says why.
  bool FailEnd() {
    return Fail(source.error().empty()
                    ? fmt::format("the capture ends inside an event, at byte {}", source.position())
                    : source.error());
  }
  bool Good() { return source.failed() ? FailEnd() : error.empty(); }

  // A length that the memory limit allows, or an error.
  bool Affordable(uint64_t size) {
    if (size <= max_memory && in_use <= max_memory - size) return true;
    return Fail(fmt::format("a value of {} bytes at byte {} exceeds the memory limit of {} bytes",
                            size, source.position(), max_memory));
  }

  std::string ReadText() {
    const uint64_t size = source.ReadUint();
    std::vector<uint8_t> bytes;
    if (Good() && Affordable(size)) source.AppendTo(bytes, size);
    return {bytes.begin(), bytes.end()};
  }
  Bytes ReadBlob(Arena& arena) {
    const uint64_t size = source.ReadUint();
    std::vector<uint8_t> bytes;
    if (!Good() || !Affordable(size) || !source.AppendTo(bytes, size)) return {};
    return arena.Keep(std::move(bytes));
  }

  bool ReadHeader();
  bool ReadNames(std::vector<std::string>& names);
  const FunctionSignature* ReadFunction();
  const StructSignature* ReadStruct();
  const EnumSignature* ReadEnum(Arena& arena);
  const EnumSignature* ReadBitmask();
  bool ReadFrames();
  bool ReadValue(Arena& arena, Value& value, int depth);
  bool ReadItems(Arena& arena, Value& value, uint64_t count, int depth);
  bool ReadDetails(OpenCall& open_call);
  bool ReadEnter();
  bool ReadLeave();
};

bool CallParser::State::ReadHeader() {
  version = source.ReadUint();
  if (!Good()) return false;
  if (version > kMaxVersion) {
    return Fail(fmt::format("apitrace container version {}, versions 0 to {} are known", version,
                            kMaxVersion));
  }
  if (version < 6) return true;
  source.ReadUint();  // semantic version
  while (Good()) {
    std::string name = ReadText();
    if (name.empty()) break;
    std::string value = ReadText();
    properties.emplace_back(std::move(name), std::move(value));
  }
  return Good();
}

bool CallParser::State::ReadNames(std::vector<std::string>& names) {
  const uint64_t count = source.ReadUint();
  if (!Good()) return false;
  if (count > kMaxNames)
    return Fail(fmt::format("signature of {} names at byte {}", count, source.position()));
  for (uint64_t i = 0; i < count && Good(); ++i)
    names.push_back(ReadText());
  return Good();
}

const FunctionSignature* CallParser::State::ReadFunction() {
  const uint64_t id = source.ReadUint();
  if (FunctionSignature* known = Lookup(functions, id)) return known;
  auto signature = std::make_unique<FunctionSignature>();
  signature->name = ReadText();
  if (!ReadNames(signature->args)) return nullptr;
  return (functions[id] = std::move(signature)).get();
}

const StructSignature* CallParser::State::ReadStruct() {
  const uint64_t id = source.ReadUint();
  if (StructSignature* known = Lookup(structs, id)) return known;
  auto signature = std::make_unique<StructSignature>();
  signature->name = ReadText();
  if (!ReadNames(signature->members)) return nullptr;
  return (structs[id] = std::move(signature)).get();
}

// Before version 3 an enumeration is one name and its value.
const EnumSignature* CallParser::State::ReadEnum(Arena& arena) {
  const uint64_t id = source.ReadUint();
  if (EnumSignature* known = Lookup(enums, id)) return known;
  auto signature = std::make_unique<EnumSignature>();
  const uint64_t count = version < 3 ? 1 : source.ReadUint();
  if (!Good()) return nullptr;
  if (count > kMaxNames) return Fail(fmt::format("enumeration of {} names", count)), nullptr;
  for (uint64_t i = 0; i < count; ++i) {
    EnumSignature::Entry entry;
    entry.name = ReadText();
    Value value;
    if (!ReadValue(arena, value, 0)) return nullptr;
    entry.value = value.integer;
    signature->entries.push_back(std::move(entry));
  }
  return (enums[id] = std::move(signature)).get();
}

const EnumSignature* CallParser::State::ReadBitmask() {
  const uint64_t id = source.ReadUint();
  if (EnumSignature* known = Lookup(bitmasks, id)) return known;
  auto signature = std::make_unique<EnumSignature>();
  const uint64_t count = source.ReadUint();
  if (!Good()) return nullptr;
  if (count > kMaxNames) return Fail(fmt::format("bitmask of {} names", count)), nullptr;
  for (uint64_t i = 0; i < count && Good(); ++i) {
    EnumSignature::Entry entry;
    entry.name = ReadText();
    entry.value = static_cast<int64_t>(source.ReadUint());
    signature->entries.push_back(std::move(entry));
  }
  if (!Good()) return nullptr;
  return (bitmasks[id] = std::move(signature)).get();
}

// Backtraces are read over; nothing here needs them.
bool CallParser::State::ReadFrames() {
  const uint64_t count = source.ReadUint();
  for (uint64_t i = 0; i < count && Good(); ++i) {
    const uint64_t id = source.ReadUint();
    if (!frames.emplace(id, true).second) continue;
    while (Good()) {
      const uint8_t detail = source.ReadU8();
      if (detail == 0) break;
      if (detail <= 3) {
        ReadText();
      } else if (detail <= 5) {
        source.ReadUint();
      } else {
        return Fail(
            fmt::format("unknown stack frame detail {} at byte {}", detail, source.position()));
      }
    }
  }
  return Good();
}

bool CallParser::State::ReadItems(Arena& arena, Value& value, uint64_t count, int depth) {
  // Each item takes a byte at least, so a lying count ends with the input; the limit keeps a long one in bounds.
  std::vector<Value> items;
  for (uint64_t i = 0; i < count; ++i) {
    if (!Affordable(items.size() * sizeof(Value)) ||
        !ReadValue(arena, items.emplace_back(), depth + 1))
      return false;
  }
  value.items = arena.Keep(std::move(items));
  return true;
}

bool CallParser::State::ReadValue(Arena& arena, Value& value, int depth) {
  if (depth > kMaxDepth) return Fail(fmt::format("values nest deeper than {} levels", kMaxDepth));
  const uint8_t type = source.ReadU8();
  if (!Good()) return false;
  switch (type) {
    case kTypeNull:
      break;
    case kTypeFalse:
    case kTypeTrue:
      value.kind = ValueKind::kBool;
      value.integer = type == kTypeTrue ? 1 : 0;
      break;
    case kTypeSint:
      value.kind = ValueKind::kInt;
      value.integer = static_cast<int64_t>(0 - source.ReadUint());
      break;
    case kTypeUint:
      value.kind = ValueKind::kUint;
      value.integer = static_cast<int64_t>(source.ReadUint());
      break;
    case kTypeFloat:
      value.kind = ValueKind::kFloat;
      value.real = static_cast<double>(source.ReadRaw<float>());
      break;
    case kTypeDouble:
      value.kind = ValueKind::kDouble;
      value.real = source.ReadRaw<double>();
      break;
    case kTypeString: {
      value.kind = ValueKind::kString;
      const Bytes bytes = ReadBlob(arena);
      value.text = std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      break;
    }
    case kTypeBlob:
      value.kind = ValueKind::kBlob;
      value.blob = ReadBlob(arena);
      break;
    case kTypeEnum: {
      const EnumSignature* signature = ReadEnum(arena);
      if (signature == nullptr) return false;
      Value number;
      if (version < 3) {
        number.integer = signature->entries.front().value;
      } else if (!ReadValue(arena, number, depth + 1)) {
        return false;
      }
      value.kind = ValueKind::kEnum;
      value.integer = number.integer;
      value.enumeration = signature;
      break;
    }
    case kTypeBitmask:
      value.enumeration = ReadBitmask();
      if (value.enumeration == nullptr) return false;
      value.kind = ValueKind::kBitmask;
      value.integer = static_cast<int64_t>(source.ReadUint());
      break;
    case kTypeArray:
      value.kind = ValueKind::kArray;
      return ReadItems(arena, value, source.ReadUint(), depth);
    case kTypeStruct:
      value.structure = ReadStruct();
      if (value.structure == nullptr) return false;
      value.kind = ValueKind::kStruct;
      return ReadItems(arena, value, value.structure->members.size(), depth);
    case kTypeOpaque:
      value.kind = ValueKind::kPointer;
      value.integer = static_cast<int64_t>(source.ReadUint());
      break;
    case kTypeRepr:
      value.kind = ValueKind::kRepr;
      return ReadItems(arena, value, 2, depth);
    case kTypeWstring: {
      value.kind = ValueKind::kWideString;
      const uint64_t count = source.ReadUint();
      std::vector<uint32_t> units;
      for (uint64_t i = 0; i < count && Good() && Affordable(units.size() * sizeof(uint32_t));
           ++i) {
        units.push_back(static_cast<uint32_t>(source.ReadUint()));
      }
      value.wide = arena.Keep(std::move(units));
      break;
    }
    default:
      return Fail(fmt::format("unknown value type {} at byte {}", type, source.position()));
  }
  return Good();
}

bool CallParser::State::ReadDetails(OpenCall& open_call) {
  Call& call = open_call.call;
  while (Good()) {
    const uint8_t detail = source.ReadU8();
    if (!Good()) return false;
    switch (detail) {
      case kEnd:
        return true;
      case kArg: {
        const uint64_t index = source.ReadUint();
        if (!Good()) return false;
        if (index > 255)
          return Fail(fmt::format("argument number {} at byte {}", index, source.position()));
        if (index >= call.args.size()) call.args.resize(static_cast<size_t>(index) + 1);
        Value value;
        if (!ReadValue(open_call.arena, value, 0)) return false;
        call.args[static_cast<size_t>(index)] = value;
        break;
      }
      case kReturn: {
        Value value;
        if (!ReadValue(open_call.arena, value, 0)) return false;
        call.result = value;
        break;
      }
      case kThread:
        call.thread = source.ReadUint();
        break;
      case kFlags:
        call.flags = source.ReadUint();
        break;
      case kBacktrace:
        if (!ReadFrames()) return false;
        break;
      default:
        return Fail(fmt::format("unknown call detail {} at byte {}", detail, source.position()));
    }
  }
  return Good();
}

bool CallParser::State::ReadEnter() {
  auto open_call = std::make_unique<OpenCall>(in_use);
  Call& call = open_call->call;
  if (version >= 4) call.thread = source.ReadUint();
  call.function = ReadFunction();
  if (call.function == nullptr || !Good()) return false;
  call.number = next_number++;
  call.args.resize(call.function->args.size());
  if (!ReadDetails(*open_call)) return false;
  const uint64_t number = call.number;
  open.emplace(number, std::move(open_call));
  return true;
}

bool CallParser::State::ReadLeave() {
  const uint64_t number = source.ReadUint();
  if (!Good()) return false;
  const auto found = open.find(number);
  if (found == open.end()) {
    return Fail(fmt::format("call {} returns without having been entered, at byte {}", number,
                            source.position()));
  }
  if (!ReadDetails(*found->second)) return false;
  returned = std::move(found->second);
  open.erase(found);
  return true;
}

CallParser::CallParser(std::unique_ptr<State> state) : state_(std::move(state)) {}
CallParser::CallParser(CallParser&&) noexcept = default;
CallParser& CallParser::operator=(CallParser&&) noexcept = default;
CallParser::~CallParser() = default;

namespace {

// What a file is that is no capture; empty where nothing is recognised.
std::string ForeignClause(const std::string& path) {
  Result<InputFile> file = InputFile::Open(path);
  std::array<uint8_t, 64> start = {};
  if (!file.ok()) return {};
  const Result<size_t> count = file->Read(start);
  if (!count.ok()) return {};
  const Bytes bytes = Bytes(start).first(*count);
  if (trace::ParseFileHeader(bytes)) return "it is a trace of dp2trace already";
  return std::string(trace::DescribeForeignFile(bytes));
}

}  // namespace

Result<CallParser> CallParser::Open(const std::string& path, uint64_t max_memory) {
  Result<ByteSource> source = ByteSource::Open(path);
  if (!source.ok()) return source.status();
  const bool is_snappy = source->framing_name() == "snappy";
  Result<CallParser> parser = FromSource(std::move(*source), path, max_memory);
  if (parser.ok()) return parser;
  const std::string clause = is_snappy
                                 ? "it starts as a capture does, and ends before its first call"
                                 : ForeignClause(path);
  if (clause.empty()) return parser;
  return Status(
      MakeDiagnostic(Rule::kTrace001, parser.status().diagnostic().message + "; " + clause));
}

Result<CallParser> CallParser::FromBytes(std::vector<uint8_t> bytes, uint64_t max_memory) {
  Result<ByteSource> source = ByteSource::FromBytes(std::move(bytes));
  if (!source.ok()) return source.status();
  return FromSource(std::move(*source), "this", max_memory);
}

Result<CallParser> CallParser::FromSource(ByteSource source, const std::string& name,
                                          uint64_t max_memory) {
  auto state = std::make_unique<State>(std::move(source), max_memory);
  if (!state->ReadHeader()) {
    return Status(MakeDiagnostic(
        Rule::kTrace001,
        fmt::format("cannot read {}: it is no apitrace capture: {}", name, state->error)));
  }
  return CallParser(std::move(state));
}

const Call* CallParser::Next() {
  State& state = *state_;
  state.returned.reset();
  while (state.error.empty() && !state.source.at_end()) {
    const uint8_t event = state.source.ReadU8();
    bool good = false;
    if (event == kEnter) {
      good = state.ReadEnter();
    } else if (event == kLeave) {
      good = state.ReadLeave();
    } else {
      good = state.Fail(fmt::format("unknown event {} at byte {}", event, state.source.position()));
    }
    if (good && state.returned) return &state.returned->call;
  }
  if (state.error.empty()) state.error = state.source.error();
  return nullptr;
}

uint64_t CallParser::version() const {
  return state_->version;
}
const std::vector<std::pair<std::string, std::string>>& CallParser::properties() const {
  return state_->properties;
}
const std::string& CallParser::error() const {
  return state_->error;
}
uint64_t CallParser::open_calls() const {
  return state_->open.size();
}
uint64_t CallParser::position() const {
  return state_->source.position();
}

}  // namespace dp2trace::import
