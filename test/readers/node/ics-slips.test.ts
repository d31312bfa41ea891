import { describe, expect, it } from 'vitest'
import type { GuessedValue, SourceItem } from '../../../src/calendar/imports/records.ts'
import { contentLines } from '../../../src/readers/ics/content-lines.ts'
import { readIcs } from '../../../src/readers/ics/file.ts'
import { icsItems } from '../../../src/readers/ics/items.ts'
import { CONTEXT, WINDOW } from '../database.ts'
import { eventsOf } from '../ics-calendar.ts'

// Slips that programs and people make, each of which has one reading only, and what is said where there are
// several.

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const fileOf = (body: string, head = ''): string =>
  `BEGIN:VCALENDAR\nVERSION:2.0\n${head}${body}\nEND:VCALENDAR\n`

/**
 * Reads a file. @returns its events as `id start - end` in UTC, failures, guesses, and whether it is
 *   complete, so that events that it lacks count as deleted
 */
async function read(text: string | Uint8Array, timezone = 'Europe/Berlin') {
  const guesses: GuessedValue[] = []
  const context = { ...CONTEXT, timezone, guess: (guess: GuessedValue) => void guesses.push(guess) }
  const items: SourceItem[] = []
  for await (const item of icsItems(
    readIcs(typeof text === 'string' ? encode(text) : text),
    's',
    WINDOW,
    context,
  ))
    items.push(item)
  const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
  const events = records.flatMap(record => (record.kind === 'event' ? [record] : []))
  return {
    titles: events.map(({ title }) => title),
    events: events.map(
      ({ externalId, start, end, all_day: allDay }) =>
        `${externalId} ${allDay ? `${start.wall.slice(0, 10)} all day to ${end.wall.slice(0, 10)}` : `${start.utc} - ${end.utc.slice(11)}`}`,
    ),
    failures: items.flatMap(item =>
      item.type === 'failed' ? [`${item.what} line ${item.line}: ${item.reason}`] : [],
    ),
    guesses: guesses.map(({ code, text, as, line, field }) =>
      [code, field, text, as, line].filter(part => part !== undefined).join(' '),
    ),
    isComplete: items.some(({ type }) => type === 'complete'),
  }
}

const event = (lines: string, { begin = 'BEGIN:VEVENT', uid = 'UID:a', end = 'END:VEVENT' } = {}) =>
  `${begin}\n${uid}\nSUMMARY:Jazz\n${lines}\n${end}`
const readLines = (lines: string) => read(fileOf(event(lines)))
const THREE = 'a 2027-04-25 13:00:00 - 13:00:00'

describe('a component', () => {
  it.each([
    'BEGIN:VEVENT ',
    'BEGIN:VEVENT\t',
    'BEGIN:VEVENT\u00a0',
    'BEGIN: VEVENT',
    'BEGIN :VEVENT',
    ' BEGIN:VEVENT',
    '\tBEGIN:VEVENT',
    'begin:vevent',
    '\u00a0BEGIN:VEVENT',
  ])('begins with %j', async begin => {
    expect((await read(fileOf(event('DTSTART:20270425T150000', { begin })))).events).toEqual([THREE])
    const both = `${event('DTSTART:20270424T150000', { uid: 'UID:b' })}\n${event('DTSTART:20270425T150000', { begin })}`
    expect((await read(fileOf(both))).events).toEqual(['b 2027-04-24 13:00:00 - 13:00:00', THREE])
  })

  it.each(['BEGIN:VTIMEZONE ', ' BEGIN:VTIMEZONE', 'BEGIN:\tVTIMEZONE'])(
    'defines a zone after %j',
    async begin => {
      const zone = `${begin}\nTZID:Ours\nBEGIN:STANDARD \nDTSTART:19700101T000000\nTZOFFSETFROM:-0300\nTZOFFSETTO:-0300\nEND:STANDARD\nEND:VTIMEZONE\n`
      expect(await read(fileOf(event('DTSTART;TZID=Ours:20270425T150000'), zone))).toMatchObject({
        events: ['a 2027-04-25 18:00:00 - 18:00:00'],
        guesses: [],
      })
    },
  )

  it('of an unknown type is reported, and its event does not count as deleted', async () => {
    const good = event('DTSTART:20270425T150000')
    const slip = event('DTSTART:20270426T150000', {
      begin: 'BEGIN:VTERMIN',
      uid: 'UID:b',
      end: 'END:VTERMIN',
    })
    expect(await read(fileOf(`${good}\n${slip}`))).toMatchObject({
      failures: ['b line undefined: BEGIN:VTERMIN is not a known component'],
      isComplete: true,
    })
    expect((await read(fileOf(`${good}\n${slip.replace('UID:b\n', '')}`))).isComplete).toBe(false)
    const todo = 'BEGIN:VTODO\nUID:t\nSUMMARY:Buy bread\nEND:VTODO'
    expect(await read(fileOf(`${good}\n${todo}`))).toMatchObject({ failures: [], isComplete: true })
  })

  it('without a UID makes the file incomplete if other events have one', async () => {
    const good = event('DTSTART:20270425T150000')
    const slip = event('DTSTART:20270426T150000', { uid: 'UXX:b' })
    expect((await read(fileOf(`${good}\n${slip}`))).isComplete).toBe(false)
    expect((await read(fileOf(slip))).isComplete).toBe(true)
  })
})

