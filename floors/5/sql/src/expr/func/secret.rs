//! Encryption, compression, checksums and passwords of old.

use super::super::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind, exact};
use super::Function;
use super::pieces::int_type;
use super::string::{ascii_text, check_length, int_arg, long_text, own_collation, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use aes::Aes128;
use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit};
use des::TdesEde3;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use md5::{Digest, Md5};
use std::io::Read;
use types::{CollationId, StrValue, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("aes_encrypt", 2, 2, |args, _| Ok(short_type(bytes_in(&args[0]) / 16 * 16 + 16)), aes_encrypt),
    function!("aes_decrypt", 2, 2, |args, _| Ok(bytes_type(bytes_in(&args[0]))), aes_decrypt),
    function!(
        "des_encrypt",
        1,
        2,
        |args, state| {
            deprecated("des_encrypt", state);
            Ok(short_type(bytes_in(&args[0]) + 9))
        },
        des_encrypt
    ),
    function!(
        "des_decrypt",
        1,
        2,
        |args, state| {
            deprecated("des_decrypt", state);
            let sealed = bytes_in(&args[0]);
            Ok(bytes_type(if sealed >= 9 { sealed - 9 } else { sealed }))
        },
        des_decrypt
    ),
    function!(
        "compress",
        1,
        1,
        |args, _| Ok(bytes_type(u64::from((bytes_in(&args[0]) * 120) as u32 / 100 + 12))),
        compress
    ),
    function!("uncompress", 1, 1, |_, _| Ok(bytes_type(16_777_216)), uncompress),
    function!(
        "uncompressed_length",
        1,
        1,
        |_, _| Ok(Type { nullable: true, ..int_type(&[], 10) }),
        whole_length
    ),
    function!("encode", 2, 2, |args, _| Ok(bytes_type(bytes_in(&args[0]))), |cx, args, ty| {
        shuffled(cx, args, ty, Shuffle::encode)
    }),
    function!("decode", 2, 2, |args, _| Ok(bytes_type(bytes_in(&args[0]))), |cx, args, ty| {
        // They are text again, of the characters that the argument has.
        let collation = spoken(&args[0], cx);
        match shuffled(cx, args, ty, Shuffle::decode)? {
            Value::Str(s) => Ok(Value::Str(StrValue::new(&s.bytes, collation))),
            value => Ok(value),
        }
    }),
    function!("old_password", 1, 1, |_, state| Ok(hex_type(16, state)), old_password),
    function!("crc32", 1, 2, checksum_type, |cx, args, _| checksum(
        cx,
        args,
        checksum::crc32,
        |before, bytes| { checksum::Crc32::combine(before, checksum::crc32(bytes), bytes.len() as u64) }
    )),
    function!("crc32c", 1, 2, checksum_type, |cx, args, _| checksum(
        cx,
        args,
        checksum::crc32c,
        |before, bytes| { checksum::Crc32c::combine(before, checksum::crc32c(bytes), bytes.len() as u64) }
    )),
    Function {
        name: "random_bytes",
        min: 1,
        max: 1,
        ty: random_type,
        evaluate: random_bytes,
        deterministic: false,
    },
];

/// Longest RANDOM_BYTES.
const RANDOM_MAX: i128 = 1024;

fn bytes_type(length: u64) -> Type {
    long_text(length, CollationId::BINARY, Coercibility::Coercible, true)
}

/// A length that MariaDB reckons in 32 bits: of LONGBLOB next to nothing is left.
fn short_type(length: u64) -> Type {
    bytes_type(u64::from(length as u32))
}

fn hex_type(length: u64, state: &State) -> Type {
    text_of_length(length, state.vars.collation_connection, Coercibility::Coercible, true)
}

/// Bytes that an argument's text may take.
fn bytes_in(e: &Expr) -> u64 {
    super::string::text_bytes(&e.ty).into()
}

fn bytes_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    let collation = own_collation(e, cx);
    text(cx, e, collation)
}

/// The collation of an argument's own text: what is no text is digits and the like.
fn spoken(e: &Expr, cx: &Cx<'_>) -> CollationId {
    match e.ty.class() {
        Class::Str => own_collation(e, cx),
        _ => exact::own_collation(e).unwrap_or(CollationId::LATIN1_SWEDISH_CI),
    }
}

/// A key of any length folded into the sixteen bytes of AES-128.
fn aes_key(key: &[u8]) -> Aes128 {
    let mut folded = [0; 16];
    key.iter().enumerate().for_each(|(i, byte)| folded[i % 16] ^= byte);
    Aes128::new(&GenericArray::from(folded))
}

