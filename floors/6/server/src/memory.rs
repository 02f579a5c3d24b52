//! Where the server's memory lies: what was wished of the NUMA nodes, what came of it, and when the pool was ready.
//!
//! The pool and the tables that all cores share are spread over the nodes (`engine`); event loops are pinned, so that what a
//! session allocates lies on its loop's node.

use crate::options::{Numa, Options};
use engine::Engine;
use parking_lot::Mutex;
use platform::numa::Spread;
use platform::topology::{Cpu, Topology};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far a node's share of the pool may be from what was wished, in percent of it, before a warning.
const TOLERANCE_PERCENT: u64 = 10;

/// How the server uses the machine's memory.
#[derive(Debug)]
pub struct Memory {
    topology: Topology,
    numa: Numa,
    /// Event loops wished; 0: one for each CPU.
    loops: usize,
    pool_bytes: u64,
    ready: Mutex<Option<Ready>>,
}

/// What was found when the pool had its memory.
#[derive(Debug, Clone)]
struct Ready {
    took: Duration,
    bytes_by_node: BTreeMap<usize, u64>,
}

impl Memory {
    /// What `options` wish, on this machine.
    pub fn new(options: &Options) -> Memory {
        Memory {
            topology: Topology::discover(),
            numa: options.numa,
            loops: options.threads,
            pool_bytes: options.buffer_pool_size,
            ready: Mutex::default(),
        }
    }

    /// Whether pool and shared tables are to be spread over the nodes.
    pub fn interleaves(&self) -> bool {
        matches!(self.numa, Numa::Auto | Numa::Interleave)
    }

    /// Whether each event loop is to stay on a CPU of its own: where memory of other nodes is further away, and where each CPU
    /// has its loop, so that two never wait for one CPU while another has nothing to do (`docs/decisions/0290`). Fewer loops
    /// go where there is room.
    pub fn pins(&self) -> bool {
        let cpus = self.topology.cpus.len();
        let fills = match self.loops {
            0 => self.topology.parallelism() == cpus,
            loops => loops == cpus,
        };
        self.numa != Numa::Off && (self.topology.nodes.len() > 1 || fills)
    }

    /// Has the pool backed with memory, beside the server's work, if `options` wish it; then looks where it lies.
    pub fn prepare(self: &Arc<Memory>, engine: &Engine, options: &Options) {
        if let Spread::Refused(errno) = engine.pool_placement().spread {
            let why = std::io::Error::from_raw_os_error(errno);
            tracing::warn!("the kernel refused to spread the buffer pool over NUMA nodes: {why}");
        }
        if !options.populates_pool(self.topology.nodes.len()) {
            return;
        }
        let (memory, engine, begun) = (self.clone(), engine.clone(), Instant::now());
        let work = move || match engine.populate_pool(&memory.workers()) {
            Ok(()) => memory.found(begun.elapsed(), engine.pool_placement().bytes_by_node),
            Err(error) => tracing::warn!("back the buffer pool with memory: {error}; it comes as it is used"),
        };
        if let Err(error) = std::thread::Builder::new().name("pool".into()).spawn(work) {
            tracing::warn!("start a thread to back the buffer pool with memory: {error}");
        }
    }

    /// The CPUs whose threads touch the pool first: those of one node beside each other, so that with `local` each node's
    /// share is one piece.
    fn workers(&self) -> Vec<Cpu> {
        let mut cpus = self.topology.cpus.clone();
        cpus.sort_by_key(|cpu| (cpu.node, cpu.number));
        cpus
    }

    fn found(&self, took: Duration, bytes_by_node: BTreeMap<usize, u64>) {
        tracing::info!("the buffer pool has its memory after {took:.0?}");
        for (node, wanted) in self.wanted() {
            let found = bytes_by_node.get(&node).copied().unwrap_or(0);
            // A kernel that does not tell is not one that did otherwise.
            if !bytes_by_node.is_empty() && found.abs_diff(wanted) * 100 > wanted * TOLERANCE_PERCENT {
                tracing::warn!(
                    "NUMA node {node} holds {found} bytes of the buffer pool, {wanted} were wanted"
                );
            }
        }
        *self.ready.lock() = Some(Ready { took, bytes_by_node });
    }

    /// The bytes of the pool that each node should hold; nothing where that is left to the kernel.
    fn wanted(&self) -> BTreeMap<usize, u64> {
        let nodes = &self.topology.nodes;
        match self.numa {
            Numa::Off => BTreeMap::new(),
            Numa::Auto | Numa::Interleave => {
                nodes.iter().map(|node| (node.number, self.pool_bytes / nodes.len() as u64)).collect()
            }
            Numa::Local => {
                let all = self.topology.cpus.len().max(1) as u64;
                let share = |cpus: usize| self.pool_bytes / all * cpus as u64;
                nodes.iter().map(|node| (node.number, share(node.cpus.len()))).collect()
            }
        }
    }

    /// Visits what SHOW STATUS tells of it.
    pub fn visit(&self, visit: &mut dyn FnMut(&str, u64)) {
        visit("Penstock_numa_nodes", self.topology.nodes.len() as u64);
        let ready = self.ready.lock().clone();
        visit("Penstock_pool_ready_us", ready.as_ref().map_or(0, |ready| ready.took.as_micros() as u64));
        let found = ready.map(|ready| ready.bytes_by_node).unwrap_or_default();
        let wanted = self.wanted();
        for node in &self.topology.nodes {
            let number = node.number;
            let of = |bytes: &BTreeMap<usize, u64>| bytes.get(&number).copied().unwrap_or(0);
            visit(&format!("Penstock_numa_node{number}_bytes"), of(&found));
            visit(&format!("Penstock_numa_node{number}_bytes_wanted"), of(&wanted));
        }
    }
}
