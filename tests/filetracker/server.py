#!/usr/bin/env python3
"""A filetracker server (protocol 2) that forgets everything, and misbehaves for names that ask for it.

The first part of a name says how; "once" is the first request for that name alone:
  once500 always500 busy  an error status, and 429 once
  broken    once: half of the body, then the connection is closed; Range works
  norange   the same, and Range is ignored
  changed   the same, and meanwhile the file is another one
  reset     once: the connection is reset in the middle of the head
  short     what it sends is cut off and looks whole
  wrongsize wrongsum  a header that does not match
  nodate    no Last-Modified
  redirect  307 to the same file elsewhere
  slow      a piece at a time
  otherpart once: half of the body; then another part than was asked for, and of another file
  unasked   a part, though nobody asked for one
  members   a gzip of two members
  bomb      a gzip that is much longer than it says
Prints its port. Ends with its stdin.
"""
import email.utils, gzip, hashlib, json, os, socket, struct, sys, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

files = {}  # path: (version, packed)
seen = set()
log = []
lock = threading.Lock()


def date(version):
    return email.utils.formatdate(version, usegmt=False)


def once(path):
    with lock:
        first = path not in seen
        seen.add(path)
        return first


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def parts(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        last = query.get('last_modified')
        version = int(email.utils.parsedate_to_datetime(last[0]).timestamp()) if last else None
        with lock:
            log.append(f'{self.command} {url.path}' + (f' {self.headers["Range"]}' if 'Range' in self.headers else ''))
        return urllib.parse.unquote(url.path), version

    def say(self, status, body=b'', headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path, _ = self.parts()
        if path == '/version/':
            return self.say(200, json.dumps({'protocol_versions': [2]}).encode())
        if path == '/log':
            return self.say(200, '\n'.join(log).encode())
        if path.startswith('/list/'):
            below = path[len('/list'):] + '/'
            names = sorted(name[len(below):] for name in files if name.startswith(below))
            return self.say(200, '\n'.join(names).encode()) if names else self.say(400)
        if path.startswith('/elsewhere/'):
            path = '/files/' + path[len('/elsewhere/'):]
            return self.send_file(path[len('/files'):], '')
        if not path.startswith('/files/'):
            return self.say(404)
        name = path[len('/files'):]
        self.send_file(name, name.split('/')[1])

    def send_file(self, name, how):
        if name not in files:
            return self.say(404, headers=[('X-Exception', 'no such file')])
        if how == 'always500' or (how == 'once500' and once(name)):
            return self.say(500)
        if how == 'busy' and once(name):
            return self.say(429)
        if how == 'redirect':
            return self.say(307, headers=[('Location', '/elsewhere' + urllib.parse.quote(name))])
        if how == 'reset' and once(name):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            self.connection.send(b'HTTP/1.1 200 O')
            self.close_connection = True
            self.connection.close()
            return
        version, packed = files[name]
        whole = gzip.decompress(packed)
        headers = [('Content-Encoding', 'gzip'), ('Logical-Size', str(len(whole) + (how == 'wrongsize')))]
        if how == 'wrongsum':
            headers.append(('SHA256-Checksum', hashlib.sha256(whole + b'x').hexdigest()))
        if how != 'nodate':
            headers.append(('Last-Modified', date(version)))
        if how == 'members':
            half = len(whole) // 2
            packed = gzip.compress(whole[:half]) + gzip.compress(whole[half:])
        if how == 'bomb':
            packed = gzip.compress(b'x' * (64 << 20))
        if how == 'unasked' or (how == 'otherpart' and 'Range' in self.headers):
            headers = [(key, date(version + 5) if key == 'Last-Modified' else value) for key, value in headers]
            return self.say(206, packed[:20], headers + [('Content-Range', f'bytes 0-19/{len(packed)}')])
        if how == 'short':
            return self.say(200, packed[:len(packed) // 2], headers)
        begin = 0
        asked = self.headers.get('Range')
        if asked and how != 'norange' and self.headers.get('If-Range', date(version)) == date(version):
            begin = int(asked.removeprefix('bytes=').rstrip('-'))
        body = packed[begin:]
        self.send_response(206 if begin else 200)
        if begin:
            headers.append(('Content-Range', f'bytes {begin}-{len(packed) - 1}/{len(packed)}'))
        for key, value in headers:
            self.send_header(key, value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        if how in ('broken', 'norange', 'changed', 'otherpart') and once(name):
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
            if how == 'changed':
                files[name] = (version + 5, gzip.compress(b'another one\n' * 1000))
            self.close_connection = True
            return
        if how == 'slow':
            for at in range(0, len(body), max(1, len(body) // 10)):
                self.wfile.write(body[at:at + max(1, len(body) // 10)])
                self.wfile.flush()
                time.sleep(0.02)
            return
        self.wfile.write(body)

    def do_PUT(self):
        path, version = self.parts()
        if 'Content-Length' not in self.headers:
            return self.say(500)
        body = self.rfile.read(int(self.headers['Content-Length']))
        name = path[len('/files'):]
        if version is None:
            return self.say(400)
        if name.startswith('/putonce500/') and once(name):
            return self.say(500)
        if self.headers.get('Content-Encoding') != 'gzip':
            body = gzip.compress(body)
        whole = gzip.decompress(body)
        if self.headers.get('SHA256-Checksum') != hashlib.sha256(whole).hexdigest() or self.headers.get('Logical-Size') != str(len(whole)):
            return self.say(400)
        if name not in files or files[name][0] <= version:
            files[name] = (version, body)
        self.say(200, headers=[('Last-Modified', date(files[name][0]))])

    def do_DELETE(self):
        path, version = self.parts()
        name = path[len('/files'):]
        if name not in files:
            return self.say(404)
        if files[name][0] <= version:
            del files[name]
        self.say(200)


class Server(ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, *_):
        pass  # who hangs up is a part of the game


server = Server(('127.0.0.1', 0), Handler)
sys.stdout.write(f'{server.server_address[1]}\n')
sys.stdout.flush()
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
