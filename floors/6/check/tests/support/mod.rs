//! Tablespaces that a real MariaDB made, and the judge that it brings, `innochecksum`.
//!
//! Each test uses a part of this.
//!
//! A test that needs a program that is not installed says so in a line and passes.

#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Where Debian has the server.
const SERVER_PLACES: &str = "/usr/sbin";

/// Whether all programs are installed; says which one is not.
pub fn installed(programs: &[&str]) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    for program in programs {
        let mut places = std::env::split_paths(&paths).chain([PathBuf::from(SERVER_PLACES)]);
        if !places.any(|dir| dir.join(program).exists()) {
            println!("skipped: {program} is not installed");
            return false;
        }
    }
    true
}

/// How a server makes its tablespaces.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// `innodb_page_size`, in KiB.
    pub page_kib: u32,
    /// `innodb_checksum_algorithm`.
    pub algorithm: &'static str,
}

/// All page sizes with both algorithms that this MariaDB writes, with `PENSTOCK_CHECK_ALL`; two for every day.
pub fn configs() -> Vec<Config> {
    if std::env::var_os("PENSTOCK_CHECK_ALL").is_none() {
        return vec![
            Config { page_kib: 4, algorithm: "crc32" },
            Config { page_kib: 16, algorithm: "full_crc32" },
        ];
    }
    let pair = |page_kib: u32| ["crc32", "full_crc32"].map(|algorithm| Config { page_kib, algorithm });
    [4, 8, 16, 32, 64].into_iter().flat_map(pair).collect()
}

/// A MariaDB over a directory of its own, without accounts.
pub struct MariaDb {
    child: Child,
    dir: PathBuf,
    /// The same, where it goes with the server.
    owned: Option<tempfile::TempDir>,
}

impl MariaDb {
    /// Starts one over a new directory.
    pub fn start(config: Config) -> MariaDb {
        MariaDb::start_with(config, &[])
    }

    /// The same, with options of the test's own.
    pub fn start_with(config: Config, options: &[&str]) -> MariaDb {
        let dir = tempfile::tempdir().expect("make a directory");
        fs::create_dir(dir.path().join("data")).expect("make a directory");
        let keys = dir.path().join("keys");
        let key = |n: u32| format!("{n};{}\n", format!("{n:02x}").repeat(32));
        fs::write(&keys, (1..=2).map(key).collect::<String>()).expect("write keys");
        let (child, path) = (spawn(dir.path(), config, options), dir.path().to_path_buf());
        MariaDb { child, dir: path, owned: Some(dir) }.wait_ready()
    }

    /// Starts one over the directory that another left.
    pub fn start_over(dir: &Path, config: Config) -> MariaDb {
        MariaDb { child: spawn(dir, config, &[]), dir: dir.to_path_buf(), owned: None }.wait_ready()
    }

    /// Waits for its end, which must be good.
    pub fn wait(mut self) {
        assert!(self.child.wait().expect("wait").success());
    }

    fn wait_ready(mut self) -> MariaDb {
        let begun = Instant::now();
        while self.try_sql("SELECT 1").is_err() {
            let ended = self.child.try_wait().expect("wait");
            let log = fs::read_to_string(self.dir.join("log")).unwrap_or_default();
            assert!(ended.is_none() && begun.elapsed() < Duration::from_secs(60), "{log}");
            std::thread::sleep(Duration::from_millis(50));
        }
        self
    }

    /// Where its files are.
    pub fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Runs statements by the `mariadb` client.
    pub fn sql(&self, script: &str) -> String {
        self.try_sql(script).unwrap_or_else(|complaint| panic!("{complaint}\n{script}"))
    }

