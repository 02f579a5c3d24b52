//! Listeners and streams.

use super::{LONG, Random, on_each_backend};
use crate::Runtime;
use crate::net::{Listener, Peer, Stream, UnixOptions};
use std::io::{ErrorKind, IoSlice, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn loopback() -> Listener {
    Listener::bind_tcp(SocketAddr::from(([127, 0, 0, 1], 0))).expect("bind loopback")
}

/// Serves echoes; returns where, and a count of those connected.
fn echo_server(runtime: &Runtime) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = loopback();
    let address = listener.tcp_address().expect("a TCP listener has an address");
    let connected = Arc::new(AtomicUsize::new(0));
    let count = connected.clone();
    listener.serve(
        runtime,
        move |stream| {
            count.fetch_add(1, Ordering::Relaxed);
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                stream.write_all(&buffer[..count]).expect("echo");
            }
            count.fetch_sub(1, Ordering::Relaxed);
        },
        |error| panic!("accept: {error}"),
    );
    (address, connected)
}

fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + LONG;
    while !condition() {
        assert!(Instant::now() < deadline, "{what} did not come");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn echoes_many_connections_beside_idle_ones() {
    // Descriptors of both ends live in this process.
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let idle = match limit.current {
        Some(files) if files < 5000 => (files as usize / 2).saturating_sub(200),
        _ => 2000,
    };
    on_each_backend(2, |runtime| {
        let (address, connected) = echo_server(runtime);
        let sleepers: Vec<TcpStream> =
            (0..idle).map(|_| TcpStream::connect(address).expect("connect")).collect();
        wait_for("every idle connection", || connected.load(Ordering::Relaxed) == idle);
        let clients: Vec<_> = (0..50u8)
            .map(|id| {
                runtime.spawn(move || {
                    let stream = Stream::connect_tcp(address, LONG).expect("connect");
                    for round in 0..40u8 {
                        let sent = [id, round, id ^ round];
                        stream.write_all(&sent).expect("send");
                        let mut got = [0; 3];
                        stream.read_exact(&mut got).expect("receive");
                        assert_eq!(got, sent);
                    }
                })
            })
            .collect();
        for client in clients {
            client.join().expect("the client ends");
        }
        // The idle ones are served still.
        for mut stream in sleepers.iter().step_by(100) {
            stream.write_all(b"you there?").expect("send");
            let mut got = [0; 10];
            stream.read_exact(&mut got).expect("receive");
            assert_eq!(&got, b"you there?");
        }
        drop(sleepers);
        wait_for("the end of all", || connected.load(Ordering::Relaxed) == 0);
    });
}

#[test]
fn large_transfers_arrive_whole() {
    on_each_backend(2, |runtime| {
        let (near, far) = UnixStream::pair().expect("a pair");
        let bytes: Arc<Vec<u8>> = Arc::new((0..3_000_000u32).map(|i| ((i * 7) >> 3) as u8).collect());
        let sent = bytes.clone();
        let sender = runtime.spawn_on(0, move || {
            let stream = Stream::from_unix(near).expect("take over");
            let parts: Vec<&[u8]> = sent.chunks(777).collect();
            for group in parts.chunks(1500) {
                let mut slices: Vec<IoSlice<'_>> = group.iter().map(|part| IoSlice::new(part)).collect();
                slices.insert(0, IoSlice::new(&[]));
                stream.write_all_vectored(&mut slices).expect("send slices");
            }
            stream.write_all(&sent).expect("send in one");
        });
        let receiver = runtime.spawn_on(1, move || {
            let stream = Stream::from_unix(far).expect("take over");
            let mut got = Vec::new();
            let mut buffer = [0; 10_000];
            // By turns the two ways of reading.
            loop {
                match stream.read(&mut buffer).expect("receive") {
                    0 => return got,
                    count => got.extend_from_slice(&buffer[..count]),
                }
                let before = got.len();
                let count = stream.read_to_vec(&mut got, 7000).expect("receive");
                assert_eq!(got.len(), before + count);
                assert!(count <= 7000);
            }
        });
        sender.join().expect("the sender ends");
        let got = receiver.join().expect("the receiver ends");
        assert!(
            got.len() == 2 * bytes.len()
                && got[..bytes.len()] == bytes[..]
                && got[bytes.len()..] == bytes[..]
        );
    });
}

#[test]
fn deadlines_end_reads_and_writes() {
    let check = || {
        let (near, far) = UnixStream::pair().expect("a pair");
        let stream = Stream::from_unix(near).expect("take over");
        let deadline = Instant::now() + Duration::from_millis(10);
        stream.set_read_deadline(Some(deadline));
        let error = stream.read(&mut [0; 16]).expect_err("nobody sends");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(Instant::now() >= deadline);
        assert_eq!(stream.wait_readable().expect_err("nobody sends").kind(), ErrorKind::TimedOut);
        // A client that stops reading in the middle of a large result.
        stream.set_write_deadline(Some(Instant::now() + Duration::from_millis(10)));
        let error = stream.write_all(&vec![0; 10_000_000]).expect_err("nobody reads");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        // Nothing was lost by the wait that was cut short.
        stream.set_read_deadline(Some(Instant::now() + LONG));
        (&far).write_all(b"late").expect("send");
        stream.wait_readable().expect("there is something");
        let mut got = [0; 4];
        stream.read_exact(&mut got).expect("receive");
        assert_eq!(&got, b"late");
    };
    check();
    on_each_backend(1, |runtime| runtime.spawn(check).join().expect("the fiber ends"));
}

/// Deadlines that pass at the moment when bytes come: the cancelled receive may have taken them all the same.
#[test]
fn a_deadline_that_races_with_bytes_loses_none() {
    on_each_backend(2, |runtime| {
        let (near, far) = UnixStream::pair().expect("a pair");
        const BYTES: usize = 3000;
        let sender = runtime.spawn_on(0, move || {
            let stream = Stream::from_unix(far).expect("take over");
            let mut random = Random(3);
            for i in 0..BYTES {
                stream.write_all(&[i as u8]).expect("send");
                match random.below(5) {
                    0 => crate::sleep(Duration::from_micros(random.below(150))),
                    1 => crate::yield_now(),
                    _ => {}
                }
            }
        });
        let receiver = runtime.spawn_on(1, move || {
            let stream = Stream::from_unix(near).expect("take over");
            let mut random = Random(5);
            let (mut got, mut timeouts) = (Vec::new(), 0);
            while got.len() < BYTES {
                let mut buffer = [0; 7];
                stream.set_read_deadline(Some(Instant::now() + Duration::from_micros(random.below(120))));
                match stream.read(&mut buffer) {
                    Ok(count) => got.extend_from_slice(&buffer[..count]),
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::TimedOut, "{error}");
                        timeouts += 1;
                    }
                }
            }
            (got, timeouts)
        });
        sender.join().expect("the sender ends");
        let (got, timeouts) = receiver.join().expect("the receiver ends");
        assert!(got.iter().enumerate().all(|(i, &byte)| byte == i as u8));
        assert!(timeouts > 0, "no deadline passed: the race was not run");
    });
}

