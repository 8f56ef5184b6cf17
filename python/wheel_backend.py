"""How `pip install .` makes a wheel: by setuptools and setup.py, with what the interpreter has.

pip builds in an environment that hides the packages of the interpreter, and fetches into it what the backend asks for. What is
installed serves as well, so this backend asks for the rest alone: on Debian for nothing, and no network is needed.
"""
import importlib.util
import site
import sys

REQUIRED = {"setuptools": "setuptools>=61", "wheel": "wheel", "numpy": "numpy>=1.21", "pybind11": "pybind11>=2.10"}

sys.path += [folder for folder in site.getsitepackages() if folder not in sys.path]


def get_requires_for_build_wheel(config_settings=None):
    return [wanted for package, wanted in REQUIRED.items() if importlib.util.find_spec(package) is None]


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    from setuptools import build_meta

    return build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    from setuptools import build_meta

    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
