import { and, eq, gt, type SQL } from 'drizzle-orm'
import { first } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { passwords, signInLinks, users } from '../../kit/db/tables.ts'
import { findByCredentials, findPassword, noteUse } from '../../kit/http/auth.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { passwordDigest } from '../../kit/lib/hash.ts'
import { isSecure } from '../../kit/lib/network.ts'
import { buttonForm, formText } from '../../site/forms/field-html.ts'
import { html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import type { VisitorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import {
  type Area,
  defineAction,
  defineOpenAction,
  defineOpenPage,
  type OpenInput,
} from '../pages-and-actions.ts'
import { authenticationOptions, findPasskeyUser } from '../passkeys/webauthn.ts'
import { type EditorResponse, json, notePage } from '../respond.ts'
import { beginSession, cookie, editorPathOf, sessionEndStatement } from '../sessions.ts'
import { withLanguage } from '../visit.ts'
import { needsHttpsPage, SIGN_IN, type SignInWay, signInPage } from './page.ts'
import { isSetupAwaited, SETUP_PATH, setupPage } from './setup.ts'

const LINK_PATH = '/admin/link/:secret{[a-z0-9]+}/'

/** A condition for the row of a valid link by its secret. */
const linkBySecretSql = async (secret: string, now: string): Promise<SQL | undefined> =>
  and(eq(signInLinks.digest, await passwordDigest(secret)), gt(signInLinks.expires_utc, now))

/**
 * The page of a sign-in link. Opening it changes nothing, because mail scanners open links; its button does.
 */
const linkPage = defineOpenPage({
  path: LINK_PATH,
  respond: async (visit, { params: { secret = '' }, url }) => {
    if (!isSecure(url)) return needsHttpsPage(visit)
    const { context, texts } = visit
    const user = await context.db.read(
      first(
        build
          .select({ login: users.login, name: users.name })
          .from(signInLinks)
          .innerJoin(users, eq(users.id, signInLinks.user_id))
          .where(await linkBySecretSql(secret, context.clock.now())),
      ),
    )
    if (!user) return endedPage(visit)
    const { login, name } = user
    const words = texts.signIn
    return {
      title: visit.words.signIn,
      isNarrow: true,
      main: html`<h1>${filled(visit.words.welcome, { login: name || login })}</h1><p class="lead">${words.linkText}</p>
<div class="stack"><p>${words.linkNext}</p>
${buttonForm(visit, { action: url.pathname, text: filled(words.linkButton, { login }), className: 'button' })}</div>`,
    }
  },
  handle: async (visit, { params: { secret = '' }, request, url }) => {
    if (!isSecure(url)) return needsHttpsPage(visit)
    const linkSql = await linkBySecretSql(secret, visit.context.clock.now())
    const begin = () =>
      beginSession(request, {
        method: 'link',
        user: build.select({ id: signInLinks.user_id }).from(signInLinks).where(linkSql),
        after: [build.delete(signInLinks).where(linkSql)],
      })
    try {
      return { to: '/admin/', cookies: await findByCredentials(request, { claim: 'form', find: begin }) }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'incorrect_password') return endedPage(visit)
      throw error
    }
  },
})

function endedPage(visit: VisitorContext): EditorPage {
  const words = visit.texts.signIn
  const link = { href: SIGN_IN, text: visit.words.signIn }
  return notePage({ title: words.linkEnded, status: 410, text: words.linkEndedText, link })
}

type Try = OpenInput & { form: FormData }

type SignInDeclaration = {
  way: SignInWay
  /** The error message of a failed attempt. */
  wrongText: (visit: VisitorContext) => string
  /** The cookies of the new session; undefined if the credentials are wrong. */
  begin: (visit: VisitorContext, input: Try) => Promise<readonly string[] | undefined>
}

/** Declares an action of the sign-in. Failed attempts are counted like those of the API. */
const defineSignIn = ({ way, wrongText, begin }: SignInDeclaration) =>
  defineOpenAction({
    path: `${SIGN_IN}${way}/`,
    handle: async (visit, input): Promise<EditorResponse> => {
      const { form, url, request } = input
      if (!isSecure(url)) return needsHttpsPage(visit)
      const to = editorPathOf(form.get('to'), url.origin)
      const login = formText(form, 'login')
      try {
        const find = () => begin(visit, input)
        const claim = way === 'password' ? { login } : 'form'
        return { to, cookies: await findByCredentials(request, { claim, find }) }
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined
        if (code === 'incorrect_password')
          return signInPage(visit, to, { failed: { way, error: wrongText(visit), login, status: 422 } })
        if (code === 'rest_too_many_requests')
          return signInPage(visit, to, {
            failed: { way, error: visit.words.tooManyText, login, status: 429 },
          })
        throw error
      }
    },
  })

const withPassword = defineSignIn({
  way: 'password',
  wrongText: ({ texts }) => texts.signIn.wrong,
  begin: async (_, { form, request }) => {
    const login = formText(form, 'login')
    const password = formText(form, 'password')
    const foundPassword = login && password ? await findPassword(request, { login, password }) : undefined
    if (!foundPassword) return undefined
    noteUse(request, foundPassword)
    const user = build
      .select({ id: passwords.user_id })
      .from(passwords)
      .where(eq(passwords.id, foundPassword.passwordId))
    return beginSession(request, { method: 'password', user })
  },
})

const withPasskey = defineSignIn({
  way: 'passkey',
  wrongText: ({ texts }) => texts.signIn.passkeyWrong,
  begin: async (visit, { form, url, request }) => {
    const passkey = await findPasskeyUser(visit, { url, text: formText(form, 'response') })
    return passkey && beginSession(request, { method: 'passkey', ...passkey })
  },
})

const page = defineOpenPage({
  path: SIGN_IN,
  respond: async (visit, { url, browserSession }) => {
    const to = editorPathOf(url.searchParams.get('to'), url.origin)
    const isAgain = url.searchParams.has('again')
    if (browserSession && !isAgain) return { to }
    if (await isSetupAwaited(visit)) return { to: SETUP_PATH }
    return isSecure(url) ? signInPage(visit, to, { isAgain }) : needsHttpsPage(visit)
  },
})

/** The options that a browser needs to ask for a passkey. */
const options = defineOpenPage({
  path: `${SIGN_IN}options/`,
  respond: async (visit, { url }) => json(await authenticationOptions(visit, url)),
})

const signOut = defineAction({
  path: '/admin/sign-out/',
  requires: 'read',
  handle: async (editor, { url }) => {
    await editor.context.db.write([sessionEndStatement(editor.session.id)])
    return {
      to: SIGN_IN,
      notice: { text: withLanguage(editor, editor.browserLanguage).texts.signIn.signedOut },
      cookies: [cookie(url, 'session', '', 0)],
    }
  },
})

export const signInArea: Area = {
  routes: [page, options, withPasskey, withPassword, linkPage, setupPage, signOut],
}
