import { eq } from 'drizzle-orm'
import { first, many, mapped, type RowOfQuery } from '../../../db/query.ts'
import { passkeys } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'

/** The passkey of an id that a browser sent, as the library takes it, and whose it is. */
export const passkeyByCredential = (credentialId: string) =>
  mapped(
    first(build.select().from(passkeys).where(eq(passkeys.credential_id, credentialId))),
    row =>
      row && {
        id: row.id,
        userId: row.user_id,
        credential: {
          id: row.credential_id,
          publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
          counter: row.counter,
        },
      },
  )

/** The passkeys of a user, as their owner sees them, the oldest first. */
export const passkeysOf = (userId: number) =>
  many(
    build
      .select({
        id: passkeys.id,
        credentialId: passkeys.credential_id,
        name: passkeys.name,
        created: passkeys.created_utc,
        lastUsed: passkeys.last_used_utc,
      })
      .from(passkeys)
      .where(eq(passkeys.user_id, userId))
      .orderBy(passkeys.id),
  )

export type ListedPasskey = RowOfQuery<typeof passkeysOf>
