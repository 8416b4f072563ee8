//! Which alleles an unphased genotype holds.

/// Walks genotypes in the specification's order (section 4.4): 11, 12, 22, 13, 23, 33 and so on.
#[derive(Debug, Default)]
pub(crate) struct AlleleCounter {
    /// Alleles of the current genotype, not descending.
    alleles: Vec<usize>,
}

impl AlleleCounter {
    /// Add to each allele's count its expectation under the probabilities of one sample's genotypes.
    pub(crate) fn add(&mut self, ploidy: u8, probabilities: &[f64], counts: &mut [f64]) {
        self.alleles.clear();
        self.alleles.resize(usize::from(ploidy), 0);
        for probability in probabilities {
            for &allele in &self.alleles {
                counts[allele] += probability;
            }
            self.advance();
        }
    }

    /// The next genotype: raise the first allele that may be raised, and start again below it.
    fn advance(&mut self) {
        let last = self.alleles.len().saturating_sub(1);
        let place = self
            .alleles
            .windows(2)
            .position(|pair| pair[0] < pair[1])
            .unwrap_or(last);
        if let Some(allele) = self.alleles.get_mut(place) {
            *allele += 1;
        }
        self.alleles[..place].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::AlleleCounter;

    #[test]
    fn genotypes_come_in_the_specifications_order() {
        let mut counter = AlleleCounter { alleles: vec![0, 0] };
        let mut seen = Vec::new();
        for _ in 0..6 {
            seen.push(counter.alleles.clone());
            counter.advance();
        }
        assert_eq!(seen, [[0, 0], [0, 1], [1, 1], [0, 2], [1, 2], [2, 2]]);
    }

    #[test]
    fn certain_genotypes_count_their_alleles() {
        let mut counts = vec![0.0; 2];
        let mut counter = AlleleCounter::default();
        counter.add(3, &[0.0, 0.0, 1.0, 0.0], &mut counts);
        assert_eq!(counts, vec![1.0, 2.0]);
        counter.add(0, &[1.0], &mut counts);
        assert_eq!(counts, vec![1.0, 2.0]);
    }
}
