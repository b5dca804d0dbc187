"""The SDK's version, read by the build and sent as part of `User-Agent`."""

__version__ = "0.1.0"
