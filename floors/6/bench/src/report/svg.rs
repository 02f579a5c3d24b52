//! Curves and bars.

use super::escaped;
use crate::outcome::{grouped, time};
use std::fmt::Write;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
/// Lines of the grid.
const STEPS: usize = 4;
/// A bar with its label above it.
const BAR: f64 = 38.0;
const BAR_TOP: f64 = 18.0;
const BAR_FIGURE: f64 = 120.0;

/// One line of a drawing.
pub(super) struct Curve {
    pub label: String,
    pub colour: &'static str,
    pub points: Vec<(f64, f64)>,
}

/// How the lower axis runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Seconds.
    Linear,
    /// Microseconds.
    Logarithmic,
    /// How many, over orders of magnitude.
    Count,
}

impl Scale {
    fn place(self, x: f64) -> f64 {
        if self == Scale::Linear { x } else { x.max(0.1).log10() }
    }

    fn label(self, place: f64) -> String {
        match self {
            Scale::Linear => format!("{place:.1} s"),
            Scale::Logarithmic => time(10f64.powf(place)),
            Scale::Count => grouped(10f64.powf(place)),
        }
    }
}

/// Curves over a common axis.
pub(super) fn curves(title: &str, curves: &[Curve], scale: Scale) -> String {
    let places = || curves.iter().flat_map(|c| &c.points).map(|p| scale.place(p.0));
    let low = if scale == Scale::Linear { 0.0 } else { places().fold(f64::INFINITY, f64::min) };
    let high = places().fold(f64::NEG_INFINITY, f64::max);
    let top = curves.iter().flat_map(|c| &c.points).map(|p| p.1).fold(0.0, f64::max).max(1e-9) * 1.05;
    let (low, high) = if low < high { (low, high) } else { (0.0, high.max(1.0)) };
    let x = |value: f64| LEFT + (scale.place(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    let mut svg = open(HEIGHT, title);
    for step in 0..=STEPS {
        let part = step as f64 / STEPS as f64;
        let (across, up) = (LEFT + part * (WIDTH - LEFT - RIGHT), y(part * top));
        let anchor = if step == STEPS { "end" } else { "middle" };
        let figure = if top < 200.0 { format!("{:.1}", part * top) } else { grouped(part * top) };
        put(
            &mut svg,
            format_args!(
                "<line x1=\"{LEFT}\" y1=\"{up:.1}\" x2=\"{:.1}\" y2=\"{up:.1}\" stroke=\"#8884\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{figure}</text>\
             <text x=\"{across:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                up + 4.0,
                HEIGHT - 12.0,
                scale.label(low + part * (high - low)),
            ),
        );
    }
    put(&mut svg, format_args!("<text x=\"{LEFT}\" y=\"14\">{}</text>", escaped(title)));
    for (i, curve) in curves.iter().enumerate() {
        let points: Vec<String> =
            curve.points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        put(
            &mut svg,
            format_args!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>",
                points.join(" "),
                curve.colour,
            ),
        );
        // A line of one point is invisible.
        for point in curve.points.iter().filter(|_| curve.points.len() < 3) {
            put(
                &mut svg,
                format_args!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{}\"/>",
                    x(point.0),
                    y(point.1),
                    curve.colour,
                ),
            );
        }
        if curves.len() > 1 {
            put(
                &mut svg,
                format_args!(
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" style=\"fill:{}\">{}</text>",
                    WIDTH - RIGHT,
                    14 + 15 * i,
                    curve.colour,
                    escaped(&curve.label),
                ),
            );
        }
    }
    svg + "</svg>\n"
}

/// A bar each: label, colour, figure.
pub(super) fn bars(lines: &[(String, &str, f64)]) -> String {
    let most = lines.iter().map(|line| line.2).fold(0.0, f64::max).max(1e-9);
    let mut svg = open(BAR * lines.len() as f64 + 4.0, "answers a second");
    for (i, (label, colour, figure)) in lines.iter().enumerate() {
        let top = BAR * i as f64;
        let width = figure / most * (WIDTH - BAR_FIGURE);
        put(
            &mut svg,
            format_args!(
                "<text x=\"0\" y=\"{:.1}\">{}</text>\
             <rect x=\"0\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                top + BAR_TOP - 4.0,
                escaped(label),
                top + BAR_TOP,
                BAR - BAR_TOP - 4.0,
                width + 6.0,
                top + BAR - 9.0,
                grouped(*figure),
            ),
        );
    }
    svg + "</svg>\n"
}

fn open(height: f64, title: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n", escaped(title))
}

fn put(svg: &mut String, piece: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = svg.write_fmt(piece);
    svg.push('\n');
}
