// Which program this is.
#pragma once

namespace dp2trace::app {

// "0.1.0 (1a2b3c4d5e6f)": the version and, where it was built from a checkout, the commit; "+" after it where files had changed. Files that
// the program writes name only the version.
const char* VersionWithCommit();

}  // namespace dp2trace::app
