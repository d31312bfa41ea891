import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { SerializeContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { countOf, literal, many } from '../db/query.ts'
import { events, series } from '../db/schema.ts'
import { Zones } from '../lib/ical/zones.ts'
import { ANONYMOUS } from '../lib/roles.ts'
import { isNoTwin, isPublished } from '../resources/content/visibility.ts'
import { CALENDAR_END, calendarHead, writeEvents } from '../resources/events/calendar/calendar.ts'
import { selectFeedEvents } from '../resources/events/calendar/queries.ts'
import { Room } from '../resources/events/calendar/room.ts'
import type { FeedEvent } from '../resources/events/calendar/rows.ts'

// An iCalendar file (RFC 5545) for other programs; a backup is restored from the pages. It is the feed of all events, of
// all times: what everybody sees in lists.

/** The events that are read together. A feed's query cuts long descriptions if they are too long together. */
const SLICE = 100

const isShown = ({ now }: SerializeContext): SQL =>
  sql`${isPublished(events, now)} AND ${events.hide_from_listings} = 0 AND ${isNoTwin}`

/** The number of events in the file. */
export const countShown = (db: Database, context: SerializeContext): Promise<number> =>
  db.get(countOf(sql`${events} WHERE ${isShown(context)}`))

type Progress = (count: number) => void

/**
 * Writes the file.
 *
 * @param progress called with the number of events that were read
 */
export async function writeCalendar(
  db: Database,
  context: SerializeContext,
  { path, progress }: { path: string; progress: Progress },
): Promise<void> {
  const zones = new Zones()
  const body = `${path}.events`
  // Zones come before the events, and are known after them.
  await writeFile(body, textsOf(db, { ...context, caller: ANONYMOUS }, { zones, progress }))
  await writeFile(path, fileOf(context, zones, body))
  await rm(body)
}

async function* textsOf(
  db: Database,
  context: SerializeContext,
  { zones, progress }: { zones: Zones; progress: Progress },
): AsyncGenerator<Uint8Array> {
  for await (const rows of groups(db, context)) {
    const room = new Room()
    writeEvents(rows, { zones, texts: 'all', room }, context)
    yield room.between('', '')
    progress(rows.length)
  }
}

async function* fileOf(
  context: SerializeContext,
  zones: Zones,
  body: string,
): AsyncGenerator<string | Buffer> {
  yield calendarHead(context) + zones.toString()
  yield* createReadStream(body)
  yield CALENDAR_END
}

/** Single events, some at a time, then the occurrences of each series. */
async function* groups(db: Database, context: SerializeContext): AsyncGenerator<FeedEvent[]> {
  yield* slices(db, context, sql`${events} NOT INDEXED WHERE ${events.series_id} IS NULL`)
  const ids = await db.get(many(sql`SELECT id FROM ${series} ORDER BY id`, row => Number(row.id)))
  for (const id of ids) {
    const of = sql`${events} INDEXED BY events_occurrence WHERE ${events.series_id} = ${id}`
    const rows: FeedEvent[] = []
    for await (const slice of slices(db, context, of)) rows.push(...slice)
    yield rows
  }
}

/** The events of a FROM clause that lists show, by ascending id. */
async function* slices(db: Database, context: SerializeContext, from: SQL): AsyncGenerator<FeedEvent[]> {
  for (let after = 0; ; ) {
    const { events: found } = await db.get(
      selectFeedEvents(
        context,
        sql`SELECT ${events.id} FROM ${from} AND ${events.id} > ${after} AND ${isShown(context)}
          ORDER BY ${events.id} LIMIT ${literal(SLICE)}`,
      ),
    )
    const rows: FeedEvent[] = []
    for (const row of found.toSorted((a, b) => a.id - b.id)) rows.push(await whole(db, context, row))
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}

/** An event with all of its description: alone, none is too long. */
async function whole(db: Database, context: SerializeContext, row: FeedEvent): Promise<FeedEvent> {
  if (!row.isCut) return row
  const found = await db.get(selectFeedEvents(context, sql`SELECT ${literal(row.id)} AS id`))
  return found.events[0] ?? row
}
