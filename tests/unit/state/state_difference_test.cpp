#include "state/state_difference.h"

#include <doctest/doctest.h>

using namespace dp2trace::state;  // NOLINT(google-build-using-namespace): test file

namespace {

StateEntry MakeEntry(const char* name, const char* value) {
  StateEntry entry;
  entry.group = StateGroup::kRenderState;
  entry.name = name;
  entry.value = value;
  entry.default_value = "0";
  return entry;
}

}  // namespace

TEST_CASE("CompareStates: what differs, in the order of the second side, then what it lacks") {
  StateSnapshot from, to;
  from.entries = {MakeEntry("A", "1"), MakeEntry("B", "1"), MakeEntry("GONE", "5"),
                  MakeEntry("NEVER", "0")};
  to.entries = {MakeEntry("NEW", "2"), MakeEntry("A", "1"), MakeEntry("B", "2"),
                MakeEntry("DEFAULT", "0")};
  const std::vector<DifferentEntry> differences = CompareStates(from, to);
  REQUIRE(differences.size() == 3);
  CHECK(differences[0].either().name == "NEW");
  CHECK(differences[0].from == nullptr);
  CHECK(differences[1].from->value == "1");
  CHECK(differences[1].to->value == "2");
  CHECK(differences[2].either().name == "GONE");
  CHECK(differences[2].to == nullptr);
}

TEST_CASE("CompareStates: equal names in other groups are other values") {
  StateSnapshot from, to;
  from.entries = {MakeEntry("A", "1")};
  to.entries = {MakeEntry("A", "1")};
  to.entries[0].group = StateGroup::kTexture;
  CHECK(CompareStates(from, to).size() == 2);
  CHECK(CompareStates(from, from).empty());
}
