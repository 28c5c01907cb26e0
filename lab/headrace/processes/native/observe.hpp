// Observes a program from outside, by ptrace: every system call, with its descriptor, size, duration and callers; or,
// at moments of a clock, where it is. Needs neither strace nor perf, and the program notices nothing of it.
#pragma once
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "calls.hpp"
#include "options.hpp"
#include "system.hpp"
#include "tracing.hpp"
#include "unwind.hpp"

namespace launch {

// A call that moves bytes from one descriptor to another, with the places of these.
struct moving_call {
  const char* name;
  int source, sink;
};
constexpr moving_call moving_calls[] = {{"sendfile", 1, 0}, {"splice", 0, 2}, {"copy_file_range", 0, 2}};

// The code in a process, and who called whom there.
class code_map {
 public:
  using callers = std::vector<location>;

  // The innermost place first, then who called it, `most` at most.
  callers of(pid_t thread, frame from, std::size_t most) {
    callers found;
    stack_begin_ = from.value[stack_register];
    stack_ = memory_of(thread, stack_begin_, 8192);
    for (bool is_call = false; found.size() < most; is_call = true) {
      const part* const code = part_at(thread, from.pc);
      if (code == nullptr) break;
      found.push_back(from.pc);
      const location place = from.pc - (is_call ? 1 : 0) - code->begin + code->offset;
      module& file = *code->file;
      if (!up(thread, from, file.at(file.address_of(place)), is_call)) break;
    }
    return found;
  }

  void print(std::FILE* to) const {
    for (const part& each : parts_) {
      const std::uint64_t base = each.file->address_of(each.offset);
      std::fprintf(to, "map\t%" PRIx64 "\t%" PRIx64 "\t%" PRIx64 "\t%s\n", each.begin, each.end, base,
                   each.path.c_str());
    }
  }

  void forget() { parts_.clear(); }

 private:
  struct part {
    location begin, end;
    std::uint64_t offset;
    std::string path;
    std::shared_ptr<module> file;
  };

  const part* part_at(pid_t thread, location place) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      for (const part& each : parts_) {
        if (place >= each.begin && place < each.end) return &each;
      }
      if (attempt == 0 && !(misses_ < 1000 && ++misses_ != 0 && read(thread))) break;
    }
    return nullptr;
  }

  bool read(pid_t thread) {
    std::ifstream maps("/proc/" + std::to_string(thread) + "/maps");
    parts_.clear();
    for (std::string line; std::getline(maps, line);) {
      part each{};
      char mode[8] = "";
      int end = 0;
      if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &each.begin, &each.end, mode,
                      &each.offset, &end) < 4 ||
          mode[2] != 'x') {
        continue;
      }
      each.path = line.substr(std::min(static_cast<std::size_t>(end), line.size()));
      std::shared_ptr<module>& file = files_[each.path];
      if (file == nullptr) file = std::make_shared<module>(each.path);
      each.file = file;
      parts_.push_back(each);
    }
    return !parts_.empty();
  }

  bool word(pid_t thread, location place, location& to) const {
    if (place >= stack_begin_ && place - stack_begin_ + sizeof to <= stack_.size()) {
      std::memcpy(&to, stack_.data() + (place - stack_begin_), sizeof to);
      return true;
    }
    const std::string bytes = memory_of(thread, place, sizeof to);
    if (bytes.size() != sizeof to) return false;
    std::memcpy(&to, bytes.data(), sizeof to);
    return true;
  }

  bool up(pid_t thread, frame& from, const step& by, bool is_call) {
    if (by.kind == step::unknown || !from.has(by.base)) return false;
    location top = from.value[by.base] + static_cast<location>(by.offset);
    if (by.kind == step::dereferenced && !word(thread, top, top)) return false;
    frame caller = from;
    bool is_saved = false;
    for (const auto& [name, offset] : by.saved) {
      location value = 0;
      if (name >= registers || !word(thread, top + static_cast<location>(offset), value)) return false;
      caller.set(name, value);
      is_saved = is_saved || name == return_register;
    }
    if (!is_saved && (return_register == 16 || is_call)) return false;  // a leaf may have it in a register
    if (!caller.has(return_register) || top <= stack_begin_) return false;
    caller.pc = caller.value[return_register];
    caller.set(stack_register, top);
    from = caller;
    return from.pc != 0;
  }

  std::vector<part> parts_;
  std::map<std::string, std::shared_ptr<module>> files_;
  std::string stack_;
  location stack_begin_ = 0;
  int misses_ = 0;
};

