"""Lets the comparisons say what differed, as a test's own asserts do."""

import pytest

pytest.register_assert_rewrite("tests.openspiel.bridge", "tests.openspiel.differences")
