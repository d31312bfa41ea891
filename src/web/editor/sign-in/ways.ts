import { sql } from 'drizzle-orm'
import { passwords, recoveryCodes } from '../../../db/schema.ts'
import { findPassword, noteUse } from '../../../http/auth.ts'
import { digestOf } from '../../../lib/password.ts'
import { signInWords } from '../../../words/words.ts'
import { textOf } from '../../forms/form-body.ts'
import { passkeyUser } from '../passkeys/authentication.ts'
import { beginSession } from '../sessions/begin.ts'
import { defineTry } from './tries.ts'

const withPassword = defineTry({
  way: 'password',
  wrong: ({ language }) => signInWords(language).wrong,
  begin: async (_, { form, request }) => {
    const [login, password] = [textOf(form, 'login'), textOf(form, 'password')]
    const found = login && password ? await findPassword(request, { login, password }) : undefined
    if (!found) return undefined
    noteUse(request, found)
    const user = sql`SELECT user_id AS id FROM ${passwords} WHERE id = ${found.passwordId}`
    return beginSession(request, { method: 'password', user })
  },
})

const withCode = defineTry({
  way: 'code',
  wrong: ({ language }) => signInWords(language).codeWrong,
  begin: async (_, { form, request }) => {
    // As people write codes down: in capitals, with or without what is between its groups.
    const digest = await digestOf(
      textOf(form, 'code')
        .toLowerCase()
        .replace(/[^a-z\d]/g, ''),
    )
    const own = sql`${recoveryCodes} WHERE digest = ${digest}`
    return beginSession(request, {
      method: 'code',
      user: sql`SELECT user_id AS id FROM ${own}`,
      after: [sql`DELETE FROM ${own}`],
    })
  },
})

const withPasskey = defineTry({
  way: 'passkey',
  wrong: ({ language }) => signInWords(language).passkeyWrong,
  begin: async (visit, { form, url, request }) => {
    const found = await passkeyUser(visit, { url, text: textOf(form, 'response') })
    return found && beginSession(request, { method: 'passkey', ...found })
  },
})

/** What the forms of the sign-in do. */
export const wayRoutes = [withPasskey, withPassword, withCode]
