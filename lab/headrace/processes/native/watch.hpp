// Watches a program from outside, by ptrace: where it writes, whether it goes over a network or to a device, and how
// much of its output a kill would lose. Only calls that matter stop it (seccomp), so it is nearly as fast as alone.
#pragma once
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "box.hpp"
#include "options.hpp"
#include "tracing.hpp"

namespace launch {

// How a system call can matter. The numbers are places among its arguments: of a folder's descriptor (-1: none, its
// path is from the working folder), of the path, and of the flags of an open.
struct watched {
  enum kinds { opens, changes, connects, writes, writes_parts };
  long number;
  kinds kind;
  int folder;
  int path;
  int flags;
};

inline const std::vector<watched>& watched_calls() {
  static const std::vector<watched> calls = {
#ifdef SYS_open
      {SYS_open, watched::opens, -1, 0, 1},           {SYS_creat, watched::changes, -1, 0, 0},
      {SYS_unlink, watched::changes, -1, 0, 0},       {SYS_rename, watched::changes, -1, 0, 0},
      {SYS_rename, watched::changes, -1, 1, 0},       {SYS_mkdir, watched::changes, -1, 0, 0},
      {SYS_rmdir, watched::changes, -1, 0, 0},        {SYS_link, watched::changes, -1, 1, 0},
      {SYS_symlink, watched::changes, -1, 1, 0},      {SYS_chmod, watched::changes, -1, 0, 0},
#endif
#ifdef SYS_renameat
      {SYS_renameat, watched::changes, 0, 1, 0},      {SYS_renameat, watched::changes, 2, 3, 0},
#endif
      {SYS_openat, watched::opens, 0, 1, 2},          {SYS_unlinkat, watched::changes, 0, 1, 0},
      {SYS_renameat2, watched::changes, 0, 1, 0},     {SYS_renameat2, watched::changes, 2, 3, 0},
      {SYS_mkdirat, watched::changes, 0, 1, 0},       {SYS_linkat, watched::changes, 2, 3, 0},
      {SYS_symlinkat, watched::changes, 1, 2, 0},     {SYS_fchmodat, watched::changes, 0, 1, 0},
      {SYS_truncate, watched::changes, -1, 0, 0},     {SYS_connect, watched::connects, -1, 1, 0},
      {SYS_bind, watched::connects, -1, 1, 0},        {SYS_write, watched::writes, -1, 1, 0},
      {SYS_pwrite64, watched::writes, -1, 1, 0},      {SYS_writev, watched::writes_parts, -1, 1, 0},
      {SYS_pwritev, watched::writes_parts, -1, 1, 0},
  };
  return calls;
}

class watcher {
 public:
  // `inside` are folders in which a program may write: `strict` ends it at the first write elsewhere. With
  // `kill_after` it is ended at the write by which it has written so many bytes, or at the 20,000th, which takes a
  // second.
  std::vector<std::string> inside;
  bool strict = false;
  std::uint64_t kill_after = 0;
  std::FILE* report = nullptr;

  // Follows a process and what it starts until it ends. Returns its status, as of wait.
  int follow(pid_t main) {
    main_ = main;
    for (;;) {
      int status = 0;
      const pid_t process = waitpid(-1, &status, __WALL);
      if (process < 0 && errno == EINTR) continue;
      if (process < 0) return status;
      if (!WIFSTOPPED(status)) {
        if (process != main) continue;
        tell_loss();
        return status;
      }
      go_on(process, status);
    }
  }

 private:
  void go_on(pid_t process, int status) {
    const int event = status >> 16;
    int signal_number = WSTOPSIG(status);
    bool to_its_end = false;
    if (event == PTRACE_EVENT_SECCOMP) {
      to_its_end = entered(process);
    } else if (signal_number == (SIGTRAP | 0x80)) {
      returned(process);
    }
    const bool is_born = event == 0 && signal_number == SIGSTOP && known_.insert(process).second;
    if (event != 0 || signal_number == (SIGTRAP | 0x80) || is_born) signal_number = 0;
    ptrace(to_its_end ? PTRACE_SYSCALL : PTRACE_CONT, process, nullptr, signal_number);
  }