#[test]
fn a_close_from_elsewhere_ends_a_read_and_a_write() {
    on_each_backend(2, |runtime| {
        for writes in [false, true] {
            let (near, _far) = UnixStream::pair().expect("a pair");
            let stream = Arc::new(Stream::from_unix(near).expect("take over"));
            let close = stream.close_handle();
            let victim = runtime.spawn(move || {
                if writes {
                    stream.write_all(&vec![1; 10_000_000])
                } else {
                    stream.read(&mut [0; 8]).map(|_| ())
                }
            });
            std::thread::sleep(Duration::from_millis(5));
            assert!(!victim.is_finished());
            close.close();
            let error = victim.join().expect("no panic").expect_err("closed");
            assert_eq!(error.kind(), ErrorKind::ConnectionAborted, "{error}");
            assert!(close.is_closed());
        }
    });
}

#[test]
fn shutdown_ends_listeners_and_connections() {
    on_each_backend(2, |runtime| {
        let (address, connected) = echo_server(runtime);
        let clients: Vec<TcpStream> =
            (0..10).map(|_| TcpStream::connect(address).expect("connect")).collect();
        wait_for("all connections", || connected.load(Ordering::Relaxed) == 10);
        // `on_each_backend` shuts down now, with all of them waiting, and wants no fiber left behind.
        drop(clients.into_iter().take(5).collect::<Vec<_>>());
    });
}

