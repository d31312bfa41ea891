import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ROLES } from '../../lib/roles.ts'
import { booleanColumn, refersTo } from './column-types.ts'

/** When users get e-mails about what is waiting for them. */
export const NOTICES = ['never', 'day', 'now'] as const

export const users = sqliteTable(
  'users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    login: text().notNull(),
    /** The name that other people see; '' to show the login. */
    name: text().notNull().default(''),
    role: text({ enum: ROLES }).notNull(),
    created_utc: text().notNull(),
    /** The address that the user has confirmed; '' for none. */
    email: text().notNull().default(''),
    notices: text({ enum: NOTICES }).notNull().default('never'),
    /** The time of the last notice: later items are new. */
    noticed_utc: text().notNull().default(''),
    /** The digest of the setup code by which this administrator was last signed in; null for all others. */
    setup_code: text(),
    /** True once the session that the code began has opened a page. */
    is_setup_code_used: booleanColumn(),
  },
  t => [
    uniqueIndex('users_login').on(sql`${t.login} COLLATE NOCASE`),
    index('users_notices').on(t.notices).where(sql`notices <> 'never'`),
  ],
)

/** Application passwords. Only the SHA-256 digest is stored, in hexadecimal. */
export const passwords = sqliteTable(
  'passwords',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    digest: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text(),
    last_used_utc: text(),
    /** What the password is for, in the user's words; '' if a command made it. */
    name: text().notNull().default(''),
  },
  t => [uniqueIndex('passwords_digest').on(t.digest), index('passwords_user').on(t.user_id)],
)

// Links and cookies that sign users in are random. Only their SHA-256 digests are stored, in
// hexadecimal.

export const SIGN_IN_METHODS = ['passkey', 'password', 'link', 'setup'] as const

/** Sessions of the editor, one for each browser. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    digest: text().notNull(),
    method: text({ enum: SIGN_IN_METHODS }).notNull(),
    /** The passkey that started it; null for other ways. */
    passkey_id: integer(),
    /** Browser and system, such as `Firefox, Android`; '' if they are unknown. */
    device: text().notNull(),
    created_utc: text().notNull(),
    expires_utc: text().notNull(),
    /** At most an hour before the true last use. */
    last_used_utc: text().notNull(),
  },
  t => [
    uniqueIndex('sessions_digest').on(t.digest),
    index('sessions_user').on(t.user_id),
    index('sessions_expiry').on(t.expires_utc),
  ],
)

/** Links that sign a user in once. */
export const signInLinks = sqliteTable(
  'sign_in_links',
  {
    digest: text().primaryKey(),
    user_id: refersTo(() => users.id),
    expires_utc: text().notNull(),
  },
  t => [index('sign_in_links_user').on(t.user_id), index('sign_in_links_expiry').on(t.expires_utc)],
)

/**
 * Links that confirm the e-mail address of a user, or of a row of a feature. Each works once, and only the
 * newest one works.
 */
export const emailLinks = sqliteTable(
  'email_links',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /**
     * The user who asked. No foreign key, so that deleting a user doesn't look here. Ids are never reused.
     */
    user_id: integer().notNull(),
    /**
     * The kind of the row whose address the link confirms, such as `letter`; '' for the user's own address.
     */
    kind: text().notNull().default(''),
    /** The row's id; null for the user's own address. */
    row_id: integer(),
    email: text().notNull(),
    digest: text().notNull(),
    expires_utc: text().notNull(),
  },
  t => [
    uniqueIndex('email_links_digest').on(t.digest),
    index('email_links_user').on(t.user_id),
    index('email_links_expiry').on(t.expires_utc),
  ],
)

/** WebAuthn credentials. Ids and public keys are base64url, as browsers send them. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: refersTo(() => users.id),
    credential_id: text().notNull(),
    public_key: text().notNull(),
    /** The number of signatures, from authenticators that count them. */
    counter: integer().notNull(),
    /** A JSON array of WebAuthn's `transports`, as the authenticator names them, such as `usb`. */
    transports: text().notNull(),
    name: text().notNull(),
    created_utc: text().notNull(),
    last_used_utc: text(),
  },
  t => [uniqueIndex('passkeys_credential').on(t.credential_id), index('passkeys_user').on(t.user_id)],
)

/** Passkey challenges that were answered, kept until they expire, so that no answer is accepted twice. */
export const usedChallenges = sqliteTable(
  'used_challenges',
  {
    challenge: text().primaryKey(),
    expires_utc: text().notNull(),
  },
  t => [index('used_challenges_expiry').on(t.expires_utc)],
)

/** Random keys of this database, 256 bits in hexadecimal, by which it recognises tokens that it issued. */
export const keys = sqliteTable('keys', {
  name: text().primaryKey(),
  value: text().notNull(),
})
