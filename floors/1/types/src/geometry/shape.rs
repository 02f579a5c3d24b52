//! A geometry taken apart: what functions compute with. Read from well-known binary and text, written as both.

use super::{GeometryType, MAX_DEPTH};
use crate::number;

/// A place in the plane.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Position {
    /// The first coordinate.
    pub x: f64,
    /// The second.
    pub y: f64,
}

/// A geometry.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub enum Shape {
    /// POINT.
    Point(Position),
    /// LINESTRING.
    Line(Vec<Position>),
    /// POLYGON: its outer ring, then its holes.
    Polygon(Vec<Vec<Position>>),
    /// The types of several parts.
    Multi(GeometryType, Vec<Shape>),
}

impl PartialOrd for GeometryType {
    fn partial_cmp(&self, other: &GeometryType) -> Option<std::cmp::Ordering> {
        Some((*self as u8).cmp(&(*other as u8)))
    }
}

/// Well-known binary in one of its two byte orders.
struct Wkb<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl Wkb<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*head)
    }

    fn number(&mut self) -> Option<u32> {
        let bytes = self.take()?;
        Some(if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    fn coordinate(&mut self) -> Option<f64> {
        let bytes = self.take()?;
        let n = if self.little { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) };
        n.is_finite().then_some(n)
    }

    fn position(&mut self) -> Option<Position> {
        Some(Position { x: self.coordinate()?, y: self.coordinate()? })
    }

    /// A count, then so many of something; the bytes end before a wrong count does harm.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| item(self)).collect()
    }

    fn shape(&mut self, depth: usize) -> Option<Shape> {
        let [order] = self.take()?;
        self.little = match order {
            0 => false,
            1 => true,
            _ => return None,
        };
        let ty = GeometryType::by_number(self.number()?)?;
        Some(match ty {
            GeometryType::Geometry => return None,
            GeometryType::Point => Shape::Point(self.position()?),
            GeometryType::LineString => Shape::Line(self.list(Wkb::position)?),
            GeometryType::Polygon => Shape::Polygon(self.list(|wkb| wkb.list(Wkb::position))?),
            _ if depth == MAX_DEPTH => return None,
            _ => {
                let parts = self.list(|wkb| wkb.shape(depth + 1))?;
                let fits = parts.iter().all(|part| ty.part().is_none_or(|wanted| part.ty() == wanted));
                fits.then_some(Shape::Multi(ty, parts))?
            }
        })
    }
}

impl GeometryType {
    /// The type of the parts of a type of several parts of one kind.
    fn part(self) -> Option<GeometryType> {
        match self {
            GeometryType::MultiPoint => Some(GeometryType::Point),
            GeometryType::MultiLineString => Some(GeometryType::LineString),
            GeometryType::MultiPolygon => Some(GeometryType::Polygon),
            _ => None,
        }
    }
}

impl Shape {
    /// Reads well-known binary of either byte order.
    pub fn from_wkb(bytes: &[u8]) -> Option<Shape> {
        let mut wkb = Wkb { bytes, little: true };
        let shape = wkb.shape(0)?;
        wkb.bytes.is_empty().then_some(shape)
    }

    /// Takes a column's value apart: reference system and geometry.
    pub fn of_value(value: &[u8]) -> Option<(u32, Shape)> {
        let (srid, rest) = value.split_first_chunk::<4>()?;
        Some((u32::from_le_bytes(*srid), Shape::from_wkb(rest)?))
    }

    /// The value that a column keeps.
    pub fn to_value(&self, srid: u32) -> Vec<u8> {
        let mut out = srid.to_le_bytes().to_vec();
        self.write_wkb(&mut out);
        out
    }

    /// Its type.
    pub fn ty(&self) -> GeometryType {
        match self {
            Shape::Point(_) => GeometryType::Point,
            Shape::Line(_) => GeometryType::LineString,
            Shape::Polygon(_) => GeometryType::Polygon,
            Shape::Multi(ty, _) => *ty,
        }
    }

