"""What case reports list, learnt. In: Hypotheses, cases. Out: a Listing, as a file too. Start with `learn_listing.py`."""
