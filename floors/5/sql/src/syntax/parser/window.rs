//! Windows and their frames.

use super::expr::Level;
use super::*;

impl<'a> Parser<'a> {
    /// `(...)` of OVER and WINDOW.
    pub(super) fn window_spec(&mut self) -> SqlResult<WindowSpec> {
        self.expect_char(b'(')?;
        let mut spec = WindowSpec::default();
        if self.at_name() {
            spec.base = Some(self.name()?);
        }
        if self.eat(Kw::PARTITION) {
            self.expect(Kw::BY)?;
            spec.partition_by = self.order_items()?;
        }
        spec.order_by = self.order_by()?;
        if self.at(Kw::ROWS) || self.at(Kw::RANGE) {
            spec.frame = Some(self.frame()?);
        }
        self.expect_char(b')')?;
        Ok(spec)
    }

    fn frame(&mut self) -> SqlResult<Frame> {
        let rows = self.bump().tok == Tok::Kw(Kw::ROWS);
        let (start, end) = if self.eat(Kw::BETWEEN) {
            let start = self.frame_bound()?;
            self.expect(Kw::AND)?;
            (start, Some(self.frame_bound()?))
        } else {
            (self.frame_bound()?, None)
        };
        let mut exclude = FrameExclude::NoOthers;
        if self.eat(Kw::EXCLUDE) {
            exclude = match self.bump().tok {
                Tok::Kw(Kw::CURRENT) => {
                    self.expect(Kw::ROW)?;
                    FrameExclude::CurrentRow
                }
                Tok::Kw(Kw::GROUP) => FrameExclude::Group,
                Tok::Kw(Kw::TIES) => FrameExclude::Ties,
                Tok::Kw(Kw::NO) => {
                    self.expect(Kw::OTHERS)?;
                    FrameExclude::NoOthers
                }
                _ => return Err(self.unexpected()),
            };
        }
        Ok(Frame { rows, start, end, exclude })
    }

    fn frame_bound(&mut self) -> SqlResult<FrameBound> {
        if self.eat_two(Kw::CURRENT, Kw::ROW) {
            return Ok(FrameBound::CurrentRow);
        }
        if self.eat(Kw::UNBOUNDED) {
            if self.eat(Kw::PRECEDING) {
                return Ok(FrameBound::UnboundedPreceding);
            }
            self.expect(Kw::FOLLOWING)?;
            return Ok(FrameBound::UnboundedFollowing);
        }
        if self.at_name() {
            return Err(self.unexpected());
        }
        let amount = self.nested(|p| p.expr_at(Level::BitOr))?;
        if self.eat(Kw::PRECEDING) {
            return Ok(FrameBound::Preceding(amount));
        }
        self.expect(Kw::FOLLOWING)?;
        Ok(FrameBound::Following(amount))
    }
}
