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
