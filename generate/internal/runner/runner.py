"""Run the code cells of one notebook in a kernel and tell what happened.

The Go side writes one line of JSON, the job, to standard input and keeps it
open; events come back on standard output, one JSON object a line:

  {"event": "ready"}                          the kernel answers
  {"event": "start", "cell": 3}               the index is that of the job's list
  {"event": "end", "cell": 3, "stopped": "", "count": 4, "outputs": […]}
  {"event": "final", "outputs": {"3": […]}}   cells that a later cell changed
  {"event": "failed", "message": "…"}         no kernel, or not any more

"stopped" says why the cell was cut short: "timeout", "output" (too much of it),
"lost" (it ended, but some of what it put out did not arrive), "stuck" (neither ended
nor let itself be interrupted), "dead" (the kernel is gone).
Ending the processes is left to the Go side, which kills this program's whole
family; when standard input ends instead, the Go side is gone, and it is done here.
"""
import asyncio
import base64
import ctypes
import json
import logging
import os
import shutil
import signal
import sys
import threading
import time

import nbformat.v4 as v4
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

# The kernel inherits 0, 1 and 2: it must not read the job nor write events.
JOB = os.fdopen(os.dup(0), encoding="utf-8")
EVENTS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)

# What a display counts beside its own bytes: no page takes many thousands of them.
DISPLAY_COST = 1000


def path_of(coded):
    """Paths come as bytes: they need be neither UTF-8 nor what the locale writes."""
    return os.fsdecode(base64.b64decode(coded))


def tell(event, **rest):
    json.dump({"event": event, **rest}, EVENTS)
    EVENTS.write("\n")
    EVENTS.flush()


def adopt_orphans():
    """Become the parent of descendants that lost theirs, so that a program
    that detaches itself (setsid, empty environment) is still found."""
    pr_set_child_subreaper = 36
    try:
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)
    except (OSError, AttributeError):
        pass  # not Linux


def descendants():
    children = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as f:
                state, parent = f.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # ended meanwhile
        if state != "Z":
            children.setdefault(int(parent), []).append(int(pid))
    found, todo = [], [os.getpid()]
    while todo:
        more = children.get(todo.pop(), [])
        found += more
        todo += more
    return found


def end_with_stdin(private):
    JOB.read()
    for _ in range(500):
        family = descendants()
        if not family:
            break
        for pid in family:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.01)
    for root, folders, _ in os.walk(private):
        for folder in folders:  # in a read-only one nothing could be removed
            path = os.path.join(root, folder)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    shutil.rmtree(private, ignore_errors=True)
    os._exit(1)


class Client(NotebookClient):
    """NotebookClient that counts what a cell puts out and stops taking it in."""

    stream_cap = display_cap = 0

    def begin(self):
        self.spent = {"stream": 0, "display": 0}
        self.full = asyncio.Event()

    def process_message(self, msg, cell, cell_index):
        content = msg["content"]
        if msg["msg_type"] == "stream":
            room = self.stream_cap - self.spent["stream"]
            self.spent["stream"] += len(content["text"])
            content["text"] = content["text"][: max(room, 0)]
            if self.spent["stream"] > self.stream_cap:
                self.full.set()
            if not content["text"]:
                return None
        elif "data" in content and not msg["msg_type"].startswith("comm"):
            parts = [*content["data"].values(), *content.get("metadata", {}).values()]
            self.spent["display"] += DISPLAY_COST + sum(len(str(part)) for part in parts)
            if self.spent["display"] > self.display_cap:
                self.full.set()
                return None
        return super().process_message(msg, cell, cell_index)


async def run_cell(client, index, job):
    """Execute one cell; return why it was cut short, '' if it was not."""
    client.begin()
    cell = client.nb.cells[index]
    execution = asyncio.ensure_future(client.async_execute_cell(cell, index))
    full = asyncio.ensure_future(client.full.wait())
    stopped = ""
    await asyncio.wait({execution, full}, timeout=job["timeout"], return_when=asyncio.FIRST_COMPLETED)
    if client.full.is_set():
        stopped = "output"
    elif not execution.done():
        stopped = "timeout"
    full.cancel()
    if not execution.done():
        await client.km.interrupt_kernel()
        # GoNB kills a program that ignores the interrupt after 5 seconds; then the
        # last messages have their time.
        await asyncio.wait({execution}, timeout=2 * job["grace"])
    if not execution.done():
        execution.cancel()
        return "stuck"
    try:
        execution.result()
    except DeadKernelError:
        return "dead"
    except CellTimeoutError:  # the kernel's last message did not come
        return stopped or "lost"
    return stopped


async def run(job):
    cells = [v4.new_code_cell(source) for source in job["cells"]]
    client = Client(
        v4.new_notebook(cells=cells),
        kernel_name=job["kernel"],
        allow_errors=True,
        record_timing=False,
        startup_timeout=job["startup"],
        timeout=None,
        iopub_timeout=job["grace"],  # seconds for the last messages to arrive after the reply
        raise_on_iopub_timeout=True,
        resources={"metadata": {"path": path_of(job["folder"])}},
    )
    client.stream_cap, client.display_cap = job["stream_cap"], job["display_cap"]
    async with client.async_setup_kernel():
        tell("ready")
        told = {}
        for index, cell in enumerate(cells):
            tell("start", cell=index)
            stopped = await run_cell(client, index, job)
            told[index] = json.dumps(cell.outputs)
            tell("end", cell=index, stopped=stopped, count=cell.execution_count, outputs=cell.outputs)
            if stopped in ("stuck", "dead"):
                break
        tell("final", outputs={i: cells[i].outputs for i, text in told.items() if text != json.dumps(cells[i].outputs)})
        while True:  # until the Go side ends us all: faster and surer than asking politely
            await asyncio.sleep(60)


def main():
    line = JOB.readline()
    # The current folder is the run's own. What follows may fail: the Go side may
    # have ended in the middle of the line.
    threading.Thread(target=end_with_stdin, args=[os.getcwd()], daemon=True).start()
    adopt_orphans()
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)
    try:
        asyncio.run(run(json.loads(line)))
    except Exception as e:  # whatever it is, the Go side must hear of it
        tell("failed", message=f"{type(e).__name__}: {e}")
    sys.stderr.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
