"""The method DeepProbLog: a task as a probabilistic program whose choices networks weigh.

In: a task. Out: log P(query) of examples, by a circuit of the program or by the package itself. Start with
`deepproblog`; `neural_program` and `program_rules` make the program, `program_text` writes it down for
`deepproblog_package`.
"""
