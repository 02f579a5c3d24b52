//! Accounts, roles, privileges.

use super::*;

/// How long a user's or role's name may be.
const MAX_USER_CHARS: usize = 128;
/// What a message shows of one that is longer.
const SHOWN_CHARS: usize = 67;

/// Privileges of one word that could be a name.
const PRIVILEGE_WORDS: [&str; 8] =
    ["EVENT", "EXECUTE", "FILE", "PROCESS", "RELOAD", "SHUTDOWN", "SUPER", "USAGE"];

impl<'a> Parser<'a> {
    /// `user[@host]`, `CURRENT_USER`, a role.
    pub(super) fn account(&mut self) -> SqlResult<Account> {
        match self.current() {
            Tok::Kw(kw @ (Kw::CURRENT_USER | Kw::CURRENT_ROLE)) => {
                self.bump();
                if self.eat_char(b'(') {
                    self.expect_char(b')')?;
                }
                Ok(if kw == Kw::CURRENT_USER { Account::CurrentUser } else { Account::CurrentRole })
            }
            _ => {
                let user = self.account_part()?;
                let host = match self.current() {
                    Tok::UserVar => Some(self.user_variable_name()?.to_ascii_lowercase()),
                    Tok::At => {
                        self.bump();
                        Some(self.account_part()?.to_ascii_lowercase())
                    }
                    _ => None,
                };
                Ok(Account::Named { user, host })
            }
        }
    }

    /// The same where a role is none.
    pub(super) fn user(&mut self) -> SqlResult<Account> {
        if self.at(Kw::CURRENT_ROLE) { Err(self.unexpected()) } else { self.account() }
    }

    /// A role's name, or `CURRENT_ROLE`.
    pub(super) fn role(&mut self) -> SqlResult<Account> {
        match self.at(Kw::CURRENT_ROLE) {
            true => self.account(),
            false => Ok(Account::Named { user: self.role_name()?, host: None }),
        }
    }

    /// A role's name, without blanks at its end; errors 1470, 1959.
    pub(super) fn role_name(&mut self) -> SqlResult<String> {
        let name = self.account_part()?;
        if name.chars().count() > MAX_USER_CHARS {
            let start: String = name.chars().take(SHOWN_CHARS).collect();
            return Err(SqlError::wrong_string_length(format!("{start}..."), "user name", MAX_USER_CHARS));
        }
        match name.trim_end_matches(' ') {
            "" => Err(SqlError::invalid_role("")),
            name => Ok(name.to_owned()),
        }
    }

    /// A user's or host's name; its length is checked where accounts are kept.
    fn account_part(&mut self) -> SqlResult<String> {
        match self.current() {
            Tok::Str => self.string(),
            _ if self.at_name() => {
                let token = self.bump();
                let raw = self.slice(token.span);
                self.utf8(if token.tok == Tok::Quoted { literal::unquote_name(raw) } else { raw.to_vec() })
            }
            _ => Err(self.unexpected()),
        }
    }

    /// An account with `IDENTIFIED ...`.
    fn account_spec(&mut self) -> SqlResult<AccountSpec> {
        let account = self.account()?;
        let auth = if self.eat(Kw::IDENTIFIED) { Some(self.auth()?) } else { None };
        Ok(AccountSpec { account, auth })
    }

    /// Behind `IDENTIFIED`.
    fn auth(&mut self) -> SqlResult<Auth> {
        if self.eat(Kw::BY) {
            if self.eat(Kw::PASSWORD) {
                return Ok(Auth::Hash(self.string_bytes()?));
            }
            return Ok(Auth::Password(self.string_bytes()?));
        }
        if !self.eat(Kw::VIA) {
            self.expect(Kw::WITH)?;
        }
        let mut plugins = vec![self.auth_plugin()?];
        while self.eat(Kw::OR) {
            plugins.push(self.auth_plugin()?);
        }
        Ok(Auth::Plugins(plugins))
    }

    fn auth_plugin(&mut self) -> SqlResult<AuthPlugin> {
        let mut plugin = AuthPlugin { plugin: self.name_or_string()?, hash: None, password: None };
        if self.eat(Kw::BY) {
            plugin.password = Some(self.string_bytes()?);
        } else if self.eat(Kw::USING) || self.eat(Kw::AS) {
            if self.eat(Kw::PASSWORD) {
                self.expect_char(b'(')?;
                plugin.password = Some(self.string_bytes()?);
                self.expect_char(b')')?;
            } else {
                plugin.hash = Some(self.string_bytes()?);
            }
        }
        Ok(plugin)
    }

