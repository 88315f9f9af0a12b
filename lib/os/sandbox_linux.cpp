#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "os/path.h"
#include "os/sandbox.h"
#include "os/sanitizers.h"

namespace dp2trace {

namespace {

// ---------- Landlock ----------

// As landlock_ruleset_attr of ABI 6; older headers lack members.
struct RulesetAttributes {
  uint64_t files = 0;
  uint64_t network = 0;
  uint64_t scopes = 0;
};

// LANDLOCK_ACCESS_FS_*: bits of each ABI, from EXECUTE on. ABI 1 knows 13 rights, 2 REFER, 3 TRUNCATE, 5 IOCTL_DEV.
constexpr uint64_t kExecute = 1, kWriteFile = 2, kReadFile = 4, kReadFolder = 8, kRemoveFolder = 16;
constexpr uint64_t kFirstRights = (uint64_t{1} << 13) - 1;
constexpr uint64_t kRefer = uint64_t{1} << 13, kTruncate = uint64_t{1} << 14,
                   kIoctl = uint64_t{1} << 15;
// MAKE_CHAR, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK.
constexpr uint64_t kMakeSpecial =
    uint64_t{1} << 6 | uint64_t{1} << 9 | uint64_t{1} << 10 | uint64_t{1} << 11;
constexpr uint64_t kTcp = 3;     // LANDLOCK_ACCESS_NET_BIND_TCP, _CONNECT_TCP: ABI 4
constexpr uint64_t kScopes = 1;  // LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET: ABI 6

// 0: the system has no Landlock.
int LandlockVersion() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

uint64_t FileRights(int version) {
  return kFirstRights | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0) |
         (version >= 5 ? kIoctl : 0);
}

void Allow(int ruleset, const std::string& path, uint64_t rights) {
  const int file = open(path.c_str(), O_PATH | O_CLOEXEC);  // NOLINT(*-vararg): the system's call
  if (file < 0) return;
  struct stat about = {};
  if (fstat(file, &about) == 0) {
    if (!S_ISDIR(about.st_mode)) rights &= kReadFile | kWriteFile | kTruncate;
    landlock_path_beneath_attr rule = {};
    rule.allowed_access = rights;
    rule.parent_fd = file;
    (void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  (void)close(file);
}

void RestrictFiles(const SandboxPaths& paths) {
  const int version = LandlockVersion();
  if (version == 0) return;
  const uint64_t all = FileRights(version);
  const RulesetAttributes attributes = {
      .files = all, .network = version >= 4 ? kTcp : 0, .scopes = version >= 6 ? kScopes : 0};
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const auto ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
  if (ruleset < 0) return;
  for (const std::string& path : paths.readable)
    Allow(ruleset, path, kReadFile | kReadFolder);
  const uint64_t writing = all & ~(kExecute | kMakeSpecial | kIoctl);
  for (const std::string& path : paths.writable)
    Allow(ruleset, path, writing);
  for (const std::string& path : paths.removable) {
    Allow(ruleset, path, writing);
    Allow(ruleset, FolderOf(path), kRemoveFolder);
  }
  (void)syscall(SYS_landlock_restrict_self, ruleset, 0);
  (void)close(ruleset);
}

// ---------- seccomp ----------

#ifdef __x86_64__
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif
constexpr uint32_t kX32 = 0x40000000;  // calls of the x32 ABI, beside those of x86-64

// Calls that no replay needs: network, other programs, other processes, the system itself.
constexpr uint32_t kDenied[] = {
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_tkill,
    SYS_setns,
    SYS_unshare,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_io_uring_setup,
    SYS_userfaultfd,
    SYS_open_by_handle_at,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
};

constexpr uint32_t kDeniedAccept[] = {SYS_accept, SYS_accept4};

constexpr sock_filter Statement(uint16_t code, uint32_t k) {
  return {code, 0, 0, k};
}
constexpr sock_filter Jump(uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false) {
  return {code, if_true, if_false, k};
}

void RestrictCalls(bool accepts_connections) {
  constexpr uint32_t kDeny = SECCOMP_RET_ERRNO | EPERM;
  std::vector<sock_filter> filter = {
      Statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      Jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      Statement(BPF_RET | BPF_K, kDeny),
      Statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      Jump(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1),
      Statement(BPF_RET | BPF_K, kDeny),
      // Signal 0 only asks whether a process is there (temporaries.h).
      Jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 0, 4),
      Statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + sizeof(uint64_t)),
      Jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      Statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      Statement(BPF_RET | BPF_K, kDeny),
  };
  const auto deny = [&filter](uint32_t call) {
    filter.push_back(Jump(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    filter.push_back(Statement(BPF_RET | BPF_K, kDeny));
  };
  std::ranges::for_each(kDenied, deny);
  if (!accepts_connections) std::ranges::for_each(kDeniedAccept, deny);
  filter.push_back(Statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  (void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

bool HasSeccomp() {
  constexpr uint32_t kErrno = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &kErrno) == 0;
}

}  // namespace

void EnterSandbox(const SandboxPaths& paths) {
  if (kIsSanitized) return;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;  // NOLINT(*-vararg): the system's call
  RestrictFiles(paths);
  RestrictCalls(paths.accepts_connections);
}

std::string SandboxWords() {
  if (kIsSanitized) return "none";
  const int version = LandlockVersion();
  const std::string landlock = version == 0 ? "" : fmt::format("Landlock {}", version);
  const std::string seccomp = HasSeccomp() ? "seccomp" : "";
  if (landlock.empty() && seccomp.empty()) return "none";
  return landlock + (landlock.empty() || seccomp.empty() ? "" : ", ") + seccomp;
}

}  // namespace dp2trace
