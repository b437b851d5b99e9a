"""Commands on the paper's experiments: a plan in; a store of results, how far it is, and a page of it out.

Start with `bench`; `bench_results` has what is made of a store, `sweep_progress` says how far a run is. What runs and
reports is imported inside the functions, so that `moose --help` loads none of it.
"""