inline bool registers_of(pid_t thread, frame& to) {
  user_regs_struct all{};
  if (!registers_of(thread, all)) return false;
#if defined(__x86_64__)
  const location values[] = {all.rax, all.rdx, all.rcx, all.rbx, all.rsi, all.rdi, all.rbp, all.rsp,
                             all.r8,  all.r9,  all.r10, all.r11, all.r12, all.r13, all.r14, all.r15};
  for (unsigned i = 0; i < 16; ++i) to.set(i, values[i]);
  to.pc = all.rip;
#elif defined(__aarch64__)
  for (unsigned i = 0; i < 31; ++i) to.set(i, all.regs[i]);
  to.set(stack_register, all.sp);
  to.pc = all.pc;
#endif
  return this_machine != 0;
}

class observer {
 public:
  double every = 0;  // seconds between samples; 0: calls are counted
  double until = 0;  // on the clock
  bool with_callers = true;
  std::FILE* report = nullptr;

  // Follows a process and what it starts until it ends. Returns its status, as of wait.
  int follow(pid_t main) {
    main_ = main;
    next_ = clock_now() + every;
    for (;;) {
      int status = 0;
      const pid_t thread = waitpid(-1, &status, every > 0 ? __WALL | WNOHANG : __WALL);
      if (thread < 0 && errno != EINTR) return status;
      if (thread > 0) {
        if (WIFSTOPPED(status)) stopped(thread, status);
        else gone(thread);
        if (thread == main && !WIFSTOPPED(status)) return status;
      }
      if (clock_now() >= until && !is_cut_) cut();
      if (every > 0 && thread <= 0) wait();
    }
  }

  void print() const {
    std::fprintf(report, "ended\t%s\t%.6f\t%.6f\t%.6f\t%ld\t%d\n", is_cut_ ? "cut" : "whole", seconds_, turns_.ran,
                 turns_.waited, faults_, processes_);
    code_.print(report);
    for (std::size_t i = 0; i < files_.size(); ++i) std::fprintf(report, "file\t%zu\t%s\n", i, files_[i].c_str());
    for (const auto& [key, sum] : calls_) {
      std::fprintf(report, "call\t%s\t%ld\t%ld\t%d\t%d\t%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.6f\t",
                   name_of(key.number, key.machine).c_str(), key.descriptor, key.file, key.ends, key.is_early ? 1 : 0,
                   key.error, key.size, sum.count, sum.bytes, sum.seconds);
      print(key.callers);
    }
    for (const auto& [key, count] : samples_) {
      std::fprintf(report, "sample\t%" PRIu64 "\t%c\t%s\t", count, key.state, key.name.c_str());
      print(key.callers);
    }
  }

 private:
  struct call_key {
    std::uint32_t machine;
    long number, descriptor, file;
    int ends;            // whose bytes it moves: 1 of the source, 2 of the sink, 3 of both
    bool is_early;       // no byte of them has moved yet
    int error;           // errno, 0 for none
    std::uint64_t size;  // of what it moved, up to the next power of two
    code_map::callers callers;
    auto all() const { return std::tie(machine, number, descriptor, file, ends, is_early, error, size, callers); }
    bool operator<(const call_key& other) const { return all() < other.all(); }
  };
  struct call_sum {
    std::uint64_t count = 0, bytes = 0;
    double seconds = 0;
  };
  struct sample_key {
    char state;  // R: running, S: waiting, D: waiting for a disk
    std::string name;
    code_map::callers callers;
    bool operator<(const sample_key& other) const {
      return std::tie(state, name, callers) < std::tie(other.state, other.name, other.callers);
    }
  };
  struct pending {
    call_facts facts{};
    double since = 0;
    code_map::callers callers;
  };
  static constexpr std::size_t most_groups = 20000, most_callers = 24, most_sampled = 128;

