//! Phenotype and covariate tables.

use std::collections::HashMap;
use std::path::Path;

use crate::error::TablesError;
use crate::fields::{excerpt, is_blank, split_row};
use crate::header::table_columns;
use crate::number::{advice, is_missing, parse_number};
use crate::problems::{Problems, wrong_line};
use crate::source::Text;
use crate::text_column::TextColumn;

/// Rows of a table in file order, the asked columns only.
#[derive(Debug, Clone)]
pub struct TraitTable {
    /// FID of each row.
    pub family_ids: TextColumn,
    /// IID of each row.
    pub individual_ids: TextColumn,
    /// Line of each row, from 1.
    pub line_numbers: Vec<i64>,
    /// Values, row by row, `numeric_names` long each; NaN where missing. `-9` and `-999` are numbers here.
    pub numeric: Vec<f64>,
    /// One column each.
    pub categorical: Vec<CategoricalColumn>,
}

/// A column of text levels.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct CategoricalColumn {
    /// Levels in order of first appearance.
    pub levels: Vec<String>,
    /// Level of each row; None where missing.
    pub codes: Vec<Option<usize>>,
}

/// Column names after FID and IID; reads one line only.
///
/// # Errors
/// The file cannot be read, or its header does not start with FID IID, or a name is there twice.
pub fn read_table_header(path: &Path) -> Result<Vec<String>, TablesError> {
    let text = Text::read_first_line(path)?;
    let line = text.lines().next().map_or("", |(_, line)| line);
    Ok(table_columns(path, line)?.into_iter().map(str::to_owned).collect())
}

/// Reads the named columns; every bad row and cell of the file is told together.
///
/// # Errors
/// The file cannot be read, a named column is not there, a row has another number of fields than the header, an id is
/// empty or there twice, or a cell of a numeric column is neither a number nor missing.
pub fn read_trait_table(path: &Path, numeric: &[String], categorical: &[String]) -> Result<TraitTable, TablesError> {
    let text = Text::read(path)?;
    let mut lines = text.lines();
    let header = lines.next().map_or("", |(_, line)| line);
    let names = table_columns(path, header)?;
    let columns = Columns {
        numeric: positions(path, &names, numeric)?,
        categorical: positions(path, &names, categorical)?,
        names,
    };
    Builder::new(columns).read(path, lines)
}

/// Where the asked columns stand in a row, and what the header calls them.
struct Columns<'text> {
    names: Vec<&'text str>,
    numeric: Vec<usize>,
    categorical: Vec<usize>,
}

fn positions(path: &Path, names: &[&str], asked: &[String]) -> Result<Vec<usize>, TablesError> {
    let mut problems = Problems::default();
    let mut found = Vec::with_capacity(asked.len());
    for name in asked {
        match names.iter().position(|there| there == name) {
            Some(index) => found.push(index + 2),
            None => problems.add(1, || {
                format!(
                    ": there is no column {}; the columns are {}",
                    excerpt(name),
                    names.join(" ")
                )
            }),
        }
    }
    problems.check(path)?;
    Ok(found)
}

struct Builder<'text> {
    columns: Columns<'text>,
    table: TraitTable,
    levels: Vec<HashMap<&'text str, usize>>,
    line_of: HashMap<(&'text str, &'text str), usize>,
    problems: Problems,
}

impl<'text> Builder<'text> {
    fn new(columns: Columns<'text>) -> Self {
        let table = TraitTable {
            family_ids: TextColumn::default(),
            individual_ids: TextColumn::default(),
            line_numbers: Vec::new(),
            numeric: Vec::new(),
            categorical: vec![CategoricalColumn::default(); columns.categorical.len()],
        };
        let levels = vec![HashMap::new(); columns.categorical.len()];
        Self {
            columns,
            table,
            levels,
            line_of: HashMap::new(),
            problems: Problems::default(),
        }
    }

