import { eq } from 'drizzle-orm'
import { first, many, mapped, type RowOfQuery } from '../../../db/query.ts'
import { passkeys } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'

/** A query of a passkey by the id that a browser sent: in the form that the library takes, with its owner. */
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

/** A query of the passkeys of a user, oldest first. */
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
