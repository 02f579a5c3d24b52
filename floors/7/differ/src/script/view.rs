//! Views: their definition as the server writes it back, and what can be changed through them.

use super::plain::{Draw, Scope};
use super::{World, fixed};
use crate::dice::Dice;
use crate::statement::Statement;
use crate::term::{Role, Term};

/// CREATE VIEW, ALTER VIEW, DROP VIEW.
pub fn statement(dice: &mut Dice, world: &mut World) -> Statement {
    let views: Vec<String> = world.tables.iter().filter(|t| t.view).map(|t| t.name.clone()).collect();
    if !views.is_empty() && dice.chance(1, 4) {
        let view = dice.pick(&views).clone();
        return Statement::define(
            fixed(format!("DROP VIEW {view}")),
            vec![format!("SHOW CREATE VIEW {view}")],
        );
    }
    let name = match views.is_empty() || dice.chance(2, 3) {
        true => world.fresh('v'),
        false => dice.pick(&views).clone(),
    };
    let world = &*world;
    let mut draw = Draw::new(dice, world);
    let algorithm =
        *draw.dice.pick(&["", "", "", "ALGORITHM=MERGE ", "ALGORITHM=TEMPTABLE ", "ALGORITHM=UNDEFINED "]);
    let check = *draw.dice.pick(&["", "", "", "", " WITH CHECK OPTION", " WITH LOCAL CHECK OPTION"]);
    let query = match draw.dice.below(3) {
        // One that rows can be changed through.
        0 => draw.updatable(),
        1 => draw.query(&Scope::EMPTY, 1).term,
        _ => draw.top(1).term,
    };
    let template = format!("CREATE OR REPLACE {algorithm}VIEW {name} AS {{}}{check}");
    let probes = vec![
        format!("SHOW CREATE VIEW {name}"),
        format!(
            "SELECT VIEW_DEFINITION, CHECK_OPTION, IS_UPDATABLE, SECURITY_TYPE, ALGORITHM FROM INFORMATION_SCHEMA.VIEWS \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '{name}'"
        ),
        format!("SHOW COLUMNS FROM {name}"),
        format!("SELECT * FROM {name}"),
    ];
    Statement::define(Term::of(Role::Fixed, &template, vec![query]), probes)
}

impl Draw<'_> {
    fn updatable(&mut self) -> Term {
        let base = self.world.base();
        let table = (*self.dice.pick(&base)).clone();
        let names: Vec<super::plain::Name> =
            table.columns.iter().map(|c| super::plain::Name { text: c.name.clone(), sort: c.sort }).collect();
        let scope = Scope { names: &names, outer: None };
        let condition = self.condition(&scope, 1);
        let columns: Vec<String> = table
            .columns
            .iter()
            .map(|c| if self.dice.chance(1, 6) { format!("{0} AS v{0}", c.name) } else { c.name.clone() })
            .collect();
        let items = if self.dice.chance(1, 3) { "*".to_owned() } else { columns.join(", ") };
        Term::of(
            Role::Fixed,
            &format!("SELECT {items} FROM {}{{}}", table.name),
            vec![super::clause(" WHERE {}", vec![condition])],
        )
    }
}
