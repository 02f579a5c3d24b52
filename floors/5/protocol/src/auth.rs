//! Authentication methods, both sides.
//!
//! `mysql_native_password`: the server keeps `SHA1(SHA1(password))`; the client answers the nonce with
//! `SHA1(password) XOR SHA1(nonce + SHA1(SHA1(password)))`.
//!
//! `caching_sha2_password`: the fast answer is `SHA256(password) XOR SHA256(SHA256(SHA256(password)) + nonce)`,
//! checked against a cached `SHA256(SHA256(password))`. Without a cache entry the server asks for full
//! authentication (`more data` 0x04): the password itself over a secure channel, else encrypted under the
//! server's RSA key (request 0x02, OAEP padding, password XOR nonce first). What is stored is the
//! salted SHA-256 crypt (`$A$005$`, 20 byte salt, 43 characters), 5000 rounds.
//!
//! Source: MariaDB Knowledge Base "Connection: authentication"; MySQL Internals "Caching SHA-2".

use crate::handshake::NONCE;
use rand::RngCore;
use rsa::pkcs8::{DecodePublicKey, EncodePublicKey, LineEnding};
use rsa::{Oaep, RsaPrivateKey, RsaPublicKey};
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// Name of the SHA-1 method.
pub const NATIVE: &str = "mysql_native_password";
/// Name of the SHA-256 method.
pub const CACHING_SHA2: &str = "caching_sha2_password";

/// `more data` of caching_sha2_password: the fast answer was right.
pub const SHA2_FAST_OK: u8 = 0x03;
/// `more data` of caching_sha2_password: the server needs the password itself.
pub const SHA2_FULL: u8 = 0x04;
/// The client asks for the server's RSA key.
pub const SHA2_KEY_REQUEST: u8 = 0x02;

/// A fresh nonce; its bytes are printable and never 0 or `$`, as old clients expect.
pub fn nonce() -> [u8; NONCE] {
    let mut bytes = [0; NONCE];
    rand::rng().fill_bytes(&mut bytes);
    bytes.map(|b| match b % 94 + 33 {
        b'$' => b'%',
        printable => printable,
    })
}

