import { type SQL, sql } from 'drizzle-orm'
import type { Protection } from '../../calendar/content/dependents.ts'
import type { RequestContext } from '../../kit/context.ts'
import { retryConflicts } from '../../kit/db/failures.ts'
import { many, type Query, readNumber, readText } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { dispatch } from '../../kit/http/dispatch.ts'
import { errorIn } from '../../kit/http/error-replies.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { type OccasionWithRegistration, registrationOf } from './occasion.ts'
import { writeAsCalendar } from './settings.ts'
import { registrations } from './tables.ts'

// A source neither moves nor removes an event with people: what it wants waits here until the organizer has
// answered.

/** The registration of an event by its own id, or that of its series. */
const valueForEvent = (column: SQL, { event, series }: { event: SQL; series: SQL }): SQL =>
  sql`coalesce((SELECT ${column} FROM ${registrations} AS own WHERE own.event_id = ${event}),
    (SELECT ${column} FROM ${registrations} AS own WHERE own.series_id = ${series}))`

export const protectionOfEvent = (ids: { event: SQL; series: SQL }): SQL =>
  valueForEvent(
    sql`json_object('hasPeople', json(iif(own.taken + own.waiting > 0, 'true', 'false')), 'proposal',
      own.asked -> ('$.e' || ${ids.event}))`,
    ids,
  )

const QUESTIONED_EVENT = sql.raw(`(question.value ->> 'id')`)

/**
 * The statements that store questions, each in place of an earlier one. Without a change, nothing is asked
 * any more. `json_patch` merges objects, so the first one removes the earlier questions: otherwise their `to`
 * and `left` would stay. With `json_set` it takes a statement for each question, and a series has hundreds of
 * dates.
 */
export const questionStatements = (questions: string): SQL[] => [
  sql`UPDATE ${registrations} SET asked = (SELECT json_patch(json_patch(asked,
    json_group_object('e' || ${QUESTIONED_EVENT}, NULL)), json_group_object('e' || ${QUESTIONED_EVENT}, question.value -> 'change'))
    FROM json_each(${questions}) AS question
      WHERE ${registrations.id} = ${registrationOf(QUESTIONED_EVENT)})
    WHERE id IN (SELECT ${registrationOf(QUESTIONED_EVENT)} FROM json_each(${questions}) AS question)`,
]

export type OpenQuestion = NonNullable<Protection['proposal']> & { event: number; title: string }

/**
 * A query of the open questions about the dates of a registration. A question is no longer open if the event
 * has meanwhile changed in the way that the source wanted.
 *
 * @param id an expression
 */
export const selectQuestions = (id: SQL): Query<OpenQuestion[]> =>
  many(
    sql`SELECT ${events.id} AS event, title, question.value AS proposal FROM ${registrations} AS own
      CROSS JOIN json_each(own.asked) AS question
      CROSS JOIN ${events} ON ${events.id} = CAST(substr(question.key, 2) AS INTEGER)
      WHERE own.id = ${id} AND status <> 'trash' AND question.value ->> 'left' IS NULL
        AND (start_date, end_date, timezone, all_day) IS NOT (question.value ->> '$.to.start_date',
        question.value ->> '$.to.end_date', question.value ->> '$.to.timezone', question.value ->> '$.to.all_day')
      ORDER BY start_date, ${events.id}`,
    row => ({
      ...storedJson<NonNullable<Protection['proposal']>>(readText(row.proposal)),
      event: readNumber(row.event),
      title: readText(row.title),
    }),
  )

/** Moves an event to the trash for the caller, as DELETE does. @throws ApiError as DELETE answers */
async function moveToTrash(context: RequestContext, id: number): Promise<void> {
  const { replies } = await dispatch(context, [{ method: 'DELETE', path: `/events/${id}` }])
  const reply = replies[0]
  // Somebody else may have done it.
  if (reply && reply.status >= 400 && reply.status !== 404 && reply.status !== 410) throw errorIn(reply)
}

/**
 * Answers what sources ask about the dates of a registration. Dates of a series are written one after the
 * other, because each changes the series, too; questions end with the last one, so that after a failure the
 * rest can be answered again.
 *
 * @param follow true to do what they say
 */
export async function answerSource(
  context: RequestContext,
  { registration: { id } }: OccasionWithRegistration,
  follow: boolean,
): Promise<void> {
  const questions = follow ? await context.db.read(selectQuestions(sql`${id}`)) : []
  const changes = questions.filter(({ what }) => what !== 'trash')
  const answered = follow
    ? sql`'{}'`
    : sql`(SELECT json_group_object(key, json_set(value, '$.left', json('true'))) FROM json_each(asked))`
  const endStatement = sql`UPDATE ${registrations} SET asked = ${answered} WHERE id = ${id}`
  for (const { event, what } of questions) if (what === 'trash') await moveToTrash(context, event)
  if (changes.length === 0) return context.db.write([endStatement])
  for (const [i, question] of changes.entries()) {
    const fields = 'to' in question ? question.to : ({ status: 'private' } as const)
    const alongside = i === changes.length - 1 ? [endStatement] : []
    // Each by itself: those before it are written.
    await retryConflicts(() => writeAsCalendar(context, question.event, fields, alongside))
  }
}
