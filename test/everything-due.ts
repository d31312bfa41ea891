import type { Written } from './feature-part.ts'
import { PARTS } from './features.ts'
import type { Receiver } from './receiver.ts'

// A calendar in which everything that the cron does is due at once, with feeds to read and a receiver to
// tell.

/** What is outside of it, and when. */
type Surroundings = {
  /** The address of a server with {@link FEEDS}. */
  feeds: string
  receiver: Receiver
  /** UTC; a moment after all requests, at which something is to be published. */
  soon: string
}

const vevent = (uid: string, start: string, more: string[] = []) => [
  ...[
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART:${start}T190000Z`,
    `DTEND:${start}T210000Z`,
    `SUMMARY:Concert ${uid}`,
  ],
  ...[`LOCATION:Hall ${uid}\\, Main Street`, `ORGANIZER;CN=Club ${uid}:mailto:${uid}@club.example`],
  ...[`CATEGORIES:Genre ${uid}`, `IMAGE;VALUE=URI:https://club.example/${uid}.jpg`, ...more, 'END:VEVENT'],
]
const ics = (events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR'].join('\r\n')
const feed = (name: string) =>
  ics(
    Array.from({ length: 30 }, (_, i) =>
      vevent(`${name}${i}`, `202703${10 + (i % 20)}`, i % 10 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=6'] : []),
    ),
  )
/** The feeds by their paths. */
export const FEEDS: Readonly<Record<string, string>> = { '/a.ics': feed('a'), '/b.ics': feed('b') }
/** The events of one of them. */
export const EVENTS_PER_FEED = 27 + 3 * 6

const LONG_AGO = "'2020-01-01 00:00:00'"
const PAST = "'2026-01-01 00:00:00'"

/** Writes what waits for the cron when it begins. */
export async function makeEverythingDue(
  calendar: Written,
  { feeds, receiver, soon }: Surroundings,
): Promise<void> {
  const { must, rows } = calendar
  // First, so that they follow what is written next.
  for (const { due } of PARTS) await due?.make(calendar, { receiver })
  const times = { start_date: '2027-01-10 10:00:00', end_date: '2027-01-10 12:00:00' }
  for (let i = 0; i < 3; i++) {
    await must('POST', '/events', { title: `Due ${i}`, ...times, date_utc: soon })
    await must('POST', '/venues', { venue: `Due ${i}`, date_utc: soon })
    await must('POST', '/organizers', { organizer: `Due ${i}`, date_utc: soon })
  }
  for (let i = 0; i < 10; i++)
    await must('POST', '/events', {
      title: `Series ${i}`,
      ...times,
      recurrence: 'FREQ=WEEKLY;INTERVAL=4',
      venue: { venue: `Barn ${i}` },
      organizer: { organizer: `Band ${i}` },
      categories: [`Style ${i}`],
    })
  // Duplicates of what comes of the first source.
  for (let i = 1; i < 9; i++)
    await must('POST', '/events', {
      title: `Concert a${i}`,
      start_date: `2027-03-${10 + i} 19:00:00`,
      end_date: `2027-03-${10 + i} 21:00:00`,
      venue: { venue: `Hall a${i}`, address: 'Main Street' },
    })
  for (const name of ['a', 'b'])
    await must('POST', '/sources', { name, url: `${feeds}/${name}.ics`, mirror: true })
  for (let id = 1; id <= 5; id++)
    for (const sql of [
      `INSERT INTO sessions (id, user_id, digest, method, device, created_utc, expires_utc, last_used_utc) VALUES (${id}, 1, 'd${id}', 'link', '', ${PAST}, ${PAST}, ${PAST})`,
      `INSERT INTO sign_in_links (digest, user_id, expires_utc) VALUES ('d${id}', 1, ${PAST})`,
      `INSERT INTO used_challenges (challenge, expires_utc) VALUES ('d${id}', ${PAST})`,
      `INSERT INTO limit_counts (key, count, until_utc) VALUES ('k${id}', 1, ${PAST})`,
      `INSERT INTO idempotency_keys (user_id, key, request_digest, request_id, at_utc, audit_id, total_bytes)
        VALUES (1, 'k${id}', '', '', ${PAST}, 0, 0)`,
      `INSERT INTO undo_requests (audit_id, at_utc, request) VALUES (${id}, ${PAST}, '{}')`,
    ])
      await rows(sql)
  await rows(
    `UPDATE users SET email = 'admin@town.example', notices = 'now', noticed_utc = ${PAST} WHERE id = 1`,
  )
  await rows(
    `INSERT INTO remarks (event_id, text, created_utc) VALUES (1, 'It begins at eight.', '2026-11-20 12:00:00')`,
  )
  await rows(
    `UPDATE audit SET at_utc = ${LONG_AGO}, changed = '{}' WHERE id <= (SELECT max(id) FROM audit) - 20`,
  )
}

/** Counts that are 0 when nothing is left. @param end UTC; series reach two years beyond it */
export const leftAt = (end: string): Readonly<Record<string, string>> => ({
  caches: 'SELECT purges_left + image_purges_left AS n FROM revision',
  scheduled:
    "SELECT count(*) AS n FROM (SELECT status FROM events UNION ALL SELECT status FROM venues UNION ALL SELECT status FROM organizers) WHERE status = 'future'",
  sources: "SELECT count(*) AS n FROM sources WHERE state <> 'ok'",
  duplicates: 'SELECT 8 - count(*) AS n FROM events WHERE duplicate_of IS NOT NULL',
  series: `SELECT count(*) AS n FROM series WHERE extend_from <= datetime('${end}', '+24 months')`,
  sessions: 'SELECT count(*) AS n FROM sessions',
  links: 'SELECT count(*) AS n FROM sign_in_links',
  challenges: 'SELECT count(*) AS n FROM used_challenges',
  counts: 'SELECT count(*) AS n FROM limit_counts',
  keys: 'SELECT count(*) AS n FROM idempotency_keys',
  undo: 'SELECT count(*) AS n FROM undo_requests',
  values: `SELECT count(*) AS n FROM audit WHERE at_utc = ${LONG_AGO} AND changed IS NOT NULL`,
  notices: `SELECT count(*) AS n FROM users WHERE notices <> 'never' AND noticed_utc = ${PAST}`,
  ...Object.assign({}, ...PARTS.map(({ due }) => due?.leftAt(end))),
})
