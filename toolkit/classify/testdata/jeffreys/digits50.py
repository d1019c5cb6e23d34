# Writes digits50.json: run "python3 digits50.py > digits50.json" in this folder, after reference.R.
# Logistic regression under Jeffreys' prior and by maximum likelihood, with the ends of the 95 %
# profile-likelihood intervals, in 50-digit arithmetic (mpmath 1.3.0). It shares no formula with the
# Go code but the objective: |H| is a determinant, derivatives are differences with steps of 1e-20,
# and an infinite weight is a weight of 2000.
import json
import sys
from mpmath import mp, mpf, matrix, det, exp, log, log1p, lu_solve, nstr, sqrt

mp.dps = 50
Q = mpf("3.841458820694124032258353580") / 2  # 0.95 quantile of chi squared with 1 degree of freedom
STEP = mpf(10) ** -20


def objective(rows, t, weights, jeffreys):
    phi = [[mpf(1)] + [mpf(v) for v in r] for r in rows]
    t, weights = [mpf(v) for v in t], [mpf(v) for v in weights]

    def value(w):
        e, h = mpf(0), matrix(len(w), len(w))
        for f, tn, k in zip(phi, t, weights):
            a = sum(u * v for u, v in zip(w, f))
            odds = exp(a)
            e += k * (log1p(odds) - tn * a)
            if jeffreys:
                r = k * odds / (1 + odds) ** 2
                for i, u in enumerate(f):
                    for j in range(i + 1):
                        h[i, j] += r * u * f[j]
        if jeffreys:
            for i in range(len(w)):
                for j in range(i):
                    h[j, i] = h[i, j]
            e -= log(det(h)) / 2
        return e

    return value


def derivatives(value, w, free):
    def at(*moves):
        v = list(w)
        for i, s in moves:
            v[i] += s * STEP
        return value(v)
    n, e = len(free), value(w)
    g, h = matrix(n, 1), matrix(n, n)
    for a, i in enumerate(free):
        up, down = at((i, 1)), at((i, -1))
        g[a] = (up - down) / (2 * STEP)
        h[a, a] = (up - 2 * e + down) / STEP ** 2
        for b, j in enumerate(free[:a]):
            h[a, b] = h[b, a] = (at((i, 1), (j, 1)) - at((i, 1), (j, -1)) - at((i, -1), (j, 1)) + at((i, -1), (j, -1))) / (4 * STEP ** 2)
    return e, g, h


def minimise(value, w, free):
    w = list(w)
    for _ in range(100):
        e, g, h = derivatives(value, w, free)
        d = lu_solve(h, g)
        if sum(u * v for u, v in zip(g, d)) <= 0:  # no minimum nearby: go down the gradient
            d = g
        s = mpf(1)
        while s > mpf(2) ** -30:
            v = list(w)
            for a, i in enumerate(free):
                v[i] -= s * d[a]
            if value(v) <= e:
                break
            s /= 2
        w = v
        # rounding of the differences leaves steps of about 1e-30 / 1e-10
        if max(abs(s * x) for x in d) < mpf(10) ** -18:
            return w, value(w)
    raise ValueError("no minimum")


def end(value, w, least, j, side, step, held):
    """the w_j beyond which min E exceeds least + Q, by the secant method on the signed root"""
    free = [i for i in range(len(w)) if i not in (j, held)]

    def root(c, start):
        v = list(start)
        v[j] = c
        v, e = minimise(value, v, free)
        return side * (sqrt(2 * max(e - least, mpf(0))) - sqrt(2 * Q)), v
    a, v = w[j] + side * step, w
    za, v = root(a, v)
    b = a + side * step / 4
    zb, v = root(b, v)
    for _ in range(60):
        c = b - zb * (b - a) / (zb - za)
        c = max(min(c, b + 2 * step), b - 2 * step)
        a, za = b, zb
        zb, v = root(c, v)
        b = c
        if abs(a - b) < mpf(10) ** -17:
            return b
    raise ValueError("no end")


