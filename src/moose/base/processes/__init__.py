"""Other processes: one for a call that cannot be interrupted, several for many equal tasks, or a Ray cluster.

In: functions and what they are to be called with. Out: what they return, as it comes; a lost process is no lost result.
Start with `parallel.py`; `in_subprocess.py` stands by itself. joblib and Ray are imported inside functions, as extras.
"""
