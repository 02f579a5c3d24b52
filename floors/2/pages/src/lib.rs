//! Page file, page map, buffer pool, latches, eviction, shadow checkpoints
