//! What a session has to say of its statements.

/// Severity of a diagnostics entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Note.
    Note,
    /// Warning.
    Warning,
    /// Error.
    Error,
}

/// An entry of SHOW WARNINGS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Severity.
    pub level: Level,
    /// MariaDB's number.
    pub errno: u16,
    /// Text.
    pub message: String,
}

/// The diagnostics area: what SHOW WARNINGS shows.
#[derive(Debug, Default)]
pub struct Diagnostics {
    /// Entries, `max_error_count` of them at most.
    pub entries: Vec<Warning>,
    /// All that were raised, shown or not.
    pub raised: u64,
    /// Those of the last statement that had any, and their number: they are shown until a statement that names tables,
    /// or one that raises something, comes by.
    before: (Vec<Warning>, u64),
}

/// How much was told at some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    entries: usize,
    raised: u64,
}

/// What names and messages show of a text: `?` for characters of four bytes.
pub fn plain_name(text: String) -> String {
    match text.bytes().any(|byte| byte >= 0xF0) {
        true => text.chars().map(|c| if c > '\u{FFFF}' { '?' } else { c }).collect(),
        false => text,
    }
}

impl Diagnostics {
    /// Adds an entry; beyond `max` it is only counted.
    pub fn push(&mut self, level: Level, errno: u16, message: String, max: usize) {
        self.raised += 1;
        if self.entries.len() < max {
            let message = plain_name(message);
            self.entries.push(Warning { level, errno, message });
        }
    }

    /// Whether something is told already.
    pub fn tells(&self, message: &str) -> bool {
        self.entries.iter().any(|entry| entry.message == message)
    }

    /// Leaves out of the entries from `first` on those that were there before.
    pub fn forget_repeated(&mut self, first: usize) {
        let mut new = self.entries.split_off(first.min(self.entries.len()));
        let raised = new.len();
        // The row is that of another order.
        let text = |w: &Warning| w.message.split(" at row ").next().map(str::to_owned);
        let same = |a: &Warning, b: &Warning| a.errno == b.errno && text(a) == text(b);
        new.retain(|w| !self.entries.iter().any(|before| same(before, w)));
        self.raised -= (raised - new.len()) as u64;
        self.entries.append(&mut new);
    }

    /// What is told so far, for [`Diagnostics::forget_since`].
    pub fn told(&self) -> Told {
        Told { entries: self.entries.len(), raised: self.raised }
    }

    /// Forgets what was told since, shown or not.
    pub fn forget_since(&mut self, told: Told) {
        self.entries.truncate(told.entries);
        self.raised = told.raised;
    }

    /// Forgets the entries from `first` on.
    pub fn forget_from(&mut self, first: usize) {
        let forgotten = self.entries.len().saturating_sub(first) as u64;
        self.entries.truncate(first);
        self.raised = self.raised.saturating_sub(forgotten);
    }

    /// A statement begins that resets the area.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.raised = 0;
        self.before.1 = 0;
    }

    /// A statement begins that resets the area only by what it raises itself.
    pub fn set_aside(&mut self) {
        if self.raised != 0 {
            self.before = (std::mem::take(&mut self.entries), self.raised);
            self.raised = 0;
        }
    }

    /// Adds what a later part of the statement raised; entries beyond `max` are only counted.
    pub fn add(&mut self, later: Diagnostics, max: usize) {
        self.raised += later.raised;
        let room = max.saturating_sub(self.entries.len());
        self.entries.extend(later.entries.into_iter().take(room));
    }

    /// What SHOW WARNINGS shows.
    pub fn shown(&self) -> &[Warning] {
        match (self.raised, self.before.1) {
            (0, n) if n != 0 => &self.before.0,
            _ => &self.entries,
        }
    }

    /// What `@@warning_count` counts.
    pub fn shown_count(&self) -> u64 {
        if self.raised == 0 { self.before.1 } else { self.raised }
    }

    /// The count that OK packets carry.
    pub fn count(&self) -> u16 {
        self.raised.min(u64::from(u16::MAX)) as u16
    }
}