    fn read(
        mut self,
        path: &Path,
        lines: impl Iterator<Item = (usize, &'text str)>,
    ) -> Result<TraitTable, TablesError> {
        let expected = self.columns.names.len() + 2;
        let mut fields = Vec::with_capacity(expected);
        let mut empty_line = None;
        for (line, content) in lines {
            if is_blank(content) {
                empty_line = empty_line.or(Some(line));
                continue;
            }
            if let Some(empty) = empty_line.take() {
                self.problems
                    .add(empty, || ": the line is empty, and there are rows after it".to_owned());
            }
            split_row(content, expected, &mut fields);
            if fields.len() == expected {
                self.add_row(line, &fields);
            } else {
                let found = fields.len();
                self.problems.add(line, || wrong_count(content, found, expected));
            }
        }
        self.problems.check(path)?;
        if self.table.line_numbers.is_empty() {
            return Err(wrong_line(path, 1, ": there is a header but no row after it"));
        }
        Ok(self.table)
    }

    fn add_row(&mut self, line: usize, fields: &[&'text str]) {
        self.add_ids(line, fields[0], fields[1]);
        for index in &self.columns.numeric {
            let cell = fields[*index];
            let number = parse_number(cell).unwrap_or_else(|| {
                let name = self.columns.names[index - 2];
                self.problems.add(line, || {
                    let column = index + 1;
                    format!(
                        ", column {column} ({name}): found {}, expected a number or NA; {}",
                        excerpt(cell),
                        advice(cell)
                    )
                });
                f64::NAN
            });
            self.table.numeric.push(number);
        }
        for (column, index) in self.columns.categorical.iter().enumerate() {
            let CategoricalColumn { levels, codes } = &mut self.table.categorical[column];
            let cell = fields[*index];
            codes.push((!is_missing(cell)).then(|| {
                *self.levels[column].entry(cell).or_insert_with(|| {
                    levels.push(cell.to_owned());
                    levels.len() - 1
                })
            }));
        }
    }

    fn add_ids(&mut self, line: usize, family: &'text str, individual: &'text str) {
        if family.is_empty() || individual.is_empty() {
            self.problems.add(line, || {
                ": FID or IID is empty; does the line start with a tab?".to_owned()
            });
        }
        if let Some(earlier) = self.line_of.insert((family, individual), line) {
            self.problems.add(line, || {
                format!(
                    ": FID {} IID {} is already on line {earlier}",
                    excerpt(family),
                    excerpt(individual)
                )
            });
        }
        self.table.family_ids.push(family);
        self.table.individual_ids.push(individual);
        self.table.line_numbers.push(i64::try_from(line).unwrap_or(i64::MAX));
    }
}

/// The words for a row whose number of fields is not that of the header.
pub(crate) fn wrong_count(content: &str, found: usize, expected: usize) -> String {
    let why = if found > expected {
        "a blank inside an id or a name?"
    } else {
        "a value left out?"
    };
    format!(
        ": {found} fields, but the header has {expected}; {why} The line is {}",
        excerpt(content)
    )
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::test_files::{file_with, message};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn read(text: &str, numeric: &[&str], categorical: &[&str]) -> TraitTable {
        read_trait_table(file_with(text).path(), &names(numeric), &names(categorical)).unwrap()
    }

    fn refused(text: &str) -> String {
        message(text, |path| read_trait_table(path, &names(&["A", "B"]), &[]))
    }

    #[test]
    fn named_columns_come_in_the_order_asked() {
        let table = read(
            "#FID\tIID\tA\tSITE\tB\r\nf1\ti1\t1\tx\t+2e1\r\nf2\ti2\tNA\tNA\t\r\n\r\n",
            &["B", "A"],
            &["SITE"],
        );
        assert_eq!(table.family_ids.iter().collect::<Vec<_>>(), ["f1", "f2"]);
        assert_eq!(table.individual_ids.iter().collect::<Vec<_>>(), ["i1", "i2"]);
        assert_eq!(table.line_numbers, [2, 3]);
        assert_eq!(table.numeric[..2], [20.0, 1.0]);
        assert!(table.numeric[2..].iter().all(|number| number.is_nan()));
        assert_eq!(
            table.categorical,
            [CategoricalColumn {
                levels: vec!["x".to_owned()],
                codes: vec![Some(0), None]
            }]
        );
    }

    #[test]
    fn sentinels_stay_numbers() {
        assert_eq!(
            read("FID IID A\n1 1 -9\n2 2 -999\n", &["A"], &[]).numeric,
            [-9.0, -999.0]
        );
    }

    #[test]
    fn a_column_that_is_not_asked_may_hold_anything() {
        assert_eq!(read("FID IID A NOTE\n1 1 0 M\n", &["A"], &[]).numeric, [0.0]);
    }

    #[test]
    fn all_wrong_places_of_a_file_are_told_together() {
        let text = "FID IID A B\n1 1 M 0\n2 2 0\n3 x 3 0 0\n1 1 0 1,5\n\n4 4 0 0\n";
        assert_eq!(
            refused(text),
            "FILE: 6 problems\
             \n  line 2, column 3 (A): found \"M\", expected a number or NA; name a covariate that holds text in --catCovarList\
             \n  line 3: 3 fields, but the header has 4; a value left out? The line is \"2 2 0\"\
             \n  line 4: 5 fields, but the header has 4; a blank inside an id or a name? The line is \"3 x 3 0 0\"\
             \n  line 5: FID \"1\" IID \"1\" is already on line 2\
             \n  line 5, column 4 (B): found \"1,5\", expected a number or NA; a decimal comma? write a point\
             \n  line 6: the line is empty, and there are rows after it"
        );
    }

    #[test]
    fn a_column_that_is_not_there_is_told_with_those_that_are() {
        let text = "FID IID A C\n1 1 0 0\n";
        assert_eq!(
            refused(text),
            "FILE, line 1: there is no column \"B\"; the columns are A C"
        );
    }

    #[test]
    fn a_table_without_rows_is_refused() {
        assert_eq!(
            refused("FID IID A B\n\n"),
            "FILE, line 1: there is a header but no row after it"
        );
    }

    #[test]
    fn an_empty_id_is_refused() {
        assert!(refused("FID IID A B\n\t1\t0\t0\n").contains("line 2: FID or IID is empty"));
    }

    #[test]
    fn the_header_is_read_without_the_rows() {
        let file = file_with("FID IID A B\r\n1 1 wrong\n");
        assert_eq!(read_table_header(file.path()).unwrap(), ["A", "B"]);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(FID IID A B\n)?[ -~\t\n]{0,80}") {
            let file = file_with(&text);
            let _ = read_trait_table(file.path(), &names(&["A"]), &names(&["B"]));
        }

        #[test]
        fn written_values_come_back_to_the_bit(
            rows in proptest::collection::vec(proptest::option::of(proptest::num::f64::NORMAL), 1..30),
        ) {
            let mut text = "FID IID A\n".to_owned();
            for (index, value) in rows.iter().enumerate() {
                let cell = value.map_or("NA".to_owned(), |value| value.to_string());
                writeln!(text, "f{index} i{index} {cell}").unwrap();
            }
            let table = read(&text, &["A"], &[]);
            for (read, written) in table.numeric.iter().zip(&rows) {
                prop_assert!(written.map_or(read.is_nan(), |written| written.to_bits() == read.to_bits()));
            }
        }
    }
}