def solve(name, rows, t, weights, jeffreys, infinite=None):
    value = objective(rows, t, weights, jeffreys)
    m = len(rows[0]) + 1
    w = [mpf(0)] * m
    free = list(range(m))
    if infinite is not None:  # with its column scaled, w_j = 2000 is infinity
        j, sign = infinite
        free.remove(j)
        w[j] = mpf(2000 * sign)
    w, least = minimise(value, w, free)
    _, _, h = derivatives(value, w, free)
    se = {i: sqrt((h ** -1)[a, a]) for a, i in enumerate(free)}
    lower, upper = [], []
    held = infinite[0] if infinite else None  # 2000 for the other intervals, too
    for j in range(m):
        if infinite is not None and j == infinite[0]:
            start = list(w)
            start[j] = mpf(0)
            e = [None, None]
            e[infinite[1] < 0] = end(value, start, least, j, -infinite[1], mpf(1) / 2, j)
            lower.append(e[0] if e[0] is not None else mpf("-inf"))
            upper.append(e[1] if e[1] is not None else mpf("inf"))
            continue
        lower.append(end(value, w, least, j, -1, 2 * se[j], held))
        upper.append(end(value, w, least, j, 1, 2 * se[j], held))
    text = lambda v: [nstr(x, 17) for x in v]
    return {"name": name, "x": rows, "t": t, "weights": weights, "jeffreys": jeffreys, "w": text(w), "e": nstr(least, 17),
            "lower": text(lower), "upper": text(upper)}


ref = json.load(open("reference.json"))
endo, bud = ref["endometrial"], ref["budworm"]
ones = lambda t: [1] * len(t)
line = [[-3], [-2], [-1], [1], [2], [3]]
quasi = [[0], [1], [2], [2], [3], [4]]
cases = [
    ("budworm", bud["x"], [d / 20 for d in bud["dead"]], [20] * 12, True),
    ("budworm by maximum likelihood", bud["x"], [d / 20 for d in bud["dead"]], [20] * 12, False),
    ("separable", line, [0, 0, 0, 1, 1, 1], ones(line), True),
    ("touching", quasi, [0, 0, 0, 1, 1, 1], ones(quasi), True),
    ("one class", [[0], [1], [5]], [1, 1, 1], [1, 1, 1], True),
    ("two rows", [[0], [1]], [0, 1], [1, 1], True),
    ("two columns, weights", [[1, 0], [0, 2], [3, 1], [-1, 1], [2, -2], [0, 0]], [1, 0, 1, 0, 1, 0.25],
     [1, 0.5, 2, 3, 0.25, 4], True),
    ("800", [[-800], [-799], [799], [800]], [0, 0, 1, 1], [1, 1, 1, 1], True),
    ("units", [[1e-6, 3e5], [2e-6, 1e5], [-1e-6, 2e5], [0, 0], [3e-6, -1e5], [-2e-6, -2e5], [1e-6, 1e5]],
     [0, 1, 0, 1, 1, 0, 1], [1] * 7, True),
    ("endometrial", endo["x"], endo["t"], ones(endo["t"]), True),
    ("endometrial by maximum likelihood, NV infinite", endo["x"], endo["t"], ones(endo["t"]), False, (1, 1)),
]
out = []
for c in cases:
    x, unit = c[1], [1] * len(c[1][0])
    if c[0] == "800":
        unit = [1 / 256]
    if c[0] == "units":
        unit = [2.0 ** 20, 2.0 ** -17]  # powers of two: the scaled columns are exact
    r = solve(c[0], [[v * u for v, u in zip(row, unit)] for row in x], *c[2:])
    r["x"] = x
    for key in ("w", "lower", "upper"):
        r[key] = [nstr(mpf(v) * k, 17) for v, k in zip(r[key], [1] + unit)]
    if c[4]:  # |H| of the scaled columns is smaller by the squares of the scales
        r["e"] = nstr(mpf(r["e"]) + sum(log(mpf(u)) for u in unit), 17)
    out.append(json.dumps(r))
    print(out[-1], file=sys.stderr, flush=True)
print("[\n" + ",\n".join(out) + "\n]")
