//! What an administrator can set at start: one declaration each, with name, default, bounds and text.
//!
//! The same declaration makes the command-line flag, the environment variable (`PENSTOCK_` and the name
//! in capitals), the key of the TOML file and the line in `docs/configuration.md`. Where several say
//! something, the flag wins over the environment, the environment over the file.

use pages::DirectIo;
use platform::file::SyncMode;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How an option's text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A path.
    Path,
    /// Any text.
    Text,
    /// A whole number between bounds.
    Number {
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed.
        max: u64,
    },
    /// A number of bytes with an optional suffix K, M, G or T, between bounds.
    Bytes {
        /// Smallest value allowed, in bytes.
        min: u64,
        /// Largest value allowed, in bytes.
        max: u64,
    },
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A switch: `true` or `false`.
    Switch,
}

/// The declaration of one option.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// Name as in `--name`.
    pub name: &'static str,
    /// How its text is read.
    pub kind: Kind,
    /// Default as text; what an empty one means stands in `doc`.
    pub default: &'static str,
    /// What it does, for `--help` and the reference page.
    pub doc: &'static str,
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// All options of `penstock serve`.
pub const DECLARATIONS: &[Declaration] = &[
    Declaration {
        name: "datadir",
        kind: Kind::Path,
        default: "./penstock-data",
        doc: "Directory of the database's files; made on first start.",
    },
    Declaration {
        name: "bind",
        kind: Kind::Text,
        default: "127.0.0.1",
        doc: "Address to listen on. Another address than a loopback one is refused while an account without a password could be used from there.",
    },
    Declaration {
        name: "port",
        kind: Kind::Number { min: 0, max: 65_535 },
        default: "3306",
        doc: "TCP port to listen on; 0 listens on the unix socket only.",
    },
    Declaration {
        name: "socket",
        kind: Kind::Path,
        default: "",
        doc: "Unix socket to listen on; penstock.sock in the data directory by default.",
    },
    Declaration {
        name: "buffer-pool-size",
        kind: Kind::Bytes { min: 8 * MIB, max: 1 << 44 },
        default: "",
        doc: "Memory for pages of tables and indexes, in bytes or with a suffix K, M, G, T; a quarter of the machine's memory by default, at most 4G unless set.",
    },
    Declaration {
        name: "numa",
        kind: Kind::Choice(&["auto", "interleave", "local", "off"]),
        default: "auto",
        doc: "Where memory goes on a machine with several NUMA nodes: auto and interleave spread the buffer pool and shared tables over all nodes, local puts a part on each node by the threads that touch it first, off leaves it to the kernel. Unless off, event loops stay on a CPU each there, and wherever each CPU has its loop; what a session uses lies on its loop's node.",
    },
    Declaration {
        name: "populate-pool",
        kind: Kind::Choice(&["auto", "on", "off"]),
        default: "auto",
        doc: "Have the whole buffer pool backed with memory right after the start, by a thread on each core, while the server answers already; auto does so where there are several NUMA nodes, and elsewhere memory comes as it is used.",
    },
    Declaration {
        name: "direct-io",
        kind: Kind::Choice(&["off", "checkpoints", "all"]),
        default: "checkpoints",
        doc: "What of the page file goes round the kernel's page cache (O_DIRECT): nothing, what checkpoints write, or everything.",
    },
    Declaration {
        name: "preallocate",
        kind: Kind::Switch,
        default: "true",
        doc: "Reserve space for the page file and the log in large steps, so that they stay in few pieces; false lets them grow as they are written.",
    },
    Declaration {
        name: "sync",
        kind: Kind::Choice(&["data", "full", "none"]),
        default: "data",
        doc: "How files are forced to the device: fdatasync, fsync, or not at all. NOT SAFE with none: a power cut loses acknowledged transactions and perhaps the whole database; a killed server loses nothing.",
    },
    Declaration {
        name: "threads",
        kind: Kind::Number { min: 0, max: 1024 },
        default: "0",
        doc: "Event loops, each on a thread of its own; 0 takes one for each core that the process may use.",
    },
    Declaration {
        name: "event-loop",
        kind: Kind::Choice(&["auto", "io_uring", "epoll"]),
        default: "auto",
        doc: "Kernel interface of the event loops; auto takes io_uring where the kernel allows it and epoll elsewhere.",
    },
    Declaration {
        name: "secure-file-priv",
        kind: Kind::Path,
        default: "",
        doc: "Directory that LOAD DATA INFILE, LOAD_FILE() and SELECT ... INTO OUTFILE keep to; they read and write files anywhere by default, for accounts with the FILE privilege.",
    },
    Declaration {
        name: "max-connections",
        kind: Kind::Number { min: 1, max: 1_000_000 },
        default: "4096",
        doc: "Connections at one time; one more gets error 1040.",
    },
    Declaration {
        name: "max-allowed-packet",
        kind: Kind::Bytes { min: KIB, max: GIB },
        default: "16M",
        doc: "Longest statement or parameter that a client may send, in bytes.",
    },
    Declaration {
        name: "max-binlog-size",
        kind: Kind::Bytes { min: 4 * KIB, max: GIB },
        default: "1G",
        doc: "Size at which the log goes on in a new segment, in bytes.",
    },
    Declaration {
        name: "max-binlog-cache-size",
        kind: Kind::Bytes { min: 4 * KIB, max: 1 << 44 },
        default: "",
        doc: "Memory that the changes of one transaction may take, in bytes; past it the statement ends with error 1197. A quarter of the machine's memory by default; all large transactions together have half of it.",
    },
    Declaration {
        name: "checkpoint-log-size",
        kind: Kind::Bytes { min: 64 * KIB, max: 64 * GIB },
        default: "256M",
        doc: "Bytes of log after which a checkpoint is made; a restart replays about this much at most.",
    },
    Declaration {
        name: "server-id",
        kind: Kind::Number { min: 1, max: 4_294_967_295 },
        default: "1",
        doc: "Number of this server in a replication topology; stands in each log event.",
    },
    Declaration {
        name: "log-level",
        kind: Kind::Choice(&["error", "warn", "info", "debug", "trace"]),
        default: "info",
        doc: "What the server writes to its log (standard error).",
    },
];