fn sha1(parts: &[&[u8]]) -> [u8; 20] {
    let mut hash = Sha1::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

fn xor<const N: usize>(a: [u8; N], b: [u8; N]) -> [u8; N] {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// Compares in a time that does not depend on where the difference is.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |diff, (x, y)| diff | (x ^ y)) == 0
}

/// What the server keeps of a password for `mysql_native_password`.
pub fn native_stored(password: &[u8]) -> [u8; 20] {
    sha1(&[&sha1(&[password])])
}

/// The text of it in account tables and `PASSWORD()`: `*` and 40 hexadecimal digits.
pub fn native_text(stored: &[u8; 20]) -> String {
    stored.iter().fold(String::from("*"), |text, byte| text + &format!("{byte:02X}"))
}

/// Reads `*` and 40 hexadecimal digits.
pub fn native_from_text(text: &str) -> Option<[u8; 20]> {
    let digits = text.strip_prefix('*').filter(|digits| digits.len() == 40 && digits.is_ascii())?;
    let mut stored = [0; 20];
    for (i, byte) in stored.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(stored)
}

/// The client's answer; empty for an empty password.
pub fn native_answer(password: &[u8], nonce: &[u8; NONCE]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = sha1(&[password]);
    xor(once, sha1(&[nonce, &sha1(&[&once])])).to_vec()
}

/// Whether `answer` was made from the password that `stored` was made from.
pub fn native_check(answer: &[u8], nonce: &[u8; NONCE], stored: &[u8; 20]) -> bool {
    let Ok(answer) = <[u8; 20]>::try_from(answer) else { return false };
    let once = xor(answer, sha1(&[nonce, stored]));
    same(&sha1(&[&once]), stored)
}

/// What the server caches after a full authentication.
pub fn sha2_cached(password: &[u8]) -> [u8; 32] {
    sha256(&[&sha256(&[password])])
}

/// The client's fast answer; empty for an empty password.
pub fn sha2_answer(password: &[u8], nonce: &[u8; NONCE]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    xor(sha256(&[password]), sha256(&[&sha2_cached(password), nonce])).to_vec()
}

/// Whether a fast answer was made from the password that `cached` was made from.
pub fn sha2_check(answer: &[u8], nonce: &[u8; NONCE], cached: &[u8; 32]) -> bool {
    let Ok(answer) = <[u8; 32]>::try_from(answer) else { return false };
    let once = xor(answer, sha256(&[cached, nonce]));
    same(&sha256(&[&once]), cached)
}

/// Rounds of the stored hash, in thousands, as MySQL writes them.
const SHA2_THOUSAND_ROUNDS: u32 = 5;
const SHA2_SALT: usize = 20;

/// What is stored for `caching_sha2_password`: `$A$005$` + 20 byte salt + 43 characters.
pub fn sha2_stored(password: &[u8]) -> Vec<u8> {
    let salt = nonce();
    sha2_stored_with(password, &salt, SHA2_THOUSAND_ROUNDS)
}

fn sha2_stored_with(password: &[u8], salt: &[u8; SHA2_SALT], thousands: u32) -> Vec<u8> {
    let mut text = format!("$A${thousands:03X}$").into_bytes();
    text.extend_from_slice(salt);
    text.extend_from_slice(&sha256_crypt(password, salt, thousands * 1000));
    text
}

/// Whether a password is the one that `stored` was made from.
pub fn sha2_check_password(password: &[u8], stored: &[u8]) -> bool {
    let Some(rest) = stored.strip_prefix(b"$A$").filter(|rest| rest.len() > 4 + SHA2_SALT) else {
        return false;
    };
    let thousands =
        std::str::from_utf8(&rest[..3]).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let (Some(thousands), Ok(salt)) = (thousands, <[u8; SHA2_SALT]>::try_from(&rest[4..4 + SHA2_SALT]))
    else {
        return false;
    };
    same(&sha2_stored_with(password, &salt, thousands.clamp(1, 0xFFF)), stored)
}

/// The SHA-256 variant of Ulrich Drepper's "Unix crypt using SHA-256 and SHA-512" with an arbitrary salt.
fn sha256_crypt(password: &[u8], salt: &[u8], rounds: u32) -> Vec<u8> {
    let b = sha256(&[password, salt, password]);
    let mut a = Sha256::new();
    a.update(password);
    a.update(salt);
    let repeated =
        |block: &[u8; 32], len: usize| block.iter().copied().cycle().take(len).collect::<Vec<u8>>();
    a.update(repeated(&b, password.len()));
    let mut bits = password.len();
    while bits > 0 {
        if bits & 1 == 1 {
            a.update(b)
        } else {
            a.update(password)
        }
        bits >>= 1;
    }
    let mut digest: [u8; 32] = a.finalize().into();
    let mut dp = Sha256::new();
    (0..password.len()).for_each(|_| dp.update(password));
    let p = repeated(&dp.finalize().into(), password.len());
    let mut ds = Sha256::new();
    (0..16 + usize::from(digest[0])).for_each(|_| ds.update(salt));
    let s = repeated(&ds.finalize().into(), salt.len());
    for round in 0..rounds {
        let mut c = Sha256::new();
        if round % 2 == 1 {
            c.update(&p)
        } else {
            c.update(digest)
        }
        if round % 3 != 0 {
            c.update(&s);
        }
        if round % 7 != 0 {
            c.update(&p);
        }
        if round % 2 == 1 {
            c.update(digest)
        } else {
            c.update(&p)
        }
        digest = c.finalize().into();
    }
    crypt_base64(&digest)
}

/// crypt's base 64: 24 bits from three bytes of a fixed order, lowest six bits first.
fn crypt_base64(d: &[u8; 32]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut text = Vec::with_capacity(43);
    let mut put = |mut bits: u32, digits: usize| {
        for _ in 0..digits {
            text.push(DIGITS[(bits & 63) as usize]);
            bits >>= 6;
        }
    };
    let mut order = (0, 10, 20);
    for _ in 0..10 {
        put(u32::from(d[order.0]) << 16 | u32::from(d[order.1]) << 8 | u32::from(d[order.2]), 4);
        order = (order.2 + 1, order.0 + 1, order.1 + 1);
    }
    put(u32::from(d[31]) << 8 | u32::from(d[30]), 3);
    text
}

/// The server's RSA key pair for full authentication without TLS, made at start.
pub struct RsaKey {
    private: RsaPrivateKey,
    public_pem: String,
}

impl RsaKey {
    /// Makes a 2048 bit pair; takes a fraction of a second, so callers make it when first asked for.
    pub fn generate() -> Result<Self, rsa::Error> {
        let private = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048)?;
        let public_pem =
            private.to_public_key().to_public_key_pem(LineEnding::LF).map_err(|_| rsa::Error::Internal)?;
        Ok(Self { private, public_pem })
    }

    /// The public key as the protocol sends it.
    pub fn public_pem(&self) -> &str {
        &self.public_pem
    }

    /// The password out of a client's encrypted packet; `None` when it was not made for this key.
    pub fn password(&self, packet: &[u8], nonce: &[u8; NONCE]) -> Option<Vec<u8>> {
        let mut plain = self.private.decrypt(Oaep::new::<Sha1>(), packet).ok()?;
        mask(&mut plain, nonce);
        (plain.pop() == Some(0)).then_some(plain)
    }
}

