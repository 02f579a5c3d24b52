use super::*;

#[test]
fn every_column_of_the_short_form_is_understood() {
    for table in virtual_tables() {
        assert_eq!(
            table.definition().columns.len(),
            table.columns.split_whitespace().count(),
            "{}",
            table.name
        );
        assert!(virtual_table(&table.name.to_lowercase()).is_some());
    }
}

#[test]
fn types_are_read_with_their_parameters() {
    let def = define::table(("d", "T"), "A:s64? B:b21u C:D7,3 D:t");
    let shown: Vec<String> = def.columns.iter().map(|c| c.ty.sql_text(c.collation)).collect();
    assert_eq!(shown, ["varchar(64)", "bigint(21) unsigned", "decimal(7,3)", "longtext"]);
    assert!(def.columns[0].nullable && !def.columns[1].nullable);
}
