//! Rows of JSON_TABLE.
//!
//! Each part that the path finds is a row. Nested paths are siblings: a row of one has NULLs in the columns of the
//! others, and a part in which none of them finds anything is one row.

use super::Cx;
use crate::error::SqlError;
use crate::expr::func::documents::{Json, as_written, document, find, unescaped};
use crate::expr::{compare_text, store};
use crate::plan::json_table::{Fallback, JsonColumn, JsonTable, JsonValue};
use types::{CollationId, ColumnType, Decimal, StrValue, Value};

/// Makes the rows of a document.
pub fn rows(table: &JsonTable, cx: &mut Cx<'_>) -> Result<Vec<Vec<Value>>, SqlError> {
    let value = table.document.eval(cx)?;
    if value.is_null() {
        return Ok(Vec::new());
    }
    let text = compare_text(&value);
    let root = document(cx, &text, 1, "JSON_TABLE")?;
    let mut parts = Vec::new();
    find(&root, &table.path, &mut parts);
    let mut maker = Maker { table, text: &text, root: &root, rows: Vec::new() };
    // What does not fit a column is warned of, in every mode.
    let facts = (cx.state.statement.strict, cx.state.statement.row);
    cx.state.statement.strict = false;
    let made = parts.iter().enumerate().try_for_each(|(at, part)| {
        cx.check_interrupt()?;
        cx.state.statement.row = at as u64 + 1;
        maker.add(part, at, &table.columns, &vec![Value::Null; table.width], cx)
    });
    (cx.state.statement.strict, cx.state.statement.row) = facts;
    made.map(|()| maker.rows)
}

struct Maker<'m> {
    table: &'m JsonTable,
    text: &'m str,
    root: &'m Json<'m>,
    rows: Vec<Vec<Value>>,
}

impl Maker<'_> {
    /// Adds the rows of one part, the `at`-th of its path; `outer` has the values of the columns around.
    fn add(
        &mut self,
        part: &Json<'_>,
        at: usize,
        columns: &[JsonColumn],
        outer: &[Value],
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let mut row = outer.to_vec();
        for column in columns {
            match column {
                JsonColumn::Ordinality(place) => row[*place] = Value::Int(at as i64 + 1),
                JsonColumn::Exists(value) => {
                    let mut found = Vec::new();
                    find(part, &value.path, &mut found);
                    row[value.at] = stored(Value::Int(i64::from(!found.is_empty())), value, cx)?;
                }
                JsonColumn::Value { value, json, on_empty, on_error } => {
                    row[value.at] = self.value(part, value, *json, (on_empty, on_error), cx)?;
                }
                JsonColumn::Nested { .. } => {}
            }
        }
        let before = self.rows.len();
        for column in columns {
            let JsonColumn::Nested { path, columns } = column else { continue };
            let mut parts = Vec::new();
            find(part, path, &mut parts);
            for (at, part) in parts.into_iter().enumerate() {
                self.add(part, at, columns, &row, cx)?;
            }
        }
        if self.rows.len() == before {
            self.rows.push(row);
        }
        Ok(())
    }

    fn value(
        &self,
        part: &Json<'_>,
        value: &JsonValue,
        json: bool,
        (on_empty, on_error): (&Fallback, &Fallback),
        cx: &mut Cx<'_>,
    ) -> Result<Value, SqlError> {
        let mut found = Vec::new();
        find(part, &value.path, &mut found);
        let (fallback, error) = match found[..] {
            [] => (on_empty, SqlError::json_table_no_value(&value.def.name, &self.table.alias)),
            [one] if json => return stored(text(as_written(self.text, self.root, one)), value, cx),
            [one] if one.is_scalar() => return stored(scalar(one, &value.def.ty), value, cx),
            _ => (on_error, SqlError::json_table_no_scalar(&value.def.name, &self.table.alias)),
        };
        match fallback {
            Fallback::Null => Ok(Value::Null),
            Fallback::Error => Err(error),
            Fallback::Default(default) => stored(text(default), value, cx),
        }
    }
}

fn text(text: &str) -> Value {
    Value::Str(StrValue::new(text.as_bytes(), CollationId::UTF8MB4_GENERAL_CI))
}

/// A scalar of a document as what a column of the type takes it for: words for text, truth and numbers for the rest.
fn scalar(json: &Json<'_>, ty: &ColumnType) -> Value {
    let word = match json {
        Json::Text(raw) => return text(&unescaped(raw)),
        Json::Scalar(word) => word,
        _ => return Value::Null,
    };
    match word.as_ref() {
        "null" => Value::Null,
        word if ty.is_string() => text(word),
        "true" => Value::Int(1),
        "false" => Value::Int(0),
        number => {
            let parsed = Decimal::parse(number.as_bytes());
            match parsed.garbage || parsed.out_of_range {
                true => Value::Double(number.parse().unwrap_or_default()),
                false => Value::Decimal(parsed.value),
            }
        }
    }
}

fn stored(value: Value, column: &JsonValue, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    let zone = cx.state.vars.time_zone;
    match value {
        Value::Null => Ok(Value::Null),
        value => Ok(store::store(&value, &column.def, cx.state)?.in_zone(&zone)),
    }
}
