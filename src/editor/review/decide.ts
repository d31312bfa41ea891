import { sql } from 'drizzle-orm'
import { selectPlainEvents } from '../../calendar/events/queries.ts'
import { refuseStatement, selectFromSame } from '../../calendar/intake/queries.ts'
import type { WriteReply, WriteRequest } from '../../kit/context.ts'
import { inList, type Statement } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { errorIn, replyToError } from '../../kit/http/error-replies.ts'
import { EDITOR_WORK } from '../../kit/lib/budgets.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { cleanPlain } from '../../kit/lib/text.ts'
import { asError } from '../../kit/work/error-log.ts'
import { formText } from '../../site/forms/field-html.ts'
import { eventOrSeriesPath, ifVersion, isDone, reasonsOf, submit } from '../../site/forms/requests.ts'
import { nameOf } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { publish, readShownEvents, type ShownEvent } from '../publish/publish.ts'
import type { PublishableEvent } from '../publish/queries.ts'
import { type DecidedEvent, noteStatements } from './notes.ts'
import { selectChosenWaiting } from './queries.ts'

const DECISIONS = ['publish', 'return', 'trash', 'spam', 'refuse', 'refuse-all'] as const
type Decision = (typeof DECISIONS)[number]

/** The longest note, in characters. */
export const MAX_NOTE = 2_000

/** The most events of one sender that are refused at once. */
const MAX_REFUSED = 100

/** The submitted form of the page, which is shown again if it could not be carried out. */
export type ReviewForm = { decision: Decision; note: string; chosen: ReadonlyMap<number, ShownEvent> }

export const reviewFormIn = (form: FormData): ReviewForm => ({
  decision: DECISIONS.find(name => name === formText(form, 'decision')) ?? 'return',
  note: cleanPlain(formText(form, 'note').replaceAll('\r\n', '\n')).trim(),
  chosen: readShownEvents(form, EDITOR_WORK.decided),
})

/** The outcome of a decision: the events that were done, and the reasons for the others, by id. */
export type ReviewOutcome = {
  done: readonly PublishableEvent[]
  failed: ReadonlyMap<number, string>
  /** An error that concerns the form itself. */
  error?: string
}

/** Carries out a decision. An event that has changed since it was looked at stays as it is. */
export async function decide(
  editor: EditorContext,
  { decision, note, chosen }: ReviewForm,
): Promise<ReviewOutcome> {
  const words = editor.texts.review
  const refuse = (error: string): ReviewOutcome => ({ done: [], failed: new Map(), error })
  if (chosen.size === 0) return refuse(words.noneChosen)
  if (decision === 'return' && note === '') return refuse(words.noteNeeded)
  if (note.length > MAX_NOTE) return refuse(filled(editor.texts.reason.too_long, { n: MAX_NOTE }))
  const { context } = editor
  const [first = 0] = chosen.keys()
  if (decision === 'publish') {
    const { selectedEvents, published, failed } = await publish(
      editor,
      selectChosenWaiting(context, [...chosen.keys()]),
      chosen,
    )
    return {
      done: published,
      failed: new Map([...(await readGoneReasons(editor, chosen, selectedEvents)), ...failed]),
    }
  }
  // Further events of the same sender have no version that was looked at.
  const othersOfSender = decision === 'refuse-all' ? await context.db.read(selectFromSame(first)) : []
  const ids = [...new Set([...chosen.keys(), ...othersOfSender])].slice(0, MAX_REFUSED)
  const chosenEvents = await context.db.read(selectChosenWaiting(context, ids))
  // Moving the series to the trash would include dates that are not waiting.
  const keptEvents = chosenEvents.filter(item => decision !== 'return' && hasOtherDates(item))
  const decidableEvents = chosenEvents.filter(item => !keptEvents.includes(item))
  const decided = decidableEvents.map(({ row: { id, version, series_id }, dates }) => ({
    id,
    version: chosen.get(id)?.version ?? version,
    series: dates ? series_id : null,
  }))
  const furtherStatements = (events: readonly DecidedEvent[]): readonly Statement[] => {
    if (decision === 'return') return noteStatements(context, note, events)
    if (decision === 'spam') return [refuseStatement(events, { is_spam: true })]
    // Without a note, the note of an earlier refusal is removed. Where several are moved to the trash, a note
    // is one that was begun for sending them back.
    return [refuseStatement(events, { note: decision === 'trash' ? '' : note })]
  }
  const failures = await carryOut(editor, decided, { decision, furtherStatements })
  return {
    done: decidableEvents.filter(({ row }) => !failures.has(row.id)),
    failed: new Map([
      ...(await readGoneReasons(editor, chosen, chosenEvents)),
      ...keptEvents.map(({ row }): [number, string] => [row.id, words.otherDates]),
      ...Array.from(failures, ([id, reply]): [number, string] => [id, refusalReason(editor, reply)]),
    ]),
  }
}

