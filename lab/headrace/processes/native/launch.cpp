// launch: starts one program on one route, waits for it, and prints one line of JSON about the run.
//
//   launch [--source none|file|pipe|socket|pty|pty-raw] [--input FILE]
//          [--sink capture|file|null|pipe|socket|pty|pty-raw] [--output FILE]
//          [--timeout SECONDS] [--memory BYTES] [--data BYTES] [--most BYTES] [--variable NAME=VALUE]... [--pin CPU]
//          [--cold]
//          [--no-check] [--text]
//          -- PROGRAM [ARGUMENT...]
//   launch --digest FILE
//   launch --box ... -- PROGRAM [ARGUMENT...]    see box.hpp
//   launch --hold    see box.hpp
//   launch --observe ... -- PROGRAM [ARGUMENT...]    see observe.hpp
//   launch --watch ... -- PROGRAM [ARGUMENT...]    see watch.hpp
//
// Times are seconds and cover the program alone, from just before its start until it has ended, without what it
// waited for a processor that other programs had (that is reported beside it, where it can be told). The launcher is a
// small process of its own because Linux counts the starter's memory into the peak of the started. Exit status:
// 0 with a line on stdout, or 2 with a sentence on stderr when the run could not take place.
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "box.hpp"
#include "ends.hpp"
#include "options.hpp"
#include "output.hpp"
#include "system.hpp"
#include "observe.hpp"
#include "watch.hpp"

extern char** environ;

namespace launch {

struct run {
  double wall = 0;    // without `waited`
  double waited = 0;  // while other programs had the processor
  int status = 0;
  bool timed_out = false;
  bool rewritten = false;  // the input file was changed meanwhile
  double stayed = -1;      // share of the input that stayed in the page cache under --cold
  rusage usage{};
  output out;
  output err;
};

// The child's group, for the signal handler; 0 while there is none.
volatile pid_t group = 0;
volatile sig_atomic_t expired = 0;
volatile sig_atomic_t ended_by = 0;  // the signal that wants the launcher to end

// Whether this process is the first one of a namespace of processes: what it starts ends with it.
bool is_first() { return getpid() == 1; }

extern "C" void end_group(int signal_number, siginfo_t* info, void*) {
  if (is_first() && info->si_code <= 0 && info->si_pid != 0) return;  // from within its namespace: of the program
  if (signal_number == SIGALRM) expired = 1;
  else ended_by = signal_number;
  if (group == 0 && ended_by != 0) _exit(128 + signal_number);
  if (group == 0) return;
  kill(-group, SIGKILL);
  kill(group, SIGKILL);  // it may have gone to another group
}

// The ends of a run: what the child gets, and what the launcher keeps.
struct ends {
  int child_input = -1;   // -1: the keyboard
  int child_output = -1;  // -1: the screen
  int child_error = -1;
  int input = -1;  // the input file, for a feeder
  int feed = -1;   // the write end of a source pipe, or the other end of a socket
  int drain = -1;  // the read end of a sink pipe, or the other end of a socket
  int kept = -1;   // the sink's file, to be read back
  // Two terminals, so that the input can end by a hang-up while the output goes on.
  terminal keyboard;
  terminal screen;
};

int memory_file(const char* name) { return checked(memfd_create(name, MFD_CLOEXEC), "memfd_create"); }

struct channel {
  int reads;
  int writes;
};

// Makes a channel from one end to the other: a pipe, or a pair of Unix sockets, as services have. False for a kind of
// end that is none.
bool make_channel(const std::string& kind, channel& made) {
  int pair[2];
  if (kind == "pipe") checked(pipe2(pair, O_CLOEXEC), "cannot make a pipe");
  else if (kind == "socket") checked(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), "cannot make sockets");
  else return false;
  made = {pair[0], pair[1]};
  return true;
}

