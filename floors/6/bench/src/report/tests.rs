//! The page is well-formed whatever the figures are, and shows them.

use super::page;
use crate::outcome::{Outcome, Phase, Sample, ServerOutcome};
use crate::tally::Interval;
use std::time::Duration;

fn phase(name: &str, answers: u64) -> Phase {
    let mut total = Interval::default();
    for n in 0..answers {
        total.record(Duration::from_nanos(1000 * (n + 1)), 1);
    }
    if answers > 0 {
        total.complain(1064, || "near '<b>\"&' \u{1} at line 1".into());
    }
    let samples = (0..answers.min(5)).map(|n| Sample {
        at: n as f64 + 1.0,
        rate: 100.0 * n as f64,
        questions_rate: None,
        p50_us: 1.0,
        p99_us: 2.0,
        complaints: 0,
    });
    Phase {
        name: name.into(),
        seconds: 1.0,
        total,
        server_cpu_us: None,
        client_cpu_us: Some(5),
        per_minute: None,
        counters: vec![("forces", answers)],
        questions: None,
        samples: samples.collect(),
    }
}

fn outcome(servers: &[&[u64]]) -> Outcome {
    let mut outcome = Outcome::begin("a<b", "\"quoted\" & <b>".into());
    for (i, answers) in servers.iter().enumerate() {
        let phases = answers.iter().enumerate().map(|(n, &a)| phase(&format!("phase {n}"), a)).collect();
        outcome.servers.push(ServerOutcome { name: format!("s{i}"), version: "<v>".into(), phases });
    }
    outcome
}

/// Each element that is opened is closed, in order; attributes are quoted; text holds no bare `<` or `&`.
fn assert_well_formed(html: &str) {
    let mut open: Vec<String> = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a bare > in {:?}", &rest[..at]);
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        assert!(tag.matches('"').count().is_multiple_of(2) && !tag.contains('<'), "attributes of {tag}");
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "a figure in {tag}");
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default().to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if name == "style" {
            let (_, behind) = rest.split_once("</style>").expect("the style ends");
            rest = behind;
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    for piece in html.split('&').skip(1) {
        assert!(
            ["lt;", "gt;", "amp;", "quot;"].iter().any(|e| piece.starts_with(e)),
            "a bare & before {piece:.20}"
        );
    }
}

#[test]
fn pages_are_well_formed() {
    for servers in [&[][..], &[&[][..]], &[&[0]], &[&[1]], &[&[1000, 3]], &[&[1000, 0, 2], &[7, 9]]] {
        assert_well_formed(&page(&outcome(servers)));
    }
}

#[test]
fn the_page_needs_nothing_else_and_shows_all() {
    let html = page(&outcome(&[&[1000, 3], &[500, 3]]));
    for wanted in ["phase 0: 2.00 times", "1,000", "near '&lt;b&gt;&quot;&amp;'", "&lt;v&gt;"] {
        assert!(html.contains(wanted), "{wanted}");
    }
    assert_eq!(html.matches("<polyline").count(), 8);
    assert_eq!(html.matches("<rect").count(), 4);
    for foreign in ["http", "src=", "<script", "@import", "url("] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}