/// Finds a declaration by its name; `_` and `-` are the same.
pub fn declaration(name: &str) -> Option<&'static Declaration> {
    let name = name.replace('_', "-");
    DECLARATIONS.iter().find(|d| d.name == name)
}

/// The environment variable of an option.
pub fn environment_name(name: &str) -> String {
    format!("PENSTOCK_{}", name.to_uppercase().replace('-', "_"))
}

/// Why an option's value is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionError {
    /// The option's name.
    pub name: String,
    /// The value given.
    pub value: String,
    /// What is wrong with it.
    pub reason: String,
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "option '{}' = '{}': {}", self.name, self.value, self.reason)
    }
}

impl std::error::Error for OptionError {}

/// Reads bytes with an optional suffix.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor: u64 = match &text[digits.len()..] {
        "" | "B" => 1,
        "k" | "K" | "KiB" => KIB,
        "m" | "M" | "MiB" => MIB,
        "g" | "G" | "GiB" => GIB,
        "t" | "T" | "TiB" => 1 << 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

/// Where memory goes on a machine with several NUMA nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numa {
    /// As [`Numa::Interleave`].
    Auto,
    /// Pool and shared tables are spread over all nodes, page by page.
    Interleave,
    /// A part of the pool on each node.
    Local,
    /// Where the kernel puts it.
    Off,
}

