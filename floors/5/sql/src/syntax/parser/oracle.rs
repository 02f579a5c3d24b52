//! Functions by Oracle's meaning of their names: under `sql_mode = ORACLE`, and behind `oracle_schema.` as views keep them.

use super::*;

/// The qualifiers that tell whose function of a name is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    Oracle,
    MariaDb,
}

impl Schema {
    /// The one that a qualifier names.
    pub(super) fn named(qualifier: &str) -> Option<Schema> {
        match () {
            () if qualifier.eq_ignore_ascii_case("oracle_schema") => Some(Schema::Oracle),
            () if qualifier.eq_ignore_ascii_case("mariadb_schema") => Some(Schema::MariaDb),
            () => None,
        }
    }

    /// The function that a lower-case name is there.
    pub(super) fn own_name(self, name: String) -> String {
        let own = if self == Schema::Oracle { oracle_name(&name) } else { None };
        own.map_or(name, str::to_owned)
    }

    /// A call as it is meant there.
    pub(super) fn meaning(self, call: ExprKind) -> ExprKind {
        match (self, call) {
            (Schema::Oracle, ExprKind::Function(call)) => {
                ExprKind::Function(FunctionCall { name: self.own_name(call.name), ..call })
            }
            (Schema::Oracle, ExprKind::Trim { side, what, expr, .. }) => {
                ExprKind::Trim { side, what, expr, oracle: true }
            }
            (_, call) => call,
        }
    }
}

/// The function that Oracle means by a name.
fn oracle_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "concat" => "concat_operator_oracle",
        "decode" => "decode_oracle",
        "length" => "char_length",
        "lpad" => "lpad_oracle",
        "ltrim" => "ltrim_oracle",
        "replace" => "replace_oracle",
        "rpad" => "rpad_oracle",
        "rtrim" => "rtrim_oracle",
        "substr" => "substr_oracle",
        _ => return None,
    })
}
