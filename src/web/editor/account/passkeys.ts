import { and, eq } from 'drizzle-orm'
import { recordChange } from '../../../db/audit.ts'
import { exec, first, together } from '../../../db/query.ts'
import { passkeys } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { accountWords, filled } from '../../../words/words.ts'
import { textOf } from '../../forms/form-body.ts'
import { challengeKey } from '../passkeys/challenges.ts'
import { newPasskey, registrationOptions } from '../passkeys/registration.ts'
import { passkeysOf } from '../passkeys/stored.ts'
import { json } from '../respond.ts'
import { defineAction, defineAdminPage } from '../route.ts'
import { isRecent, signInAgain } from '../sessions/cookies.ts'
import { ACCOUNT, accountPage, loadAccount } from './page.ts'
import { MOST_PASSKEYS, toName } from './queries.ts'

const CHANGE = { action: 'update', kind: 'user', fields: ['passkey'] } as const

/** What a browser needs to make a passkey. */
const options = defineAdminPage({
  path: `${ACCOUNT}options/`,
  requires: 'read',
  load: ({ session }) => together({ key: challengeKey, known: passkeysOf(session.user.id) }),
  respond: async (admin, { loaded, url }) =>
    isRecent(admin) ? json(await registrationOptions(admin, { url, ...loaded })) : signInAgain(ACCOUNT),
})

const make = defineAction({
  path: `${ACCOUNT}passkeys/`,
  requires: 'read',
  isDelicate: true,
  handle: async (admin, { form, url }) => {
    const { context, session, language } = admin
    const words = accountWords(language)
    const name = toName(textOf(form, 'name'))
    const failed = async (error: string) =>
      accountPage(admin, await context.db.get(loadAccount(admin)), { form: 'passkey', error, name })
    if (name === '') return failed(words.needsName)
    await context.countWrites?.(1)
    const key = await context.db.get(challengeKey)
    const response = textOf(form, 'response')
    const made = await newPasskey(admin, { url, key, response, name, most: MOST_PASSKEYS })
    if (!made) return failed(words.passkeyFailed)
    const [id] = await context.db.write([
      first(made.insertion, row => Number(row.id)),
      exec(recordChange(context, CHANGE, session.user.id)),
      ...made.after.map(exec),
    ])
    if (id === undefined) return failed(words.passkeyFailed)
    return { to: ACCOUNT, notice: { text: filled(words.passkeyMade, { name }) } }
  },
})

const remove = defineAction({
  path: `${ACCOUNT}passkeys/:id{[0-9]+}/remove/`,
  requires: 'read',
  handle: async ({ context, session, language }, { params }) => {
    await context.countWrites?.(1)
    const { id } = session.user
    const [removed] = await context.db.write([
      first(
        build
          .delete(passkeys)
          .where(and(eq(passkeys.id, Number(params.id)), eq(passkeys.user_id, id)))
          .returning({ name: passkeys.name }),
      ),
      exec(recordChange(context, CHANGE, id)),
    ])
    const text = filled(accountWords(language).passkeyRemoved, { name: removed?.name ?? '' })
    return { to: ACCOUNT, ...(removed && { notice: { text } }) }
  },
})

/** Passkeys of one's own account. */
export const passkeyRoutes = [options, make, remove]
