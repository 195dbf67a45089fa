"""What a document shows against what came. Blanks are any number of blanks; times and sizes of memory and sparklines match any; all else
is compared as it stands, but for what a block's rule says is another one each time.
"""
import re

from docs_rules import JSON_VARIES


class Mismatch(Exception):
    """What a block says and what came differ, in one sentence."""

    def __init__(self, message, offset=0):
        super().__init__(message)
        self.offset = offset


def pattern_of(line, varies, exact):
    """A line as a document shows it, as a regular expression for what may come."""
    number = r"[\d.,]*\d"
    parts = [("varies", each) for each in varies] + [
        (rf"{number} *(?:ns|us|ms|s|min)", rf"{number} ?(?:ns|us|ms|s|min)\b"),
        (rf"{number} *(?:B|KiB|MiB|GiB|kB|MB|GB)", rf"{number} ?(?:KiB|MiB|GiB|kB|MB|GB)\b"),
        ("[▁-█]+", "[▁-█]+"),
        (" *", r"[ ]+"),
    ]
    if not exact:
        parts.append((number, number))
    out, at = "", 0
    line = line.strip()
    while at < len(line):
        for replaced, found in parts:
            match = re.compile(found).match(line, at)
            if match and match.end() > at and not (found[0] == "[" and at and line[at - 1].isdigit() and match[0][0].isdigit()):
                out += f"(?:{found})" if replaced == "varies" else f"(?:{replaced})"
                at = match.end()
                break
        else:
            out += re.escape(line[at])
            at += 1
    return re.compile(out + " *")


def compare_text(shown, came, varies, exact):
    came = [line.strip() for line in came.strip("\n").split("\n")]
    at, skipping = 0, False
    while shown and not shown[-1].strip():
        shown = shown[:-1]
    for offset, line in enumerate(shown):
        if line.strip() == "...":
            skipping = True
            continue
        pattern = pattern_of(line, varies, exact)
        found = next((i for i in range(at, len(came) if skipping else min(at + 1, len(came))) if pattern.fullmatch(came[i])), None)
        if found is None:
            said = came[at] if at < len(came) else "the end"
            raise Mismatch(f'shows "{line.strip()}", ' + ("which does not come" if skipping else f'but there comes "{said}"'), offset)
        at, skipping = found + 1, False
    if not skipping and at < len(came):
        raise Mismatch(f'there comes more than it shows: "{came[at]}"', len(shown))


def compare_json(shown, came, exact, path=""):
    if path.rsplit(".", 1)[-1].split("[")[0] in JSON_VARIES:
        return
    if isinstance(shown, dict) and isinstance(came, dict):
        if set(shown) != set(came):
            raise Mismatch(f"{path or 'the report'} has the keys {', '.join(shown)}, but there come {', '.join(came)}")
        for key in shown:
            compare_json(shown[key], came[key], exact, f"{path}.{key}")
    elif isinstance(shown, list) and isinstance(came, list) and len(shown) == len(came):
        for index, pair in enumerate(zip(shown, came)):
            compare_json(*pair, exact, f"{path}[{index}]")
    elif isinstance(shown, (int, float)) and isinstance(came, (int, float)) and not exact:
        return
    elif shown != came:
        raise Mismatch(f"{path} is {shown}, but there comes {came}")
