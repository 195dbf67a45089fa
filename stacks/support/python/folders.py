"""Removing what cases leave, however deep they have nested it."""
import os


def remove_folder(top):
    """A folder that is found in another moves up first, beside this one. So no path is ever long, nothing here calls itself, and nothing is
    made, for which there may be no space."""
    os.chmod(top, 0o700)
    above = f"{os.path.dirname(top)}/.{os.urandom(8).hex()}"
    waiting, number = [top], 0
    while waiting:
        folder = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in list(entries):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)
                    number += 1
                    waiting.append(f"{above}-{number}")
                    os.rename(entry.path, waiting[-1])
                else:
                    os.unlink(entry.path)
        os.rmdir(folder)