describe('a day', () => {
  it.each([
    'DTSTART:20270425',
    'DTSTART;TZID=Europe/Berlin:20270425',
    'DTSTART;VALUE=DATE-TIME:20270425',
    'DTSTART;VALUE=DATE;TZID=Nowhere: 20270425 ',
    'DTSTART:2027-04-25',
  ])('is %s, with an end or without', async start => {
    const day = ['a 2027-04-25 all day to 2027-04-25']
    expect(await readLines(start)).toMatchObject({ events: day, failures: [], guesses: [] })
    expect(
      (await readLines(`${start}\n${start.replace('DTSTART', 'DTEND').replace('25', '26')}`)).events,
    ).toEqual(day)
  })

  it('of a series may be excluded (EXDATE) and added (RDATE) as eight digits', async () => {
    const rule = 'DTSTART:20270425\nRRULE:FREQ=DAILY;COUNT=4'
    expect((await readLines(`${rule}\nEXDATE:20270426,20270427`)).events).toHaveLength(2)
    expect((await readLines('DTSTART;VALUE=DATE:20270425\nRDATE:20270501')).events).toHaveLength(2)
  })

  it('is excluded by EXDATE at its midnight, unless the series has a date at that time', async () => {
    const at20 = 'DTSTART;TZID=Europe/Berlin:20270425T200000\nRRULE:FREQ=DAILY;COUNT=3'
    for (const midnight of [
      'EXDATE;TZID=Europe/Berlin:20270426T000000',
      'EXDATE:20270426T000000',
      'EXDATE:20270425T220000Z',
    ])
      expect((await readLines(`${at20}\n${midnight}`)).events, midnight).toHaveLength(2)
    const hourly = 'DTSTART;TZID=Europe/Berlin:20270425T230000\nRRULE:FREQ=HOURLY;COUNT=4'
    expect((await readLines(`${hourly}\nEXDATE;TZID=Europe/Berlin:20270426T000000`)).events).toHaveLength(3)
  })

  it('or a time names the same date of a rule in RECURRENCE-ID', async () => {
    const timed = event('DTSTART:20270425T150000Z\nRRULE:FREQ=DAILY;COUNT=3')
    for (const id of [
      'RECURRENCE-ID:20270426',
      'RECURRENCE-ID;VALUE=DATE:20270426',
      'RECURRENCE-ID:20270426T150000Z',
    ])
      expect(
        (await read(fileOf(`${timed}\n${event(`${id}\nDTSTART:20270426T180000Z`)}`))).events[1],
        id,
      ).toBe('a#20270426T150000Z 2027-04-26 18:00:00 - 18:00:00')
    const days = event('DTSTART;VALUE=DATE:20270425\nRRULE:FREQ=DAILY;COUNT=3')
    const moved = await read(
      fileOf(`${days}\n${event('RECURRENCE-ID:20270426T000000\nDTSTART;VALUE=DATE:20270501')}`),
    )
    expect(moved.events[1]).toContain('2027-05-01 all day')
  })

  it('that Outlook writes at midnight is whole', async () => {
    const times = 'DTSTART;TZID=Europe/Berlin:20270425T000000\nDTEND;TZID=Europe/Berlin:20270426T000000'
    expect((await readLines(`${times}\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE`)).events).toEqual([
      'a 2027-04-25 all day to 2027-04-25',
    ])
    expect((await readLines(`${times}\nX-MICROSOFT-CDO-ALLDAYEVENT:FALSE`)).events).toEqual([
      'a 2027-04-24 22:00:00 - 22:00:00',
    ])
  })
})

