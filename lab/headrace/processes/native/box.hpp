// A box around a command: copy-on-write views of folders, and everything else read-only, in a mount namespace of its
// own. It is set up before the command starts, so what is measured inside pays nothing for it.
#pragma once
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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

namespace launch {

// A folder that the command may change: what it writes goes to `upper`, on the file system of which `work` is, too.
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
  std::vector<std::string> below;     // mounts in the views' folders, which an overlay does not show
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
              {"--writable", 1, [&](char** values) { to.writable.emplace_back(values[0]); }}});
  return to;
}

inline void write_text(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || !write_all(file, text.data(), text.size())) stop_with_errno(std::string("cannot write ") + path);
  close(file);
}

// A mount namespace of this process alone: as root it needs no more; an ordinary user owns a user namespace as well, in
// which everybody has the same number as outside.
inline void leave_namespaces() {
  if (unshare(CLONE_NEWNS) == 0) return;
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) stop_with_errno("no namespaces");
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", user + " " + user + " 1");
  write_text("/proc/self/gid_map", group + " " + group + " 1");
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

// Opens what the mounts will hide. Descriptors from before the namespace would be of no use in it.
inline void hold(box& of, std::vector<std::string>& kept, std::vector<std::string>& below) {
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
    each.changes = "upperdir=" + held(each.upper) + ",workdir=" + held(each.work);
  }
  for (const std::string& path : of.writable) kept.push_back(held(path));
}

inline void mount_view(const view& each) {
  const std::string layers = "lowerdir=" + each.lower + "," + each.changes;
  for (const char* const more : {",userxattr", ""}) {  // as root on a file system without user.*, the others will do
    if (mount("overlay", each.folder.c_str(), "overlay", 0, (layers + more).c_str()) == 0) return;
  }
  stop_with_errno("cannot mount a view of " + each.folder);
}

inline void set_up(box& of) {
  leave_namespaces();
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) stop_with_errno("cannot make mounts private");
  std::vector<std::string> kept, below;
  hold(of, kept, below);
  std::vector<std::string> open;  // all that is not read-only in the end
  for (const view& each : of.views) {
    mount_view(each);
    open.push_back(each.folder);
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (is_below(of.below[i], each.folder)) mount(below[i].c_str(), of.below[i].c_str(), nullptr, MS_BIND, nullptr);
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    open.push_back(of.writable[i]);
    if (mount(kept[i].c_str(), open.back().c_str(), nullptr, MS_BIND, nullptr) != 0) {
      stop_with_errno("cannot keep " + open.back());
    }
  }
  constexpr unsigned recursive = 0x8000;  // AT_RECURSIVE; not before: an overlay cannot be made of read-only mounts
  if (set_read_only("/", true, recursive) != 0) stop_with_errno("cannot make mounts read-only");
  for (const std::string& path : open) {
    if (set_read_only(path.c_str(), false, 0) != 0) stop_with_errno("cannot make " + path + " writable");
  }
}

// launch --box [--view FOLDER UPPER WORK]... [--writable FOLDER]... -- PROGRAM [ARGUMENT...]
// Becomes the program, in the box; or says why there is none, with status 2.
inline int enter_box(char** words) {
  box wanted = parse_box(words);
  char here[4096];
  if (getcwd(here, sizeof here) == nullptr) stop_with_errno("no working folder");
  set_up(wanted);
  if (chdir(here) != 0) stop_with_errno(std::string("cannot enter ") + here);
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // again: a new user namespace has taken it away
  execvp(wanted.command[0], wanted.command);
  stop_with_errno(std::string("cannot start ") + wanted.command[0]);
}

}  // namespace launch
