"""Put a run together: a regime, a data set, a method and a seed.

In: a `Run`. Out: a trained predictor, and the run's record as one JSON object. Start with `run`. Data sets and
methods are imported inside its functions, so that a command line that is wrong is refused before torch is loaded.
"""