describe('a time', () => {
  it.each([
    ['DTSTART;VALUE=DATE:20270425T150000', '13:00:00'],
    ['DTSTART:20270425T1500', '13:00:00'],
    ['DTSTART: 20270425T150000', '13:00:00'],
    ['DTSTART :20270425T150000 ', '13:00:00'],
    ['DTSTART:2027-04-25T15:00:00', '13:00:00'],
    ['DTSTART:20270425T150000+0500', '10:00:00'],
    ['DTSTART;TZID=Europe/Berlin:20270425T150000-03:00', '18:00:00'],
    ['DTSTART:20270425T150000z', '15:00:00'],
    ['DTSTART;TZID=Z:20270425T150000', '15:00:00'],
    ['DTSTART;TZID=UTC:20270425T150000', '15:00:00'],
    ['DTSTART;TZID=Coordinated Universal Time:20270425T150000', '15:00:00'],
    ['DTSTART;TZID=tzone://Microsoft/Utc:20270425T150000', '15:00:00'],
    ['DTSTART;TZID="tzone://Microsoft/Utc":20270425T150000', '15:00:00'],
    ['DTSTART;TZID=GMT-0500:20270425T150000', '20:00:00'],
    ['DTSTART;TZID=GMT+1:20270425T150000', '14:00:00'],
    ['DTSTART;TZID=America/New York:20270425T150000', '19:00:00'],
    ['DTSTART;TZID=America-New_York:20270425T150000', '19:00:00'],
    ['DTSTART;TZID="(UTC-05:00) Eastern Time (US and Canada)":20270425T150000', '19:00:00'],
    ['DTSTART;TZID=(UTC-05:00) Eastern Time (US and Canada):20270425T150000', '19:00:00'],
    ['DTSTART;TZID=(GMT+10:00) Canberra\\, Melbourne\\, Sydney:20270425T150000', '05:00:00'],
    ['DTSTART;TZID=CEST:20270425T150000', '13:00:00'],
  ])('is read from %s, and nothing is guessed', async (start, time) => {
    expect(await readLines(start)).toMatchObject({
      events: [`a 2027-04-25 ${time} - ${time}`],
      failures: [],
      guesses: [],
    })
  })

  it('in a zone that goes by an abbreviation at that moment is in it; in any other, that is said with its line', async () => {
    const start = (tzid: string) => fileOf(event(`DTSTART;TZID=${tzid}:20270425T150000`))
    expect(await read(start('EDT'), 'America/New_York')).toMatchObject({
      events: ['a 2027-04-25 19:00:00 - 19:00:00'],
      guesses: [],
    })
    for (const [tzid, zone] of [
      ['EST', 'America/New_York'],
      ['EDT', 'Europe/Berlin'],
      ['CET', 'Europe/Berlin'],
      ['Nowhere', 'Europe/Berlin'],
    ] as const)
      expect((await read(start(tzid), zone)).guesses).toEqual([`guess_zone ${tzid} ${zone} 6`])
    const other = event('DTSTART;TZID=America/New_York:20270424T150000', { uid: 'UID:b' })
    const both = await read(fileOf(`${other}\n${event('DTSTART;TZID=EDT:20270425T150000')}`))
    expect(both).toMatchObject({
      events: [expect.anything(), 'a 2027-04-25 19:00:00 - 19:00:00'],
      guesses: [],
    })
  })

  it('in a calendar whose zone nobody knows is in ours, and that is said', async () => {
    const found = await read(fileOf(event('DTSTART:20270425T150000'), 'X-WR-TIMEZONE:Middle of nowhere\n'))
    expect(found).toMatchObject({
      events: [THREE],
      guesses: ['guess_zone Middle of nowhere Europe/Berlin 3'],
    })
  })

  it('in the second calendar of a file is in the zone of the first, and that is said', async () => {
    const two = (zone: string) =>
      read(
        fileOf(event('DTSTART:20270425T150000'), 'X-WR-TIMEZONE:Europe/Berlin\n') +
          fileOf(event('DTSTART:20270425T150000', { uid: 'UID:b' }), `X-WR-TIMEZONE:${zone}\n`),
      )
    const events = [THREE, THREE.replace('a', 'b')]
    expect(await two('Europe/Berlin')).toMatchObject({ events, guesses: [] })
    expect(await two('Asia/Tokyo')).toMatchObject({
      events,
      guesses: ['guess_value X-WR-TIMEZONE Asia/Tokyo Europe/Berlin 12'],
    })
  })

  it('in a zone that the file defines is in it, with a blank before its name as well', async () => {
    const offsets = 'TZOFFSETFROM:-0300\nTZOFFSETTO:-0300'
    const zone = `BEGIN:VTIMEZONE\nTZID: Own\nBEGIN:STANDARD\nDTSTART:19700101T000000\n${offsets}\nEND:STANDARD\nEND:VTIMEZONE\n`
    const text = fileOf(event('DTSTART;TZID= Own:20270425T100000'), zone)
    expect(await read(text)).toMatchObject({ events: [THREE], guesses: [] })
  })

  it.each(['DTSTART:next Tuesday', 'DTSTART;TZID=Europe/Berlin:2027-04-25T::', 'DTSTART:202704T25'])(
    'that is none fails with its own text: %s',
    async start => {
      const text = start.replace(/^DTSTART(?:;[^:]*)?:/, '')
      expect(await readLines(start)).toMatchObject({
        events: [],
        failures: [`a line 3: DTSTART: ${text} is not a date or time`],
        isComplete: true,
      })
    },
  )
})

