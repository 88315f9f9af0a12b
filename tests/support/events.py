"""Waits for events of the system: a change in a folder, the end of a process. Nobody looks again and again, or sleeps."""

import fcntl
import os
import select
import signal
import time

APPEARS = fcntl.DN_CREATE | fcntl.DN_RENAME
CHANGES = APPEARS | fcntl.DN_DELETE | fcntl.DN_MODIFY
IS_READ = fcntl.DN_ACCESS  # a file in the folder

_signals = None  # a descriptor that can be read after a signal


def _woken_by_signals():
    """Has changes in folders and ends of children make a descriptor readable, which is returned."""
    global _signals
    if _signals is None:
        _signals, written = os.pipe()
        for end in (_signals, written):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        for number in (signal.SIGIO, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)
    return _signals


def _nearest(folder):
    """The folder, or the next one above it that exists."""
    while not folder.is_dir():
        folder = folder.parent
    return folder


def _open(folder):
    """(folder, descriptor) of the nearest folder."""
    while True:
        nearest = _nearest(folder)
        try:
            return nearest, os.open(nearest, os.O_RDONLY)
        except FileNotFoundError:  # it has just gone
            pass


def wait_for_event(folders, limit_s, what=APPEARS, is_over=lambda: False):
    """Waits until something happens in one of the folders, or a child ends; false where nothing does within the limit.

    A folder that does not exist yet is awaited, too. Once the folders are watched, is_over says whether there is still something to await.
    """
    signals = _woken_by_signals()
    watched = [_open(folder) for folder in folders]
    try:
        for folder, (nearest, descriptor) in zip(folders, watched):
            fcntl.fcntl(descriptor, fcntl.F_NOTIFY, what if folder == nearest else APPEARS)
        # What happened before the folders were watched is seen now, what comes later wakes.
        if is_over() or any(nearest != _nearest(folder) for folder, (nearest, _) in zip(folders, watched)):
            return True
        if not select.select([signals], [], [], limit_s)[0]:
            return False
        os.read(signals, 4096)
        return True
    finally:
        for _, descriptor in watched:
            os.close(descriptor)


def wait_until(condition, folders, limit_s, what=APPEARS):
    """Looks at the condition at first and after each event; false where it does not come within the limit."""
    end = time.monotonic() + limit_s
    while not condition():
        if not wait_for_event(folders, max(0, end - time.monotonic()), what, condition):
            return condition()
    return True


def wait_for_end(process, limit_s):
    """Waits for the end of a process that need not be a child, by a descriptor of os.pidfd_open(); false where it goes on."""
    return bool(select.select([process], [], [], limit_s)[0])
