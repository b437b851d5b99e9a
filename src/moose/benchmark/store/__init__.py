"""Results on disk: a folder with a file a cell while a sweep runs, a packed file for each plan when it is done."""
