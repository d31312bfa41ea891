import { type SQL, sql } from 'drizzle-orm'
import { displayName } from '../../calendar/users/records.ts'
import type { BaseContext } from '../../kit/context.ts'
import { auditEntriesStatement } from '../../kit/db/audit.ts'
import { eachOf, many, orNull, type Query, readNumber, readText } from '../../kit/db/query.ts'
import { audit, events, REVIEWED_KINDS, reviewNotes, series, users } from '../../kit/db/tables.ts'
import { may } from '../../kit/lib/roles.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { textsOf } from '../../kit/lib/values.ts'
import { type Html, html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import { type EditorContext, momentOf } from '../context.ts'

/** A reviewer's note to the author of a returned event. */
export type ReviewNote = {
  event: number
  note: string
  who: string
  at_utc: DateTime
  /** The names of fields changed since. */
  changed: readonly string[]
}

const NOTE_FIELDS = ['review_note']

/** The audit entry of a note, or the latest one before it. */
const entryOfNote = sql`(SELECT max(noted.id) FROM ${audit} AS noted INDEXED BY audit_object
  WHERE noted.kind = note.kind AND noted.object_id = note.object_id
    AND (noted.fields = ${JSON.stringify(NOTE_FIELDS)} OR noted.at_utc < note.at_utc))`

/**
 * The fields changed since a note, as a JSON array of names: not those that a request named without changing
 * them. Within one second, only the order of entries counts.
 */
const changedSince = sql`(SELECT json_group_array(DISTINCT field.key)
  FROM ${audit} INDEXED BY audit_object CROSS JOIN json_each(${audit.changed}) AS field
  WHERE ${audit.kind} = note.kind AND ${audit.object_id} = note.object_id AND ${audit.id} > ${entryOfNote}
    AND field.value -> 0 IS NOT field.value -> 1
    AND field.key NOT IN ('status', 'review_note', 'dates'))`

/** The note of an event or, without one, of its series. */
const noteOf = sql`coalesce(
  (SELECT rowid FROM ${reviewNotes} WHERE kind = 'event' AND object_id = ${events.id}),
  (SELECT rowid FROM ${reviewNotes} WHERE kind = 'series' AND object_id = ${events.series_id}))`

/** A condition for notes that were written to the caller, about what is still theirs. */
const noteToCallerSql = ({ caller }: BaseContext) =>
  sql`note.author_id = ${caller.id} AND ${caller.id} =
    iif(note.kind = 'event', ${events.author_id}, (SELECT author_id FROM ${series} WHERE id = note.object_id))`

/**
 * A query for the notes of events that the caller may read: all for editors; for others, the notes to them.
 *
 * @param ids a SELECT of the events' ids
 */
export const selectReviewNotes = (context: BaseContext, ids: SQL): Query<ReviewNote[]> =>
  many(
    sql`SELECT ${events.id} AS event, note.note AS note, note.at_utc AS at_utc, ${displayName} AS who,
        ${changedSince} AS changed
      FROM ${events} CROSS JOIN ${reviewNotes} AS note ON note.rowid = ${noteOf}
      LEFT JOIN ${users} ON ${users.id} = note.user_id
      WHERE ${events.id} IN (${ids})
        AND (${Number(may(context.caller, 'edit_others_content'))} OR ${noteToCallerSql(context)})`,
    ({ event, note, who, at_utc, changed }) => ({
      event: readNumber(event),
      note: readText(note),
      who: orNull(readText)(who) ?? '–',
      at_utc: readText(at_utc),
      changed: textsOf(readText(changed)),
    }),
  )

/** An event that is decided on, in the version that was shown; with its series, if the whole series waits. */
export type DecidedEvent = { id: number; version: number; series: number | null }

/** The statements that store a note for waiting events, replacing earlier ones. */
export function noteStatements(context: BaseContext, note: string, returned: readonly DecidedEvent[]): SQL[] {
  const kind = sql`iif(input.value ->> 'series' IS NULL, 'event', 'series')`
  const object = sql`coalesce(input.value ->> 'series', ${events.id})`
  const author = sql`iif(input.value ->> 'series' IS NULL, ${events.author_id},
    (SELECT author_id FROM ${series} WHERE id = input.value ->> 'series'))`
  const waitingEvents = sql`FROM ${eachOf(returned)} AS input CROSS JOIN ${events} ON ${events.id} = input.value ->> 'id'
    WHERE ${events.status} = 'pending' AND ${events.version} = input.value ->> 'version'`
  return [
    sql`INSERT INTO ${reviewNotes} (kind, object_id, note, author_id, user_id, at_utc)
      SELECT ${kind}, ${object}, ${note}, ${author}, ${context.caller.id}, ${context.clock.now()} ${waitingEvents}
      ON CONFLICT (kind, object_id) DO UPDATE
        SET note = excluded.note, author_id = excluded.author_id, user_id = excluded.user_id, at_utc = excluded.at_utc`,
    ...REVIEWED_KINDS.map(reviewed =>
      auditEntriesStatement(
        context,
        { action: 'update', kind: reviewed, fields: NOTE_FIELDS },
        sql`SELECT ${object} AS id ${waitingEvents} AND ${kind} = ${reviewed}`,
      ),
    ),
  ]
}

/** The note of a returned event, as its author sees it in the form and in the list. */
export const noteView = (editor: EditorContext, note: ReviewNote): Html =>
  html`<div class="review-note"><p>${filled(editor.texts.review.noteOf, { login: note.who, when: momentOf(editor, note.at_utc) })}</p>
<blockquote>${note.note}</blockquote></div>`
