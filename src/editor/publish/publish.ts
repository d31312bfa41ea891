import type { WriteReply, WriteRequest } from '../../kit/context.ts'
import type { Query } from '../../kit/db/query.ts'
import { replyToError } from '../../kit/http/error-replies.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { may } from '../../kit/lib/roles.ts'
import { asError } from '../../kit/work/error-log.ts'
import { ifVersion, isDone, reasonsOf, submit } from '../../site/forms/requests.ts'
import { countedText } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import { type EditorContext, momentOf } from '../context.ts'
import { mainRow, type PublishableEvent, parentToConfirm, versionsOf } from './queries.ts'
import { ifUnchanged, versionText } from './versions.ts'

/**
 * An event as its button carries it, with the versions of everything that becomes public with it:
 * `event.12.3 venue.7.1` is version 3 of event 12, with a venue. An event that is not shown in full has no
 * further versions, so it cannot be published.
 */
export function shownVersionsText(item: PublishableEvent): string {
  const [ownVersion, ...otherVersions] = versionsOf(item).map(versionText)
  return [ownVersion, ...(item.isComplete ? otherVersions : ['incomplete'])].join(' ')
}

/** An event in a form: its version, and the text with all versions that were shown. */
export type ShownEvent = { version: number; versionsText: string }

const MAX_CHARACTERS = 200_000

export const readShownEvents = (form: FormData, limit: number): ReadonlyMap<number, ShownEvent> =>
  new Map(
    form
      .getAll('event')
      .flatMap((value): [number, ShownEvent][] => {
        const name = String(value).slice(0, MAX_CHARACTERS)
        const [, id, version] = /^event\.(\d{1,15})\.(\d{1,15})(?: |$)/.exec(name) ?? []
        return id && version ? [[Number(id), { version: Number(version), versionsText: name }]] : []
      })
      .slice(0, limit),
  )

/** The versions in a form, for marking what has changed since. */
export const versionsIn = ({ versionsText }: ShownEvent): ReadonlySet<string> =>
  new Set(versionsText.split(' '))

/** The published events, and the reasons why the others were not published, by id. */
export type PublishResult = {
  published: readonly PublishableEvent[]
  failed: ReadonlyMap<number, string>
  selectedEvents: readonly PublishableEvent[]
}

/** The titles of events, as many as fit into a line or two. */
export function titlesOf({ texts }: EditorContext, publishedEvents: readonly PublishableEvent[]): string {
  const maxTitles = 3
  const titles = publishedEvents.slice(0, maxTitles).map(item => {
    const title = plain(mainRow(item).title)
    return title.length > 60 ? `${title.slice(0, 59).toWellFormed()}…` : title
  })
  const titleList = titles.join(', ')
  return publishedEvents.length > maxTitles
    ? filled(texts.review.andMore, { titles: titleList, n: publishedEvents.length - maxTitles })
    : titleList
}

/** The text that says what was published: one title, or the number of events. */
export const publishedText = (
  editor: EditorContext,
  publishedEvents: readonly PublishableEvent[],
): string => {
  const words = editor.texts.review
  const [first] = publishedEvents
  if (first && publishedEvents.length === 1) {
    const titles = titlesOf(editor, publishedEvents)
    const { date_utc } = mainRow(first)
    return date_utc > editor.context.clock.now()
      ? filled(words.planned, { titles, when: momentOf(editor, date_utc) })
      : filled(words.published, { titles })
  }
  return countedText(editor, words, 'publishedMany', publishedEvents.length)
}

/** The number of attempts when an event changes just before it is published. */
const MAX_ATTEMPTS = 3

/**
 * Publishes events, each in one transaction with everything that was shown of it. An event is not published
 * if anything that was shown of it has changed since.
 *
 * @param query of the events as they are now
 * @param shownEvents as they were shown, by id
 */
