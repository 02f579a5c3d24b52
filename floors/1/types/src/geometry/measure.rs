//! What is measured of geometries: extents, lengths, areas, distances.

use super::GeometryType;
use super::shape::{Position, Shape};

/// The smallest rectangle around a geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Least coordinates.
    pub low: Position,
    /// Greatest coordinates.
    pub high: Position,
}

impl Extent {
    fn at(at: Position) -> Extent {
        Extent { low: at, high: at }
    }

    fn around(self, other: Extent) -> Extent {
        let low = Position { x: self.low.x.min(other.low.x), y: self.low.y.min(other.low.y) };
        let high = Position { x: self.high.x.max(other.high.x), y: self.high.y.max(other.high.y) };
        Extent { low, high }
    }

    /// Whether `other` lies within, borders included.
    pub fn contains(self, other: Extent) -> bool {
        self.around(other) == self
    }

    /// Whether the two have a place in common.
    pub fn intersects(self, other: Extent) -> bool {
        let apart = self.high.x < other.low.x
            || other.high.x < self.low.x
            || self.high.y < other.low.y
            || other.high.y < self.low.y;
        !apart
    }

    /// How many of the sides have a length.
    fn dimension(self) -> usize {
        usize::from(self.low.x < self.high.x) + usize::from(self.low.y < self.high.y)
    }

    /// Whether the two share a part of their own dimension, neither being within the other.
    pub fn overlaps(self, other: Extent) -> bool {
        if self.dimension() != other.dimension() || !self.intersects(other) {
            return false;
        }
        let low = Position { x: self.low.x.max(other.low.x), y: self.low.y.max(other.low.y) };
        let high = Position { x: self.high.x.min(other.high.x), y: self.high.y.min(other.high.y) };
        let shared = Extent { low, high };
        shared.dimension() == self.dimension() && shared != self && shared != other
    }

    /// The rectangle as a polygon.
    pub fn polygon(self) -> Shape {
        let Extent { low, high } = self;
        let corner = |x, y| Position { x, y };
        let ring = vec![low, corner(high.x, low.y), high, corner(low.x, high.y), low];
        Shape::Polygon(vec![ring])
    }
}

/// Twice the signed area of a ring.
fn doubled_area(ring: &[Position]) -> f64 {
    ring.windows(2).map(|pair| pair[0].x * pair[1].y - pair[1].x * pair[0].y).sum()
}

fn distance(a: Position, b: Position) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

/// From a place to a segment.
fn distance_to_segment(at: Position, segment: (Position, Position)) -> f64 {
    let (from, to) = segment;
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let squared = dx * dx + dy * dy;
    if squared == 0.0 {
        return distance(at, from);
    }
    let along = (at.x - from.x) * dx + (at.y - from.y) * dy;
    match along {
        _ if along <= 0.0 => distance(at, from),
        _ if along >= squared => distance(at, to),
        // From the line: the area beside it by its length.
        _ => (side(from, to, at) / squared.sqrt()).abs(),
    }
}

/// The side of the line through a and b that c is on.
fn side(a: Position, b: Position, c: Position) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn segments_cross(a: (Position, Position), b: (Position, Position)) -> bool {
    side(a.0, a.1, b.0) * side(a.0, a.1, b.1) < 0.0 && side(b.0, b.1, a.0) * side(b.0, b.1, a.1) < 0.0
}

fn between_segments(a: (Position, Position), b: (Position, Position)) -> f64 {
    if segments_cross(a, b) {
        return 0.0;
    }
    let ends = [
        distance_to_segment(a.0, b),
        distance_to_segment(a.1, b),
        distance_to_segment(b.0, a),
        distance_to_segment(b.1, a),
    ];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

/// Whether a place is inside a ring, by the crossings of a ray.
fn inside(at: Position, ring: &[Position]) -> bool {
    let crosses = |pair: &&[Position]| {
        let (a, b) = (pair[0], pair[1]);
        (a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x
    };
    ring.windows(2).filter(crosses).count() % 2 == 1
}

/// What a geometry is made of.
#[derive(Default)]
struct Parts<'a> {
    /// Segments; a point is one without length.
    segments: Vec<(Position, Position)>,
    polygons: Vec<&'a [Vec<Position>]>,
}

impl Parts<'_> {
    fn covers(&self, at: Position) -> bool {
        self.polygons.iter().any(|rings| {
            rings
                .split_first()
                .is_some_and(|(outer, holes)| inside(at, outer) && !holes.iter().any(|hole| inside(at, hole)))
        })
    }
}

impl Shape {
    /// The extent; none where there is no place at all.
    pub fn extent(&self) -> Option<Extent> {
        let of = |list: &[Position]| list.iter().map(|at| Extent::at(*at)).reduce(Extent::around);
        match self {
            Shape::Point(at) => Some(Extent::at(*at)),
            Shape::Line(list) => of(list),
            Shape::Polygon(rings) => rings.iter().filter_map(|ring| of(ring)).reduce(Extent::around),
            Shape::Multi(_, parts) => parts.iter().filter_map(Shape::extent).reduce(Extent::around),
        }
    }

    /// 0 for points, 1 for lines, 2 for areas.
    pub fn dimension(&self) -> i64 {
        match self {
            Shape::Point(_) => 0,
            Shape::Line(_) => 1,
            Shape::Polygon(_) => 2,
            Shape::Multi(_, parts) => parts.iter().map(Shape::dimension).max().unwrap_or(0),
        }
    }

