import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  addLink,
  addPassword,
  type NewLink,
  revokePasswords,
  selectHasCredentials,
} from '../../calendar/users/passwords.ts'
import { UserError } from '../../calendar/users/records.ts'
import { changeRole, inviteUser, removeUser, toUserName } from '../../calendar/users/users.ts'
import { auditEntriesStatement } from '../../kit/db/audit.ts'
import { build } from '../../kit/db/statements.ts'
import { sessions, signInLinks } from '../../kit/db/tables.ts'
import { search } from '../../kit/http/params.ts'
import { isNewLogin } from '../../kit/lib/values.ts'
import { formText } from '../../site/forms/field-html.ts'
import { filled } from '../../words/words.ts'
import { ignoreMissing, lastCredentialPage, passwordError, toName } from '../account/credentials.ts'
import { ACCOUNT } from '../account/page.ts'
import { type EditorContext, momentOf, roleName } from '../context.ts'
import { type ActionInput, type Area, defineAction, defineEditorPage } from '../pages-and-actions.ts'
import { type EditorResponse, secretPage } from '../respond.ts'
import { removalPage, removalPath, roleIn, USERS_PATH, userPage, usersPage } from './page.ts'
import { type LoadedUser, selectUser, selectUsers } from './queries.ts'

const requires = 'manage_users'

/** A page that shows a link once, to be copied or sent by the administrator's own e-mail program. */
function linkPage(
  editor: EditorContext,
  { title, name, link, origin }: { title: string; name: string; link: NewLink; origin: string },
) {
  const words = editor.texts.users
  const address = origin + link.path
  const parameters = {
    login: name,
    time: momentOf(editor, link.expires_utc),
    site: editor.context.settings.siteName,
    link: address,
  }
  return secretPage(editor, {
    title: filled(title, { login: name }),
    text: filled(words.linkOnce, parameters),
    secrets: [address],
    back: USERS_PATH,
    mail: { subject: filled(words.mailSubject, parameters), body: filled(words.mailText, parameters) },
  })
}

const list = defineEditorPage({
  path: USERS_PATH,
  requires,
  query: z.object({ after: z.optional(search({ description: 'Only those after this login.' })) }),
  load: (_, { query: { after = '' } }) => selectUsers(after),
  respond: (editor, { loaded, query }) => usersPage(editor, loaded, { isLater: query.after !== undefined }),
  isDelicate: true,
  handle: async (editor, { form, url }) => {
    const { context, texts } = editor
    const words = texts.users
    const login = formText(form, 'login')
    const role = roleIn(form)
    const refuse = async (wrong: { login?: string; role?: string }) =>
      usersPage(editor, await context.db.read(selectUsers('')), { refused: { ...wrong, form } })
    if (!isNewLogin(login) || !role)
      return refuse({
        ...(!isNewLogin(login) && { login: words.badLogin }),
        ...(!role && { role: words.badRole }),
      })
    if (!(await context.db.read(selectHasCredentials(editor.session.user.id))))
      return { to: ACCOUNT, notice: { text: words.needsKey, isWarning: true } }
    await context.countWrites(1)
    try {
      const name = toUserName(formText(form, 'name'))
      const link = await inviteUser(context.db, { login, name, role }, editor.context)
      return linkPage(editor, { title: words.invited, name: name || login, link, origin: url.origin })
    } catch (error) {
      if (error instanceof UserError && error.reason === 'taken') return refuse({ login: words.loginInUse })
      throw error
    }
  },
})

type UserWork = (
  editor: EditorContext,
  input: ActionInput & { loaded: LoadedUser },
) => Promise<EditorResponse>

/** An action about one user. Errors are shown on the user's page. @param part the last part of its path */
const userAction = (part: string, work: UserWork, isDelicate?: true) =>
  defineAction({
    path: `${USERS_PATH}:id{[0-9]+}/${part}/`,
    requires,
    ...(isDelicate && { isDelicate }),
    handle: async (editor, input) => {
      const { context, texts } = editor
      const user = await context.db.read(selectUser(input.id, context))
      await context.countWrites(1)
      try {
        return await work(editor, { ...input, loaded: user })
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        const words = texts.users
        const { login, id } = user.user
        const isLast = error.reason === 'last_administrator'
        const text = filled(isLast ? words.last : words.ownsContent, { login })
        if (part === 'role') return userPage(editor, user, { role: text })
        if (part === 'remove')
          return removalPage(editor, user, { error: text, heir: formText(input.form, 'heir') })
        return lastCredentialPage(editor, error, `${USERS_PATH}${id}/`)
      }
    },
  })