  // A call begins that may matter. Whether it has to be seen when it returns, too.
  bool entered(pid_t process) {
    call_facts facts{};
    if (!facts_of(process, facts)) return false;
    bool is_followed = false;
    for (const watched& each : watched_calls()) {
      if (static_cast<std::uint64_t>(each.number) != facts.entered.number) continue;
      const std::uint64_t* const arguments = facts.entered.arguments;
      if (each.kind == watched::connects) network(memory_of(process, arguments[1], sizeof(sockaddr)));
      else if (each.kind == watched::writes) writes(process, arguments[0], {{arguments[1], arguments[2]}});
      else if (each.kind == watched::writes_parts) writes(process, arguments[0], parts(process, arguments));
      else is_followed = touches(process, each, arguments) || is_followed;
    }
    return is_followed;
  }

  void returned(pid_t process) {
    call_facts facts{};
    if (!facts_of(process, facts) || facts.operation != 2) return;
    const std::int64_t value = facts.returned.value;
    if (value == -EROFS) tell("outside", paths_[process]);
    // An overlay cannot rename a folder, nor take over a file of an owner whom its namespace does not know.
    if (value == -EXDEV || value == -EOVERFLOW) tell("unviewed", paths_[process]);
  }

  bool touches(pid_t process, const watched& call, const std::uint64_t* arguments) {
    const std::uint64_t flags = call.kind == watched::opens ? arguments[call.flags] : O_WRONLY;
    const bool is_written = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
    const std::string path = whole(process, call.folder < 0 ? AT_FDCWD : static_cast<int>(arguments[call.folder]),
                                   text_of(process, arguments[call.path]));
    if (device(path) || !is_written || path.compare(0, 6, "/proc/") == 0) return false;
    paths_[process] = path;
    const auto holds = [&](const std::string& folder) { return path == folder || is_below(path, folder); };
    if (strict && std::none_of(inside.begin(), inside.end(), holds) && may_write(path)) {
      tell("outside", path);
      end(process);
      return false;
    }
    return true;
  }

  // Ends a process at the call that it has just begun, which is not made, and the program with it.
  void end(pid_t process) const {
    kill(process, SIGKILL);
    kill(main_, SIGKILL);
  }

  // Whether a file can be written, or made, or removed: else the program will see for itself.
  static bool may_write(const std::string& path) {
    if (access(path.c_str(), F_OK) == 0) return access(path.c_str(), W_OK) == 0;
    return access(path.substr(0, path.rfind('/') + 1).c_str(), W_OK) == 0;
  }

  // Resolves a path, with the links that are in its folders.
  static std::string whole(pid_t process, int folder, const std::string& path) {
    std::string name = path;
    if (path.empty() || path[0] != '/') {
      const std::string from = "/proc/" + std::to_string(process) +
                               (folder == AT_FDCWD ? std::string("/cwd") : "/fd/" + std::to_string(folder));
      name = link_of(from) + "/" + path;
    }
    char real[PATH_MAX];
    if (realpath(name.c_str(), real) != nullptr) return real;
    const std::size_t slash = name.rfind('/');
    if (slash == 0 || realpath(name.substr(0, slash).c_str(), real) == nullptr) return name;
    return real + name.substr(slash);
  }

  bool device(const std::string& path) {
    if (path.compare(0, 5, "/dev/") != 0) return false;
    struct stat facts{};
    if (stat(path.c_str(), &facts) != 0 || !(S_ISCHR(facts.st_mode) || S_ISBLK(facts.st_mode))) return false;
    static const std::set<std::string> harmless = {"null", "zero", "full", "random", "urandom"};
    if (harmless.count(path.substr(5)) == 0) tell(path == "/dev/tty" ? "terminal" : "device", path);
    return true;
  }

  void network(const std::string& address) {
    sa_family_t family = AF_UNSPEC;
    std::memcpy(&family, address.data(), std::min(sizeof family, address.size()));
    if (family == AF_INET || family == AF_INET6) tell("network", "");
  }

  using pieces = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // addresses and sizes

