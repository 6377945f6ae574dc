"""A single server at load 0.8 in SimPy, as its documentation writes one.

Prints processor seconds and the mean sojourn: mm1.py ARRIVALS
"""

import random
import resource
import sys

import simpy


def cpu():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def customer(env, server, sojourns):
    came = env.now
    with server.request() as turn:
        yield turn
        yield env.timeout(random.expovariate(1.0))
    sojourns[0] += env.now - came


def source(env, server, count, sojourns):
    for _ in range(count):
        yield env.timeout(random.expovariate(0.8))
        env.process(customer(env, server, sojourns))


def main():
    count = int(sys.argv[1])
    random.seed(1)
    sojourns = [0.0]
    start = cpu()
    env = simpy.Environment()
    env.process(source(env, simpy.Resource(env), count, sojourns))
    env.run()
    print("%.6f %.9f" % (cpu() - start, sojourns[0] / count))


main()
