/* Sums by the C functions, compared with a bitwise definition of its own. Ends with 0 when all agree. */
#include <penstock_checksum.h>
#include <stdio.h>
#include <string.h>

static uint32_t bitwise(uint32_t polynomial, uint32_t crc, const unsigned char *data, size_t len) {
    crc = ~crc;
    while (len--) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (polynomial & -(crc & 1));
    }
    return ~crc;
}

#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return 1; } } while (0)

int main(void) {
    static unsigned char data[20000], zeros[3000];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)((i * 2654435761u) >> 13);
    CHECK(penstock_crc32(penstock_crc32(0, "1234", 4), "56789", 5) == 0xCBF43926);
    CHECK(penstock_crc32c(0, "123456789", 9) == 0xE3069283);
    CHECK(penstock_crc32(7, NULL, 0) == 7 && penstock_crc32c(7, NULL, 0) == 7);
    for (size_t len = 0; len < sizeof data - 16; len = len * 9 / 8 + 1)
        for (size_t at = 0; at < 16; at += 5) {
            CHECK(penstock_crc32(1, data + at, len) == bitwise(0xEDB88320, 1, data + at, len));
            CHECK(penstock_crc32c(1, data + at, len) == bitwise(0x82F63B78, 1, data + at, len));
        }
    uint32_t a = penstock_crc32(0, data, 777), b = penstock_crc32(0, data + 777, 4000);
    CHECK(penstock_crc32_combine(a, b, 4000) == penstock_crc32(0, data, 4777));
    a = penstock_crc32c(0, data, 777), b = penstock_crc32c(0, data + 777, 4000);
    CHECK(penstock_crc32c_combine(a, b, 4000) == penstock_crc32c(0, data, 4777));
    CHECK(penstock_crc32_zeros(a, sizeof zeros) == penstock_crc32(a, zeros, sizeof zeros));
    CHECK(penstock_crc32c_zeros(a, sizeof zeros) == penstock_crc32c(a, zeros, sizeof zeros));
    CHECK(strlen(penstock_crc32_kernel()) > 3 && strlen(penstock_crc32c_kernel()) > 3);
    printf("crc32 by %s, crc32c by %s\n", penstock_crc32_kernel(), penstock_crc32c_kernel());
    return 0;
}
