import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { submissionOfSql } from '../../calendar/events/relations/links.ts'
import { deleteRemark } from '../../calendar/intake/queries.ts'
import { literal, many, mapQuery, type Query, readNumber, readText } from '../../kit/db/query.ts'
import { events, reviewNotes, submissions } from '../../kit/db/tables.ts'
import { oneOf } from '../../kit/http/params.ts'
import { type Html, html } from '../../site/html/html.ts'
import { plain } from '../../site/html/text.ts'
import type { EditorContext } from '../context.ts'
import { editPath } from '../events/rows.ts'
import { cursor } from '../lists.ts'
import { type Area, defineAction, defineEditorPage } from '../pages-and-actions.ts'
import { decide, reviewFormIn } from './decide.ts'
import { doneText, REMARK_PATH, REVIEW_PATH, type ReviewPosition, reviewAddress, reviewPage } from './page.ts'
import { REVIEW_VIEWS, selectReviewCount, selectWaiting } from './queries.ts'

const reviewQuery = z.object({
  view: z.optional(oneOf(REVIEW_VIEWS, { description: 'Which of the tabs.' })),
  after: cursor,
})

const positionIn = ({ view = 'waiting', after }: Partial<z.output<typeof reviewQuery>>): ReviewPosition => ({
  view,
  after: after && { start: after.at, id: Number(after.name) || 0 },
})

const review = defineEditorPage({
  path: REVIEW_PATH,
  requires: 'edit_others_content',
  query: reviewQuery,
  load: ({ context }, { query }) => {
    const { view, after } = positionIn(query)
    return selectWaiting(context, view, after)
  },
  respond: (editor, { loaded, query }) => reviewPage(editor, { ...loaded, position: positionIn(query) }),
  handle: async (editor, { form, query }) => {
    const position = positionIn(query)
    const decided = reviewFormIn(form)
    const outcome = await decide(editor, decided)
    if (outcome.error === undefined && outcome.failed.size === 0) {
      const text = doneText(editor, decided, outcome.done)
      return { to: reviewAddress({ view: position.view }), notice: { text } }
    }
    const waiting = await editor.context.db.read(selectWaiting(editor.context, position.view, position.after))
    return reviewPage(editor, { ...waiting, position, tried: { decided, outcome } })
  },
})

const remarkDone = defineAction({
  path: REMARK_PATH,
  requires: 'edit_others_content',
  handle: async (editor, { form }) => {
    const { remarkGone, remarkWasGone } = editor.texts.review
    const isDeleted = await deleteRemark(editor.context, Number(form.get('id')) || 0)
    const notice = isDeleted ? { text: remarkGone } : { text: remarkWasGone, isWarning: true as const }
    return { to: REVIEW_PATH, notice }
  },
})

/** The most returned events on an author's start page, those first that were returned last. */
const MAX_RETURNED = 10

/**
 * The card on the start page for authors of returned events. Events of visitors are left out: visitors have a
 * page of their own.
 */
function selectReturnedCard(editor: EditorContext): Query<Html | ''> {
  const { context, texts } = editor
  const returnedEvents = sql`SELECT ${events.id} AS id, ${events.title} AS title FROM ${reviewNotes} CROSS JOIN ${events}
    ON ${events.id} = iif(${reviewNotes.kind} = 'event', ${reviewNotes.object_id}, (SELECT id FROM ${events} AS first
      WHERE first.series_id = ${reviewNotes.object_id} AND first.status = 'draft' ORDER BY first.utc_start_date LIMIT 1))
    WHERE ${events.author_id} = ${context.caller.id} AND ${events.status} = 'draft'
      AND NOT EXISTS (SELECT 1 FROM ${submissions} WHERE ${submissionOfSql(sql`${events}`)})
    GROUP BY ${events.id} ORDER BY max(${reviewNotes.at_utc}) DESC, ${events.id} DESC LIMIT ${literal(MAX_RETURNED)}`
  return mapQuery(many(returnedEvents, { id: readNumber, title: readText }), rows =>
    rows.length === 0
      ? ''
      : html`<h2>${texts.review.yours}</h2><ul>${rows.map(({ id, title }) => html`<li><a href="${editPath(id)}">${plain(title)}</a></li>\n`)}</ul>`,
  )
}

export const reviewArea: Area = {
  routes: [review, remarkDone],
  menu: [
    {
      path: REVIEW_PATH,
      label: texts => texts.review.review,
      requires: 'edit_others_content',
      selectCount: selectReviewCount,
    },
  ],
  start: [{ requires: 'edit_content', selectCard: selectReturnedCard }],
}
