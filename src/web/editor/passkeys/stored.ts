import { sql } from 'drizzle-orm'
import { first, many, type Query } from '../../../db/query.ts'
import { passkeys } from '../../../db/schema.ts'
import type { DateTime } from '../../../lib/time.ts'

/** A stored passkey, as the library takes it, and whose it is. */
export type Passkey = {
  id: number
  userId: number
  credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number }
}

/** The passkey of an id that a browser sent. */
export const passkeyByCredential = (credentialId: string): Query<Passkey | undefined> =>
  first(
    sql`SELECT id, user_id, credential_id, public_key, counter FROM ${passkeys} WHERE credential_id = ${credentialId}`,
    row => ({
      id: Number(row.id),
      userId: Number(row.user_id),
      credential: {
        id: String(row.credential_id),
        publicKey: new Uint8Array(Buffer.from(String(row.public_key), 'base64url')),
        counter: Number(row.counter),
      },
    }),
  )

/** A passkey as its owner sees it. */
export type ListedPasskey = {
  id: number
  credentialId: string
  name: string
  created: DateTime
  lastUsed: DateTime | null
}

/** The passkeys of a user, the oldest first. */
export const passkeysOf = (userId: number): Query<ListedPasskey[]> =>
  many(
    sql`SELECT id, credential_id, name, created_utc, last_used_utc FROM ${passkeys} WHERE user_id = ${userId} ORDER BY id`,
    row => ({
      id: Number(row.id),
      credentialId: String(row.credential_id),
      name: String(row.name),
      created: String(row.created_utc),
      lastUsed: row.last_used_utc === null ? null : String(row.last_used_utc),
    }),
  )
