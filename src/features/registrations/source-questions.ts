import { eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Protection } from '../../calendar/content/dependents.ts'
import type { RequestContext } from '../../kit/context.ts'
import { conflictIf, retryConflicts } from '../../kit/db/failures.ts'
import {
  combineQueries,
  first,
  many,
  type Query,
  readNumber,
  readText,
  type Statement,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { dispatch } from '../../kit/http/dispatch.ts'
import { errorIn } from '../../kit/http/error-replies.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { type OccasionWithRegistration, registrationOf } from './occasion.ts'
import type { questionSchema, sourceAnswerFields } from './schema.ts'
import { registrations } from './tables.ts'
import { writeAsCalendar } from './tickets.ts'

// A source can't move or remove an event with registrants: what it wants waits here for the organizer's
// answer.

/** The column `asked` in rows with an alias, and after SET. */
const ASKED = sql.identifier(registrations.asked.name)

/**
 * A column of an event's registration: of its own or, if it has none, of its series'.
 *
 * @param column an expression of the row `own`
 */
const valueForEvent = (column: SQL, { event, series }: { event: SQL; series: SQL }): SQL =>
  sql`coalesce((SELECT ${column} FROM ${registrations} AS own WHERE own.event_id = ${event}),
    (SELECT ${column} FROM ${registrations} AS own WHERE own.series_id = ${series}))`

export const protectionOfEvent = (ids: { event: SQL; series: SQL }): SQL =>
  valueForEvent(
    sql`json_object('hasPeople', json(iif(own.taken + own.waiting > 0, 'true', 'false')), 'proposal',
      own.${ASKED} -> ('$.e' || ${ids.event}))`,
    ids,
  )

const QUESTIONED_EVENT = sql.raw(`(question.value ->> 'id')`)

/**
 * The statements that store questions, each in place of an earlier one. Without a change, the question is
 * withdrawn. `json_patch` merges objects, so the first statement removes the earlier questions: otherwise
 * their `to` and `left` would stay. `json_set` would take a statement per question, and a series has hundreds
 * of dates.
 */
export const questionStatements = (questions: string): Statement[] => [
  build
    .update(registrations)
    .set({
      asked: sql`(SELECT json_patch(json_patch(${ASKED}, json_group_object('e' || ${QUESTIONED_EVENT}, NULL)),
        json_group_object('e' || ${QUESTIONED_EVENT}, question.value -> 'change'))
        FROM json_each(${questions}) AS question WHERE ${registrations.id} = ${registrationOf(QUESTIONED_EVENT)})`,
    })
    .where(sql`id IN (SELECT ${registrationOf(QUESTIONED_EVENT)} FROM json_each(${questions}) AS question)`),
]

export type OpenQuestion = NonNullable<Protection['proposal']> & { event: number; title: string }

/**
 * A query for the open questions about the dates of a registration. A question is closed once the event has
 * changed the way the source wanted.
 *
 * @param id an expression
 */
export const selectQuestions = (id: SQL): Query<OpenQuestion[]> =>
  many(
    sql`SELECT ${events.id} AS event, title, question.value AS proposal
      FROM json_each((SELECT own.${ASKED} FROM ${registrations} AS own WHERE own.id = ${id})) AS question
      CROSS JOIN ${events} ON ${events.id} = CAST(substr(question.key, 2) AS INTEGER)
      WHERE status <> 'trash' AND question.value ->> 'left' IS NULL
        AND (start_date, end_date, timezone, all_day) IS NOT (question.value ->> '$.to.start_date',
        question.value ->> '$.to.end_date', question.value ->> '$.to.timezone', question.value ->> '$.to.all_day')
      ORDER BY start_date, ${events.id}`,
    row => ({
      ...storedJson<NonNullable<Protection['proposal']>>(readText(row.proposal)),
      event: readNumber(row.event),
      title: readText(row.title),
    }),
  )

/**
 * Moves an event to the trash for the caller, as DELETE does.
 *
 * @throws ApiError as DELETE answers
 */
async function moveToTrash(context: RequestContext, id: number): Promise<void> {
  const { replies } = await dispatch(context, [{ method: 'DELETE', path: `/events/${id}` }])
  const reply = replies[0]
  // Somebody else may have removed the event already.
  if (reply && reply.status >= 400 && reply.status !== 404 && reply.status !== 410) throw errorIn(reply)
}

/** A question as in the API: what the source wants, without the title that organizers see beside it. */
export const serializeQuestion = ({
  event,
  what,
  ...more
}: OpenQuestion): z.output<typeof questionSchema> => ({
  event,
  what,
  ...('to' in more && more.to),
})

/**
 * Answers what sources ask about the dates of a registration. Dates of a series are written one by one,
 * because each also changes the series; the questions are closed after the last one, so that the rest can be
 * answered again after a failure.
 *
 * @param answer.follow true to do what the sources ask
 * @param answer.asked the questions as the caller read them; undefined for the current ones
 * @throws ApiError `rest_registration_asked` if the sources have asked something else since then
 */
export const answerSource = (
  context: RequestContext,
  { registration: { id } }: OccasionWithRegistration,
  { follow, asked }: z.output<typeof sourceAnswerFields>,
): Promise<void> =>
  retryConflicts(async () => {
    const { questions, stored } = await context.db.read(
      combineQueries({
        questions: selectQuestions(sql`${id}`),
        stored: first(
          build.select({ asked: registrations.asked }).from(registrations).where(eq(registrations.id, id)),
        ),
      }),
    )
    const openQuestions = questions.map(serializeQuestion)
    if (asked && JSON.stringify(asked) !== JSON.stringify(openQuestions))
      throw new ApiError(
        'rest_registration_asked',
        'The source is asking something else by now: please read `asked` again.',
      )
    for (const question of follow ? questions : []) {
      const { event, what } = question
      if (what === 'trash') {
        await moveToTrash(context, event)
        continue
      }
      const fields = 'to' in question ? question.to : ({ status: 'private' } as const)
      // Each date is retried separately: the dates before it are already written.
      await retryConflicts(() => writeAsCalendar(context, event, fields))
    }
    const answered = follow
      ? sql`'{}'`
      : sql`(SELECT json_group_object(key, json_set(value, '$.left', json('true'))) FROM json_each(${registrations.asked}))`
    await context.db.write([
      // Fails if a source has asked something in the meantime that nobody has answered.
      conflictIf(
        sql`EXISTS (SELECT 1 FROM ${registrations} WHERE ${registrations.id} = ${id} AND ${registrations.asked} <> ${stored?.asked ?? '{}'})`,
      ),
      build.update(registrations).set({ asked: answered }).where(eq(registrations.id, id)),
    ])
  })
