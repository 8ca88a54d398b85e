"""Functions that read what no seed pins: the first line says what the sensor names, `# here` marks the line."""


def reads_time(x):
    """clock: time.time"""
    import time

    return time.time() > 0  # here


def reads_time_ns(x):
    """clock: time.time_ns"""
    import time

    return time.time_ns() > 0  # here


def reads_time_aliased(x):
    """clock: time.time"""
    from time import time as moment

    return moment() > 0  # here


def reads_time_warm(x):
    """clock: time.time"""
    import time

    read = time.time
    for _ in range(500):
        x = read()  # here
    return 1


def reads_time_as_attribute(x):
    """clock: time.time"""
    import time

    class Timer:
        now = time.time

    return Timer().now() > 0  # here


def reads_monotonic(x):
    """clock: time.monotonic"""
    import time

    return time.monotonic() > 0  # here


def reads_monotonic_ns(x):
    """clock: time.monotonic_ns"""
    import time

    return time.monotonic_ns() > 0  # here


def reads_perf_counter(x):
    """clock: time.perf_counter"""
    import time

    return time.perf_counter() > 0  # here


def reads_perf_counter_ns(x):
    """clock: time.perf_counter_ns"""
    import time

    return time.perf_counter_ns() > 0  # here


def reads_process_time(x):
    """clock: time.process_time"""
    import time

    return time.process_time() >= 0  # here


def reads_process_time_ns(x):
    """clock: time.process_time_ns"""
    import time

    return time.process_time_ns() >= 0  # here


def reads_thread_time(x):
    """clock: time.thread_time"""
    import time

    return time.thread_time() >= 0  # here


def reads_thread_time_ns(x):
    """clock: time.thread_time_ns"""
    import time

    return time.thread_time_ns() >= 0  # here


def reads_clock_gettime(x):
    """clock: time.clock_gettime"""
    import time

    return time.clock_gettime(time.CLOCK_REALTIME) > 0  # here


def reads_clock_gettime_ns(x):
    """clock: time.clock_gettime_ns"""
    import time

    return time.clock_gettime_ns(0) > 0  # here


def reads_localtime(x):
    """clock: time.localtime"""
    import time

    return time.localtime()[0] > 0  # here


def reads_localtime_none(x):
    """clock: time.localtime"""
    import time

    return time.localtime(None)[0] > 0  # here


def reads_gmtime(x):
    """clock: time.gmtime"""
    import time

    return time.gmtime()[0] > 0  # here


def reads_ctime(x):
    """clock: time.ctime"""
    import time

    return time.ctime() > ""  # here


def reads_asctime(x):
    """clock: time.asctime"""
    import time

    return time.asctime() > ""  # here


def reads_strftime(x):
    """clock: time.strftime"""
    import time

    return time.strftime("%Y") > ""  # here


def reads_os_times(x):
    """clock: os.times"""
    import os

    return os.times().elapsed > 0  # here


def reads_timeit(x):
    """clock: time.perf_counter"""
    import timeit

    return timeit.default_timer() > 0  # here


def reads_formatdate(x):
    """clock: time.time through email.utils"""
    import email.utils

    return email.utils.formatdate() > ""  # here


def reads_now(x):
    """clock: datetime.datetime.now"""
    import datetime

    return datetime.datetime.now().year > 0  # here


def reads_now_aliased(x):
    """clock: datetime.datetime.now"""
    from datetime import datetime as d

    return d.now().year > 0  # here


def reads_now_in_a_zone(x):
    """clock: datetime.datetime.now"""
    import datetime as d

    return d.datetime.now(d.timezone.utc).year > 0  # here


def reads_now_of_a_subclass(x):
    """clock: datetime.datetime.now"""
    import datetime

    class Day(datetime.datetime):
        pass

    return Day.now().year > 0  # here


def reads_utcnow(x):
    """clock: datetime.datetime.utcnow"""
    import datetime

    return datetime.datetime.utcnow().year > 0  # here


def reads_today(x):
    """clock: datetime.date.today"""
    import datetime

    return datetime.datetime.today().year > 0  # here


def reads_date_today(x):
    """clock: datetime.date.today"""
    import datetime

    return datetime.date.today().year > 0  # here


def reads_map(x):
    """clock: time.ctime"""
    import time

    return list(map(time.ctime, [None])) != []  # here


def reads_partial(x):
    """clock: time.time"""
    import functools, time

    read = functools.partial(time.time)
    return read() > 0  # here


def reads_defaultdict(x):
    """clock: time.time"""
    import collections, time

    made = collections.defaultdict(time.time)
    return made["a"] > 0  # here


def reads_dataclass(x):
    """clock: time.time"""
    import dataclasses, time

    Made = dataclasses.make_dataclass(
        "Made", [("at", float, dataclasses.field(default_factory=time.time))]
    )
    return Made().at > 0  # here


