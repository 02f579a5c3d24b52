//! Connection phase: greeting, handshake response, auth switch.
//!
//! ```text
//! server -> greeting (protocol 10, version, connection id, 20 byte nonce, capabilities, auth method)
//! client -> response (capabilities, user, answer, database, auth method, attributes)
//! server -> OK | ERR | auth switch request (0xFE) | more data (0x01), see `auth`
//! ```

use crate::ProtocolError;
use crate::flags::capability as cap;
use crate::wire::{Reader, put_lenenc, put_lenenc_bytes};

/// Bytes of the nonce that answers are made from.
pub const NONCE: usize = 20;

/// The server's first packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// Version text; MariaDB's own clients want `5.5.5-` before a `10.` version, others cope.
    pub version: String,
    /// Connection id.
    pub connection_id: u32,
    /// The nonce; no byte of it is 0.
    pub nonce: [u8; NONCE],
    /// What the server can do.
    pub capabilities: u64,
    /// Default collation, its low byte.
    pub collation: u8,
    /// Server status bits.
    pub status: u16,
    /// Authentication method that the nonce is meant for.
    pub auth_method: String,
}

impl Greeting {
    /// Appends the packet's payload.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(10);
        out.extend_from_slice(self.version.as_bytes());
        out.push(0);
        out.extend_from_slice(&self.connection_id.to_le_bytes());
        out.extend_from_slice(&self.nonce[..8]);
        out.push(0);
        out.extend_from_slice(&(self.capabilities as u16).to_le_bytes());
        out.push(self.collation);
        out.extend_from_slice(&self.status.to_le_bytes());
        out.extend_from_slice(&((self.capabilities >> 16) as u16).to_le_bytes());
        out.push(NONCE as u8 + 1);
        out.extend_from_slice(&[0; 6]);
        out.extend_from_slice(&((self.capabilities >> 32) as u32).to_le_bytes());
        out.extend_from_slice(&self.nonce[8..]);
        out.push(0);
        out.extend_from_slice(self.auth_method.as_bytes());
        out.push(0);
    }

    /// Reads a greeting (the client's side).
    pub fn decode(payload: &[u8]) -> Result<Self, ProtocolError> {
        let mut r = Reader::new(payload);
        if r.u8("protocol version")? != 10 {
            return Err(ProtocolError::Malformed("protocol version"));
        }
        let version = lossy(r.zero_terminated("server version")?);
        let connection_id = r.u32("connection id")?;
        let mut nonce = [0; NONCE];
        nonce[..8].copy_from_slice(r.bytes(8, "nonce")?);
        r.bytes(1, "filler")?;
        let low = u64::from(r.u16("capabilities")?);
        let collation = r.u8("collation")?;
        let status = r.u16("status")?;
        let high = u64::from(r.u16("capabilities")?);
        r.u8("nonce length")?;
        r.bytes(6, "filler")?;
        let extended = u64::from(r.u32("extended capabilities")?);
        nonce[8..].copy_from_slice(r.bytes(NONCE - 8, "nonce")?);
        r.bytes(1, "filler")?;
        let auth_method =
            lossy(r.zero_terminated("authentication method").unwrap_or(b"mysql_native_password"));
        let capabilities = low | high << 16 | extended << 32;
        Ok(Self { version, connection_id, nonce, capabilities, collation, status, auth_method })
    }
}

/// The client's answer to the greeting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// What the client wants of what the server can do.
    pub capabilities: u64,
    /// Longest packet that the client takes.
    pub max_packet: u32,
    /// The client's character set as a collation id (low byte).
    pub collation: u8,
    /// User name.
    pub user: String,
    /// Answer to the nonce.
    pub answer: Vec<u8>,
    /// Database to start in.
    pub database: Option<String>,
    /// Authentication method that the answer is made for.
    pub auth_method: Option<String>,
    /// Connection attributes.
    pub attributes: Vec<(String, String)>,
}

/// A client's first packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstPacket {
    /// The client wants TLS before it says more.
    SslRequest {
        /// Its capabilities.
        capabilities: u64,
    },
    /// The whole answer.
    Response(Response),
}