    /// Appends well-known binary, little-endian.
    pub fn write_wkb(&self, out: &mut Vec<u8>) {
        fn positions(list: &[Position], out: &mut Vec<u8>) {
            out.extend((list.len() as u32).to_le_bytes());
            list.iter().for_each(|at| position(*at, out));
        }
        fn position(at: Position, out: &mut Vec<u8>) {
            out.extend(at.x.to_le_bytes());
            out.extend(at.y.to_le_bytes());
        }
        out.push(1);
        out.extend((self.ty() as u32).to_le_bytes());
        match self {
            Shape::Point(at) => position(*at, out),
            Shape::Line(list) => positions(list, out),
            Shape::Polygon(rings) => {
                out.extend((rings.len() as u32).to_le_bytes());
                rings.iter().for_each(|ring| positions(ring, out));
            }
            Shape::Multi(_, parts) => {
                out.extend((parts.len() as u32).to_le_bytes());
                parts.iter().for_each(|part| part.write_wkb(out));
            }
        }
    }

    /// Appends well-known text.
    pub fn write_text(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.ty().name().to_uppercase().as_bytes());
        match self {
            Shape::Multi(GeometryType::Collection, parts) if parts.is_empty() => {
                out.extend_from_slice(b" EMPTY");
            }
            Shape::Multi(GeometryType::Collection, parts) => listed(parts, out, Shape::write_text),
            _ => self.write_body(out),
        }
    }

    /// The part of the text behind the type's name.
    fn write_body(&self, out: &mut Vec<u8>) {
        fn position(at: &Position, out: &mut Vec<u8>) {
            number::write_double(at.x, out);
            out.push(b' ');
            number::write_double(at.y, out);
        }
        match self {
            Shape::Point(at) => listed(std::slice::from_ref(at), out, position),
            Shape::Line(list) => listed(list, out, position),
            Shape::Polygon(rings) => listed(rings, out, |ring, out| listed(ring, out, position)),
            Shape::Multi(_, parts) => listed(parts, out, |part, out| match part {
                // MariaDB writes the points of a MULTIPOINT bare.
                Shape::Point(at) => position(at, out),
                part => part.write_body(out),
            }),
        }
    }

    /// Reads well-known text; what stands behind the geometry does not count.
    pub fn from_text(text: &[u8]) -> Option<Shape> {
        Wkt { text }.shape(true)
    }

    /// A polygon of rings, which must be closed.
    pub fn polygon(rings: Vec<Vec<Position>>) -> Option<Shape> {
        let closed = |ring: &Vec<Position>| ring.len() > 2 && ring.first() == ring.last();
        (!rings.is_empty() && rings.iter().all(closed)).then_some(Shape::Polygon(rings))
    }
}

fn listed<T>(items: &[T], out: &mut Vec<u8>, write: impl Fn(&T, &mut Vec<u8>)) {
    out.push(b'(');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b')');
}

/// Well-known text that is left to read.
struct Wkt<'a> {
    text: &'a [u8],
}

