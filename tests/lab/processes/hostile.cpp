// Contenders that behave badly, as a table: what each does, how its run in a cage has to end, and what is then said.
// A status of 7 or 8 says that something went that must not. Each ends by printing 42, the right answer, unless what it
// does keeps it from that. "headrace-hostile-spot" is what the test looks for afterwards.
//
//   hostile CASE    behaves like that
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr const char* spot = "headrace-hostile-spot";
const char* self = "";

void stay() {
  prctl(PR_SET_NAME, "hostile-spot");
  for (;;) pause();
}

std::string home() { return std::getenv("HOME") ? std::getenv("HOME") : "/"; }

bool put(const std::string& path) {
  const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0666);
  return file >= 0 && write(file, "x", 1) == 1;
}

void fill(const std::string& folder) {
  static char block[1 << 20];
  for (int number = 0; number < 64; ++number) {
    const int file = open((folder + "/" + spot + std::to_string(number)).c_str(), O_CREAT | O_WRONLY, 0666);
    for (int part = 0; part < 64; ++part)
      if (write(file, block, sizeof block) < 0) return;
  }
}

__attribute__((noinline)) int deeper(volatile char* from) {
  volatile char more[4096];
  if (from != nullptr && from[0] == 'y') return 0;
  more[0] = 'x';
  return deeper(more) + more[0];
}

struct hostile {
  const char* name;
  const char* outcome;
  const char* detail;  // a part of what is said
  int (*run)();
};

