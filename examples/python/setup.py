"""The extension, and the headers that an sdist takes along."""

import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
HEADERS = next(path for path in (HERE / "include", HERE.parent.parent / "include") if path.is_dir())


class SdistWithHeaders(sdist):
    """An sdist that is built without the checkout around it."""

    def make_release_tree(self, base_dir, files):
        """Add the headers to what setuptools puts there."""
        super().make_release_tree(base_dir, files)
        shutil.copytree(HEADERS, Path(base_dir) / "include", dirs_exist_ok=True)


setup(
    cmdclass={"sdist": SdistWithHeaders},
    ext_modules=[
        Extension(
            "fast_csv",
            ["fast_csv.cpp"],
            include_dirs=[str(HEADERS)],
            extra_compile_args=["-std=c++17", "-O2"],
            extra_link_args=["-pthread"],
        )
    ],
)
