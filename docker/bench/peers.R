# The R part of `make bench`. It follows the same rules as fits/main.go.
#
#   Rscript peers.R FOLDER PEER SIZE    for each line on standard input: fit, predict, or measure the
#                                       memory of a fit or of a prediction
args <- commandArgs(TRUE)
folder <- args[1]; name <- args[2]; size <- args[3]
shape <- as.integer(sub("^[a-z]", "", strsplit(size, "_")[[1]]))
n <- shape[1]; d <- shape[2]; k <- shape[3]
x <- matrix(readBin(file.path(folder, paste0(size, ".x")), "double", n * d), n, d, byrow = TRUE)
colnames(x) <- paste0("x", seq_len(d))
y <- readBin(file.path(folder, paste0(size, ".y")), "integer", n)
x1 <- cbind(1, x)
class <- factor(y)
pairs <- function(p) cbind(p, 1 - p) # as in peers.py
binary <- function(family) list(
  fit = function() glm.fit(x1, as.numeric(y), family = family, control = glm.control(epsilon = 1e-13, maxit = 50)),
  predict = function(m) pairs(family$linkinv(drop(x1 %*% m$coefficients))))
posterior <- function(fit) list(fit = function() fit(x, class), predict = function(m) predict(m, x)$posterior)
peer <- switch(name,
  "R-glm-logit" = binary(binomial()),
  "R-glmnet" = list( # glmnet adds λ/2·‖w‖² to the mean loss; with λ = 1/n this is 1/2·‖w‖² for the sum. The bias has no penalty
    fit = function() glmnet::glmnet(x, y, family = "binomial", alpha = 0, lambda = 1 / n, standardize = FALSE, thresh = 1e-12, maxit = 1e6),
    predict = function(m) pairs(predict(m, x, type = "response"))),
  "R-glm-probit" = binary(binomial("probit")),
  "R-lda" = posterior(MASS::lda),
  "R-qda" = posterior(MASS::qda),
  "R-multinom" = { frame <- data.frame(class = class); frame$x <- x
    list(fit = function() nnet::multinom(class ~ x, frame, maxit = 10000, reltol = 1e-15, abstol = 0, trace = FALSE, MaxNWts = 10000),
         predict = function(m) predict(m, frame, type = "probs")) },
  "R-least-squares" = { t <- diag(k)[y + 1L, ]; list(fit = function() .lm.fit(x1, t), predict = function(m) x1 %*% m$coefficients) },
  stop("no such peer: ", name))
now <- function() as.numeric(Sys.time())
busy <- function() { v <- as.numeric(strsplit(readLines("/proc/stat", 1), " +")[[1]][2:9]); (sum(v) - v[4] - v[5]) / 100 }
own <- function() { p <- proc.time(); p[[1]] + p[[2]] }
resident <- function(what) { l <- readLines("/proc/self/status"); as.numeric(gsub("[^0-9]", "", l[grep(paste0("^", what), l)])) / 1024 }
extra <- function(do) {
  gc(full = TRUE)
  writeLines("5", "/proc/self/clear_refs") # reset the peak VmHWM to the present memory
  before <- resident("VmRSS")
  do()
  resident("VmHWM") - before
}
model <- NULL
cat('{"ready": true}\n')
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  if (startsWith(line, "memory")) {
    mb <- if (line == "memory fit") extra(function() model <<- peer$fit()) else extra(function() peer$predict(model))
    cat(sprintf('{"extra_mb": %.6g}\n', mb))
    flush(stdout())
    next
  }
  began <- now(); before <- busy(); mine <- own(); times <- c()
  failed <- try(while (now() - began < 0.1 || length(times) == 0) {
    one <- now()
    if (trimws(line) == "predict") peer$predict(model) else model <- peer$fit()
    times <- c(times, now() - one)
  }, silent = TRUE)
  if (inherits(failed, "try-error")) {
    cat(sprintf('{"seconds": 0, "error": "%s"}\n', gsub('["\n\\\\]', " ", as.character(failed))))
  } else {
    share <- max(0, busy() - before - (own() - mine)) / ((now() - began) * parallel::detectCores())
    cat(sprintf('{"seconds": %.9g, "others": %.6g}\n', median(times), share))
  }
  flush(stdout())
}
