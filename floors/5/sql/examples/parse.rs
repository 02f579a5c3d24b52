use std::io::Read;
fn main() {
    let mut all = Vec::new();
    std::io::stdin().read_to_end(&mut all).unwrap();
    let dump = std::env::args().nth(1).is_some();
    for text in all.split(|b| *b == 0) {
        if text.is_empty() { continue; }
        let mut at = 0;
        loop {
            match sql::syntax::parse(text, at, Default::default()) {
                Ok(p) => {
                    if let sql::syntax::ast::Statement::Query(q) = &p.statement {
                        if let sql::syntax::ast::QueryBody::Select(s) = &q.body {
                            let names: Vec<_> = s.items.iter().map(|i| match i { sql::syntax::ast::SelectItem::Expr { name, .. } => name.clone(), _ => "*".into() }).collect();
                            println!("ok\t{}", names.join("\x01").replace('\n', "\\n"));
                        } else { println!("ok\t"); }
                    } else { println!("ok\t"); }
                    if dump { println!("{:#?}", p.statement); }
                    match p.rest { Some(r) => at = r, None => break }
                }
                Err(e) => { println!("err\t{}\t{}\t{}", e.errno, e.state(), e.message.replace('\n', "\\n")); break; }
            }
        }
    }
}
