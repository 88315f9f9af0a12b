// Calls of an apitrace capture: a streaming parser of the container, versions 0 to 6.
// Source: apitrace docs/FORMAT.markdown.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "import/capture/byte_source.h"

namespace dp2trace::import {

// Signatures are written once per trace and live as long as the parser.
struct FunctionSignature {
  std::string name;
  std::vector<std::string> args;
};

struct StructSignature {
  std::string name;
  std::vector<std::string> members;
};

struct EnumSignature {  // also of bitmasks
  struct Entry {
    std::string name;
    int64_t value = 0;
  };
  std::vector<Entry> entries;
};

enum class ValueKind : uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,
  kFloat,
  kDouble,
  kString,
  kWideString,
  kBlob,
  kEnum,
  kBitmask,
  kArray,
  kStruct,
  kPointer,
  kRepr
};

// One recorded value. Children and texts belong to the call that holds the value.
struct Value {
  ValueKind kind = ValueKind::kNull;
  int64_t integer = 0;             // kBool, kInt, kUint (bits), kEnum, kBitmask, kPointer (bits)
  double real = 0;                 // kFloat, kDouble
  std::string_view text;           // kString (UTF-8 as recorded), kEnum before version 3
  std::span<const uint32_t> wide;  // kWideString
  Bytes blob;                      // kBlob
  std::span<const Value> items;    // kArray, kStruct (one per member), kRepr (human, machine)
  const StructSignature* structure = nullptr;  // kStruct
  const EnumSignature* enumeration = nullptr;  // kEnum, kBitmask

  uint64_t bits() const { return static_cast<uint64_t>(integer); }
};

struct Call {
  uint64_t number = 0;  // counted from 0 in the order of the enter events
  uint64_t thread = 0;
  // Observed: recorders of version 6 write call flags as detail 5 (1 = made by the recorder, not by the program); the document does
  // not list them.
  uint64_t flags = 0;
  const FunctionSignature* function = nullptr;
  std::vector<std::optional<Value>> args;  // by argument number
  std::optional<Value> result;
};

// What a file is that is not a capture, by its first bytes or its name; empty where nothing is recognised.
std::string ForeignClause(const std::string& path);
// What the name says, with letters of either case: "its name is that of a capture of RenderDoc"; empty where it says nothing.
std::string_view ClauseOfName(std::string_view path);

// Reads calls in the order in which they returned.
class CallParser {
 public:
  // Whatever is held and read of the capture counts against the allowance. A capture that exceeds it ends there, as one that was cut.
  static Result<CallParser> Open(const std::string& path, std::shared_ptr<Allowance> allowance =
                                                              std::make_shared<Allowance>());
  // A capture in memory.
  static Result<CallParser> FromBytes(
      std::vector<uint8_t> bytes,
      std::shared_ptr<Allowance> allowance = std::make_shared<Allowance>());
  CallParser(CallParser&&) noexcept;
  CallParser& operator=(CallParser&&) noexcept;
  ~CallParser();

  // The next call that was entered and left, or null at the end. It lives until the next call of Next().
  const Call* Next();

  uint64_t version() const;
  // Name and value pairs of a version 6 header.
  const std::vector<std::pair<std::string, std::string>>& properties() const;
  // Why reading stopped early (a crashed program, a cut or damaged file); empty when the capture is whole.
  const std::string& error() const;
  // Calls that were entered and never left.
  uint64_t open_calls() const;
  // Bytes of the decompressed stream that were read.
  uint64_t position() const;

 private:
  struct State;
  static Result<CallParser> FromSource(ByteSource source, const std::string& name,
                                       std::shared_ptr<Allowance> allowance);
  explicit CallParser(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace dp2trace::import
