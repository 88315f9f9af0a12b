#include "validate/kmt/packet.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/plain_text.h"
#include "kmt/lists.h"
#include "kmt/render.h"
#include "rules/rule.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

using kmt::PointerWidth;
using kmt::RenderStruct;

uint64_t PointerMask(PointerWidth width) {
  return width == PointerWidth::k64 ? ~uint64_t{0} : 0xFFFFFFFFu;
}

// KMT-DEC-001.
bool CheckRawSize(Bytes raw, std::string_view field, PointerWidth width, kmt::OsProfile profile,
                  EventFindings& findings) {
  const uint32_t expected = kmt::RenderSize(width, profile);
  if (raw.empty() || raw.size() == expected) return true;
  findings.Add(Rule::kKmtDec001, std::string(field),
               fmt::format("{} is {}, D3DKMT_RENDER has {} in this profile", field,
                           Counted(raw.size(), "byte"), expected),
               fmt::format("{}", raw.size()), fmt::format("{}", expected));
  return false;
}

// KMT-DEC-003.
bool CheckPayloadKind(const trace::Render& render, EventFindings& findings) {
  const auto kind = static_cast<uint32_t>(render.payload);
  if (!NameOf(trace::kPayloadKindNames, kind).empty()) return true;
  findings.Add(Rule::kKmtDec003, "payload",
               fmt::format("payload kind {} is not dp2, opaque or renderkm", kind),
               fmt::format("{}", kind), "dp2, opaque or renderkm");
  return false;
}

// KMT-DEC-004.
bool CheckCommandBytes(const trace::Render& render, const PacketProfile& profile,
                       EventFindings& findings) {
  if (!render.command_length.has_value()) return true;
  const uint64_t expected = CommandExtent(render, profile).end;
  if (render.command_buffer.size() == expected) return true;
  findings.Add(Rule::kKmtDec004, "command_buffer",
               fmt::format("{} bytes are recorded, the packet submits {}",
                           render.command_buffer.size(), expected),
               fmt::format("{}", render.command_buffer.size()), fmt::format("{}", expected));
  return false;
}

// KMT-DEC-005 and -006. Without a recorded count the list must consist of whole elements.
bool CheckList(Rule rule, Bytes list, std::optional<uint32_t> count, uint32_t element_size,
               std::string_view field, EventFindings& findings) {
  const uint64_t expected = count.value_or(list.size() / element_size) * uint64_t{element_size};
  if (list.size() == expected) return true;
  findings.Add(rule, std::string(field),
               fmt::format("{} for {} of {} bytes, which need {}", Counted(list.size(), "byte"),
                           Counted(expected / element_size, "element"), element_size, expected),
               fmt::format("{}", list.size()), fmt::format("{}", expected));
  return false;
}

// KMT-DEC-007.
void CheckVistaFields(const trace::Render& render, const PacketProfile& profile,
                      EventFindings& findings) {
  if (profile.os_profile != kmt::OsProfile::kVista) return;
  const auto check = [&](std::string_view field, bool is_recorded) {
    if (!is_recorded) return;
    findings.Add(Rule::kKmtDec007, std::string(field),
                 fmt::format("{}: D3DKMT_RENDER of Windows Vista has no such field", field),
                 "recorded", "absent");
  };
  check("new_command_buffer", render.new_command_buffer.has_value());
  check("new_command_buffer_out", render.new_command_buffer_out.has_value());
  check("private_driver_data", render.private_driver_data.has_value());
  check("private_driver_data_size", render.private_driver_data_size.has_value());
}

// KMT-DEC-009.
void CheckPointers(const trace::Render& render, PointerWidth width, EventFindings& findings) {
  const auto check = [&](std::string_view field, uint64_t pointer) {
    if ((pointer & ~PointerMask(width)) == 0) return;
    findings.Add(Rule::kKmtDec009, std::string(field),
                 fmt::format("{}: pointer {:#x} of a 32-bit process", field, pointer),
                 fmt::format("{:#x}", pointer), "0xffffffff or less");
  };
  check("new_command_buffer_pointer", render.new_command_buffer_pointer);
  check("new_allocation_list_pointer", render.new_allocation_list_pointer);
  check("new_patch_location_list_pointer", render.new_patch_location_list_pointer);
  check("private_driver_data", render.private_driver_data.value_or(0));
  if (!render.out.has_value()) return;
  check("out/command_buffer", render.out->command_buffer);
  check("out/allocation_list", render.out->allocation_list);
  check("out/patch_location_list", render.out->patch_location_list);
}

