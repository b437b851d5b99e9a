"""From observed and excluded findings to the hypotheses that explain them. In: Hypotheses, cases. Out: a Ranking.

Start with `rank.py`; the model is in `hypotheses.py`, the exact algorithm in `exact/elimination.py`.
"""