const hostile cases[] = {
    {"fork", "ok", "",
     [] {
       if (fork() == 0) stay();
       return 0;
     }},
    {"double fork", "ok", "",
     [] {
       if (fork() == 0) {
         if (fork() == 0) stay();
         _exit(0);
       }
       wait(nullptr);
       return 0;
     }},
    {"setsid", "ok", "",
     [] {
       if (fork() == 0) {
         setsid();
         stay();
       }
       return 0;
     }},
    {"daemon", "ok", "",
     [] {
       if (fork() == 0) {
         if (daemon(0, 0) == 0) stay();
         _exit(1);
       }
       wait(nullptr);
       return 0;
     }},
    {"vfork and exec", "ok", "",
     [] {
       if (vfork() == 0) {
         execlp("sleep", "sleep", "61.5", nullptr);
         _exit(1);
       }
       return 0;
     }},
    {"another group", "ok", "",
     [] {
       if (fork() == 0) {
         setpgid(0, 0);
         stay();
       }
       return 0;
     }},
    {"all signals ignored", "ok", "",
     [] {
       if (fork() == 0) {
         setsid();
         for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
         stay();
       }
       return 0;
     }},
    {"many children", "ok", "",
     [] {
       for (int i = 0; i < 200; ++i)
         if (fork() == 0) stay();
       return 0;
     }},
    {"a chain of forks", "ok", "",
     [] {
       for (int i = 0; i < 100; ++i) {
         if (fork() != 0) {
           if (i > 0) stay();
           break;
         }
         setsid();
         if (i == 99) stay();
       }
       return 0;
     }},
    {"forks for ever", "ok", "",
     [] {
       if (fork() == 0)
         for (;;) {
           if (fork() != 0) _exit(0);
           usleep(100);
         }
       return 0;
     }},
    {"a stopped child", "ok", "",
     [] {
       const int child = fork();
       if (child == 0) stay();
       kill(child, SIGSTOP);
       return 0;
     }},
    {"a traced child", "ok", "",
     [] {
       const int child = fork();
       if (child == 0) {
         ptrace(PTRACE_TRACEME, 0, 0, 0);
         raise(SIGSTOP);
         stay();
       }
       waitpid(child, nullptr, WUNTRACED);
       return 0;
     }},
    {"a child of another parent", "ok", "",
     [] {
       prctl(PR_SET_CHILD_SUBREAPER, 1);
       if (fork() == 0) {
         if (fork() == 0) stay();
         _exit(0);
       }
       return 0;
     }},
    {"zombies", "ok", "",
     [] {
       for (int i = 0; i < 100; ++i)
         if (fork() == 0) _exit(0);
       return 0;
     }},
    {"threads that stay", "ok", "",
     [] {
       pthread_t other;
       pthread_create(
           &other, nullptr,
           [](void*) -> void* {
             stay();
             return nullptr;
           },
           nullptr);
       return 0;
     }},
    {"a shell in the background", "ok", "",
     [] {
       if (std::system("setsid nohup sleep 61.5 >/dev/null 2>&1 &") != 0) return 3;
       return 0;
     }},
    {"never ends", "TIMED OUT", "did not end within",
     [] {
       stay();
       return 0;
     }},
    {"SIGTERM ignored", "TIMED OUT", "did not end within",
     [] {
       for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
       stay();
       return 0;
     }},
    {"stops itself", "TIMED OUT", "did not end within",
     [] {
       raise(SIGSTOP);
       return 0;
     }},
    {"spins in all threads", "TIMED OUT", "did not end within",
     [] {
       for (int i = 0; i < 4; ++i) {
         pthread_t t;
         pthread_create(
             &t, nullptr,
             [](void*) -> void* {
               for (volatile int x = 0;; x = x + 1) {}
             },
             nullptr);
       }
       for (volatile int x = 0;; x = x + 1) {}
       return 0;
     }},
    {"10 GB of output", "CRASHED", "SIGXFSZ for writing too much",
     [] {
       static char many[1 << 20];
       for (int i = 0; i < 10240; ++i)
         if (write(1, many, sizeof many) < 0) break;
       return 0;
     }},
    {"10 GB of complaints", "CRASHED", "SIGXFSZ for writing too much",
     [] {
       static char many[1 << 20];
       for (int i = 0; i < 10240; ++i)
         if (write(2, many, sizeof many) < 0) break;
       return 0;
     }},
    {"stdout closed", "WRONG", "got nothing",
     [] {
       close(1);
       return 0;
     }},
    {"all closed", "WRONG", "got nothing",
     [] {
       for (int i = 0; i < 1024; ++i) close(i);
       return 0;
     }},
    {"stdout cut short", "WRONG", "got nothing",
     [] {
       std::puts("42");
       std::fflush(stdout);
       if (ftruncate(1, 0) != 0) return 0;
       _exit(0);
       return 0;
     }},
    {"writes to its input", "ok", "",
     [] {
       if (write(0, "x", 1) > 0) return 7;
       return 0;
     }},
    {"cuts its input", "ok", "",
     [] {
       if (ftruncate(0, 0) == 0) return 7;
       return 0;
     }},
    {"opens its input again", "ok", "",
     [] {
       if (open("/proc/self/fd/0", O_RDWR) >= 0) return 7;
       return 0;
     }},
    {"cuts its input by name", "ok", "",
     [] {
       if (truncate("/proc/self/fd/0", 0) == 0) return 7;
       return 0;
     }},
    {"lets others write its input", "ok", "",
     [] {
       if (fchmod(0, 0666) == 0) return 7;
       return 0;
     }},
    {"deletes its input", "ok", "",
     [] {
       char name[4096];
       const long n = readlink("/proc/self/fd/0", name, 4095);
       name[n < 0 ? 0 : n] = 0;
       if (unlink(name) == 0) return 7;
       return 0;
     }},
    {"maps its input to write", "ok", "",
     [] {
       if (mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0) != MAP_FAILED) return 7;
       return 0;
     }},
    {"writes into home", "ok", "",
     [] {
       put(home() + "/" + spot);
       mkdir((home() + "/." + spot).c_str(), 0777);
       return 0;
     }},
    {"writes where it stands", "ok", "",
     [] {
       put(spot);
       mkdir((std::string(spot) + ".folder").c_str(), 0777);
       return 0;
     }},
    {"writes temporary files", "ok", "",
     [] {
       put(std::string("/tmp/") + spot);
       put(std::string("/var/tmp/") + spot);
       return 0;
     }},
    {"makes a socket and a pipe in /tmp", "ok", "",
     [] {
       mkfifo((std::string("/tmp/") + spot).c_str(), 0666);
       mknod((std::string("/var/tmp/") + spot).c_str(), S_IFSOCK | 0666, 0);
       return 0;
     }},
    {"fills /dev/shm", "ok", "",
     [] {
       fill("/dev/shm");
       return 0;
     }},
    {"fills /tmp", "ok", "",
     [] {
       fill("/tmp");
       return 0;
     }},
    {"shared memory that stays", "ok", "",
     [] {
       const int id = shmget(0x48524350, 1 << 20, IPC_CREAT | 0666);
       if (id < 0) return 7;
       const int file = shm_open((std::string("/") + spot).c_str(), O_CREAT | O_RDWR, 0666);
       if (file < 0) return 8;
       return 0;
     }},
    {"deletes its binary", "ok", "",
     [] {
       unlink(self);
       return 0;
     }},
    {"overwrites its binary", "ok", "",
     [] {
       put(self);
       truncate(self, 0);
       return 0;
     }},
    {"empties its home", "ok", "",
     [] {
       DIR* const all = opendir(home().c_str());
       while (const dirent* const each = all ? readdir(all) : nullptr) unlink((home() + "/" + each->d_name).c_str());
       return 0;
     }},
    {"writes to /proc", "ok", "",
     [] {
       const int file = open("/proc/sys/vm/swappiness", O_WRONLY);
       if (file >= 0 && write(file, "61", 2) == 2) return 7;
       return 0;
     }},
    {"writes to /sys", "ok", "",
     [] {
       const int file = open("/sys/kernel/mm/transparent_hugepage/enabled", O_WRONLY);
       if (file >= 0 && write(file, "never", 5) == 5) return 7;
       return 0;
     }},
    {"mounts", "ok", "",
     [] {
       if (mount("none", "/tmp", "tmpfs", 0, nullptr) == 0 || umount2("/tmp", MNT_DETACH) == 0) return 7;
       if (mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0) return 8;
       return 0;
     }},
    {"kills its parent", "ok", "",
     [] {
       kill(getppid(), SIGKILL);
       kill(getppid(), SIGTERM);
       kill(getppid(), SIGINT);
       kill(getppid(), SIGSTOP);
       return 0;
     }},
    {"kills its group", "ok", "",
     [] {
       if (fork() == 0) {
         setpgid(0, 0);
         kill(0, SIGKILL);
       }
       wait(nullptr);
       signal(SIGTERM, SIG_IGN);
       kill(0, SIGTERM);
       return 0;
     }},
    {"kills all that it may", "ok", "",
     [] {
       signal(SIGTERM, SIG_IGN);  // before there is a child that sends one
       if (fork() == 0) {
         kill(-1, SIGTERM);
         _exit(0);
       }
       kill(-1, SIGTERM);
       wait(nullptr);
       return 0;
     }},
    {"traces the launcher", "ok", "",
     [] {
       if (ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0) return 7;
       if (ptrace(PTRACE_SEIZE, 1, nullptr, nullptr) == 0) return 8;
       return 0;
     }},
    {"reads the launcher's memory", "ok", "",
     [] {
       if (open(("/proc/" + std::to_string(getppid()) + "/mem").c_str(), O_RDWR) >= 0) return 7;
       return 0;
     }},
    {"takes a better priority", "ok", "",
     [] {
       setpriority(PRIO_PROCESS, 0, -20);
       if (getpriority(PRIO_PROCESS, 0) < 0) return 7;
       sched_param first{};
       first.sched_priority = 50;
       if (sched_setscheduler(0, SCHED_FIFO, &first) == 0) return 8;
       return 0;
     }},
    {"lowers the launcher's priority", "ok", "",
     [] {
       if (setpriority(PRIO_PROCESS, getppid(), 19) == 0) return 0;
       return 0;
     }},
    {"sees other processes", "ok", "",
     [] {
       if (kill(1, 0) != 0 && errno == ESRCH) return 7;
       int count = 0;
       DIR* const all = opendir("/proc");
       while (const dirent* const each = readdir(all)) count += each->d_name[0] >= '1' && each->d_name[0] <= '9';
       if (count != 2) return 8;
       return 0;
     }},
    {"opens a connection", "ok", "",
     [] {
       const int s = socket(AF_INET, SOCK_STREAM, 0);
       sockaddr_in to{};
       to.sin_family = AF_INET;
       to.sin_port = htons(static_cast<unsigned short>(std::atoi(std::getenv("PORT"))));
       to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
       if (connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return 7;
       return 0;
     }},
    {"listens", "ok", "",
     [] {
       const int s = socket(AF_INET, SOCK_STREAM, 0);
       sockaddr_in to{};
       to.sin_family = AF_INET;
       to.sin_port = htons(48523);
       bind(s, reinterpret_cast<sockaddr*>(&to), sizeof to);
       listen(s, 1);
       if (fork() == 0) stay();
       return 0;
     }},
    {"connects to a socket without a file", "ok", "",
     [] {
       sockaddr_un name{};
       name.sun_family = AF_UNIX;
       std::strcpy(name.sun_path + 1, std::getenv("NAME"));
       const auto size = static_cast<socklen_t>(sizeof(sa_family_t) + 1 + std::strlen(name.sun_path + 1));
       const int end = socket(AF_UNIX, SOCK_STREAM, 0);
       return connect(end, reinterpret_cast<sockaddr*>(&name), size) == 0 ? 7 : 0;
     }},
    {"sets its clock", "ok", "",
     [] {
       timespec now{};
       clock_gettime(CLOCK_REALTIME, &now);
       if (clock_settime(CLOCK_REALTIME, &now) == 0) return 7;
       return 0;
     }},
    {"takes all memory", "CRASHED", "a run may have 1.0 GiB of memory",
     [] {
       for (static char* volatile kept;; std::memset(kept, 1, 1 << 26)) kept = new char[1 << 26];
       return 0;
     }},
    {"aborts", "CRASHED", "SIGABRT",
     [] {
       std::abort();
       return 0;
     }},
    {"overflows its stack", "CRASHED", "SIGSEGV",
     [] {
       deeper(nullptr);
       return 0;
     }},
    {"ends by a signal of its own", "CRASHED", "SIGKILL",
     [] {
       raise(SIGKILL);
       return 0;
     }},
};

}  // namespace

int main(int count, char** words) {
  self = words[0];
  char block[4096];
  while (read(0, block, sizeof block) > 0) {}
  int status = 9;
  for (const hostile& each : cases) {
    if (count == 2 && std::strcmp(each.name, words[1]) == 0) status = each.run();
  }
  std::puts("42");
  std::fflush(stdout);
  _exit(status);
}
