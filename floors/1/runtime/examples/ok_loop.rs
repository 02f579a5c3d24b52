//! The yardstick of the event loop: a server that greets, frames packets and answers OK to each, nothing else.
//!
//! ```text
//! ok_loop                                  compare the backends with a bare epoll loop, all in one run
//! ok_loop serve KIND SOCKET|ADDRESS [THREADS]   KIND: uring, epoll, bare; for load from elsewhere (sysbench)
//! ok_loop load SOCKET CONNECTIONS SECONDS       load alone
//! ```
//!
//! The load is one blocking thread a connection, a question of 40 bytes and its answer at a time, as sysbench does.
//! CPU is the server process's, user and system, over the queries answered.

use runtime::net::{Listener, Stream, UnixOptions};
use runtime::{Backend, Runtime, RuntimeOptions};
use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a client must see before it logs in: protocol 10, `mysql_native_password`, a fixed scramble.
const GREETING: &[u8] = b"\x53\0\0\0\x0a10.11.0-ok-loop\0\x01\0\0\0abcdefgh\0\xfe\xf7\x21\x02\0\xff\x81\x15\
    \0\0\0\0\0\0\0\0\0\0ijklmnopqrst\0mysql_native_password\0";
/// An OK without its sequence number.
const OK: [u8; 11] = [7, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0];
/// Connections the comparison tries.
const CONNECTIONS: [usize; 4] = [1, 8, 32, 64];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => compare(2),
        ["compare", seconds] => compare(number(seconds)?),
        ["serve", kind, place] => serve(kind, place, 1),
        ["serve", kind, place, threads] => serve(kind, place, number(threads)? as usize),
        ["load", place, connections, seconds] => {
            let queries = load(Path::new(place), number(connections)? as usize, number(seconds)?)?;
            println!("{:.0} queries/s", queries as f64 / number(seconds)? as f64);
            Ok(())
        }
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: see the head of ok_loop.rs")),
    }
}

fn number(text: &str) -> io::Result<u64> {
    text.parse().map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, format!("not a number: {text}")))
}

/// Answers each whole packet in `input[..filled]`; returns how much was used.
fn answer(input: &[u8], output: &mut Vec<u8>) -> usize {
    let mut used = 0;
    while let Some(&[a, b, c, sequence]) = input[used..].first_chunk() {
        let length = 4 + u32::from_le_bytes([a, b, c, 0]) as usize;
        if input.len() - used < length {
            break;
        }
        used += length;
        let mut ok = OK;
        ok[3] = sequence.wrapping_add(1);
        output.extend_from_slice(&ok);
    }
    used
}

fn serve(kind: &str, place: &str, threads: usize) -> io::Result<()> {
    let backend = match kind {
        "uring" => Backend::IoUring,
        "epoll" => Backend::Epoll,
        "bare" => return serve_bare(Path::new(place)),
        _ => return Err(io::Error::new(io::ErrorKind::InvalidInput, "kinds: uring, epoll, bare")),
    };
    let runtime = Runtime::start(RuntimeOptions { threads, backend, ..RuntimeOptions::default() })?;
    let listener = match place.parse() {
        Ok(address) => Listener::bind_tcp(address)?,
        Err(_) => Listener::bind_unix(Path::new(place), UnixOptions::default())?,
    };
    listener.serve(&runtime, session, |error| eprintln!("accept: {error}"));
    let mut last = runtime.counters();
    loop {
        std::thread::sleep(Duration::from_secs(2));
        let now = runtime.counters();
        let resumes = (now.resumes - last.resumes).max(1) as f64;
        if std::env::var_os("OK_LOOP_COUNTERS").is_some() && resumes > 1000.0 {
            eprintln!(
                "    a resume: {:.3} enters, {:.3} completions, {:.3} sleeps",
                (now.enters - last.enters) as f64 / resumes,
                (now.completions - last.completions) as f64 / resumes,
                (now.sleeps - last.sleeps) as f64 / resumes
            );
        }
        last = now;
    }
}

fn session(stream: Stream) {
    let (mut input, mut output) = (Vec::new(), GREETING.to_vec());
    while let Ok(1..) = stream.write_all_and_read(&output, &mut input, 16 * 1024) {
        output.clear();
        let used = answer(&input, &mut output);
        input.drain(..used);
    }
}

