"""One piece of work for PySDD: a theory compiled on the best of several vtrees, in a process that can be killed.

In comes a `Job`, out comes a `Fragment`, both plain arrays (`jobs.py`). Start with `compile_sdd.py`, which does a job;
`job_runner.py` sends it to a worker. PySDD is imported inside functions: most of a compilation is done without it.
"""
