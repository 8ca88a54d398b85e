"""Functions that read what no seed pins, and functions that only look as if they did.

Each of SEEN is the body of `def fn(x)` with the source that the sensor must name; the line that reads says
`# here`. MISSED are bodies that no sensor sees: the limits. BENIGN must stay green.
"""

from __future__ import annotations

CLOCKS = {
    "time": ("import time\nreturn time.time() > 0  # here", "time.time"),
    "time_ns": ("import time\nreturn time.time_ns() > 0  # here", "time.time_ns"),
    "time_aliased": ("from time import time as moment\nreturn moment() > 0  # here", "time.time"),
    "time_warm": ("import time\nread = time.time\nfor _ in range(500): x = read()  # here\nreturn 1", "time.time"),
    "time_as_attribute": (
        "import time\nclass Timer:\n    now = time.time\nreturn Timer().now() > 0  # here",
        "time.time",
    ),
    "monotonic": ("import time\nreturn time.monotonic() > 0  # here", "time.monotonic"),
    "monotonic_ns": ("import time\nreturn time.monotonic_ns() > 0  # here", "time.monotonic_ns"),
    "perf_counter": ("import time\nreturn time.perf_counter() > 0  # here", "time.perf_counter"),
    "perf_counter_ns": ("import time\nreturn time.perf_counter_ns() > 0  # here", "time.perf_counter_ns"),
    "process_time": ("import time\nreturn time.process_time() >= 0  # here", "time.process_time"),
    "process_time_ns": ("import time\nreturn time.process_time_ns() >= 0  # here", "time.process_time_ns"),
    "thread_time": ("import time\nreturn time.thread_time() >= 0  # here", "time.thread_time"),
    "thread_time_ns": ("import time\nreturn time.thread_time_ns() >= 0  # here", "time.thread_time_ns"),
    "clock_gettime": ("import time\nreturn time.clock_gettime(time.CLOCK_REALTIME) > 0  # here", "time.clock_gettime"),
    "clock_gettime_ns": ("import time\nreturn time.clock_gettime_ns(0) > 0  # here", "time.clock_gettime_ns"),
    "localtime": ("import time\nreturn time.localtime()[0] > 0  # here", "time.localtime"),
    "localtime_none": ("import time\nreturn time.localtime(None)[0] > 0  # here", "time.localtime"),
    "gmtime": ("import time\nreturn time.gmtime()[0] > 0  # here", "time.gmtime"),
    "ctime": ("import time\nreturn time.ctime() > ''  # here", "time.ctime"),
    "asctime": ("import time\nreturn time.asctime() > ''  # here", "time.asctime"),
    "strftime": ("import time\nreturn time.strftime('%Y') > ''  # here", "time.strftime"),
    "os_times": ("import os\nreturn os.times().elapsed > 0  # here", "os.times"),
    "timeit": ("import timeit\nreturn timeit.default_timer() > 0  # here", "time.perf_counter"),
    "formatdate": ("import email.utils\nreturn email.utils.formatdate() > ''  # here", "time.time through email.utils"),
    "now": ("import datetime\nreturn datetime.datetime.now().year > 0  # here", "datetime.datetime.now"),
    "now_aliased": ("from datetime import datetime as d\nreturn d.now().year > 0  # here", "datetime.datetime.now"),
    "now_in_a_zone": (
        "import datetime as d\nreturn d.datetime.now(d.timezone.utc).year > 0  # here",
        "datetime.datetime.now",
    ),
    "now_of_a_subclass": (
        "import datetime\nclass Day(datetime.datetime): pass\nreturn Day.now().year > 0  # here",
        "datetime.datetime.now",
    ),
    "utcnow": ("import datetime\nreturn datetime.datetime.utcnow().year > 0  # here", "datetime.datetime.utcnow"),
    "today": ("import datetime\nreturn datetime.datetime.today().year > 0  # here", "datetime.date.today"),
    "date_today": ("import datetime\nreturn datetime.date.today().year > 0  # here", "datetime.date.today"),
    "map": ("import time\nreturn list(map(time.ctime, [None])) != []  # here", "time.ctime"),
    "partial": ("import functools, time\nread = functools.partial(time.time)\nreturn read() > 0  # here", "time.time"),
    "defaultdict": (
        "import collections, time\nmade = collections.defaultdict(time.time)\nreturn made['a'] > 0  # here",
        "time.time",
    ),
    "dataclass": (
        "import dataclasses, time\nMade = dataclasses.make_dataclass('Made', [('at', float, "
        "dataclasses.field(default_factory=time.time))])\nreturn Made().at > 0  # here",
        "time.time",
    ),
    "generator": ("import time\nreturn (time.time() > n for n in range(2))  # here", "time.time"),
    "exec": ("import time\nexec('time.time()')  # here\nreturn 1", "time.time"),
    "thread": (
        "import threading, time\ndef body():\n    time.time()  # here\nthread = threading.Thread(target=body)\n"
        "thread.start(); thread.join()\nreturn 1",
        "time.time",
    ),
    "pool": (
        "import time\nfrom concurrent.futures import ThreadPoolExecutor\ndef body():\n    return time.time()  # here\n"
        "with ThreadPoolExecutor(1) as pool:\n    return pool.submit(body).result() > 0",
        "time.time",
    ),
    "raw_thread": (
        "import _thread, time\ndone = _thread.allocate_lock()\ndone.acquire()\ndef body():\n    time.time()  # here\n"
        "    done.release()\n_thread.start_new_thread(body, ())\ndone.acquire()\nreturn 1",
        "time.time",
    ),
    "coroutine": (
        "import asyncio, time\nasync def body():\n    await asyncio.sleep(0)\n    return time.time() > 0  # here\n"
        "return asyncio.run(body())",
        "time.time",
    ),
    "an_original": (
        "import sys\ndel sys.modules['time']\nimport time\nreturn time.time() > 0  # here",
        "time.time",
    ),
    "uptime": ("return open('/proc/uptime').read() > ''  # here", "/proc/uptime"),
}
ENTROPY = {
    "urandom": ("import os\nreturn os.urandom(1) >= b''  # here", "os.urandom"),
    "posix_urandom": ("import posix\nreturn posix.urandom(1) >= b''  # here", "os.urandom"),
    "getrandom": ("import os\nreturn os.getrandom(1) >= b''  # here", "os.getrandom"),
    "system_random": ("import random\nreturn random.SystemRandom().random() >= 0  # here", "os.urandom"),
    "secrets_token": ("import secrets\nreturn secrets.token_hex() > ''  # here", "os.urandom through secrets.token"),
    "secrets_choice": ("import secrets\nreturn secrets.choice([1]) > 0  # here", "os.urandom"),
    "uuid1": ("import uuid\nreturn uuid.uuid1().int > 0  # here", "through uuid.uuid1"),
    "uuid4": ("import uuid\nreturn uuid.uuid4().int > 0  # here", "os.urandom through uuid.uuid4"),
    "ssl": ("import ssl\nreturn ssl.RAND_bytes(1) >= b''  # here", "_ssl.RAND_bytes"),
    "random_instance": ("import random\nreturn random.Random().random() >= 0  # here", "random without a seed"),
    "random_seed": ("import random\nrandom.seed()  # here\nreturn random.random() >= 0", "random without a seed"),
    "random_global": ("import random\nreturn random.random() >= 0  # here", "a global generator"),
    "random_choice": ("from random import choice\nreturn choice([1, 2]) > 0  # here", "a global generator"),
    "random_shuffle": ("import random\nrandom.shuffle([1, 2, 3])  # here\nreturn 1", "a global generator"),
    "device": ("return open('/dev/urandom', 'rb').read(1) >= b''  # here", "/dev/urandom"),
    "kernel_uuid": ("return open('/proc/sys/kernel/random/uuid').read() > ''  # here", "/proc/sys/kernel/random/uuid"),
}
NETWORK = {
    "connect": (
        "import socket\nwith socket.socket() as s:\n    s.connect_ex(('127.0.0.1', 9))  # here\nreturn 1",
        "socket.connect",
    ),
    "create_connection": (
        "import socket\ntry:\n    socket.create_connection(('127.0.0.1', 9))  # here\nexcept OSError:\n    return 1",
        "socket.getaddrinfo through socket.create_connection",
    ),
    "bind": (
        "import socket\nwith socket.socket() as s:\n    s.bind(('127.0.0.1', 0))  # here\nreturn 1",
        "socket.bind",
    ),
    "sendto": (
        "import socket\nwith socket.socket(type=socket.SOCK_DGRAM) as s:\n    try:\n"
        "        s.sendto(b'x', ('127.0.0.1', 9))  # here\n    except OSError:\n        pass\nreturn 1",
        "socket.sendto",
    ),
    "getaddrinfo": ("import socket\nreturn socket.getaddrinfo('127.0.0.1', 9) != []  # here", "socket.getaddrinfo"),
    "gethostbyname": ("import socket\nreturn socket.gethostbyname('127.0.0.1') > ''  # here", "socket.gethostbyname"),
    "urlopen": (
        "import urllib.request\ntry:\n    urllib.request.urlopen('http://127.0.0.1:9')  # here\nexcept OSError:\n"
        "    return 1",
        "through urllib.request.urlopen",
    ),
    "asyncio": (
        "import asyncio\nasync def body():\n    try:\n        await asyncio.open_connection('127.0.0.1', 9)\n"
        "    except OSError:\n        pass\nimport socket\nsocket.getaddrinfo('127.0.0.1', 9)  # here\nreturn 1",
        "socket.getaddrinfo",
    ),
}
SEEN = {**CLOCKS, **ENTROPY, **NETWORK}

