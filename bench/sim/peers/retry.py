"""Four workers whose clients time out and retry once, in SimPy.

Prints processor seconds, the share of requests that failed, and the number of
logical events: retry.py ARRIVALS. A logical event is an arrival or departure of
an attempt, a timer or a retry.
"""

import random
import resource
import sys

import simpy


def cpu():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


class Count:
    failed = 0
    attempts = 0
    retries = 0


def work(env, server, answered):
    with server.request() as turn:
        yield turn
        yield env.timeout(random.expovariate(1.0))
    answered.succeed()


def client(env, server, count):
    for attempt in range(2):
        count.attempts += 1
        answered = env.event()
        env.process(work(env, server, answered))
        patience = env.timeout(3.0)
        got = yield answered | patience
        if answered in got:
            return
        if attempt == 0:
            count.retries += 1
            yield env.timeout(random.uniform(0.0, 1.0))
    count.failed += 1


def source(env, server, arrivals, count):
    for _ in range(arrivals):
        yield env.timeout(random.expovariate(1.8))
        env.process(client(env, server, count))


def main():
    arrivals = int(sys.argv[1])
    random.seed(1)
    count = Count()
    start = cpu()
    env = simpy.Environment()
    env.process(source(env, simpy.Resource(env, capacity=4), arrivals, count))
    env.run()
    logical = 3 * count.attempts + count.retries
    print("%.6f %.9f %d" % (cpu() - start, count.failed / arrivals, logical))


main()