describe('an end or a duration', () => {
  it.each([
    ['DTSTART;VALUE=DATE:20270425\nDURATION:-P1D', 'guess_left_out DURATION -P1D 7'],
    ['DTSTART:20270425T150000\nDURATION:P9000000D', 'guess_left_out DURATION P9000000D 7'],
    ['DTSTART:20270425T150000\nDTEND:tomorrow', 'guess_left_out DTEND tomorrow 7'],
  ])('that cannot be is left out, and that is said: %j', async (lines, guess) => {
    expect(await readLines(lines)).toMatchObject({ events: [expect.any(String)], guesses: [guess] })
  })

  it('in a period of RDATE applies to that date', async () => {
    const periods = 'RDATE;VALUE=PERIOD:20270426T150000Z/PT3H,20270427T150000Z/20270427T153000Z'
    expect((await readLines(`DTSTART:20270425T150000Z\nDTEND:20270425T160000Z\n${periods}`)).events).toEqual([
      'a#20270425T150000Z 2027-04-25 15:00:00 - 16:00:00',
      'a#20270426T150000Z 2027-04-26 15:00:00 - 18:00:00',
      'a#20270427T150000Z 2027-04-27 15:00:00 - 15:30:00',
    ])
  })
})

describe('a rule', () => {
  const datesOf = async (rule: string) =>
    (await readLines(`DTSTART;VALUE=DATE:20270425\nRRULE:${rule}`)).events.length
  it.each([
    ['FREQ=DAILY;COUNT=5;UNTIL=20270427', 3],
    ['FREQ=DAILY;UNTIL=20270527;COUNT=5', 5],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270427', 3],
    ['FREQ=WEEKLY;COUNT=3;BYDAY=SU, TU', 3],
    ['FREQ=MONTHLY; COUNT=2', 2],
  ])('%s gives %i dates', async (rule, dates) => {
    expect(await datesOf(rule)).toBe(dates)
  })

  it.each(['RRULE:', 'RRULE: ', 'rrule:\nEXRULE:'])('that is empty (%j) is none', async rule => {
    const { events, failures, guesses } = await readLines(`DTSTART:20270425T150000\n${rule}`)
    expect({ events, failures, guesses }).toEqual({ events: [THREE], failures: [], guesses: [] })
  })

  it('with COUNT=-1 and an empty UNTIL has no end', async () => {
    expect(await datesOf('FREQ=WEEKLY;COUNT=-1;UNTIL=')).toBe(await datesOf('FREQ=WEEKLY'))
  })
})

describe('two versions of an event', () => {
  const version = (more: string, time: string) => event(`${more}\nDTSTART:20270425T${time}00Z`)
  it.each([
    ['SEQUENCE:2', 'SEQUENCE:1\nLAST-MODIFIED:20270101T000000Z'],
    [
      'LAST-MODIFIED:20260102T000000Z\nDTSTAMP:20260101T000000Z',
      'LAST-MODIFIED:20260101T000000Z\nDTSTAMP:20260103T000000Z',
    ],
    ['DTSTAMP:20260102T000000Z', 'DTSTAMP:20260101T000000Z'],
  ])('are the newer one, wherever it stands, and the other is named: %j', async (newer, older) => {
    const both = [version(newer, '1800'), version(older, '1500')]
    for (const parts of [both, both.toReversed()]) {
      const found = await read(fileOf(parts.join('\n')))
      expect(found.events).toEqual(['a 2027-04-25 18:00:00 - 18:00:00'])
      expect(found.guesses).toEqual([expect.stringMatching(/^guess_version Jazz \d+$/)])
    }
  })

  it('are the later one of those that nothing tells apart', async () => {
    expect((await read(fileOf([version('', '1500'), version('', '1800')].join('\n')))).events).toEqual([
      'a 2027-04-25 18:00:00 - 18:00:00',
    ])
  })

  it('leave out a date that the newer one excludes, though an older one has moved it', async () => {
    const master = (sequence: number) =>
      event(
        `SEQUENCE:${sequence}\nDTSTART:20270425T150000Z\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20270426T150000Z`,
      )
    const moved = event('SEQUENCE:1\nRECURRENCE-ID:20270426T150000Z\nDTSTART:20270426T180000Z')
    expect((await read(fileOf(`${master(2)}\n${moved}`))).events).toHaveLength(2)
    expect((await read(fileOf(`${master(1)}\n${moved}`))).events).toHaveLength(3)
  })
})