const changeRoleAction = userAction(
  'role',
  async (editor, { loaded, form }) => {
    const words = editor.texts.users
    const { login, id } = loaded.user
    const chosenRole = roleIn(form)
    if (!chosenRole) return userPage(editor, loaded, { role: words.badRole })
    await changeRole(editor.context.db, { login, role: chosenRole }, editor.context)
    const text = filled(words.changed, { login, role: roleName(editor, chosenRole) })
    return { to: `${USERS_PATH}${id}/`, ...(chosenRole !== loaded.user.role && { notice: { text } }) }
  },
  true,
)

const makeLinkAction = userAction(
  'link',
  async (editor, { loaded, url }) => {
    const { login, name } = loaded.user
    const newLink = await addLink(editor.context.db, login, editor.context)
    return linkPage(editor, {
      title: editor.texts.users.linkMade,
      name: name || login,
      link: newLink,
      origin: url.origin,
    })
  },
  true,
)

const endSessions = userAction('sessions/end', async ({ context, texts }, { loaded }) => {
  const { login, id } = loaded.user
  const endStatements = [
    build.delete(signInLinks).where(eq(signInLinks.user_id, id)),
    build.delete(sessions).where(eq(sessions.user_id, id)),
  ]
  const entry = { action: 'revoke', kind: 'user', fields: ['session'] } as const
  // One entry for sessions and links, written before the deletions, while there are rows to look for.
  const anySql = sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${sessions.user_id} = ${id})
    OR EXISTS (SELECT 1 FROM ${signInLinks} WHERE ${signInLinks.user_id} = ${id})`
  await context.db.write([
    auditEntriesStatement(context, entry, sql`SELECT ${id} AS id WHERE ${anySql}`),
    ...endStatements,
  ])
  return { to: `${USERS_PATH}${id}/`, notice: { text: filled(texts.users.sessionsEnded, { login }) } }
})

const makePassword = userAction(
  'passwords',
  async (editor, { loaded, form }) => {
    const words = editor.texts.users
    const { login, id } = loaded.user
    const name = toName(formText(form, 'name'))
    const error = passwordError(editor, name, loaded.passwords.length)
    if (error) return userPage(editor, loaded, { password: error })
    const { password } = await addPassword(editor.context.db, login, null, { name, origin: editor.context })
    return secretPage(editor, {
      title: filled(words.passwordFor, { login }),
      text: words.passwordOnce,
      secrets: [password],
      back: `${USERS_PATH}${id}/`,
    })
  },
  true,
)

const revokePassword = userAction(
  'passwords/:password{[0-9]+}/revoke',
  async (editor, { loaded, params }) => {
    const { login, id } = loaded.user
    await revokePasswords(editor.context.db, login, {
      passwordId: Number(params.password),
      sessionId: editor.session.id,
      origin: editor.context,
    }).catch(ignoreMissing)
    return { to: `${USERS_PATH}${id}/`, notice: { text: editor.texts.account.passwordRevoked } }
  },
)

const removeAction = userAction('remove', async (editor, { loaded, form }) => {
  const { login } = loaded.user
  const heir = formText(form, 'heir') || undefined
  await removeUser(editor.context.db, login, { heir, origin: editor.context })
  return { to: USERS_PATH, notice: { text: filled(editor.texts.users.removed, { login }) } }
})

const askToRemove = defineEditorPage({
  path: removalPath(':id{[0-9]+}'),
  requires,
  load: ({ context }, { id }) => selectUser(id, context),
  respond: (editor, { loaded }) => removalPage(editor, loaded),
})

const detailPage = defineEditorPage({
  path: `${USERS_PATH}:id{[0-9]+}/`,
  requires,
  load: ({ context }, { id }) => selectUser(id, context),
  respond: (editor, { loaded }) => userPage(editor, loaded),
})

export const usersArea: Area = {
  routes: [
    list,
    detailPage,
    changeRoleAction,
    makeLinkAction,
    endSessions,
    makePassword,
    revokePassword,
    askToRemove,
    removeAction,
  ],
  menu: [{ path: USERS_PATH, label: texts => texts.users.title, requires, group: 'settings' }],
}