  static pieces parts(pid_t process, const std::uint64_t* arguments) {
    const std::size_t count = std::min<std::size_t>(arguments[2], IOV_MAX);
    const std::string vectors = memory_of(process, arguments[1], count * sizeof(iovec));
    pieces found;
    for (std::size_t i = 0; i + sizeof(iovec) <= vectors.size(); i += sizeof(iovec)) {
      iovec each{};
      std::memcpy(&each, vectors.data() + i, sizeof each);
      found.emplace_back(reinterpret_cast<std::uint64_t>(each.iov_base), each.iov_len);
    }
    return found;
  }

  // A write begins: what is in it would be lost if the process were killed now. Where it is written to is not asked,
  // but stderr is not meant to be kept.
  void writes(pid_t process, std::uint64_t descriptor, const pieces& what) {
    if (kill_after == 0 || descriptor == STDERR_FILENO) return;
    std::uint64_t size = 0;
    for (const auto& each : what) size += each.second;
    written_ += size;
    if (size > bytes_) {
      bytes_ = size;
      lines_ = 0;
      for (const auto& each : what) {
        const std::string bytes = memory_of(process, each.first, each.second);
        lines_ += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
      }
    }
    if (written_ >= kill_after || ++writes_ >= 20'000) end(process);
  }

  void tell_loss() {
    if (kill_after != 0) std::fprintf(report, "lost %" PRIu64 " %" PRIu64 "\n", lines_, bytes_);
  }

  // Each thing once: a program may do it for every line.
  void tell(const char* what, const std::string& path) {
    if (told_.size() < 64 && told_.insert(what + path).second) {
      std::fprintf(report, "%s %s\n", what, path.c_str());
      std::fflush(report);
    }
  }

  pid_t main_ = 0;
  std::set<pid_t> known_;
  std::set<std::string> told_;
  std::map<pid_t, std::string> paths_;
  std::uint64_t written_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t bytes_ = 0;  // of the largest write
  std::uint64_t lines_ = 0;  // in it
};

// Lets the watched calls stop, and no others. False where the kernel does not.
inline bool stop_at_calls(bool with_writes) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, this_machine, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (const watched& each : watched_calls()) {
    if (!with_writes && (each.kind == watched::writes || each.kind == watched::writes_parts)) continue;
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(each.number), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// The folders in which a program may write where nothing else keeps it from others.
inline std::vector<std::string> own_folders() {
  std::vector<std::string> found;
  char real[PATH_MAX];
  for (const char* const each : {static_cast<const char*>("."), static_cast<const char*>(std::getenv("TMPDIR"))}) {
    if (each != nullptr && realpath(each, real) != nullptr) found.emplace_back(real);
  }
  return found;
}

// launch --watch REPORT [--strict] [--kill-after BYTES] -- PROGRAM [ARGUMENT...]
// With --strict the program is ended at its first write outside of the working folder and TMPDIR. Writes a line of
// REPORT for each thing that it sees: "outside PATH", "unviewed PATH", "device PATH", "terminal PATH", "network ",
// "lost LINES BYTES", or "blind " where programs may not be watched here; the program runs all the same.
inline int watch(char** words) {
  watcher with;
  with.report = std::fopen(*words, "we");
  with.inside = own_folders();
  if (with.report == nullptr) stop_with_errno(std::string("cannot write ") + *words);
  char** const command = command_after(
      words + 1, {flag("--strict", with.strict), {"--kill-after", 1, [&](char** values) {
                                                    with.kill_after = std::strtoull(values[0], nullptr, 10);
                                                  }}});
  const pid_t child = fork();
  if (child < 0) stop_with_errno("cannot fork");
  if (child == 0) {
    const bool is_seen = this_machine != 0 && ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0;
    if (is_seen) raise(SIGSTOP);
    if (!is_seen || !stop_at_calls(with.kill_after != 0)) std::fputs("blind \n", with.report), std::fflush(with.report);
    execvp(*command, command);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, WUNTRACED) < 0 && errno == EINTR) {}
  if (!WIFSTOPPED(status)) end_as(status);
  const long wanted = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                      PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
  ptrace(PTRACE_SETOPTIONS, child, nullptr, wanted);
  ptrace(PTRACE_CONT, child, nullptr, 0);
  status = with.follow(child);
  std::fclose(with.report);
  end_as(status);
}

}  // namespace launch
