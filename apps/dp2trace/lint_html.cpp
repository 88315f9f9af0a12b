#include "lint_html.h"

#include <filesystem>
#include <vector>

#include "console.h"
#include "inspect/data_folder.h"
#include "inspect/inspector.h"
#include "os/path.h"
#include "trace_reading.h"

namespace dp2trace::app {

ExitCode WriteFindingsPage(const lint::FileFindings& file, const FindingsPage& page) {
  std::vector<Diagnostic> findings;
  for (const lint::ListedFinding& listed : file.findings) {
    if (!listed.accepted) findings.push_back(listed.finding);
  }
  const EarlierOutput earlier(page.folder);
  Result<inspect::DataFolder> folder = inspect::DataFolder::Create(page.folder);
  if (!folder.ok()) return ReportFailure(page.folder, folder.status());
  inspect::Options options;
  options.play.validation = page.validation;
  options.findings = &findings;
  inspect::Inspector inspector(options, *folder);
  Status status = folder->WritePage();
  ExitCode code = ExitCode::kOk;
  if (status.ok() &&
      !PlayTrace({file.file, page.max_memory, "page", false}, inspector.player(), status, code))
    return code;
  const std::string name = NameOf(file.file);
  if (status.ok()) status = inspector.Finish({.tool = "dp2trace " DP2TRACE_VERSION, .trace = name});
  if (status.ok()) status = folder->Commit();
  if (!status.ok()) return ReportFailure(page.folder, status);
  earlier.Report();
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
