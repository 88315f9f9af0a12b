#include "trace_file/form.h"

#include <algorithm>
#include <array>

#include "os/path.h"
#include "trace/container.h"

namespace dp2trace::trace_file {
namespace {

std::optional<Form> FormOfStart(Bytes start) {
  if (trace::ParseFileHeader(start)) return Form::kBinary;
  constexpr std::array<uint8_t, 3> kMark = {0xEF, 0xBB, 0xBF};  // of UTF-8
  if (start.size() >= kMark.size() && std::ranges::equal(start.first(kMark.size()), kMark))
    start = start.subspan(kMark.size());
  const auto first = std::ranges::find_if(start, [](uint8_t byte) { return byte > ' '; });
  return first != start.end() && *first == '[' ? std::optional(Form::kJson) : std::nullopt;
}

// Standard input: the binary form starts with a byte that no text starts with.
Form FormOfStandardInput() {
  const std::optional<uint8_t> first = PeekStandardInput();
  return !first || *first == trace::kMagic[0] ? Form::kBinary : Form::kJson;
}

}  // namespace

std::optional<Form> FormOfPath(std::string_view path) {
  if (HasExtension(path, ".dp2t")) return Form::kBinary;
  if (HasExtension(path, ".json")) return Form::kJson;
  return std::nullopt;
}

Result<std::optional<Form>> FormOf(InputFile& file) {
  if (file.path() == "-") return std::optional(FormOfStandardInput());
  if (file.seekable()) {
    std::array<uint8_t, 64> start{};
    const Result<size_t> count = file.Read(start);
    if (!count.ok()) return count.status();
    DP2TRACE_RETURN_IF_ERROR(file.Seek(0));
    if (const std::optional<Form> form = FormOfStart(Bytes(start).first(*count))) return form;
  }
  return FormOfPath(file.path());
}

Result<std::optional<Form>> FormOfFile(const std::string& path) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  return FormOf(*file);
}

std::vector<std::string> ReadPathsOf(const std::string& path) {
  std::vector<std::string> paths = {path};
  if (path == "-" || FormOfPath(path) != Form::kBinary) paths.push_back(FolderOf(path));
  return paths;
}

}  // namespace dp2trace::trace_file
