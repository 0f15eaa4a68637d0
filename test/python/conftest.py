"""Runs pytest in pytest: the fixture `pytester` writes test files into an empty folder and runs them."""

pytest_plugins = ["pytester"]
