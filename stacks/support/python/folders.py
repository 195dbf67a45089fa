"""Removing what cases leave, however deep they have nested it."""
import os
import tempfile


def remove_folder(top):
    """A folder that is found in another moves up first. So no path is ever long, and nothing here calls itself."""
    os.chmod(top, 0o700)
    above = tempfile.mkdtemp(dir=os.path.dirname(top))
    waiting, number = [top], 0
    while waiting:
        folder = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in list(entries):
                if entry.is_dir(follow_symlinks=False):
                    os.chmod(entry.path, 0o700)
                    number += 1
                    waiting.append(f"{above}/{number}")
                    os.rename(entry.path, waiting[-1])
                else:
                    os.unlink(entry.path)
        os.rmdir(folder)
    os.rmdir(above)
