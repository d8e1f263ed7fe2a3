"""Whose word counts for a sender's domain."""


def is_aligned(domain: str, sender: str) -> bool:
    """Whether who holds `domain` may speak for `sender`: it is that, or above it.

    A domain below may be another's: providers give them away.
    """
    domain = domain.lower().rstrip(".")
    return "." in domain and f".{sender}".endswith(f".{domain}")
