import type { WriteRequest } from '../../../context.ts'
import { EDITOR_WORK } from '../../../lib/budgets.ts'
import { dropControls } from '../../../lib/text.ts'
import { refuseStatement, selectFromSame, spamStatement } from '../../../resources/submissions/queries.ts'
import { filled, formWords, reviewWords } from '../../../words/words.ts'
import { textOf } from '../../forms/element.ts'
import { reasonsOf } from '../../forms/errors.ts'
import { ifVersion, isDone, submit, type WriteReply } from '../../forms/requests.ts'
import type { Admin } from '../admin.ts'
import { publish, type ShownEvent, shownIn } from '../publish/publish.ts'
import type { Publishable } from '../publish/queries.ts'
import { type DecidedEvent, noteStatements } from './notes.ts'
import { selectChosenWaiting } from './queries.ts'

/** What an editor does with what waits. */
const DECISIONS = ['publish', 'return', 'trash', 'spam', 'refuse', 'refuse-all'] as const
type Decision = (typeof DECISIONS)[number]

/** Limit of a note, in characters. */
export const MOST_NOTE = 2_000

/** The most that are refused at once, of those that came from one sender. */
const MOST_REFUSED = 100

/** A form of the page, read. What was typed is shown again if it could not be done. */
export type ReviewForm = { decision: Decision; note: string; chosen: ReadonlyMap<number, ShownEvent> }

export const reviewFormIn = (form: FormData): ReviewForm => ({
  decision: DECISIONS.find(name => name === textOf(form, 'decision')) ?? 'return',
  note: dropControls(textOf(form, 'note').replaceAll('\r\n', '\n')).trim(),
  chosen: shownIn(form, EDITOR_WORK.decided),
})

/** The outcome of a form: what was done, and what could not be, by the ids of events. */
export type ReviewOutcome = {
  done: readonly Publishable[]
  failed: ReadonlyMap<number, string>
  /** What is wrong with the form itself. */
  error?: string
}

/** Does what a form asks for. Each event is the version that was looked at, or stays as it is. */
export async function decide(admin: Admin, { decision, note, chosen }: ReviewForm): Promise<ReviewOutcome> {
  const words = reviewWords(admin.language)
  const refuse = (error: string): ReviewOutcome => ({ done: [], failed: new Map(), error })
  if (chosen.size === 0) return refuse(words.noneChosen)
  if (decision === 'return' && note === '') return refuse(words.noteNeeded)
  if (note.length > MOST_NOTE) return refuse(filled(formWords(admin.language).tooLong, { n: MOST_NOTE }))
  const { context } = admin
  const [first = 0] = chosen.keys()
  if (decision === 'publish') {
    const { found, done, failed } = await publish(
      admin,
      selectChosenWaiting(context, [...chosen.keys()]),
      chosen,
    )
    return { done, failed: new Map([...goneOf(admin, chosen, found), ...failed]) }
  }
  // Those from the same sender are decided as they are: nobody has looked at each of them.
  const others = decision === 'refuse-all' ? await context.db.get(selectFromSame(first)) : []
  const ids = [...new Set([...chosen.keys(), ...others])].slice(0, MOST_REFUSED)
  const found = await context.db.get(selectChosenWaiting(context, ids))
  // The trash would take dates along that do not wait.
  const kept = found.filter(item => decision !== 'return' && hasOtherDates(item))
  const able = found.filter(item => !kept.includes(item))
  const decided = able.map(({ row: { id, version, series_id }, dates }) => ({
    id,
    version: chosen.get(id)?.version ?? version,
    series: dates ? series_id : null,
  }))
  if (decision === 'return') context.db.precede(noteStatements(context, note, decided))
  else if (decision === 'spam') context.db.precede([spamStatement(decided)])
  else if (note !== '') context.db.precede([refuseStatement(decided, note)])
  const replies = await submit(
    admin,
    decided.map(event => requestOf(event, decision)),
  )
  const isFailed = (i: number) => !replies[i] || !isDone(replies[i])
  const reasons = able.flatMap(({ row }, i): [number, string][] =>
    isFailed(i) ? [[row.id, reasonOf(admin, replies[i])]] : [],
  )
  return {
    done: able.filter((_, i) => !isFailed(i)),
    failed: new Map([
      ...goneOf(admin, chosen, found),
      ...kept.map(({ row }): [number, string] => [row.id, words.otherDates]),
      ...reasons,
    ]),
  }
}

/** Tells if a series that waits has dates that do not. */
export const hasOtherDates = ({ dates }: Publishable): boolean => (dates?.otherCount ?? 0) > 0

/** Why nothing was done with what does not wait any more. */
const goneOf = ({ language }: Admin, chosen: ReviewForm['chosen'], found: readonly Publishable[]) =>
  [...chosen.keys()]
    .filter(id => !found.some(({ row }) => row.id === id))
    .map((id): [number, string] => [id, filled(reviewWords(language).gone, { title: `#${id}` })])

const reasonOf = (admin: Admin, reply: WriteReply | undefined): string =>
  !reply || reply.status === 412 || reply.status === 410
    ? reviewWords(admin.language).changed
    : reasonsOf(admin, reply)

/** The request by which something is decided that is not published. */
function requestOf(
  { id, series, version }: DecidedEvent,
  decision: Exclude<Decision, 'publish'>,
): WriteRequest {
  const path = `/events/${id}${series === null ? '' : '?scope=all'}`
  const headers = ifVersion(version)
  return decision === 'return'
    ? { method: 'PATCH', path, headers, body: { status: 'draft' } }
    : { method: 'DELETE', path, headers }
}
