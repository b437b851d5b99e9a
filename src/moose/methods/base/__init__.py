"""What all methods share.

In: a method with its options, a task, a perception. Out: a `Predictor`, which learns, predicts, is evaluated and
saved. Start with `method`; then `model` (what a method decides), `perception` (its networks) and `answers` (from
networks to posteriors).
"""
