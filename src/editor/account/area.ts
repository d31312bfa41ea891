import { and, eq, ne, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { addPassword, removePasskey, revokePasswords } from '../../calendar/users/passwords.ts'
import { nameUser, toUserName } from '../../calendar/users/users.ts'
import { recordedQuery } from '../../kit/db/audit.ts'
import { combineQueries, countOf, first, mapQuery, readNumber, rowlessQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { passkeys, sessions } from '../../kit/db/tables.ts'
import { field } from '../../kit/http/params.ts'
import { asText } from '../../kit/lib/values.ts'
import { formText } from '../../site/forms/field-html.ts'
import { html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import { END_OTHERS_PATH } from '../context.ts'
import { type Area, defineAction, defineEditorPage } from '../pages-and-actions.ts'
import { newPasskey, registrationOptions, selectChallengeKey, selectPasskeys } from '../passkeys/webauthn.ts'
import { json, secretPage } from '../respond.ts'
import { mayMakeKeys, signInAgain } from '../sessions.ts'
import { ignoreMissing, lastCredentialPage, MAX_PASSKEYS, passwordError, toName } from './credentials.ts'
import { emailRoutes } from './email.ts'
import { ACCOUNT, accountPage } from './page.ts'
import { selectAccount, selectPasswords, selectSessions } from './queries.ts'

/** The name that was typed for a passkey. It is kept while the user signs in once more. */
const typedName = z.object({
  name: z.optional(field(raw => toName(asText(raw)), { description: 'The name of a new passkey.' })),
})

const passkeyOptions = defineEditorPage({
  path: `${ACCOUNT}options/`,
  requires: 'read',
  query: typedName,
  load: ({ session }) => combineQueries({ key: selectChallengeKey, known: selectPasskeys(session.user.id) }),
  respond: async (editor, { loaded, url, query: { name } }) =>
    (await mayMakeKeys(editor))
      ? json(await registrationOptions(editor, { url, ...loaded }))
      : signInAgain(name ? `${ACCOUNT}?${new URLSearchParams({ name })}` : ACCOUNT),
})

const makePasskey = defineAction({
  path: `${ACCOUNT}passkeys/`,
  requires: 'read',
  isDelicate: true,
  handle: async (editor, { form, url }) => {
    const { context, session, texts } = editor
    const words = texts.account
    const name = toName(formText(form, 'name'))
    const failurePage = async (error: string) =>
      accountPage(editor, await context.db.read(selectAccount(editor)), { form: 'passkey', error, name })
    if (name === '') return failurePage(words.needsName)
    await context.countWrites(1)
    const key = await context.db.read(selectChallengeKey)
    const response = formText(form, 'response')
    const passkey = await newPasskey(editor, { url, key, response, name, limit: MAX_PASSKEYS })
    if (!passkey) return failurePage(words.passkeyFailed)
    const [id] = await context.db.write(
      combineQueries([
        recordedQuery(
          context,
          first(passkey.insertion, row => readNumber(row.id)),
          { action: 'update', kind: 'user', fields: ['passkey'], id: session.user.id },
        ),
        ...passkey.after.map(rowlessQuery),
      ]),
    )
    if (id === undefined) return failurePage(words.passkeyFailed)
    const text = filled(words.passkeyMade, { name })
    const ownPasswords = await context.db.read(selectPasswords(session.user.id, context.clock.now()))
    return { to: ACCOUNT, notice: { text: ownPasswords.length > 0 ? text : `${text} ${words.passwordNext}` } }
  },
})

const dropPasskey = defineAction({
  path: `${ACCOUNT}passkeys/:id{[0-9]+}/remove/`,
  requires: 'read',
  handle: async (editor, { id }) => {
    const { context, session, texts } = editor
    await context.countWrites(1)
    try {
      const name = await removePasskey(context.db, { id, user: session.user, sessionId: session.id }, context)
      if (name === undefined) return { to: ACCOUNT }
      const words = texts.account
      const text = filled(words.passkeyRemoved, { name })
      // A lost device may be signed in by other means, such as the link of an invitation.
      const ownSessions = await context.db.read(selectSessions(session.user.id, context.clock.now()))
      if (ownSessions.every(own => own.id === session.id)) return { to: ACCOUNT, notice: { text } }
      const link = { href: END_OTHERS_PATH, text: words.endOthers, isButton: true } as const
      return { to: ACCOUNT, notice: { text: `${text} ${words.stillSignedIn}`, link } }
    } catch (error) {
      return lastCredentialPage(editor, error, ACCOUNT)
    }
  },
})

const page = defineEditorPage({
  path: ACCOUNT,
  requires: 'read',
  query: typedName,
  load: selectAccount,
  respond: (editor, { loaded, query: { name } }) =>
    accountPage(editor, loaded, name === undefined ? undefined : { form: 'passkey', name }),
})

const saveName = defineAction({
  path: `${ACCOUNT}name/`,
  requires: 'read',
  handle: async ({ context, session, texts }, { form }) => {
    await context.countWrites(1)
    await nameUser(context.db, { id: session.user.id, name: toUserName(formText(form, 'name')) }, context)
    return { to: ACCOUNT, notice: { text: texts.account.nameSaved } }
  },
})

const endSession = defineAction({
  path: `${ACCOUNT}sessions/:id{[0-9]+|others}/end/`,
  requires: 'read',
  handle: async ({ context, session, texts }, { params: { id = '' } }) => {
    const sessionSql = id === 'others' ? ne(sessions.id, session.id) : eq(sessions.id, Number(id))
    await context.db.write([
      build.delete(sessions).where(and(eq(sessions.user_id, session.user.id), sessionSql)),
    ])
    return { to: ACCOUNT, notice: { text: texts.account.ended } }
  },
})

const makePassword = defineAction({
  path: `${ACCOUNT}passwords/`,
  requires: 'read',
  isDelicate: true,
  handle: async (editor, { form }) => {
    const { context, session, texts } = editor
    const words = texts.account
    const name = toName(formText(form, 'name'))
    const { id, login } = session.user
    const { length } = await context.db.read(selectPasswords(id, context.clock.now()))
    const error = passwordError(editor, name, length)
    if (error) return accountPage(editor, await context.db.read(selectAccount(editor)), error)
    await context.countWrites(1)
    const { password } = await addPassword(context.db, login, null, { name, origin: context })
    return secretPage(editor, {
      title: words.passwordShown,
      text: filled(words.passwordOnce, { login }),
      secrets: [password],
      back: ACCOUNT,
    })
  },
})

const revokePassword = defineAction({
  path: `${ACCOUNT}passwords/:id{[0-9]+}/revoke/`,
  requires: 'read',
  handle: async (editor, { id }) => {
    const { context, session, texts } = editor
    await context.countWrites(1)
    try {
      await revokePasswords(context.db, session.user.login, {
        passwordId: id,
        sessionId: session.id,
        origin: context,
      }).catch(ignoreMissing)
      return { to: ACCOUNT, notice: { text: texts.account.passwordRevoked } }
    } catch (error) {
      return lastCredentialPage(editor, error, ACCOUNT)
    }
  },
})

/** The user's own account: how they sign in, and where they are signed in. */
export const accountArea: Area = {
  routes: [
    page,
    passkeyOptions,
    makePasskey,
    dropPasskey,
    saveName,
    endSession,
    makePassword,
    revokePassword,
    ...emailRoutes,
  ],
  start: [
    {
      requires: 'read',
      selectCard: ({ session, texts }) =>
        mapQuery(countOf(sql`${passkeys} WHERE ${passkeys.user_id} = ${session.user.id}`), count => {
          const words = texts.account
          return count > 0
            ? ''
            : html`<h2>${words.startTitle}</h2><p>${words.startText}</p><p><a class="button button-quiet" href="${ACCOUNT}">${words.makePasskey}</a></p>`
        }),
    },
  ],
}