void open_source(const options& wanted, ends& to) {
  if (wanted.source == "none") {
    to.child_input = checked(open("/dev/null", O_RDONLY | O_CLOEXEC), "/dev/null");
    return;
  }
  to.input = checked(open(wanted.input.c_str(), O_RDONLY | O_CLOEXEC), "cannot read " + wanted.input);
  if (wanted.source == "file") {
    to.child_input = to.input;
  } else if (channel made{}; make_channel(wanted.source, made)) {
    to.child_input = made.reads;
    to.feed = made.writes;
  } else if (wanted.source == "pty" || wanted.source == "pty-raw") {
    to.keyboard.open(wanted.source == "pty-raw");
  } else {
    stop("unknown source " + wanted.source);
  }
}

void open_sink(const options& wanted, ends& to) {
  to.child_error = memory_file("stderr");
  if (wanted.sink == "capture") {
    to.child_output = to.kept = memory_file("stdout");
  } else if (wanted.sink == "null") {
    to.child_output = checked(open("/dev/null", O_WRONLY | O_CLOEXEC), "/dev/null");
  } else if (wanted.sink == "file") {
    unlink(wanted.output.c_str());  // a fresh file each time: overwriting pages is cheaper than making them
    const int flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC;
    to.child_output = checked(open(wanted.output.c_str(), flags, 0600), "cannot write " + wanted.output);
    if (wanted.check) to.kept = to.child_output;
  } else if (channel made{}; make_channel(wanted.sink, made)) {
    to.drain = made.reads;
    to.child_output = made.writes;
  } else if (wanted.sink == "pty" || wanted.sink == "pty-raw") {
    to.screen.open(wanted.sink == "pty-raw");
  } else {
    stop("unknown sink " + wanted.sink);
  }
}

// Puts a descriptor, or a terminal that the child opens itself, in the place of the child's `target`.
void place(posix_spawn_file_actions_t& actions, int descriptor, const terminal& tty, int target) {
  if (descriptor >= 0) posix_spawn_file_actions_adddup2(&actions, descriptor, target);
  else posix_spawn_file_actions_addopen(&actions, target, tty.path.c_str(), O_RDWR | O_NOCTTY, 0);
}

// The launcher's environment, with what only the program gets.
class environment {
 public:
  explicit environment(const options& wanted) {
    for (char** at = environ; *at != nullptr; ++at) entries_.push_back(*at);
    for (const std::string& one : wanted.variables) {
      const std::string name = one.substr(0, one.find('=') + 1);
      entries_.erase(
          std::remove_if(entries_.begin(), entries_.end(),
                         [&](const char* other) { return std::string(other).compare(0, name.size(), name) == 0; }),
          entries_.end());
      entries_.push_back(const_cast<char*>(one.c_str()));
    }
    entries_.push_back(nullptr);
  }
  char** entries() { return entries_.data(); }

 private:
  std::vector<char*> entries_;
};

// A bound on the address space (RLIMIT_AS), on private memory that can be written (RLIMIT_DATA), or on what may be
// written into one file (RLIMIT_FSIZE), for what is started while this lives: what is started inherits it.
class bound {
 public:
  bound(int of, double most) : of_(of) {
    get(of_, before_);
    rlimit wanted = before_;
    const rlim_t highest = of == RLIMIT_FSIZE ? before_.rlim_cur : before_.rlim_max;
    if (most > 0 && (highest == RLIM_INFINITY || most < static_cast<double>(highest))) {
      wanted.rlim_cur = static_cast<rlim_t>(most);
    }
    set(of_, wanted);
  }
  ~bound() { set(of_, before_); }
  bound(const bound&) = delete;
  bound& operator=(const bound&) = delete;

 private:
  // The type of the first argument is the C library's own.
  static void get(int of, rlimit& to) { getrlimit(static_cast<decltype(RLIMIT_AS)>(of), &to); }
  static void set(int of, const rlimit& to) { setrlimit(static_cast<decltype(RLIMIT_AS)>(of), &to); }
  int of_;
  rlimit before_{};
};

