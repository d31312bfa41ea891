import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { fieldTable, plainField } from '../../../src/calendar/content/fields.ts'
import * as p from '../../../src/kit/http/params.ts'
import { readDocument } from '../../../src/readers/documents.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { readEvent, readPlain } from '../../../src/readers/read-event.ts'
import { CONTEXT, countsOf, emptyDatabase, importInto, WINDOW } from '../database.ts'
import { calendar, eventsOf, itemsOf } from '../ics-calendar.ts'
import { event } from '../site-server.ts'

// Event status, online attendance, custom fields and external ids, from every kind of source.

/** Reads an event of a site. @returns it with the notes about it */
function read(fields: Readonly<Record<string, unknown>>) {
  const notes: string[] = []
  const reading = { ...CONTEXT, note: (text: string) => notes.push(text), source: 'site', what: '' }
  const embedded = { categories: [], tags: [], venues: [], organizers: [] }
  return { record: readEvent(event(1, fields), embedded, reading), notes }
}

it('a plain field that no reader names is read as its parameter takes it, or left out', () => {
  const words = { description: 'Words.' }
  const table = fieldTable({
    dress: plainField(z.optional(p.line(words)), z.string()),
    link: plainField(z.optional(p.url(words)), z.string()),
    open: plainField(z.optional(p.flag({ ...words, default: true })), z.boolean()),
  })
  const given = { dress: ' Black &amp; white <b>tie</b>', link: 'javascript:alert(1)', open: '0' }
  expect(readPlain(table, given)).toEqual({ dress: 'Black & white tie', open: false })
  expect(readPlain(table, { link: 'https://x.example' })).toMatchObject({
    link: 'https://x.example',
    open: true,
  })
})

