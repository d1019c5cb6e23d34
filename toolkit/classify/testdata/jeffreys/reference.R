# Writes reference.json: run "Rscript reference.R > reference.json" in this folder. The values stored
# here were made by R 4.2.2 with brglm2 0.9, MASS 7.3-58.2 and lpSolve 5.6.18 (Debian 12).
#
# endometrial: the data of Heinze and Schemper (2002) as brglm2 contains them. For the logit link the
# type "AS_mean" of brglm2 is the likelihood under Jeffreys' prior.
# budworm: the data of the help page of MASS::dose.p, 12 groups of 20; confint is the profile
# likelihood of MASS, which interpolates a spline, so that about 4 digits are right.
# konis: 200 random designs of integers, and for each weight (bias first) the largest and the least
# value along which no row's likelihood falls, in a box, and the direction of one program for all
# weights: the linear programs of Konis (2007), chapter 4, in lpSolve.
suppressMessages({library(brglm2); library(MASS); library(lpSolve)})
num <- function(v) paste0("[", paste(format(v, digits = 17, trim = TRUE), collapse = ","), "]")
rows <- function(x) paste0("[", paste(apply(x, 1, num), collapse = ","), "]")
cat("{\n\"endometrial\":{")
data(endometrial, package = "brglm2")
x <- as.matrix(endometrial[, c("NV", "PI", "EH")])
f <- glm(HG ~ NV + PI + EH, binomial, endometrial, method = "brglmFit", type = "AS_mean", epsilon = 1e-14, maxit = 1000)
cat("\"x\":", rows(x), ",\n\"t\":", num(endometrial$HG), ",\n\"w\":", num(coef(f)), ",\"se\":",
    num(sqrt(diag(vcov(f)))), "},\n\"budworm\":{", sep = "")
dose <- rep(0:5, 2); male <- rep(c(1, 0), each = 6)
dead <- c(1, 4, 9, 13, 18, 20, 0, 2, 6, 10, 12, 16)
b <- glm(cbind(dead, 20 - dead) ~ dose + male, binomial, control = list(epsilon = 1e-14, maxit = 100))
ci <- suppressMessages(MASS:::confint.glm(b))
a <- glm(cbind(dead, 20 - dead) ~ dose + male, binomial, method = "brglmFit", type = "AS_mean", epsilon = 1e-14, maxit = 1000)
cat("\"x\":", rows(cbind(dose, male)), ",\n\"dead\":", num(dead), ",\n\"w\":", num(coef(b)), ",\"lower\":",
    num(ci[, 1]), ",\"upper\":", num(ci[, 2]), ",\n\"jeffreys\":", num(coef(a)), "},\n\"konis\":[\n", sep = "")
set.seed(4156)
program <- function(z, objective) {
  k <- ncol(z) # the weights are p − q, 0 ≤ p, q ≤ 1
  s <- lp("max", c(objective, -objective), rbind(cbind(z, -z), diag(2 * k)), c(rep(">=", nrow(z)), rep("<=", 2 * k)),
          c(rep(0, nrow(z)), rep(1, 2 * k)))
  v <- s$solution[1:k] - s$solution[k + 1:k]
  v[abs(v) < 1e-9] <- 0
  v
}
for (i in 1:200) {
  repeat {
    d <- sample(1:3, 1); n <- sample((d + 2):12, 1)
    x <- matrix(sample(-3:3, n * d, TRUE), n, d)
    t <- if (i %% 4 == 0) sample(0:1, n, TRUE) else as.numeric(x %*% sample(-1:1, d, TRUE) + sample(-1:1, n, TRUE) * (i %% 3 == 0) > 0)
    if (qr(cbind(1, x))$rank == d + 1 && length(unique(t)) == 2) break
  }
  z <- (2 * t - 1) * cbind(1, x)
  e <- diag(d + 1)
  up <- sapply(1:(d + 1), function(j) sum(program(z, e[j, ]) * e[j, ]))
  down <- sapply(1:(d + 1), function(j) sum(program(z, -e[j, ]) * e[j, ]))
  cat("{\"x\":", rows(x), ",\"t\":", num(t), ",\"most\":", num(sign(up)), ",\"least\":", num(sign(down)),
      ",\"find\":", num(sign(program(z, colSums(z)))), "}", if (i < 200) ",", "\n", sep = "")
}
cat("]}\n")
