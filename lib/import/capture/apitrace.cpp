#include "import/capture/apitrace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/file.h"
#include "base/words.h"
#include "rules/rule.h"
#include "trace/container.h"
#include "trace/foreign_file.h"

namespace dp2trace::import {
namespace {

constexpr uint64_t kMaxVersion = 6;
constexpr int kMaxDepth = 64;
// Names in a signature; real ones stay below a few thousand. Arguments are numbered with a byte.
constexpr uint64_t kMaxNames = 1 << 20;
constexpr uint64_t kMaxArguments = 256;
constexpr uint64_t kMaxNameSize = 4096;  // bytes
// Bytes that are read at once before there are as many already: a size that is not true costs no more.
constexpr uint64_t kFirstPart = 64 << 10;
// What an entry of a table takes beside its content.
constexpr uint64_t kNodeSize = 64;
// Work, in steps (Allowance), beside that of the bytes.
constexpr uint64_t kEventSteps = 400, kValueSteps = 24, kEntrySteps = 64, kArgumentSteps = 8,
                   kDetailSteps = 8;

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

// The memory of one call's values. What was kept never moves.
class Arena {
 public:
  explicit Arena(Allowance& allowance) : allowance_(&allowance) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { allowance_->Give(held_); }

  bool Take(uint64_t size) {
    if (!allowance_->Take(size)) return false;
    held_ += size;
    return true;
  }
  // Makes room for more elements: what the old place and the new one take together counts while both are there. False where it is too much.
  template <class T>
  bool Reserve(std::vector<T>& values, uint64_t size) {
    if (size <= values.capacity()) return true;
    const uint64_t old = values.capacity() * sizeof(T);
    if (!Take(size * sizeof(T))) return false;
    values.reserve(static_cast<size_t>(size));
    allowance_->Give(old);
    held_ -= old;
    return true;
  }
  // Room for one more of `count` elements that may or may not come.
  template <class T>
  bool Grow(std::vector<T>& values, uint64_t count) {
    if (values.size() < values.capacity()) return true;
    constexpr uint64_t kFirst = 4;
    return Reserve(values,
                   std::min<uint64_t>(count, std::max<uint64_t>(kFirst, values.size() * 2)));
  }

  // The memory of the vectors has been counted as they grew.
  Bytes Keep(std::vector<uint8_t> bytes) { return KeepIn(bytes_, std::move(bytes)); }
  std::span<const Value> Keep(std::vector<Value> values) {
    return KeepIn(values_, std::move(values));
  }
  std::span<const uint32_t> Keep(std::vector<uint32_t> values) {
    return KeepIn(wide_, std::move(values));
  }

 private:
  template <class T>
  std::span<const T> KeepIn(std::vector<std::vector<T>>& kept, std::vector<T> values) {
    if (values.empty() || !Grow(kept, UINT64_MAX)) return {};
    return kept.emplace_back(std::move(values));
  }

  Allowance* allowance_;
  uint64_t held_ = 0;
  std::vector<std::vector<uint8_t>> bytes_;
  std::vector<std::vector<Value>> values_;
  std::vector<std::vector<uint32_t>> wide_;
};

struct OpenCall {
  explicit OpenCall(Allowance& allowance) : arena(allowance) {}
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
  State(ByteSource bytes, std::shared_ptr<Allowance> limits)
      : source(std::move(bytes)), allowance(std::move(limits)) {}

  ByteSource source;
  std::shared_ptr<Allowance> allowance;
  Arena tables{*allowance};  // what the signatures take
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

  // More memory or work than the limits allow, where `is_affordable` is false.
  bool Afford(bool is_affordable) {
    return is_affordable ||
           Fail(fmt::format("at byte {}: {}", source.position(), allowance->Reason()));
  }