describe('an event of a site', () => {
  it('has the defaults for fields that it lacks', () => {
    const { record, notes } = read({})
    expect(record).toMatchObject({
      event_status: 'scheduled',
      event_status_reason: '',
      virtual_event_type: '',
      virtual_url: '',
      virtual_video_source: '',
      custom_fields: {},
      external_id: undefined,
    })
    expect(notes).toEqual([])
  })

  it.each([
    [{ event_status: 'canceled', event_status_reason: 'Rain &amp; wind' }, { event_status: 'canceled' }],
    [{ event_status: 'Cancelled' }, { event_status: 'canceled' }],
    [{ event_status: null }, { event_status: 'scheduled' }],
    [{ is_virtual: true, virtual_url: null, virtual_video_source: null }, { virtual_event_type: 'virtual' }],
    [
      { is_virtual: '1', virtual_event_type: 'hybrid', virtual_url: 'https://meet.example/1?a=1&amp;b=2' },
      { virtual_event_type: 'hybrid', virtual_url: 'https://meet.example/1?a=1&b=2' },
    ],
    [{ is_virtual: false, virtual_event_type: 'hybrid' }, { virtual_event_type: '' }],
    [{ virtual_event_type: 'hybrid' }, { virtual_event_type: 'hybrid' }],
    [{ external_id: ' crm/1 ' }, { external_id: 'crm/1' }],
    [{ external_id: 12 }, { external_id: '12' }],
    [{ custom_fields: [] }, { custom_fields: {} }],
    [
      { custom_fields: { _ecp_1: { label: 'Price', value: '<b>9</b>', type: 'text' } } },
      { custom_fields: { _ecp_1: { label: 'Price', value: '9' } } },
    ],
    [
      { custom_fields: { 'Age Limit': '18', kinds: ['a', 'b'], open: true, none: null } },
      {
        custom_fields: {
          age_limit: { label: 'Age Limit', value: '18' },
          kinds: { label: 'kinds', value: 'a, b' },
          open: { label: 'open', value: 'yes' },
          none: { label: 'none', value: '' },
        },
      },
    ],
  ])('with %j has %j', async (given, expected) => {
    const { record, notes } = read(given)
    expect(record).toMatchObject(expected)
    expect(notes).toEqual([])
  })

  it.each([
    [{ event_status: 'moved-online' }, 'event_status', 'scheduled'],
    [{ is_virtual: true, virtual_url: 'javascript:alert(1)' }, 'virtual_url', ''],
    [{ external_id: 'x'.repeat(256) }, 'external_id', ''],
    [{ custom_fields: JSON.parse('{"constructor":"x","__proto__":"y"}') }, 'custom_fields', {}],
    [{ custom_fields: { a: { label: 'x', value: { deep: 1 } } } }, 'custom_fields', {}],
    [{ custom_fields: ['a'] }, 'custom_fields', {}],
  ] as const)('with %j has the default for that field, and a note', async (given, name, expected) => {
    const { record, notes } = read(given)
    expect(record[name]).toEqual(expected)
    expect(notes.length).toBeGreaterThan(0)
  })

  it.each([
    [{ venue: 'Online' }, 'virtual', 0],
    [
      [
        { id: 5, venue: 'Online' },
        { id: 6, venue: 'Hall' },
      ],
      'hybrid',
      1,
    ],
    [{ venue: 'Zoom', address: 'Carl-Benz-Straße 21', city: 'Frankfurt' }, '', 1],
    [{ venue: 'Online-Café' }, '', 1],
  ])('at %j is online, or not', (venue, type, places) => {
    const items = [event(1, { venue: Array.isArray(venue) ? venue : { id: 5, ...venue } })]
    const found = [...readDocument({ kind: 'event', items }, { source: 'site' }, CONTEXT)].flatMap(item =>
      item.type === 'record' ? [item.record] : [],
    )
    expect(found.filter(({ kind }) => kind === 'venue')).toHaveLength(places)
    expect(found.at(-1)).toMatchObject({ virtual_event_type: type, venues: { length: places } })
    const venues = [venue].flat().map(each => ({ id: 5, ...each }))
    expect([...readDocument({ kind: 'venue', items: venues }, { source: 'site' }, CONTEXT)]).toHaveLength(
      places,
    )
  })

  it('keeps as many custom fields as fit', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`k${i}`, { label: 'x'.repeat(300), value: '🎷'.repeat(6_000) }]),
    )
    const { record, notes } = read({ custom_fields: many })
    const kept = Object.values(record.custom_fields ?? {})
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.length).toBeLessThan(50)
    expect(kept[0]?.label).toHaveLength(255)
    expect(notes.length).toBe(60 - kept.length)
  })

  it('without a title is read, and that is said', () => {
    const { record, notes } = read({ title: ' ' })
    expect(record).toMatchObject({ title: '', status: 'publish' })
    expect(notes).toEqual([expect.stringContaining('it has no title')])
  })
})