    /// The area; holes do not count. Several points or lines have none.
    pub fn area(&self) -> Option<f64> {
        match self {
            Shape::Point(_) | Shape::Line(_) => Some(0.0),
            Shape::Polygon(rings) => {
                let areas = rings.iter().map(|ring| (doubled_area(ring) / 2.0).abs());
                Some(areas.reduce(|outer, hole| outer - hole).unwrap_or(0.0))
            }
            Shape::Multi(GeometryType::MultiPoint | GeometryType::MultiLineString, _) => None,
            Shape::Multi(_, parts) => parts.iter().map(Shape::area).sum(),
        }
    }

    /// The length of lines; none where there are areas.
    pub fn length(&self) -> Option<f64> {
        match self {
            Shape::Point(_) => Some(0.0),
            Shape::Line(list) => Some(list.windows(2).map(|pair| distance(pair[0], pair[1])).sum()),
            Shape::Polygon(_) | Shape::Multi(GeometryType::MultiPoint, _) => None,
            Shape::Multi(_, parts) => parts.iter().map(Shape::length).sum(),
        }
    }

    /// The centre of an area.
    pub fn centroid(&self) -> Option<Position> {
        let polygons: Vec<&[Vec<Position>]> = match self {
            Shape::Polygon(rings) => vec![rings],
            Shape::Multi(GeometryType::MultiPolygon, parts) => {
                parts.iter().filter_map(Shape::rings).collect()
            }
            _ => return None,
        };
        let (mut area, mut x, mut y) = (0.0, 0.0, 0.0);
        for (i, ring) in polygons.iter().flat_map(|rings| rings.iter().enumerate()) {
            let doubled = doubled_area(ring);
            // Holes take away, whatever their direction.
            let sign = if (doubled < 0.0) == (i > 0) { 1.0 } else { -1.0 };
            for pair in ring.windows(2) {
                let cross = pair[0].x * pair[1].y - pair[1].x * pair[0].y;
                x += sign * (pair[0].x + pair[1].x) * cross;
                y += sign * (pair[0].y + pair[1].y) * cross;
            }
            area += sign * doubled;
        }
        (area != 0.0).then(|| Position { x: x / (3.0 * area), y: y / (3.0 * area) })
    }

    fn rings(&self) -> Option<&[Vec<Position>]> {
        match self {
            Shape::Polygon(rings) => Some(rings),
            _ => None,
        }
    }

    fn collect<'a>(&'a self, into: &mut Parts<'a>) {
        let mut lines = |list: &[Position]| match list {
            [only] => into.segments.push((*only, *only)),
            list => into.segments.extend(list.windows(2).map(|pair| (pair[0], pair[1]))),
        };
        match self {
            Shape::Point(at) => lines(&[*at]),
            Shape::Line(list) => lines(list),
            Shape::Polygon(rings) => {
                rings.iter().for_each(|ring| lines(ring));
                into.polygons.push(rings);
            }
            Shape::Multi(_, parts) => parts.iter().for_each(|part| part.collect(into)),
        }
    }

    /// The least distance of a place of one from a place of the other; none where one has no places. `pause` is called
    /// now and then, and ends the work by an error.
    pub fn distance<E>(
        &self,
        other: &Shape,
        mut pause: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<f64>, E> {
        let (mut a, mut b) = (Parts::default(), Parts::default());
        self.collect(&mut a);
        other.collect(&mut b);
        let mut least = None;
        for segment in &a.segments {
            pause()?;
            if b.covers(segment.0) {
                return Ok(Some(0.0));
            }
            for against in &b.segments {
                let apart = between_segments(*segment, *against);
                least = Some(least.map_or(apart, |least: f64| least.min(apart)));
            }
            if least == Some(0.0) {
                return Ok(least);
            }
        }
        for segment in &b.segments {
            pause()?;
            if least.is_some() && a.covers(segment.0) {
                return Ok(Some(0.0));
            }
        }
        Ok(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::from_text(text.as_bytes()).unwrap()
    }

    fn apart(a: &str, b: &str) -> Option<f64> {
        shape(a).distance(&shape(b), || Ok::<(), ()>(())).unwrap()
    }

    #[test]
    fn distances_and_areas() {
        let square = "POLYGON((0 0,0 3,3 3,3 0,0 0))";
        assert_eq!(apart("POINT(0 0)", "POINT(3 4)"), Some(5.0));
        assert_eq!(apart("POINT(1 1)", square), Some(0.0));
        assert_eq!(apart(square, "POINT(5 1)"), Some(2.0));
        assert_eq!(apart("LINESTRING(0 0,2 2)", "LINESTRING(0 2,2 0)"), Some(0.0));
        assert_eq!(apart("GEOMETRYCOLLECTION EMPTY", square), None);
        assert_eq!(
            apart("POINT(1.5 1.5)", "POLYGON((0 0,0 3,3 3,3 0,0 0),(1 1,1 2,2 2,2 1,1 1))"),
            Some(0.5)
        );
        assert_eq!(shape("POLYGON((0 0,0 3,3 3,3 0,0 0),(1 1,1 2,2 2,2 1,1 1))").area(), Some(8.0));
        assert_eq!(shape(square).centroid(), Some(Position { x: 1.5, y: 1.5 }));
    }
}
