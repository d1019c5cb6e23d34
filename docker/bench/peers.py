"""The Python part of `make bench`. It follows the same rules as fits/main.go.

    peers.py FOLDER PEER SIZE     for each line "fit", "predict", "memory fit" or "memory predict" on
                                  standard input, print a line of JSON
    peers.py list                 print a line for each peer: the name of the fit and the name of the peer
    peers.py kernels              print the kernels that the BLAS libraries use

A peer is a fit of a different library. All likelihood fits stop at the same accuracy: every entry of
the gradient, divided by the number of rows, is at most 1e-8.
"""
import ctypes
import gc
import json
import os
import resource
import statistics
import sys
import time
import warnings

warnings.filterwarnings("ignore")
TOL = 1e-8
SHORT = 0.1


def ones(x):
    import numpy as np
    return np.column_stack([np.ones(len(x)), x])


def one_hot(y):
    import numpy as np
    return np.eye(y.max() + 1)[y]


def newton(x1, y, alpha):
    """Logistic regression by Newton's method in plain numpy, as in a textbook."""
    import numpy as np
    w = np.zeros(x1.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x1 @ w)))
        g = x1.T @ (p - y) + alpha * w
        h = (x1 * (p * (1 - p))[:, None]).T @ x1
        h[np.diag_indices_from(h)] += alpha
        if np.abs(g).max() < TOL * len(y):
            break
        w = w - np.linalg.solve(h, g)
    return w, h


def pairs(p):
    """Returns the probabilities of both classes, as predict_proba of scikit-learn and Posterior of the toolkit do."""
    import numpy as np
    return np.column_stack([p, 1 - p])


def logistic_numpy(x, y):
    import numpy as np
    x1 = ones(x)
    return lambda: newton(x1, y, 0), lambda m: pairs(1 / (1 + np.exp(-(x1 @ m[0]))))


def laplace_numpy(x, y):
    import numpy as np
    import scipy.linalg as sl
    x1 = ones(x)

    def fit():
        w, h = newton(x1, y, 1.0)
        return w, sl.cho_factor(h, lower=True)

    def predict(m):
        w, (c, _) = m
        v = sl.solve_triangular(np.tril(c), x1.T, lower=True)
        return pairs(1 / (1 + np.exp(-(x1 @ w) / np.sqrt(1 + np.pi * (v * v).sum(0) / 8))))
    return fit, predict


def squares_numpy(x, y):
    import scipy.linalg as sl
    x1, t = ones(x), one_hot(y)
    return lambda: sl.cho_solve(sl.cho_factor(x1.T @ x1), x1.T @ t), lambda w: x1 @ w


def sklearn(make, predict="predict_proba"):
    def both(x, y):
        model = make()  # make also imports the library, so that the measured time does not include the import
        return lambda: type(model)(**model.get_params()).fit(x, y), lambda m: getattr(m, predict)(x)
    return both


def logistic(solver):
    def make():
        import numpy as np
        import sklearn
        from sklearn.linear_model import LogisticRegression
        none = None if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 2) else "none"
        return LogisticRegression(penalty=none, solver=solver, tol=TOL, max_iter=100000)
    return make


def ridge_logistic(solver, **more):
    """Logistic regression with the penalty ½‖w‖², which excludes the bias, as in fits/main.go."""
    def make():
        from sklearn.linear_model import LogisticRegression
        return LogisticRegression(C=1.0, solver=solver, tol=TOL, max_iter=100000, **more)
    return make


def softmax_newton():
    import sklearn
    if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 6):
        raise RuntimeError("in this version, newton-cholesky fits one class against the rest")
    return logistic("newton-cholesky")()


def lda(solver):
    def make():
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
        return LinearDiscriminantAnalysis(solver=solver)
    return make


def qda():
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    return QuadraticDiscriminantAnalysis()


def qda_eigen():
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    return QuadraticDiscriminantAnalysis(solver="eigen")


def bayes():
    from sklearn.naive_bayes import GaussianNB
    return GaussianNB()


def ridge():
    from sklearn.linear_model import RidgeClassifier
    return RidgeClassifier(alpha=1e-6, solver="cholesky")


def perceptron():
    from sklearn.linear_model import Perceptron
    return Perceptron(max_iter=10, tol=None, shuffle=True, random_state=0)


def statsmodels(name):
    def both(x, y):
        import statsmodels.api as sm
        x1 = ones(x)
        return (lambda: getattr(sm, name)(y, x1).fit(method="newton", tol=1e-10, maxiter=100, disp=0),
                lambda m: pairs(m.predict(x1)))
    return both


