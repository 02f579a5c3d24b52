//! The index file: `binlog.index`, one segment a line, oldest first, as `./binlog.000001`.
//!
//! It says which segment is the oldest; the others must follow it without a gap. It is replaced as a whole: written
//! beside, forced, renamed, the name forced. A segment is listed before anything points to it, and taken from the list
//! before it is removed.

use crate::error::{LogError, Result};
use crate::position::{index_name, segment_name, segment_number};
use platform::file::{Dir, OpenMode};

/// The segments in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listing {
    /// Numbers of the log's segments, without gaps.
    pub segments: Vec<u32>,
    /// Whether there is an index file.
    pub indexed: bool,
    /// Files of segments older than the index tells: a purge was cut short.
    pub leftovers: Vec<u32>,
}

/// Reads index and directory, and checks that they agree.
pub(crate) fn list_segments(dir: &dyn Dir, base: &str) -> Result<Listing> {
    let names = dir.list().map_err(LogError::io("list the files of", base))?;
    let mut present: Vec<u32> = names.iter().filter_map(|name| segment_number(base, name)).collect();
    present.sort_unstable();
    let index = index_name(base);
    if !names.contains(&index) {
        check_gaps(base, &present, "segments before and after it exist")?;
        return Ok(Listing { segments: present, indexed: false, leftovers: Vec::new() });
    }
    let listed = read_index(dir, base, &index)?;
    let first = listed.first().copied().unwrap_or(1);
    let last_listed = listed.last().copied().unwrap_or(0);
    for number in &listed {
        if present.binary_search(number).is_err() {
            return Err(missing(base, *number, "the index lists it"));
        }
    }
    let split = present.partition_point(|number| *number < first);
    let segments = present.split_off(split);
    check_gaps(base, &segments, "segments before and after it exist")?;
    if segments.last().is_some_and(|last| *last > last_listed.saturating_add(1)) {
        return Err(LogError::Index {
            line: listed.len() + 1,
            problem: "more segments exist than are listed",
        });
    }
    Ok(Listing { segments, indexed: true, leftovers: present })
}

fn missing(base: &str, number: u32, because: &'static str) -> LogError {
    LogError::MissingSegment { file: segment_name(base, number), because }
}

fn check_gaps(base: &str, numbers: &[u32], because: &'static str) -> Result<()> {
    for pair in numbers.windows(2) {
        if pair[1] != pair[0] + 1 {
            return Err(missing(base, pair[0] + 1, because));
        }
    }
    Ok(())
}

fn read_index(dir: &dyn Dir, base: &str, index: &str) -> Result<Vec<u32>> {
    let file = dir.open(index, OpenMode::READ).map_err(LogError::io("open", index))?;
    let length = file.len().map_err(LogError::io("read the length of", index))?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX).min(INDEX_BYTES_MAX)];
    file.read_exact_at(&mut bytes, 0).map_err(LogError::io("read", index))?;
    let bad = |line: usize, problem| LogError::Index { line, problem };
    let Some((b'\n', lines)) = bytes.split_last() else {
        return if bytes.is_empty() { Ok(Vec::new()) } else { Err(bad(1, "the last line has no end")) };
    };
    let mut numbers: Vec<u32> = Vec::new();
    for (index, line) in lines.split(|byte| *byte == b'\n').enumerate() {
        let name = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("./"));
        let number = name.and_then(|name| segment_number(base, name));
        let number = number.ok_or_else(|| bad(index + 1, "it names no segment"))?;
        if numbers.last().is_some_and(|last| last.checked_add(1) != Some(number)) {
            return Err(bad(index + 1, "it does not follow the line before"));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// Enough for millions of segments; more is no index.
const INDEX_BYTES_MAX: usize = 64 << 20;

/// Replaces the index. All steps block; the caller sees to it that only one does this at a time.
pub(crate) fn write_index(dir: &dyn Dir, base: &str, numbers: &[u32]) -> Result<()> {
    let index = index_name(base);
    let beside = format!("{index}.new");
    let text: String = numbers.iter().map(|number| format!("./{}\n", segment_name(base, *number))).collect();
    let file = dir.open(&beside, OpenMode::CREATE).map_err(LogError::io("create", &beside))?;
    file.set_len(0).map_err(LogError::io("cut", &beside))?;
    file.write_all_at(text.as_bytes(), 0).map_err(LogError::io("write", &beside))?;
    file.sync_data().map_err(LogError::io("force", &beside))?;
    dir.rename(&beside, &index).map_err(LogError::io("rename", &beside))?;
    dir.sync().map_err(LogError::io("force the names beside", &index))
}
