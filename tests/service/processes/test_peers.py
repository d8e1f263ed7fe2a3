"""One peer takes no more connections than its share, and nobody else's."""

import pytest

from service.processes.peers import Peers, peer


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        (("203.0.113.7", 4711), "203.0.113.7"),
        (("::ffff:203.0.113.7", 4711, 0, 0), "203.0.113.7"),
        (("2001:db8:1:2:3:4:5:6", 4711, 0, 0), "20010db800010002::/64"),
        (("2001:db8:1:2::ffff", 1, 0, 0), "20010db800010002::/64"),
        (("2001:db8:1:3::", 1, 0, 0), "20010db800010003::/64"),
        (("fe80::1%eth0", 1, 0, 2), "fe80000000000000::/64"),
        (("127.0.0.1", 1), None),
        (("127.8.8.8", 1), None),
        (("::1", 1, 0, 0), None),
        (("::ffff:127.0.0.1", 1, 0, 0), None),
        ("", None),
        (b"", None),
    ],
)
def test_peers_are_networks_and_this_machine_is_none(
    address: object, whose: str | None
) -> None:
    assert peer(address) == whose


def test_a_peer_has_its_share_again_when_a_connection_is_over() -> None:
    peers = Peers(2)

    first = [peers.come("a") for _ in range(3)]
    other = peers.come("b")
    peers.go("a")
    again = [peers.come("a") for _ in range(2)]

    assert first == [True, True, False]
    assert other
    assert again == [True, False]


def test_all_together_have_an_end_too_where_one_is_set() -> None:
    peers = Peers(2, altogether=3)

    came = [peers.come(peer) for peer in ("a", "a", "b", "c")]
    peers.go("a")

    assert came == [True, True, True, False]
    assert peers.come("c")


def test_nobody_is_counted_without_a_cap_nor_this_machine_with_one() -> None:
    assert all(Peers(0).come("a") for _ in range(1000))
    assert all(Peers(1).come(None) for _ in range(1000))