def reads_generator(x):
    """clock: time.time"""
    import time

    return (time.time() > n for n in range(2))  # here


def reads_exec(x):
    """clock: time.time"""
    import time

    exec("time.time()")  # here
    return 1


def reads_thread(x):
    """clock: time.time"""
    import threading, time

    def body():
        time.time()  # here

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    return 1


def reads_pool(x):
    """clock: time.time"""
    import time
    from concurrent.futures import ThreadPoolExecutor

    def body():
        return time.time()  # here

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(body).result() > 0


def reads_raw_thread(x):
    """clock: time.time"""
    import _thread, time

    done = _thread.allocate_lock()
    done.acquire()

    def body():
        time.time()  # here
        done.release()

    _thread.start_new_thread(body, ())
    done.acquire()
    return 1


def reads_coroutine(x):
    """clock: time.time"""
    import asyncio, time

    async def body():
        await asyncio.sleep(0)
        return time.time() > 0  # here

    return asyncio.run(body())


def reads_an_original(x):
    """clock: time.time"""
    import sys

    del sys.modules["time"]
    import time

    return time.time() > 0  # here


def reads_uptime(x):
    """clock: /proc/uptime"""
    return open("/proc/uptime").read() > ""  # here


def reads_urandom(x):
    """entropy: os.urandom"""
    import os

    return os.urandom(1) >= b""  # here


def reads_posix_urandom(x):
    """entropy: os.urandom"""
    import posix

    return posix.urandom(1) >= b""  # here


def reads_getrandom(x):
    """entropy: os.getrandom"""
    import os

    return os.getrandom(1) >= b""  # here


def reads_system_random(x):
    """entropy: os.urandom"""
    import random

    return random.SystemRandom().random() >= 0  # here


def reads_secrets_token(x):
    """entropy: os.urandom through secrets.token"""
    import secrets

    return secrets.token_hex() > ""  # here


def reads_secrets_choice(x):
    """entropy: os.urandom"""
    import secrets

    return secrets.choice([1]) > 0  # here


def reads_uuid1(x):
    """entropy: through uuid.uuid1"""
    import uuid

    return uuid.uuid1().int > 0  # here


def reads_uuid4(x):
    """entropy: os.urandom through uuid.uuid4"""
    import uuid

    return uuid.uuid4().int > 0  # here


def reads_ssl(x):
    """entropy: _ssl.RAND_bytes"""
    import ssl

    return ssl.RAND_bytes(1) >= b""  # here


def reads_random_instance(x):
    """entropy: random without a seed"""
    import random

    return random.Random().random() >= 0  # here


def reads_random_seed(x):
    """entropy: random without a seed"""
    import random

    random.seed()  # here
    return random.random() >= 0


def reads_random_global(x):
    """entropy: a global generator"""
    import random

    return random.random() >= 0  # here


def reads_random_choice(x):
    """entropy: a global generator"""
    from random import choice

    return choice([1, 2]) > 0  # here


def reads_random_shuffle(x):
    """entropy: a global generator"""
    import random

    random.shuffle([1, 2, 3])  # here
    return 1


def reads_device(x):
    """entropy: /dev/urandom"""
    return open("/dev/urandom", "rb").read(1) >= b""  # here


def reads_kernel_uuid(x):
    """entropy: /proc/sys/kernel/random/uuid"""
    return open("/proc/sys/kernel/random/uuid").read() > ""  # here


def reads_connect(x):
    """network: socket.connect"""
    import socket

    with socket.socket() as s:
        s.connect_ex(("127.0.0.1", 9))  # here
    return 1


def reads_create_connection(x):
    """network: socket.getaddrinfo through socket.create_connection"""
    import socket

    try:
        socket.create_connection(("127.0.0.1", 9))  # here
    except OSError:
        return 1


def reads_bind(x):
    """network: socket.bind"""
    import socket

    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))  # here
    return 1


def reads_sendto(x):
    """network: socket.sendto"""
    import socket

    with socket.socket(type=socket.SOCK_DGRAM) as s:
        try:
            s.sendto(b"x", ("127.0.0.1", 9))  # here
        except OSError:
            pass
    return 1


def reads_getaddrinfo(x):
    """network: socket.getaddrinfo"""
    import socket

    return socket.getaddrinfo("127.0.0.1", 9) != []  # here


def reads_gethostbyname(x):
    """network: socket.gethostbyname"""
    import socket

    return socket.gethostbyname("127.0.0.1") > ""  # here


def reads_urlopen(x):
    """network: through urllib.request.urlopen"""
    import urllib.request

    try:
        urllib.request.urlopen("http://127.0.0.1:9")  # here
    except OSError:
        return 1


def reads_asyncio(x):
    """network: socket.getaddrinfo"""
    import asyncio

    async def body():
        try:
            await asyncio.open_connection("127.0.0.1", 9)
        except OSError:
            pass

    import socket

    socket.getaddrinfo("127.0.0.1", 9)  # here
    return 1
