#include "kmt/lists.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "worked_packet.h"

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::kmt;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("AllocationListView: reads the worked packet") {
  const AllocationListView list(kWorkedAllocations);
  REQUIRE(list.size() == 4);
  CHECK(list[0] == AllocationElement{});
  CHECK(list[1].handle == 0xC0000100);
  CHECK(list[1].write_operation());
  CHECK(list[3].handle == 0xC0000180);
  CHECK_FALSE(list[3].write_operation());
}

TEST_CASE("PatchListView: reads the worked packet") {
  const PatchListView list(kWorkedPatches);
  REQUIRE(list.size() == 3);
  CHECK(list[2] == PatchElement{.allocation_index = 3,
                                .value = 32,
                                .driver_id = 0x31,
                                .patch_offset = 20,
                                .split_offset = 12});
  CHECK(list[1].slot_id() == 5);
}

TEST_CASE("EncodeAllocation and EncodePatch: reproduce the worked packet") {
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  const AllocationListView allocations(kWorkedAllocations);
  for (size_t i = 0; i < allocations.size(); ++i)
    EncodeAllocation(allocations[i], writer);
  CHECK(std::ranges::equal(bytes, kWorkedAllocations));

  bytes.clear();
  const PatchListView patches(kWorkedPatches);
  for (size_t i = 0; i < patches.size(); ++i)
    EncodePatch(patches[i], writer);
  CHECK(std::ranges::equal(bytes, kWorkedPatches));
}

TEST_CASE("ListView: a partial element is not part of the list") {
  CHECK(AllocationListView(Bytes(kWorkedAllocations, 15)).size() == 1);
  CHECK(PatchListView(Bytes(kWorkedPatches, 23)).size() == 0);
}

TEST_CASE("BitField: Set changes its own bits only") {
  CHECK(kOfferPriority.Set(0xFFFFFFFF, 0) == 0xFFFFFFE3);
  CHECK(kOfferPriority.Get(kOfferPriority.Set(0, 4)) == 4);
  CHECK(kSlotId.Set(0xAB000000, 0x123456) == 0xAB123456);
}
