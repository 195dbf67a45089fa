#!/usr/bin/env python3
"""A client of go-judge's /ws and /stream, by Debian's websockets: one case a run, named by argv[1]. Prints "ok", or what is wrong.

argv[2] is the server, HOST:PORT or a socket's path, argv[3] the server's process id.
"""
import asyncio, json, os, signal, socket, struct, sys, time

import websockets

case, address, server = sys.argv[1], sys.argv[2], int(sys.argv[3])
STREAM_IN, STREAM_OUT, NULL = {'streamIn': True}, {'streamOut': True}, {'content': ''}
OUT = [NULL, {'name': 'stdout', 'max': 10240}, {'name': 'stderr', 'max': 10240}]


def cmd(*args, **more):
    return {'args': list(args), 'env': ['PATH=/usr/bin:/bin'], 'files': OUT, 'cpuLimit': 10 ** 10, 'memoryLimit': 128 << 20, 'procLimit': 10, **more}


def sh(script, **more):
    return cmd('/bin/sh', '-c', script, **more)


def equal(a, b):
    assert a == b, f'{a!r} is not {b!r}'


def opened(path, **more):
    more = {'ping_interval': None, 'max_size': None, **more}
    if address.startswith('/'):
        return websockets.unix_connect(address, f'ws://localhost{path}', **more)
    return websockets.connect(f'ws://{address}{path}', **more)


async def said(ws):
    return json.loads(await asyncio.wait_for(ws.recv(), 30))


async def asked(ws, request):
    await ws.send(json.dumps(request))
    return await said(ws)


def alive(text):
    """Processes whose command line has `text`."""
    found = 0
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            found += text.encode() in open(f'/proc/{pid}/cmdline', 'rb').read() and int(pid) != os.getpid()
        except OSError:
            pass
    return found


async def until(condition):
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
    assert condition()


# ---- /ws

