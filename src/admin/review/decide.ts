import { inList } from '../../db/query.ts'
import { selectAlong } from '../../events/relations/along.ts'
import type { WriteRequest } from '../../http/many-writes.ts'
import { dropControls } from '../../lib/text.ts'
import { isObject } from '../../lib/values.ts'
import { filled } from '../../lib/words.ts'
import { plain } from '../../site/text.ts'
import { refuseStatement, selectFromSame } from '../../submissions/queries.ts'
import type { Admin } from '../admin.ts'
import { itemsIn } from '../forms/controls/links.ts'
import { reasonsOf } from '../forms/errors.ts'
import { textOf } from '../posted.ts'
import { ifVersion, isDone, submit, type WriteReply } from '../submit.ts'
import { formWords } from '../words/forms.ts'
import { reviewWords } from '../words/review.ts'
import { type DecidedEvent, noteStatements } from './notes.ts'
import { selectChosenWaiting, type Waiting } from './queries.ts'

/** What an editor does with what waits. */
const DECISIONS = ['publish', 'return', 'trash', 'refuse', 'refuse-all'] as const
type Decision = (typeof DECISIONS)[number]

/** Limit of a note, in characters. */
export const MOST_NOTE = 2_000

/** The most that are refused at once, of those that came from one sender. */
const MOST_REFUSED = 100

/** The most that are decided at once: each is a few statements, and a series some dozens. */
const MOST = 20

/** An event of the list as a form names it: `12-3` is version 3 of event 12. */
export const waitingName = ({ row }: Waiting): string => `${row.id}-${row.version}`

/** A form of the page, read. What was typed is shown again if it could not be done. */
export type Decided = { decision: Decision; note: string; chosen: ReadonlyMap<number, number> }

export function decidedIn(form: FormData): Decided {
  const named = form.getAll('event').flatMap((value): [number, number][] => {
    const [, id, version] = /^(\d{1,15})-(\d{1,15})$/.exec(String(value)) ?? []
    return id && version ? [[Number(id), Number(version)]] : []
  })
  return {
    decision: DECISIONS.find(name => name === textOf(form, 'decision')) ?? 'return',
    note: dropControls(textOf(form, 'note').replaceAll('\r\n', '\n')).trim(),
    chosen: new Map(named.slice(0, MOST)),
  }
}

/** The outcome of a form: what was done, and what could not be, by the ids of events. */
export type ReviewOutcome = {
  done: readonly Waiting[]
  failed: ReadonlyMap<number, string>
  /** What is wrong with the form itself. */
  error?: string
}

/** Does what a form asks for. Each event is the version that was looked at, or stays as it is. */
export async function decide(admin: Admin, { decision, note, chosen }: Decided): Promise<ReviewOutcome> {
  const words = reviewWords(admin.language)
  const refuse = (error: string): ReviewOutcome => ({ done: [], failed: new Map(), error })
  if (chosen.size === 0) return refuse(words.noneChosen)
  if (decision === 'return' && note === '') return refuse(words.noteNeeded)
  if (note.length > MOST_NOTE) return refuse(filled(formWords(admin.language).tooLong, { n: MOST_NOTE }))
  const { context } = admin
  const [first = 0] = chosen.keys()
  // Those from the same sender are decided as they are: nobody has looked at each of them.
  const others = decision === 'refuse-all' ? await context.db.get(selectFromSame(first)) : []
  const ids = [...new Set([...chosen.keys(), ...others])].slice(0, MOST_REFUSED)
  const found = await context.db.get(selectChosenWaiting(context, ids))
  const gone = [...chosen.keys()].filter(id => !found.some(({ row }) => row.id === id))
  const decided = found.map(({ row: { id, version, series_id }, isWhole }) => ({
    id,
    version: chosen.get(id) ?? version,
    series: isWhole ? series_id : null,
  }))
  if (decision === 'return') context.db.precede(noteStatements(context, note, decided))
  if ((decision === 'refuse' || decision === 'refuse-all') && note !== '')
    context.db.precede([refuseStatement(decided, note)])
  const replies = await submit(
    admin,
    decided.map(event => requestOf(event, decision)),
  )
  const isFailed = (i: number) => !replies[i] || !isDone(replies[i])
  const done = found.filter((_, i) => !isFailed(i))
  const reasons = found.flatMap(({ row }, i): [number, string][] =>
    isFailed(i) ? [[row.id, reasonOf(admin, replies[i])]] : [],
  )
  if (decision === 'publish') await submit(admin, done.flatMap(placesOf).map(publication))
  return {
    done,
    failed: new Map([
      ...gone.map((id): [number, string] => [id, filled(words.gone, { title: `#${id}` })]),
      ...reasons,
    ]),
  }
}

const reasonOf = (admin: Admin, reply: WriteReply | undefined): string =>
  !reply || reply.status === 412 || reply.status === 410
    ? reviewWords(admin.language).changed
    : reasonsOf(admin, reply)

/** The request by which something is decided. */
function requestOf({ id, series, version }: DecidedEvent, decision: Decision): WriteRequest {
  const path = `/events/${id}${series === null ? '' : '?scope=all'}`
  const headers = ifVersion(version)
  if (decision !== 'return' && decision !== 'publish') return { method: 'DELETE', path, headers }
  return { method: 'PATCH', path, headers, body: { status: decision === 'return' ? 'draft' : 'publish' } }
}

const isPublic = (status: unknown): boolean => status === 'publish' || status === 'future'

const publication = ({ path, version }: NewPlace): WriteRequest => ({
  method: 'PATCH',
  path,
  headers: ifVersion(version),
  body: { status: 'publish' },
})

/** Publishes the venues and organizers that come along with events that were just published, by the replies to that. */
export async function publishPlaces(
  admin: Admin,
  replies: readonly (WriteReply | undefined)[],
): Promise<void> {
  const bodies = replies.flatMap(reply =>
    reply && isDone(reply) && isObject(reply.body) && isPublic(reply.body.status) ? [reply.body] : [],
  )
  if (bodies.length === 0) return
  const ids = bodies.map(({ id }) => Number(id))
  const along = await admin.context.db.get(selectAlong(inList(ids)))
  const paths = bodies.flatMap(event =>
    PLACES.flatMap(kind =>
      itemsIn(event[kind])
        .filter(({ id }) => along.get(Number(event.id))?.[kind].has(Number(id)))
        .map(({ id }) => `/${kind}s/${id}`),
    ),
  )
  await submit(
    admin,
    [...new Set(paths)].map(path => ({ method: 'PATCH', path, body: { status: 'publish' } })),
  )
}

const PLACES = ['venue', 'organizer'] as const

/** A venue or organizer that comes along with an event: without it, the event would say nothing of it. */
type NewPlace = { kind: 'venue' | 'organizer'; name: string; path: string; version: number }

/** The venues and organizers that are published along with an event. @see selectAlong */
export const placesOf = ({ row, along }: Pick<Waiting, 'row' | 'along'>): NewPlace[] =>
  PLACES.flatMap(kind =>
    row[`${kind}s`]
      .filter(({ id }) => along[kind].has(id))
      .map(({ id, name, version }) => ({ kind, name: plain(name), path: `/${kind}s/${id}`, version })),
  )
