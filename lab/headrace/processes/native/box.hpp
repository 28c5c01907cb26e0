// A box around a command: copy-on-write views of folders, and everything else read-only, in a mount namespace of its
// own; with --alone also its processes end with it, and with --join it is where another process holds namespaces.
// It is set up before the command starts. What is measured inside still takes some 0.07 ms longer (tools/cage_cost.py).
#pragma once
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "ends.hpp"
#include "options.hpp"
#include "tracing.hpp"

namespace launch {

// A folder that the command may change: what it writes goes to `upper`, on the file system of which `work` is, too.
// Without `upper` it goes to memory, and ends with the namespace.
struct view {
  std::string folder;
  std::string upper;
  std::string work;
  std::string lower;  // descriptors in words of overlayfs, opened by `hold`
  std::string changes;
};

struct box {
  std::vector<view> views;            // the outer of two comes first
  std::vector<std::string> writable;  // folders that stay as they are
  std::vector<std::string> kept;      // files that are shown as they are, also in a view, and read-only
  std::vector<std::string> below;     // mounts in the views' folders, which an overlay does not show
  std::string holder;                 // a process in whose user and network namespaces the command runs
  bool alone = false;                 // the command and what it starts see, and reach, no other processes
  char** command = nullptr;
};

// A descriptor's name, which needs no escapes in the options of a mount. It is closed when the command starts.
inline std::string held(const std::string& path) {
  const int descriptor = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (descriptor < 0) stop_with_errno("cannot open " + path);
  return "/proc/self/fd/" + std::to_string(descriptor);
}

inline bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 && path[folder.size()] == '/';
}

// The name of a mount as /proc/self/mountinfo writes it: a blank is "\040".
inline std::string unescaped(const std::string& name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && i + 3 < name.size()) {
      plain += static_cast<char>((name[i + 1] - '0') * 64 + (name[i + 2] - '0') * 8 + (name[i + 3] - '0'));
      i += 3;
    } else {
      plain += name[i];
    }
  }
  return plain;
}

inline box parse_box(char** words) {
  box to;
  to.command = command_after(
      words, {{"--view", 3, [&](char** values) { to.views.push_back({values[0], values[1], values[2], "", ""}); }},
              {"--private", 1, [&](char** values) { to.views.push_back({values[0], "", "", "", ""}); }},
              {"--writable", 1, [&](char** values) { to.writable.emplace_back(values[0]); }},
              {"--keep", 1, [&](char** values) { to.kept.emplace_back(values[0]); }},
              text("--join", to.holder),
              flag("--alone", to.alone)});
  return to;
}

inline void write_text(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || !write_all(file, text.data(), text.size())) stop_with_errno(std::string("cannot write ") + path);
  close(file);
}

// Namespaces of this process alone: as root it needs no more; an ordinary user owns a user namespace as well, in which
// everybody has the same number as outside.
inline void leave_namespaces(int kinds) {
  if (unshare(kinds) == 0) return;
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER | kinds) != 0) stop_with_errno("no namespaces");
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", user + " " + user + " 1");
  write_text("/proc/self/gid_map", group + " " + group + " 1");
}

// Enters the user namespace, unless it is this one, and the network namespace of another process.
inline void join_namespaces(const std::string& holder) {
  for (const char* const kind : {"user", "net"}) {
    const std::string theirs = "/proc/" + holder + "/ns/" + kind;
    if (link_of(theirs) == link_of(std::string("/proc/self/ns/") + kind)) continue;
    const int space = checked(open(theirs.c_str(), O_RDONLY | O_CLOEXEC), "cannot open " + theirs);
    checked(setns(space, 0), "cannot enter " + theirs);
    close(space);
  }
}

// mount_setattr(2) of Linux 5.12, which glibc has since 2.36.
inline int set_read_only(const char* path, bool on, unsigned flags) {
  constexpr long call = 442;
  constexpr std::uint64_t read_only = 1;
  struct {
    std::uint64_t set, clear, propagation, user_namespace;
  } wanted{on ? read_only : 0, on ? 0 : read_only, 0, 0};
  return static_cast<int>(syscall(call, AT_FDCWD, path, flags, &wanted, sizeof wanted));
}

// A mount that the views would hide: what it is, and where it is shown again.
struct shown {
  std::string from;
  std::string place;
  bool is_writable;
};

// Opens what the mounts will hide. Descriptors from before the namespace would be of no use in it.
inline void hold(box& of, std::vector<shown>& kept, std::vector<std::string>& below) {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::size_t at = 0;
    for (int i = 0; i < 4; ++i) at = line.find(' ', at) + 1;
    const std::string place = unescaped(line.substr(at, line.find(' ', at) - at));
    for (const view& each : of.views) {
      if (!is_below(place, each.folder)) continue;
      of.below.push_back(place);
      below.push_back(held(place));
      break;
    }
  }
  for (view& each : of.views) {
    each.lower = held(each.folder);
    if (!each.upper.empty()) each.changes = "upperdir=" + held(each.upper) + ",workdir=" + held(each.work);
  }
  for (const std::string& path : of.kept) kept.push_back({held(path), path, false});
  for (const std::string& path : of.writable) kept.push_back({held(path), path, true});
}