#[test]
fn unix_sockets_replace_the_dead_and_respect_the_living() {
    let folder = tempfile::tempdir().expect("make a folder");
    let path = folder.path().join("p.sock");
    on_each_backend(1, |runtime| {
        let listener = Listener::bind_unix(&path, UnixOptions::default()).expect("bind");
        let close = listener.serve(
            runtime,
            |stream| {
                assert!(matches!(stream.peer(), Peer::Unix { uid, .. } if uid == rustix::process::getuid().as_raw()));
                stream.write_all(b"hello").expect("greet");
            },
            |error| panic!("accept: {error}"),
        );
        let mut greeting = String::new();
        UnixStream::connect(&path).expect("connect").read_to_string(&mut greeting).expect("be greeted");
        assert_eq!(greeting, "hello");
        let second = Listener::bind_unix(&path, UnixOptions::default()).expect_err("somebody lives there");
        assert_eq!(second.kind(), ErrorKind::AddrInUse, "{second}");
        close.close();
        wait_for("the socket file to go", || !path.exists());
        // What a killed server leaves: a file nobody listens on.
        drop(std::os::unix::net::UnixListener::bind(&path).expect("bind"));
        drop(Listener::bind_unix(&path, UnixOptions { mode: 0o700 }).expect("bind over the dead"));
        std::fs::write(&path, "not a socket").expect("write");
        let third = Listener::bind_unix(&path, UnixOptions::default()).expect_err("a file is no socket");
        assert_eq!(third.kind(), ErrorKind::AlreadyExists, "{third}");
        std::fs::remove_file(&path).expect("remove");
    });
}

#[test]
fn addresses_of_who_is_going_are_waited_for() {
    let folder = tempfile::tempdir().expect("make a folder");
    let path = folder.path().join("p.sock");
    let unix = std::os::unix::net::UnixListener::bind(&path).expect("bind");
    let tcp = std::net::TcpListener::bind("127.0.0.1:0").expect("bind");
    let address = tcp.local_addr().expect("an address");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            drop((unix, tcp));
        });
        Listener::bind_unix(&path, UnixOptions::default()).expect("bind once it is free");
        Listener::bind_tcp(address).expect("bind once it is free");
    });
}

#[test]
fn a_turn_serves_many_sockets() {
    on_each_backend(1, |runtime| {
        let (address, connected) = echo_server(runtime);
        let mut clients: Vec<TcpStream> =
            (0..64).map(|_| TcpStream::connect(address).expect("connect")).collect();
        wait_for("all connections", || connected.load(Ordering::Relaxed) == 64);
        let before = runtime.counters();
        for _ in 0..20 {
            // The loop stands still while all 64 questions come in.
            let (go, wait) = std::sync::mpsc::channel::<()>();
            let block = runtime.spawn(move || wait.recv().expect("the test goes on"));
            wait_for("the loop to stand", || runtime.fibers() == 66);
            for client in &mut clients {
                client.write_all(b"q").expect("ask");
            }
            go.send(()).expect("the loop stands");
            block.join().expect("the loop goes on");
            for client in &mut clients {
                client.read_exact(&mut [0]).expect("be answered");
            }
        }
        let after = runtime.counters();
        let enters = after.enters - before.enters;
        assert!(enters <= 20 * 12, "{enters} system calls for 20 rounds of 64 questions");
    });
}

#[test]
fn answers_and_waits_for_the_next_question_in_one() {
    on_each_backend(1, |runtime| {
        let (near, far) = UnixStream::pair().expect("a pair");
        let (thanked, wait_thanked) = std::sync::mpsc::channel();
        let server = runtime.spawn(move || {
            let stream = Stream::from_unix(near).expect("take over");
            let mut input = Vec::new();
            stream.read_to_vec(&mut input, 100).expect("receive");
            for _ in 0..2_000 {
                let answer = std::mem::take(&mut input);
                let count = stream.write_all_and_read(&answer, &mut input, 100).expect("answer and receive");
                assert_eq!(input.len(), count);
            }
            // More than the socket holds: the rest goes when the peer takes it.
            input.clear();
            stream.write_all_and_read(&[b'x'; 3_000_000], &mut input, 100).expect("answer at length");
            assert_eq!(input, b"thanks");
            thanked.send(()).expect("tell the client");
            // Nothing to say is a plain receive, and the peer's end is one.
            assert_eq!(stream.write_all_and_read(b"", &mut input, 100).expect("receive"), 4);
            assert_eq!(stream.write_all_and_read(b"bye", &mut input, 100).expect("receive"), 0);
        });
        let mut client = &far;
        for round in 0..2_000u32 {
            client.write_all(&round.to_le_bytes()).expect("send");
            let mut got = [0; 4];
            client.read_exact(&mut got).expect("receive");
            assert_eq!(got, round.to_le_bytes());
        }
        client.write_all(b"last").expect("send");
        let mut all = vec![0; 3_000_000];
        client.read_exact(&mut all).expect("receive");
        assert!(all.iter().all(|&byte| byte == b'x'));
        client.write_all(b"thanks").expect("send");
        wait_thanked.recv().expect("be told");
        client.write_all(b"more").expect("send");
        let mut got = [0; 3];
        client.read_exact(&mut got).expect("receive");
        far.shutdown(std::net::Shutdown::Write).expect("end");
        server.join().expect("the server ends");
    });
}

