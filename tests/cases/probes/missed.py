"""Functions that read what no seed pins and that no sensor sees: the limits."""


def misses_raw_generator(x):
    import _random

    return _random.Random().random() >= 0


def misses_an_original_called_from_c(x):
    import sys

    del sys.modules["time"]
    import time

    return list(map(time.ctime, [None])) > []


def misses_ctypes(x):
    import ctypes

    return ctypes.CDLL(None).time(None) != 0


def misses_database(x):
    import sqlite3

    return sqlite3.connect(":memory:").execute("select random()").fetchone() != 0


def misses_the_clock_of_a_database(x):
    import sqlite3

    return sqlite3.connect(":memory:").execute("select datetime('now')").fetchone() != 0


def misses_child_process(x):
    import subprocess

    return subprocess.run(["date"], capture_output=True).stdout != 0


def misses_file_time(x):
    import os

    name = os.environ["TMPDIR"] + "/x"
    open(name, "w").close()
    return os.stat(name).st_mtime > 0


def misses_number_of_process(x):
    import os

    return os.getpid() > 0


def misses_number_of_thread(x):
    import threading

    return threading.get_ident() > 0


def misses_address(x):
    return id(object()) > 0


def misses_device_by_bytes(x):
    return open(b"/dev/urandom", "rb").read(1) >= b""


def misses_record_of_logging(x):
    import logging

    return logging.makeLogRecord({}).created > 0


def misses_name_of_tempfile(x):
    import tempfile

    return tempfile.mkdtemp() > ""


def misses_c_function_as_thread(x):
    import threading, time

    t = threading.Thread(target=time.time)
    t.start()
    t.join()
    return 1


def misses_unasked_hook(x):
    import sys, ssl

    sys.setprofile(None)
    return ssl.RAND_bytes(1) >= b""
