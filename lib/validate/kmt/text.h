// Words for the findings about KMT objects.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "device/kmt/objects.h"
#include "kmt/flags.h"
#include "kmt/lists.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// "0x40000040".
std::string Hex(uint64_t value);
// "16 or less".
std::string AtMost(uint64_t value);
// "RenderKm|0x40": the names of the flags, what has no name in hexadecimal; "0" for none.
std::string FlagsText(const kmt::FlagTable& table, uint32_t value);
// "flags of RenderKm|RenderKmReadback": all that the table has but the `excluded` ones.
std::string LegalFlagsText(const kmt::FlagTable& table, uint32_t excluded);
// "WriteOperation|OfferPriority 3|0x20": the fields of the word that are not 0, fields of one bit only by name; "0" for none.
std::string FieldsText(std::span<const kmt::BitField> fields, uint32_t value);
// "bits of WriteOperation|OfferPriority": the fields without an `excluded` bit.
std::string LegalFieldsText(std::span<const kmt::BitField> fields, uint32_t excluded);
// "broadcast_context/3".
std::string ElementPath(std::string_view list, size_t index);
// What a handle is instead of what was expected: "was never announced", "names a resource", "names an allocation that is destroyed".
std::string DescribeHandle(const device::KmtObjects& kmt, uint32_t process, uint32_t handle);
// "0xc000000d (STATUS_INVALID_PARAMETER)".
std::string DescribeStatus(uint32_t status);
// Reports under `rule` unless the handle names a live object of the type; true when it does.
bool CheckLive(const EventView& view, Rule rule, std::string_view path, uint32_t process,
               uint32_t handle, device::KmtType type);

}  // namespace dp2trace::validate