/// Has the running fiber taken for the only busy one of its loop, as a client that asks again and again would.
fn run_alone() {
    (0..50).for_each(|_| crate::yield_now());
}

#[test]
fn each_half_of_an_exchange_has_its_deadline() {
    on_each_backend(1, |runtime| {
        let soon = || Some(Instant::now() + Duration::from_millis(30));
        let (near, far) = UnixStream::pair().expect("a pair");
        let outcomes = runtime.spawn(move || {
            let stream = Stream::from_unix(near).expect("take over");
            let mut input = Vec::new();
            run_alone();
            // All is sent at once: the write's deadline passes and means nothing, the read's ends the wait.
            stream.set_write_deadline(soon());
            stream.set_read_deadline(Some(Instant::now() + Duration::from_millis(90)));
            let begun = Instant::now();
            let silent = stream.write_all_and_read(b"hello", &mut input, 100);
            let waited = begun.elapsed();
            run_alone();
            // The peer takes nothing: the write's deadline ends it long before the read's.
            stream.set_write_deadline(soon());
            stream.set_read_deadline(Some(Instant::now() + LONG));
            let stuck = stream.write_all_and_read(&[0; 3_000_000], &mut input, 100);
            (silent, waited, stuck)
        });
        let (silent, waited, stuck) = outcomes.join().expect("the fiber ends");
        assert_eq!(silent.expect_err("nobody answers").kind(), ErrorKind::TimedOut);
        assert!(waited >= Duration::from_millis(90), "{waited:?}");
        assert_eq!(stuck.expect_err("nobody takes it").kind(), ErrorKind::TimedOut);
        drop(far);
    });
}

#[test]
fn an_exchange_ends_with_its_peer_its_connection_and_the_runtime() {
    on_each_backend(2, |runtime| {
        let exchange = |stream: Stream| {
            move || {
                run_alone();
                stream.write_all_and_read(b"hello", &mut Vec::new(), 100).map_err(|error| error.kind())
            }
        };
        // The peer is gone: sending fails.
        let (near, far) = UnixStream::pair().expect("a pair");
        drop(far);
        let gone = runtime.spawn(exchange(Stream::from_unix(near).expect("take over")));
        assert_eq!(gone.join().expect("the fiber ends"), Err(ErrorKind::BrokenPipe));
        // Closed from elsewhere while it waits.
        let (near, far) = UnixStream::pair().expect("a pair");
        let stream = Stream::from_unix(near).expect("take over");
        let close = stream.close_handle();
        let closed = runtime.spawn(exchange(stream));
        let mut got = [0; 5];
        (&far).read_exact(&mut got).expect("receive");
        close.close();
        assert_eq!(closed.join().expect("the fiber ends"), Err(ErrorKind::ConnectionAborted));
        // The runtime goes down, for one that waits to receive and for one that waits to send.
        let (near, _far) = UnixStream::pair().expect("a pair");
        let waits = runtime.spawn(exchange(Stream::from_unix(near).expect("take over")));
        let (near, _full) = UnixStream::pair().expect("a pair");
        let sends = runtime.spawn(move || {
            let stream = Stream::from_unix(near).expect("take over");
            let large = vec![0; 3_000_000];
            run_alone();
            stream.write_all_and_read(&large, &mut Vec::new(), 100).map_err(|error| error.kind())
        });
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(runtime.shutdown(LONG).abandoned, 0);
        assert_eq!(waits.join().expect("the fiber ends"), Err(ErrorKind::ConnectionAborted));
        assert_eq!(sends.join().expect("the fiber ends"), Err(ErrorKind::ConnectionAborted));
    });
}
