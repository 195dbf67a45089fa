"""What scripts/check-docs knows of each block that it cannot tell by itself: by page and beginning of the first line.

before     a shell script that puts there what the block presumes; $BUILD and $SOURCES are the folders
skip       why the block does not run in CI
output_of  the command whose output the block is
read_by    the command that reads the block, which lies in block.yaml
varies     regular expressions of what is another one each time, beside times and sizes
"""

# A line of a block without a language is a command where it begins with one of these.
COMMANDS = "tally|sio-compile|cd|mkdir|cp|curl|export|isolate|sinol-make"

# The programs of the examples are these compilers' and libraries'; with others they are others, and have other counts.
COUNTED_WITH = {"g++-12": "12.2.0-14+deb12u1", "gcc-12": "12.2.0-14+deb12u1", "libc6-dev": "2.36-9+deb12u14", "libstdc++-12-dev": "12.2.0-14+deb12u1",
                "python3.11-minimal": "3.11.2-6+deb12u6"}

# Keys of JSON whose values are of the machine or of the moment.
JSON_VARIES = {"runtime_ms", "cpu_ms", "wall_ms", "peak_memory_mb", "mem_metric", "isolation_used"}

# Lines that do not run in CI, in whichever block they are.
LINES = [
    (r"^tally worker\b|\btally worker$", "needs a broker; dispatcher_tests starts one"),
    (r"^tally submit\b", "needs a broker; dispatcher_tests starts one"),
    (r"^sinol-make\b", "no package of Debian's"),
]

NOTHING = r" +-(?= )"  # no time at all
PROGRAM = "cp $BUILD/tests/programs/hello program"
SOLUTION = "sio-compile examples/sum/solutions/right.cpp solution; cp examples/sum/in/1.in test.in"