async def runs():
    async with opened('/ws') as ws:
        answer = await asked(ws, {'requestId': 'a', 'cmd': [cmd('/bin/echo', 'hi')]})
        equal((answer['requestId'], answer['results'][0]['files']['stdout']), ('a', 'hi\n'))
        # Two at one time: who ends first is answered first, and an id is free again afterwards.
        await ws.send(json.dumps({'requestId': 'slow', 'cmd': [sh('sleep 1; echo slow')]}))
        await ws.send(json.dumps({'requestId': 'a', 'cmd': [cmd('/bin/echo', 'quick')]}))
        equal([(await said(ws))['requestId'] for _ in range(2)], ['a', 'slow'])
        answer = await asked(ws, {'requestId': 'pipe', 'cmd': [cmd('/bin/echo', 'through', files=[NULL, None]), cmd('/bin/cat', files=[None, OUT[1]])],
                                  'pipeMapping': [{'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}]})
        equal([one['status'] for one in answer['results']], ['Accepted', 'Accepted'])
        equal(answer['results'][1]['files']['stdout'], 'through\n')
        for i in range(200):
            await ws.send(json.dumps({'requestId': f'many {i}', 'cmd': [cmd('/bin/echo', str(i), procLimit=1)]}))
        answers = [await said(ws) for _ in range(200)]
        equal({one['requestId']: one['results'][0]['files']['stdout'] for one in answers}, {f'many {i}': f'{i}\n' for i in range(200)})


async def cancels():
    mark = f'300{os.getpid()}.7'
    async with opened('/ws') as ws:
        for name in ('a', 'b', 'waits'):
            await ws.send(json.dumps({'requestId': name, 'cmd': [cmd('/bin/sleep', mark, clockLimit=10 ** 12)]}))
        await until(lambda: alive(mark) >= 2)
        equal(await asked(ws, {'cancelRequestId': 'waits'}), {'requestId': 'waits', 'error': 'cancelled before it ran'})
        answer = await asked(ws, {'cancelRequestId': 'a'})
        equal((answer['requestId'], answer['results'][0]['status'], answer['results'][0]['exitStatus']), ('a', 'Signalled', 9))
        await ws.send(json.dumps({'cancelRequestId': 'nobody'}))  # says nothing
        await ws.send(json.dumps({'cancelRequestId': 'b'}))
        equal((await said(ws))['requestId'], 'b')
        await until(lambda: alive(mark) == 0)
        equal((await asked(ws, {'requestId': 'a', 'cmd': [cmd('/bin/echo', 'again')]}))['results'][0]['status'], 'Accepted')


async def mistakes():
    async with opened('/ws') as ws:
        for request, word in ((' {', 'not JSON'), ('[]', 'requestId'), ('{"cmd": []}', 'requestId'), ('{"requestId": 7}', 'requestId'), ('{"requestId": "x"}', 'cmd'),
                              ('{"requestId": "x", "cmd": [{"args": ["/bin/true"], "files": [{"streamIn": true}]}]}', '/stream'),
                              ('{"requestId": "x", "cmd": [{"args": ["/bin/true"], "tty": true}]}', 'tty'), ('[' * 100000, 'nested')):
            await ws.send(request)
            answer = await said(ws)
            assert word in answer['error'], answer
        await ws.send(json.dumps({'requestId': 'twice', 'cmd': [sh('sleep 1')]}))
        assert 'twice' in (await asked(ws, {'requestId': 'twice', 'cmd': [sh('true')]}))['error']
        equal((await said(ws))['results'][0]['status'], 'Accepted')
    for path, headers, status in (('/ws', {'Origin': 'http://elsewhere.example'}, 403), ('/nothing', {}, 404)):
        try:
            async with opened(path, extra_headers=headers):
                assert False, f'{path} {headers} was served'
        except websockets.InvalidStatusCode as refused:
            equal(refused.status_code, status)
    async with opened('/ws', origin=f'http://{address}') as ws:
        equal((await asked(ws, {'requestId': 'own page', 'cmd': [cmd('/bin/true')]}))['results'][0]['status'], 'Accepted')


async def token():
    try:
        async with opened('/ws'):
            assert False, 'served without a token'
    except websockets.InvalidStatusCode as refused:
        equal(refused.status_code, 401)
    async with opened('/ws', extra_headers={'Authorization': 'Bearer secret'}) as ws:
        equal((await asked(ws, {'requestId': 'a', 'cmd': [cmd('/bin/true')]}))['results'][0]['status'], 'Accepted')


async def too_long():
    async with opened('/ws') as ws:
        try:
            await ws.send(json.dumps({'requestId': 'a', 'cmd': [cmd('/bin/true', copyIn={'a': {'content': 'x' * (2 << 20)}})]}))
            await said(ws)
            assert False, 'taken'
        except websockets.ConnectionClosed as closed:
            equal(closed.rcvd.code if closed.rcvd else 1009, 1009)
    async with opened('/ws') as ws:
        equal((await asked(ws, {'requestId': 'b', 'cmd': [cmd('/bin/true')]}))['results'][0]['status'], 'Accepted')


async def gone():
    mark = f'300{os.getpid()}.8'
    for path, first in (('/ws', lambda request: json.dumps({'requestId': 'a', **request})), ('/stream', lambda request: b'\1' + json.dumps(request).encode())):
        for politely in (True, False):
            ws = await opened(path)
            await ws.send(first({'cmd': [cmd('/bin/sleep', mark, clockLimit=10 ** 12)]}))
            await until(lambda: alive(mark) == 1)
            if politely:
                await ws.close()
            else:
                ws.transport.abort()
            await until(lambda: alive(mark) == 0)


def raw(path, key='dGhlIHNhbXBsZSBub25jZQ=='):
    s = socket.create_connection(address.rsplit(':', 1))
    s.settimeout(30)
    s.sendall(f'GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n'.encode())
    return s


def resident():
    """Of the server, in KiB."""
    return int(next(line for line in open(f'/proc/{server}/status') if line.startswith('VmRSS')).split()[1])


def said_until_full(s, data):
    """Sends until the other side takes no more, is gone, or has got 64 MiB."""
    s.settimeout(1)
    sent = 0
    try:
        while sent < 64 << 20:
            sent += s.send(data)
    except OSError:
        pass
    return sent


async def floods():
    """Who sends much and reads nothing costs little."""
    before = resident()
    kept = []
    for path in ('/ws', '/stream'):
        for payload in (b'', b'x' * 125):
            s = raw(path)
            s.recv(4096)
            said_until_full(s, frame(payload, 9) * 10000)
            kept.append(s)
    for first in (frame(b'x', 1, first=0), frame(b'x', 2, first=0)):
        s = raw('/ws')
        s.recv(4096)
        said_until_full(s, first + frame(b'x', 0, first=0) * 200000)  # a message of single bytes
        kept.append(s)
    assert resident() - before < 64 << 10, resident() - before
    s = socket.create_connection(address.rsplit(':', 1))
    s.sendall(f'GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
              f'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 4\r\n\r\nbody'.encode())
    assert b' 400 ' in s.recv(4096)
    async with opened('/ws') as ws:
        equal((await asked(ws, {'requestId': 'a', 'cmd': [cmd('/bin/true')]}))['results'][0]['status'], 'Accepted')


async def forgotten():
    """Of a run that is cancelled, or whose worker dies, while its files are stored nothing stays."""
    def workers_now():
        return open(f'/proc/{server}/task/{server}/children').read().split()

    words = open(f'/proc/{workers_now()[0]}/cmdline').read().split('\0')
    store = words[words.index('--store-folder') + 1]

    def files():
        return [name for _, _, names in os.walk(store) for name in names]

    async with opened('/ws') as ws:
        script = 'for i in 0 1 2 3 4 5 6 7; do head -c 5000000 /dev/zero > f$i; done'
        for kill_worker in (False, True):
            for i in range(10):
                await ws.send(json.dumps({'requestId': 'a', 'cmd': [sh(script, copyOutCached=[f'f{i}' for i in range(8)])]}))
                await until(lambda: files())  # it stores
                killed = workers_now() if kill_worker else []
                if kill_worker:
                    for pid in killed:
                        os.kill(int(pid), signal.SIGKILL)
                else:
                    await ws.send(json.dumps({'cancelRequestId': 'a'}))
                answer = await said(ws)
                for file in answer['results'][0].get('fileIds', {}).values():  # it had come to its end
                    reader, writer = await asyncio.open_connection(*address.rsplit(':', 1))
                    writer.write(f'DELETE /file/{file} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'.encode())
                    await reader.read()
                    writer.close()
                equal(files(), [])
                await until(lambda: not set(killed) & set(workers_now()))  # else one that dies is given the next run


async def poor():
    """Without descriptors a run fails, and the server goes on."""
    import resource
    limit = resource.prlimit(server, resource.RLIMIT_NOFILE)
    async with opened('/ws') as ws:
        request = {'cmd': [cmd('/bin/echo', 'x', files=[NULL, None]), cmd('/bin/cat', files=[None, OUT[1]])], 'pipeMapping': [{'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}]}
        equal((await asked(ws, {'requestId': 'a', **request}))['results'][0]['status'], 'Accepted')
        used = {int(fd) for fd in os.listdir(f'/proc/{server}/fd')}
        resource.prlimit(server, resource.RLIMIT_NOFILE, (min(set(range(1000)) - used), limit[1]))
        answer = await asked(ws, {'requestId': 'b', **request})
        equal([one['status'] for one in answer['results']], ['Internal Error', 'Internal Error'])
        assert 'Too many open files' in answer['results'][0]['error'], answer
        for pid in open(f'/proc/{server}/task/{server}/children').read().split():
            os.kill(int(pid), signal.SIGKILL)
        await asyncio.sleep(0.7)  # it tries to start others
        resource.prlimit(server, resource.RLIMIT_NOFILE, limit)
        equal((await asked(ws, {'requestId': 'c', **request}))['results'][1]['files'], {'stdout': 'x\n'})


def until_said(s, text):
    said = b''
    while text not in said:
        part = s.recv(65536)
        assert part, said
        said += part


def until_closed(s):
    data = b''
    try:
        while part := s.recv(65536):
            data += part
    except ConnectionError:
        pass
    return data


def frame(payload, opcode, mask=b'abcd', first=0x80):
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else bytes([0x80 | 126]) + struct.pack('>H', len(payload))
    return bytes([first | opcode]) + length + mask + bytes(c ^ mask[i % 4] for i, c in enumerate(payload))


async def frames():
    """What no library would say, byte by byte."""
    s = raw('/ws')
    head = s.recv(4096)
    assert b' 101 ' in head and b's3pPLMBiTxaQ9kYGzzhZRbK+xOo=' in head, head  # RFC 6455, 1.3
    whole = frame(json.dumps({'requestId': 'bytes', 'cmd': [cmd('/bin/echo', 'one')]}).encode(), 1)
    for byte in whole:
        s.sendall(bytes([byte]))
    until_said(s, b'"bytes"')
    for bad in (b'\x81\x02{}', frame(b'{}', 3), frame(b'{}', 1, first=0xf0), frame(b'\xff\xfe', 1), frame(b'x' * 126, 9), b'\x81\xff' + b'\xff' * 12):
        s = raw('/ws')
        s.recv(4096)
        s.sendall(bad)
        closing = until_closed(s)  # a frame that says why, or nothing
        assert closing == b'' or closing[0] == 0x88, (bad, closing)
        s.close()
    for path, text in (('/ws', 'Sec-WebSocket-Version: 12'), ('/stream', 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short')):
        s = socket.create_connection(address.rsplit(':', 1))
        s.settimeout(30)
        s.sendall(f'GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n{text}\r\n\r\n'.encode())
        assert s.recv(4096).split()[1] in (b'426', b'400')
    for heads in ('Connection: close\r\nUpgrade: websocket', 'Connection: Upgrade\r\nUpgrade: h2c'):
        s = socket.create_connection(address.rsplit(':', 1))
        s.settimeout(30)
        s.sendall(f'GET /ws HTTP/1.1\r\nHost: {address}\r\n{heads}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'.encode())
        assert b' 426 ' in s.recv(4096)
    s = raw('/stream')
    s.recv(4096)
    s.sendall(frame(b'\3\0early', 2))
    until_said(s, b'expected the request first')


# ---- /stream

class Stream:
    """One run; `out` is what came of each (command, descriptor)."""

    def __init__(self, ws):
        self.ws, self.out = ws, {}

    async def start(self, *cmds, **more):
        await self.ws.send(b'\1' + json.dumps({'cmd': list(cmds), **more}).encode())

    async def write(self, data, index=0, fd=0):
        await self.ws.send(bytes([3, index << 4 | fd]) + data)

    async def read(self):
        """The next message: what it says in the end, or None."""
        message = await asyncio.wait_for(self.ws.recv(), 30)
        if message[0] == 1:
            return json.loads(message[1:])
        equal(message[0], 2)
        key = message[1] >> 4, message[1] & 15
        self.out.setdefault(key, bytearray()).extend(message[2:])
        return None

    async def read_until(self, text, key=(0, 1)):
        while text not in self.out.get(key, b''):
            equal(await self.read(), None)

    async def end(self):
        while (last := await self.read()) is None:
            pass
        return last


async def talk():
    async with opened('/stream') as ws:
        stream = Stream(ws)
        await stream.start(sh('while read a b; do echo $((a + b)); [ $a != 9 ] || exit 3; done', files=[STREAM_IN, STREAM_OUT, STREAM_OUT]))
        for a, b in ((1, 2), (100, 200)):
            await stream.write(f'{a} {b}\n'.encode())
            await stream.read_until(f'{a + b}\n'.encode())  # before it hears more
        await stream.write(b'9 9')
        await stream.write(b'\n')
        last = await stream.end()
        equal((last['results'][0]['status'], last['results'][0]['exitStatus']), ('Nonzero Exit Status', 3))
        equal(stream.out[0, 1], b'3\n300\n18\n')


async def two_talk():
    """Two commands, joined, each with a stream of its own; other files as always."""
    async with opened('/stream') as ws:
        stream = Stream(ws)
        await stream.start(sh('read x; echo "$x"; echo "sent $x" >&2', files=[STREAM_IN, None, STREAM_OUT]),
                           sh('read y; echo "got $y"; cat /w/in', files=[None, STREAM_OUT, OUT[2]], copyIn={'in': {'content': 'copied'}}, copyOut=['stderr']),
                           pipeMapping=[{'in': {'index': 0, 'fd': 1}, 'out': {'index': 1, 'fd': 0}}])
        await stream.write(b'word\n')
        last = await stream.end()
        equal(stream.out, {(0, 2): b'sent word\n', (1, 1): b'got word\ncopied'})
        equal([one['status'] for one in last['results']], ['Accepted', 'Accepted'])
        equal(last['results'][1]['files']['stderr'], '')


async def much():
    """Ten megabytes in and out of one who says what it hears; and the whole of the output before the results."""
    async with opened('/stream') as ws:
        stream = Stream(ws)
        await stream.start(cmd('/usr/bin/head', '-c', str(10 << 20), files=[STREAM_IN, STREAM_OUT]))
        data = bytes(range(256)) * 4096

        async def write():
            for _ in range(10):
                await stream.write(data)

        writing = asyncio.ensure_future(write())
        last = await stream.end()
        await writing
        equal((last['results'][0]['status'], stream.out[0, 1] == data * 10), ('Accepted', True))


async def unread():
    """Who does not read holds up the program and nothing else, and the server keeps little of it."""
    async with opened('/stream', max_queue=1) as ws, opened('/ws') as other:
        stream = Stream(ws)
        before = resident()
        await stream.start(sh('head -c 100000000 /dev/zero; echo end >&2', files=[NULL, STREAM_OUT, STREAM_OUT], clockLimit=10 ** 11))
        equal(await stream.read(), None)
        for _ in range(5):
            await asyncio.sleep(0.2)
            equal((await asked(other, {'requestId': 'a', 'cmd': [cmd('/bin/echo', 'x')]}))['results'][0]['status'], 'Accepted')
        assert resident() - before < 32 << 10, resident() - before
        last = await stream.end()
        equal((last['results'][0]['status'], len(stream.out[0, 1]), stream.out[0, 2]), ('Accepted', 100000000, b'end\n'))
    # And one that does not read its input holds up its writer.
    async with opened('/stream') as ws:
        stream = Stream(ws)
        await stream.start(sh('sleep 1; exit 4', files=[STREAM_IN, STREAM_OUT]))

        async def write():
            for _ in range(20):
                await stream.write(b'x' * (1 << 20))

        writing = asyncio.ensure_future(write())
        equal((await stream.end())['results'][0]['exitStatus'], 4)
        await asyncio.gather(writing, return_exceptions=True)  # it is told that there is nobody
    # Of what it wrote before its limit all comes.
    async with opened('/stream') as ws:
        stream = Stream(ws)
        await stream.start(sh('echo first; cat', files=[STREAM_IN, STREAM_OUT], clockLimit=10 ** 9))
        equal(((await stream.end())['results'][0]['status'], stream.out), ('Time Limit Exceeded', {(0, 1): b'first\n'}))


async def stopped():
    mark = f'300{os.getpid()}.9'
    async with opened('/stream') as ws:
        stream = Stream(ws)
        await stream.start(sh(f'echo begins; sleep {mark}; echo never', files=[STREAM_IN, STREAM_OUT], clockLimit=10 ** 12))
        await stream.read_until(b'begins\n')
        await ws.send(b'\4')
        last = await stream.end()
        equal((last['results'][0]['status'], last['results'][0]['exitStatus'], stream.out), ('Signalled', 9, {(0, 1): b'begins\n'}))
    await until(lambda: alive(mark) == 0)
    for messages, word in (([b''], 'kind'), ([b'\3\0x'], 'request first'), ([b'\1{'], 'JSON'), ([b'\1{"cmd": [{"args": ["/bin/true"], "files": [{"streamOut": true}]}]}'], 'streamIn'),
                           ([b'\1{"cmd": [{"args": ["/bin/cat"], "files": [{"streamIn": true}]}]}', b'\3\1x'], 'no streamIn'), ([b'\1{"cmd": [{"args": ["/bin/true"], "tty": true}]}'], 'tty'),
                           ([b'\1{"cmd": [{"args": ["/bin/cat"], "files": [{"streamIn": true}]}]}', b'\2{}'], 'terminal'), ([b'\7'], 'first'),
                           ([b'\1{"cmd": [{"args": ["/bin/cat"], "files": [{"streamIn": true}]}]}', b'\7'], 'kind'),
                           ([b'\1{"cmd": [' + b', '.join([b'{"args": ["/bin/true"]}'] * 40) + b']}'], 'workers')):
        async with opened('/stream') as ws:
            for message in messages:
                await ws.send(message)
            last = await Stream(ws).end()
            assert word in last['error'], last


async def drain():
    """Asked to end: what runs is answered, who only listens is told goodbye."""
    async with opened('/ws') as ws, opened('/ws') as idle, opened('/stream') as ws_of_stream:
        stream = Stream(ws_of_stream)
        await stream.start(sh('read x; echo "$x"', files=[STREAM_IN, STREAM_OUT]))
        await ws.send(json.dumps({'requestId': 'a', 'cmd': [sh('sleep 0.5; echo done')]}))
        await asyncio.sleep(0.2)
        os.kill(server, signal.SIGTERM)
        try:
            await asyncio.wait_for(idle.recv(), 30)
            assert False, 'heard something'
        except websockets.ConnectionClosed as closed:
            equal(closed.rcvd.code, 1001)
        equal((await said(ws))['results'][0]['files']['stdout'], 'done\n')
        await stream.write(b'still heard\n')
        equal(((await stream.end())['results'][0]['status'], stream.out[0, 1]), ('Accepted', b'still heard\n'))


async def drain_streams():
    """Asked to end while streams are at their end, or are cancelled: the results come all the same."""
    async with opened('/stream') as ended, opened('/stream') as cancelled:
        over, cut = Stream(ended), Stream(cancelled)
        await over.start(cmd('/usr/bin/head', '-c', '65536', '/dev/zero', files=[NULL, STREAM_OUT]))
        await cut.start(cmd('/usr/bin/yes', files=[NULL, STREAM_OUT], clockLimit=10 ** 11))
        equal(await cut.read(), None)
        os.kill(server, signal.SIGSTOP)  # all of it is over when the signal comes
        await asyncio.sleep(0.3)
        os.kill(server, signal.SIGTERM)
        os.kill(server, signal.SIGCONT)
        equal(((await over.end())['results'][0]['status'], len(over.out[0, 1])), ('Accepted', 65536))
        await cancelled.send(b'\4')
        equal((await cut.end())['results'][0]['status'], 'Signalled')


async def drain_talker():
    """Asked to end, it does not wait for who hears goodbye and talks on."""
    s = raw('/ws')
    s.recv(4096)
    os.kill(server, signal.SIGTERM)
    until_said(s, b'the server ends')
    begin = time.monotonic()
    try:
        while time.monotonic() - begin < 25:
            s.sendall(frame(b'x', 9))
            time.sleep(0.2)
        assert False, 'it is still there'
    except OSError:
        pass


try:
    asyncio.run(globals()[case]())
    print('ok')
except BaseException:
    import traceback
    traceback.print_exc(file=sys.stdout)
