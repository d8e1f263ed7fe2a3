"""Tables of a mail, as cells."""

from html.parser import HTMLParser


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._within = False

    @classmethod
    def of(cls, page: str) -> list[list[str]]:
        """Every row of a page that has cells."""
        cells = cls()
        cells.feed(page)
        return [row for row in cells.rows if row]

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")
            self._within = True

    def handle_endtag(self, tag: str) -> None:
        self._within = self._within and tag != "td"

    def handle_data(self, data: str) -> None:
        if self._within:
            self.rows[-1][-1] += data.strip()