/// The options of one server, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Directory of the database's files.
    pub datadir: PathBuf,
    /// Address to listen on.
    pub bind: String,
    /// TCP port; `None` listens on the socket only.
    pub port: Option<u16>,
    /// Unix socket.
    pub socket: PathBuf,
    /// Buffer pool in bytes.
    pub buffer_pool_size: u64,
    /// Where memory goes on a machine with several NUMA nodes.
    pub numa: Numa,
    /// Have the buffer pool backed with memory at the start; `None`: where there are several NUMA nodes.
    pub populate_pool: Option<bool>,
    /// What of the page file goes round the kernel's page cache.
    pub direct_io: DirectIo,
    /// Reserve space in large steps.
    pub preallocate: bool,
    /// How files are forced.
    pub sync: SyncMode,
    /// Event loops; 0: one a core.
    pub threads: usize,
    /// Kernel interface of the event loops.
    pub event_loop: String,
    /// Directory that statements read and write files in; anywhere if not set.
    pub secure_file_priv: Option<PathBuf>,
    /// Connections at one time.
    pub max_connections: usize,
    /// Longest packet from a client, in bytes.
    pub max_allowed_packet: usize,
    /// Size of a log segment, in bytes.
    pub max_binlog_size: u64,
    /// Memory for the changes of one transaction, in bytes; a quarter of the machine's if not set.
    pub max_binlog_cache_size: Option<u64>,
    /// Log between checkpoints, in bytes.
    pub checkpoint_log_size: u64,
    /// Server id.
    pub server_id: u32,
    /// Log level.
    pub log_level: String,
}

impl Options {
    /// Builds options from texts by name; what is missing gets its default. `memory` is the machine's
    /// memory in bytes.
    pub fn from_texts(given: &BTreeMap<String, String>, memory: u64) -> Result<Self, OptionError> {
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        for declaration in DECLARATIONS {
            texts.insert(declaration.name, declaration.default.to_owned());
        }
        for (name, value) in given {
            let Some(declaration) = declaration(name) else {
                return Err(OptionError {
                    name: name.clone(),
                    value: value.clone(),
                    reason: "no such option".into(),
                });
            };
            check(declaration, value)?;
            texts.insert(declaration.name, value.clone());
        }
        let text = |name: &str| texts[name].clone();
        let number = |name: &str| parse_bytes(&texts[name]).unwrap_or(0);
        let datadir = PathBuf::from(text("datadir"));
        let socket = match text("socket").as_str() {
            "" => datadir.join("penstock.sock"),
            path => PathBuf::from(path),
        };
        let buffer_pool_size = match number("buffer-pool-size") {
            0 => (memory / 4).clamp(64 * MIB, 4 * GIB),
            bytes => bytes,
        };
        Ok(Self {
            bind: text("bind"),
            port: Some(number("port") as u16).filter(|&port| port != 0),
            socket,
            datadir,
            buffer_pool_size,
            numa: match text("numa").as_str() {
                "interleave" => Numa::Interleave,
                "local" => Numa::Local,
                "off" => Numa::Off,
                _ => Numa::Auto,
            },
            populate_pool: match text("populate-pool").as_str() {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            },
            direct_io: match text("direct-io").as_str() {
                "off" => DirectIo::Off,
                "all" => DirectIo::All,
                _ => DirectIo::Checkpoints,
            },
            preallocate: text("preallocate") == "true",
            sync: match text("sync").as_str() {
                "full" => SyncMode::Full,
                "none" => SyncMode::None,
                _ => SyncMode::Data,
            },
            threads: number("threads") as usize,
            event_loop: text("event-loop"),
            secure_file_priv: Some(text("secure-file-priv"))
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
            max_connections: number("max-connections") as usize,
            max_allowed_packet: number("max-allowed-packet") as usize,
            max_binlog_size: number("max-binlog-size"),
            max_binlog_cache_size: Some(number("max-binlog-cache-size")).filter(|&bytes| bytes > 0),
            checkpoint_log_size: number("checkpoint-log-size"),
            server_id: number("server-id") as u32,
            log_level: text("log-level"),
        })
    }

    /// Whether the pool is backed with memory at the start, on a machine with so many NUMA nodes.
    pub fn populates_pool(&self, nodes: usize) -> bool {
        self.populate_pool.unwrap_or(nodes > 1 && self.numa != Numa::Off)
    }
}

