"""What several syntaxes share.

`syntax` says what a syntax is to those who look for a reader; `arguments` has the sorts of what may stand in a
construct, `parts` what stands there without being a value of the model, `gathering` makes a document of statements,
`xml_entities` keeps XML parsers from harm, `unwritable` escapes what only XML lets stand in a name. Start with
`syntax`.
"""