PEERS = {
    "sklearn-newton-cholesky": ("logistic", sklearn(logistic("newton-cholesky"))),
    "sklearn-lbfgs": ("logistic", sklearn(logistic("lbfgs"))),
    "numpy-newton": ("logistic", logistic_numpy),
    "statsmodels-logit": ("logistic", statsmodels("Logit")),
    "sklearn-ridge-newton-cholesky": ("logistic-ridge", sklearn(ridge_logistic("newton-cholesky"))),
    "sklearn-ridge-lbfgs": ("logistic-ridge", sklearn(ridge_logistic("lbfgs"))),
    # liblinear also penalises the bias; with this scaling, the factor is 1/10000 of the factor of other weights
    "sklearn-liblinear": ("logistic-ridge", sklearn(ridge_logistic("liblinear", intercept_scaling=100.0))),
    "statsmodels-probit": ("probit", statsmodels("Probit")),
    "numpy-laplace": ("laplace", laplace_numpy),
    "sklearn-softmax-lbfgs": ("softmax", sklearn(logistic("lbfgs"))),
    "sklearn-softmax-newton": ("softmax", sklearn(softmax_newton)),
    "sklearn-lda-lsqr": ("lda", sklearn(lda("lsqr"))),
    "sklearn-lda-svd": ("lda", sklearn(lda("svd"))),
    "sklearn-qda": ("qda", sklearn(qda)),
    "sklearn-qda-eigen": ("qda", sklearn(qda_eigen)),
    "sklearn-naive-bayes": ("naive-bayes", sklearn(bayes)),
    "numpy-cholesky": ("least-squares", squares_numpy),
    "sklearn-ridge": ("least-squares", sklearn(ridge, "decision_function")),
    "sklearn-perceptron": ("perceptron", sklearn(perceptron, "predict")),
}


def busy():
    v = [int(n) for n in open("/proc/stat").readline().split()[1:9]]
    return (sum(v) - v[3] - v[4]) / os.sysconf("SC_CLK_TCK")


def own():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def resident(what):
    """Returns VmRSS or VmHWM of this process, in MB."""
    line = next(line for line in open("/proc/self/status") if line.startswith(what))
    return int(line.split()[1]) / 1024


def extra(do):
    """Returns the result of do() and the peak memory of the call in MB."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")  # reset the peak VmHWM to the present memory
    before = resident("VmRSS")
    out = do()
    return out, resident("VmHWM") - before


def blas():
    import scipy.linalg
    import threadpoolctl
    return ", ".join(sorted({f"{p['internal_api']} {p.get('version')} {p.get('architecture', '')}".strip()
                             for p in threadpoolctl.threadpool_info() if p["user_api"] == "blas"}))


def tell(**line):
    print(json.dumps(line), flush=True)


def main():
    if sys.argv[1:] == ["list"]:
        for name, (fit, _) in PEERS.items():
            print(fit, name)
        return
    if sys.argv[1:] == ["kernels"]:
        print(blas())
        return
    if len(sys.argv) != 4 or sys.argv[2] not in PEERS:
        sys.exit("usage: peers.py FOLDER PEER SIZE | peers.py list | peers.py kernels")
    import numpy as np
    folder, name, size = sys.argv[1:]
    n, d, _ = (int(part[1:]) for part in size.split("_"))
    x = np.fromfile(f"{folder}/{size}.x").reshape(n, d)
    y = np.fromfile(f"{folder}/{size}.y", np.int32).astype(np.int64)
    try:
        fit, predict = PEERS[name][1](x, y)
    except Exception as e:  # this version of the library lacks the solver
        tell(ready=False, error=f"{type(e).__name__}: {e}")
        return
    model = None
    tell(ready=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "memory":
            if words[1] == "fit":
                model = None
                model, mb = extra(fit)
            else:
                _, mb = extra(lambda: predict(model))
            tell(extra_mb=mb)
            continue
        began, before, mine, times = time.perf_counter(), busy(), own(), []
        try:
            while time.perf_counter() - began < SHORT or not times:
                one = time.perf_counter()
                if words == ["predict"]:
                    predict(model)
                else:
                    model = fit()
                times.append(time.perf_counter() - one)
        except Exception as e:
            tell(seconds=0, error=f"{type(e).__name__}: {e}")
            continue
        wall = time.perf_counter() - began
        tell(seconds=statistics.median(times),
             others=max(0, busy() - before - (own() - mine)) / (wall * os.cpu_count()))


main()
