#!/usr/bin/env python3
"""A client of go-judge's interface: one case a run, named by argv[1]. Prints "ok", or what is wrong.

argv[2] is the server, HOST:PORT or a socket's path, argv[3] the server's process id.
"""
import http.client, json, os, signal, socket, sys, threading, time

case, address, server = sys.argv[1], sys.argv[2], int(sys.argv[3])


class Unix(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(address)


def connection():
    return Unix('localhost') if address.startswith('/') else http.client.HTTPConnection(address, timeout=30)


def call(method, path, body=None, headers=None):
    c = connection()
    if isinstance(body, (dict, list)):
        body = json.dumps(body)
    c.request(method, path, body, headers or {})
    r = c.getresponse()
    data = r.read()
    c.close()
    try:
        return r.status, json.loads(data)
    except ValueError:
        return r.status, data


OUT = [{'content': ''}, {'name': 'stdout', 'max': 10240}, {'name': 'stderr', 'max': 10240}]


def cmd(*args, **more):
    return {'args': list(args), 'env': ['PATH=/usr/bin:/bin'], 'files': OUT, 'cpuLimit': 10 ** 10, 'memoryLimit': 128 << 20, 'procLimit': 1, **more}


def run(*cmds, **more):
    status, body = call('POST', '/run', {'cmd': list(cmds), **more})
    assert status == 200, (status, body)
    return body if len(cmds) > 1 else body[0]


def sh(script, **more):
    return run(cmd('/bin/sh', '-c', script, **{'procLimit': 10, **more}))


def equal(a, b):
    assert a == b, f'{a!r} is not {b!r}'


def wrong(body, *words):
    status, answer = call('POST', '/run', body)
    equal(status, 400)
    for word in words:
        assert word in answer['error'], answer


def alive(text):
    """Processes whose command line has `text`."""
    found = 0
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            found += text.encode() in open(f'/proc/{pid}/cmdline', 'rb').read() and int(pid) != os.getpid()
        except OSError:
            pass
    return found


def statuses():
    equal(sh('echo out; echo error >&2')['files'], {'stdout': 'out\n', 'stderr': 'error\n'})
    for script, status, code in (('exit 7', 'Nonzero Exit Status', 7), ('kill -SEGV $$', 'Signalled', 11), ('true', 'Accepted', 0)):
        answer = sh(script)
        equal((answer['status'], answer['exitStatus']), (status, code))
    answer = sh('while :; do :; done', cpuLimit=10 ** 8)
    equal(answer['status'], 'Time Limit Exceeded')
    assert 10 ** 8 <= answer['time'] < 3 * 10 ** 8, answer
    equal(sh('sleep 10', clockLimit=2 * 10 ** 8)['status'], 'Time Limit Exceeded')
    answer = run(cmd('/usr/bin/yes', files=[None, {'name': 'stdout', 'max': 1000}]))
    equal(answer['status'], 'Output Limit Exceeded')
    equal(len(answer['files']['stdout']), 1000)
    equal(run(cmd('/usr/bin/python3', '-c', 'x = "a" * (512 << 20)', memoryLimit=64 << 20))['status'], 'Memory Limit Exceeded')
    answer = run(cmd('/usr/bin/nothing'))
    equal(answer['status'], 'Internal Error')
    assert 'nothing' in answer['error']
    for key in ('time', 'runTime', 'memory', 'exitStatus', 'status'):
        assert key in answer


def files():
    answer = run(cmd('/bin/cat', 'a', 'b/c', copyIn={'a': {'content': 'one '}, '/w/b/c': {'content': 'two'}}))
    equal(answer['files']['stdout'], 'one two')
    equal(run(cmd('/bin/cat', files=[{'content': 'in'}, OUT[1]]))['files']['stdout'], 'in')
    answer = sh('echo kept > made; ln -s made link', copyOut=['stdout', 'made', 'link', 'none?'], copyOutCached=['made'])
    equal(answer['files'], {'stdout': '', 'stderr': '', 'made': 'kept\n', 'link': 'kept\n'})
    ident = answer['fileIds']['made']
    equal(run(cmd('/bin/cat', 'x', copyIn={'x': {'fileId': ident}}))['files']['stdout'], 'kept\n')
    equal(run(cmd('/bin/cat', files=[{'fileId': ident}, OUT[1]]))['files']['stdout'], 'kept\n')
    equal(sh('ls -a /w')['files']['stdout'].split(), ['.', '..'])
    answer = sh('true', copyOut=['none'])
    equal((answer['status'], answer['fileError'][0]['name']), ('File Error', 'none'))
    answer = sh('head -c 100 /dev/zero > big', copyOut=['big'], copyOutMax=10)
    equal((answer['status'], answer['fileError'][0]['type']), ('File Error', 'CopyOutSizeExceeded'))
    equal(len(sh('head -c 100 /dev/zero > big', copyOut=['big'], copyOutMax=10, copyOutTruncate=True)['files']['big']), 10)
    equal(sh('test -x link', copyIn={'link': {'symlink': '/usr/bin/env'}})['status'], 'Accepted')


def escapes():
    for name in ('/etc/passwd', '../../etc/passwd', '..', '/w/../etc/passwd'):
        answer = sh('true', copyOut=[name])
        equal(answer['status'], 'File Error')
        assert 'root' not in str(answer.get('files', {}))
        equal(sh('true', copyIn={name: {'content': 'x'}})['status'], 'File Error')
    answer = sh('ln -s /etc/passwd p; ln -s / d; mkfifo f 2>/dev/null; true', copyOut=['p', 'd/etc/passwd', 'f?'])
    equal(answer['status'], 'File Error')
    assert 'p' not in answer['files'] and 'd/etc/passwd' not in answer['files']
    # Through a link that the same command asks for.
    for name in ('/tmp', '..'):
        answer = sh('true', copyIn={'l': {'symlink': name}, 'l/tally-was-here': {'content': 'x'}, 'l/m': {'symlink': '/'}})
        equal(answer['status'], 'File Error')
    assert not os.path.lexists('/tmp/tally-was-here') and not os.path.lexists('/tmp/m')
    answer = sh('true', copyIn={'x': {'src': '/etc/passwd'}})
    assert 'src-prefix' in answer['error'], answer
    for ident in ('../x', 'x' * 32, '0' * 32):
        assert 'fileId' in sh('true', copyIn={'x': {'fileId': ident}})['error']
    # A folder that its program has closed is emptied as well; with one process, too, where there is no /proc to be looked at.
    for script in ('touch left; ln -s / l; mkdir d; chmod 0 d; chmod 0 .', 'touch left; chmod 0111 .'):
        sh(script)
        equal(sh('ls -a /w')['files']['stdout'].split(), ['.', '..'])
    sh('i=0; while [ $i -lt 200 ]; do mkdir d; cd d; i=$((i+1)); done; chmod 0 /w', procLimit=2)
    equal(sh('ls -a /w')['files']['stdout'].split(), ['.', '..'])


def store():
    boundary = 'xyz'
    form = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a b"\r\n\r\nwhat\r\nit has\r\n--{boundary}--\r\n'
    status, ident = call('POST', '/file', form, {'Content-Type': f'multipart/form-data; boundary={boundary}'})
    equal(status, 200)
    equal(call('GET', '/file')[1][ident], 'a b')
    equal(call('GET', f'/file/{ident}'), (200, b'what\r\nit has'))
    equal(call('DELETE', f'/file/{ident}')[0], 200)
    for method in ('GET', 'DELETE'):
        equal(call(method, f'/file/{ident}')[0], 404)
    equal(call('GET', '/file/../../etc/passwd')[0], 404)
    equal(call('PUT', '/file', 'x')[0], 405)


def programs():
    """The same program for one command after the other: each finds it as it was stored, and alone in /w."""
    def stored(text):
        return json.loads(json.dumps(call('POST', '/file', '#!/bin/sh\n' + text)[1]))
    acts = 'case $1 in write) echo broken > p;; move) mv p q; echo broken > p;; back) mv p q; mv q p;; remove) rm -f p;; link) ln p q;; mode) chmod 4777 p;; esac 2>/dev/null; '
    first, second = stored(acts + 'echo one; ls'), stored('echo two; ls')

    def shown(ident):
        return run(cmd('p', 'show', copyIn={'p': {'fileId': ident}}, procLimit=10))['files']['stdout']
    for act in ('show', 'write', 'move', 'back', 'remove', 'link', 'mode', 'show'):
        run(cmd('p', act, copyIn={'p': {'fileId': first}}, procLimit=10))
        equal(shown(first), 'one\np\n')
    equal(shown(second), 'two\np\n')
    equal(run(cmd('/bin/ls', '/w'))['files']['stdout'], '')
    equal(shown(second), 'two\np\n')
    seen = stored('stat -c "%X %Y" /w; ls /w; touch /w/more; touch -d @1000000 /w; rm -f "/w/$1"')
    for left in ('more', 'none', 'more', 'none', 'more', 'more', 'more'):
        times, listed = run(cmd('p', left, copyIn={'p': {'fileId': seen}}, procLimit=10))['files']['stdout'].split('\n', 1)
        equal(listed, 'p\n')
        assert '1000000' not in times.split(), times
    equal(shown(second), 'two\np\n')
    equal(run(cmd('p', copyIn={'p': {'fileId': second}, 'p/q': {'content': ''}}))['status'], 'File Error')
    call('DELETE', f'/file/{second}')
    equal(run(cmd('p', copyIn={'p': {'fileId': second}}, procLimit=10))['status'], 'File Error')


def large():
    """An answer of many megabytes comes whole, and others are answered meanwhile."""
    ended, asked = threading.Event(), []

    def others():
        while not ended.is_set():
            asked.append(call('GET', '/version')[0])
    thread = threading.Thread(target=others)
    thread.start()
    size = 20_000_000
    answers = run(*[cmd('/bin/sh', '-c', f"head -c {size} /dev/zero | tr '\\0' {letter}", files=[None, {'name': 'stdout', 'max': size}, None], procLimit=10) for letter in 'xy'])
    ended.set()
    thread.join()
    for answer, letter in zip(answers, 'xy'):
        equal(answer['status'], 'Accepted')
        assert answer['files']['stdout'] == letter * size
    assert asked and set(asked) == {200}


def hydro():
    """As Hydro asks: its version check, a compilation that is kept, runs of what it made, an interactive pair."""
    version, config = call('GET', '/version')[1], call('GET', '/config')[1]
    assert version['copyOutOptional'] and [int(part) for part in version['buildVersion'].split('v')[1].split('-')[0].split('.')] >= [1, 8, 6]
    assert config['fixSymlinkEscape']

    def asked(args, **more):
        size = more.pop('size', 4 << 20)
        return {'args': args, 'env': ['PATH=/usr/bin:/bin', 'HOME=/w'], 'files': [more.pop('stdin', {'content': ''}), {'name': 'stdout', 'max': size}, {'name': 'stderr', 'max': size}],
                'cpuLimit': 10 ** 10, 'clockLimit': 3 * 10 ** 10, 'memoryLimit': 512 << 20, 'strictMemoryLimit': False, 'addressSpaceLimit': True, 'stackLimit': 0, 'procLimit': 32,
                'copyOutMax': 128 << 20, 'copyIn': {}, 'copyOut': [], 'copyOutCached': [], **more}
    source = '#include <cstdio>\nint main() { int a, b; while (std::scanf("%d%d", &a, &b) == 2) { std::printf("%d\\n", a + b); std::fflush(stdout); } }'
    made = run(asked(['/usr/bin/g++', '-x', 'c++', 'foo.cc', '-o', 'foo', '-lm', '-std=c++14'], copyIn={'foo.cc': {'content': source}}, copyOutCached=['foo']))
    equal((made['status'], made['exitStatus']), ('Accepted', 0))
    program = {'foo': {'fileId': made['fileIds']['foo']}}
    for a in range(3):
        answer = run(asked(['/w/foo'], copyIn=program, stdin={'content': f'{a} 2\n'}, copyOut=['foo.out?'], copyOutCached=['stdout', 'stderr']))
        equal(answer['status'], 'Accepted')
        assert 0 < answer['memory'] < 512 << 20 and answer['time'] < 10 ** 10
        equal(call('GET', f"/file/{answer['fileIds']['stdout']}")[1], a + 2)
        equal([call('DELETE', f'/file/{ident}')[0] for ident in answer['fileIds'].values()], [200, 200])
    judge = asked(['/bin/sh', '-c', 'echo 3 4; read answer; echo "$answer" >&2'])
    pair = [asked(['/w/foo'], copyIn=program), judge]
    for one in pair:
        one['files'][0] = one['files'][1] = None
    pipes = [{'proxy': True, 'max': 64 << 20, 'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}, {'proxy': True, 'max': 64 << 20, 'in': {'index': 1, 'fd': 1}, 'out': {'index': 0, 'fd': 0}}]
    answers = run(*pair, pipeMapping=pipes)
    equal([one['status'] for one in answers], ['Accepted', 'Accepted'])
    equal(answers[1]['files']['stderr'], '7\n')


def room():
    """/w has a mebibyte."""
    answer = run(cmd('/bin/true', copyIn={'x': {'content': 'x' * (2 << 20)}}))
    equal(answer['status'], 'File Error')
    assert '--work-size' in answer['error'], answer
    answer = sh('head -c 2000000 /dev/zero > x; wc -c < x')
    assert 'No space left' in answer['files']['stderr'] and int(answer['files']['stdout']) <= 1 << 20, answer
    equal(sh('head -c 1000000 /dev/zero > x; wc -c < x')['files']['stdout'], '1000000\n')


def streams():
    """A program changes nothing of what it reads, and of one name is one file."""
    equal(run(cmd('/bin/sh', '-c', 'echo out; echo error >&2', files=[None, {'name': 'x', 'max': 100}, {'name': 'x', 'max': 100}], procLimit=5))['files'], {'x': 'out\nerror\n'})
    ident = sh('echo kept > made', copyOutCached=['made'])['fileIds']['made']
    for processes in (1, 5):
        run(cmd('/usr/bin/python3', '-c', 'import os\ntry: os.fchmod(0, 0)\nexcept OSError: pass\ntry: os.utime(0, (1, 1))\nexcept OSError: pass', files=[{'fileId': ident}, None, None], procLimit=processes))
        equal(run(cmd('/usr/bin/stat', '-Lc', '%a %Y', '/dev/fd/0', files=[{'fileId': ident}, OUT[1], None], procLimit=5))['files']['stdout'].split()[1] == '1', False)
        equal(call('GET', f'/file/{ident}'), (200, b'kept\n'))


def pipes():
    two = run(cmd('/bin/echo', 'through'), cmd('/bin/cat', files=[None, OUT[1], OUT[2]]), pipeMapping=[{'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}])
    equal([one['status'] for one in two], ['Accepted', 'Accepted'])
    equal(two[1]['files']['stdout'], 'through\n')
    # Both ways, and each sees the other's end.
    talk = run(cmd('/bin/sh', '-c', 'echo 20; read x; echo "got $x" >&2', files=[None, None, OUT[2]]), cmd('/bin/sh', '-c', 'read x; echo $((x + 1))', files=[None, None, OUT[2]]),
               pipeMapping=[{'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}, {'in': {'index': 1, 'fd': 1}, 'out': {'index': 0, 'fd': 0}}])
    equal(talk[0]['files']['stderr'], 'got 21\n')
    equal([one['status'] for one in talk], ['Accepted', 'Accepted'])
    # What goes through is not what a collector of stderr bounds.
    long = run(cmd('/usr/bin/head', '-c', '100000', '/dev/zero', files=[None, None, {'name': 'e', 'max': 900}]), cmd('/usr/bin/wc', '-c', files=[None, OUT[1], None]),
               pipeMapping=[{'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}])
    equal([one['status'] for one in long], ['Accepted', 'Accepted'])
    equal(long[1]['files']['stdout'], '100000\n')
    both = run(cmd('/bin/sh', '-c', 'head -c 1000 /dev/zero >&2', files=[None, None, {'name': 'e', 'max': 900}], procLimit=5), cmd('/bin/cat', files=[None, OUT[1], None]),
               pipeMapping=[{'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}])
    equal((both[0]['status'], len(both[0]['files']['e'])), ('Output Limit Exceeded', 900))


def mistakes():
    wrong([], 'JSON object')
    wrong({}, 'cmd')
    wrong({'cmd': []}, 'cmd')
    wrong({'cmd': [{}]}, 'cmd[0].args')
    wrong({'cmd': [cmd()]}, 'cmd[0].args')
    wrong({'cmd': [cmd('a', cpuLimit=-1)]}, 'cmd[0].cpuLimit')
    wrong({'cmd': [cmd('a', memoryLimit='x')]}, 'cmd[0].memoryLimit')
    wrong({'cmd': [cmd('a', files=[{'name': 'x'}])]}, 'cmd[0].files[0].max')
    wrong({'cmd': [cmd('a', files=[1])]}, 'cmd[0].files[0]')
    wrong({'cmd': [cmd('a', copyIn={'x': {}})]}, 'copyIn')
    wrong({'cmd': [cmd('a')] * 9}, 'workers')
    wrong({'cmd': [cmd('a')], 'pipeMapping': [{'in': {'index': 5, 'fd': 0}, 'out': {'index': 0, 'fd': 0}}]}, 'pipeMapping[0].in.index')
    pipe = {'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}
    wrong({'cmd': [cmd('a')] * 2, 'pipeMapping': [pipe] * 100000}, 'pipeMapping[1]', 'two pipes')
    # Deeper than a stack.
    deep = '[' * 200000 + ']' * 200000
    for path, body in (('/run', '{"cmd":[{"args":["/bin/true"],"zz":%s}]}' % deep), ('/job', '{"job_type":"ping","zz":%s}' % deep), ('/run', deep)):
        equal(call('POST', path, body)[0], 400)
    equal(call('POST', '/run', 'nonsense')[0], 400)
    equal(call('GET', '/run')[0], 404)
    equal(call('GET', '/nothing')[0], 404)
    c = connection()
    c.putrequest('POST', '/run')
    c.putheader('Content-Length', str(1 << 30))
    c.endheaders()
    equal(c.getresponse().status, 413)
    equal(call('GET', '/version')[0], 200)


def gone():
    c = connection()
    mark = f'{os.getpid()}.5'
    c.request('POST', '/run', json.dumps({'cmd': [cmd('/bin/sleep', '300' + mark, clockLimit=10 ** 12)]}))
    deadline = time.monotonic() + 10
    while alive('300' + mark) == 0 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert alive('300' + mark) > 0
    c.close()
    while alive('300' + mark) > 0 and time.monotonic() < deadline:
        time.sleep(0.02)
    equal(alive('300' + mark), 0)
    equal(sh('echo again')['files']['stdout'], 'again\n')


def many():
    answers = []

    def client():
        for _ in range(25):
            answers.append(run(cmd('/bin/echo', 'x'))['status'])

    threads = [threading.Thread(target=client) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    equal(answers, ['Accepted'] * 100)
    text = call('GET', '/metrics')[1].decode()
    assert 'tally_serve_runs_total{status="Accepted"} 100' in text, text


def full():
    """Two workers, two places in the queue."""
    slow = {'cmd': [cmd('/bin/sleep', '1', clockLimit=10 ** 11)]}
    found = []
    threads = [threading.Thread(target=lambda: found.append(call('POST', '/run', slow)[0])) for _ in range(8)]
    for one in threads:
        one.start()
        time.sleep(0.03)
    for one in threads:
        one.join()
    equal(sorted(set(found)), [200, 429])
    assert found.count(200) >= 4, found


def token():
    equal(call('GET', '/version')[0], 401)
    equal(call('GET', '/version', headers={'Authorization': 'Bearer wrong!'})[0], 401)
    equal(call('GET', '/version', headers={'Authorization': 'Bearer secret'})[0], 200)
    c = connection()
    c.putrequest('POST', '/file')
    c.putheader('Content-Length', '100000000')
    c.endheaders()
    equal(c.getresponse().status, 401)  # before there is a body


def crowd():
    """As many as like may say nothing."""
    idle = []
    for _ in range(600):
        one = socket.create_connection(address.rsplit(':', 1))
        one.sendall(b'POST /run HTTP/1.1\r\nHost: x\r\nX')
        idle.append(one)
    equal(call('GET', '/version')[0], 200)
    for one in idle:
        one.close()


def kept():
    """The store's folder has the files that are listed, and no others."""
    folders = [entry.path for entry in os.scandir(os.environ.get('TMPDIR', '/tmp')) if entry.name.startswith('tally-job-') and entry.stat().st_uid == os.geteuid()]
    def count():
        return sum(len([name for name in os.listdir(folder) if len(name) == 32]) for folder in folders if os.path.isdir(folder) and os.access(folder, os.R_OK))
    before = count()
    answer = sh('echo x > f', copyOutCached=['f', 'f', 'f'])
    equal(count(), before + 1)
    call('DELETE', '/file/' + answer['fileIds']['f'])
    equal(count(), before)
    c = connection()
    c.request('POST', '/run', json.dumps({'cmd': [cmd('/bin/sh', '-c', 'echo x > f', procLimit=5, copyOutCached=['f']), cmd('/bin/sleep', '100', clockLimit=10 ** 12)]}))
    deadline = time.monotonic() + 10
    while count() == before and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.1)  # its answer is in hand
    c.close()
    while count() > before and time.monotonic() < deadline:
        time.sleep(0.02)
    equal(count(), before)


def twice():
    c = connection()
    c.request('POST', '/run', json.dumps({'cmd': [cmd('/bin/sleep', '100', clockLimit=10 ** 12)]}))
    time.sleep(0.3)
    os.kill(server, signal.SIGTERM)
    time.sleep(0.3)
    os.kill(server, signal.SIGTERM)
    equal(c.getresponse().status, 503)


def jobs():
    status, answer = call('POST', '/job', {'job_type': 'ping', 'ping': 'e1', 'mine': 7})
    equal((status, answer['pong'], answer['mine']), (200, 'e1', 7))
    equal(call('POST', '/job', {'job_type': 'exec', 'exe_file': '/nowhere'})[1]['result_code'], 'SE')
    assert 'unsafe-exec' in call('POST', '/job', {'job_type': 'unsafe-exec'})[1]['result_string']
    assert 'path of the machine' in call('POST', '/job', {'job_type': 'exec', 'use_filetracker': False, 'exe_file': '/bin/true'})[1]['result_string']
    equal(call('POST', '/job', [])[0], 400)


def drain():
    found = []
    thread = threading.Thread(target=lambda: found.append(run(cmd('/bin/sh', '-c', 'sleep 0.5; echo done', procLimit=5))))
    thread.start()
    time.sleep(0.2)
    os.kill(server, signal.SIGTERM)
    thread.join()
    equal(found[0]['files']['stdout'], 'done\n')


def drain_long():
    """Asked to end while a long answer is on its way to one who reads slowly: it comes whole."""
    c = connection()
    c.request('POST', '/run', json.dumps({'cmd': [cmd('/bin/sh', '-c', 'sleep 0.3; head -c 30000000 /dev/zero | tr "\\0" a', procLimit=9, files=[None, {'name': 'stdout', 'max': 40 << 20}, None])]}))
    time.sleep(0.1)
    os.kill(server, signal.SIGTERM)
    r = c.getresponse()
    time.sleep(0.5)
    equal(len(json.loads(r.read())[0]['files']['stdout']), 30000000)


def told_all():
    """SIGTERM to the server and all that it has started, as systemd says it."""
    found = []
    thread = threading.Thread(target=lambda: found.append(run(cmd('/bin/sh', '-c', 'sleep 0.5; echo done', procLimit=5))))
    thread.start()
    time.sleep(0.2)
    workers = open(f'/proc/{server}/task/{server}/children').read().split()
    assert workers
    for process in [server] + [int(worker) for worker in workers]:
        os.kill(process, signal.SIGTERM)
    thread.join()
    equal(found[0]['files']['stdout'], 'done\n')


def unix():
    equal(sh('echo by a socket')['files']['stdout'], 'by a socket\n')


try:
    globals()[case]()
    print('ok')
except Exception as error:
    import traceback
    traceback.print_exc(file=sys.stdout)
