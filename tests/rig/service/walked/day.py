"""What an instance does from day to day: one of everything, against a full database."""

from tests.rig.service.postbox import Postbox
from tests.rig.service.walked import games, letters, people, tables, worker


def walk(post: Postbox, database: str) -> None:
    """One of everything that people, programs and the worker do."""
    token = people.signs_in(post)
    tables.lists(post.api, token)
    tables.hosts(post, token)
    games.plays(post)
    with post.api.app.app_context():
        people.reads_by_links(post.api.app)
        letters.comes_in(post.api.app)
        worker.is_called(database)
        worker.comes_back(post.api.app)
        worker.tidies()
    assert post.api.call("DELETE", "/v1/me", token).status_code == 204
