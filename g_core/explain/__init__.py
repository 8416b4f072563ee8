"""Every intermediate of one test, for whoever wonders where a number comes from. Nothing here computes a result."""