// Starts the program in a session of its own: a time-out ends its group, and it cannot reach the person's terminal.
pid_t start(const options& wanted, const ends& from) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  place(actions, from.child_input, from.keyboard, 0);
  place(actions, from.child_output, from.screen, 1);
  posix_spawn_file_actions_adddup2(&actions, from.child_error, 2);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t set;
  sigemptyset(&set);
  posix_spawnattr_setsigmask(&attributes, &set);
  for (const int number : {SIGPIPE, SIGALRM, SIGINT, SIGTERM}) sigaddset(&set, number);
  posix_spawnattr_setsigdefault(&attributes, &set);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  environment given(wanted);
  pid_t child = 0;
  const int error = [&] {
    const bound all(RLIMIT_AS, wanted.memory), own(RLIMIT_DATA, wanted.data);
    return posix_spawnp(&child, wanted.command[0], &actions, &attributes, wanted.command, given.entries());
  }();
  if (error != 0) {
    const char* const hint = error == ENOEXEC ? "; a script begins with its interpreter, as #!/bin/sh" : "";
    stop(std::string("cannot start ") + wanted.command[0] + ": " + std::strerror(error) + hint);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return child;
}

void handle_signals() {
  struct sigaction act{};
  act.sa_sigaction = end_group;
  act.sa_flags = SA_RESTART | SA_SIGINFO;
  for (const int number : {SIGALRM, SIGINT, SIGTERM, SIGHUP}) sigaction(number, &act, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

// Ends what has lost its parent below this process, in whatever session: each that ends leaves its own to us. A process
// that cannot end, as it waits for a disk, is not waited for.
void end_family() {
  const double until = clock_now() + 5;
  while (clock_now() < until) {
    const pid_t ended = waitpid(-1, nullptr, WNOHANG);
    if (ended < 0 && errno != EINTR) return;  // there is none
    if (ended != 0) continue;
    if (is_first()) kill(-1, SIGKILL);  // all at once: none can start another meanwhile
    for (const pid_t process : children()) kill(process, SIGKILL);
    usleep(200);
  }
}

// Waits for the child and ends whatever it left behind, so that no drain waits for a stray grandchild. Where the
// child is `alone`, without a feeder or a drain that takes turns with it, what other programs' turns cost it is taken
// out of its wall time: its own waiting, and that of the launcher for noticing its end.
void finish(pid_t child, double started, bool alone, run& result) {
  siginfo_t info{};
  const turns before = turns_of("thread-self");
  while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  result.wall = clock_now() - started;
  const turns after = turns_of("thread-self");
  const turns program = turns_of(std::to_string(child));
  set_timer(0);
  kill(-child, SIGKILL);
  while (wait4(child, &result.status, 0, &result.usage) < 0 && errno == EINTR) {}
  result.timed_out = expired != 0;
  end_family();
  group = 0;
  if (ended_by != 0) _exit(128 + ended_by);
  if (!alone || result.timed_out) return;
  const double used = seconds_of(result.usage.ru_utime) + seconds_of(result.usage.ru_stime);
  const double waited = waited_for_others(program, used, after.waited - before.waited);
  result.waited = std::min(waited, std::max(0.0, result.wall - used));
  result.wall -= result.waited;
}

bool is_as_it_was(int file, const struct stat& before) {
  struct stat after{};
  if (file < 0 || fstat(file, &after) != 0) return true;
  const auto same = [](const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; };
  if (after.st_nlink != before.st_nlink) return true;  // a name of it came or went, which changes its times
  return after.st_size == before.st_size && same(after.st_mtim, before.st_mtim) && same(after.st_ctim, before.st_ctim);
}

void read_back(int file, bool text, output& to) {
  if (file < 0) return;
  lseek(file, 0, SEEK_SET);
  read_all(file, text, to);
}

// Starts the feeder, if the source needs one. It is never joined: one whose reader left early ends with the launcher.
bool feed(const ends& with) {
  if (with.feed >= 0) {
    close(with.child_input);
    std::thread([file = with.input, pipe = with.feed] { feed_pipe(file, pipe), close(pipe); }).detach();
  }
  if (with.keyboard.exists()) {
    std::thread([file = with.input, tty = with.keyboard] { feed_terminal(file, tty); }).detach();
  }
  return with.feed >= 0 || with.keyboard.exists();
}

// A cooked terminal turned each "\n" into "\r\n": what it gives is text, too.
std::thread start_drain(const ends& with, bool text, output& to) {
  if (with.drain >= 0) {
    close(with.child_output);
    return std::thread([pipe = with.drain, text, &to] { read_all(pipe, text, to); });
  }
  if (!with.screen.exists()) return {};
  return std::thread([tty = with.screen.master, text = text || !with.screen.raw, &to] { read_all(tty, text, to); });
}

void run_once(const options& wanted, run& result) {
  ends with;
  open_source(wanted, with);
  open_sink(wanted, with);
  if (wanted.cold && with.input >= 0) result.stayed = drop_from_cache(with.input);
  cpu_set_t everywhere;
  sched_getaffinity(0, sizeof everywhere, &everywhere);
  if (wanted.pin >= 0 && !stay_on(wanted.pin)) {  // inherited by the child; feeder and drain go back
    stop_with_errno("cannot pin to processor " + std::to_string(wanted.pin));
  }
  handle_signals();
  const bound files(RLIMIT_FSIZE, wanted.most);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // the program may not trace this process
  struct stat before{};
  if (with.input >= 0) fstat(with.input, &before);

  const double started = clock_now();
  const pid_t child = start(wanted, with);
  group = child;
  set_timer(wanted.timeout);
  if (wanted.pin >= 0) sched_setaffinity(0, sizeof everywhere, &everywhere);
  const bool feeds = feed(with);
  std::thread drain = start_drain(with, wanted.text, result.out);
  finish(child, started, !feeds && !drain.joinable(), result);
  result.rewritten = !is_as_it_was(with.input, before);
  if (drain.joinable()) drain.join();
  if (!result.timed_out) read_back(with.kept, wanted.text, result.out);  // it is not asked for, and may be long
  read_back(with.child_error, false, result.err);
  if (wanted.sink == "file") unlink(wanted.output.c_str());
}

void print(const run& result) {
  const rusage& use = result.usage;
  const bool exited = WIFEXITED(result.status);
  std::printf(
      "{\"wall\":%.9f,\"waited\":%.9f,\"user\":%.6f,\"system\":%.6f,\"peak_memory\":%ld,"
      "\"minor_faults\":%ld,\"major_faults\":%ld,\"voluntary_switches\":%ld,\"involuntary_switches\":%ld,"
      "\"exit\":%d,\"signal\":%d,\"timed_out\":%s,\"rewritten\":%s,\"stayed\":%.3f,"
      "\"bytes\":%" PRIu64 ",\"digest\":\"%016" PRIx64 "\",\"head\":\"%s\",\"stderr\":\"%s\"}\n",
      result.wall, result.waited, seconds_of(use.ru_utime), seconds_of(use.ru_stime), use.ru_maxrss * 1024,
      use.ru_minflt, use.ru_majflt, use.ru_nvcsw, use.ru_nivcsw, exited ? WEXITSTATUS(result.status) : 0,
      exited ? 0 : WTERMSIG(result.status), result.timed_out ? "true" : "false", result.rewritten ? "true" : "false",
      result.stayed, result.out.sum.bytes(), result.out.sum.value(), base64(result.out.head).c_str(),
      base64(result.err.head).c_str());
}

int digest_file(const char* path) {
  output all;
  read_all(checked(open(path, O_RDONLY | O_CLOEXEC), std::string("cannot read ") + path), false, all);
  std::printf("%" PRIu64 " %016" PRIx64 "\n", all.sum.bytes(), all.sum.value());
  return 0;
}

}  // namespace launch

int main(int count, char** words) {
  using namespace launch;
  prctl(PR_SET_PDEATHSIG, is_first() ? SIGKILL : SIGTERM);  // nothing goes on alone when the lab is killed
  const std::string command = count > 1 ? words[1] : "";
  if (command == "--hold") return hold_namespaces();
  if (command == "--digest" && count > 2) return digest_file(words[2]);
  if (command == "--box") return enter_box(words + 2);
  if (command == "--watch") return watch(words + 2);
  if (command == "--observe") return observe(words + 2);
  const options wanted = parse(words + 1);
  run result;
  result.err.head_limit = 4096;
  run_once(wanted, result);
  print(result);
  std::fflush(stdout);
  _exit(0);  // not exit: a feeder may still wait in a write
}