/// The client's encrypted password for the server's public key.
pub fn rsa_encrypt(password: &[u8], nonce: &[u8; NONCE], public_pem: &str) -> Option<Vec<u8>> {
    let key = RsaPublicKey::from_public_key_pem(public_pem).ok()?;
    let mut plain = password.to_vec();
    plain.push(0);
    mask(&mut plain, nonce);
    key.encrypt(&mut rsa::rand_core::OsRng, Oaep::new::<Sha1>(), &plain).ok()
}

fn mask(bytes: &mut [u8], nonce: &[u8; NONCE]) {
    bytes.iter_mut().zip(nonce.iter().cycle()).for_each(|(byte, n)| *byte ^= n);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_answers_check() {
        let nonce = nonce();
        let stored = native_stored(b"secret");
        assert!(native_check(&native_answer(b"secret", &nonce), &nonce, &stored));
        assert!(!native_check(&native_answer(b"Secret", &nonce), &nonce, &stored));
        assert!(!native_check(b"", &nonce, &stored));
        // SELECT PASSWORD('secret') of MariaDB 10.11
        assert_eq!(native_text(&stored), "*14E65567ABDB5135D0CFD9A70B3032C179A49EE7");
        assert_eq!(native_from_text(&native_text(&stored)), Some(stored));
        assert_eq!(native_from_text("*14E6"), None);
    }

    #[test]
    fn sha2_answers_check() {
        let nonce = nonce();
        let cached = sha2_cached(b"secret");
        assert!(sha2_check(&sha2_answer(b"secret", &nonce), &nonce, &cached));
        assert!(!sha2_check(&sha2_answer(b"other", &nonce), &nonce, &cached));
    }

    #[test]
    fn stored_hash_is_drepper_crypt() {
        // Vector of the crypt specification: rounds=5000, salt "saltstring".
        assert_eq!(
            sha256_crypt(b"Hello world!", b"saltstring", 5000),
            b"5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5"
        );
        let stored = sha2_stored(b"secret");
        assert_eq!(stored.len(), 7 + 20 + 43);
        assert!(sha2_check_password(b"secret", &stored));
        assert!(!sha2_check_password(b"public", &stored));
        assert!(!sha2_check_password(b"secret", b"$A$005$short"));
    }

    #[test]
    fn full_authentication_by_rsa() {
        let key = RsaKey::generate().unwrap();
        let nonce = nonce();
        let packet = rsa_encrypt(b"secret", &nonce, key.public_pem()).unwrap();
        assert_eq!(key.password(&packet, &nonce), Some(b"secret".to_vec()));
        assert_eq!(key.password(&packet[1..], &nonce), None);
    }
}
