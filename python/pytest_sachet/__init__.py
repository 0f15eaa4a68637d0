"""The types of the pytest plugin's fixtures: `sachet` is a Server, `sandbox` a Sandbox."""

from .sandbox import Login, SachetError, Sandbox, Server

__all__ = ["Login", "SachetError", "Sandbox", "Server"]