/// AES-128 in ECB mode, padded as PKCS #7.
fn aes_encrypt(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let bytes = bytes_of(cx, &args[0])?;
    let key = bytes_of(cx, &args[1])?;
    let (Some(mut bytes), Some(key)) = (bytes, key) else {
        return Ok(Value::Null);
    };
    let padding = 16 - bytes.len() % 16;
    bytes.resize(bytes.len() + padding, padding as u8);
    let cipher = aes_key(&key);
    bytes.chunks_exact_mut(16).for_each(|block| cipher.encrypt_block(GenericArray::from_mut_slice(block)));
    Ok(ascii_text(bytes, ty))
}

fn aes_decrypt(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let bytes = bytes_of(cx, &args[0])?;
    let key = bytes_of(cx, &args[1])?;
    let (Some(mut bytes), Some(key)) = (bytes, key) else {
        return Ok(Value::Null);
    };
    if bytes.is_empty() || !bytes.len().is_multiple_of(16) {
        return Ok(Value::Null);
    }
    let cipher = aes_key(&key);
    bytes.chunks_exact_mut(16).for_each(|block| cipher.decrypt_block(GenericArray::from_mut_slice(block)));
    let padding = usize::from(bytes[bytes.len() - 1]);
    let whole = bytes.len().wrapping_sub(padding);
    let sound =
        (1..=16).contains(&padding) && bytes[whole..].iter().all(|byte| usize::from(*byte) == padding);
    if !sound {
        return Ok(Value::Null);
    }
    bytes.truncate(whole);
    Ok(ascii_text(bytes, ty))
}

fn deprecated(name: &str, state: &mut State) {
    state.warn(Level::Note, 1287, format!("'{name}' is deprecated and will be removed in a future release"));
}

/// The three keys of triple DES that a password makes: MD5, chained over what it gave so far.
fn des_key(password: &[u8]) -> TdesEde3 {
    let first = Md5::digest(password);
    let second = Md5::digest([&first[..], password].concat());
    let mut key = [0; 24];
    key[..16].copy_from_slice(&first);
    key[16..].copy_from_slice(&second[..8]);
    TdesEde3::new(&GenericArray::from(key))
}

