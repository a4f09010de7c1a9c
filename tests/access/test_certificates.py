"""Users by their certificates."""

from __future__ import annotations

from crdkit.access.certificates import user_of
from crdkit.access.user import User

SHA256_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_the_common_name_is_the_user_and_organizations_are_groups() -> None:
    subject = ((("organizationName", "dev"),), (("organizationName", "ops"),), (("commonName", "carol"),))
    extra = {"authentication.kubernetes.io/credential-id": (f"X509SHA256={SHA256_OF_NOTHING}",)}
    assert user_of({"subject": subject}, b"") == User("carol", ("dev", "ops", "system:authenticated"), "", extra)


def test_without_a_common_name_it_is_nobody() -> None:
    assert user_of({"subject": ((("organizationName", "dev"),),)}, b"") is None