impl FirstPacket {
    /// Reads the client's first packet.
    pub fn decode(payload: &[u8]) -> Result<Self, ProtocolError> {
        let mut r = Reader::new(payload);
        let mut capabilities = u64::from(r.u32("capabilities")?);
        if capabilities & cap::PROTOCOL_41 == 0 {
            return Err(ProtocolError::Malformed("capabilities: protocol 4.1 is missing"));
        }
        let max_packet = r.u32("max packet size")?;
        let collation = r.u8("collation")?;
        r.bytes(19, "filler")?;
        let extended = u64::from(r.u32("extended capabilities")?);
        if capabilities & cap::CLIENT_MYSQL == 0 {
            capabilities |= extended << 32;
        }
        if r.is_empty() && capabilities & cap::SSL != 0 {
            return Ok(Self::SslRequest { capabilities });
        }
        let user = lossy(r.zero_terminated("user name")?);
        let answer = if capabilities & cap::PLUGIN_AUTH_LENENC != 0 {
            r.lenenc_bytes("authentication answer")?
        } else if capabilities & cap::SECURE_CONNECTION != 0 {
            let n = usize::from(r.u8("authentication answer")?);
            r.bytes(n, "authentication answer")?
        } else {
            r.zero_terminated("authentication answer")?
        };
        let database = optional_text(&mut r, capabilities & cap::CONNECT_WITH_DB != 0)?;
        let auth_method = optional_text(&mut r, capabilities & cap::PLUGIN_AUTH != 0)?;
        let attributes = match capabilities & cap::CONNECT_ATTRS != 0 && !r.is_empty() {
            true => attributes(r.lenenc_bytes("connection attributes")?)?,
            false => Vec::new(),
        };
        let answer = answer.to_vec();
        Ok(Self::Response(Response {
            capabilities,
            max_packet,
            collation,
            user,
            answer,
            database,
            auth_method,
            attributes,
        }))
    }
}

impl Response {
    /// Appends the packet's payload (the client's side).
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut capabilities =
            self.capabilities | cap::PROTOCOL_41 | cap::PLUGIN_AUTH_LENENC | cap::PLUGIN_AUTH;
        capabilities |= if self.database.is_some() { cap::CONNECT_WITH_DB } else { 0 };
        capabilities |= if self.attributes.is_empty() { 0 } else { cap::CONNECT_ATTRS };
        out.extend_from_slice(&(capabilities as u32).to_le_bytes());
        out.extend_from_slice(&self.max_packet.to_le_bytes());
        out.push(self.collation);
        out.extend_from_slice(&[0; 19]);
        let extended = if capabilities & cap::CLIENT_MYSQL == 0 { (capabilities >> 32) as u32 } else { 0 };
        out.extend_from_slice(&extended.to_le_bytes());
        out.extend_from_slice(self.user.as_bytes());
        out.push(0);
        put_lenenc_bytes(out, &self.answer);
        for text in
            [&self.database, &Some(self.auth_method.clone().unwrap_or_default())].into_iter().flatten()
        {
            out.extend_from_slice(text.as_bytes());
            out.push(0);
        }
        if !self.attributes.is_empty() {
            let mut pairs = Vec::new();
            for text in self.attributes.iter().flat_map(|(key, value)| [key, value]) {
                put_lenenc_bytes(&mut pairs, text.as_bytes());
            }
            put_lenenc(out, pairs.len() as u64);
            out.extend_from_slice(&pairs);
        }
    }
}

/// A zero-terminated text that some clients leave out although their capabilities announce it.
fn optional_text(r: &mut Reader<'_>, announced: bool) -> Result<Option<String>, ProtocolError> {
    if !announced || r.is_empty() {
        return Ok(None);
    }
    let mut whole = r.clone();
    let text = match r.zero_terminated("text") {
        Ok(text) => text,
        Err(_) => {
            *r = Reader::new(&[]);
            whole.to_end()
        }
    };
    Ok((!text.is_empty()).then(|| lossy(text)))
}

