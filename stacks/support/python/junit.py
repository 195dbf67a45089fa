"""One case as JUnit XML."""
# XML has no way to say the others. (xml.sax, which escapes as well, takes 15 ms to load.)
_UNSPEAKABLE = {code: None for code in (*range(9), 11, 12, *range(14, 32), 0xfffe, 0xffff, *range(0xd800, 0xe000))}
_ESCAPED = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"}


def _clean(text):
    return text.translate(_UNSPEAKABLE)


def case(name, status, fault, ending, line_of, longest):
    """`fault`: (message, [(path, line, function)]); `line_of`: gives the text of a line; `longest`: of texts, in characters."""
    name, _, classname = name.rpartition("#") if "#" in name else (name, "", "")
    seconds = ending.verdict.get("seconds", ending.seconds) if ending.verdict else ending.seconds
    parts = [f'<testcase name={_attribute(name)} classname={_attribute(classname)} time="{seconds:.3f}">']
    if status == "timeout":
        parts.append(f'<error type="timeout" message={_attribute(fault[0])}/>')
    elif status != "passed":
        message = next((line for line in fault[0].splitlines() if line.strip()), status)
        parts.append(f"<{status} message={_attribute(message[:longest])}>{_text(_cut(_details(fault, line_of), longest))}</{status}>")
    for tag, text in (("system-out", ending.out), ("system-err", ending.err)):
        if text:
            text = text.decode("utf-8", "replace")
            parts.append(f"<{tag}>{_text(_cut(text, longest))}</{tag}>")
    return "".join(parts) + "</testcase>"


def _details(fault, line_of):
    message, frames = fault
    lines = []
    for path, number, function in frames:
        lines.append(f"{path}:{number}: in {function}\n" if number else f"{path} {function}\n")
        if text := line_of(path, number):
            lines.append(f"    {text}\n")
    return "".join(lines) + message


def _cut(text, longest):
    if len(text) <= longest:
        return text
    note = f"\n[{len(text) - longest}+ more]\n"
    return text[:max(0, longest - len(note))] + note


def _attribute(text):
    return '"' + _text(text).translate({10: " ", 13: " ", 9: " "}) + '"'


def _text(text):
    return _clean(text).translate(_ESCAPED)