describe('an event of a feed', async () => {
  const one = async (...lines: string[]) => {
    const [first] = await eventsOf(calendar([['UID:a@x', 'SUMMARY:x', 'DTSTART:20270101T100000Z', ...lines]]))
    if (!first) throw new Error('no event')
    return first
  }

  it('without a title is read, and that is said once for all of its dates', async () => {
    const said = async (...lines: string[]) => {
      const notes: string[] = []
      const bytes = calendar([['UID:a@x', 'DTSTART:20270101T100000Z', ...lines]])
      const events = await eventsOf(bytes, undefined, note => notes.push(note))
      expect(new Set(events.map(({ title, status }) => `${title} ${status}`))).toEqual(new Set([' publish']))
      return notes
    }
    const note = 'line 3: it has no title, and its page shows the end of its address instead'
    expect(await said()).toEqual([note])
    expect(await said('RRULE:FREQ=DAILY;COUNT=9')).toEqual([note])
    expect(await said('SUMMARY:')).toEqual([note.replace('3', '6')])
  })

  it('keeps its UID, and whether it takes place', async () => {
    expect(await one()).toMatchObject({ external_id: 'a@x', event_status: 'scheduled', status: 'publish' })
    expect(await one('STATUS:CANCELLED')).toMatchObject({ event_status: 'canceled', status: 'publish' })
    expect((await one('STATUS:TENTATIVE')).event_status).toBe('scheduled')
    expect((await one('STATUS:TENTATIVE', 'X-EVENT-STATUS:postponed')).event_status).toBe('postponed')
    expect(await one('STATUS:CANCELLED', 'CLASS:PRIVATE')).toMatchObject({ status: 'private' })
  })

  it.each([
    ['CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/1', '', 'virtual'],
    ['X-GOOGLE-CONFERENCE:https://meet.example/1', 'LOCATION:Hall', 'hybrid'],
    ['X-MICROSOFT-SKYPETEAMSMEETINGURL:https://meet.example/1', '', 'virtual'],
  ])('is online with %s %s', async (property, place, type) => {
    const lines = [property, place].filter(Boolean)
    expect(await one(...lines)).toMatchObject({
      virtual_event_type: type,
      virtual_url: 'https://meet.example/1',
    })
  })

  it('is not virtual if its conference has only a telephone number', async () => {
    expect(await one('CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+1-412-555-0123')).toMatchObject({
      virtual_event_type: '',
      virtual_url: '',
    })
  })

  it.each([
    'https://us02web.zoom.us/j/123?pwd=a',
    'https://meet.google.com/abc-defg-hij',
    'http://zoom.us/j/12',
    'https://teams.microsoft.com/l/meetup-join/abc',
  ])('is online, and nowhere else, if its place is only the address of a meeting: %s', async address => {
    const lines = [`LOCATION:${address}`]
    expect(await one(...lines)).toMatchObject({
      ...{ virtual_event_type: 'virtual', virtual_url: address, venues: [] },
    })
    const other = 'CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/1'
    expect(await one(other, ...lines)).toMatchObject({ virtual_url: 'https://meet.example/1', venues: [] })
  })

  it.each([
    'Online event',
    'Virtual',
    'Google Meet',
    'ZOOM',
    'Microsoft Teams Meeting',
    'Webinar',
    'Live-Stream',
    'Online (via Zoom)',
    'Online\\, Zoom',
    'Online-Veranstaltung',
    'Nur online',
    'Digitales Treffen',
    'En directo por YouTube',
    'Microsoft Teams-Besprechung',
    'En ligne',
    'Visioconférence',
    'Évènement en ligne',
    'En línea',
    'Evento virtual',
    'Videollamada por Zoom',
  ])('is online, and nowhere else, if its place says so in words: %s', async location => {
    const text = calendar([['UID:a@x', 'SUMMARY:x', 'DTSTART:20270101T100000Z', `LOCATION:${location}`]])
    const records = (await itemsOf(text)).filter(({ type }) => type === 'record')
    expect(records).toEqual([
      expect.objectContaining({
        record: expect.objectContaining({ virtual_event_type: 'virtual', virtual_url: '', show_map: false }),
      }),
    ])
  })

  it.each([
    'Online-Café',
    'Zoom Erlebniswelt',
    'Live',
    'Meeting',
    'Event',
    'Virtual Reality Arcade',
    'Online and Town Hall',
    'Kurs',
  ])('is at a place whose name only begins like that: %s', async location => {
    const found = await one(`LOCATION:${location}`)
    expect([found.virtual_event_type, found.venues]).toEqual(['', [location]])
  })

  it('is online at the address beside the word', async () => {
    const address = 'https://stream.example.org/1'
    for (const location of [`Online: ${address}`, `Livestream (${address})`])
      expect(await one(`LOCATION:${location}`), location).toMatchObject({
        virtual_event_type: 'virtual',
        virtual_url: address,
        venues: [],
      })
  })

  it('has no position if its place says that it is online', async () => {
    const notes: string[] = []
    const lines = ['UID:a@x', 'SUMMARY:x', 'DTSTART:20270101T100000Z', 'LOCATION:Online', 'GEO:53.27;-9.05']
    const events = await eventsOf(calendar([lines]), undefined, note => notes.push(note))
    expect(events).toMatchObject([{ virtual_event_type: 'virtual', venues: [] }])
    expect(notes).toEqual([expect.stringContaining('53.27;-9.05')])
  })

  it.each([
    ['', 'https://www.example.org/hall', 'LOCATION "https://www.example.org/hall" was read as URL'],
    [
      'URL:https://jazz.example/',
      'https://jazz.example/',
      'LOCATION cannot be understood, left out: "https://www.example.org/hall"',
    ],
    ['URL:https://www.example.org/hall', 'https://www.example.org/hall', undefined],
  ])('has no place if that is only an address, which may be its website: %s', async (line, website, said) => {
    const notes: string[] = []
    const place = 'LOCATION:https://www.example.org/hall'
    const lines = ['UID:a@x', 'SUMMARY:x', 'DTSTART:20270101T100000Z', place, ...(line ? [line] : [])]
    const events = await eventsOf(calendar([lines]), undefined, note => notes.push(note))
    expect(events).toMatchObject([{ website, venues: [], virtual_event_type: '' }])
    expect(notes).toEqual(said === undefined ? [] : [`x, line 7: ${said}`])
  })

  it.each([
    ['Hall\\nMain Street 1\\, 12345 Kent', 'Hall', 'Main Street 1, 12345 Kent'],
    ['Hall\\, upstairs\\n\\nMain Street 1\\,\\n12345 Kent', 'Hall, upstairs', 'Main Street 1, 12345 Kent'],
    ['1 Main Street\\nKent', '1 Main Street Kent', ''],
  ])('is at the place %s', async (location, name, address) => {
    const text = calendar([['UID:a@x', 'DTSTART:20270101T100000Z', `LOCATION:${location}`]])
    const items = await itemsOf(text)
    expect(items).toContainEqual({
      type: 'record',
      record: expect.objectContaining({ kind: 'venue', name, address }),
    })
  })

  it('has no external id without a UID', async () => {
    const [event] = await eventsOf(calendar([['SUMMARY:x', 'DTSTART:20270101T100000Z']]))
    expect(event?.external_id).toBe('')
  })
})

