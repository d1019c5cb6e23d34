"""Run the code cells of one notebook in a kernel and report the results.

The Go program that starts this program writes the job, one line of JSON, to
standard input. It keeps standard input open. This program writes events to
standard output, one JSON object per line:

  {"event": "ready"}                          the kernel responds
  {"event": "start", "cell": 3}               3 is an index in the job's list of cells
  {"event": "end", "cell": 3, "stopped": "", "count": 4, "outputs": […]}
  {"event": "final", "outputs": {"3": […]}}   outputs that a later cell has changed
  {"event": "failed", "message": "…"}         the kernel did not start, or has ended

"stopped" is the reason why a cell was stopped early, or "":
  "timeout"  the cell reached its time limit
  "output"   the cell reached the output limit
  "lost"     the cell ended, but some of its outputs did not arrive
  "stuck"    the cell ignored the interrupt and did not end
  "dead"     the kernel has ended
At the end, the Go program kills this program and all of its descendants. If
standard input ends first, the Go program has ended. Then this program kills its
descendants itself.
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

# The kernel inherits the file descriptors 0, 1 and 2. It must neither read the job
# nor write events, so use other descriptors for them.
JOB = os.fdopen(os.dup(0), encoding="utf-8")
EVENTS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)

# Each display counts as this many characters in addition to its own characters. This limits
# the number of displays, because a page cannot show many thousands of them.
DISPLAY_COST = 1000


def path_of(coded):
    """Decode a path. The job contains paths as base64, because a path need not be valid UTF-8."""
    return os.fsdecode(base64.b64decode(coded))


def tell(event, **rest):
    json.dump({"event": event, **rest}, EVENTS)
    EVENTS.write("\n")
    EVENTS.flush()


def adopt_orphans():
    """Become the parent of descendants whose parent has ended. Then even a program
    that detaches itself (setsid, empty environment) is found and killed."""
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
        for folder in folders:  # make it writable, because files in a read-only folder cannot be removed
            path = os.path.join(root, folder)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    shutil.rmtree(private, ignore_errors=True)
    os._exit(1)


class Client(NotebookClient):
    """NotebookClient that limits the outputs of a cell. It drops outputs beyond the limits."""

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
    """Execute one cell. Return the reason why it was stopped early, or ''."""
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
        # If a program ignores the interrupt, GoNB kills it after 5 seconds. After that,
        # allow some time for the last messages to arrive.
        await asyncio.wait({execution}, timeout=2 * job["grace"])
    if not execution.done():
        execution.cancel()
        return "stuck"
    try:
        execution.result()
    except DeadKernelError:
        return "dead"
    except CellTimeoutError:  # the kernel's last message did not arrive
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
        while True:  # wait until the Go program kills this process and its descendants
            await asyncio.sleep(60)


def main():
    line = JOB.readline()
    # The current folder belongs to this run only, so it may be removed. Start the thread
    # before anything can fail: the Go program may have ended while it wrote the line.
    threading.Thread(target=end_with_stdin, args=[os.getcwd()], daemon=True).start()
    adopt_orphans()
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)
    try:
        asyncio.run(run(json.loads(line)))
    except Exception as e:  # report every error to the Go program
        tell("failed", message=f"{type(e).__name__}: {e}")
    sys.stderr.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