    /// At `USER` of CREATE or ALTER USER.
    pub(super) fn user_statement(&mut self, alter: bool, or_replace: bool) -> SqlResult<Statement> {
        self.bump();
        let if_exists = if alter { self.if_exists()? } else { self.if_not_exists()? };
        let accounts = self.list(|p| p.account_spec())?;
        let options = self.account_options()?;
        Ok(Statement::User(Box::new(UserStatement { alter, or_replace, if_exists, accounts, options })))
    }

    /// `REQUIRE`, `WITH limits`, `ACCOUNT`, `PASSWORD EXPIRE`.
    fn account_options(&mut self) -> SqlResult<AccountOptions> {
        let mut options = AccountOptions::default();
        if self.eat(Kw::REQUIRE) {
            options.require = Some(self.require()?);
        }
        if self.at(Kw::WITH) && self.peek() != Tok::Kw(Kw::GRANT) {
            self.bump();
            self.account_limits(&mut options)?;
        }
        loop {
            if self.eat(Kw::ACCOUNT) {
                let lock = self.eat(Kw::LOCK);
                if !lock {
                    self.expect(Kw::UNLOCK)?;
                }
                options.lock = Some(lock);
            } else if self.eat(Kw::PASSWORD) {
                self.expect(Kw::EXPIRE)?;
                options.expire = Some(self.password_expire()?);
            } else {
                return Ok(options);
            }
        }
    }

    fn account_limits(&mut self, options: &mut AccountOptions) -> SqlResult<()> {
        while let Tok::Kw(
            Kw::MAX_QUERIES_PER_HOUR
            | Kw::MAX_UPDATES_PER_HOUR
            | Kw::MAX_CONNECTIONS_PER_HOUR
            | Kw::MAX_USER_CONNECTIONS
            | Kw::MAX_STATEMENT_TIME,
        ) = self.tok.tok
        {
            let name = self.any_word_upper()?;
            options.limits.push((name, self.unsigned()?));
        }
        if options.limits.is_empty() { Err(self.unexpected()) } else { Ok(()) }
    }

    fn require(&mut self) -> SqlResult<Require> {
        if self.eat(Kw::NONE) {
            return Ok(Require::None);
        }
        if self.eat(Kw::SSL) {
            return Ok(Require::Ssl);
        }
        if self.eat(Kw::X509) {
            return Ok(Require::X509);
        }
        let mut specified = Vec::new();
        while self.at_any(&[Kw::SUBJECT, Kw::ISSUER, Kw::CIPHER]) {
            let name = self.any_word_upper()?;
            specified.push((name, self.string()?));
            self.eat(Kw::AND);
        }
        if specified.is_empty() { Err(self.unexpected()) } else { Ok(Require::Specified(specified)) }
    }

    fn password_expire(&mut self) -> SqlResult<PasswordExpire> {
        if self.eat(Kw::NEVER) {
            return Ok(PasswordExpire::Never);
        }
        if self.eat(Kw::DEFAULT) {
            return Ok(PasswordExpire::Default);
        }
        if self.eat(Kw::INTERVAL) {
            let days = self.unsigned()?;
            self.expect(Kw::DAY)?;
            return Ok(PasswordExpire::Days(days));
        }
        Ok(PasswordExpire::Now)
    }

    /// `GRANT ...`, `REVOKE ...`.
    pub(super) fn grant(&mut self, revoke: bool) -> SqlResult<Statement> {
        self.bump();
        let direction = if revoke { Kw::FROM } else { Kw::TO };
        let mut what = self.grant_what(revoke)?;
        self.expect(direction)?;
        let accounts = self.list(|p| p.account_spec())?;
        if let GrantWhat::Role { admin_option, .. } = &mut what
            && !revoke
            && self.eat(Kw::WITH)
        {
            self.expect_all(&[Kw::ADMIN, Kw::OPTION])?;
            *admin_option = true;
        }
        let mut grant = Grant { what, accounts, with_grant: false, options: AccountOptions::default() };
        if !revoke && !matches!(grant.what, GrantWhat::Role { .. }) {
            self.grant_tail(&mut grant)?;
        }
        let grant = Box::new(grant);
        Ok(if revoke { Statement::Revoke(grant) } else { Statement::Grant(grant) })
    }