/// Triple DES in CBC mode behind a byte 0x80 with the key's number (0x7F of a password); the last block's end tells how many bytes were added.
fn des_encrypt(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(mut bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    if bytes.is_empty() {
        return Ok(ascii_text(bytes, ty));
    }
    let Some((key, cipher)) = des_cipher(cx, args)? else {
        let error = SqlError::wrong_parameters_to_procedure("des_encrypt");
        cx.state.warn(Level::Warning, error.errno, error.message);
        return Ok(Value::Null);
    };
    let tail = 8 - bytes.len() % 8;
    bytes.resize(bytes.len() + tail - 1, b'*');
    bytes.push(tail as u8);
    let mut before = [0_u8; 8];
    for block in bytes.chunks_exact_mut(8) {
        block.iter_mut().zip(before).for_each(|(byte, last)| *byte ^= last);
        cipher.encrypt_block(GenericArray::from_mut_slice(block));
        before.copy_from_slice(block);
    }
    Ok(ascii_text([&[0x80 | key], &bytes[..]].concat(), ty))
}

fn des_decrypt(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    let sealed = bytes.len() >= 9 && bytes.len() % 8 == 1 && bytes[0] & 0x80 != 0;
    if !sealed {
        return Ok(Value::Str(StrValue::owned(bytes, spoken(&args[0], cx))));
    }
    let Some((_, cipher)) = des_cipher(cx, args)? else { return Ok(Value::Null) };
    let mut before = [0_u8; 8];
    let mut plain = bytes[1..].to_vec();
    for block in plain.chunks_exact_mut(8) {
        let mut sealed = [0; 8];
        sealed.copy_from_slice(block);
        cipher.decrypt_block(GenericArray::from_mut_slice(block));
        block.iter_mut().zip(before).for_each(|(byte, last)| *byte ^= last);
        before = sealed;
    }
    let tail = usize::from(plain[plain.len() - 1]);
    if tail > 8 || tail > plain.len() {
        return Ok(Value::Null);
    }
    plain.truncate(plain.len() - tail);
    Ok(ascii_text(plain, ty))
}

/// The key's number and the cipher that it makes: of a password, or a numbered key of the key file. There is none, which
/// leaves those keys all zeros, as on a MariaDB started without one.
fn des_cipher(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<(u8, TdesEde3)>, SqlError> {
    const PASSWORD: u8 = 0x7F;
    let zeros = || TdesEde3::new(&GenericArray::from([0; 24]));
    let Some(e) = args.get(1) else { return Ok(Some((0, zeros()))) };
    if e.ty.class() == Class::Int {
        let number = u8::try_from(int_arg(cx, e)?.unwrap_or(0)).ok().filter(|n| *n <= 9);
        return Ok(number.map(|number| (number, zeros())));
    }
    // MariaDB makes no key of a text that was never given a place.
    const PLACELESS: &[&str] =
        &["json_value", "extractvalue", "export_set", "regexp_substr", "regexp_replace"];
    let computed = match &e.ty.origin {
        Named::Computed(of) => of,
        _ => e,
    };
    let placeless = PLACELESS.iter().any(|name| computed.is_call(name));
    Ok(bytes_of(cx, e)?.map(|password| match placeless && password.is_empty() {
        true => (PASSWORD, zeros()),
        false => (PASSWORD, des_key(&password)),
    }))
}

/// The length (four bytes, little-endian), then a zlib stream; a trailing space is kept from being cut by a dot.
fn compress(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    if bytes.is_empty() {
        return Ok(ascii_text(bytes, ty));
    }
    let mut out = ((bytes.len() as u32) & 0x3FFF_FFFF).to_le_bytes().to_vec();
    // Reading from memory does not fail.
    let _ = ZlibEncoder::new(&bytes[..], Compression::default()).read_to_end(&mut out);
    if out.last() == Some(&b' ') {
        out.push(b'.');
    }
    Ok(ascii_text(out, ty))
}

/// The length that COMPRESS wrote first.
fn length_of(bytes: &[u8]) -> Option<u32> {
    let head = bytes.get(..4).filter(|_| bytes.len() > 4)?;
    Some(u32::from_le_bytes([head[0], head[1], head[2], head[3]]) & 0x3FFF_FFFF)
}

fn uncompress(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    if bytes.is_empty() {
        return Ok(ascii_text(bytes, ty));
    }
    let corrupted = |cx: &mut Cx<'_>| {
        cx.state.warn(Level::Warning, 1259, "ZLIB: Input data corrupted");
        Ok(Value::Null)
    };
    let Some(length) = length_of(&bytes) else { return corrupted(cx) };
    let max = cx.state.vars.max_allowed_packet;
    if u64::from(length) > max {
        let message = format!(
            "Uncompressed data size too large; the maximum size is {max} (probably, length of uncompressed data was corrupted)"
        );
        cx.state.warn(Level::Warning, 1256, message);
        return Ok(Value::Null);
    }
    let mut out = Vec::new();
    let read = ZlibDecoder::new(&bytes[4..]).take(u64::from(length) + 1).read_to_end(&mut out);
    match read {
        Ok(n) if n <= length as usize && check_length(n as u64, "uncompress", cx) => Ok(ascii_text(out, ty)),
        Ok(n) if n <= length as usize => Ok(Value::Null),
        _ => corrupted(cx),
    }
}

fn whole_length(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    if bytes.is_empty() {
        return Ok(Value::Int(0));
    }
    match length_of(&bytes) {
        Some(length) => Ok(Value::Int(i64::from(length))),
        None => {
            cx.state.warn(Level::Warning, 1259, "ZLIB: Input data corrupted");
            Ok(Value::Null)
        }
    }
}

/// The hash of passwords before MySQL 4.1.
fn old_password(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    if bytes.is_empty() {
        return Ok(ascii_text(Vec::new(), ty));
    }
    let (a, b) = old_hash(&bytes);
    Ok(ascii_text(format!("{a:08x}{b:08x}").into_bytes(), ty))
}

/// The two halves of that hash, 31 bits each.
fn old_hash(password: &[u8]) -> (u64, u64) {
    let (mut a, mut add, mut b) = (1_345_345_333_u64, 7_u64, 0x1234_5671_u64);
    for byte in password.iter().filter(|byte| !matches!(byte, b' ' | b'\t')) {
        let byte = u64::from(*byte);
        a ^= ((a & 63).wrapping_add(add)).wrapping_mul(byte).wrapping_add(a << 8);
        b = b.wrapping_add((b << 8) ^ a);
        add = add.wrapping_add(byte);
    }
    (a & 0x7FFF_FFFF, b & 0x7FFF_FFFF)
}

/// The cipher of ENCODE and DECODE: a table of bytes shuffled by numbers that a password seeds, and a shift that goes on
/// with each byte.
struct Shuffle {
    seeds: (u64, u64),
    plain_of: [u8; 256],
    sealed_of: [u8; 256],
    shift: u8,
}

impl Shuffle {
    fn new(password: &[u8]) -> Self {
        let (a, b) = old_hash(password);
        let seeds = (a % Self::MOST, b % Self::MOST);
        let plain_of = std::array::from_fn(|i| i as u8);
        let mut cipher = Self { seeds, plain_of, sealed_of: [0; 256], shift: 0 };
        for i in 0..256 {
            let other = usize::from(cipher.next());
            cipher.plain_of.swap(i, other);
        }
        for (i, plain) in cipher.plain_of.iter().enumerate() {
            cipher.sealed_of[usize::from(*plain)] = i as u8;
        }
        cipher
    }

    const MOST: u64 = 0x3FFF_FFFF;

    /// The next number, 0 to 254.
    fn next(&mut self) -> u8 {
        let (a, b) = self.seeds;
        let a = (a * 3 + b) % Self::MOST;
        self.seeds = (a, (a + b + 33) % Self::MOST);
        (a as f64 / Self::MOST as f64 * 255.0) as u8
    }

    fn encode(&mut self, byte: u8) -> u8 {
        self.shift ^= self.next();
        let sealed = self.sealed_of[usize::from(byte)] ^ self.shift;
        self.shift ^= byte;
        sealed
    }

    fn decode(&mut self, byte: u8) -> u8 {
        self.shift ^= self.next();
        let plain = self.plain_of[usize::from(byte ^ self.shift)];
        self.shift ^= plain;
        plain
    }
}

fn shuffled(
    cx: &mut Cx<'_>,
    args: &[Expr],
    ty: &Type,
    step: fn(&mut Shuffle, u8) -> u8,
) -> Result<Value, SqlError> {
    let Some(mut bytes) = bytes_of(cx, &args[0])? else {
        // A password that is the same for all rows is read before them.
        if args[1].is_fixed() {
            bytes_of(cx, &args[1])?;
        }
        return Ok(Value::Null);
    };
    let Some(password) = bytes_of(cx, &args[1])? else { return Ok(Value::Null) };
    let mut cipher = Shuffle::new(&password);
    bytes.iter_mut().for_each(|byte| *byte = step(&mut cipher, *byte));
    Ok(ascii_text(bytes, ty))
}

fn checksum_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(Type { unsigned: true, ..int_type(args, 10) })
}

