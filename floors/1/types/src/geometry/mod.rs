//! Geometries: values as columns keep them ([`GeometryType`] checks them without taking them apart), and [`Shape`], what
//! functions compute with. A value is the number of a reference system, then well-known binary (WKB).
//!
//! ```text
//! value       SRID u32, geometry                       all little-endian
//! geometry    byte order 1, kind u32, body
//! body        Point              x f64, y f64
//!             LineString         count u32, count times x, y
//!             Polygon            count u32, count times (count u32, count times x, y)
//!             Multi..., Collection   count u32, count times geometry
//! ```

mod measure;
mod relate;
mod shape;

pub use measure::Extent;
pub use relate::Relation;
pub use shape::{Position, Shape};

use serde::{Deserialize, Serialize};

/// The type of a geometry column; [`GeometryType::Geometry`] takes all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GeometryType {
    /// GEOMETRY.
    Geometry,
    /// POINT.
    Point,
    /// LINESTRING.
    LineString,
    /// POLYGON.
    Polygon,
    /// MULTIPOINT.
    MultiPoint,
    /// MULTILINESTRING.
    MultiLineString,
    /// MULTIPOLYGON.
    MultiPolygon,
    /// GEOMETRYCOLLECTION.
    Collection,
}

/// How deep collections may nest.
const MAX_DEPTH: usize = 32;

impl GeometryType {
    /// All types; the position is WKB's number.
    pub const ALL: [GeometryType; 8] = [
        GeometryType::Geometry,
        GeometryType::Point,
        GeometryType::LineString,
        GeometryType::Polygon,
        GeometryType::MultiPoint,
        GeometryType::MultiLineString,
        GeometryType::MultiPolygon,
        GeometryType::Collection,
    ];

    /// The name in definitions.
    pub const fn name(self) -> &'static str {
        match self {
            GeometryType::Geometry => "geometry",
            GeometryType::Point => "point",
            GeometryType::LineString => "linestring",
            GeometryType::Polygon => "polygon",
            GeometryType::MultiPoint => "multipoint",
            GeometryType::MultiLineString => "multilinestring",
            GeometryType::MultiPolygon => "multipolygon",
            GeometryType::Collection => "geometrycollection",
        }
    }

    /// By name in any case.
    pub fn by_name(name: &str) -> Option<GeometryType> {
        GeometryType::ALL.into_iter().find(|ty| ty.name().eq_ignore_ascii_case(name))
    }

    /// By WKB's number.
    pub fn by_number(number: u32) -> Option<GeometryType> {
        GeometryType::ALL.into_iter().skip(1).find(|ty| *ty as u32 == number)
    }

    /// The type of a column's value; none where the bytes are no geometry.
    pub fn of_value(bytes: &[u8]) -> Option<GeometryType> {
        let mut rest = bytes.get(4..)?;
        let ty = skip(&mut rest, 0)?;
        rest.is_empty().then_some(ty)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*head)
}

fn count(bytes: &mut &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(take(bytes)?))
}

fn skip_points(bytes: &mut &[u8], points: u32) -> Option<()> {
    let len = usize::try_from(points).ok()?.checked_mul(16)?;
    *bytes = bytes.get(len..)?;
    Some(())
}

/// Takes one geometry off the front.
fn skip(bytes: &mut &[u8], depth: usize) -> Option<GeometryType> {
    let [1] = take(bytes)? else { return None };
    let ty = GeometryType::by_number(count(bytes)?)?;
    match ty {
        GeometryType::Geometry => return None,
        GeometryType::Point => skip_points(bytes, 1)?,
        GeometryType::LineString => {
            let points = count(bytes)?;
            skip_points(bytes, points)?;
        }
        GeometryType::Polygon => {
            for _ in 0..count(bytes)? {
                let points = count(bytes)?;
                skip_points(bytes, points)?;
            }
        }
        _ if depth == MAX_DEPTH => return None,
        _ => {
            for _ in 0..count(bytes)? {
                skip(bytes, depth + 1)?;
            }
        }
    }
    Some(ty)
}
