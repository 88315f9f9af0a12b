#include "inspect/data_folder.h"

#include "inspect/html_files.h"
#include "page/page.h"

namespace dp2trace::inspect {
namespace {

constexpr const char* kKind = "inspect";

}  // namespace

Result<DataFolder> DataFolder::Create(const std::string& path) {
  Result<OutputFolder> folder = OutputFolder::Create(path, kKind);
  if (!folder.ok()) return folder.status();
  return DataFolder(std::move(*folder));
}

Status DataFolder::WritePage() {
  for (const auto files : {HtmlFiles(), page::SharedFiles()}) {
    for (const page::EmbeddedFile& file : files)
      DP2TRACE_RETURN_IF_ERROR(folder_.Write(std::string(file.name), file.text));
  }
  return OkStatus();
}

Status DataFolder::Write(std::string_view name, std::string_view value) {
  const std::string script = page::DataScript(name, value);
  bytes_ += script.size();
  return folder_.Write(page::DataFile(name), script);
}

Status DataFolder::WritePacked(std::string_view name, std::string_view value) {
  json::Builder out;
  out.Raw("{\"zlib\":");
  out.Base64(texts_.Deflate({reinterpret_cast<const uint8_t*>(value.data()), value.size()}));
  out.Raw('}');
  return Write(name, out.string());
}

}  // namespace dp2trace::inspect
