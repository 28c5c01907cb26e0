"""A plugin that writes to `out` and is unloaded, in a host that reads from `in`: the host goes on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import native
from checkout import TOP

INCLUDE = TOP / "include"
# g++ marks what is inline as unique, and a shared object that has something unique is never unloaded.
COMPILERS = [
    [name, *flags]
    for name, *flags in (["g++", "-fno-gnu-unique"], ["clang++"], ["clang++-19"])
    if shutil.which(name)
]
PLUGIN = """#include <headrace/writer.hpp>
#include <unistd.h>
extern "C" void use(bool broken) {
  headrace::out << "from the plugin\\n";
  if (broken) ::close(1);
}
"""
HOST = """#include <headrace/reader.hpp>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
int main(int argc, char**) {
  void* plugin = dlopen("./plugin.so", RTLD_NOW);
  reinterpret_cast<void (*)(bool)>(dlsym(plugin, "use"))(argc > 1);
  dlclose(plugin);
  if (dlopen("./plugin.so", RTLD_NOW | RTLD_NOLOAD) != nullptr) std::fputs("still loaded, ", stderr);
  int x = 0;
  headrace::in >> x;
  std::atexit([] { std::fputs("handler", stderr); });
  std::fprintf(stderr, "%d, ", x);
}
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="dlopen as Linux has it")
@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda command: command[0])
def test_a_plugin_is_unloaded(compiler: list[str], tmp_path: Path) -> None:
    common = [*compiler, "-std=c++17", "-O1", "-I", str(INCLUDE)]
    for name, source, flags in (
        ("plugin.so", PLUGIN, ["-fPIC", "-shared"]),
        ("host", HOST, ["-rdynamic", "-ldl"]),
    ):
        (tmp_path / f"{name}.cpp").write_text(source)
        command = [*common, f"{name}.cpp", "-o", name, *flags]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    done = native.call("./host", cwd=tmp_path, input="5")
    assert (done.returncode, done.stdout, done.stderr) == (0, "from the plugin\n", "5, handler")
    # What was lost shows in the status, but the host goes on to its end.
    done = native.call("./host", "x", cwd=tmp_path, input="5")
    lost = "<stdout>: cannot write: Bad file descriptor (0 bytes arrived)\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{lost}5, handler")