  // The bytes after their size. Grows only as they really come.
  bool ReadBytes(Arena& arena, std::vector<uint8_t>& bytes) {
    const uint64_t size = source.ReadUint();
    if (!Good() || !Afford(allowance->Take(size))) return false;
    allowance->Give(size);
    while (Good() && bytes.size() < size) {
      const uint64_t part =
          std::min(size - bytes.size(), std::max<uint64_t>(kFirstPart, bytes.size()));
      if (!Afford(arena.Reserve(bytes, bytes.size() + part))) return false;
      source.AppendTo(bytes, part);
    }
    return Good();
  }
  Bytes ReadBlob(Arena& arena) {
    std::vector<uint8_t> bytes;
    return ReadBytes(arena, bytes) ? arena.Keep(std::move(bytes)) : Bytes();
  }
  // A text that is kept beside the calls.
  std::string ReadText() {
    Arena arena(*allowance);
    std::vector<uint8_t> bytes;
    if (!ReadBytes(arena, bytes) || !Afford(tables.Take(bytes.size() + kNodeSize))) return {};
    return {bytes.begin(), bytes.end()};
  }
  std::string ReadName() {
    std::string name = ReadText();
    if (name.size() > kMaxNameSize) {
      Fail(fmt::format("a name of {} bytes before byte {}, at most {} are accepted", name.size(),
                       source.position(), kMaxNameSize));
    }
    return name;
  }
  bool SkipText() {
    const uint64_t size = source.ReadUint();
    return Good() && (source.Skip(size) || FailEnd());
  }