fn attributes(bytes: &[u8]) -> Result<Vec<(String, String)>, ProtocolError> {
    let mut r = Reader::new(bytes);
    let mut pairs = Vec::new();
    while !r.is_empty() {
        let key = lossy(r.lenenc_bytes("connection attribute")?);
        let value = lossy(r.lenenc_bytes("connection attribute")?);
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// COM_CHANGE_USER: the same facts as a handshake response in another order.
pub fn decode_change_user(body: &[u8], capabilities: u64) -> Result<Response, ProtocolError> {
    let mut r = Reader::new(body);
    let user = lossy(r.zero_terminated("user name")?);
    let answer = match capabilities & cap::SECURE_CONNECTION != 0 {
        true => {
            let n = usize::from(r.u8("authentication answer")?);
            r.bytes(n, "authentication answer")?
        }
        false => r.zero_terminated("authentication answer")?,
    };
    let database = optional_text(&mut r, true)?;
    let collation = if r.remaining() >= 2 { r.u16("collation")? as u8 } else { 0 };
    let auth_method = optional_text(&mut r, capabilities & cap::PLUGIN_AUTH != 0)?;
    let attributes = match capabilities & cap::CONNECT_ATTRS != 0 && !r.is_empty() {
        true => attributes(r.lenenc_bytes("connection attributes")?)?,
        false => Vec::new(),
    };
    Ok(Response {
        capabilities,
        max_packet: 0,
        collation,
        user,
        answer: answer.to_vec(),
        database,
        auth_method,
        attributes,
    })
}

/// Appends an auth switch request: answer again, by this method, to this nonce.
pub fn encode_auth_switch(out: &mut Vec<u8>, method: &str, nonce: &[u8; NONCE]) {
    out.push(0xFE);
    out.extend_from_slice(method.as_bytes());
    out.push(0);
    out.extend_from_slice(nonce);
    out.push(0);
}

/// Appends `more data` of an authentication exchange.
pub fn encode_auth_more(out: &mut Vec<u8>, data: &[u8]) {
    out.push(0x01);
    out.extend_from_slice(data);
}

pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn greeting_and_response_read_back() {
        let greeting = Greeting {
            version: "10.11.8-MariaDB".into(),
            connection_id: 77,
            nonce: *b"abcdefghijklmnopqrst",
            capabilities: cap::PROTOCOL_41 | cap::PLUGIN_AUTH | cap::DEPRECATE_EOF,
            collation: 45,
            status: 2,
            auth_method: "mysql_native_password".into(),
        };
        let mut bytes = Vec::new();
        greeting.encode(&mut bytes);
        assert_eq!(Greeting::decode(&bytes), Ok(greeting));

        let response = Response {
            capabilities: cap::PROTOCOL_41
                | cap::PLUGIN_AUTH
                | cap::PLUGIN_AUTH_LENENC
                | cap::CONNECT_WITH_DB
                | cap::CONNECT_ATTRS,
            max_packet: 1 << 24,
            collation: 45,
            user: "root".into(),
            answer: vec![1, 2, 0, 3],
            database: Some("shop".into()),
            auth_method: Some("mysql_native_password".into()),
            attributes: vec![("_client_name".into(), "penstock".into())],
        };
        let mut bytes = Vec::new();
        response.encode(&mut bytes);
        assert_eq!(FirstPacket::decode(&bytes), Ok(FirstPacket::Response(response)));
    }

    #[test]
    fn an_ssl_request_ends_after_the_fixed_part() {
        let mut bytes = ((cap::PROTOCOL_41 | cap::SSL) as u32).to_le_bytes().to_vec();
        bytes.resize(32, 0);
        assert!(matches!(FirstPacket::decode(&bytes), Ok(FirstPacket::SslRequest { .. })));
    }

    proptest! {
        #[test]
        fn any_bytes_decode_without_panic(bytes: Vec<u8>, caps: u64) {
            let _ = Greeting::decode(&bytes);
            let _ = FirstPacket::decode(&bytes);
            let _ = decode_change_user(&bytes, caps);
        }
    }
}