/// A checksum of the last argument, going on from the first of two.
fn checksum(
    cx: &mut Cx<'_>,
    args: &[Expr],
    sum: fn(&[u8]) -> u32,
    from: fn(u32, &[u8]) -> u32,
) -> Result<Value, SqlError> {
    let before = match args {
        [before, _] => match int_arg(cx, before)? {
            None => return Ok(Value::Null),
            before => before,
        },
        _ => None,
    };
    let last = &args[args.len() - 1];
    let Some(bytes) = bytes_of(cx, last)? else { return Ok(Value::Null) };
    Ok(Value::UInt(u64::from(match before {
        Some(before) => from(before as u32, &bytes),
        None => sum(&bytes),
    })))
}

fn random_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let length = match args[0].is_const() {
        true => int_arg(&mut Cx::new(state, &[]), &args[0])?.unwrap_or(0).clamp(0, RANDOM_MAX) as u64,
        false => RANDOM_MAX as u64,
    };
    Ok(bytes_type(length))
}

fn random_bytes(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(length) = int_arg(cx, &args[0])?.filter(|n| (0..=RANDOM_MAX).contains(n)) else {
        return Ok(Value::Null);
    };
    let mut bytes = vec![0; length as usize];
    rand::fill(&mut bytes[..]);
    Ok(ascii_text(bytes, ty))
}

/// The character set of what ENCODE and DECODE give, which counts as bytes: that of the text that they were given.
pub fn made_of_text(e: &Expr) -> Option<CollationId> {
    let call = match &e.kind {
        Kind::Call(call) => call,
        Kind::Const(_) if let Named::Computed(of) = &e.ty.origin => return made_of_text(of),
        _ => return None,
    };
    let [text, ..] = &call.args[..] else { return None };
    let own = match text.ty.class() {
        _ if !matches!(call.name, "decode" | "encode") => return None,
        Class::Str if !matches!(text.ty.kind, TypeKind::Null | TypeKind::Fixed(_)) => text.ty.collation,
        _ => exact::own_collation(text).unwrap_or(CollationId::LATIN1_SWEDISH_CI),
    };
    (own != CollationId::BINARY && own.charset().is_ascii_based()).then_some(own)
}

/// The collation in which a piece of what DECODE gives is sent, though it counts as bytes.
pub fn of_decoded(e: &Expr) -> Option<CollationId> {
    if is_decoded(e) { made_of_text(e) } else { None }
}

/// Whether an expression is what DECODE gives.
pub fn is_decoded(e: &Expr) -> bool {
    match (&e.kind, &e.ty.origin) {
        (Kind::Call(call), _) => call.name == "decode",
        (Kind::Const(_), Named::Computed(of)) => is_decoded(of),
        _ => false,
    }
}
