"""``python -m g_core`` is the ``g`` command."""

from g_core.cli.main import main

raise SystemExit(main())