describe('external ids', () => {
  const db = emptyDatabase()

  const feed = (uid: string, summary: string) =>
    calendar([[`UID:${uid}`, `SUMMARY:${summary}`, 'DTSTART:20270101T100000Z']])
  const items = (bytes: Uint8Array, source: string) => icsItems(readIcs(bytes), source, WINDOW, CONTEXT)
  const stored = () => db.query('SELECT title, external_id FROM events ORDER BY id')

  it('that another event has are left out, and the import goes on', async () => {
    await importInto(db, items(feed('same', 'First'), 'ics:one'))
    const report = await importInto(db, items(feed('same', 'Second'), 'ics:two'))
    expect(countsOf(report)).toEqual(['event created 1'])
    expect([...report.notes].join()).toContain('its external id was left out')
    expect(await stored()).toEqual([
      { title: 'First', external_id: 'same' },
      { title: 'Second', external_id: '' },
    ])
    // Again, with news.
    await importInto(db, items(feed('same', 'First!'), 'ics:one'))
    expect((await stored())[0]).toEqual({ title: 'First!', external_id: 'same' })
  })

  it('that were given here stay if the source has none', async () => {
    const site = (title: string) => ({ ...read({ title }).record, externalId: '1' })
    await importInto(db, [{ type: 'record', record: site('A') }])
    await db.query(`UPDATE events SET external_id = 'mine'`)
    await importInto(db, [{ type: 'record', record: site('B') }])
    expect(await stored()).toEqual([{ title: 'B', external_id: 'mine' }])
  })

  it('that move to other events at the source do so here', async () => {
    const record = (id: string, external_id: string) => ({
      type: 'record' as const,
      record: { ...read({ title: `Event ${id}`, external_id }).record, externalId: id, id: Number(id) },
    })
    await importInto(db, [record('1', 'x'), record('2', '')])
    const report = await importInto(db, [record('1', ''), record('2', 'x')])
    expect(report.reasons).toEqual([])
    expect(await stored()).toEqual([
      { title: 'Event 1', external_id: '' },
      { title: 'Event 2', external_id: 'x' },
    ])
  })
})
