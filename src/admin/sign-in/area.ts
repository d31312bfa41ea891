import { sql } from 'drizzle-orm'
import { passwords } from '../../db/schema.ts'
import { passwordOf } from '../../http/auth.ts'
import { ApiError, statusOf } from '../../lib/errors.ts'
import type { Area } from '../area.ts'
import { defineAction, defineOpenAction, defineOpenPage } from '../route.ts'
import { beginSession } from '../sessions/begin.ts'
import { cookie } from '../sessions/cookies.ts'
import { endSession } from '../sessions/session.ts'
import { wayBack } from '../sessions/way-back.ts'
import { signInWords } from '../words/sign-in.ts'
import { signInPage } from './page.ts'

const PATH = '/admin/sign-in/'

const page = defineOpenPage({
  path: PATH,
  respond: (visit, { url }) => {
    const to = wayBack(url.searchParams.get('to'), url.origin)
    return visit.session ? { to } : signInPage(visit, to)
  },
})

const withPassword = defineOpenAction({
  path: PATH,
  respond: async (visit, { form, url, request }) => {
    const words = signInWords(visit.language)
    const to = wayBack(form.get('to'), url.origin)
    const [login, password] = [
      String(form.get('login') ?? '').trim(),
      String(form.get('password') ?? '').trim(),
    ]
    if (!login || !password) return signInPage(visit, to, { error: words.missing, login, status: 422 })
    try {
      const { passwordId } = await passwordOf(request, { login, password })
      const user = sql`SELECT user_id AS id FROM ${passwords} WHERE id = ${passwordId}`
      const cookies = await beginSession(request, { method: 'password', user })
      if (cookies) return { to, cookies }
    } catch (error) {
      const isTooMany = error instanceof ApiError && statusOf(error.code) === 429
      if (isTooMany) return signInPage(visit, to, { error: visit.words.tooManyText, login, status: 429 })
      if (!(error instanceof ApiError && error.code === 'incorrect_password')) throw error
    }
    return signInPage(visit, to, { error: words.wrong, login, status: 422 })
  },
})

const signOut = defineAction({
  path: '/admin/sign-out/',
  requires: 'read',
  handle: async ({ context, session, language }, { url }) => {
    await context.db.change([endSession(session.id)])
    return {
      to: PATH,
      notice: { text: signInWords(language).signedOut },
      cookies: [cookie(url, 'session', '', 0)],
    }
  },
})

/** The sign-in and the way out. */
export const signInArea: Area = { routes: [page, withPassword, signOut] }
