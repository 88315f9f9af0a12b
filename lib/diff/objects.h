// Which object of one trace is which of another: compared by what they are, not by their numbers.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "opcode/opcode.h"
#include "stream/stream.h"
#include "trace/command_stream.h"
#include "trace/events.h"

namespace dp2trace::diff {

// A hash of both.
uint64_t Combine(uint64_t hash, uint64_t value);

// What there was of an object when it was made, and what was first written into it.
struct ObjectFacts {
  uint64_t properties = 0;
  uint64_t content = 0;
  // Of an allocation: number of the surface that was bound to it first.
  uint32_t content_of = UINT32_MAX;
};

enum class ObjectKind : uint8_t { kSurface, kContext, kKmtObject, kOfToken };

// A number as it is looked up: kinds of tokens are told apart by the meaning of the field, and all by space, process or context.
struct ObjectName {
  ObjectKind kind = ObjectKind::kSurface;
  opcode::Meaning meaning = opcode::Meaning::kNumber;  // with kOfToken
  uint32_t scope = 0;                                  // space or process
  uint64_t context = 0;                                // with kOfToken
  uint64_t number = 0;
  auto operator<=>(const ObjectName&) const = default;
};

// Where the numbers in an event and its tokens are looked up.
struct Scope {
  uint32_t space = 0, process = 0;
  uint64_t context = 0;  // that its tokens run in
  ObjectName Surface(uint32_t handle) const;
  ObjectName Context(uint64_t number) const;
  ObjectName KmtObject(uint32_t handle) const;
  // A field of a token that is a handle; surfaces are those of events.
  ObjectName OfToken(opcode::Meaning meaning, uint32_t handle) const;
};

// Follows the numbers through a trace: each names the object that was made last under it; one that nothing made is made where it is
// first named.
class ObjectTable {
 public:
  // In the order of the trace. Tokens come after their event.
  void OnEvent(const trace::Event& event);
  void OnCommand(const trace::Event& event, const stream::Command& command,
                 const stream::Environment& environment);

  Scope ScopeOf(const trace::Event& event) const;
  // Number of the object, from 0 in the order in which they were made.
  uint32_t NumberOf(const ObjectName& name);
  const std::vector<ObjectFacts>& objects() const { return objects_; }

 private:
  uint32_t Make(const ObjectName& name, uint64_t properties);
  void MakeSurface(const trace::SurfaceCreate& create);
  void MakeKmtObjects(const trace::Event& event, const Scope& scope);

  std::vector<ObjectFacts> objects_;
  std::map<ObjectName, uint32_t> numbers_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t>
      spaces_;                               // by process and KMT device or context
  std::map<ObjectName, uint32_t> recorded_;  // by context: the state block that it records
};

// For each object of either trace a number that is the same for those that match: equal contents first, equal properties then, in order.
struct ObjectMatch {
  std::vector<uint64_t> a, b;
};
ObjectMatch MatchObjects(const std::vector<ObjectFacts>& a, const std::vector<ObjectFacts>& b);

}  // namespace dp2trace::diff
