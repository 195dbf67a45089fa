def longest(text):
    """The longest word of a text; the first of several. None without words."""
    best = None
    for word in text.split():
        if best is None or len(word) > len(best):
            best = word
    return best
