"""Words that people command with in a mail, in four languages, as they are folded."""

from typing import Final


def words(text: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(text.split())


def _phrases(*texts: str) -> tuple[str, ...]:
    """What stands between the bars in the texts."""
    return tuple(each.strip() for text in texts for each in text.split("|"))


MOVE: Final = words(
    "move raise lift promote"
    " ziehe zieh ziehen hochziehen hebe heb heben rucke ruck bewege beweg bewegen"
    " sposta sposto spostare muovi muovo muovere alza alzo alzare"
    " monte monter montez deplace deplacer deplacez leve lever levez"
    " avance avancer avancez"
)
PLACE: Final = words(
    "place put set"
    " setze setz setzen stelle stell stellen platziere platzieren lege leg legen"
    " metti metto mettere piazza piazzo piazzare colloca colloco pone poni"
    " placer placez mets mettez mettre pose posez poser"
)
VOTE: Final = words(
    "i my is vote voting card lay play for with"
    " ich meine ist stimme stimm wahle wahl lege karte mit fur"
    " io il mio e voto vota votare gioco carta per con"
    " je mon est votez voter joue carte pour avec"
)
"""What may lead to a card's name and means none by itself."""

CARD: Final = words("card karte carta carte")
WHO: Final = words("i ich io je")
PLEASE: Final = _phrases(
    "please | pls | bitte | per favore | per piacere | s il te plait",
    "s il vous plait | svp",
)

UP: Final = _phrases(
    "| up | one up | up one | up one floor | one floor up | a floor up | higher",
    "one floor higher",
    "hoch | rauf | hinauf | herauf | nach oben | eins hoch | eins rauf",
    "eine etage hoch | einen stock hoch | ein stockwerk hoch | eine etage hoher",
    "su | in alto | di un piano | su di un piano | un piano su",
    "en haut | vers le haut | d un etage | plus haut | un etage plus haut",
)
"""What says that somebody goes up and nothing more, or says nothing at all."""

ON: Final = words(
    "on onto to in into at with the floor level storey of up no -"
    " auf zu zum zur den die der dem das bei ins etage stock stockwerk ebene hinauf"
    " hoch nr"
    " su sul sulla sui al alla ai agli con il lo la gli i le piano nel nella dai tra"
    " fra a au aux sur chez les l niveau dans parmi jusque jusqu"
)
"""What may stand around a place and means nothing by itself."""
