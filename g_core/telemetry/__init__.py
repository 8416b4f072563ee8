"""What a run tells of itself while it goes on and afterwards: events, stage timings, the profile of a run.

Belongs here: the files of ``PREFIX.g/logs/``. Does not belong here: results and the manifest (g_core/engine).
"""