describe('a file', () => {
  it('may have several calendars', async () => {
    const second = event('DTSTART:20270426T150000', { uid: 'UID:b' })
    const both = await read(fileOf(event('DTSTART:20270425T150000')) + fileOf(second))
    expect(both).toMatchObject({ events: [THREE, 'b 2027-04-26 13:00:00 - 13:00:00'], isComplete: true })
  })

  it('may have a line break in a title of a type that nobody knows', async () => {
    const text = fileOf(
      event('DTSTART:20270425T150000').replace('SUMMARY:Jazz', 'SUMMARY;VALUE=FOO:Jazz\\, late\\nand more'),
    )
    expect((await read(text)).titles).toEqual(['Jazz, late and more'])
  })

  it('may have line breaks in a description, before what only looks like a property', async () => {
    const lines = [
      'DESCRIPTION:First',
      'second without a blank',
      'third: line',
      'https://example.org/a;b',
      'Kaffee; Kuchen',
      'url:https://example.org/',
      'Location:Barn',
      'x-own:1',
      'Priority;x-by=me:5',
      'dtstart:20270425T150000',
      'Unknown:after a time',
      'end:vevent',
    ]
    const text = fileOf(`BEGIN:VEVENT\nUID:a\nSUMMARY:Jazz\n${lines.join('\n')}`)
    const [found] = await eventsOf(encode(text))
    expect(found).toMatchObject({ website: 'https://example.org/', start: { wall: '2027-04-25 15:00:00' } })
    expect(found?.description.replace(/<[^>]+>/g, '\n').match(/[^\n]+/g)).toEqual([
      'First',
      'second without a blank',
      'third: line',
      'https://example.org/a;b',
      'Kaffee; Kuchen',
    ])
    expect(found?.venues).toHaveLength(1)
  })

  /** The text of the one event of a file, whose description and further lines are given, and the event. */
  async function describedBy(...lines: string[]) {
    const text = fileOf(`BEGIN:VEVENT\nUID:a\nSUMMARY:Jazz\nDTSTART:20270425T150000\n${lines.join('\n')}`)
    const [found] = await eventsOf(encode(`${text.replace('END:VCAL', 'END:VEVENT\nEND:VCAL')}`))
    return { ...found, text: found?.description.replace(/<[^>]+>/g, '\n').match(/[^\n]+/g) }
  }

  it.each([
    'INFO: Bring a chair',
    'INFO:Bring a chair',
    'EINLASS; 19 Uhr',
    'BEGINN: 20 Uhr',
    'BEGINN 20 UHR',
    'ENDE',
    'End: late',
    'CLASSICAL MUSIC',
    'GLASS: 2 €',
    'UND: Eva tanzt',
    'CONTACT: Eva',
    'Link: none',
    'SUMMARY: all in one',
  ])('keeps %s in a description', async line => {
    const { text, title, externalId, status, organizers } = await describedBy(
      'DESCRIPTION:First',
      line,
      'last',
    )
    expect(text).toEqual(['First', line, 'last'])
    expect({ title, externalId, status, organizers }).toEqual({
      title: 'Jazz',
      externalId: 'a',
      status: 'publish',
      organizers: [],
    })
  })

  it('takes a line after a description for the property that the event has nowhere else', async () => {
    const [first, second] = ['URL:https://example.org/1', 'URL:https://example.org/2']
    expect(await describedBy('DESCRIPTION:First', first)).toMatchObject({
      text: ['First'],
      website: 'https://example.org/1',
    })
    const twice = { text: ['First', first], website: 'https://example.org/2' }
    expect(await describedBy('DESCRIPTION:First', first, second)).toMatchObject(twice)
    expect(await describedBy('DESCRIPTION:First', first, 'LOCATION:Barn', second)).toMatchObject(twice)
    expect(await describedBy(second, 'DESCRIPTION:First', first)).toMatchObject(twice)
  })

  it.each([
    ['CLASS:Secret', { status: 'private' }],
    ['STATUSS:CANCELLED', { event_status: 'canceled' }],
    ['LOCATON:Barn', { venues: [expect.anything()] }],
    ['URL;VALUE=URI:https://example.org/', { website: 'https://example.org/' }],
    ['CONTACT:Eva', { organizers: [expect.anything()] }],
    ['PARTICIPANT-TYPE:ACTIVE', {}],
    ['BEGIN:VALARM\nTRIGGER:-PT15M\nACTION:DISPLAY\nDESCRIPTION:Reminder\nTRIGGER: 1\nEND:VALARM', {}],
  ])('takes %s after a description for a property', async (line, fields) => {
    expect(await describedBy('DESCRIPTION:First', line)).toMatchObject({ text: ['First'], ...fields })
  })

  it.each(['UID:x', 'DTSTART:soon', 'EXDATE:never'])(
    'does not grow %s by thousands of stray lines',
    property => {
      const slips: string[] = []
      const lines = contentLines(
        encode(`BEGIN:VCALENDAR\n${property}\n${'stray\n'.repeat(5_000)}END:VCALENDAR`),
        { maxLines: 10_000, onSlip: ({ line }) => void slips.push(line) },
      )
      expect(lines).toHaveLength(3)
      expect(lines[1]?.length).toBeLessThan(2_100)
      // Each is named, whether it was read or left out.
      expect(slips.filter(line => line === 'stray').length).toBeGreaterThanOrEqual(5_000)
    },
  )

  it('is read without the blank that some programs write after each colon', async () => {
    const { text, organizers } = await describedBy('DESCRIPTION: First', 'CONTACT: Eva')
    expect([text, organizers?.length]).toEqual([['First'], 1])
  })

  it('keeps its encoding but for the bytes that are none of it, and says so once', async () => {
    const text = fileOf(event('DTSTART:20270425T150000').replace('Jazz', 'Käse für Zoë'))
    const bytes = encode(text)
    const one = Uint8Array.from([
      ...bytes.slice(0, text.indexOf('Käse')),
      0xe4,
      ...bytes.slice(text.indexOf('Käse')),
    ])
    expect(await read(one)).toMatchObject({
      titles: ['äKäse für Zoë'],
      guesses: [expect.stringContaining('guess_encoding')],
    })
    const windows = Uint8Array.from([...text].map(character => character.charCodeAt(0)))
    expect((await read(windows)).titles).toEqual(['Käse für Zoë'])
    expect((await read(bytes)).guesses).toEqual([])
  })
})

