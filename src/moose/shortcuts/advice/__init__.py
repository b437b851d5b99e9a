"""What would remove shortcuts, and what keeps them out already.

In come a task and what is shown of it; out comes `Advice`, changes that leave fewer maps, or an `Ablation` of each
axiom and clause. Start with `advise.py`; `changes.py` lists what could be changed.
"""
