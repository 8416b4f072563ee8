"""Options: the table (default.toml), the typed model, and how a command line becomes a run plan.

Belongs here: everything about what a run is asked to do. Does not belong here: reading data, computing.
"""
