"""Packs the Python package. Its extension modules are CMake's work, in build/pip or in the folder that DRIFTLESS_BUILD names."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).parent.resolve()
BUILD = pathlib.Path(os.environ.get("DRIFTLESS_BUILD", ROOT / "build" / "pip")).resolve()
SETUPTOOLS = BUILD / "setuptools"


def version():
    return re.search(r"project\(driftless VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def run(*command):
    """pip hides the interpreter's packages from what it starts, but CMake asks the interpreter for numpy."""
    shown = [folder for folder in sys.path if folder and not os.path.exists(os.path.join(folder, "sitecustomize.py"))]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(shown)})


def configure():
    import pybind11

    has_mpi = any(shutil.which(compiler) for compiler in ("mpicxx", "mpic++"))
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "DRIFTLESS_BY_FOLDER": "ON",
        "DRIFTLESS_MPI": "ON" if has_mpi else "OFF",
        "DRIFTLESS_PEERS": "OFF",
        "DRIFTLESS_PROGRAM": "OFF",
        "DRIFTLESS_PYTHON": "ON",
        "Python_EXECUTABLE": sys.executable,
        "pybind11_DIR": pybind11.get_cmake_dir(),
    }
    more = os.environ.get("CMAKE_ARGS", "").split()
    run("cmake", "-G", "Ninja", "-S", ROOT, "-B", BUILD, *(f"-D{k}={v}" for k, v in options.items()), *more)


class CMakeModules(build_ext):
    def run(self):
        if "DRIFTLESS_BUILD" not in os.environ:
            configure()
        run("cmake", "--build", BUILD, "--target", "driftless_python")
        run("cmake", "--install", BUILD, "--component", "python", "--strip", "--prefix", self.build_lib)
        module = pathlib.Path(self.get_ext_fullpath("driftless._core"))
        if not module.exists():
            sys.exit(
                f"{BUILD} builds for another Python: there is no {module.name}, which {sys.executable} needs.\n"
                "Remedy: leave DRIFTLESS_BUILD away, or configure that folder with -D Python_EXECUTABLE=..."
            )


shutil.rmtree(SETUPTOOLS, ignore_errors=True)  # what an earlier wheel had must not be in this one
SETUPTOOLS.mkdir(parents=True)
setup(
    version=version(),
    ext_modules=[Extension("driftless._core", sources=[])],  # so that the wheel is one of this platform and interpreter
    cmdclass={"build_ext": CMakeModules},
    options={"build": {"build_base": str(SETUPTOOLS)}, "egg_info": {"egg_base": str(SETUPTOOLS)}},
)
