"""`moose explore`: an ontology in the browser, or in one page that needs no server.

In: an ontology, and a problem of shortcuts where there is one. Out: JSON for the page in `page/`, over HTTP on the
loopback interface (`server`) or inside of a file (`export`). Start with `explorer`, which has every answer by its name.
"""
