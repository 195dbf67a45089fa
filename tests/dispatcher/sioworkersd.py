#!/usr/bin/env python3
"""A sioworkersd that follows a script: prints what the worker says, a line each, and what the script expects of it.

argv[1] is the scenario. Prints its port first. The protocol: netstrings of JSON.
"""
import json, socket, sys, time

listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(('127.0.0.1', 0))
listener.listen(4)
sys.stdout.write(f'{listener.getsockname()[1]}\n')
sys.stdout.flush()


def say(*words):
    print(*words, flush=True)


class Worker:
    def __init__(self):
        listener.settimeout(30)
        self.socket = listener.accept()[0]
        self.socket.settimeout(30)
        self.bytes = b''
        self.next = 0
        hello = self.read()
        assert hello['type'] == 'hello', hello
        self.hello = hello['data']

    def read(self):
        while True:
            head, colon, rest = self.bytes.partition(b':')
            if colon and len(rest) > int(head):
                size = int(head)
                assert rest[size:size + 1] == b','
                self.bytes = rest[size + 1:]
                return json.loads(rest[:size])
            more = self.socket.recv(65536)
            if not more:
                return None
            self.bytes += more

    def send(self, message):
        text = json.dumps(message).encode()
        self.socket.sendall(b'%d:%s,' % (len(text), text))

    def call(self, method, *args):
        self.next += 1
        self.send({'type': 'call', 'id': self.next, 'method': method, 'args': list(args)})
        return self.next

    def answer(self, ident):
        message = self.read()
        assert message['id'] == ident, message
        return message


def accept():
    worker = Worker()
    worker.send({'type': 'hello_ack'})
    return worker


program = sys.argv[2]
scenario = sys.argv[1]
worker = accept()
if scenario == 'jobs':
    say('hello', json.dumps(worker.hello, sort_keys=True).replace(str(worker.hello['available_ram_mb']), 'N'))
    assert type(worker.hello['available_ram_mb']) is int and type(worker.hello['concurrency']) is int
    say('running', worker.answer(worker.call('get_running'))['result'])
    ping = worker.answer(worker.call('run', {'job_type': 'ping', 'ping': 'e1', 'task_id': 'urn:uuid:1', 'contest_uid': ['a', 7]}))
    say('ping', ping['type'], ping['result']['pong'], ping['result']['task_id'], ping['result']['contest_uid'], ping['result']['result'], ping['result']['worker'])
    run = worker.answer(worker.call('run', {'job_type': 'exec', 'exe_file': program + '/hello', 'use_filetracker': False, 'task_id': '2'}))
    say('exec', run['result']['result_code'], run['result']['task_id'])
    failed = worker.answer(worker.call('run', {'job_type': 'exec', 'exe_file': '/nowhere', 'use_filetracker': False, 'task_id': '3'}))
    say('failed', failed['type'], failed['kind'], failed['data'])
    unknown = worker.answer(worker.call('shutdown'))
    say('unknown', unknown['type'], unknown['kind'])
    wrong = worker.answer(worker.call('run', 5))
    say('wrong', wrong['type'], wrong['data'])
    odd = worker.answer(worker.call('run', {'job_type': 5, 'task_id': '4'}))
    say('odd', odd['type'], odd['data'])
    deep = []
    for _ in range(90):
        deep = [deep]
    say('deep', worker.answer(worker.call('run', {'job_type': 'ping', 'z': deep}))['data'])
    worker.next += 1
    text = b'{"type":"call","id":%d,"method":"run","args":[{"job_type":"ping","z":%s}]}' % (worker.next, b'[' * 150000 + b']' * 150000)
    worker.socket.sendall(b'%d:%s,' % (len(text), text))
    say('deeper', worker.answer(worker.next)['data'])
    unsafe = worker.answer(worker.call('run', {'job_type': 'unsafe-interactive-exec', 'task_id': '4'}))
    say('unsafe', unsafe['data'])
    slow = [worker.call('run', {'job_type': 'exec', 'exe_file': program + '/sleeps_briefly', 'use_filetracker': False, 'task_id': str(i)}) for i in (5, 6)]
    begin = time.monotonic()
    say('two running', sorted(worker.answer(worker.call('get_running'))['result']))
    done = sorted(worker.read()['id'] for _ in slow)
    say('two done', done == slow)
    say('end')
    assert worker.read() is None
elif scenario == 'lost':
    worker.call('run', {'job_type': 'exec', 'exe_file': program + '/sleep_forever', 'use_filetracker': False, 'exec_idle_time_limit': 0, 'exec_real_time_limit': 0, 'exec_time_limit': 60000, 'task_id': '1'})
    time.sleep(0.3)
    worker.socket.close()
    worker = accept()
    say('again', worker.answer(worker.call('get_running'))['result'])
    worker.socket.sendall(b'hello?')
    worker = accept()
    say('once more', worker.answer(worker.call('run', {'job_type': 'ping', 'ping': 'e2', 'task_id': '2'}))['result']['pong'])
    say('end')
    assert worker.read() is None
elif scenario == 'drain':
    running = worker.call('run', {'job_type': 'exec', 'exe_file': program + '/sleeps_briefly', 'use_filetracker': False, 'task_id': '1'})
    time.sleep(0.1)
    say('end')
    time.sleep(0.1)
    late = worker.call('run', {'job_type': 'ping', 'task_id': '2'})
    say('done', worker.answer(running)['result']['result_code'])
    say('closed', worker.read() is None)
say('over')
