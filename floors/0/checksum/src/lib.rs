//! CRC-32 (IEEE) and CRC-32C kernels, chosen at run time
