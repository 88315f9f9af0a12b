#include "trace_file/form.h"

#include <algorithm>
#include <array>

#include "os/path.h"
#include "trace/container.h"
#include "trace_file/text_input.h"

namespace dp2trace::trace_file {

std::optional<Form> FormOfStart(Bytes start) {
  if (trace::ParseFileHeader(start)) return Form::kBinary;
  constexpr std::array<uint8_t, 3> kMark = {0xEF, 0xBB, 0xBF};  // of UTF-8
  if (start.size() >= kMark.size() && std::ranges::equal(start.first(kMark.size()), kMark))
    start = start.subspan(kMark.size());
  const auto is_visible = [](uint8_t byte) { return byte > ' '; };
  const auto first = std::ranges::find_if(start, is_visible);
  if (first == start.end() || *first != '[') return std::nullopt;
  // A line of a log may start with a bracket, too: an array of events goes on with an object, or ends.
  const auto second = std::find_if(first + 1, start.end(), is_visible);
  const bool is_array = second == start.end() || *second == '{' || *second == ']';
  return is_array ? std::optional(Form::kJson) : std::nullopt;
}

std::optional<Form> FormOfPath(std::string_view path) {
  if (HasExtension(path, ".dp2t")) return Form::kBinary;
  if (HasExtension(path, ".json")) return Form::kJson;
  return std::nullopt;
}

Result<std::optional<Form>> FormOf(InputFile& file) {
  if (file.seekable() || file.path() == "-") {
    const Result<Bytes> start = file.Peek(kStartBytes);
    if (!start.ok()) return start.status();
    if (const std::optional<Form> form = FormOfStart(*start)) return form;
    // No text starts with this byte: a container with a damaged header.
    const bool is_binary = !start->empty() && start->front() == trace::kMagic[0];
    if (is_binary && file.path() == "-") return std::optional(Form::kBinary);
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