impl Wkt<'_> {
    fn skip_spaces(&mut self) {
        self.text = self.text.trim_ascii_start();
    }

    fn eat(&mut self, mark: u8) -> bool {
        self.skip_spaces();
        match self.text.strip_prefix(&[mark]) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn span(&mut self, of: impl Fn(u8) -> bool) -> &[u8] {
        self.skip_spaces();
        let end = self.text.iter().position(|b| !of(*b)).unwrap_or(self.text.len());
        let (span, rest) = self.text.split_at(end);
        self.text = rest;
        span
    }

    fn coordinate(&mut self) -> Option<f64> {
        let digits = self.span(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
        let n = std::str::from_utf8(digits).ok()?.parse::<f64>().ok()?;
        n.is_finite().then_some(n)
    }

    fn position(&mut self) -> Option<Position> {
        Some(Position { x: self.coordinate()?, y: self.coordinate()? })
    }

    /// `(item, ...)` with at least one item.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        if !self.eat(b'(') {
            return None;
        }
        let mut items = vec![item(self)?];
        while self.eat(b',') {
            items.push(item(self)?);
        }
        self.eat(b')').then_some(items)
    }

    fn polygon(&mut self) -> Option<Shape> {
        Shape::polygon(self.list(|text| text.list(Wkt::position))?)
    }

    /// A geometry; collections do not nest.
    fn shape(&mut self, collections: bool) -> Option<Shape> {
        let name = self.span(|b| b.is_ascii_alphabetic()).to_vec();
        let ty = GeometryType::by_name(std::str::from_utf8(&name).ok()?)?;
        Some(match ty {
            GeometryType::Geometry => return None,
            GeometryType::Point => {
                let positions = self.list(Wkt::position)?;
                Shape::Point(*positions.first().filter(|_| positions.len() == 1)?)
            }
            GeometryType::LineString => Shape::Line(self.list(Wkt::position)?),
            GeometryType::Polygon => self.polygon()?,
            GeometryType::MultiPoint => {
                Shape::Multi(ty, self.list(|text| text.position().map(Shape::Point))?)
            }
            GeometryType::MultiLineString => {
                Shape::Multi(ty, self.list(|text| text.list(Wkt::position).map(Shape::Line))?)
            }
            GeometryType::MultiPolygon => Shape::Multi(ty, self.list(Wkt::polygon)?),
            GeometryType::Collection if collections => Shape::Multi(ty, self.collection()?),
            GeometryType::Collection => return None,
        })
    }

    fn collection(&mut self) -> Option<Vec<Shape>> {
        let before = self.text;
        if self.span(|b| b.is_ascii_alphabetic()).eq_ignore_ascii_case(b"EMPTY") {
            return Some(Vec::new());
        }
        self.text = before;
        if self.eat(b'(') && self.eat(b')') {
            return Some(Vec::new());
        }
        self.text = before;
        self.list(|text| text.shape(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_bytes_too() {
        for text in [
            "POINT(1 2)",
            "LINESTRING(0 0,1.5 -2)",
            "POLYGON((0 0,0 3,3 3,3 0,0 0),(1 1,1 2,2 2,2 1,1 1))",
            "MULTIPOINT(1 1,2 2)",
            "MULTILINESTRING((0 0,1 1),(2 2,3 3,4 5))",
            "MULTIPOLYGON(((0 0,0 1,1 1,0 0)),((5 5,5 6,6 6,5 5)))",
            "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))",
            "GEOMETRYCOLLECTION EMPTY",
        ] {
            let shape = Shape::from_text(text.as_bytes()).unwrap();
            let mut written = Vec::new();
            shape.write_text(&mut written);
            assert_eq!(String::from_utf8(written).unwrap(), text);
            let value = shape.to_value(7);
            assert_eq!(Shape::of_value(&value), Some((7, shape.clone())));
            assert_eq!(GeometryType::of_value(&value), Some(shape.ty()));
            for cut in 0..value.len() {
                assert_eq!(Shape::of_value(&value[..cut]), None);
            }
        }
    }

    #[test]
    fn what_is_no_geometry_is_refused() {
        for text in [
            "",
            "POINT(1)",
            "POINT(1 2",
            "POINT(1,2)",
            "POINT(nan 1)",
            "POLYGON((0 0,1 1))",
            "LINESTRING()",
            "MULTIPOINT((1 1))",
            "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(1 1)))",
        ] {
            assert_eq!(Shape::from_text(text.as_bytes()), None, "{text}");
        }
        // A count that the bytes do not hold.
        assert_eq!(Shape::from_wkb(&[1, 2, 0, 0, 0, 255, 255, 255, 255]), None);
    }
}
