import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Import } from '../../src/commands/import-items.ts'
import { openLocal } from '../../src/commands/lean-database.ts'
import { PROJECT_CONFIG } from '../../src/commands/wrangler.ts'
import { importContext } from '../../src/kit/http/request-context.ts'
import { passwordDigest } from '../../src/kit/lib/hash.ts'
import { DAY_MS, formatInstant } from '../../src/kit/lib/time.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import { fileItems } from '../../src/readers/files.ts'
import { ADMINISTRATOR, passwordOf } from './api.ts'
import { AUTHORS, eventRow, organizerRows, type SeedEvent, termRows, venueRows } from './calendar.ts'
import { Random } from './random.ts'
import { postEvents } from './writers.ts'

type Progress = (done: number, what: string) => void

/** The numbers of events that are imported and posted. */
export function partsOf(events: number): { imported: number; posted: number } {
  const posted = Math.floor(Math.min(1_000, events / 10))
  return { imported: events - posted, posted }
}

const AUTHOR_LOGINS = Array.from({ length: AUTHORS }, (_, i) => `author${i + 1}`)

/** Adds the users of the benchmark. */
export async function addUsers(db: D1Database): Promise<void> {
  const now = '2024-01-01 00:00:00'
  for (const [i, login] of [ADMINISTRATOR, ...AUTHOR_LOGINS].entries()) {
    const role = login === ADMINISTRATOR ? 'administrator' : 'author'
    await db
      .prepare('INSERT INTO users (id, login, role, created_utc) VALUES (?, ?, ?, ?)')
      .bind(i + 1, login, role, now)
      .run()
    await db
      .prepare('INSERT INTO passwords (user_id, digest, created_utc) VALUES (?, ?, ?)')
      .bind(i + 1, await passwordDigest(passwordOf(login)), now)
      .run()
  }
}

/** `npm run import` of a folder of saved responses, into the database that the service has open. */
async function importFolder(folder: string, state: string): Promise<void> {
  const command = ['src/commands/import.ts', folder, '--persist-to', state, '--author', ADMINISTRATOR]
  await promisify(execFile)(process.execPath, command)
}

/**
 * Fills a database that has all its tables and no rows the way calendars grow: what was elsewhere before is
 * imported, and then people write through the API. Nothing is optimised or analysed, so that requests meet
 * the query plans of a database that nobody has cared for.
 *
 * @param state the folder of the database, as for `--persist-to`
 * @param base the address of the service that has it open
 */
export async function seed(
  { db, base, state }: { db: D1Database; base: URL; state: string },
  events: number,
  progress: Progress,
): Promise<void> {
  const { imported, posted } = partsOf(events)
  const random = new Random(1)
  await addUsers(db)
  progress(0, 'import')
  const documents = join(state, 'documents')
  await writeDocuments(
    documents,
    Array.from({ length: imported }, (_, i) => eventRow(i + 1, random)),
  )
  await importFolder(documents, state)
  const found = await db.prepare('SELECT max(id) FROM events HAVING count(*) = max(id)').first('max(id)')
  if (found !== imported) throw new Error(`Of ${imported} events, the last imported one has the id ${found}.`)
  await rm(documents, { recursive: true })
  const first = imported + 1
  await postEvents(base, { logins: AUTHOR_LOGINS, first, count: posted, random }, done =>
    progress((first + done * posted) / events, 'events through POST'),
  )
  progress(1, 'done')
}

/** The rows that the database reads and writes. */
export type ImportedRows = { rowsRead: number; rowsWritten: number }

/** The events, and the series, of each of the two imports that are measured. */
const IMPORTED = { events: 1_500, series: 100 } as const

/** The dates of a series that is imported. */
export const IMPORTED_DATES = 20

/**
 * Imports into a calendar of its own that has some already.
 *
 * @param write makes the documents to import, with so many events or series
 * @returns the rows for each event or series
 */