NUMPY_SEEN = {
    "numpy_default_rng": ("return numpy.random.default_rng().random() >= 0  # here", "os.urandom"),
    "numpy_global": ("return numpy.random.rand() >= 0", "a global generator"),
    "numpy_seed": ("numpy.random.seed()  # here\nreturn 1", "os.urandom"),
}
NUMPY_BENIGN = {
    "numpy_seeded": "return int(numpy.random.default_rng(x).integers(9))",
    "numpy_global_seeded": "numpy.random.seed(x)\nreturn float(numpy.random.rand())",
    "numpy_sum": "return numpy.arange(x).sum()",
}

MISSED = {
    "raw_generator": "import _random\nreturn _random.Random().random() >= 0",
    "an_original_called_from_c": "import sys\ndel sys.modules['time']\nimport time\nreturn list(map(time.ctime, [1])) > []",
    "ctypes": "import ctypes\nreturn ctypes.CDLL(None).time(None) != 0",
    "database": "import sqlite3\nreturn sqlite3.connect(':memory:').execute('select random()').fetchone() != 0",
    "child_process": "import subprocess\nreturn subprocess.run(['date'], capture_output=True).stdout != 0",
    "file_time": "import os\nname = os.environ['TMPDIR'] + '/x'\nopen(name, 'w').close()\nreturn os.stat(name).st_mtime > 0",
    "device_by_bytes": "return open(b'/dev/urandom', 'rb').read(1) >= b''",
    "record_of_logging": "import logging\nreturn logging.makeLogRecord({}).created > 0",
    "name_of_tempfile": "import tempfile\nreturn tempfile.mkdtemp() > ''",
    "c_function_as_thread": "import threading, time\nt = threading.Thread(target=time.time)\nt.start(); t.join()\nreturn 1",
    "unasked_hook": "import sys, ssl\nsys.setprofile(None)\nreturn ssl.RAND_bytes(1) >= b''",
}

