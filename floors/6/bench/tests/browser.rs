//! A report in a real browser: everything is drawn, inside of its frame, and the page is no wider than the window.
//! Without a browser (chromium, google-chrome) the test says so and passes.

use bench::outcome::{Outcome, Phase, Sample, ServerOutcome, Sweep};
use bench::report::page;
use bench::tally::Interval;
use std::process::{Command, Stdio};
use std::time::Duration;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Looks at the page from inside and leaves what it found in the document. The report itself has no script.
const LOOK: &str = "<script>
const faults = [];
for (const svg of document.querySelectorAll('svg')) {
  const frame = svg.getBoundingClientRect(), name = svg.getAttribute('aria-label');
  if (frame.width < 300 || frame.height < 20) faults.push('a tiny drawing: ' + name);
  for (const e of svg.querySelectorAll('polyline,rect,circle,text')) {
    const box = e.getBoundingClientRect();
    if (box.right > frame.right + 1 || box.left < frame.left - 1 || box.top < frame.top - 1
        || box.bottom > frame.bottom + 1)
      faults.push(e.tagName + ' outside of ' + name + ': ' + e.textContent);
  }
  const texts = [...svg.querySelectorAll('text')].map(t => [t.getBoundingClientRect(), t.textContent]);
  for (const [i, [a, s]] of texts.entries()) for (const [b, t] of texts.slice(i + 1))
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
      faults.push('one text over another in ' + name + ': ' + s + ' and ' + t);
}
if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window');
const count = s => document.querySelectorAll(s).length;
const found = document.createElement('pre');
found.id = 'found';
found.textContent = [count('svg'), count('polyline'), count('tr'), faults.join('; ') || 'no faults'].join(' | ');
document.body.append(found);
</script>";

fn phase(name: &str, slower: u64) -> Phase {
    let mut total = Interval::default();
    for n in 0..5000u64 {
        total.record(Duration::from_nanos(slower * (2000 + n * n / 50)), 1);
    }
    let samples = (1..=20u32).map(|second| Sample {
        at: f64::from(second),
        rate: 1e6 / slower as f64 + f64::from(second % 7) * 20_000.0,
        questions_rate: None,
        p50_us: 3.0,
        p99_us: 90.0,
        complaints: 0,
    });
    Phase {
        server_cpu_us: Some(5000 * slower),
        client_cpu_us: Some(2500),
        counters: vec![("forces", 700)],
        samples: samples.collect(),
        ..Phase::part(name, 20.0, total)
    }
}

/// Two servers, three phases, two of which are drawn over what they differ in.
fn outcome() -> Outcome {
    let names = ["point select, 8 connections", "point select, 64 connections", "update"];
    let mut outcome = Outcome::begin("mixes", "8 connections, depth 1, 20 s each".into());
    for (server, slower) in [("/run/penstock/penstock.sock", 1), ("/run/mysqld/mysqld.sock", 5)] {
        outcome.servers.push(ServerOutcome {
            name: server.into(),
            version: "10.11.14-MariaDB".into(),
            phases: names.map(|name| phase(name, slower)).into(),
        });
    }
    let places = vec![(8.0, names[0].to_owned()), (64.0, names[1].to_owned())];
    outcome.sweeps =
        vec![Sweep { over: "connections".into(), curves: vec![("point select".into(), places)] }];
    outcome
}

/// The first browser that there is.
fn browser() -> Option<&'static str> {
    BROWSERS.into_iter().find(|name| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok()
    })
}

#[test]
fn a_browser_shows_all_of_a_report() {
    let Some(browser) = browser() else {
        println!("skipped: no browser among {BROWSERS:?}");
        return;
    };
    let dir = tempfile::tempdir().expect("make a directory");
    let file = dir.path().join("report.html");
    let html = page(&outcome()).replace("</body>", &format!("{LOOK}</body>"));
    std::fs::write(&file, html).expect("write the page");
    for width in [700, 1400] {
        let shown = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"])
            .arg(format!("--window-size={width},900"))
            .arg(format!("--user-data-dir={}", dir.path().join(format!("profile{width}")).display()))
            .arg(format!("file://{}", file.display()))
            .stderr(Stdio::null())
            .output()
            .expect("run the browser");
        let dom = String::from_utf8_lossy(&shown.stdout);
        let found = dom.split("<pre id=\"found\">").nth(1).and_then(|rest| rest.split("</pre>").next());
        // Drawings: bars, two of each phase, two of the sweep. Curves: one a server in each but the bars. Rows: the
        // head; for each server its name, and two a phase.
        assert_eq!(found, Some("9 | 16 | 15 | no faults"), "{width} wide: {dom}");
    }
}
