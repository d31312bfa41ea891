import { describe, expect, it } from 'vitest'
import { contentLines } from '../../../src/readers/ics/content-lines.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { bytesOf, calendar, eventsOf, itemsOf, recordsOf } from '../ics-calendar.ts'

describe('files', async () => {
  it('may be folded inside of a character', async () => {
    const whole = bytesOf(
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T100000Z\r\nSUMMARY:Café\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    )
    const at = Buffer.from(whole).indexOf(Buffer.from('é')) + 1
    const folded = Buffer.concat([whole.subarray(0, at), Buffer.from('\r\n '), whole.subarray(at)])
    expect((await eventsOf(folded)).map(({ title }) => title)).toEqual(['Café'])
  })

  it('may have any line ends, other encodings, and invalid lines', async () => {
    const text =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20270101T100000Z\nSUMMARY:Café\nDESCRIPTION:one\ntwo\nEND:VEVENT\nEND:VCALENDAR'
    expect(contentLines(Buffer.from(text, 'latin1'))).toContain('DESCRIPTION:one\\ntwo')
    expect((await eventsOf(Buffer.from(text, 'latin1')))[0]).toMatchObject({
      title: 'Café',
      description: '<p>one<br />\ntwo</p>',
    })
  })

  it('may break off: no event counts as vanished, and none is half imported', async () => {
    const whole = calendar([1, 2].map(n => [`UID:${n}`, 'DTSTART:20270101T100000Z', `SUMMARY:Fair no. ${n}`]))
    const items = await itemsOf(
      whole.subarray(0, whole.length - 'no. 2\r\nEND:VEVENT\r\nEND:VCALENDAR'.length),
    )
    expect(items).toEqual([
      expect.objectContaining({
        type: 'failed',
        kind: 'event',
        what: '2',
        reason: 'the file breaks off in it',
      }),
      expect.objectContaining({ type: 'record' }),
      expect.objectContaining({
        type: 'failed',
        kind: 'page',
        reason: expect.stringContaining('breaks off'),
      }),
      expect.objectContaining({ type: 'incomplete', kind: 'series' }),
      expect.objectContaining({ type: 'incomplete', kind: 'event' }),
    ])
    const signed = Buffer.concat([whole, bytesOf('\r\n<!-- made by a plugin -->\r\n')])
    expect(await itemsOf(signed)).toEqual(await itemsOf(whole))
  })

  it('may hold bad events, which do not stop the rest', async () => {
    const items = await itemsOf(
      calendar([
        ['UID:1', 'DTSTART:nonsense'],
        ['UID:2', 'SUMMARY:no start'],
        ['UID:3', 'DTSTART:20270101T100000Z', 'DTEND:20260101T100000Z'],
        ['UID:4', 'DTSTART:20270101T100000Z', 'DTEND:bad', 'SUMMARY:good'],
      ]),
    )
    expect(items.map(item => ('what' in item ? `${item.type} ${item.what}` : item.type))).toEqual([
      'failed 1',
      'failed 2',
      'failed 3',
      'record',
      'complete',
      'complete',
    ])
  })

  it('that are something else are refused', () => {
    expect(() => readIcs(bytesOf('{"events": []}'))).toThrow('it is not an iCalendar file')
  })
})

describe('an event', () => {
  it('brings its place, organizer, categories, texts and image', async () => {
    const records = await recordsOf(
      calendar([
        [
          'UID:1',
          'DTSTART:20270101T100000Z',
          'SUMMARY:Fish &amp\\; chips <b>now</b>',
          'LOCATION:The Barn\\, 1 Lane\\, Kent',
          'GEO:51.5;-0.25',
          'ORGANIZER;CN="The Guild":mailto:guild@example.org',
          'CATEGORIES:Food\\, drink,Music',
          'CATEGORIES:music',
          'DESCRIPTION:plain',
          'X-ALT-DESC;FMTTYPE=text/html:<p>rich\\, <script>x</script>safe</p>',
          'URL:https://example.org/fish',
          'ATTACH;FMTTYPE=image/png:https://example.org/a',
          'CREATED:20260101T000000Z',
          'X-COST:$5',
        ],
      ]),
    )
    expect(records.map(({ kind }) => kind)).toEqual(['category', 'category', 'venue', 'organizer', 'event'])
    expect(records[0]).toMatchObject({ name: 'Food, drink' })
    expect(records[2]).toMatchObject({
      name: 'The Barn',
      address: '1 Lane, Kent',
      geo_lat: 51.5,
      geo_lng: -0.25,
    })
    expect(records[3]).toMatchObject({ name: 'The Guild', email: 'guild@example.org' })
    expect(records[4]).toMatchObject({
      title: 'Fish & chips now',
      description: '<p>rich, safe</p>',
      website: 'https://example.org/fish',
      image: { url: 'https://example.org/a' },
      cost: '$5',
      date: { utc: '2026-01-01 00:00:00' },
    })
  })
})
