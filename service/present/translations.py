"""The translators' catalogs, read from the .po files themselves: nothing is compiled.

English stands in the code and has no catalog.
"""

import functools
import io
from functools import cached_property
from pathlib import Path
from typing import Final

from babel.messages import mofile, pofile
from babel.support import NullTranslations, Translations
from flask_babel import Babel, Domain, get_locale

FOLDER: Final = Path(__file__).parents[1] / "translations"
"""Where each language has its folder."""


class Catalogs(Domain):  # type: ignore[misc]  # Flask-Babel has no types.
    """All our sentences, in each language that has a catalog."""

    def get_translations(self) -> NullTranslations:
        """The catalog of the reader's language."""
        locale = get_locale()
        return catalog("" if locale is None else str(locale))


class Languages(Babel):  # type: ignore[misc]  # Flask-Babel has no types.
    """Flask-Babel with our catalogs."""

    @cached_property
    def domain_instance(self) -> Domain:
        """The one domain that there is."""
        return Catalogs()


@functools.cache
def catalog(language: str) -> NullTranslations:
    """What is translated into a language; nothing where it has no catalog."""
    path = FOLDER / language / "LC_MESSAGES" / "messages.po"
    if not language or not path.is_file():
        return NullTranslations()
    compiled = io.BytesIO()
    with path.open("rb") as file:
        mofile.write_mo(compiled, pofile.read_po(file, abort_invalid=True))
    compiled.seek(0)
    return Translations(compiled)
