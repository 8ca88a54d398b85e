"""Functions that read nothing for themselves and must stay green."""


def keeps_logging(x):
    import logging

    logging.getLogger("app").warning("%s", x)
    return 1


def keeps_logging_to_a_file(x):
    import logging, os

    handler = logging.FileHandler(os.environ["TMPDIR"] + "/log")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("file")
    log.addHandler(handler)
    log.error("x")
    return 1


def keeps_seeded(x):
    import random

    return random.Random(x).random()


def keeps_seeded_global(x):
    import random

    random.seed(x)
    return random.random()


def keeps_thread(x):
    import threading

    found = []
    thread = threading.Thread(target=found.append, args=(x,))
    thread.start()
    thread.join(5)
    return found


def keeps_pool(x):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as p:
        return list(p.map(abs, [x, 2]))


def keeps_queue(x):
    import queue

    q = queue.Queue()
    q.put(x)
    return q.get(timeout=5)


def keeps_event(x):
    import threading

    event = threading.Event()
    event.set()
    return event.wait(5)


def keeps_coroutine(x):
    import asyncio

    async def body():
        await asyncio.sleep(0.001)
        return x

    return asyncio.run(body())


def keeps_timeout_of_asyncio(x):
    import asyncio

    async def body():
        return await asyncio.wait_for(asyncio.sleep(0, x), 5)

    return asyncio.run(body())


def keeps_dates_from_arguments(x):
    import datetime, time

    return [datetime.datetime(2020, 1, 1), time.gmtime(x)[0], time.strftime("%Y", time.gmtime(x))]


def keeps_parsed_dates(x):
    import datetime

    return datetime.datetime.strptime("2020", "%Y").strftime("%Y")


def keeps_import_of_much(x):
    import uuid, secrets, tempfile, ssl, socket, random, http.client, email.utils, datetime

    return x


def keeps_temporary_file(x):
    import tempfile

    with tempfile.TemporaryFile() as f:
        f.write(b"x")
        return f.tell()


def keeps_child_process(x):
    import subprocess, sys

    return subprocess.run(
        [sys.executable, "-c", "print(1)"], capture_output=True, timeout=30
    ).stdout


def keeps_sleep(x):
    import time

    time.sleep(0.001)
    return x


def keeps_socket_pair(x):
    import socket

    a, b = socket.socketpair()
    a.send(b"x")
    return b.recv(1)


def keeps_copied_clock(x):
    import copy, pickle, time

    return [
        copy.deepcopy(time.time) is time.time,
        pickle.loads(pickle.dumps(time.time)) is time.time,
    ]


def keeps_uuid_of_a_name(x):
    import uuid

    return uuid.uuid5(uuid.NAMESPACE_DNS, str(x))


def keeps_hash(x):
    import hashlib

    return hashlib.sha256(str(x).encode()).hexdigest()
