"""Statistics over seeds: in come records or plain numbers, out come means, intervals, tests and verdicts.

Start with `statistics.py`, which knows numbers only; `compare.py` reads them out of the records of `sweep`.
"""