  void print(const code_map::callers& callers) const {
    for (std::size_t i = 0; i < callers.size(); ++i) std::fprintf(report, "%s%" PRIx64, i == 0 ? "" : ",", callers[i]);
    std::fputc('\n', report);
  }

  void cut() {
    is_cut_ = true;
    note_end();
    kill(main_, SIGKILL);
  }

  void wait() {
    const double now = clock_now();
    if (now >= next_) {
      tick();
      next_ = std::max(next_ + every, now);
      if (asked_ != 0) held_ += clock_now() - now;
    }
    const double rest = std::min(std::max(0.0, next_ - clock_now()), 0.1);
    const timespec time{0, static_cast<long>(rest * 1e9)};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigtimedwait(&set, nullptr, &time);
  }

  // Notes the system's figures of the main thread, before it is gone.
  void note_end() {
    if (is_noted_) return;
    is_noted_ = true;
    const turns now = turns_of(std::to_string(main_));
    turns_.ran = now.ran - begun_.ran;
    turns_.waited = std::max(0.0, now.waited - begun_.waited - held_);
    faults_ = faults_of(main_) - faults_begun_;
    seconds_ = clock_now() - started_;
  }

  static long faults_of(pid_t process) {
    const std::vector<std::string> fields = stat_of(std::to_string(process));
    return fields.size() > faults_field ? std::atol(fields[faults_field].c_str()) : 0;
  }

  void gone(pid_t thread) {
    threads_.erase(thread);
    if (asked_ == thread) asked_ = 0;
    pending_.erase(thread);
  }

