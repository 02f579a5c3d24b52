//! How two geometries lie to one another: which of their interiors, borders and outsides have places in common
//! (the nine intersections of Egenhofer and Clementini, as OpenGIS "Simple Features" defines its predicates by).
//!
//! Both are cut where they meet. What came of a cut is either wholly on the other geometry, wholly inside or wholly
//! outside, which one of its places tells; beside a border that both share, places on either side of it tell.

use super::shape::{Position, Shape};

/// Where a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Border,
    Outside,
}

/// The greatest dimension of what two have in common, by where that is in the one and in the other: -1 for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    dimensions: [[i8; 3]; 3],
    /// The dimensions of both.
    own: [i64; 2],
}

type Segment = (Position, Position);

/// A geometry in the parts that its places are looked for in.
#[derive(Default)]
struct Parts {
    points: Vec<Position>,
    lines: Vec<Segment>,
    /// Ends of lines that an odd number of lines have.
    ends: Vec<Position>,
    /// Polygons: their rings' segments.
    polygons: Vec<Vec<Segment>>,
    /// Polygons that are no more than one place, which is their border.
    spots: Vec<Position>,
}

impl Parts {
    fn of(shape: &Shape) -> Parts {
        let mut parts = Parts::default();
        parts.take(shape);
        parts
    }

    fn take(&mut self, shape: &Shape) {
        match shape {
            Shape::Point(at) => self.points.push(*at),
            Shape::Line(list) => {
                self.lines.extend(list.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| a != b));
                match list[..] {
                    [first, .., last] if first != last => {
                        self.turn_end(first);
                        self.turn_end(last);
                    }
                    // A line that goes nowhere is a point.
                    [first, ..] if list.iter().all(|at| *at == first) => self.points.push(first),
                    _ => {}
                }
            }
            Shape::Polygon(rings) => {
                let segments = rings.iter().flat_map(|ring| ring.windows(2)).map(|pair| (pair[0], pair[1]));
                let segments: Vec<Segment> = segments.filter(|(a, b)| a != b).collect();
                match rings.first().and_then(|ring| ring.first()) {
                    Some(spot) if segments.is_empty() => self.spots.push(*spot),
                    _ => self.polygons.push(segments),
                }
            }
            Shape::Multi(_, parts) => parts.iter().for_each(|part| self.take(part)),
        }
    }

    /// An end of one more line.
    fn turn_end(&mut self, end: Position) {
        match self.ends.iter().position(|known| *known == end) {
            Some(at) => {
                self.ends.swap_remove(at);
            }
            None => self.ends.push(end),
        }
    }

    fn segments(&self) -> impl Iterator<Item = (Segment, bool)> + '_ {
        let lines = self.lines.iter().map(|segment| (*segment, false));
        lines.chain(self.polygons.iter().flatten().map(|segment| (*segment, true)))
    }

    /// Where a place is that is in the way of no rounding: inside an area, on a part, or outside.
    fn locate(&self, at: Position) -> Place {
        let mut border = self.spots.contains(&at);
        for ring in &self.polygons {
            if ring.iter().any(|segment| is_on(at, *segment)) {
                border = true;
            } else if is_within(at, ring) {
                return Place::Inside;
            }
        }
        if self.points.contains(&at) {
            return Place::Inside;
        }
        if self.lines.iter().any(|segment| is_on(at, *segment)) {
            return if self.ends.contains(&at) { Place::Border } else { Place::Inside };
        }
        if border { Place::Border } else { Place::Outside }
    }

    /// As [`Parts::locate`] of the middle of a piece that nothing cuts: `piece` is on a segment where its ends are.
    fn locate_piece(&self, piece: Segment) -> Place {
        let along = |segment: &Segment| is_on(piece.0, *segment) && is_on(piece.1, *segment);
        let middle = middle(piece);
        let mut border = false;
        for ring in &self.polygons {
            if ring.iter().any(along) {
                border = true;
            } else if is_within(middle, ring) {
                return Place::Inside;
            }
        }
        match self.lines.iter().any(along) {
            true => Place::Inside,
            false if border => Place::Border,
            false => Place::Outside,
        }
    }

    /// Whether it has an area: the rings of a polygon may be all along one line.
    fn has_area(&self) -> bool {
        let bends = |ring: &Vec<Segment>| {
            let Some((a, b)) = ring.first() else { return false };
            ring.iter().any(|(_, c)| turn(*a, *b, *c) != 0.0)
        };
        self.polygons.iter().any(bends)
    }

    /// Whether a place that is on no border lies in an area.
    fn covers(&self, at: Position) -> bool {
        self.polygons.iter().any(|ring| is_within(at, ring))
    }
}

fn middle((a, b): Segment) -> Position {
    Position { x: a.x + (b.x - a.x) / 2.0, y: a.y + (b.y - a.y) / 2.0 }
}

