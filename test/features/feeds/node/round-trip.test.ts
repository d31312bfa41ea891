import { afterAll, expect, it } from 'vitest'
import { CALENDAR_FORMAT } from '../../../../src/features/feeds/routes.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { backgroundContext } from '../../../../src/kit/http/request-context.ts'
import { toEpoch } from '../../../../src/kit/lib/time.ts'
import { NAMESPACE, settingsOf } from '../../../../src/kit/settings.ts'
import { importInto, makeDatabases, NOW } from '../../../readers/database.ts'
import { bytesOf, calendar, itemsOf } from '../../../readers/ics-calendar.ts'

// A calendar that is imported into an empty one, and subscribed to there, is the same.

const settings = settingsOf({ SITE_URL: 'https://calendar.example', TIMEZONE: 'UTC' })

async function feedOf(d1: D1Database): Promise<string> {
  const db = new Database(d1)
  const run = { db, settings, nowMs: toEpoch(NOW) }
  const context = backgroundContext({ api: `https://calendar.example/${NAMESPACE}` }, run)
  const loadedEvents = await db.read(CALENDAR_FORMAT.select(context, {}))
  return new TextDecoder().decode(
    CALENDAR_FORMAT.write(context, { loadedEvents, title: '', page: '', address: '', values: {} }).body,
  )
}

/** The VEVENTs of a calendar by UID, without the times at which rows were written. */
function propertiesByUid(text: string): Record<string, string[]> {
  const lines = text.replace(/\r\n /g, '').split('\r\n')
  const events = lines.join('\n').split('BEGIN:VEVENT\n').slice(1)
  return Object.fromEntries(
    events.map(event => {
      const properties = event.split('\nEND:VEVENT')[0]?.split('\n') ?? []
      const uid = properties.find(line => line.startsWith('UID:')) ?? ''
      return [uid, properties.filter(line => !/^(UID|DTSTAMP|LAST-MODIFIED|SEQUENCE):/.test(line)).sort()]
    }),
  )
}

const SOURCE = calendar([
  [
    'UID:plain@elsewhere',
    'DTSTART;TZID=Europe/Rome:20270610T200000',
    'DTEND;TZID=Europe/Rome:20270610T220000',
    'CREATED:20260101T100000Z',
    'SUMMARY:Text\\, with\\; all \\\\ of "it" & <b>',
    'DESCRIPTION:One\\n\\nTwo\\, three',
    'LOCATION:The "Hall"\\, Main St; 1',
    'GEO:41.9;12.5',
    'ORGANIZER;CN="Ann: A":mailto:ann@example.org',
    'CATEGORIES:Music,A\\, b',
    'URL:https://example.org/tickets?a=1;b=2',
  ],
  [
    'UID:utc@elsewhere',
    'DTSTART:20270611T180000Z',
    'DTEND:20270611T190000Z',
    'SUMMARY:In UTC',
    'STATUS:CANCELLED',
    'COMMENT:Without a text',
    'URL:https://theatre.example.org/1',
  ],
  [
    'UID:days@elsewhere',
    'DTSTART;VALUE=DATE:20270612',
    'DTEND;VALUE=DATE:20270615',
    'SUMMARY:Days',
    'X-ALT-DESC;FMTTYPE=text/html:<p>Rich <b>text</b></p>',
  ],
  [
    'UID:offset@elsewhere',
    'DTSTART;TZID=Etc/GMT-3:20270613T100000',
    'DTEND;TZID=Etc/GMT-3:20270613T110000',
    'SUMMARY:By offset',
  ],
  [
    'UID:half@elsewhere',
    'DTSTART:20270613T100000Z',
    'DTEND:20270613T110000Z',
    'SUMMARY:By half an hour',
    'X-EVENT-TIMEZONE:UTC+5.5',
  ],
  [
    'UID:online@elsewhere',
    'DTSTART:20270614T100000Z',
    'DTEND:20270614T100000Z',
    'SUMMARY:日本語 🎉 online',
    'STATUS:TENTATIVE',
    'X-EVENT-STATUS:postponed',
    'COMMENT:Rain',
    'DESCRIPTION:A text',
    'CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example.org/x',
    'IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:https://example.org/a.png',
  ],
])

const databases = makeDatabases()
afterAll(async () => (await databases)[0]?.close())

it('exported, imported into an empty calendar and exported again, a calendar is the same', async () => {
  const [first, second] = await databases
  for (const db of [first, second])
    await db.query(`INSERT INTO users (login, role, created_utc) VALUES ('admin', 'administrator', '${NOW}')`)
  await importInto(first, await itemsOf(SOURCE))
  const once = await feedOf(first.d1)
  expect(Object.keys(propertiesByUid(once)).sort()).toEqual(
    ['days', 'half', 'offset', 'online', 'plain', 'utc'].map(name => `UID:${name}@elsewhere`),
  )
  await importInto(second, await itemsOf(bytesOf(once)))
  expect(propertiesByUid(await feedOf(second.d1))).toEqual(propertiesByUid(once))
  // The word before a title is for people.
  expect([once.includes('SUMMARY:Cancelled: In UTC'), once.includes('SUMMARY:Postponed: 日本語')]).toEqual([
    true,
    true,
  ])
  expect(propertiesByUid(once)['UID:plain@elsewhere']).toEqual(
    expect.arrayContaining([
      'GEO:41.9;12.5',
      'CATEGORIES:A\\, b,Music',
      'URL:https://example.org/tickets?a=1;b=2',
    ]),
  )
})
