"""OBO, written.

In comes a `Document`, out comes text. `write_obo` puts each statement into a stanza or into the header's `owl-axioms`;
`clause_lines` has the words, `written_identifiers` the names, `written_header` what stands before the stanzas. Start
with `write_obo`.
"""
