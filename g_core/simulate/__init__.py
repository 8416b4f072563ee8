"""Simulated datasets: genotypes that look imputed, traits with known causes, and the files that step 2 reads."""
