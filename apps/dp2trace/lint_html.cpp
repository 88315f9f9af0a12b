#include "lint_html.h"

#include <filesystem>
#include <vector>

#include "console.h"
#include "inspect/inspector.h"
#include "work.h"

namespace dp2trace::app {

ExitCode WriteFindingsPage(const lint::FileFindings& file, const FindingsPage& page) {
  std::vector<Diagnostic> findings;
  for (const lint::ListedFinding& listed : file.findings) {
    if (!listed.accepted) findings.push_back(listed.finding);
  }
  Result<inspect::DataFolder> folder = inspect::DataFolder::Create(page.folder);
  if (!folder.ok()) return ReportFailure(page.folder, folder.status());
  ExitCode code = ExitCode::kOk;
  DiagnosticList reading;  // has been reported
  const auto source = trace_file::WithResults(OpenTrace(file.file, page.max_memory, reading, code));
  if (source == nullptr) return code;
  inspect::Options options;
  options.validation = page.validation;
  options.findings = &findings;
  inspect::Inspector inspector(options, *folder);
  Status status = folder->WritePage();
  if (status.ok()) {
    ForEachEvent(*source, "page", [&](const trace::EventRecord& record) {
      status = inspector.OnEvent(record.number, record.event);
      return status.ok();
    });
  }
  const std::string name = std::filesystem::path(file.file).filename().string();
  if (status.ok()) status = inspector.Finish({.tool = "dp2trace " DP2TRACE_VERSION, .trace = name});
  if (status.ok()) status = folder->Commit();
  return status.ok() ? ExitCode::kOk : ReportFailure(page.folder, status);
}

}  // namespace dp2trace::app