type DecisionToCarryOut = {
  decision: Exclude<Decision, 'publish'>
  /** The statements with what is said about events, for the transaction that decides on them. */
  furtherStatements: (events: readonly DecidedEvent[]) => readonly Statement[]
}

/**
 * Decides on single events in one transaction, and on each series, which may have hundreds of rows, in one of
 * its own.
 *
 * @returns the replies to those that failed, by id
 * @throws ApiError the first error if the database is unavailable for all of them
 */
async function carryOut(
  editor: EditorContext,
  decided: readonly DecidedEvent[],
  toCarryOut: DecisionToCarryOut,
): Promise<ReadonlyMap<number, WriteReply>> {
  const singleEvents = decided.filter(({ series }) => series === null)
  const series = decided.filter(event => !singleEvents.includes(event))
  const failures = new Map<number, WriteReply>()
  for (const group of [singleEvents, ...series.map(event => [event])])
    for (const [id, reply] of await writeWhole(editor, group, toCarryOut)) failures.set(id, reply)
  const [first] = failures.values()
  if (
    first &&
    failures.size === decided.length &&
    [...failures.values()].every(({ status }) => status === 503)
  )
    throw errorIn(first)
  return failures
}

/** Decides on as many of some events as possible, in one transaction unless they conflict. */
async function writeWhole(
  editor: EditorContext,
  events: readonly DecidedEvent[],
  toCarryOut: DecisionToCarryOut,
): Promise<(readonly [id: number, failure: WriteReply])[]> {
  if (events.length === 0) return []
  const { requestId } = editor.context
  try {
    const requests = events.map(event => requestOf(event, toCarryOut.decision))
    const before = { statements: toCarryOut.furtherStatements(events) }
    const replies = await submit(editor, requests, { isWhole: true, before })
    const failures = events.flatMap(({ id }, i) => {
      const reply = replies[i]
      return reply && isDone(reply) ? [] : [[id, reply ?? { status: 500, body: {} }] as const]
    })
    if (failures.length === 0) return []
    // Nothing was written, so the other events are tried again.
    const otherEvents = events.filter(({ id }) => !failures.some(([failed]) => failed === id))
    return [...failures, ...(await writeWhole(editor, otherEvents, toCarryOut))]
  } catch (error) {
    if (events.length > 1 && error instanceof ApiError && error.code === 'rest_batch_conflict') {
      const half = Math.ceil(events.length / 2)
      const failures = await writeWhole(editor, events.slice(0, half), toCarryOut)
      return [...failures, ...(await writeWhole(editor, events.slice(half), toCarryOut))]
    }
    const reply = replyToError(asError(error), requestId)
    return events.map(({ id }) => [id, reply] as const)
  }
}

/** True if a waiting series has dates that are not waiting. */
export const hasOtherDates = ({ dates }: PublishableEvent): boolean => (dates?.otherCount ?? 0) > 0

/**
 * The reasons for events that are no longer waiting, with their titles: nobody knows them by their numbers.
 */
async function readGoneReasons(
  { texts, context }: EditorContext,
  chosen: ReviewForm['chosen'],
  foundEvents: readonly PublishableEvent[],
): Promise<(readonly [id: number, reason: string])[]> {
  const ids = [...chosen.keys()].filter(id => !foundEvents.some(({ row }) => row.id === id))
  if (ids.length === 0) return []
  const rows = await context.db.read(selectPlainEvents(sql`${events.id} IN ${inList(ids)}`))
  return ids.map(id => {
    const row = rows.find(each => each.id === id)
    const title = row ? nameOf(row.title, row.slug) : `#${id}`
    return [id, filled(texts.review.gone, { title })] as const
  })
}

const refusalReason = (editor: EditorContext, reply: WriteReply): string =>
  reply.status === 412 || reply.status === 410 ? editor.texts.review.changed : reasonsOf(editor, reply)

function requestOf(
  { id, series, version }: DecidedEvent,
  decision: Exclude<Decision, 'publish'>,
): WriteRequest {
  const path = eventOrSeriesPath(id, series)
  const headers = ifVersion(version)
  return decision === 'return'
    ? { method: 'PATCH', path, headers, body: { status: 'draft', spread: ['status'] } }
    : { method: 'DELETE', path, headers }
}