// Makes the layers of the views that have none in memory, which the first of these views then covers.
inline void hold_in_memory(box& of) {
  std::string top;
  for (view& each : of.views) {
    if (!each.upper.empty()) continue;
    struct stat facts{};
    checked(stat(each.folder.c_str(), &facts), "cannot read " + each.folder);
    if (top.empty()) {
      top = each.folder;
      if (mount("headrace", top.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=1g,mode=755") != 0) {
        stop_with_errno("cannot keep changes in memory");
      }
    }
    const std::string name = top + "/" + std::to_string(&each - of.views.data());
    checked(mkdir((name + ".upper").c_str(), 0700), "cannot make a layer");
    checked(mkdir((name + ".work").c_str(), 0700), "cannot make a layer");
    checked(chmod((name + ".upper").c_str(), facts.st_mode & 07777), "cannot make a layer");
    if (chown((name + ".upper").c_str(), facts.st_uid, facts.st_gid) != 0) errno = 0;  // it may not: it is the user's
    each.changes = "upperdir=" + held(name + ".upper") + ",workdir=" + held(name + ".work");
  }
}

inline void mount_view(const view& each) {
  const std::string layers = "lowerdir=" + each.lower + "," + each.changes;
  for (const char* const more : {",userxattr", ""}) {  // as root on a file system without user.*, the others will do
    if (mount("overlay", each.folder.c_str(), "overlay", 0, (layers + more).c_str()) == 0) return;
  }
  stop_with_errno("cannot mount a view of " + each.folder);
}

inline void set_up(box& of) {
  if (!of.holder.empty()) join_namespaces(of.holder);
  leave_namespaces(CLONE_NEWNS | (of.alone ? CLONE_NEWPID | CLONE_NEWIPC : 0));
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) stop_with_errno("cannot make mounts private");
  std::vector<shown> kept;
  std::vector<std::string> below;
  hold(of, kept, below);
  hold_in_memory(of);
  std::vector<std::string> open;  // all that is not read-only in the end
  for (const view& each : of.views) {
    mount_view(each);
    open.push_back(each.folder);
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (is_below(of.below[i], each.folder)) mount(below[i].c_str(), of.below[i].c_str(), nullptr, MS_BIND, nullptr);
    }
  }
  for (const shown& each : kept) {
    if (mount(each.from.c_str(), each.place.c_str(), nullptr, MS_BIND, nullptr) != 0) {
      stop_with_errno("cannot keep " + each.place);
    }
    if (each.is_writable) open.push_back(each.place);
  }
  constexpr unsigned recursive = 0x8000;  // AT_RECURSIVE; not before: an overlay cannot be made of read-only mounts
  if (set_read_only("/", true, recursive) != 0) stop_with_errno("cannot make mounts read-only");
  for (const std::string& path : open) {
    if (set_read_only(path.c_str(), false, 0) != 0) stop_with_errno("cannot make " + path + " writable");
  }
}

// Gives up, for what is started from here on, what root may do to the machine rather than to files: mounts, modules,
// devices, the clock, other processes, and a better priority than others have.
inline void drop_capabilities() {
  for (const int each : {CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_BOOT, CAP_SYS_TIME,
                         CAP_SYS_NICE, CAP_SYS_RESOURCE, CAP_SYS_TTY_CONFIG, CAP_NET_ADMIN, CAP_MKNOD,
                         CAP_LINUX_IMMUTABLE, CAP_AUDIT_CONTROL, CAP_SETPCAP}) {
    prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
  }
}

// Waits for the first process of a namespace, with which all others in it end, and ends as it did. A signal to this
// process ends them all.
[[noreturn]] inline void await(pid_t first, const sigset_t& signals) {
  for (;;) {
    int number = 0;
    sigwait(&signals, &number);
    if (number != SIGCHLD) kill(first, SIGKILL);
    int status = 0;
    if (waitpid(first, &status, number == SIGCHLD ? WNOHANG : 0) != first) continue;
    if (number != SIGCHLD) _exit(128 + number);
    end_as(status);
  }
}

// Becomes the first process of a namespace of processes, while the caller waits for it outside.
inline void enter_alone() {
  sigset_t signals, before;
  sigemptyset(&signals);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t first = fork();
  if (first < 0) stop_with_errno("cannot fork");
  if (first > 0) await(first, signals);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) != 0) {
    stop_with_errno("cannot mount /proc");
  }
  drop_capabilities();
}

// launch --box [--view FOLDER UPPER WORK | --private FOLDER]... [--writable FOLDER]... [--keep FILE]...
//              [--join PROCESS] [--alone] -- PROGRAM [ARGUMENT...]
// Becomes the program, in the box; or says why there is none, with status 2.
inline int enter_box(char** words) {
  box wanted = parse_box(words);
  char here[4096];
  if (getcwd(here, sizeof here) == nullptr) stop_with_errno("no working folder");
  set_up(wanted);
  if (wanted.alone) enter_alone();
  if (chdir(here) != 0) stop_with_errno(std::string("cannot enter ") + here);
  if (!wanted.alone) prctl(PR_SET_PDEATHSIG, SIGTERM);  // again: a new user namespace has taken it away
  execvp(wanted.command[0], wanted.command);
  stop_with_errno(std::string("cannot start ") + wanted.command[0]);
}

// launch --hold
// Has a network namespace with nothing in it but its own loopback, prints a line, and keeps it until stdin ends: others
// join it, so that none is made or ends while something is measured.
inline int hold_namespaces() {
  prctl(PR_SET_PDEATHSIG, 0);  // a thread of the lab starts this, which may end long before the lab
  leave_namespaces(CLONE_NEWNET);
  const int any = checked(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "cannot make a socket");
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_flags = IFF_UP;
  checked(ioctl(any, SIOCSIFFLAGS, &loopback), "cannot start the loopback");
  std::puts("held");
  std::fflush(stdout);
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR) errno = 0;
  return 0;
}

}  // namespace launch
