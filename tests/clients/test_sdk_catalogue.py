"""The SDK knows the service's problems: one class for each code, and no other."""

from oklahoma_gin.errors import PROBLEMS
from service.api.problems import CATALOGUE


def test_the_sdk_has_a_class_for_every_code_of_the_service() -> None:
    assert set(PROBLEMS) == set(CATALOGUE)
