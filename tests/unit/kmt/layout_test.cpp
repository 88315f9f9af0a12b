#include "kmt/layout.h"

#include <doctest/doctest.h>

#include <set>
#include <string_view>
#include <vector>

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::kmt;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Layout: field names are unique") {
  std::set<std::string_view> names;
  for (const LayoutField& field : kRenderLayout.fields)
    CHECK(names.insert(field.name).second);
  CHECK(IsNaturallyLaidOut(kRenderLayout));
}

TEST_CASE("Layout: fields that an older version lacks are at the end") {
  for (size_t i = 1; i < kRenderLayout.fields.size(); ++i)
    CHECK(kRenderLayout.fields[i].since >= kRenderLayout.fields[i - 1].since);
}

TEST_CASE("WriteField and ReadField: are inverse for every element of every field") {
  for (const PointerWidth width : {PointerWidth::k32, PointerWidth::k64}) {
    std::vector<uint8_t> raw(kRenderLayout.Size(width, OsProfile::kWin10));
    uint64_t value = 0x11;
    for (const LayoutField& field : kRenderLayout.fields) {
      for (uint32_t i = 0; i < field.count; ++i)
        WriteField(raw, field, width, i, ++value);
    }
    CHECK_FALSE(HasNonZeroPadding(raw, kRenderLayout, width));
    value = 0x11;
    for (const LayoutField& field : kRenderLayout.fields) {
      for (uint32_t i = 0; i < field.count; ++i)
        CHECK(ReadField(raw, field, width, i) == ++value);
    }
  }
}

TEST_CASE("HasNonZeroPadding: sees the gaps of D3DKMT_RENDER and nothing else") {
  const std::set<size_t> padding = {20, 21, 22, 23, 36,  37,  38,  39,
                                    52, 53, 54, 55, 364, 365, 366, 367};
  for (size_t at = 0; at < 368; ++at) {
    CAPTURE(at);
    std::vector<uint8_t> raw(368);
    raw[at] = 1;
    CHECK(HasNonZeroPadding(raw, kRenderLayout, PointerWidth::k64) == (padding.count(at) == 1));
  }
  std::vector<uint8_t> narrow(336, 0xFF);
  CHECK_FALSE(HasNonZeroPadding(narrow, kRenderLayout, PointerWidth::k32));
}
