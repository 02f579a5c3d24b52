//! The only room that meets the kernel: files, directories, topology, clocks, spinning