describe('a value in quoted-printable', () => {
  const titled = (title: string) =>
    read(fileOf(`BEGIN:VEVENT\nUID:a\nDTSTART:20270425T150000\n${title}\nEND:VEVENT`))

  it.each([
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:=C3=9Cbung', 'Übung'],
    ['SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=c3=9cbung=20f=C3=BCr=2C alle', 'Übung für, alle'],
    ['SUMMARY;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:=DCbung', 'Übung'],
    ['SUMMARY;CHARSET="windows-1251";ENCODING="QUOTED-PRINTABLE":=C4=E6=E0=E7', 'Джаз'],
    ['SUMMARY;LANGUAGE=de;ENCODING=QUOTED-PRINTABLE:Tee = Ruhe =3D Übung', 'Tee = Ruhe = Übung'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:=C3=\n=9Cbung =\nam=\n Abend', 'Übung am Abend'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:=C3=\r\n=9Cbung=\r\nsabend', 'Übungsabend'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:=C3\n =9Cbung', 'Übung'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:Jazz=0D=0AEND:VEVENT=0A', 'Jazz END:VEVENT'],
    ['SUMMARY:1=3D1', '1=3D1'],
  ])('is decoded: %s', async (line, title) => {
    const { titles, guesses, failures } = await titled(line)
    expect({ titles, guesses, failures }).toEqual({ titles: [title], guesses: [], failures: [] })
  })

  it('that is not UTF-8 is read as Windows-1252, and that is said with its line', async () => {
    for (const parameters of ['', ';CHARSET=X-UNKNOWN']) {
      const found = await titled(
        `SUMMARY;ENCODING=QUOTED-PRINTABLE${parameters}:=DCbung des Orchesters am =\nAbend`,
      )
      expect(found.titles).toEqual(['Übung des Orchesters am Abend'])
      expect(found.guesses).toEqual([
        'guess_value SUMMARY =DCbung des Orchesters am Abend Übung des Orchesters am Abend 6',
      ])
    }
  })

  it('ends where the event does, even after a soft line break', async () => {
    const { titles, failures } = await titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:Jazz =3D =')
    expect([titles, failures]).toEqual([['Jazz ='], []])
  })

  it('may have line ends, and goes on where a line looks like a property', async () => {
    const lines = [
      'BEGIN:VEVENT\nUID:a\nDTSTART:20270425T150000\nSUMMARY:Jazz',
      'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:First=0D=0A=\nLOCATION:none=\n',
      'END:VEVENT',
    ]
    const [found] = await eventsOf(encode(fileOf(lines.join('\n'))))
    expect(found).toMatchObject({ description: '<p>First<br />\nLOCATION:none</p>', venues: [] })
  })
})

