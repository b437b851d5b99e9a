"""The paper's experiments, and your own, as something to rerun.

In: plans (TOML). Out: records of runs that can be interrupted and resumed, statistics over seeds, and one report.
Start with `plans/plans.py`, then `sweep/run.py`, `store/store.py` and `report/assemble.py`.
The rooms from below: plans, store, sweep, statistics, report.
"""
