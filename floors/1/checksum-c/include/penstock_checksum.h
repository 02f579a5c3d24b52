/*
 * CRC-32 (IEEE: Ethernet, zlib) and CRC-32C (Castagnoli: iSCSI, SSE4.2) by the fastest way that the CPU has: carry-less
 * multiplication on x86-64 (128, 256 and 512 bits), AArch64 and POWER8, the CPU's CRC instruction, or tables.
 *
 *   cargo build --release --package penstock-checksum-c
 *   cc program.c -Ifloors/1/checksum-c/include target/release/libpenstock_checksum.a
 *
 * Both sums start from 0 and are continued by handing in the sum so far, as in zlib:
 *
 *   uint32_t sum = penstock_crc32(0, "1234", 4);
 *   sum = penstock_crc32(sum, "56789", 5);       // 0xCBF43926
 *
 * Any length, any alignment, any thread.
 */
#ifndef PENSTOCK_CHECKSUM_H
#define PENSTOCK_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Continues the sum crc over len bytes at data. data may be NULL where len is 0. */
uint32_t penstock_crc32(uint32_t crc, const void *data, size_t len);
uint32_t penstock_crc32c(uint32_t crc, const void *data, size_t len);

/* The sum of two parts, one after the other, from their sums a and b; the second is len_b bytes long. Nanoseconds,
   whatever the length. */
uint32_t penstock_crc32_combine(uint32_t a, uint32_t b, uint64_t len_b);
uint32_t penstock_crc32c_combine(uint32_t a, uint32_t b, uint64_t len_b);

/* Continues the sum crc over count zero bytes, as quickly. */
uint32_t penstock_crc32_zeros(uint32_t crc, uint64_t count);
uint32_t penstock_crc32c_zeros(uint32_t crc, uint64_t count);

/* The way that was chosen for this CPU: "bitwise", "slicing", "instruction", "fold128", "fold256", "fold512", "fused512". */
const char *penstock_crc32_kernel(void);
const char *penstock_crc32c_kernel(void);

#ifdef __cplusplus
}
#endif

#endif