describe('what is odd, and said with its line', () => {
  const START = 'DTSTART:20270425T150000Z'

  it.each([
    ['CREATED:19691332T000000Z', 'guess_left_out CREATED 19691332T000000Z 7'],
    ['LAST-MODIFIED:yesterday', 'guess_left_out LAST-MODIFIED yesterday 7'],
    ['DURATION:-PT2H', 'guess_left_out DURATION -PT2H 7'],
    ['DURATION:two hours', 'guess_left_out DURATION two hours 7'],
    ['GEO:95.2;200.1', 'guess_left_out GEO 95.2;200.1 7'],
    ['GEO:north', 'guess_left_out GEO north 7'],
    ['DTEND:99991231T235959Z', 'guess_value DTEND 99991231T235959Z 9999-12-31 7'],
    ['DTEND;TZID=America/New_York:99991231T235959', 'guess_value DTEND 99991231T235959 9999-12-31 7'],
  ])('%s', async (line, guess) => {
    expect(await readLines(`${START}\n${line}`)).toMatchObject({
      events: [expect.stringMatching(/^a 2027-04-25 15:00:00/)],
      failures: [],
      guesses: [guess],
    })
  })

  it.each([
    'GEO:0;0',
    'GEO:',
    'GEO:0.0;0.0',
    'DTEND:',
    'DURATION:',
    'EXDATE:',
    'EXDATE;TZID=Europe/Berlin:',
    'RDATE;VALUE=DATE:',
    'RRULE:',
  ])('is not %s, which programs write for nothing', async line => {
    expect(await readLines(`${START}\n${line}`)).toMatchObject({
      events: ['a 2027-04-25 15:00:00 - 15:00:00'],
      failures: [],
      guesses: [],
    })
  })

  it('a fault of the reader is no guess about the file', async () => {
    const fields: unknown[] = []
    const guess = ({ field }: GuessedValue) => {
      if (fields.push(field) === 1) throw new TypeError('a fault')
    }
    const bytes = encode(fileOf(event(`${START}\nDTEND:99991231T235959Z`)))
    const items = await Array.fromAsync(icsItems(readIcs(bytes), 's', WINDOW, { ...CONTEXT, guess }))
    expect(items[0]).toMatchObject({ type: 'failed', reason: 'a fault' })
    expect(fields).toEqual(['DTEND'])
  })

  it('the line of a property is that of its own event', async () => {
    const two = `${event(`${START}\nCREATED:20270101T000000Z`, { uid: 'UID:b' })}\n${event(`${START}\nCREATED:never`)}`
    expect((await read(fileOf(two))).guesses).toEqual(['guess_left_out CREATED never 13'])
  })

  it('a comma too many separates nothing', async () => {
    const dates = `${START}\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20270426T150000Z,`
    expect((await readLines(dates)).events.map(text => text.split(' ')[0])).toEqual([
      'a#20270425T150000Z',
      'a#20270427T150000Z',
    ])
  })

  it.each([
    ['this is a stray line', 'DTEND:20270425T170000Z'],
    ['SUMMARY=another', 'DTEND:20270425T170000Z'],
  ])('a line that is none of a calendar spoils no time: %s', async (stray, end) => {
    expect(await readLines(`${START}\n${stray}\n${end}`)).toMatchObject({
      titles: ['Jazz'],
      events: ['a 2027-04-25 15:00:00 - 17:00:00'],
      guesses: [`guess_left_out VEVENT ${stray} 7`],
    })
  })

  it('the rest of a value whose fold has lost its blank is read', async () => {
    expect((await readLines('DTSTART:20270425\nT150000Z')).events).toEqual([
      'a 2027-04-25 15:00:00 - 15:00:00',
    ])
  })

  it.each([
    ['DTSTART;TZID="America/New_York;VALUE=DATE-TIME":20270425T110000', 1],
    ['DTSTART;TZID="America/New_York":"20270425T110000"', 1],
    ['DTSTART;TZID=America/New_York":20270425T110000', 0],
    ['DTSTART;TZID="America/New_York:20270425T110000', 0],
  ])('a quotation mark in another place: %s', async (start, guesses) => {
    const found = await readLines(start)
    expect(found.events).toEqual(['a 2027-04-25 15:00:00 - 15:00:00'])
    expect(found.guesses).toHaveLength(guesses)
  })

  it('a zone whose definition contradicts its name', async () => {
    const zone = (tzid: string, offset: string) =>
      `BEGIN:VTIMEZONE\nTZID:${tzid}\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:${offset}\nTZOFFSETTO:${offset}\nEND:STANDARD\nEND:VTIMEZONE\n`
    const start = event('DTSTART;TZID=Europe/Paris:20270425T150000')
    expect(await read(fileOf(start, zone('Europe/Paris', '-0500')))).toMatchObject({
      events: [THREE],
      guesses: ['guess_value TZID Europe/Paris (-05:00) Europe/Paris 4'],
    })
    // Without the rules of summer, it is only out of date.
    expect((await read(fileOf(start, zone('Europe/Paris', '+0100')))).guesses).toEqual([])
  })
})