fn check(declaration: &Declaration, value: &str) -> Result<(), OptionError> {
    let refuse =
        |reason: String| Err(OptionError { name: declaration.name.into(), value: value.into(), reason });
    match declaration.kind {
        Kind::Path | Kind::Text => Ok(()),
        Kind::Number { min, max } => match value.parse::<u64>() {
            Ok(n) if (min..=max).contains(&n) => Ok(()),
            _ => refuse(format!("a number from {min} to {max} is wanted")),
        },
        Kind::Bytes { min, max } => match parse_bytes(value) {
            Some(n) if (min..=max).contains(&n) => Ok(()),
            _ => refuse(format!(
                "bytes from {min} to {max} are wanted, with a suffix K, M, G or T if you like"
            )),
        },
        Kind::Choice(words) if words.contains(&value) => Ok(()),
        Kind::Choice(words) => refuse(format!("one of {} is wanted", words.join(", "))),
        Kind::Switch if matches!(value, "true" | "false") => Ok(()),
        Kind::Switch => refuse("true or false is wanted".into()),
    }
}

/// Reads a TOML file's top-level keys as texts.
pub fn parse_toml(text: &str) -> Result<BTreeMap<String, String>, OptionError> {
    let bad = |reason: String| OptionError { name: "config".into(), value: String::new(), reason };
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| bad(error.to_string()))?;
    table
        .into_iter()
        .map(|(name, value)| match value {
            toml::Value::String(text) => Ok((name, text)),
            toml::Value::Integer(number) => Ok((name, number.to_string())),
            toml::Value::Boolean(switch) => Ok((name, switch.to_string())),
            other => Err(bad(format!("key '{name}': {} is not a text, number or boolean", other.type_str()))),
        })
        .collect()
}

/// The reference page `docs/configuration.md`, made from the declarations.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Configuration\n\nMade from the declarations in the `server` room by `PENSTOCK_UPDATE_DOCS=1 cargo test -p penstock-server`; do not edit by hand.\n\n\
         A flag wins over the environment, the environment over the TOML file named by `--config`.\n\n\
         | flag | environment | default | what it does |\n| --- | --- | --- | --- |\n",
    );
    for d in DECLARATIONS {
        let default = if d.default.is_empty() { "(see text)" } else { d.default };
        page += &format!("| `--{}` | `{}` | {default} | {} |\n", d.name, environment_name(d.name), d.doc);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&str, &str)]) -> Result<Options, OptionError> {
        let given = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Options::from_texts(&given, 8 * GIB)
    }

    #[test]
    fn defaults_hold_and_are_within_their_bounds() {
        let o = options(&[]).unwrap();
        assert_eq!((o.port, o.buffer_pool_size, o.max_allowed_packet), (Some(3306), 2 * GIB, 16 << 20));
        assert_eq!(o.socket, PathBuf::from("./penstock-data/penstock.sock"));
        for d in DECLARATIONS.iter().filter(|d| !d.default.is_empty()) {
            assert_eq!(check(d, d.default), Ok(()), "{}", d.name);
            assert!(d.doc.ends_with('.'), "{}", d.name);
        }
    }

    #[test]
    fn values_out_of_bounds_are_refused_by_name() {
        assert_eq!(options(&[("port", "70000")]).unwrap_err().name, "port");
        assert_eq!(options(&[("buffer_pool_size", "1K")]).unwrap_err().name, "buffer-pool-size");
        assert_eq!(options(&[("colour", "red")]).unwrap_err().reason, "no such option");
        assert_eq!(options(&[("buffer-pool-size", "128M")]).unwrap().buffer_pool_size, 128 << 20);
        assert_eq!(options(&[("port", "0")]).unwrap().port, None);
    }

    #[test]
    fn the_reference_page_is_fresh() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/configuration.md");
        if std::env::var_os("PENSTOCK_UPDATE_DOCS").is_some() {
            std::fs::write(path, reference_page()).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            reference_page(),
            "docs/configuration.md is stale"
        );
    }

    #[test]
    fn toml_keys_are_options() {
        let texts = parse_toml("port = 3307\nbuffer_pool_size = '1G'\n").unwrap();
        assert_eq!(Options::from_texts(&texts, GIB).unwrap().port, Some(3307));
        assert!(parse_toml("port = [1]").is_err());
        assert!(parse_toml("port =").is_err());
    }
}