/// The comparison: no fibers, no timers, no fairness; wait, read, write.
fn serve_bare(place: &Path) -> io::Result<()> {
    use rustix::event::epoll;
    let listener = UnixListener::bind(place)?;
    let set = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    epoll::add(&set, &listener, epoll::EventData::new_u64(u64::MAX), epoll::EventFlags::IN)?;
    let mut clients: Vec<Option<UnixStream>> = Vec::new();
    let mut events = Vec::with_capacity(256);
    let mut input = vec![0; 16 * 1024];
    let mut output = Vec::new();
    loop {
        events.clear();
        epoll::wait(&set, rustix::buffer::spare_capacity(&mut events), None)?;
        for event in &events {
            let event: &epoll::Event = event;
            if event.data.u64() == u64::MAX {
                let (mut client, _) = listener.accept()?;
                client.write_all(GREETING)?;
                let index = clients.len() as u64;
                epoll::add(&set, &client, epoll::EventData::new_u64(index), epoll::EventFlags::IN)?;
                clients.push(Some(client));
                continue;
            }
            let slot = &mut clients[event.data.u64() as usize];
            let Some(client) = slot else { continue };
            match client.read(&mut input) {
                Ok(count @ 1..) => {
                    output.clear();
                    // The load never sends parts of packets.
                    answer(&input[..count], &mut output);
                    if client.write_all(&output).is_err() {
                        *slot = None;
                    }
                }
                _ => *slot = None,
            }
        }
    }
}

/// One client: logs in, then asks and checks answers until told to stop; returns how many.
fn ask(place: &Path, stop: &AtomicBool) -> io::Result<u64> {
    let mut stream = UnixStream::connect(place)?;
    let mut greeting = vec![0; GREETING.len()];
    stream.read_exact(&mut greeting)?;
    let mut question = [b' '; 40];
    question[..5].copy_from_slice(&[36, 0, 0, 0, 3]);
    let mut queries = 0;
    let mut ok = [0; 11];
    while !stop.load(Ordering::Relaxed) {
        stream.write_all(&question)?;
        stream.read_exact(&mut ok)?;
        assert!(ok[3] == 1 && ok[4] == 0, "the answer is no OK: {ok:?}");
        queries += 1;
    }
    Ok(queries)
}

fn load(place: &Path, connections: usize, seconds: u64) -> io::Result<u64> {
    let stop = Arc::new(AtomicBool::new(false));
    let place: Arc<Path> = place.into();
    let clients: Vec<_> = (0..connections)
        .map(|_| {
            let (stop, place) = (stop.clone(), place.clone());
            std::thread::spawn(move || ask(&place, &stop))
        })
        .collect();
    std::thread::sleep(Duration::from_secs(seconds));
    stop.store(true, Ordering::Relaxed);
    let mut queries = 0;
    for client in clients {
        queries += client.join().map_err(|_| io::Error::other("a client panicked"))??;
    }
    Ok(queries)
}

/// User and system time of a process so far.
fn cpu_time(process: u32) -> io::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks: u64 =
        after_name.split(' ').skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_secs(ticks) / rustix::param::clock_ticks_per_second() as u32)
}

fn compare(seconds: u64) -> io::Result<()> {
    println!("{:>6} {:>12} {:>12} {:>12}", "kind", "connections", "queries/s", "CPU us/query");
    for connections in CONNECTIONS {
        for kind in ["bare", "epoll", "uring"] {
            let folder = tempfile::tempdir()?;
            let place = folder.path().join("s");
            let mut server = std::process::Command::new(std::env::current_exe()?)
                .args(["serve", kind, &place.to_string_lossy()])
                .spawn()?;
            let begin = Instant::now();
            while UnixStream::connect(&place).is_err() {
                if let Some(status) = server.try_wait()? {
                    return Err(io::Error::other(format!("the {kind} server ended: {status}")));
                }
                if begin.elapsed() > Duration::from_secs(5) {
                    return Err(io::Error::other(format!("the {kind} server does not come up")));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let before = cpu_time(server.id())?;
            let queries = load(&place, connections, seconds);
            let used = cpu_time(server.id())? - before;
            server.kill()?;
            server.wait()?;
            let queries = queries? as f64;
            println!(
                "{kind:>6} {connections:>12} {:>12.0} {:>12.2}",
                queries / seconds as f64,
                used.as_secs_f64() * 1e6 / queries
            );
        }
    }
    Ok(())
}