export async function publish(
  editor: EditorContext,
  query: Query<PublishableEvent[]>,
  shownEvents: ReadonlyMap<number, ShownEvent>,
): Promise<PublishResult> {
  const { changed } = editor.texts.review
  const failures = new Map<number, string>()
  const publishedEvents: PublishableEvent[] = []
  const isOpen = ({ row }: PublishableEvent) =>
    !failures.has(row.id) && !publishedEvents.some(item => item.row.id === row.id)
  let events: readonly PublishableEvent[] = await editor.context.db.read(query)
  const firstRead = events
  for (let attemptsLeft = MAX_ATTEMPTS; attemptsLeft > 0 && events.some(isOpen); attemptsLeft--) {
    const items = events.filter(isOpen)
    const ready = items.filter(item => isAsShown(item, shownEvents, items))
    for (const { row } of items.filter(item => !ready.includes(item))) failures.set(row.id, changed)
    for (const group of groupsOf(ready)) {
      const refusals = await publishAll(editor, group).catch((error: unknown) => {
        // What was published before this error stays public, so the page has to say so.
        if (publishedEvents.length === 0) throw error
        const reply = replyToError(asError(error), editor.context.requestId)
        return new Map(group.map(({ row }) => [row.id, reply] as const))
      })
      if (refusals?.size === 0) publishedEvents.push(...group)
      for (const [id, reply] of refusals ?? [])
        failures.set(id, reply.status === 412 ? changed : reasonsOf(editor, reply))
    }
    if (ready.some(isOpen)) events = await editor.context.db.read(query)
  }
  for (const { row } of firstRead.filter(isOpen)) failures.set(row.id, changed)
  return { published: publishedEvents, failed: failures, selectedEvents: firstRead }
}

const linkKeys = ({ newLinks }: PublishableEvent): string[] =>
  newLinks.map(({ kind, row }) => `${kind} ${row.id}`)

/**
 * Groups events into transactions. Single events share one; each series, which may have hundreds of rows, has
 * its own, unless it shares a new venue with others.
 */
function groupsOf(items: readonly PublishableEvent[]): (readonly PublishableEvent[])[] {
  const isApart = (item: PublishableEvent) =>
    item.dates !== undefined &&
    !items.some(other => other !== item && linkKeys(other).some(key => linkKeys(item).includes(key)))
  const series = items.filter(isApart)
  const singleEvents = items.filter(item => !series.includes(item))
  return [...(singleEvents.length > 0 ? [singleEvents] : []), ...series.map(item => [item])]
}

/** True if an event is unchanged since it was shown, and can be published together with others. */
const isAsShown = (
  item: PublishableEvent,
  shownEvents: ReadonlyMap<number, ShownEvent>,
  allEvents: readonly PublishableEvent[],
): boolean =>
  item.isComplete &&
  shownEvents.get(item.row.id)?.versionsText === shownVersionsText(item) &&
  // Publishing a series changes the versions of its dates, so none of them can be published along with it.
  (item.dates !== undefined ||
    !allEvents.some(({ dates, shared }) => dates && shared?.id === item.row.series_id))

/**
 * Publishes all of some events, or none.
 *
 * @returns the replies to refused events, by id; undefined if something changed just before
 */
async function publishAll(
  editor: EditorContext,
  items: readonly PublishableEvent[],
): Promise<ReadonlyMap<number, WriteReply> | undefined> {
  const requests = items.map(item => eventRequest(editor, item))
  try {
    const before = ifUnchanged(items.flatMap(versionsOf))
    const replies = await submit(editor, requests, { isWhole: true, before })
    return new Map(
      items.flatMap((item, i) => {
        const reply = replies[i]
        return reply && !isDone(reply) ? [[item.row.id, reply] as const] : []
      }),
    )
  } catch (error) {
    if (error instanceof ApiError && ['rest_precondition_failed', 'rest_batch_conflict'].includes(error.code))
      return undefined
    throw error
  }
}

function eventRequest(editor: EditorContext, item: PublishableEvent): WriteRequest {
  const { row, scope } = item
  const post_parent = may(editor.context.caller, 'edit_others_content') ? parentToConfirm(item) : undefined
  return {
    method: 'PATCH',
    path: `/events/${row.id}${scope === 'this' ? '' : `?scope=${scope}`}`,
    headers: ifVersion(row.version),
    body: {
      status: 'publish',
      ...(post_parent !== undefined && { post_parent }),
      // If this date is public already, its status does not change, and would not be passed on to the others.
      ...(scope !== 'this' && { spread: ['status'] }),
    },
  }
}
