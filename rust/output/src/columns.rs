//! Columns of a record batch as the text writer reads them: by name, whatever their exact Arrow type.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use arrow::buffer::NullBuffer;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};

use crate::error::OutputError;

/// A batch and the file it is for, to name both in an error.
pub(crate) struct Columns<'batch> {
    pub(crate) path: &'batch Path,
    pub(crate) batch: &'batch RecordBatch,
}

impl Columns<'_> {
    pub(crate) fn optional_float(&self, name: &str) -> Result<Option<Float64Array>, OutputError> {
        self.batch.column_by_name(name).map(|_| self.float(name)).transpose()
    }

    pub(crate) fn float(&self, name: &str) -> Result<Float64Array, OutputError> {
        Ok(self
            .number(name, &DataType::Float64)?
            .as_primitive::<Float64Type>()
            .clone())
    }

    pub(crate) fn integer(&self, name: &str) -> Result<Int64Array, OutputError> {
        Ok(self.number(name, &DataType::Int64)?.as_primitive::<Int64Type>().clone())
    }

    pub(crate) fn text(&self, name: &str) -> Result<TextColumn, OutputError> {
        let column = self.column(name)?;
        let Some(dictionary) = column.as_any_dictionary_opt() else {
            return Ok(TextColumn::Plain(self.plain_text(name, column)?));
        };
        if dictionary.values().is_empty() {
            // Every row is null, and there is no value that a key could name.
            return Ok(TextColumn::Plain(PlainText::Utf8(StringArray::new_null(column.len()))));
        }
        Ok(TextColumn::Dictionary {
            keys: dictionary.normalized_keys(),
            nulls: dictionary.nulls().cloned(),
            values: self.plain_text(name, dictionary.values())?,
        })
    }

    fn number(&self, name: &str, wanted: &DataType) -> Result<ArrayRef, OutputError> {
        let column = self.column(name)?;
        let kind = column.data_type();
        let fits = kind.is_integer() || (kind.is_floating() && wanted.is_floating());
        if kind == wanted {
            Ok(Arc::clone(column))
        } else if fits {
            cast(column, wanted).map_err(|source| self.wrong(name, source.to_string()))
        } else {
            Err(self.wrong(name, format!("its type is {kind}, expected a number")))
        }
    }

    fn plain_text(&self, name: &str, column: &ArrayRef) -> Result<PlainText, OutputError> {
        match column.data_type() {
            DataType::Utf8 => Ok(PlainText::Utf8(column.as_string().clone())),
            DataType::LargeUtf8 => Ok(PlainText::LargeUtf8(column.as_string().clone())),
            DataType::Utf8View => Ok(PlainText::Utf8View(column.as_string_view().clone())),
            kind => Err(self.wrong(name, format!("its type is {kind}, expected text"))),
        }
    }

    fn column(&self, name: &str) -> Result<&ArrayRef, OutputError> {
        self.batch.column_by_name(name).ok_or_else(|| {
            let schema = self.batch.schema();
            let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            self.wrong(name, format!("it is not in the batch, which has {}", names.join(" ")))
        })
    }

    fn wrong(&self, column: &str, problem: String) -> OutputError {
        OutputError::Column {
            path: self.path.to_owned(),
            column: column.to_owned(),
            problem,
        }
    }
}

/// A text column, dictionary-encoded or not.
pub(crate) enum TextColumn {
    Plain(PlainText),
    Dictionary {
        keys: Vec<usize>,
        nulls: Option<NullBuffer>,
        values: PlainText,
    },
}

impl TextColumn {
    /// The text of a row, or None where it is null.
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Plain(texts) => texts.get(row),
            Self::Dictionary { nulls: Some(nulls), .. } if nulls.is_null(row) => None,
            Self::Dictionary { keys, values, .. } => values.get(keys[row]),
        }
    }
}

/// A text column of any of Arrow's layouts.
pub(crate) enum PlainText {
    Utf8(StringArray),
    LargeUtf8(LargeStringArray),
    Utf8View(StringViewArray),
}

impl PlainText {
    fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Utf8(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::LargeUtf8(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Utf8View(texts) => texts.is_valid(row).then(|| texts.value(row)),
        }
    }
}
