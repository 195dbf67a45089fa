"""Which lines of the solution were executed, when TALLY_COVERAGE names the folder for coverage.py's data."""
import os

FOLDER = os.environ.pop("TALLY_COVERAGE", "")


def prepare():
    if FOLDER:
        import coverage
        assert coverage


def measured(work, root, tests):
    """`work`, and what was executed meanwhile is written down, a file for each child."""
    def measuring(*args):
        import coverage
        cover = coverage.Coverage(data_file=os.path.join(FOLDER, ".coverage"), data_suffix=True, branch=True,
                                  source=[root], omit=tests, config_file=False)
        cover.start()
        try:
            return work(*args)
        finally:
            cover.stop()
            cover.save()

    return measuring if FOLDER else work
