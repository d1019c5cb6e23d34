"""Compares the speed of the toolkit's fits with scikit-learn, statsmodels, numpy and R (`make bench`).

    docker/bench/run.py [--rounds N] [--only FIT,…] [--sizes SIZE,…] [--python COMMAND]… [--out FILE]

A side is a process that runs one implementation of a fit. The implementations outside the
toolkit are called peers. Each side has the data in memory. The sides take turns in each
round, so that other work of the machine affects all of them equally.

The program prints the median time of the quiet rounds, in which other processes used less
than 6 % of the processors. If no round was quiet, it prints the median of the quieter half
of the rounds, marked with ~. It also prints how many times as long the fastest peer takes.

The toolkit's side also measures two limits of the machine: the time to add all numbers of
X, which reads the memory once, and the number of multiplications and additions per second.
No fit can be faster than one pass at these limits, and no prediction can be faster than
the sum over X. After the rounds, each side fits and predicts once more to measure the memory.

The program omits peers that are not installed, and stops a peer that does not answer
within 300 seconds. It sets no other limits for the times.

Each further --python adds the peers of this Python with its versions of the libraries. An
example is "chroot FOLDER python3", where FOLDER contains mounts of the data and this folder.
"""
import argparse
import json
import os
import pathlib
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parents[1]
SIZES = "n150_d4_k2 n1000_d10_k2 n100000_d20_k2 n100000_d20_k5 n1000000_d50_k2 n1000000_d20_k10".split()
TWO = {"logistic", "logistic-ridge", "probit", "laplace", "perceptron"}  # fits of two-class models
R = {"logistic": ["R-glm-logit"], "logistic-ridge": ["R-glmnet"], "probit": ["R-glm-probit"], "lda": ["R-lda"], "qda": ["R-qda"], "softmax": ["R-multinom"],
     "least-squares": ["R-least-squares"]}
QUIET = 0.06
PAUSE = 0.1  # seconds until the threads of the previous side no longer wait actively for work
OURS = "hyperplane"


class Side:
    """A process that runs one implementation of a fit."""

    reply_timeout = 300  # seconds after which a peer that does not answer is killed

    def __init__(self, name, command):
        self.name = name
        self.fits, self.predicts, self.limits, self.memory, self.why = [], [], [], {}, ""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self.read()
        if not first.get("ready"):
            self.end(first.get("error", "the process did not start"))

    def read(self):
        line = self.process.stdout.readline()
        try:
            return json.loads(line)
        except json.JSONDecodeError:
            return {"error": (line + self.process.stderr.read())[-300:].strip() or "the process ended"}

    def answer(self, what):
        """Sends a line to the side and returns the reply, or {} if the side has ended."""
        if self.why:
            return {}
        time.sleep(PAUSE)
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        timer = threading.Timer(self.reply_timeout, self.process.kill)
        if self.name != OURS:
            timer.start()
        answer = self.read()
        timer.cancel()
        if answer.get("error"):
            self.end(answer["error"])
            return {}
        return answer

    def ask(self, what, into):
        if answer := self.answer(what):
            into.append((answer["others"], answer["seconds"]))

    def measure_limits(self):
        if answer := self.answer("limits"):
            self.limits.append(answer)

    def measure_memory(self, what):
        if answer := self.answer("memory " + what):
            self.memory[what] = answer["extra_mb"]

    def end(self, why=""):
        self.why = why
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


