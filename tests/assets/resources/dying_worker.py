"""A payload that is killed before it can report anything."""

import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
