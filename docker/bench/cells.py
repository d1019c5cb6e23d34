"""Measures the time of a cell, from the request until the kernel is idle again.

    docker/bench/cells.py [--rounds N] [--stock | --against FOLDER] [--json FILE]

There are five cells: the first only prints, the second fits a model, the third checks an
answer, the fourth draws a figure, and the fifth shows an interactive chart. Each run of a
cell contains a new constant, so that no result of an earlier run can be reused. The cells
take turns, so that other work of the machine affects all of them equally. The program
prints the median time of each cell, and its ratio to the time of the first cell.

A second kernel can take turns with the first. With --stock it is GoNB as its own
`--install` configures it, without the project's settings. It then runs `go get` before
every cell and passes no flags to the linker. With --against it is the kernel in a
different Jupyter data folder.

The program fails if a cell does not work, but it sets no limit for the times.
"""
import argparse
import json
import os
import pathlib
import queue
import statistics
import subprocess
import sys
import tempfile
import time

from jupyter_client.manager import KernelManager

REPO = pathlib.Path(__file__).resolve().parents[2]
MODULE = "github.com/hyperplane-notebooks/hyperplane"

IMPORTS = f"""import (
	"fmt"
	"math"

	"{MODULE}/exercises/prml4/ex25"
	"{MODULE}/toolkit"
	"{MODULE}/toolkit/classify"
	"{MODULE}/toolkit/datasets"
	"{MODULE}/toolkit/show"
)"""

DATA = """iris := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_length", "petal_width"))
t := toolkit.Must(iris.Target("versicolor"))
m := toolkit.Must(classify.FitLogistic(iris.X, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: NUMBER}}))
"""

CELLS = {
    "print": "%%\nfmt.Println(NUMBER)",
    "fit": "%%\n" + DATA + "fmt.Println(m)",
    "check": "func LambdaSquared() float64 { return math.Pi / 8 * NUMBER / NUMBER }\n%%\nex25.Check(LambdaSquared)",
    "plot": "%%\n" + DATA + "show.Display(show.Regions(m, iris, show.RegionsOptions{}))",
    "chart": "%%\n" + DATA + "show.DisplayChart(show.Interactive(show.Regions(m, iris, show.RegionsOptions{})))",
}


class Kernel:
    """A GoNB kernel. Each cell that it runs contains a number that no earlier cell contained."""

    def __init__(self, name, folder, first, work):
        os.environ["JUPYTER_DATA_DIR"] = str(folder)  # folder of the kernel specification
        self.name, self.number = name, 0
        self.manager = KernelManager(kernel_name="gonb")
        self.manager.start_kernel(cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)
        self.run(first)

    def run(self, code):
        """Runs code and returns the seconds until the kernel is idle again."""
        began = time.perf_counter()
        request = self.client.execute(code)
        failed = None
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=300)
            except queue.Empty:
                sys.exit(f"{self.name}: no answer in 300 s to\n{code}")
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["msg_type"] == "error":
                failed = "\n".join(message["content"]["traceback"])
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        took = time.perf_counter() - began
        if failed:
            sys.exit(f"{self.name}: {failed}\nin\n{code}")
        return took

    def cell(self, kind):
        self.number += 1
        return self.run(CELLS[kind].replace("NUMBER", f"{self.number}.5"))

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel()


def stock(folder):
    """Lets GoNB install its own kernel specification for this checkout, and returns the folder."""
    gonb = json.loads((REPO / ".tools/share/jupyter/kernels/gonb/kernel.json").read_text())["argv"][0]
    subprocess.run([gonb, "--install", f"--go_work={REPO}"], check=True, capture_output=True,
                   env=os.environ | {"JUPYTER_DATA_DIR": str(folder)})
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="how often each cell is run")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--stock", action="store_true", help="compare with GoNB as it installs itself")
    other.add_argument("--against", metavar="FOLDER", help="compare with the kernel of another Jupyter data folder")
    parser.add_argument("--json", help="write the seconds of all rounds to this file")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error("--rounds wants a number of at least 1")

    os.environ["PATH"] = f"{REPO}/.tools/bin:{os.environ['PATH']}"
    kernels, times = [], {}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as work:
        try:
            kernels.append(Kernel("hyperplane", REPO / ".tools/share/jupyter", "%noautoget\n" + IMPORTS, work))
            if args.stock:
                kernels.append(Kernel("other", stock(pathlib.Path(folder)), IMPORTS, work))
            if args.against:
                kernels.append(Kernel("other", args.against, "%noautoget\n" + IMPORTS, work))
            for kernel in kernels:
                times[kernel.name, "first"] = [kernel.cell("fit")]
                for kind in CELLS:
                    kernel.cell(kind)
            for _ in range(args.rounds):
                for kind in CELLS:
                    for kernel in kernels:
                        times.setdefault((kernel.name, kind), []).append(kernel.cell(kind))
        finally:
            for kernel in kernels:
                kernel.close()

    print(f"medians of {args.rounds}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(f"{'cell':6} {'ms':>6} {'times print':>12}" + (f" {'other ms':>9} {'other / ours':>13}" if len(kernels) > 1 else ""))
    median = {key: 1000 * statistics.median(value) for key, value in times.items()}
    for kind in CELLS:
        ours = median["hyperplane", kind]
        line = f"{kind:6} {ours:6.0f} {ours / median['hyperplane', 'print']:12.2f}"
        if len(kernels) > 1:
            line += f" {median['other', kind]:9.0f} {median['other', kind] / ours:13.2f}"
        print(line)
    print(f"first  {median['hyperplane', 'first']:6.0f}   (a fit, in a kernel that has just started)")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps({" ".join(k): v for k, v in times.items()}, indent=1) + "\n")


if __name__ == "__main__":
    main()