// The structure as the named fields give it before the call; fields that are not recorded are taken from `raw`.
RenderStruct NamedInput(const trace::Render& render, const RenderStruct& raw, PointerWidth width) {
  const uint64_t mask = PointerMask(width);  // a pointer that does not fit is only KMT-DEC-009
  RenderStruct named = raw;
  named.context = render.context;
  named.command_offset = render.command_offset;
  named.command_length = render.command_length.value_or(raw.command_length);
  named.allocation_count = render.allocation_count.value_or(raw.allocation_count);
  named.patch_location_count = render.patch_location_count.value_or(raw.patch_location_count);
  named.new_command_buffer_pointer = render.new_command_buffer_pointer & mask;
  named.new_command_buffer_size = render.new_command_buffer_size;
  named.new_allocation_list_pointer = render.new_allocation_list_pointer & mask;
  named.new_allocation_list_size = render.new_allocation_list_size;
  named.new_patch_location_list_pointer = render.new_patch_location_list_pointer & mask;
  named.new_patch_location_list_size = render.new_patch_location_list_size;
  named.flags = render.flags;
  named.present_history_token = render.present_history_token;
  named.broadcast_context_count = render.broadcast_context_count;
  const size_t recorded = std::min(render.broadcast_context.size(), named.broadcast_context.size());
  std::copy_n(render.broadcast_context.begin(), recorded, named.broadcast_context.begin());
  named.new_command_buffer = render.new_command_buffer.value_or(raw.new_command_buffer);
  named.private_driver_data = render.private_driver_data.value_or(raw.private_driver_data) & mask;
  named.private_driver_data_size =
      render.private_driver_data_size.value_or(raw.private_driver_data_size);
  return named;
}

// The same after the call: only what the call writes is recorded by name.
RenderStruct NamedOutput(const trace::Render& render, const RenderStruct& raw, PointerWidth width) {
  const uint64_t mask = PointerMask(width);
  RenderStruct named = raw;
  if (render.out.has_value()) {
    named.new_command_buffer_pointer = render.out->command_buffer & mask;
    named.new_command_buffer_size = render.out->command_buffer_size;
    named.new_allocation_list_pointer = render.out->allocation_list & mask;
    named.new_allocation_list_size = render.out->allocation_list_size;
    named.new_patch_location_list_pointer = render.out->patch_location_list & mask;
    named.new_patch_location_list_size = render.out->patch_location_list_size;
  }
  if (render.queued_buffer_count != 0)
    named.queued_buffer_count = render.queued_buffer_count;  // 0 may mean "not recorded"
  named.new_command_buffer = render.new_command_buffer_out.value_or(raw.new_command_buffer);
  return named;
}

// KMT-DEC-008.
void CheckAgreement(const RenderStruct& raw, const RenderStruct& named, std::string_view field,
                    EventFindings& findings) {
  kmt::ForEachDifference(
      raw, named, [&](const kmt::LayoutField& row, const auto& in_bytes, const auto& in_field) {
        const auto text = [&row](uint64_t value) {
          const bool is_flags = &row == &kmt::kRenderLayout.fields[kmt::RenderFieldIndex::flags];
          return is_flags ? FlagsText(kmt::kRenderFlags, static_cast<uint32_t>(value)) : Hex(value);
        };
        if constexpr (requires { in_bytes.size(); }) {
          const auto i =
              static_cast<size_t>(std::ranges::mismatch(in_bytes, in_field).in1 - in_bytes.begin());
          findings.Add(Rule::kKmtDec008, fmt::format("{}/{}/{}", field, row.name, i),
                       fmt::format("{}[{}] is {:#x} in {}, {:#x} by name", row.name, i, in_bytes[i],
                                   field, in_field[i]),
                       fmt::format("{:#x}", in_bytes[i]), fmt::format("{:#x}", in_field[i]));
        } else {
          findings.Add(Rule::kKmtDec008, fmt::format("{}/{}", field, row.name),
                       fmt::format("{} is {} in {}, {} by name", row.name, text(in_bytes), field,
                                   text(in_field)),
                       text(in_bytes), text(in_field));
        }
      });
}