def median(samples):
    """Returns the median of the quiet samples. If no sample was quiet, returns the median of the quieter
    half and the mark ~."""
    quiet = [s for others, s in samples if others < QUIET]
    if quiet:
        return statistics.median(quiet), ""
    least = sorted(samples)[:max(1, len(samples) // 2)]
    return statistics.median(s for _, s in least), "~"


def versions(python):
    """Returns a text with the versions of the libraries in a Python, and the version of scikit-learn."""
    code = "import numpy, scipy, sklearn, statsmodels as s; print('numpy', numpy.__version__, 'scikit-learn', sklearn.__version__, 'statsmodels', s.__version__)"
    found = subprocess.run([*shlex.split(python), "-W", "ignore", "-c", code], capture_output=True, text=True).stdout.strip()
    return found, found.split()[3] if found else ""


def sides(fit, size, folder, program, pythons):
    yield Side(OURS, [program, folder, fit, size])
    for number, python in enumerate(pythons):
        mark = f" ({versions(python)[1]})" if number else ""
        command = [*shlex.split(python), HERE / "peers.py"]
        for line in subprocess.run([*command, "list"], capture_output=True, text=True).stdout.splitlines():
            of, peer = line.split()
            if of == fit:
                yield Side(peer + mark, [*command, folder, peer, size])
    if shutil.which("Rscript"):
        for peer in R.get(fit, []):
            yield Side(peer, ["Rscript", HERE / "peers.R", folder, peer, size])


def measure(fit, size, folder, program, rounds, pythons):
    """Lets all sides take turns. A peer that needs more than a second for a fit, and more than three times
    as long as the fastest peer, takes no further turns."""
    all_sides = list(sides(fit, size, folder, program, pythons))

    def still_competing():
        best = min((median(s.fits)[0] for s in all_sides[1:] if s.fits), default=0)
        return [s for s in all_sides if s is all_sides[0] or not s.fits or median(s.fits)[0] <= max(1, 3 * best)]

    for _ in range(rounds):
        for s in still_competing():
            s.ask("fit", s.fits)
            s.ask("predict", s.predicts)
        all_sides[0].measure_limits()
    for s in still_competing():
        s.measure_memory("fit")
        s.measure_memory("predict")
    for s in all_sides:
        if not s.why:
            s.end()
    return all_sides


def number(seconds):
    ms = 1000 * seconds
    return f"{ms:.3g}" if ms < 1000 else f"{ms:.0f}"


def memory(what, side_list):
    return " / ".join(f"{s.memory[what]:.0f}" if what in s.memory else "–" for s in side_list)


def at_limits(limits, size, classes):
    """Returns the seconds of one read of X, and the seconds of one pass at the machine's limits. A pass
    reads X once and computes the Gram matrix of the rows, each with a 1 appended. Its time is the
    longer of the two. Without vector instructions the time of a pass is unknown; the function then
    returns None for it."""
    n, d = (int(part[1:]) for part in size.split("_")[:2])
    read, flops = min(l["read"] for l in limits), max(l["flops"] for l in limits)
    m = (d + 1) * (classes - 1)
    return read, max(read, n * m * (m + 1) / flops) if flops else None


def rows(fit, size, all_sides):
    ours, peers = all_sides[0], [s for s in all_sides[1:] if s.fits]
    if not ours.fits:
        yield f"| {fit} | {size} | failed: {ours.why} |"
        return
    mine, mark = median(ours.fits)
    cells = [fit, size, mark + number(mine)]
    predict_time = median(ours.predicts)[0]
    read, one_pass = at_limits(ours.limits, size, int(size.split("_k")[1]) if fit == "softmax" else 2)
    limits = [f"{mine / one_pass:.1f}" if one_pass else "–", f"{predict_time / read:.2f}"]
    if peers:
        peers.sort(key=lambda s: median(s.fits)[0])
        theirs, their_mark = median(peers[0].fits)
        fastest = min(peers, key=lambda s: median(s.predicts)[0] if s.predicts else 1e9)
        cells += [f"{peers[0].name} {their_mark}{number(theirs)}", f"{theirs / mine:.1f}×",
                  ", ".join(f"{s.name} {median(s.fits)[0] / mine:.0f}×" for s in peers[1:]) or "–",
                  f"{number(predict_time)} / {number(median(fastest.predicts)[0])} {fastest.name}" if fastest.predicts else number(predict_time),
                  f"{median(fastest.predicts)[0] / predict_time:.1f}×" if fastest.predicts else "–", *limits, memory("fit", [ours, peers[0]]), memory("predict", [ours, fastest])]
    else:
        cells += ["–"] * 3 + [number(predict_time), "–", *limits] + [memory(what, [ours]) + " / –" for what in ("fit", "predict")]
    least = min(others for others, _ in ours.fits)
    yield "| " + " | ".join(cells + [f"{100 * least:.0f} %"]) + " |"


def machine(pythons):
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    go = subprocess.run(["go", "version"], capture_output=True, text=True).stdout.split()[2:3]
    peers = [versions(python)[0] for python in pythons]
    r = subprocess.run(["Rscript", "--version"], capture_output=True, text=True).stdout.strip() if shutil.which("Rscript") else ""
    return f"{os.cpu_count()} processors, {model}; " + ", ".join(filter(None, [*go, *peers, r])) + "."


def kernels(pythons):
    """Returns a text with the kernels that the BLAS libraries of each Python use."""
    found = [subprocess.run([*shlex.split(python), HERE / "peers.py", "kernels"], capture_output=True, text=True).stdout.strip()
             for python in pythons]
    return "; ".join(f"{python.split('/')[-1]} {blas}" for python, blas in zip(pythons, found) if blas) or "no peers"


def roofline(size, limits):
    n, d = (int(part[1:]) for part in size.split("_")[:2])
    read, flops = min(l["read"] for l in limits), max(l["flops"] for l in limits)
    work = n * (d + 1) * (d + 2)
    rate = [f"{flops / 1e9:.0f}", number(work / flops)] if flops else ["–", "–"]
    return "| " + " | ".join([size, f"{8e-6 * n * d:.3g}", number(read), f"{8e-9 * n * d / read:.1f}", f"{1e-9 * work:.3g}", *rate]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="fits, separated by commas")
    parser.add_argument("--sizes", default=",".join(SIZES), help="sizes such as n1000_d10_k2, separated by commas")
    parser.add_argument("--python", action="append", default=["/usr/bin/python3"], metavar="COMMAND", help="one more Python with peers")
    parser.add_argument("--patience", type=float, default=Side.reply_timeout, metavar="SECONDS", help="limit for one fit of a peer (300)")
    parser.add_argument("--out", help="write the table to this file too")
    parser.add_argument("--folder", default=str(pathlib.Path(tempfile.gettempdir()) / "hyperplane-bench"), help="folder of the data, which is kept")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error("--rounds wants a number of at least 1")
    sizes, Side.reply_timeout = args.sizes.split(","), args.patience
    with tempfile.TemporaryDirectory() as bin_folder:
        program = os.path.join(bin_folder, "fits")
        subprocess.run(["go", "build", "-o", program, "./docker/bench/fits"], cwd=REPO, check=True)
        subprocess.run([program, "data", args.folder, *sizes], check=True)
        lines = ["| fit | rows, columns, classes | ms | fastest peer ms | fastest peer ÷ ours (fit) | other peers ÷ ours (fit) | predicting ms ours / fastest peer | fastest peer ÷ ours (predict) | fit / one pass at the limits | predicting / one sum over X | MB of a fit ours / peer | MB of predicting ours / peer | busy with others |",
                 "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
        print("\n".join(lines), flush=True)
        fits = ["logistic", "logistic-ridge", "probit", "laplace", "softmax", "lda", "qda", "naive-bayes", "least-squares", "perceptron"]
        roof, path = [], ""
        for size in sizes:
            limits = []
            for fit in fits:
                many = not size.endswith("_k2")
                if args.only and fit not in args.only.split(",") or fit in TWO and many or fit == "softmax" and not many:
                    continue
                all_sides = measure(fit, size, args.folder, program, args.rounds, args.python)
                limits += all_sides[0].limits
                for row in rows(fit, size, all_sides):
                    lines.append(row)
                    print(row, flush=True)
            if limits:
                path = limits[0]["path"]
                roof.append(roofline(size, limits))
    roof = "\n".join(["| rows, columns, classes | MB of X | ms of one sum over X | GB/s | Gflop of one Gram matrix ΦᵀΦ | Gflop/s | ms at that rate |",
                      "|---|---|---|---|---|---|---|", *roof])
    about = f"{machine(args.python)} Vectors: ours {path}; {kernels(args.python)}."
    text = f"{about}\n\n" + "\n".join(lines) + f"\n\nThe limits of this machine, measured in the same run:\n\n{roof}\n"
    print(f"\n{about}\n\n{roof}")
    if args.out:
        head = pathlib.Path(HERE / "head.md").read_text()
        temporary = pathlib.Path(args.out + ".new")
        temporary.write_text(head.replace("{command}", "docker/bench/run.py " + shlex.join(sys.argv[1:])) + "\n" + text)
        temporary.replace(args.out)


if __name__ == "__main__":
    main()