    fn try_sql(&self, script: &str) -> Result<String, String> {
        let output = Command::new("mariadb")
            .args(["--no-defaults", "-uroot", "-N", "-S"])
            .arg(self.dir.join("s.sock"))
            .args(["-e", script])
            .output()
            .expect("run mariadb");
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// Stops it cleanly; gives its directory, which goes with what is returned.
    pub fn stop(mut self) -> tempfile::TempDir {
        self.sql("SET GLOBAL innodb_fast_shutdown = 0; SHUTDOWN");
        assert!(self.child.wait().expect("wait").success());
        self.owned.take().expect("a directory of its own")
    }
}

impl Drop for MariaDb {
    fn drop(&mut self) {
        // Nothing of it is kept; after `stop` it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(dir: &Path, config: Config, options: &[&str]) -> Child {
    let log = fs::File::create(dir.join("log")).expect("make a log");
    let path = format!("{}:{SERVER_PLACES}", std::env::var("PATH").unwrap_or_default());
    let providers = ["bzip2", "lz4", "lzma", "lzo", "snappy"];
    Command::new("mariadbd")
        .env("PATH", path)
        .args(["--no-defaults", "--user=root", "--skip-grant-tables", "--skip-networking"])
        .args(["--innodb-buffer-pool-size=48M", "--innodb-log-file-size=8M", "--innodb-undo-tablespaces=2"])
        .args(["--log-bin=binlog", "--server-id=1", "--binlog-format=ROW", "--innodb-encryption-threads=1"])
        .args(["--innodb-encrypt-tables=OFF", "--plugin-load-add=file_key_management"])
        .args(providers.map(|name| format!("--plugin-load-add=provider_{name}")).iter().filter(|argument| {
            // Providers are packages of their own.
            let name = argument.rsplit('=').next().unwrap_or_default();
            Path::new(&format!("/usr/lib/mysql/plugin/{name}.so")).exists()
        }))
        .arg(format!("--file-key-management-filename={}", dir.join("keys").display()))
        .arg(format!("--innodb-page-size={}k", config.page_kib))
        .arg(format!("--innodb-checksum-algorithm={}", config.algorithm))
        .arg(format!("--datadir={}", dir.join("data").display()))
        .arg(format!("--tmpdir={}", dir.display()))
        .arg(format!("--socket={}", dir.join("s.sock").display()))
        .arg(format!("--pid-file={}", dir.join("pid").display()))
        .args(options)
        .stdin(Stdio::null())
        .stdout(log.try_clone().expect("clone log"))
        .stderr(log)
        .spawn()
        .expect("start mariadbd")
}

/// Tables in every form that the server takes with these settings.
pub fn fill(server: &MariaDb, config: Config) {
    server.sql("CREATE DATABASE t");
    let columns = "(id INT PRIMARY KEY, a INT, v VARCHAR(200), b BLOB, KEY a (a), KEY v (v(40)))";
    let mut options: Vec<(String, String)> = ["REDUNDANT", "COMPACT", "DYNAMIC"]
        .map(|format| (format.to_lowercase(), format!("ROW_FORMAT={format}")))
        .to_vec();
    if config.page_kib <= 16 {
        for kib in [1, 2, 4, 8, 16].into_iter().filter(|kib| *kib <= config.page_kib) {
            let zip = format!("ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE={kib}");
            options.push((format!("zip{kib}"), zip.clone()));
            options.push((format!("zip{kib}_enc"), format!("{zip} ENCRYPTED=YES ENCRYPTION_KEY_ID=2")));
        }
    }
    options.push(("enc".to_owned(), "ENCRYPTED=YES".to_owned()));
    let have =
        server.sql("SELECT LOWER(PLUGIN_NAME) FROM information_schema.PLUGINS WHERE PLUGIN_STATUS='ACTIVE'");
    for algorithm in ["zlib", "lz4", "lzo", "lzma", "bzip2", "snappy"] {
        if algorithm == "zlib" || have.contains(&format!("provider_{algorithm}")) {
            options.push((format!("pc_{algorithm}"), "PAGE_COMPRESSED=1".to_owned()));
            options.push((format!("pc_{algorithm}_enc"), "PAGE_COMPRESSED=1 ENCRYPTED=YES".to_owned()));
        }
    }
    let mut script = "SET innodb_strict_mode=ON; USE t;".to_owned();
    for (name, option) in &options {
        if let Some(algorithm) = name.strip_prefix("pc_").map(|rest| rest.trim_end_matches("_enc")) {
            script += &format!("SET GLOBAL innodb_compression_algorithm={algorithm};");
        }
        script += &format!("CREATE TABLE {name} {columns} ENGINE=InnoDB {option};");
        script += &format!(
            "INSERT INTO {name} SELECT seq, seq * 7919 % 1000, \
             REPEAT(CHAR(65 + seq % 26), 20 + seq % 90), \
             IF(seq % 50 = 0, REPEAT(SHA2(seq, 512), 40 + seq), REPEAT(MD5(seq), seq % 7)) FROM seq_1_to_400;\
             UPDATE {name} SET v = CONCAT('u', v) WHERE id % 3 = 0; DELETE FROM {name} WHERE id % 11 = 0;"
        );
    }
    script += "CREATE TABLE geo (id INT PRIMARY KEY, g POINT NOT NULL, SPATIAL INDEX (g)) ENGINE=InnoDB;\
               INSERT INTO geo SELECT seq, POINT(seq, seq * 3 % 100) FROM seq_1_to_300;\
               CREATE TABLE parts (id INT PRIMARY KEY, v INT) ENGINE=InnoDB PARTITION BY HASH (id) PARTITIONS 3;\
               INSERT INTO parts SELECT seq, seq FROM seq_1_to_300;\
               CREATE TABLE words (id INT PRIMARY KEY, t TEXT, FULLTEXT (t)) ENGINE=InnoDB;\
               INSERT INTO words SELECT seq, CONCAT('word', seq, ' other', seq % 9) FROM seq_1_to_100;\
               CREATE TABLE aria (id INT) ENGINE=Aria; INSERT INTO aria VALUES (1);";
    server.sql(&script);
}

/// What `innochecksum` says of a file: nothing, or what it complains about.
pub fn innochecksum(file: &Path) -> Option<String> {
    let output = Command::new("innochecksum").arg(file).output().expect("run innochecksum");
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // It ends well even where it could not make sense of a file, and says so.
    let complains = !output.status.success() || text.contains("Fail") || text.contains("rror");
    complains.then_some(text)
}

/// All files below a directory whose names the filter wants, by path.
pub fn files(dir: &Path, wanted: impl Fn(&str) -> bool + Copy) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("read a directory") {
        let path = entry.expect("read a directory").path();
        if path.is_dir() {
            found.extend(files(&path, wanted));
        } else if wanted(&path.file_name().unwrap_or_default().to_string_lossy()) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A number from the environment.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// SplitMix64: the same numbers from the same seed, everywhere.
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }
}
