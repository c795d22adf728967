// The script of every page. Pages work without it.