BENIGN = {
    "logging": "import logging\nlogging.getLogger('app').warning('%s', x)\nreturn 1",
    "logging_to_a_file": (
        "import logging, os\nhandler = logging.FileHandler(os.environ['TMPDIR'] + '/log')\n"
        "handler.setFormatter(logging.Formatter('%(asctime)s %(message)s'))\nlog = logging.getLogger('file')\n"
        "log.addHandler(handler)\nlog.error('x')\nreturn 1"
    ),
    "seeded": "import random\nreturn random.Random(x).random()",
    "seeded_global": "import random\nrandom.seed(x)\nreturn random.random()",
    "thread": (
        "import threading\nfound = []\nthread = threading.Thread(target=found.append, args=(x,))\n"
        "thread.start(); thread.join(5)\nreturn found"
    ),
    "pool": "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as p:\n    return list(p.map(abs, [x, 2]))",
    "queue": "import queue\nq = queue.Queue()\nq.put(x)\nreturn q.get(timeout=5)",
    "event": "import threading\nevent = threading.Event()\nevent.set()\nreturn event.wait(5)",
    "coroutine": "import asyncio\nasync def body():\n    await asyncio.sleep(0.001)\n    return x\nreturn asyncio.run(body())",
    "timeout_of_asyncio": "import asyncio\nasync def body():\n    return await asyncio.wait_for(asyncio.sleep(0, x), 5)\nreturn asyncio.run(body())",
    "dates_from_arguments": "import datetime, time\nreturn [datetime.datetime(2020, 1, 1), time.gmtime(x)[0], time.strftime('%Y', time.gmtime(x))]",
    "parsed_dates": "import datetime\nreturn datetime.datetime.strptime('2020', '%Y').strftime('%Y')",
    "import_of_much": "import uuid, secrets, tempfile, ssl, socket, random, http.client, email.utils, datetime\nreturn x",
    "temporary_file": "import tempfile\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')\n    return f.tell()",
    "child_process": "import subprocess, sys\nreturn subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True, timeout=30).stdout",
    "sleep": "import time\ntime.sleep(0.001)\nreturn x",
    "socket_pair": "import socket\na, b = socket.socketpair()\na.send(b'x')\nreturn b.recv(1)",
    "copied_clock": "import copy, pickle, time\nreturn [copy.deepcopy(time.time) is time.time, pickle.loads(pickle.dumps(time.time)) is time.time]",
    "uuid_of_a_name": "import uuid\nreturn uuid.uuid5(uuid.NAMESPACE_DNS, str(x))",
    "hash": "import hashlib\nreturn hashlib.sha256(str(x).encode()).hexdigest()",
}  # fmt: skip
