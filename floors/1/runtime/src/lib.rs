//! An event loop a core, fibers, timers, wait queues, time slices
