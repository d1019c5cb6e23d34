"""Measures the resources that a learner needs: the memory and processor time of a GoNB kernel, of its
gopls, and of the programs of its cells. The numbers are from /proc.

    JUPYTER_PATH=.tools/share/jupyter /usr/bin/python3 docker/hub/measure.py [KERNELS]

The argument is the number of kernels to start, one after another; the default is 2. Each kernel runs
a cell that prints, a cell that multiplies matrices, and a cell that checks an exercise. The program
prints a table in Markdown. The memory is the proportional set size (PSS): memory that several
processes share is divided among them.
"""

import os
import statistics
import sys
import threading
import time
from pathlib import Path

from jupyter_client import KernelManager

CELLS = {
    "print": '%noautoget\nimport "fmt"\n%%\nfmt.Println({n})',
    "multiply 400×400": '%noautoget\nimport "gonum.org/v1/gonum/mat"\n%%\n'
    "a := mat.NewDense(400, 400, nil)\na.Set(0, 0, {n})\nvar b mat.Dense\nb.Mul(a, a)",
    "check an exercise": '%noautoget\nimport "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"\n'
    "func LambdaSquared() float64 {{ return {n} }}\n%%\nex25.Check(LambdaSquared)",
}
REPEATS = 5
TICK = os.sysconf("SC_CLK_TCK")


def processes(root):
    """Returns the ids of the process root and of all its descendants."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = {root}
    while True:
        more = {p for p, parent in parents.items() if parent in found} - found
        if not more:
            return found
        found |= more


def pss(pid):
    """Returns the name and the memory in MB of a process, or None if the process has ended."""
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return name, int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def processor(root):
    """Returns the processor time in seconds that the process and its ended children have used."""
    fields = Path(f"/proc/{root}/stat").read_text().rpartition(")")[2].split()
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / TICK


def memory(root):
    """Returns the memory in MB of the process root and its descendants, for each kind of process."""
    kinds = {"gonb": 0.0, "gopls": 0.0, "cell": 0.0}
    for pid in processes(root):
        found = pss(pid)
        if found:
            kinds[found[0] if found[0] in kinds else "cell"] += found[1]
    return kinds


def run(client, root, code):
    """Runs a cell. Returns its duration and processor time in seconds, and the peak memory in MB of the
    compiler and the program of the cell."""
    most, over = 0.0, threading.Event()

    def watch():
        nonlocal most
        while not over.wait(0.02):
            most = max(most, memory(root)["cell"])

    watcher = threading.Thread(target=watch)
    watcher.start()
    began, used = time.monotonic(), processor(root)
    reply = client.execute_interactive(code, timeout=120, output_hook=lambda message: None)
    over.set()
    watcher.join()
    if reply["content"]["status"] != "ok":
        raise SystemExit(f"a cell failed: {reply['content']}")
    return time.monotonic() - began, processor(root) - used, most


def main():
    kernels = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    rows = {name: [] for name in CELLS}
    idle = []
    for _ in range(kernels):
        manager = KernelManager(kernel_name="gonb")
        manager.start_kernel()
        client = manager.client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=60)
            root = manager.provisioner.process.pid
            for name, code in CELLS.items():
                for n in range(REPEATS + 1):
                    row = run(client, root, code.format(n=n + 1))
                    if n:  # the first run may also compile packages that are not in the cache
                        rows[name].append(row)
            time.sleep(2)
            before = processor(root)
            idle.append({**memory(root), "rest": 0.0})
            time.sleep(5)
            idle[-1]["rest"] = (processor(root) - before) / 5
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=False)
    median = statistics.median
    print(f"Medians of {kernels} kernels, {REPEATS} cells of each kind.\n")
    print("| an idle kernel after use | MB |\n|---|---|")
    for kind in ("gonb", "gopls"):
        print(f"| {kind} | {median(k[kind] for k in idle):.0f} |")
    print(f"\nprocessor at rest: {100 * median(k['rest'] for k in idle):.1f} %\n")
    print("| cell | s | processor s | most MB of compiler and program |\n|---|---|---|---|")
    for name, found in rows.items():
        took, used, most = (median(column) for column in zip(*found))
        print(f"| {name} | {took:.2f} | {used:.2f} | {most:.0f} |")


if __name__ == "__main__":
    main()