describe('the end of a rule', () => {
  it.each([
    ['2027-04-27', 3],
    ['"20270427"', 3],
    ['20270427T1500', 3],
    ['2027-04-27T15:00:00Z', 3],
    ['20270427 150000', 3],
    ['20270427T170000+0200', 3],
    ['20270427T160000+0200', 2],
    ['20270427T100000-05:00', 3],
  ])('may be %s', async (until, count) => {
    const found = await readLines(`DTSTART:20270425T150000Z\nRRULE:FREQ=DAILY;UNTIL=${until}`)
    expect([found.failures, found.events.length]).toEqual([[], count])
  })

  it.each(['27.04.2027', '20270431', '20270427T24', 'soon'])(
    'that is none is named as the file has it: %s',
    async until => {
      expect((await readLines(`DTSTART:20270425T150000Z\nRRULE:FREQ=DAILY;UNTIL=${until}`)).failures).toEqual(
        [`a line 3: RRULE: UNTIL ${until} is not a date or time`],
      )
    },
  )
})

describe('a change of a date that the rule does not give', () => {
  const changed = (sequence: number) =>
    `${event('SEQUENCE:3\nDTSTART:20270425T150000Z\nRRULE:FREQ=DAILY;COUNT=2')}\n${event(`SEQUENCE:${sequence}\nRECURRENCE-ID:20270501T150000Z\nDTSTART:20270502T150000Z`).replace('Jazz', 'Moved')}`

  it('is gone if the event is newer, and that is said', async () => {
    expect(await read(fileOf(changed(1)))).toMatchObject({
      titles: ['Jazz', 'Jazz'],
      guesses: ['guess_version Moved 10'],
    })
  })

  it('stays if it is as new', async () => {
    expect(await read(fileOf(changed(3)))).toMatchObject({ titles: ['Jazz', 'Jazz', 'Moved'], guesses: [] })
  })
})

it('a name may have its value after empty lines', async () => {
  const lines = fileOf(event('DTSTART:20270425T150000')).split('\n')
  const apart = lines.map(line => line.replace(/^([A-Z]+):(?!V)/, '$1\n\n :')).join('\n')
  expect((await read(apart)).events).toEqual([THREE])
  expect((await read(apart.replaceAll('\n', '\r\n'))).events).toEqual([THREE])
})

it.each([
  'TZOFFSETTO:+05\n  30',
  'TZOFFSETTO::+0530',
  'TZOFFSETTO : +0530',
  'TZOFFSETTO:"+0530"',
  'TZOFFSETTO:+05:30',
])('an offset of a zone may be %j', async offset => {
  const zone = `BEGIN:VTIMEZONE\nTZID:Hall\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0530\n${offset}\nEND:STANDARD\nEND:VTIMEZONE\n`
  const { events, guesses } = await read(fileOf(event('DTSTART;TZID=Hall:20270425T150000'), zone))
  expect([events, guesses]).toEqual([['a 2027-04-25 09:30:00 - 09:30:00'], []])
})

it('a zone of the calendar may have lost its colon, which is said', async () => {
  const found = await read(fileOf(event('DTSTART:20270425T150000'), 'X-WR-TIMEZONEAmerica/New_York\n'))
  expect(found.events).toEqual(['a 2027-04-25 19:00:00 - 19:00:00'])
  expect(found.guesses).toEqual([
    'guess_value X-WR-TIMEZONE America/New_York X-WR-TIMEZONE:America/New_York 3',
  ])
})

it('a blank before the colon is no part of a name', async () => {
  const start = event('DTSTART:20270425T150000')
  expect((await read(fileOf(start, 'X-WR-TIMEZONE :America/New_York\n'))).events).toEqual([
    'a 2027-04-25 19:00:00 - 19:00:00',
  ])
})