    fn grant_tail(&mut self, grant: &mut Grant) -> SqlResult<()> {
        if self.eat(Kw::REQUIRE) {
            grant.options.require = Some(self.require()?);
        }
        if self.eat(Kw::WITH) {
            loop {
                if self.eat_two(Kw::GRANT, Kw::OPTION) {
                    grant.with_grant = true;
                } else {
                    self.account_limits(&mut grant.options)?;
                }
                if self.at_end() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn grant_what(&mut self, revoke: bool) -> SqlResult<GrantWhat> {
        if self.eat(Kw::PROXY) {
            self.expect(Kw::ON)?;
            return Ok(GrantWhat::Proxy(self.account()?));
        }
        if self.at(Kw::ALL) {
            self.bump();
            self.eat(Kw::PRIVILEGES);
            if revoke && self.eat_char(b',') {
                self.expect_all(&[Kw::GRANT, Kw::OPTION])?;
                return Ok(GrantWhat::AllAndGrantOption);
            }
            return self.grant_on(vec![("ALL".to_owned(), Vec::new())]);
        }
        if revoke && self.at(Kw::ADMIN) {
            self.expect_all(&[Kw::ADMIN, Kw::OPTION, Kw::FOR])?;
            return Ok(GrantWhat::Role { role: self.role()?, admin_option: true });
        }
        if self.at(Kw::CURRENT_USER) {
            return Err(self.unexpected());
        }
        // A role is a name, privileges are words: what follows the first tells.
        let mark = self.mark();
        match self.role() {
            Ok(role) if self.at_any(&[Kw::TO, Kw::FROM]) => {
                return Ok(GrantWhat::Role { role, admin_option: false });
            }
            // One role is granted at a time.
            Ok(Account::Named { user, .. })
                if self.at_char(b',') && !PRIVILEGE_WORDS.contains(&user.to_ascii_uppercase().as_str()) =>
            {
                return Err(self.unexpected());
            }
            Err(error) if matches!(error.errno, 1470 | 1959) => return Err(error),
            _ => self.rewind(mark),
        }
        let privileges = self.list(|p| p.privilege())?;
        self.grant_on(privileges)
    }

    /// A privilege's words, with columns.
    fn privilege(&mut self) -> SqlResult<(Name, Vec<Name>)> {
        let mut words = self.any_word_upper()?;
        while !self.at(Kw::ON) && matches!(self.tok.tok, Tok::Word | Tok::Kw(_)) {
            words.push(' ');
            words.push_str(&self.any_word_upper()?);
        }
        let on_columns = matches!(words.as_str(), "SELECT" | "INSERT" | "UPDATE" | "REFERENCES");
        let columns = match on_columns && self.at_char(b'(') {
            true => self.paren_list(|p| p.name())?,
            false => Vec::new(),
        };
        Ok((words, columns))
    }

    fn grant_on(&mut self, privileges: Vec<(Name, Vec<Name>)>) -> SqlResult<GrantWhat> {
        self.expect(Kw::ON)?;
        let kind = match self.current() {
            Tok::Kw(Kw::TABLE) => Some(""),
            Tok::Kw(Kw::PROCEDURE) => Some("PROCEDURE"),
            Tok::Kw(Kw::FUNCTION) if self.peek() != Tok::Char(b'.') => Some("FUNCTION"),
            Tok::Kw(Kw::PACKAGE) if matches!(self.peek(), Tok::Kw(Kw::BODY)) => {
                self.bump();
                Some("PACKAGE BODY")
            }
            Tok::Kw(Kw::PACKAGE) if self.peek() != Tok::Char(b'.') => Some("PACKAGE"),
            _ => None,
        };
        if kind.is_some() {
            self.bump();
        }
        let on = match kind {
            Some(kind) if !kind.is_empty() => GrantOn::Stored { kind, name: self.table_name()? },
            _ => self.grant_target()?,
        };
        Ok(GrantWhat::Privileges { privileges, on })
    }

    /// `*.*`, `*`, `database.*`, `[database.]table`.
    fn grant_target(&mut self) -> SqlResult<GrantOn> {
        if self.eat_char(b'*') {
            if self.eat_char(b'.') {
                self.expect_char(b'*')?;
                return Ok(GrantOn::Global);
            }
            return Ok(GrantOn::Database(None));
        }
        let first = self.name()?;
        if !self.eat_char(b'.') {
            return Ok(GrantOn::Table(TableName { database: None, name: first }));
        }
        if self.eat_char(b'*') {
            return Ok(GrantOn::Database(Some(first)));
        }
        let name = self.name_after_point()?;
        Ok(GrantOn::Table(TableName { database: Some(first), name }))
    }
}
