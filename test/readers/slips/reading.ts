import { guessText } from '../../../src/calendar/imports/guesses.ts'
import {
  type AnyRecord,
  type EventLike,
  type GuessedValue,
  isEventLike,
  type ReaderContext,
  ReadingError,
  type SourceItem,
} from '../../../src/calendar/imports/records.ts'
import { addressItems } from '../../../src/readers/addresses.ts'
import { csvItems } from '../../../src/readers/csv/items.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { CONTEXT, WINDOW } from '../database.ts'

/** Something that a reading says, with the line where it has one. */
export type Message = { text: string; line?: number | undefined }

/** What came in of a file: each event in one text, what was said, and what a mirror would take for gone. */
export type Reading = {
  events: string[]
  ids: Set<string>
  messages: Message[]
  /** True if all events of the source were read, so that others are gone. */
  isComplete: boolean
  /** Ids of events that are there although they were not read. */
  unread: string[]
  /** True if nothing of the file is read, for a reason that is said. */
  isRefused: boolean
  /** An error that is no answer. */
  broken?: unknown
}

const nothing = (): Reading => ({
  ...{ events: [], ids: new Set(), messages: [], isComplete: false, unread: [], isRefused: false },
})

/** A site of one page. */
const siteOf = (bytes: Uint8Array) => ({
  allowsPrivate: true,
  attempts: 1,
  pauseMs: 0,
  sleep: async () => {},
  transport: async (url: URL) => ({
    status: url.pathname === '/programme/' ? 200 : 404,
    headers: new Headers({ 'content-type': 'text/html' }),
    chunks: (async function* () {
      if (url.pathname === '/programme/') yield bytes
    })(),
    cancel: () => {},
  }),
})

function itemsOf(file: string, bytes: Uint8Array, context: ReaderContext): AsyncIterable<SourceItem> {
  if (file.endsWith('.ics')) return icsItems(readIcs(bytes), 'ics:test', WINDOW, context)
  if (file.endsWith('.html'))
    return addressItems(
      'https://house.example/programme/',
      { window: WINDOW, client: siteOf(bytes) },
      context,
    )
  return (async function* () {
    yield* csvItems(bytes, file, context)
  })()
}

const nameOf = (record: AnyRecord): string => {
  if (record.kind !== 'venue') return 'name' in record ? record.name : record.title
  return [record.name, record.address].filter(Boolean).join(', ')
}

/** What people see of an event, in one text. */
function textOf(event: EventLike, names: ReadonlyMap<string, string>): string {
  const { title, start, end, all_day, timezone, status, event_status } = event
  const more =
    event.kind === 'series'
      ? { recurrence: event.recurrence, dates: event.dates.map(({ date }) => date) }
      : { date: event.occurrence?.date }
  return JSON.stringify({
    ...{
      kind: event.kind,
      title,
      start: start.wall,
      utc: start.utc,
      end: end.wall,
      all_day,
      timezone,
      status,
    },
    ...{ event_status: event_status ?? 'scheduled', venues: event.venues.map(id => names.get(id)), ...more },
  })
}

/** Reads a file as the command does. */
export async function readLikeCommand(file: string, bytes: Uint8Array): Promise<Reading> {
  const messages: Message[] = []
  const items: SourceItem[] = []
  const context: ReaderContext = {
    ...CONTEXT,
    timezone: 'America/New_York',
    note: text => void messages.push({ text }),
    guess: (guess: GuessedValue) =>
      void messages.push({ text: `${guess.what ?? ''} ${guessText(guess)}`, line: guess.line }),
  }
  try {
    for await (const item of itemsOf(file, bytes, context)) items.push(item)
  } catch (error) {
    if (!(error instanceof ReadingError)) return { ...nothing(), broken: error }
    return { ...nothing(), messages: [{ text: error.message }], isRefused: true }
  }
  const unread: string[] = []
  for (const item of items)
    if (item.type === 'note') messages.push({ text: item.text })
    else if (item.type === 'incomplete') messages.push({ text: item.reason })
    else if (item.type === 'unread') unread.push(item.what)
    else if (item.type === 'failed' || item.type === 'skipped') {
      messages.push({ text: `${item.what} ${item.title ?? ''}: ${item.reason}`, line: item.line })
      unread.push(item.what)
    }
  const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
  const names = new Map(
    records.flatMap(record => (record.kind === 'venue' ? [[record.externalId, nameOf(record)]] : [])),
  )
  const events = records.filter(isEventLike)
  return {
    events: events.map(event => textOf(event, names)).sort(),
    ids: new Set(events.map(({ externalId }) => externalId)),
    messages,
    isComplete:
      items.some(({ type }) => type === 'complete') && !items.some(({ type }) => type === 'incomplete'),
    unread,
    isRefused:
      events.length === 0 &&
      items.some(({ type, ...item }) => type === 'failed' && 'kind' in item && item.kind === 'page'),
  }
}