// KMT-DEC-010.
void CheckPadding(Bytes raw, std::string_view field, PointerWidth width, bool& is_reported,
                  EventFindings& findings) {
  if (is_reported || raw.empty() || !kmt::HasNonZeroPadding(raw, kmt::kRenderLayout, width)) return;
  is_reported = true;
  findings.Add(Rule::kKmtDec010, std::string(field),
               fmt::format("{}: bytes between the fields of D3DKMT_RENDER are not 0", field),
               "not 0", "0");
}

void CheckRaw(const trace::Render& render, const PacketProfile& profile, PointerWidth width,
              bool& is_padding_reported, EventFindings& findings) {
  if (const auto raw = kmt::DecodeRender(render.raw_in, width, profile.os_profile)) {
    CheckAgreement(*raw, NamedInput(render, *raw, width), "raw_in", findings);
  }
  if (const auto raw = kmt::DecodeRender(render.raw_out, width, profile.os_profile)) {
    CheckAgreement(*raw, NamedOutput(render, *raw, width), "raw_out", findings);
  }
  CheckPadding(render.raw_in, "raw_in", width, is_padding_reported, findings);
  CheckPadding(render.raw_out, "raw_out", width, is_padding_reported, findings);
}

}  // namespace

std::optional<PointerWidth> PacketProfile::width() const {
  if (pointer_bits == 32) return PointerWidth::k32;
  if (pointer_bits == 64) return PointerWidth::k64;
  return std::nullopt;
}

trace::Render WithRawFields(const trace::Render& render, const PacketProfile& profile) {
  trace::Render whole = render;
  const auto width = profile.width();
  const auto raw =
      width ? kmt::DecodeRender(render.raw_in, *width, profile.os_profile) : std::nullopt;
  if (!raw) return whole;
  const auto take = [](auto& field, auto value) {
    if (!field) field = value;
  };
  take(whole.command_length, raw->command_length);
  take(whole.allocation_count, raw->allocation_count);
  take(whole.patch_location_count, raw->patch_location_count);
  if (profile.os_profile != kmt::OsProfile::kVista) {
    take(whole.new_command_buffer, raw->new_command_buffer);
    take(whole.private_driver_data, raw->private_driver_data);
    take(whole.private_driver_data_size, raw->private_driver_data_size);
  }
  for (size_t i = whole.broadcast_context.size();
       i < std::min<size_t>(raw->broadcast_context_count, raw->broadcast_context.size()); ++i)
    whole.broadcast_context.push_back(raw->broadcast_context[i]);
  return whole;
}

Extent CommandExtent(const trace::Render& render, const PacketProfile& profile) {
  const uint64_t begin = render.command_offset;
  if (!render.command_length.has_value()) return {begin, render.command_buffer.size()};
  const uint64_t origin = profile.length_origin == trace::LengthOrigin::kOffset ? begin : 0;
  return {begin, origin + *render.command_length};
}

void CheckPointerWidth(const PacketProfile& profile, EventFindings& findings) {
  if (profile.width().has_value()) return;
  findings.Add(Rule::kKmtDec002, "pointer_width",
               fmt::format("pointer width is {} bits", profile.pointer_bits),
               fmt::format("{}", profile.pointer_bits), "32 or 64");
}

bool CheckPacket(const trace::Render& render, const PacketProfile& profile,
                 bool& is_padding_reported, EventFindings& findings) {
  const auto width = profile.width();
  if (!width.has_value()) return false;  // reported by CheckPointerWidth
  bool is_decodable = CheckRawSize(render.raw_in, "raw_in", *width, profile.os_profile, findings);
  is_decodable &= CheckRawSize(render.raw_out, "raw_out", *width, profile.os_profile, findings);
  is_decodable &= CheckPayloadKind(render, findings);
  is_decodable &= CheckCommandBytes(render, profile, findings);
  is_decodable &= CheckList(Rule::kKmtDec005, render.allocation_list, render.allocation_count,
                            kmt::kAllocationElementSize, "allocation_list", findings);
  is_decodable &=
      CheckList(Rule::kKmtDec006, render.patch_location_list, render.patch_location_count,
                kmt::kPatchElementSize, "patch_location_list", findings);
  if (!is_decodable) return false;
  CheckVistaFields(render, profile, findings);
  CheckPointers(render, *width, findings);
  CheckRaw(render, profile, *width, is_padding_reported, findings);
  return true;
}

}  // namespace dp2trace::validate
