"""The Conan 2 recipe. From the top of the repository: conan create packaging/conan"""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Headrace(ConanFile):
    name = "headrace"
    description = "Fast, checked text input and output for C++17"
    license = "MIT"
    topics = ("io", "parsing", "formatting", "simd")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}
    implements = ["auto_shared_fpic"]
    no_copy_source = True

    def _top(self) -> Path:
        return Path(self.recipe_folder).parents[1]

    def set_version(self):
        text = (self._top() / "include" / "headrace" / "config.hpp").read_text("utf-8")
        number = int(re.search(r"#define HEADRACE_VERSION (\d+)", text)[1])
        self.version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, str(self._top()), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 17)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["HEADRACE_BUILD_TESTS"] = False
        toolchain.cache_variables["HEADRACE_INSTALL"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder) / "licenses"))
        CMake(self).install()

    def package_info(self):
        # The library's own CMake package is what consumers get: it has headrace::header_only, too.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/headrace"]
        self.cpp_info.bindirs = []
        self.cpp_info.libs = ["headrace"]
        self.cpp_info.defines = ["HEADRACE_COMPILED=1"]
