"""A bot that somebody wrote: its file loaded, its answers checked, its faults told."""

import importlib.util
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""An object as a program gets it from the API, to keep or to change."""

Choose: TypeAlias = Callable[[JsonObject], object]
"""What a bot's file has to define as `choose`: from a view to one of its answers."""

_MODULE: Final = "kingup_bot"
_FAULTS: Final = (Exception, SystemExit)
_LONGEST: Final = 200
"""What is shown at most, in signs, of an answer that isn't one."""
_MOST_SHOWN: Final = 8
"""How many legal answers are shown at most."""


class NoBot(Exception):
    """A file that can't be played; the text says why, with its traceback if any."""


class BotRaised(Exception):
    """A bot ended with an error; the text is its own traceback."""


class IllegalAnswer(Exception):
    """A bot returned none of its legal answers; the text says which are, and what."""


def load(file: Path) -> Choose:
    """The function `choose` of a bot's file. Raises NoBot.

    Like a program started from its folder, the file may import its neighbours.
    """
    spec = importlib.util.spec_from_file_location(_MODULE, file)
    if spec is None or spec.loader is None:
        raise NoBot(f"{file} is no Python file: its name should end in .py.")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickles look their module up there.
    sys.modules[_MODULE] = module
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except _FAULTS as error:
        raise NoBot(
            f"{file} can't be loaded:\n{_own_traceback(error, file)}"
        ) from error
    choose = getattr(module, "choose", None)
    if not callable(choose):
        raise NoBot(
            f"{file} has no function choose. It should define\n"
            "    def choose(view: dict) -> dict:\n"
            '        return view["legal"][0]["answer"]'
        )
    found: Choose = choose
    return found


def ask(choose: Choose, view: Mapping[str, Any], file: Path) -> int:
    """Which of the view's legal answers a bot chooses, by its place among them.

    The bot gets a copy. Raises BotRaised and IllegalAnswer.
    """
    legal = [offer["answer"] for offer in view["legal"]]
    try:
        chosen = choose(json.loads(json.dumps(view)))
    except _FAULTS as error:
        raise BotRaised(_own_traceback(error, file)) from error
    if not isinstance(chosen, dict) or chosen not in legal:
        raise IllegalAnswer(_message(chosen, legal))
    return legal.index(chosen)


def _message(chosen: object, legal: list[JsonObject]) -> str:
    said = repr(chosen)
    if len(said) > _LONGEST:
        said = f"{said[:_LONGEST]}..."
    shown = [f"    {answer!r}" for answer in legal[:_MOST_SHOWN]]
    if len(legal) > _MOST_SHOWN:
        shown.append(f"    and {len(legal) - _MOST_SHOWN} more")
    # What helps comes last: a terminal shows the end.
    said = f"choose returned {said}{_hint(chosen, legal)}"
    return "\n".join(["Legal are:", *shown, said])


def _hint(chosen: object, legal: list[JsonObject]) -> str:
    """What the slip probably was; a full stop where nothing is known."""
    if chosen is None:
        return ": is a return missing?"
    if isinstance(chosen, dict) and chosen.get("answer") in legal:
        return ': that is a whole offer, return its "answer".'
    if not isinstance(chosen, dict):
        return f", a {type(chosen).__name__}, where one of the answers belongs."
    return ", which is not allowed now."


def _own_traceback(error: BaseException, file: Path) -> str:
    """The traceback from the bot's file on: how we got there is nobody's concern."""
    frame = error.__traceback__
    while frame is not None and not _is_in(frame, file):
        frame = frame.tb_next
    return "".join(traceback.format_exception(type(error), error, frame)).rstrip()


def _is_in(frame: TracebackType, file: Path) -> bool:
    return Path(frame.tb_frame.f_code.co_filename) == file.absolute()
