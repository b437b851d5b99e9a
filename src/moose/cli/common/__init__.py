"""What several commands share: words of the user in; values that a command works with, and lines that it prints, out.

Start with `commands`, by which a function becomes a command; `options` and `task_options` have the arguments that
several commands take, each written once. What reads ontologies and tasks is imported inside the functions, so that
`moose --help` loads none of it.
"""
