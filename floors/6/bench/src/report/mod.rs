//! An outcome as one HTML page that needs nothing else: throughput over time, latencies, comparison bars, the table.
//! Drawings are inline SVG; there is no script.

mod svg;

use crate::outcome::{Outcome, Phase, Sweep, grouped, micros, time};
use svg::{Curve, Scale, bars, curves};

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}\
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p.facts{color:#57606a;margin:.25rem 0}\
div.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\
th,td{padding:.3rem .6rem;text-align:right;border-bottom:1px solid #d0d7de}\
th:first-child,td:first-child{text-align:left}td{white-space:nowrap}td.words{white-space:normal}.errors{color:#b3261e}\
svg{width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#57606a}\
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}th,td{border-color:#30363d}\
p.facts,svg text{color:#8d96a0;fill:#8d96a0}}";

/// Colours of the servers: told apart also by people who see no red or green.
const COLOURS: [&str; 6] = ["#0969da", "#d4761a", "#6f42c1", "#1a7f64", "#b0428b", "#57606a"];

/// The page.
pub fn page(outcome: &Outcome) -> String {
    let mut html = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    html += "<meta name=\"viewport\" content=\"width=device-width\"/>\n";
    html += &format!(
        "<title>penstock bench {}</title>\n<style>{STYLE}</style>\n</head>\n",
        escaped(&outcome.benchmark)
    );
    html += &format!("<body>\n<h1>penstock bench {}</h1>\n", escaped(&outcome.benchmark));
    for fact in [&outcome.settings, &outcome.machine, &outcome.begun] {
        html += &format!("<p class=\"facts\">{}</p>\n", escaped(fact));
    }
    outcome.sweeps.iter().for_each(|sweep| html += &sweep_section(outcome, sweep));
    html += &table(outcome);
    html += &comparison(outcome);
    for name in phase_names(outcome) {
        html += &phase_section(outcome, &name);
    }
    html + "</body>\n</html>\n"
}

/// Names of all phases, in the order of the first server that has them.
fn phase_names(outcome: &Outcome) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for phase in outcome.servers.iter().flat_map(|s| &s.phases) {
        if !names.contains(&phase.name) {
            names.push(phase.name.clone());
        }
    }
    names
}

/// The servers that have a phase, with their colours.
fn with_phase<'a>(
    outcome: &'a Outcome,
    name: &'a str,
) -> impl Iterator<Item = (&'a str, &'static str, &'a Phase)> {
    outcome.servers.iter().enumerate().filter_map(move |(i, server)| {
        let phase = server.phases.iter().find(|p| p.name == name)?;
        Some((server.name.as_str(), COLOURS[i % COLOURS.len()], phase))
    })
}

fn table(outcome: &Outcome) -> String {
    let mut html = String::from("<div class=\"wide\">\n<table>\n<tr><th></th>");
    for head in ["answers/s", "answers", "p50", "p99", "p99.9", "max", "server us/q", "client us/q", "errors"]
    {
        html += &format!("<th>{head}</th>");
    }
    html += "</tr>\n";
    for server in &outcome.servers {
        let title = format!("{} {}", server.name, server.version);
        html += &format!("<tr><th colspan=\"10\">{}</th></tr>\n", escaped(&title));
        for phase in &server.phases {
            let cells = [
                escaped(&phase.name),
                grouped(phase.rate()),
                grouped(phase.total.answers as f64),
                time(phase.quantile_us(0.5)),
                time(phase.quantile_us(0.99)),
                time(phase.quantile_us(0.999)),
                time(phase.total.latencies.max() as f64 / 1e3),
                micros(phase.server_us()),
                micros(phase.client_us()),
                phase.total.complaints_count().to_string(),
            ];
            html += &format!("<tr>{}</tr>\n", cells.map(|cell| format!("<td>{cell}</td>")).concat());
            if !phase.counters.is_empty() {
                html += &format!(
                    "<tr><td colspan=\"10\" class=\"words\">{}</td></tr>\n",
                    escaped(&phase.counted_line())
                );
            }
            if let Some(name) = phase.per_minute {
                let text = format!("{name} {}", grouped(phase.rate() * 60.0));
                html += &format!("<tr><td colspan=\"10\" class=\"words\">{}</td></tr>\n", escaped(&text));
            }
            for (number, retry) in &phase.total.retries {
                let text = format!("{} x run again after error {number}: {}", retry.count, retry.message);
                html += &format!("<tr><td colspan=\"10\" class=\"words\">{}</td></tr>\n", escaped(&text));
            }
            if phase.total.unsent > 0 {
                let text = format!("{} intended commands were not sent: too slow", phase.total.unsent);
                html += &format!("<tr><td colspan=\"10\" class=\"words errors\">{text}</td></tr>\n");
            }
            for (number, complaint) in &phase.total.complaints {
                let text = format!("{} x error {number}: {}", complaint.count, complaint.message);
                html +=
                    &format!("<tr><td colspan=\"10\" class=\"words errors\">{}</td></tr>\n", escaped(&text));
            }
        }
    }
    html + "</table>\n</div>\n"
}

fn comparison(outcome: &Outcome) -> String {
    let mut html = String::from("<h2>Answers a second</h2>\n");
    let mut lines = Vec::new();
    for name in phase_names(outcome) {
        for (server, colour, phase) in with_phase(outcome, &name) {
            let label = if outcome.servers.len() > 1 { format!("{name}, {server}") } else { name.clone() };
            lines.push((label, colour, phase.rate()));
        }
    }
    html += &bars(&lines);
    for (name, ratio) in outcome.ratios() {
        html += &format!("<p class=\"facts\">{}: {ratio:.2} times</p>\n", escaped(&name));
    }
    html
}

fn phase_section(outcome: &Outcome, name: &str) -> String {
    let over_time = with_phase(outcome, name).map(|(server, colour, phase)| Curve {
        label: server.to_owned(),
        colour,
        points: phase.samples.iter().map(|s| (s.at, s.rate)).collect(),
    });
    let latencies = with_phase(outcome, name).map(|(server, colour, phase)| {
        let all = phase.total.latencies.len().max(1) as f64;
        let points = phase.distribution().into_iter().map(|(us, count)| (us, 100.0 * count as f64 / all));
        Curve { label: server.to_owned(), colour, points: points.collect() }
    });
    let over_time: Vec<Curve> = over_time.filter(|curve| !curve.points.is_empty()).collect();
    // What was counted within another phase has no moments of its own.
    let over_time = match over_time.is_empty() {
        true => String::new(),
        false => curves("answers a second, over seconds", &over_time, Scale::Linear),
    };
    format!(
        "<h2>{}</h2>\n{over_time}{}",
        escaped(name),
        curves("latency: % of answers, over time taken", &latencies.collect::<Vec<_>>(), Scale::Logarithmic),
    )
}

/// Rates, and the server's CPU time where it is known, over what the phases differ in.
fn sweep_section(outcome: &Outcome, sweep: &Sweep) -> String {
    let drawn = |title: &str, figure: fn(&Phase) -> Option<f64>| {
        let mut lines: Vec<Curve> = Vec::new();
        for (server, (name, places)) in
            outcome.servers.iter().flat_map(|s| sweep.curves.iter().map(move |curve| (s, curve)))
        {
            let point = |(x, phase): &(f64, String)| {
                let phase = server.phases.iter().find(|p| p.name == *phase)?;
                Some((*x, figure(phase)?))
            };
            let points: Vec<(f64, f64)> = places.iter().filter_map(point).collect();
            let label =
                if outcome.servers.len() > 1 { format!("{name}, {}", server.name) } else { name.clone() };
            if !points.is_empty() {
                lines.push(Curve { label, colour: COLOURS[lines.len() % COLOURS.len()], points });
            }
        }
        if lines.is_empty() { String::new() } else { curves(title, &lines, Scale::Count) }
    };
    format!(
        "<h2>Over {}</h2>\n{}{}",
        escaped(&sweep.over),
        drawn(&format!("answers a second, over {}", sweep.over), |p| Some(p.rate())),
        drawn(&format!("microseconds of the server's CPU an answer, over {}", sweep.over), Phase::server_us),
    )
}

/// Text as HTML shows it.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => html += "&lt;",
            '>' => html += "&gt;",
            '&' => html += "&amp;",
            '"' => html += "&quot;",
            c if c.is_control() && c != '\n' => html.push(' '),
            c => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests;
