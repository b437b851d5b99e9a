"""What case reports list, learnt. In: Hypotheses, cases. Out: a Listing, or its file. Start with `learn_listing.py`."""
