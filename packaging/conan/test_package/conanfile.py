"""A consumer: what it finds has to build, and to add up 20 and 22.

It is built in the repository's `build/conan`, which git ignores: nothing else is left beside the sources.
"""

from pathlib import Path

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout


class Consumer(ConanFile):
    settings = "os", "arch", "compiler", "build_type"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self, build_folder="../../../build/conan")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        given = Path(self.build_folder) / "input"
        given.write_text("20 22\n", "utf-8")
        for name in ("consumer", "consumer_of_headers"):
            said = Path(self.build_folder) / f"{name}.out"
            self.run(f'"{Path(self.build_folder) / name}" < "{given}" > "{said}"', env="conanrun")
            if said.read_text("utf-8") != "42\n":
                raise ConanException(f"{name} says {said.read_text('utf-8')!r}, not 42")