  void stopped(pid_t thread, int status) {
    const int event = status >> 16;
    int signal_number = WSTOPSIG(status);
    threads_.insert(thread);
    if (event == PTRACE_EVENT_EXEC) moving_.erase(thread);
    if (event == PTRACE_EVENT_EXEC && thread == main_) begin();
    else if (event == PTRACE_EVENT_EXIT && thread == main_) note_end();
    else if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) ++processes_;
    else if (event == PTRACE_EVENT_STOP && asked_ == thread) sample(thread);
    else if (signal_number == (SIGTRAP | 0x80)) call(thread);
    const bool is_group_stop = event == PTRACE_EVENT_STOP && signal_number != SIGTRAP;
    if (event != 0 || signal_number == (SIGTRAP | 0x80)) signal_number = 0;
    if (is_group_stop) ptrace(PTRACE_LISTEN, thread, nullptr, 0);
    else ptrace(every > 0 ? PTRACE_CONT : PTRACE_SYSCALL, thread, nullptr, signal_number);
  }

  // The program itself begins: what came before it only made it ready.
  void begin() {
    calls_.clear();
    samples_.clear();
    files_.clear();
    names_.clear();
    pending_.clear();
    code_.forget();
    processes_ = 0;
    asked_ = 0;  // an exec takes the question back
    held_ = 0;
    begun_ = turns_of(std::to_string(main_));
    faults_begun_ = faults_of(main_);
    started_ = clock_now();
  }

  void call(pid_t thread) {
    call_facts facts{};
    if (!facts_of(thread, facts)) return;
    if (facts.operation == 1) {
      pending& now = pending_[thread];
      now.facts = facts;
      frame place;
      now.callers.clear();
      if (with_callers && facts.machine == this_machine && registers_of(thread, place))
        now.callers = code_.of(thread, place, most_callers);
      now.since = clock_now();
    } else if (facts.operation == 2 && pending_.count(thread) != 0) {
      finish(thread, pending_[thread], facts);
      pending_.erase(thread);
    }
  }

  void finish(pid_t thread, pending& begun, const call_facts& facts) {
    constexpr int restarted = 512;  // from here on, the kernel makes the call again
    const auto& entered = begun.facts.entered;
    const long number = static_cast<long>(entered.number);
    const named_call* const known = call_named(number, begun.facts.machine);
    const std::string name = known == nullptr ? "" : known->name;
    const std::int64_t value = facts.returned.value;
    const int error = facts.returned.is_error ? static_cast<int>(-value) : 0;
    if (error >= restarted) return;
    long descriptor =
        known != nullptr && known->descriptor >= 0 ? static_cast<int>(entered.arguments[known->descriptor]) : -1;
    const bool opens =
        name.compare(0, 4, "open") == 0 || name.compare(0, 6, "accept") == 0 || name == "creat" || name == "dup";
    if (error == 0 && (opens || name == "fcntl")) names_.erase({main_, static_cast<long>(value)});
    if (error == 0 && opens) descriptor = static_cast<long>(value);
    const bool moves = known != nullptr && known->moves && error == 0;
    const auto size = moves ? static_cast<std::uint64_t>(value) : std::uint64_t{0};
    const int ends = error == 0 ? ends_of(thread, name, descriptor, entered.arguments) : 0;
    if (ends != 0) moving_.insert(thread);
    call_key key{begun.facts.machine,
                 number,
                 opens ? -1 : descriptor,
                 descriptor < 0 ? -1 : file_of(thread, descriptor),
                 ends,
                 moving_.count(thread) == 0,
                 error,
                 upper_power(size),
                 begun.callers};
    if (calls_.size() > most_groups) key.callers.clear();
    call_sum& sum = calls_[key];
    ++sum.count;
    sum.bytes += size;
    sum.seconds += clock_now() - begun.since;
    if (name == "close" || name == "dup3") names_.erase({main_, descriptor});
  }

  static std::uint64_t upper_power(std::uint64_t size) {
    std::uint64_t power = 1;
    while (power < size) power *= 2;
    return size == 0 ? 0 : power;
  }

  // Whether a call moves bytes of the source (1), of the sink (2), or of both.
  int ends_of(pid_t thread, const std::string& name, long descriptor, const std::uint64_t (&arguments)[6]) {
    for (const moving_call& each : moving_calls) {
      if (name != each.name) continue;
      return (is_end(thread, static_cast<int>(arguments[each.source])) ? 1 : 0) +
             (is_end(thread, static_cast<int>(arguments[each.sink])) ? 2 : 0);
    }
    const bool reads = name.find("read") != std::string::npos && name.compare(0, 8, "readlink") != 0;
    const bool writes = name.find("write") != std::string::npos;
    const bool maps = name == "mmap" && (arguments[3] & MAP_ANONYMOUS) == 0;
    if ((!reads && !writes && !maps) || !is_end(thread, descriptor)) return 0;
    return writes ? 2 : 1;
  }

  // Whether a descriptor is the source or the sink: a standard one, another for the same file, or one that is open for
  // writing or not as runtimes open their files, who close them at an exec.
  bool is_end(pid_t thread, long descriptor) {
    if (descriptor == 0 || descriptor == 1) return true;
    const long file = descriptor < 0 ? -1 : file_of(thread, descriptor);
    if (file < 0) return false;
    const std::string& text = files_[static_cast<std::size_t>(file)];
    if (text.compare(0, 6, "folder") == 0) return false;
    const std::size_t tab = text.find('\t');
    const long flags = std::strtol(text.c_str() + tab + 1, nullptr, 8);
    if ((flags & O_CLOEXEC) == 0 || (flags & O_ACCMODE) != O_RDONLY) return true;
    const std::string path = text.substr(text.rfind('\t'));
    for (const long standard : {0L, 1L}) {
      const long other = file_of(thread, standard);
      if (other < 0) continue;
      const std::string& own = files_[static_cast<std::size_t>(other)];
      if (own.substr(own.rfind('\t')) == path) return true;
    }
    return false;
  }

  // Names what a descriptor is open for, as "kind flags path". Processes that it starts are taken to share its own.
  long file_of(pid_t thread, long descriptor) {
    const auto known = names_.find({main_, descriptor});
    if (known != names_.end()) return known->second;
    const std::string folder = "/proc/" + std::to_string(thread);
    const std::string link = folder + "/fd/" + std::to_string(descriptor), path = link_of(link);
    if (path.empty()) return -1;
    struct stat facts{};
    stat(link.c_str(), &facts);
    const char* kind = S_ISREG(facts.st_mode)    ? "file"
                       : S_ISFIFO(facts.st_mode) ? "pipe"
                       : S_ISSOCK(facts.st_mode) ? "socket"
                       : S_ISCHR(facts.st_mode)  ? "device"
                       : S_ISDIR(facts.st_mode)  ? "folder"
                                                 : "other";
    std::ifstream info(folder + "/fdinfo/" + std::to_string(descriptor));
    std::string word, flags = "0";
    while (info >> word && word != "flags:") {}
    info >> flags;
    const std::string text = std::string(kind) + "\t" + flags + "\t" + path;
    const auto place = std::find(files_.begin(), files_.end(), text);
    const long number = place - files_.begin();
    if (place == files_.end()) files_.push_back(text);
    names_[{main_, descriptor}] = number;
    return number;
  }

  struct standing {
    pid_t thread = 0;
    char state = '?';
    int processor = -1;  // the one that it is on, or was last
  };

  static standing standing_of(pid_t process, pid_t thread) {
    const auto fields = stat_of(std::to_string(process) + "/task/" + std::to_string(thread));
    if (fields.size() <= processor_field) return {thread};
    return {thread, fields[state_field][0], std::atoi(fields[processor_field].c_str())};
  }

  // Takes one sample of the program: of a thread that runs, by turns; where none does, of one that waits.
  void tick() {
    std::vector<standing> own;
    for (const pid_t thread : threads_) {
      const standing found = standing_of(main_, thread);
      if (found.state == 'R' || found.state == 'S' || found.state == 'D') own.push_back(found);
    }
    ++turn_;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const standing& one = own[(i + turn_) % own.size()];
      if (one.state != 'R' || asked_ != 0) continue;
      stop(one);
      return;
    }
    if (asked_ != 0) return;
    for (const standing& one : own) {
      const bool is_last = one.thread == own.back().thread;
      if (waiting(one.thread, one.state, is_last)) return;
    }
  }

  // Stops a thread where it is. One that runs on another processor would go on until its next system call, mostly: all
  // of its time would seem to be in calls. So the observer takes its processor; until then, it has not gone on.
  void stop(const standing& one) {
    if (one.processor >= 0 && one.processor != processor_) stay_on(processor_ = one.processor);
    asked_ = one.thread;
    if (ptrace(PTRACE_INTERRUPT, one.thread, nullptr, nullptr) != 0) asked_ = 0;
  }

  void sample(pid_t thread) {
    asked_ = 0;
    frame place;
    if (!registers_of(thread, place)) return;
    std::string name;
#if defined(__x86_64__)
    const std::string before = memory_of(thread, place.pc - 2, 2);
    if (before == "\x0f\x05") name = returning(thread);
#else
    if (memory_of(thread, place.pc - 4, 4) == std::string("\x01\x00\x00\xd4", 4)) name = returning(thread);
#endif
    ++samples_[{'R', name, code_.of(thread, place, most_sampled)}];
  }

  // The call from which a thread is about to return. Its number may still be there.
  static std::string returning(pid_t thread) {
    user_regs_struct all{};
    if (!registers_of(thread, all)) return "call";
#if defined(__x86_64__)
    return call_of(static_cast<long>(all.orig_rax));
#elif defined(__aarch64__)
    return call_of(static_cast<long>(all.regs[8]));
#else
    return "call";
#endif
  }

  // A call by its number, or "call" where that is gone: the kernel goes on with one that a stop has interrupted.
  static std::string call_of(long number) {
    return number < 0 || number == SYS_restart_syscall ? "call" : name_of(number);
  }

  // A thread that waits is left in peace: an interruption could end its wait.
  bool waiting(pid_t thread, char state, bool is_last) {
    std::ifstream file("/proc/" + std::to_string(main_) + "/task/" + std::to_string(thread) + "/syscall");
    long number = -1;
    std::string arguments[6];
    frame place;
    location stack = 0;
    file >> number;
    for (std::string& each : arguments) file >> each;
    file >> std::hex >> stack >> place.pc;
    if (!file) return false;
    if (!is_last && number == SYS_futex) return false;  // it may wait for a thread that waits for something else
    place.set(stack_register, stack);
    ++samples_[{state, call_of(number) + label(thread, number, arguments[0]), code_.of(thread, place, most_sampled)}];
    return true;
  }

  // Names what is waited for at a descriptor: a pipe, a socket, a file.
  std::string label(pid_t thread, long number, const std::string& first) {
    const named_call* const known = call_named(number);
    if (known == nullptr || known->descriptor != 0) return "";
    const long file = file_of(thread, std::strtol(first.c_str(), nullptr, 16));
    if (file < 0) return "";
    const std::string& text = files_[static_cast<std::size_t>(file)];
    return " " + text.substr(0, text.find('\t'));
  }

  pid_t main_ = 0;
  pid_t asked_ = 0;     // a thread that is to stop for a sample
  int processor_ = -1;  // the one that the observer keeps to
  double held_ = 0;     // seconds in which it kept the program from a processor
  std::size_t turn_ = 0;
  double next_ = 0, started_ = 0, seconds_ = 0;
  bool is_cut_ = false, is_noted_ = false;
  turns begun_, turns_;
  long faults_ = 0, faults_begun_ = 0;
  int processes_ = 0;
  code_map code_;
  std::set<pid_t> threads_;
  std::set<pid_t> moving_;  // that have moved a byte of the source or the sink
  std::map<pid_t, pending> pending_;
  std::map<call_key, call_sum> calls_;
  std::map<sample_key, std::uint64_t> samples_;
  std::vector<std::string> files_;
  std::map<std::pair<pid_t, long>, long> names_;
};

