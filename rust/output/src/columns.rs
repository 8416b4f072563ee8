//! Columns of a record batch as the text writer reads them: by name, whatever their exact Arrow type.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type,
};
use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

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
        let column = self.column(name)?;
        match column.data_type() {
            DataType::Float64 => Ok(column.as_primitive::<Float64Type>().clone()),
            DataType::Float32 => Ok(column.as_primitive::<Float32Type>().unary(f64::from)),
            DataType::Int8 => Ok(column.as_primitive::<Int8Type>().unary(f64::from)),
            DataType::Int16 => Ok(column.as_primitive::<Int16Type>().unary(f64::from)),
            DataType::Int32 => Ok(column.as_primitive::<Int32Type>().unary(f64::from)),
            DataType::UInt32 => Ok(column.as_primitive::<UInt32Type>().unary(f64::from)),
            kind => Err(self.wrong(name, format!("its type is {kind}, expected a number"))),
        }
    }

    pub(crate) fn integer(&self, name: &str) -> Result<Int64Array, OutputError> {
        let column = self.column(name)?;
        match column.data_type() {
            DataType::Int64 => Ok(column.as_primitive::<Int64Type>().clone()),
            DataType::Int8 => Ok(widened::<Int8Type>(column)),
            DataType::Int16 => Ok(widened::<Int16Type>(column)),
            DataType::Int32 => Ok(widened::<Int32Type>(column)),
            DataType::UInt8 => Ok(widened::<UInt8Type>(column)),
            DataType::UInt16 => Ok(widened::<UInt16Type>(column)),
            DataType::UInt32 => Ok(widened::<UInt32Type>(column)),
            kind => Err(self.wrong(
                name,
                format!("its type is {kind}, expected a whole number of up to 32 bits"),
            )),
        }
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

/// A column of whole numbers with 64 bits.
fn widened<Narrow>(column: &ArrayRef) -> Int64Array
where
    Narrow: ArrowPrimitiveType,
    i64: From<Narrow::Native>,
{
    column.as_primitive::<Narrow>().unary(i64::from)
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