/// Twice the area of the triangle.
fn turn(a: Position, b: Position, c: Position) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Whether a place is on a segment, as near as doubles can tell.
fn is_on(at: Position, (a, b): Segment) -> bool {
    if at == a || at == b {
        return true;
    }
    let within = at.x >= a.x.min(b.x) && at.x <= a.x.max(b.x) && at.y >= a.y.min(b.y) && at.y <= a.y.max(b.y);
    let size = (b.x - a.x).hypot(b.y - a.y);
    let scale = at.x.abs().max(at.y.abs()).max(a.x.abs()).max(a.y.abs()).max(b.x.abs()).max(b.y.abs());
    within && turn(a, b, at).abs() <= 8.0 * f64::EPSILON * scale * size
}

/// Whether a place that is on no segment of the rings is inside them, by the crossings of a ray.
fn is_within(at: Position, rings: &[Segment]) -> bool {
    let crosses = |(a, b): &&Segment| {
        (a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x
    };
    rings.iter().filter(crosses).count() % 2 == 1
}

/// The places where a segment meets another: where they cross, or the ends of what they share.
fn meetings(own: Segment, other: Segment, into: &mut Vec<Position>) {
    let before = into.len();
    for end in [other.0, other.1] {
        if is_on(end, own) {
            into.push(end);
        }
    }
    for end in [own.0, own.1] {
        if is_on(end, other) {
            into.push(end);
        }
    }
    if into.len() > before {
        return;
    }
    let (from, to) = (turn(other.0, other.1, own.0), turn(other.0, other.1, own.1));
    let across = turn(own.0, own.1, other.0) * turn(own.0, own.1, other.1) < 0.0;
    if across && from * to < 0.0 {
        let along = from / (from - to);
        let at = |a: f64, b: f64| a + along * (b - a);
        into.push(Position { x: at(own.0.x, own.1.x), y: at(own.0.y, own.1.y) });
    }
}

impl Relation {
    fn note(&mut self, of: usize, own: Place, other: Place, dimension: i8) {
        let (row, column) = if of == 0 { (own, other) } else { (other, own) };
        let held = &mut self.dimensions[row as usize][column as usize];
        *held = (*held).max(dimension);
    }

    /// How `a` lies to `b`. `pause` is called now and then, and ends the work by an error.
    pub fn of<E>(a: &Shape, b: &Shape, mut pause: impl FnMut() -> Result<(), E>) -> Result<Relation, E> {
        let parts = [Parts::of(a), Parts::of(b)];
        let own = [a.dimension(), b.dimension()];
        let mut relation = Relation { dimensions: [[-1; 3]; 3], own };
        relation.note(0, Place::Outside, Place::Outside, 2);
        for of in [0, 1] {
            let (own, other) = (&parts[of], &parts[1 - of]);
            for at in own.points.iter().chain(&own.ends).chain(&own.spots) {
                relation.note(of, own.locate(*at), other.locate(*at), 0);
            }
            for (segment, bounds) in own.segments() {
                pause()?;
                relation.along(of, segment, bounds, own, other);
            }
            relation.interior(of, own, other);
        }
        Ok(relation)
    }

    /// Notes what the pieces of a segment of one geometry tell, which bounds an area or is a line's.
    fn along(&mut self, of: usize, segment: Segment, bounds: bool, own: &Parts, other: &Parts) {
        let mut cuts = vec![segment.0, segment.1];
        let mut met = Vec::new();
        other.segments().for_each(|(against, _)| meetings(segment, against, &mut met));
        other.points.iter().filter(|at| is_on(**at, segment)).for_each(|at| met.push(*at));
        for at in &met {
            // A place where both are: it is inside or on the border of either.
            let own_place = if bounds { Place::Border } else { own.locate_on_line(*at) };
            self.note(of, own_place, other.locate_met(*at), 0);
        }
        cuts.append(&mut met);
        own.segments().for_each(|(against, _)| meetings(segment, against, &mut cuts));
        let far = |at: &Position| (at.x - segment.0.x).abs() + (at.y - segment.0.y).abs();
        cuts.sort_by(|a, b| far(a).total_cmp(&far(b)));
        cuts.dedup();
        for pair in cuts.windows(2) {
            let piece = (pair[0], pair[1]);
            let there = other.locate_piece(piece);
            let here = if bounds { Place::Border } else { Place::Inside };
            // A border within the geometry itself is none.
            let here = if bounds && own.is_inner(piece) { Place::Inside } else { here };
            self.note(of, here, there, 1);
            if !bounds {
                continue;
            }
            let ((a, b), at) = (piece, middle(piece));
            let step = |sign: f64| Position {
                x: at.x - sign * (b.y - a.y) * 1e-7,
                y: at.y + sign * (b.x - a.x) * 1e-7,
            };
            for side in [step(1.0), step(-1.0)] {
                let (in_own, in_other) = (own.covers(side), other.covers(side));
                let place = |covered: bool| if covered { Place::Inside } else { Place::Outside };
                self.note(of, place(in_own), place(in_other), 2);
            }
        }
    }

    /// What is left of areas: they are more than what has no area.
    fn interior(&mut self, of: usize, own: &Parts, other: &Parts) {
        if own.has_area() && !other.has_area() {
            self.note(of, Place::Inside, Place::Outside, 2);
        }
    }

    fn has(&self, own: Place, other: Place) -> bool {
        self.dimensions[own as usize][other as usize] >= 0
    }

    /// They have a place in common.
    pub fn intersects(&self) -> bool {
        use Place::{Border, Inside};
        [(Inside, Inside), (Inside, Border), (Border, Inside), (Border, Border)]
            .iter()
            .any(|(a, b)| self.has(*a, *b))
    }

    /// The first lies within the second, on whose border it may be: to MariaDB borders belong to what they bound.
    pub fn within(&self) -> bool {
        use Place::{Border, Inside, Outside};
        self.intersects() && !self.has(Inside, Outside) && !self.has(Border, Outside)
    }

    /// The second lies within the first.
    pub fn contains(&self) -> bool {
        use Place::{Border, Inside, Outside};
        self.intersects() && !self.has(Outside, Inside) && !self.has(Outside, Border)
    }

    /// They cover the same places.
    pub fn equals(&self) -> bool {
        self.within() && self.contains()
    }

    /// They meet at their borders only.
    pub fn touches(&self) -> bool {
        !self.has(Place::Inside, Place::Inside) && self.intersects()
    }

    /// Some of the first lies within the second, which has a dimension more, and some of it outside; lines do where they
    /// have some places in common and some of their own. Nothing is said of others.
    pub fn crosses(&self) -> Option<bool> {
        match self.own {
            [1, 1] => Some(self.overlaps()),
            [a, b] if a < b => Some(self.intersects() && !self.within()),
            _ => None,
        }
    }

    /// Two of one dimension have places in common, and each has some of its own.
    pub fn overlaps(&self) -> bool {
        self.own[0] == self.own[1] && self.intersects() && !self.within() && !self.contains()
    }

    /// Whether the nine dimensions are as a pattern has them: `T` for any, `F` for none, `0` to `2`, `*` for either.
    pub fn matches(&self, pattern: &[u8]) -> bool {
        let fits = |(wanted, dimension): (&u8, i8)| match wanted {
            b'T' | b't' => dimension >= 0,
            b'F' | b'f' => dimension < 0,
            b'0'..=b'2' => dimension == (wanted - b'0') as i8,
            _ => true,
        };
        pattern.len() == 9 && pattern.iter().zip(self.dimensions.into_iter().flatten()).all(fits)
    }
}

impl Parts {
    /// Where a place is that is known to be on a line of this geometry.
    fn locate_on_line(&self, at: Position) -> Place {
        match self.locate(at) {
            Place::Outside => Place::Inside,
            place => place,
        }
    }

    /// Where a place is that is known to be on a part of this geometry, though rounding may have moved it off.
    fn locate_met(&self, at: Position) -> Place {
        match self.locate(at) {
            Place::Outside if self.lines.is_empty() => Place::Border,
            Place::Outside => Place::Inside,
            place => place,
        }
    }

    /// Whether a piece of a border has areas of this geometry on both of its sides.
    fn is_inner(&self, piece: Segment) -> bool {
        self.polygons.len() > 1 && {
            let along = |segment: &Segment| is_on(piece.0, *segment) && is_on(piece.1, *segment);
            let at = middle(piece);
            let others = self.polygons.iter().filter(|ring| !ring.iter().any(along));
            others.into_iter().any(|ring| is_within(at, ring))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(a: &str, b: &str) -> Relation {
        let shape = |text: &str| Shape::from_text(text.as_bytes()).unwrap();
        Relation::of(&shape(a), &shape(b), || Ok::<(), ()>(())).unwrap()
    }

    #[test]
    fn geometries_lie_to_one_another() {
        let square = "POLYGON((0 0,0 3,3 3,3 0,0 0))";
        assert!(relation("POINT(1 1)", square).within());
        assert!(relation(square, "POINT(3 1)").contains(), "borders belong to what they bound");
        assert!(relation(square, "POLYGON((3 0,3 3,5 3,5 0,3 0))").touches());
        assert!(relation(square, "POLYGON((1 1,1 5,5 5,5 1,1 1))").overlaps());
        assert!(!relation(square, "POLYGON((4 4,4 5,5 5,5 4,4 4))").intersects());
        assert_eq!(relation("LINESTRING(1 1,5 1)", square).crosses(), Some(true));
        assert_eq!(relation(square, square).crosses(), None);
        assert!(relation("LINESTRING(0 0,2 2)", "LINESTRING(2 2,1 1,0 0)").equals());
        assert!(relation(square, "POLYGON((3 3,3 0,1 0,0 0,0 3,3 3))").equals());
        assert!(relation("MULTIPOINT(1 1,2 2)", "MULTIPOINT(2 2,1 1,2 2)").equals());
        assert!(relation("POINT(1 1)", square).matches(b"0FFFFF212"));
    }
}
