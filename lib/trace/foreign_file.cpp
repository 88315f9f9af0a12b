#include "trace/foreign_file.h"

#include <algorithm>
#include <iterator>

namespace dp2trace::trace {
namespace {

struct Signature {
  std::string_view bytes;
  std::string_view clause;
};

using namespace std::string_view_literals;

// Longer signatures before their own beginnings.
constexpr Signature kSignatures[] = {
    {"\x89PNG\r\n\x1a\n"sv, "it is a PNG image"},
    {"\x89"
     "D2T\n\x1a\n"sv,
     "it is a container that was transferred as text: its line ends were rewritten"},
    {"\x89"
     "D2T\r\r\n"sv,
     "it is a container that was transferred as text: its line ends were rewritten"},
    {"\x09"
     "D2T"sv,
     "it is a container that was transferred with 7 bits per byte"},
    {"\xff\xd8\xff"sv, "it is a JPEG image"},
    {"GIF8"sv, "it is a GIF image"},
    {"DDS "sv, "it is a DDS texture"},
    {"BM"sv, "it looks like a BMP image"},
    {"\x1f\x8b"sv, "it is gzip data; decompress it first"},
    {"\x28\xb5\x2f\xfd"sv, "it is zstd data; decompress it first"},
    {"\xfd"
     "7zXZ"sv,
     "it is xz data; decompress it first"},
    {"BZh"sv, "it is bzip2 data; decompress it first"},
    {"PK\x03\x04"sv, "it is a ZIP archive"},
    {"7z\xbc\xaf"sv, "it is a 7-Zip archive"},
    {"at"sv, "it looks like an apitrace file (snappy); see 'dp2trace import'"},
    {"GFXR"sv, "it is a capture of GFXReconstruct (Vulkan, Direct3D 12 or OpenXR)"},
    {"RDOC"sv, "it is a capture of RenderDoc"},
    {"\x0c\xfd\xea\xad\x68\xd0\xad\xab"sv, "it is a trace of vktrace (Vulkan)"},
    {"%PDF"sv, "it is a PDF document"},
    {"MZ"sv, "it is a Windows program"},
    {"\x7f"
     "ELF"sv,
     "it is an ELF program"},
    {"RIFF"sv, "it is a RIFF file"},
    {"#!"sv, "it is a script"},
    {"<?xml"sv, "it is an XML document"},
    {"<!DOCTYPE"sv, "it is an HTML page"},
    {"<html"sv, "it is an HTML page"},
    {"version https://git-lfs"sv, "it is a Git LFS pointer: the file itself has not been fetched"},
};

bool StartsWith(Bytes bytes, std::string_view signature) {
  return bytes.size() >= signature.size() &&
         std::ranges::equal(bytes.first(signature.size()), signature, {}, {},
                            [](char c) { return static_cast<uint8_t>(c); });
}

bool IsText(uint8_t byte) {
  return byte >= 0x20 || byte == '\t' || byte == '\n' || byte == '\r';
}

// The kind that the first bytes prove; null where they prove none.
const Signature* FindSignature(Bytes start) {
  const bool is_text = std::ranges::all_of(start, IsText);
  const auto found = std::ranges::find_if(kSignatures, [&](const Signature& signature) {
    // Two letters do not tell a program from an essay.
    const bool is_evidence = signature.bytes.size() > 2 || !is_text || signature.bytes == "#!";
    return is_evidence && StartsWith(start, signature.bytes);
  });
  return found == std::end(kSignatures) ? nullptr : &*found;
}

}  // namespace

bool MayHoldTrace(Bytes start) {
  return !start.empty() && FindSignature(start) == nullptr;
}

std::string_view DescribeForeignFile(Bytes start) {
  if (start.empty()) return "it is empty";
  if (const Signature* const known = FindSignature(start)) return known->clause;
  const bool is_text = std::ranges::all_of(start, IsText);
  if (StartsWith(start, "\xef\xbb\xbf")) start = start.subspan(3);
  const auto is_mark = [](uint8_t byte) { return byte > ' '; };
  const auto first = std::ranges::find_if(start, is_mark);
  const auto second = first == start.end() ? first : std::find_if(first + 1, start.end(), is_mark);
  // Lines of a log begin with "[ 1.000] ", too.
  const bool is_array =
      second != start.end() && *first == '[' && (*second == '{' || *second == ']');
  const bool is_object =
      second != start.end() && *first == '{' && (*second == '"' || *second == '}');
  if (is_array || is_object) return "it looks like JSON; the JSON form of a trace is named *.json";
  if (is_text) return "it looks like text";
  if (std::ranges::all_of(start, [](uint8_t byte) { return byte == 0; }))
    return "it starts with zeros";
  return {};
}

}  // namespace dp2trace::trace