RULES = [
    dict(page="README.md", first="scripts/demo", skip="installs what is missing and builds; its last command is among the next"),
    dict(page="README.md", first="tally judge examples/sum solution.cpp", before=f"""{SOLUTION}; {PROGRAM}
         cp test.in 1.in; cp examples/sum/out/1.out .; cp examples/sum/solutions/right.cpp solution.cpp; cp solution.cpp sum.cpp
         cp examples/profile/merge_sort.cpp sort.cpp; cp -r examples/sum problem; cp examples/evaluation/python/*.py .
         tally verify-counts --record counts.jsonl -- ./program; echo 'keep: metrics.jsonl' >m.yaml"""),
    dict(page="README.md", first="find_package", skip="scripts/check-install builds examples/library, which has these lines"),
    dict(page="README.md", first="tally::RunRequest", skip="scripts/check-install builds examples/library, which has these lines"),
    *(dict(page="docs/architecture.md", first=first, skip="a drawing of the house; scripts/check-includes holds its arrows")
      for first in ("base/         owners", "base        -> system", "PlanRun  ->", "tally -----", "packages/        a folder",
                    "dispatcher -- tests'", "tally-isolate --run: Tally")),
    *(dict(page=page, first=first, skip="a drawing")
      for page, first in (("docs/dispatcher.md", "client --EvalRequest"), ("docs/dispatcher.md", "delivery -->"),
                          ("docs/translator.md", "the program's code"), ("docs/translator.md", "supervisor   "),
                          ("docs/virtual-cpu.md", "task 1  ===="))),
    *(dict(page=page, first="mkdir -p", before="share=$SOURCES") for page in ("docs/compilers.md", "docs/sandboxes.md")),
    dict(page="docs/compilers.md", first="title: Nim", read_by="cp block.yaml ~/.config/tally/compilers/nim.yaml && tally check-host | grep ' nim '"),
    dict(page="docs/compilers.md", first="tally: /home/anna", before="""mkdir -p ~/.config/tally/compilers
         sed 's/{source}/{sorce}/' $SOURCES/compilers/c17.yaml >~/.config/tally/compilers/c17.yaml""",
         output_of="sio-compile examples/profile/pairs.c pairs 2>&1 >/dev/null", varies=[r"/\S*/(?=c17)"]),
    dict(page="docs/dispatcher.md", first="tally submit request.json", skip="needs a broker; dispatcher_tests starts one"),
    dict(page="docs/dispatcher.md", first="apt-get", skip="installs a broker"),
    dict(page="docs/dispatcher.md", first="cpack", skip="installs packages; scripts/check-packages does"),
    dict(page="docs/dispatcher.md", first="rabbitmqctl", skip="needs a broker"),
    dict(page="docs/isolate.md", first="export PATH", before=SOLUTION),
    dict(page="docs/jobs.md", first="tally exec [ENVIRON", skip="a usage"),
    dict(page="docs/library.md", first="find_package", skip="scripts/check-install builds examples/library, which has these lines"),
    dict(page="docs/library.md", first="#include", skip="scripts/check-install builds examples/library, which has these lines"),
    dict(page="docs/metrics.md", first="tally metrics-sink &", before="""cp -r examples/sum problem; cp examples/sum/solutions/*.cpp .
         printf 'endpoint: http://127.0.0.1:9465/v1/deliveries\nsend_every: 1s\n' >metrics.yaml"""),
    dict(page="docs/metrics.md", first="endpoint:",
         read_by="cp block.yaml metrics.yaml && tally judge --metrics metrics.yaml examples/sum right.cpp"),
    dict(page="docs/packages.md", first="# test 01", varies=[r"\d\.\d{6}"], output_of="head -n 6 said/*/*/right.cpp/01.txt", before="""
         cd examples/packages/polygon; tally judge guess guess/solutions/right.cpp --transcript ../../../said; cd ../../.."""),
    dict(page="docs/runguard.md", first="ln -sf", skip="needs a judgehost of DOMjudge's"),
    dict(page="docs/sandboxes.md", first="debootstrap", skip="downloads a distribution"),
    dict(page="docs/sandboxes.md", first="tally: /home/anna", before="""mkdir -p ~/.config/tally/sandboxes
         sed 's/tmpfs:/tmfs:/' $SOURCES/sandboxes/exec-sandbox.yaml >~/.config/tally/sandboxes/exec-sandbox.yaml""",
         output_of="tally run -- /bin/true", varies=[r"/\S*/(?=exec)"]),
    dict(page="docs/sandboxes.md", first="title: Debian 12", before=f"""{PROGRAM}; folder=~/.config/tally/sandboxes; mkdir $folder/images
         tar -czf $folder/images/bookworm.tar.zst examples/sum; sum=$(sha256sum <$folder/images/bookworm.tar.zst)""",
         read_by="sed s/3f0a.../${sum%% *}/ block.yaml >$folder/debian.yaml; tally run --sandbox debian -- ./program"),
    dict(page="docs/sandboxes.md", first="mounts:", before="folder=~/.config/tally/sandboxes",
         read_by="""sed 's,/opt/pypy3,/opt,' block.yaml >$folder/part; shipped=$SOURCES/sandboxes/interpreter-sandbox.yaml
         sed -e "/^mounts:/{r $folder/part" -e 'd}' $shipped >$folder/more.yaml; tally run --sandbox more -- /bin/true"""),
    dict(page="docs/timeline.md", first="$ tally trace", before=SOLUTION, varies=[r"\d\.\d{6} s", r"\d+\.\d %", r"[#.]{40}", NOTHING]),
    dict(page="docs/timeline.md", first="0.000000 s", output_of="tally trace --events -- ./solution 2>&1 >answer < test.in | grep 's  thread'",
         varies=[r"\d\.\d{6} s"]),
    dict(page="docs/timeline.md", first="tally trace -- ./solution", before=f"{SOLUTION}; cp $BUILD/tests/programs/threads_ok threads"),
    dict(page="docs/virtual-cpu.md", first="$ tally run -p 6", before="cp $BUILD/tests/programs/races ."),
]
