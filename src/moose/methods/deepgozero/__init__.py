"""The method DeepGOZero: an encoder and balls of classes, with scores for classes that nobody labels.

In: labels of some classes, and normal forms. Out: a score for every class. Start with `deepgozero`.
"""