async function rowsOfImport(
  count: number,
  write: (folder: string, count: number) => Promise<unknown>,
): Promise<ImportedRows> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'))
  const target = {
    remote: false,
    persistTo: join(folder, 'state'),
    environment: undefined,
    config: PROJECT_CONFIG,
  }
  const documents = join(folder, 'documents')
  const { db, close } = await openLocal(target)
  const read = { timezone: 'UTC', nowMs: Date.now(), note: () => {} }
  const window = { from: '2000-01-01 00:00:00', to: '2100-01-01 00:00:00' }
  try {
    const importUpTo = async (total: number) => {
      await mkdir(documents, { recursive: true })
      await write(documents, total)
      const { exitCode } = await new Import(
        importContext({ db, settings: settingsOf({}), nowMs: Date.now() }),
        {
          mirror: false,
          agrees: false,
          dryRun: false,
          batchSize: 200,
          say: () => {},
          progress: () => {},
        },
      ).run(fileItems([documents], window, read))
      if (exitCode !== 0) throw new Error('The import failed.')
      return { ...db.metrics }
    }
    // The first ones come with the venues, organizers and terms of all.
    const before = await importUpTo(count)
    const after = await importUpTo(2 * count)
    return {
      rowsRead: (after.rowsRead - before.rowsRead) / count,
      rowsWritten: (after.rowsWritten - before.rowsWritten) / count,
    }
  } finally {
    await close()
    await rm(folder, { recursive: true })
  }
}

/** A calendar with weekly series. */
const seriesCalendar = (count: number): string => {
  const start = formatInstant(Date.now() + 7 * DAY_MS)
    .slice(0, 10)
    .replaceAll('-', '')
  const one = (_: unknown, i: number) =>
    [
      ...['BEGIN:VEVENT', `UID:series-${i}@bench.example`, `SUMMARY:Course ${i}`],
      ...[`DTSTART:${start}T180000Z`, 'DURATION:PT90M', `RRULE:FREQ=WEEKLY;COUNT=${IMPORTED_DATES}`],
      ...[`DESCRIPTION:All that is taught in course ${i}`, `LOCATION:Room ${i % 20}`, 'CATEGORIES:Courses'],
      'END:VEVENT',
    ].join('\r\n')
  const series = Array.from({ length: count }, one).join('\r\n')
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n${series}\r\nEND:VCALENDAR\r\n`
}

/** Imports events, and series. @returns the rows for each */
export async function measureImport(): Promise<{ event: ImportedRows; series: ImportedRows }> {
  const { events, series } = IMPORTED
  const rows = Array.from({ length: 2 * events }, (_, i) => eventRow(i + 1, new Random(i)))
  return {
    event: await rowsOfImport(events, (folder, count) => writeDocuments(folder, rows.slice(0, count))),
    series: await rowsOfImport(series, (folder, count) =>
      writeFile(join(folder, 'series.ics'), seriesCalendar(count)),
    ),
  }
}

// The calendar as another site's responses show it, for the importer to read.

const SITE = 'https://calendar.example.org/calendar/events/v1'

type Term = ReturnType<typeof termRows>[number]

const term = ({ id, name, slug, parent, taxonomy }: Term) => ({ id, name, slug, parent, taxonomy })
const venue = ({ name, ...rest }: ReturnType<typeof venueRows>[number]) => ({ ...rest, venue: name })
const organizer = ({ name, ...rest }: ReturnType<typeof organizerRows>[number]) => ({
  ...rest,
  organizer: name,
})

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map(row => [row.id, row]))

/**
 * Writes a file for each resource. Ids are those of the rows, and an import into an empty calendar keeps
 * them.
 */
async function writeDocuments(folder: string, rows: readonly SeedEvent[]): Promise<void> {
  const terms = termRows().map(term)
  const venues = venueRows().map(venue)
  const organizers = organizerRows().map(organizer)
  const term_ = byId(terms)
  const venue_ = byId(venues)
  const organizer_ = byId(organizers)
  const events = rows.map(row => ({
    ...row,
    categories: row.categories.map(id => term_.get(id)),
    tags: row.tags.map(id => term_.get(id)),
    venue: venue_.get(row.venue),
    organizer: [organizer_.get(row.organizer)],
  }))
  const resources = {
    categories: terms.filter(({ taxonomy }) => taxonomy === 'event_category'),
    tags: terms.filter(({ taxonomy }) => taxonomy === 'event_tag'),
    venues,
    organizers,
    events,
  }
  await mkdir(folder, { recursive: true })
  for (const [name, items] of Object.entries(resources))
    await writeFile(
      join(folder, `${name}.json`),
      JSON.stringify({ rest_url: `${SITE}/${name}`, [name]: items }),
    )
}