// Interrupts a wait when the time is up; and once more, should that come just before the wait.
inline void set_alarm(double seconds) {
  struct sigaction act{};
  act.sa_handler = [](int) {};
  sigaction(SIGALRM, &act, nullptr);
  set_timer(seconds, 0.1);
}

// launch --observe REPORT [--every SECONDS] [--for SECONDS] [--no-callers] -- PROGRAM [ARGUMENT...]
// Counts the calls of a program and of what it starts, or takes samples of it alone. It is ended after --for. Lines of
// REPORT, parted by tabs: "ended", "map", "file", "call" and "sample" as `print` writes them; "blind" where programs
// may not be observed here, which then run all the same.
inline int observe(char** words) {
  observer with;
  const char* const path = *words;
  double longest = 1e9;
  char** const command = command_after(words + 1, {amount("--every", with.every), amount("--for", longest),
                                                   flag("--no-callers", with.with_callers, false)});
  with.report = std::fopen(path, "we");
  if (with.report == nullptr) stop_with_errno(std::string("cannot write ") + path);
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) stop_with_errno("cannot make a pipe");
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, &before);
  if (with.every == 0) stay_on(sched_getcpu());  // two that take turns: on one processor they need not wake each other
  const pid_t child = fork();
  if (child < 0) stop_with_errno("cannot fork");
  if (child == 0) {
    char byte = 0;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (read(ready[0], &byte, 1) == 1) execvp(*command, command);
    _exit(127);
  }
  const long wanted = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
                      PTRACE_O_TRACEEXIT | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
  const bool is_seen = this_machine != 0 && ptrace(PTRACE_SEIZE, child, nullptr, wanted) == 0;
  if (!is_seen) std::fputs("blind\n", with.report);
  with.until = clock_now() + longest;
  if (with.every == 0) set_alarm(std::min(longest, 1e6));
  if (write(ready[1], "", 1) != 1) stop_with_errno("cannot start");
  int status = 0;
  if (is_seen) {
    status = with.follow(child);
    with.print();
  } else {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  }
  std::fclose(with.report);
  end_as(status);
}

}  // namespace launch
