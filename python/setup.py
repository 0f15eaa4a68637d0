"""The rest of the configuration is in pyproject.toml."""

import json
from pathlib import Path

from setuptools import setup

manifest = Path(__file__).resolve().parent.parent / "package.json"
setup(version=json.loads(manifest.read_text())["version"])