  bool ReadHeader();
  // How many names a signature has.
  bool ReadCount(std::string_view what, uint64_t most, uint64_t& count);
  bool ReadNames(std::string_view what, uint64_t most, std::vector<std::string>& names);
  template <class T>
  const T* Add(std::map<uint64_t, std::unique_ptr<T>>& table, uint64_t id,
               std::unique_ptr<T> entry);
  const FunctionSignature* ReadFunction();
  const StructSignature* ReadStruct();
  const EnumSignature* ReadEnum(Arena& arena, int depth);
  const EnumSignature* ReadBitmask();
  bool ReadFrames();
  bool ReadValue(Arena& arena, Value& value, int depth);
  bool ReadItems(Arena& arena, Value& value, uint64_t count, int depth);
  bool ReadWide(Arena& arena, Value& value);
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
    if (!Afford(tables.Grow(properties, UINT64_MAX))) break;
    properties.emplace_back(std::move(name), std::move(value));
  }
  return Good();
}

bool CallParser::State::ReadCount(std::string_view what, uint64_t most, uint64_t& count) {
  count = source.ReadUint();
  if (!Good() || count <= most) return Good();
  return Fail(fmt::format("{} of {} names at byte {}, at most {} are accepted", what, count,
                          source.position(), most));
}

bool CallParser::State::ReadNames(std::string_view what, uint64_t most,
                                  std::vector<std::string>& names) {
  uint64_t count = 0;
  if (!ReadCount(what, most, count)) return false;
  for (uint64_t i = 0; i < count && Good(); ++i) {
    if (!Afford(allowance->Spend(kEntrySteps) && tables.Grow(names, count))) return false;
    names.push_back(ReadName());
  }
  return Good();
}

template <class T>
const T* CallParser::State::Add(std::map<uint64_t, std::unique_ptr<T>>& table, uint64_t id,
                                std::unique_ptr<T> entry) {
  if (!Good() || !Afford(tables.Take(sizeof(T) + kNodeSize))) return nullptr;
  return (table[id] = std::move(entry)).get();
}

const FunctionSignature* CallParser::State::ReadFunction() {
  const uint64_t id = source.ReadUint();
  if (FunctionSignature* known = Lookup(functions, id)) return known;
  auto signature = std::make_unique<FunctionSignature>();
  signature->name = ReadName();
  if (!ReadNames("function", kMaxArguments, signature->args)) return nullptr;
  return Add(functions, id, std::move(signature));
}

const StructSignature* CallParser::State::ReadStruct() {
  const uint64_t id = source.ReadUint();
  if (StructSignature* known = Lookup(structs, id)) return known;
  auto signature = std::make_unique<StructSignature>();
  signature->name = ReadName();
  if (!ReadNames("structure", kMaxNames, signature->members)) return nullptr;
  return Add(structs, id, std::move(signature));
}

// Before version 3 an enumeration is one name and its value.
const EnumSignature* CallParser::State::ReadEnum(Arena& arena, int depth) {
  const uint64_t id = source.ReadUint();
  if (EnumSignature* known = Lookup(enums, id)) return known;
  auto signature = std::make_unique<EnumSignature>();
  uint64_t count = 1;
  if (version >= 3 && !ReadCount("enumeration", kMaxNames, count)) return nullptr;
  for (uint64_t i = 0; i < count && Good(); ++i) {
    if (!Afford(tables.Grow(signature->entries, count))) return nullptr;
    EnumSignature::Entry entry;
    entry.name = ReadName();
    Value value;
    if (!Good() || !ReadValue(arena, value, depth + 1)) return nullptr;
    entry.value = value.integer;
    signature->entries.push_back(std::move(entry));
  }
  return Add(enums, id, std::move(signature));
}

const EnumSignature* CallParser::State::ReadBitmask() {
  const uint64_t id = source.ReadUint();
  if (EnumSignature* known = Lookup(bitmasks, id)) return known;
  auto signature = std::make_unique<EnumSignature>();
  uint64_t count = 0;
  if (!ReadCount("bitmask", kMaxNames, count)) return nullptr;
  for (uint64_t i = 0; i < count && Good(); ++i) {
    if (!Afford(allowance->Spend(kEntrySteps) && tables.Grow(signature->entries, count)))
      return nullptr;
    EnumSignature::Entry entry;
    entry.name = ReadName();
    entry.value = static_cast<int64_t>(source.ReadUint());
    signature->entries.push_back(std::move(entry));
  }
  return Add(bitmasks, id, std::move(signature));
}

// Backtraces are read over; nothing here needs them.
bool CallParser::State::ReadFrames() {
  const uint64_t count = source.ReadUint();
  for (uint64_t i = 0; i < count && Good(); ++i) {
    const uint64_t id = source.ReadUint();
    if (!Afford(allowance->Spend(kEntrySteps))) return false;
    if (!frames.emplace(id, true).second) continue;
    if (!Afford(tables.Take(kNodeSize))) return false;
    while (Good()) {
      const uint8_t detail = source.ReadU8();
      if (detail == 0) break;
      if (detail <= 3) {
        if (!SkipText()) return false;
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

// Each item takes a byte at least, so a count that is not true ends with the input; the allowance keeps a long one in bounds.
bool CallParser::State::ReadItems(Arena& arena, Value& value, uint64_t count, int depth) {
  std::vector<Value> items;
  for (uint64_t i = 0; i < count && Good(); ++i) {
    if (!Afford(arena.Grow(items, count)) || !ReadValue(arena, items.emplace_back(), depth + 1))
      return false;
  }
  value.items = arena.Keep(std::move(items));
  return Good();
}

bool CallParser::State::ReadWide(Arena& arena, Value& value) {
  const uint64_t count = source.ReadUint();
  std::vector<uint32_t> units;
  for (uint64_t i = 0; i < count && Good(); ++i) {
    if (!Afford(arena.Grow(units, count))) return false;
    units.push_back(static_cast<uint32_t>(source.ReadUint()));
  }
  value.wide = arena.Keep(std::move(units));
  return Good();
}

bool CallParser::State::ReadValue(Arena& arena, Value& value, int depth) {
  if (depth > kMaxDepth) {
    return Fail(
        fmt::format("at byte {}: values nest deeper than {} levels", source.position(), kMaxDepth));
  }
  const uint8_t type = source.ReadU8();
  if (!Good() || !Afford(allowance->Spend(kValueSteps))) return false;
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
      const EnumSignature* signature = ReadEnum(arena, depth);
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
    case kTypeWstring:
      value.kind = ValueKind::kWideString;
      return ReadWide(arena, value);
    default:
      return Fail(fmt::format("unknown value type {} at byte {}", type, source.position()));
  }
  return Good();
}

bool CallParser::State::ReadDetails(OpenCall& open_call) {
  Call& call = open_call.call;
  while (Good()) {
    const uint8_t detail = source.ReadU8();
    if (!Good() || !Afford(allowance->Spend(kDetailSteps))) return false;
    switch (detail) {
      case kEnd:
        return true;
      case kArg: {
        const uint64_t index = source.ReadUint();
        if (!Good()) return false;
        if (index >= kMaxArguments) {
          return Fail(fmt::format("argument number {} at byte {}, at most {} are accepted", index,
                                  source.position(), kMaxArguments - 1));
        }
        if (index >= call.args.size()) {
          if (!Afford(open_call.arena.Reserve(call.args, index + 1))) return false;
          call.args.resize(static_cast<size_t>(index) + 1);
        }
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
  auto open_call = std::make_unique<OpenCall>(*allowance);
  Arena& arena = open_call->arena;
  Call& call = open_call->call;
  if (version >= 4) call.thread = source.ReadUint();
  call.function = ReadFunction();
  if (call.function == nullptr || !Good()) return false;
  call.number = next_number++;
  const size_t count = call.function->args.size();
  if (!Afford(allowance->Spend(kEventSteps + count * kArgumentSteps) &&
              arena.Take(sizeof(OpenCall) + kNodeSize) && arena.Reserve(call.args, count)))
    return false;
  call.args.resize(count);
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

std::string_view ClauseOfName(std::string_view path) {
  struct Extension {
    std::string_view name;
    std::string_view clause;
  };
  constexpr Extension kExtensions[] = {
      {".gfxr", "its name is that of a capture of GFXReconstruct (Vulkan, Direct3D 12 or OpenXR)"},
      {".rdc", "its name is that of a capture of RenderDoc"},
      {".vktrace", "its name is that of a trace of vktrace (Vulkan)"},
      {".wpix", "its name is that of a capture of PIX (Direct3D 12)"},
      {".pixrun", "its name is that of a capture of PIX for Windows"},
      {".gputrace", "its name is that of a capture of Xcode (Metal)"},
  };
  const std::string name = InLowerCase(path);
  for (const Extension& extension : kExtensions) {
    if (name.ends_with(extension.name)) return extension.clause;
  }
  return {};
}

std::string ForeignClause(const std::string& path) {
  Result<InputFile> file = InputFile::Open(path);
  std::array<uint8_t, 64> start = {};
  if (!file.ok()) return {};
  const Result<size_t> count = file->Read(start);
  if (!count.ok()) return {};
  const Bytes bytes = Bytes(start).first(*count);
  if (trace::ParseFileHeader(bytes)) return "it is a trace of dp2trace already";
  const bool starts_as_json = !bytes.empty() && (bytes[0] == '[' || bytes[0] == '{');
  if (starts_as_json && path.ends_with(".json")) return "it is a JSON trace already";
  // The name comes first: it says more than the first bytes of a file that no signature tells.
  const std::string_view name = ClauseOfName(path);
  // What is compressed is read all the same: that it is says nothing about what is in it.
  const std::string_view content =
      ByteSource::IsDecompressed(bytes) ? std::string_view() : trace::DescribeForeignFile(bytes);
  return fmt::format("{}{}{}", name, name.empty() || content.empty() ? "" : "; ", content);
}

Result<CallParser> CallParser::Open(const std::string& path, std::shared_ptr<Allowance> allowance) {
  Result<ByteSource> source = ByteSource::Open(path, allowance);
  if (!source.ok()) return source.status();
  const bool is_snappy = source->framing_name() == "snappy";
  Result<CallParser> parser = FromSource(std::move(*source), path, std::move(allowance));
  if (parser.ok()) return parser;
  const std::string clause = is_snappy
                                 ? "it starts as a capture does, and ends before its first call"
                                 : ForeignClause(path);
  if (clause.empty()) return parser;
  return Status(
      MakeDiagnostic(Rule::kTrace001, parser.status().diagnostic().message + "; " + clause));
}

Result<CallParser> CallParser::FromBytes(std::vector<uint8_t> bytes,
                                         std::shared_ptr<Allowance> allowance) {
  Result<ByteSource> source = ByteSource::FromBytes(std::move(bytes), allowance);
  if (!source.ok()) return source.status();
  return FromSource(std::move(*source), "this", std::move(allowance));
}

Result<CallParser> CallParser::FromSource(ByteSource source, const std::string& name,
                                          std::shared_ptr<Allowance> allowance) {
  auto state = std::make_unique<State>(std::move(source), std::move(allowance));
  if (!state->ReadHeader()) {
    return Status(MakeDiagnostic(
        Rule::kTrace001,
        fmt::format("cannot read {}: it is not an apitrace capture: {}", name, state->error)));
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
    if (!good || !state.Afford(!state.allowance->is_exceeded())) break;
    if (state.returned) return &state.returned->call;
  }
  state.returned.reset();
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
