import * as z from 'zod/mini'
import { mapped, together } from '../../../db/query.ts'
import { integer } from '../../../http/params.ts'
import { composeLetter } from '../../../resources/letters/compose.ts'
import {
  assertLetter,
  letterById,
  selectLetterDeliveries,
  selectLetterPage,
} from '../../../resources/letters/queries.ts'
import { MOST_LETTERS } from '../../../resources/letters/writes.ts'
import { contactOf } from '../../../resources/users/email.ts'
import { filled, formWords, letterWords } from '../../../words/words.ts'
import { textOf } from '../../forms/element.ts'
import { errorsOf, type FormErrors, reasonsOf } from '../../forms/errors.ts'
import { ask, ifVersion, isDone, submitOne, valueIn, type WriteReply } from '../../forms/requests.ts'
import type { Admin, Notice } from '../admin.ts'
import { buttonsOf } from '../buttons.ts'
import type { Outcome } from '../respond.ts'
import { type Area, defineAction, defineAdminPage } from '../route.ts'
import {
  LETTERS,
  LETTERS_PER_PAGE,
  letterIn,
  letterPage,
  letterPath,
  lettersPage,
  refusalText,
} from './page.ts'

const requires = 'manage_letters'
const ONE = `${LETTERS}:id{[0-9]+}/`

const allLetters = mapped(selectLetterPage({ page: 1, perPage: MOST_LETTERS, offset: 0 }), ({ rows }) => rows)

const list = defineAdminPage({
  path: LETTERS,
  requires,
  load: () => allLetters,
  respond: (admin, { loaded }) => lettersPage(admin, loaded),
})

/** A query of a letter with a page of what became of it. */
const load = ({ context }: Admin, id: number, page = 1) =>
  mapped(
    together({
      letter: letterById(id),
      deliveries: selectLetterDeliveries(id, {
        page,
        perPage: LETTERS_PER_PAGE,
        offset: (page - 1) * LETTERS_PER_PAGE,
      }),
      contact: contactOf(context.caller.id),
    }),
    ({ letter, deliveries, contact }) => ({
      letter: assertLetter(letter),
      deliveries,
      page,
      ownEmail: contact?.email ?? '',
    }),
  )

/** The same with the letter as it would be sent now. */
const withText = async <T extends { letter: Parameters<typeof composeLetter>[1] }>(
  { context }: Admin,
  loaded: T,
) => ({ ...loaded, composed: await context.db.get(composeLetter(context, loaded.letter)) })

const one = defineAdminPage({
  path: ONE,
  requires,
  query: z.object({ page: z.optional(integer({ description: 'Page of what was sent.' })) }),
  load: (admin, { id, query }) => load(admin, id, Math.min(query.page ?? 1, 1_000_000)),
  respond: async (admin, { loaded }) => letterPage(admin, await withText(admin, loaded)),
})

/** The letter alone, for the frame on its page. Its headers are those of `mount.ts`. */
const preview = defineAdminPage({
  path: `${ONE}preview/`,
  requires,
  load: (_, { id }) => letterById(id),
  respond: async ({ context }, { loaded }) => {
    const { html } = await context.db.get(composeLetter(context, assertLetter(loaded)))
    return { body: html, type: 'text/html; charset=utf-8' }
  },
})

/** The errors of a form, by field. */
function problemsOf(admin: Admin, { status, body }: WriteReply): FormErrors {
  if (status === 412) return new Map([['', letterWords(admin.language).conflict]])
  return errorsOf(formWords(admin.language), body)
}

/** The notice after a write, which may have sent a link. */
function savedNotice({ language }: Admin, reply: WriteReply): Notice {
  const words = letterWords(language)
  const sent = valueIn(reply, 'link_sent')
  const text = sent === undefined ? words.saved : sent === true ? words.asked : words.notAsked
  return { text: filled(text, { email: String(valueIn(reply, 'to')) }) }
}

const add = defineAction({
  path: LETTERS,
  requires,
  handle: async (admin, { form }) => {
    const typed = letterIn(form)
    const reply = await submitOne(admin, { method: 'POST', path: '/letters', body: typed })
    if (isDone(reply))
      return { to: letterPath(Number(valueIn(reply, 'id'))), notice: savedNotice(admin, reply) }
    const found = await admin.context.db.get(allLetters)
    return lettersPage(admin, found, { typed, errors: problemsOf(admin, reply) })
  },
})

const change = defineAction({
  path: ONE,
  requires,
  handle: async (admin, { form, id }) => {
    const typed = letterIn(form)
    const stored = await admin.context.db.get(letterById(id))
    // Saving other fields asks nobody to confirm the address once more.
    const { to, ...others } = typed
    const reply = await submitOne(admin, {
      method: 'PATCH',
      path: `/letters/${id}`,
      body: to === stored?.to_email ? others : typed,
      headers: ifVersion(textOf(form, 'version')),
    })
    if (isDone(reply)) return { to: letterPath(id), notice: savedNotice(admin, reply) }
    const loaded = await withText(admin, await admin.context.db.get(load(admin, id)))
    return letterPage(admin, loaded, { typed, errors: problemsOf(admin, reply) })
  },
})

const button = buttonsOf({ page: LETTERS, routes: '/letters', requires })

/** The redirect to the letter's page, with what came of sending it. */
const outcomeOf =
  (done: 'tested' | 'retried') =>
  ({ language }: Admin, reply: WriteReply, id: number): Outcome => {
    const words = letterWords(language)
    const isSent = valueIn(reply, 'state') === 'sent'
    const reason = refusalText(words, String(valueIn(reply, 'reason') ?? ''))
    const text = isSent ? words[done] : filled(words.failedNow, { reason })
    return { to: `${letterPath(id)}#deliveries`, notice: { text } }
  }

const noticeOf =
  (word: 'wasPaused' | 'resumed') =>
  ({ language }: Admin, _: WriteReply, id: number): Outcome => ({
    to: letterPath(id),
    notice: { text: letterWords(language)[word] },
  })

/** Sends the link that confirms the address of a letter again. */
const askAgain = defineAction({
  path: `${ONE}ask/`,
  requires,
  handle: async (admin, { id }) => {
    const to = (await admin.context.db.get(letterById(id)))?.to_email
    const reply = await ask(admin, { method: 'PATCH', path: `/letters/${id}`, body: { to } })
    const notice = isDone(reply) ? savedNotice(admin, reply) : { text: reasonsOf(admin, reply) }
    return { to: letterPath(id), notice }
  },
})

/** Letters with coming events: when they go, to whom, and what became of them. */
export const lettersArea: Area = {
  routes: [
    list,
    one,
    preview,
    add,
    change,
    askAgain,
    button('test', { method: 'POST', path: () => '/test' }, outcomeOf('tested')),
    button(
      'deliveries/:delivery{[0-9]+}/retry',
      { method: 'POST', path: ({ delivery }) => `/deliveries/${delivery}/retry` },
      outcomeOf('retried'),
    ),
    button('pause', { method: 'PATCH', body: { active: false } }, noticeOf('wasPaused')),
    button('resume', { method: 'PATCH', body: { active: true } }, noticeOf('resumed')),
    button('delete', { method: 'DELETE' }, ({ language }) => ({
      to: LETTERS,
      notice: { text: letterWords(language).removed },
    })),
  ],
  menu: [
    {
      path: LETTERS,
      label: language => letterWords(language).title,
      requires,
      group: 'more',
      isOn: ({ mailer }) => mailer !== undefined,
    },
  ],
}
