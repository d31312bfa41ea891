import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sendMails } from '../../../src/features/registrations/mail-queue.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { Browser, signIn } from '../../editor/session.ts'
import { countRows, query, queryValue } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { runCron } from '../../run-cron.ts'
import { Course, ownLinkIn } from './course.ts'

const setTime = (time: string): void => void vi.setSystemTime(time)

beforeEach(() => setTime('2026-11-26T10:00:00Z'))

/** The lines of an e-mail about changes. */
const linesIn = (text: string): string[] => text.split('\n\n').slice(1, -2)

const calendarIn = (mail: object | undefined): string =>
  String((mail as { attachments?: { content: unknown }[] } | undefined)?.attachments?.[0]?.content ?? '')

const methodIn = (mail: object | undefined): string | undefined =>
  /^METHOD:(.*)\r$/m.exec(calendarIn(mail))?.[1]

/** The properties of each entry in the calendar of an e-mail. */
const entriesIn = (mail: object | undefined): Record<string, string>[] =>
  calendarIn(mail)
    .split('BEGIN:VEVENT')
    .slice(1)
    .map(entry =>
      Object.fromEntries([...entry.matchAll(/^([A-Z]+):(.*)\r$/gm)].map(([, name, value]) => [name, value])),
    )

const change = (course: Course, fields: object) => course.ask('PATCH', `/events/${course.id}`, fields)

/** A course with two people, ann and ben, who have been told whether they have a place or wait. */
const beginCourseOfTwo = async (event: object = {}, settings: object = {}) => {
  const course = await Course.begin({ places: 1, ...settings }, event)
  await course.join('ann@mail.example')
  await course.join('ben@mail.example')
  await course.cron()
  return course
}

describe('changes of an event', () => {
  it('are one e-mail to everybody on the list, ten minutes after the last of some steps', async () => {
    const course = await beginCourseOfTwo()
    await change(course, { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' })
    setTime('2026-11-26T10:09:00Z')
    await change(course, { venue: { venue: 'Town Hall', city: 'Kilkenny' } })
    setTime('2026-11-26T10:15:00Z')
    expect(await course.cron()).toEqual([])
    setTime('2026-11-26T10:20:00Z')
    const told = await course.cron()
    expect(told.map(({ to }) => to)).toEqual(['ann@mail.example', 'ben@mail.example'])
    expect(linesIn(told[0]?.text ?? '')).toEqual([
      'New time: 11 December 2026, 18:00 (before: 10 December 2026, 18:00)',
      'New place on 11 December 2026, 18:00: Town Hall, Kilkenny',
    ])
    setTime('2026-11-26T10:45:00Z')
    expect(await course.cron()).toEqual([])
  })

  it('say to people who wait that they do, with no entry for a calendar', async () => {
    const course = await beginCourseOfTwo()
    await change(course, { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' })
    setTime('2026-11-26T10:20:00Z')
    const [ann, ben] = await course.cron()
    expect(ann?.text).toContain('“Bread for beginners”, for which you registered, has changed:')
    expect(ann?.text).toContain('Your registration, where')
    expect(ann?.attachments).toHaveLength(1)
    expect(ben?.text).toContain('“Bread for beginners”, for which you are on the waiting list, has changed:')
    expect(ben?.text).toContain('Your entry on the waiting list, where')
    expect(ben?.attachments).toBeUndefined()
  })

  it.each([
    ['Europe/Paris', ' in Central European Standard Time', '10 December 2026, 17:00 in Greenwich Mean Time'],
    // There it is another day.
    ['America/Los_Angeles', ' in Pacific Standard Time', '11 December 2026, 02:00 in Greenwich Mean Time'],
    // Its clocks show the same as those of the calendar.
    ['Europe/London', '', ''],
  ])('name the zone of an event in %s: «%s», as first e-mails and pages do', async (timezone, zone, here) => {
    const course = await Course.begin({ places: 1, closes: '2026-12-09 12:00:00' }, { timezone })
    const page = await course.browser().get(`/register/${course.id}/`)
    const weekday = here.startsWith('11') ? 'Friday' : 'Thursday'
    expect(page.text).toContain(
      `${here && `${weekday} ${here} `}Thursday 10 December 2026, 18:00–20:00${zone} Mill, 1 Mill Lane, Kilkenny `,
    )
    if (here === '') expect(page.text).not.toContain('Greenwich')
    expect(page.text).toContain(`Registration is open until 9 December 2026, 12:00${zone}.`)
    await course.join('ann@mail.example')
    expect(course.outbox.last().text).toContain(
      ['\nBread for beginners', here, `10 December 2026, 18:00${zone}`, 'Mill, '].filter(Boolean).join('\n'),
    )
    await course.cron()
    await change(course, { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' })
    setTime('2026-11-26T10:20:00Z')
    const [line] = linesIn((await course.cron())[0]?.text ?? '')
    // Where it is another day here, both are named.
    const [isHere, wasHere] = here.startsWith('11')
      ? [` / ${here.replace('11', '12')}`, ` / ${here}`]
      : ['', '']
    expect(line).toBe(
      `New time: 11 December 2026, 18:00${zone}${isHere} (before: 10 December 2026, 18:00${zone}${wasHere})`,
    )
    const { browser } = await signIn('administrator')
    const path = `/admin/registrations/${course.id}/`
    const organizer = await browser.with(course.outbox.bindings).get(path)
    expect(organizer.text).toContain(`11 December 2026, 18:00${zone} `)
  })

  it('before anybody was on the list are told to nobody, and tell nobody who came later', async () => {
    const course = await Course.begin({ places: 5 })
    await change(course, { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' })
    setTime('2026-11-26T11:00:00Z')
    await course.cron()
    const link = await course.join('ann@mail.example')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual([
      'You are registered: Bread for beginners',
    ])
    await course.press(link, { do: 'leave' })
    await change(course, { start_date: '2026-12-12 18:00:00', end_date: '2026-12-12 20:00:00' })
    setTime('2026-11-26T12:00:00Z')
    await course.ask('POST', `${course.path}s/by-hand`, { name: 'Ben' })
    await course.join('cat@mail.example')
    setTime('2026-11-26T13:00:00Z')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual([
      'You are registered: Bread for beginners',
    ])
  })

  it.each([
    ['moved', { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' }, ['ann', 'ben']],
    [
      'moved again',
      { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' },
      ['ann', 'ben', 'cat'],
    ],
    ['to another place', { venue: { venue: 'Town Hall', city: 'Kilkenny' } }, ['ann', 'ben', 'cat']],
  ])('tell those who registered before: %s', async (what, fields, told) => {
    const course = await beginCourseOfTwo({}, { places: 5 })
    await change(course, fields)
    setTime('2026-11-26T10:01:00Z')
    await course.join('cat@mail.example')
    await course.cron()
    setTime('2026-11-26T10:02:00Z')
    if (what === 'moved again') await change(course, { start_date: '2026-12-11 17:00:00' })
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron()).map(({ to }) => to.split('@')[0])).toEqual(told)
  })

  it('tell somebody who has just registered that a date is deleted', async () => {
    const course = await Course.begin({ scope: 'series' }, { recurrence: 'FREQ=WEEKLY;COUNT=3' })
    setTime('2026-11-26T10:01:00Z')
    await course.join('ann@mail.example')
    await course.cron()
    await course.ask('DELETE', `/events/${course.id + 2}`)
    await course.ask('DELETE', `/events/${course.id + 2}?force=true`)
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron()).map(({ text }) => linesIn(text))).toEqual([
      ['Does not take place: 24 December 2026, 18:00'],
    ])
  })

  it('are told on time, although people register all the while', async () => {
    const course = await beginCourseOfTwo({}, { places: 200, per_person: 20 })
    await change(course, { event_status: 'canceled' })
    await query('UPDATE registrations SET closed = 0')
    // Each quarter of an hour something else would be said of the tickets.
    let told: number | undefined
    for (let minute = 5; minute <= 30 && told === undefined; minute += 5) {
      await query(`UPDATE registrations SET places = ${minute % 10 === 0 ? 2 : 200}`)
      setTime(`2026-11-26T10:${String(minute).padStart(2, '0')}:00Z`)
      if ((await course.cron()).some(({ subject }) => subject.startsWith('Cancelled'))) told = minute
    }
    expect(told).toBe(10)
  })

  it('are those of the entry in one’s calendar, which goes if the event does not take place', async () => {
    const course = await Course.begin({ places: 1 })
    await course.join('ann@mail.example')
    await course.join('ben@mail.example')
    const [confirmed] = entriesIn((await course.cron())[0])
    expect(confirmed).toMatchObject({ STATUS: 'CONFIRMED', DTSTART: '20261210T180000Z' })
    const tell = async (fields: object, time: string): Promise<Record<string, string | undefined>> => {
      await change(course, fields)
      setTime(time)
      const [ann, ben] = await course.cron()
      expect(ben?.attachments).toBeUndefined()
      const [entry] = entriesIn(ann)
      expect(entry?.UID).toBe(confirmed?.UID)
      return { ...entry, METHOD: methodIn(ann) }
    }
    const moved = await tell({ start_date: '2026-12-10 17:00:00' }, '2026-11-26T10:20:00Z')
    expect(moved).toMatchObject({ STATUS: 'CONFIRMED', DTSTART: '20261210T170000Z', METHOD: undefined })
    expect(Number(moved.SEQUENCE)).toBeGreaterThan(Number(confirmed?.SEQUENCE))
    const postponed = await tell({ event_status: 'postponed' }, '2026-11-26T10:40:00Z')
    expect(postponed).toMatchObject({ STATUS: 'TENTATIVE', METHOD: undefined })
    const off = await tell({ event_status: 'canceled' }, '2026-11-26T11:00:00Z')
    expect(off).toMatchObject({ STATUS: 'CANCELLED', DTSTART: '20261210T170000Z', METHOD: 'CANCEL' })
    expect(Number(off.SEQUENCE)).toBeGreaterThan(Number(postponed.SEQUENCE))
    const back = await tell({ event_status: 'scheduled' }, '2026-11-26T11:20:00Z')
    expect(back).toMatchObject({ STATUS: 'CONFIRMED', METHOD: undefined })
    expect(Number(back.SEQUENCE)).toBeGreaterThan(Number(off.SEQUENCE))
  })

  it('of some dates leave the others in one’s calendar, and newcomers get those that take place', async () => {
    const course = await Course.begin({ scope: 'series' }, { recurrence: 'FREQ=WEEKLY;COUNT=3' })
    await course.join('ann@mail.example')
    await course.cron()
    const ids = (await query('SELECT id FROM events ORDER BY start_date')).map(({ id }) => Number(id))
    await course.ask('PATCH', `/events/${ids[1]}`, { event_status: 'canceled' })
    await course.ask('DELETE', `/events/${ids[2]}?force=true`)
    setTime('2026-11-26T10:20:00Z')
    const [told] = await course.cron()
    expect(methodIn(told)).toBeUndefined()
    expect(entriesIn(told).map(({ DTSTART, STATUS }) => [DTSTART, STATUS])).toEqual([
      ['20261210T180000Z', 'CONFIRMED'],
      ['20261217T180000Z', 'CANCELLED'],
      ['20261224T180000Z', 'CANCELLED'],
    ])
    await course.join('ben@mail.example')
    expect(entriesIn((await course.cron())[0]).map(({ DTSTART }) => DTSTART)).toEqual(['20261210T180000Z'])
  })

  it('that come to nothing are told to nobody, nor is a corrected name', async () => {
    const course = await beginCourseOfTwo()
    await change(course, { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' })
    await change(course, {
      start_date: '2026-12-10 18:00:00',
      end_date: '2026-12-10 20:00:00',
      title: 'Bread',
    })
    await query("UPDATE venues SET name = 'The Mill'")
    setTime('2026-11-26T10:20:00Z')
    expect(await course.cron()).toEqual([])
  })

  it.each([
    [
      { venue: [] },
      'en',
      'No place is known yet for 10 December 2026, 18:00 (before: Mill, 1 Mill Lane, Kilkenny)',
    ],
    [
      { venue: [] },
      'de',
      'Noch kein Ort bekannt für den Termin am 10. Dezember 2026, 18:00\u00a0Uhr (bisher: Mill, 1 Mill Lane, Kilkenny)',
    ],
    [
      { venue: [] },
      'fr',
      'Pas encore de lieu le 10 décembre 2026, 18:00 (avant\u00a0: Mill, 1 Mill Lane, Kilkenny)',
    ],
    [{ venue: [], is_virtual: true }, 'en', 'New place on 10 December 2026, 18:00: Online'],
    [{ is_virtual: true }, 'es', 'Nuevo lugar el 10 de diciembre de 2026, 18:00: En línea'],
  ])('to no place or online are said in words: %o in %s', async (fields, language, line) => {
    const course = await Course.begin({ places: 1 })
    await course.join('ann@mail.example', { language })
    await course.cron()
    await change(course, fields)
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron()).map(({ text }) => linesIn(text))).toEqual([[line]])
    await change(course, {
      venue: { venue: 'Mill', address: '1 Mill Lane', city: 'Kilkenny' },
      is_virtual: false,
    })
    setTime('2026-11-26T10:40:00Z')
    expect(linesIn((await course.cron())[0]?.text ?? '')[0]).toContain('Mill, 1 Mill Lane, Kilkenny')
  })

  it.each(['once', 'twice'])('say nothing of a place that was merged %s into another one', async times => {
    const course = await beginCourseOfTwo()
    const merge = async (from: unknown, name: string) => {
      const { body } = await course.ask('POST', '/venues', { venue: name, city: 'Kilkenny' })
      expect((await course.ask('POST', `/venues/${from}/merge`, { into: body.id })).status).toBe(200)
      return body.id
    }
    const second = await merge(await queryValue('SELECT target_id FROM event_venues'), 'The Mill')
    if (times === 'twice') await merge(second, 'Old Mill')
    await query("UPDATE venues SET address = '1 Mill Lane'")
    setTime('2026-11-26T10:20:00Z')
    expect(await course.cron()).toEqual([])
    await change(course, { venue: { venue: 'Town Hall', city: 'Kilkenny' } })
    setTime('2026-11-26T10:40:00Z')
    expect((await course.cron()).length).toBe(2)
  })

  it.each([
    [{ event_status: 'canceled' }, 'Does not take place: 10 December 2026, 18:00'],
    [{ event_status: 'postponed' }, 'Postponed, without a new date yet: 10 December 2026, 18:00'],
  ])('to %o are told, and that it takes place after all', async (fields, line) => {
    const course = await beginCourseOfTwo()
    await change(course, fields)
    expect((await course.read()).body.state).toBe('closed')
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron()).map(({ text }) => linesIn(text))).toEqual([[line], [line]])
    await change(course, { event_status: 'scheduled' })
    setTime('2026-11-26T10:35:00Z')
    expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([
      'Takes place after all: 10 December 2026, 18:00',
    ])
  })

  it.each([
    [
      {},
      { end_date: '2026-12-10 23:00:00' },
      'en',
      '10 December 2026, 18:00–23:00 (before: 10 December 2026, 18:00–20:00)',
    ],
    [
      {},
      { end_date: '2026-12-11 01:00:00' },
      'de',
      '10. Dezember 2026, 18:00\u00a0Uhr – 11. Dezember 2026, 01:00\u00a0Uhr (bisher: 10. Dezember 2026, 18:00–20:00\u00a0Uhr)',
    ],
    [
      { all_day: true, end_date: '2026-12-12' },
      { end_date: '2026-12-13' },
      'en',
      '10–13 December 2026 (before: 10–12 December 2026)',
    ],
  ])('of the end alone name the new and the old end: %o, then %o', async (event, fields, language, line) => {
    const course = await Course.begin({}, event)
    await course.join('ann@mail.example', { language })
    await course.cron()
    await change(course, fields)
    setTime('2026-11-26T10:20:00Z')
    expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([expect.stringContaining(line)])
  })

  it.each([
    [{ all_day: true, start_date: '2026-12-18', end_date: '2026-12-20' }, '18–20 December 2026'],
    [
      { start_date: '2026-12-18 18:00:00', end_date: '2026-12-20 12:00:00' },
      '18 December 2026, 18:00 – 20 December 2026, 12:00',
      'Friday 18 December 2026, 18:00 – Sunday 20 December 2026, 12:00',
    ],
    // A night is of one day, and so is what ends within it.
    [
      { start_date: '2026-12-18 21:00:00', end_date: '2026-12-19 02:00:00' },
      '18 December 2026, 21:00',
      'Friday 18 December 2026, 21:00–02:00',
    ],
    [
      { start_date: '2026-12-18 18:00:00', end_date: '2026-12-19 00:00:00' },
      '18 December 2026, 18:00',
      'Friday 18 December 2026, 18:00–00:00',
    ],
    [
      { all_day: true, start_date: '2026-12-18', end_date: '2026-12-18' },
      '18 December 2026',
      'Friday 18 December 2026',
    ],
  ])(
    'say of %o when it ends, if that is another day, and pages always',
    async (event, when, there = when) => {
      const course = await Course.begin({}, event)
      const own = await course.join('ann@mail.example')
      await course.cron()
      const [first, confirmed] = course.outbox.mails.map(({ text }) => text)
      for (const text of [first, confirmed]) expect(text).toContain(`\nBread for beginners\n${when}\nMill, `)
      for (const path of [`/register/${course.id}/`, `/register/${course.id}/?sent=1`, own]) {
        const { html } = await course.browser().get(path)
        expect(html).toMatch(
          new RegExp(`<strong>Bread for beginners</strong><br><time [^>]*>${there}</time>`),
        )
      }
      await change(course, { event_status: 'canceled' })
      setTime('2026-11-26T10:20:00Z')
      expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([`Does not take place: ${when}`])
    },
  )

  it('and registrations have the name of a place as it was written', async () => {
    const place = { venue: 'Café <Nore> & Sons', address: '1 <Mill> Lane', city: 'Kilkenny' }
    const course = await Course.begin({}, { venue: place })
    await course.join('ann@mail.example')
    const [confirmed] = await course.cron()
    const written = 'Café <Nore> & Sons, 1 <Mill> Lane, Kilkenny'
    expect(course.outbox.mails.map(({ text }) => text.includes(written))).toEqual([true, true])
    expect(JSON.stringify(course.outbox.mails)).not.toMatch(/&amp;lt;/)
    expect(JSON.stringify(confirmed?.attachments)).not.toContain('&lt')
    await change(course, { venue: { ...place, venue: 'Inn <2>' } })
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron())[0]?.text).toContain(
      'New place on 10 December 2026, 18:00: Inn <2>, 1 <Mill> Lane',
    )
  })

  it.each([
    ['canceled', ['Takes place after all: 13 December 2026, 17:00']],
    ['postponed', []],
  ])('while it is %s are told with its new time and place', async (event_status, after) => {
    const course = await beginCourseOfTwo()
    await change(course, { event_status })
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron()).length).toBe(2)
    await change(course, { venue: { venue: 'Second Barn', address: '9 Far Road', city: 'Callan' } })
    setTime('2026-11-26T10:40:00Z')
    expect(await course.cron()).toEqual([])
    const times = { start_date: '2026-12-13 17:00:00', end_date: '2026-12-13 19:00:00' }
    await change(course, { ...times, event_status: 'rescheduled' })
    setTime('2026-11-26T11:00:00Z')
    expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([
      ...after,
      'New time: 13 December 2026, 17:00 (before: 10 December 2026, 18:00)',
      'New place on 13 December 2026, 17:00: Second Barn, 9 Far Road, Callan',
    ])
    setTime('2026-11-26T11:20:00Z')
    expect(await course.cron()).toEqual([])
  })

  it.each([
    ['canceled', 'Cancelled'],
    ['postponed', 'Postponed'],
  ])(
    'to %s have it in the subject, and the page of one’s registration has the reason',
    async (event_status, word) => {
      const course = await Course.begin({ places: 1 })
      const link = await course.join('ann@mail.example')
      await course.cron()
      await change(course, { event_status, event_status_reason: 'Teacher ill, <sorry' })
      setTime('2026-11-26T10:20:00Z')
      const [told] = await course.cron()
      expect(told?.subject).toBe(`${word}: Bread for beginners`)
      expect(told?.text).toContain('The organizer has given a reason.')
      expect((await course.browser().get(link)).html).toContain('<p>Teacher ill, &lt;sorry</p>')
      // Another reason is no news.
      await change(course, { event_status_reason: '' })
      setTime('2026-11-26T10:40:00Z')
      expect(await course.cron()).toEqual([])
    },
  )

  it('to one of several dates are no end of the course', async () => {
    const course = await Course.begin({ scope: 'series' }, { recurrence: 'FREQ=WEEKLY;COUNT=2' })
    await course.join('ann@mail.example')
    await course.cron()
    await change(course, { event_status: 'canceled', event_status_reason: 'Ill', scope: 'this' })
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual(['Changed: Bread for beginners'])
    await course.ask('PATCH', `/events/${course.id + 1}`, { event_status: 'canceled' })
    setTime('2026-11-26T10:40:00Z')
    expect((await course.cron()).map(({ subject }) => subject)).toEqual(['Cancelled: Bread for beginners'])
  })

  it('that move it to the trash are told as if it were cancelled, and people are kept and told when it is back', async () => {
    const course = await beginCourseOfTwo()
    expect((await course.ask('DELETE', `/events/${course.id}`)).status).toBe(200)
    setTime('2026-11-26T10:20:00Z')
    expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([
      'Does not take place: 10 December 2026, 18:00',
    ])
    await course.ask('POST', `/events/${course.id}`, { status: 'publish' })
    setTime('2026-11-26T10:40:00Z')
    expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([
      'Takes place after all: 10 December 2026, 18:00',
    ])
    expect(await course.people()).toEqual(['ann confirmed', 'ben waiting'])
  })

  it.each(['draft', 'pending', 'private', 'future'])(
    'of one that is hidden (%s) are told once it is public again, and nobody gets on its list before',
    async status => {
      const course = await beginCourseOfTwo()
      await course.register('cat@mail.example')
      const cat = ownLinkIn(course.outbox.last())
      const [ann = '', ben = ''] = course.outbox.mails
        .slice(0, 4)
        .map(ownLinkIn)
        .filter((_, i) => i % 2 === 0)
      const secret = {
        title: 'Secret act',
        start_date: '2026-12-13 17:00:00',
        end_date: '2026-12-13 19:00:00',
        venue: { venue: 'Secret place', city: 'Callan' },
      }
      await change(course, { ...secret, status, ...(status === 'future' && { date: '2026-12-01 10:00:00' }) })
      setTime('2026-11-26T10:20:00Z')
      expect(await course.cron()).toEqual([])
      for (const link of [ann, ben, cat]) {
        const { text } = await course.browser().get(link)
        expect(text).not.toMatch(/Secret|13 December|Cancelled/)
        expect(text).toContain('Bread for beginners')
        expect(text).toContain('10 December 2026, 18:00')
      }
      await course.press(cat, { do: 'confirm' })
      await course.press(ann, { do: 'leave' })
      expect(await course.people()).toEqual(['ben waiting'])
      await course.ask('PATCH', await course.pathOf('ben'), { places: 1, state: 'confirmed', over: true })
      const [told, ...others] = await course.cron()
      expect(others).toEqual([])
      expect(JSON.stringify(told)).not.toMatch(/Secret|13 December/)
      await change(course, { status: 'publish', date: '2026-11-26 10:00:00' })
      setTime('2026-11-26T10:40:00Z')
      expect((await course.cron()).map(({ subject, text }) => [subject, linesIn(text)])).toEqual([
        [
          'Changed: Secret act',
          [
            'New time: 13 December 2026, 17:00 (before: 10 December 2026, 18:00)',
            'New place on 13 December 2026, 17:00: Secret place, Callan',
          ],
        ],
      ])
    },
  )

  it('of one that was hidden say nothing of it in the trash but that it does not take place', async () => {
    const course = await beginCourseOfTwo()
    const link = ownLinkIn(course.outbox.mails[0] as (typeof course.outbox.mails)[0])
    await change(course, { status: 'draft', title: 'Secret act' })
    await course.ask('DELETE', `/events/${course.id}`)
    setTime('2026-11-26T10:20:00Z')
    const [told] = await course.cron()
    expect([told?.subject, linesIn(told?.text ?? '')]).toEqual([
      'Cancelled: Bread for beginners',
      ['Does not take place: 10 December 2026, 18:00'],
    ])
    const { text } = await course.browser().get(link)
    expect(text).toContain('Bread for beginners')
    expect(text).not.toContain('Secret')
  })

  it('of one that was entered by hand while it was hidden are told from the first who confirmed on', async () => {
    const course = await Course.begin({}, { status: 'draft' })
    expect((await course.read()).status).toBe(403)
    expect((await course.ask('GET', course.path)).body.state).toBe('soon')
    await course.ask('POST', `${course.path}s/by-hand`, { name: 'Ben' })
    await change(course, { status: 'publish' })
    await course.join('ann@mail.example')
    await change(course, { start_date: '2026-12-11 18:00:00', end_date: '2026-12-11 20:00:00' })
    setTime('2026-11-26T10:20:00Z')
    expect((await course.cron()).map(({ subject }) => subject.split(':')[0])).toEqual([
      'You are registered',
      'Changed',
    ])
  })

  it.each(['draft', 'private', 'pending', 'trash'])(
    'say nothing of a place that is hidden (%s), as the page of the event does',
    async status => {
      const course = await Course.begin({}, { venue: [] })
      const { body } = await course.ask('POST', '/venues', {
        venue: 'Private flat',
        address: '8 Home Road',
        status: status === 'trash' ? 'draft' : status,
      })
      await change(course, { venue: body.id })
      if (status === 'trash') await course.ask('DELETE', `/venues/${body.id}`)
      await course.join('ann@mail.example')
      await course.cron()
      expect(course.outbox.mails).toHaveLength(2)
      expect(JSON.stringify(course.outbox.mails)).not.toMatch(/Private flat|Home Road/)
      await course.ask('POST', `/venues/${body.id}`, { status: 'publish' })
      setTime('2026-11-26T10:20:00Z')
      expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([
        'New place on 10 December 2026, 18:00: Private flat, 8 Home Road',
      ])
    },
  )

  it('deleted for good are told once, and everything is erased', async () => {
    const course = await beginCourseOfTwo()
    await course.ask('DELETE', `/events/${course.id}`)
    await course.ask('DELETE', `/events/${course.id}?force=true`)
    const told = await course.cron()
    expect(told.map(({ to, subject }) => [to, subject])).toEqual([
      ['ann@mail.example', 'Registration has ended: Bread for beginners'],
      ['ben@mail.example', 'Registration has ended: Bread for beginners'],
    ])
    expect(told[0]?.text).toContain('10 December 2026, 18:00')
    setTime('2026-11-26T10:20:00Z')
    expect(await course.cron()).toEqual([])
    expect(
      await queryValue('SELECT (SELECT count(*) FROM registrants) + (SELECT count(*) FROM registrations)'),
    ).toBe(0)
  })
})

describe('the end of a registration', () => {
  const WEEKLY = { recurrence: 'FREQ=WEEKLY;COUNT=2', start_date: '2026-12-01 18:00:00' }

  it.each([
    ['that is deleted', {}, {}, ({ path }: Course) => `${path}?confirm=1`, ['10 December 2026, 18:00']],
    [
      'of an event that is deleted for good',
      {},
      {},
      ({ id }: Course) => `/events/${id}?force=true`,
      ['10 December 2026, 18:00'],
    ],
    [
      'of all dates of a series',
      { ...WEEKLY, end_date: '2026-12-01 20:00:00' },
      { scope: 'series' },
      ({ path }: Course) => `${path}?confirm=1`,
      ['1 December 2026, 18:00', '8 December 2026, 18:00'],
    ],
    [
      'of a series that is deleted for good',
      { ...WEEKLY, end_date: '2026-12-01 20:00:00' },
      { scope: 'series' },
      ({ id }: Course) => `/events/${id}?scope=all&force=true`,
      ['1 December 2026, 18:00', '8 December 2026, 18:00'],
    ],
  ] as const)('%s names its own dates to its own people', async (_, event, settings, pathOf, dates) => {
    const course = await Course.begin({}, { title: 'Another one', status: 'draft' })
    const make = async (title: string, fields: object, own: object) => {
      const times = { start_date: '2026-12-10 18:00:00', end_date: '2026-12-10 20:00:00' }
      const { body } = await course.ask('POST', '/events', { title, status: 'publish', ...times, ...fields })
      course.id = body.id
      await course.ask('PUT', course.path, own)
      await course.join(`${title.toLowerCase()}@mail.example`)
    }
    await make('Cake', {}, {})
    await make('Pie', event, settings)
    await course.cron()
    expect((await course.ask('DELETE', pathOf(course))).status).toBe(200)
    const [told, ...others] = await course.cron()
    expect([told?.to, told?.subject, others]).toEqual(['pie@mail.example', 'Registration has ended: Pie', []])
    expect(told?.text.match(/^\d+ December.*/gm)).toEqual(dates)
    expect(told?.text).not.toMatch(/Another one|Cake/)
  })

  it('names the dates as people knew them if these are deleted for good one after the other', async () => {
    const course = await Course.begin({ scope: 'series' }, { recurrence: 'FREQ=WEEKLY;COUNT=2' })
    await course.join('ann@mail.example')
    await course.cron()
    for (const { id } of await query('SELECT id FROM events'))
      await course.ask('DELETE', `/events/${id}?force=true`)
    const [told] = await course.cron()
    expect(told?.subject).toBe('Registration has ended: Bread for beginners')
    expect(told?.text).toContain('10 December 2026, 18:00')
  })

  it('tells nobody of a registration without people', async () => {
    const course = await beginCourseOfTwo()
    const { body } = await course.ask('POST', '/events', {
      title: 'Cake',
      start_date: '2026-12-10 18:00:00',
      end_date: '2026-12-10 20:00:00',
    })
    course.id = body.id
    await course.ask('PUT', course.path, {})
    expect((await course.ask('DELETE', course.path)).status).toBe(200)
    expect(await course.cron()).toEqual([])
  })
})

describe('an event for which people register', () => {
  it('gives a copy its settings, open again, and none of its people', async () => {
    const settings = { places: 7, per_person: 3, waiting_list: false, question: 'Why?', closed: true }
    const course = await beginCourseOfTwo()
    const times = { opens: '2026-12-01 08:00:00', closes: '2026-12-09 09:00:00' }
    await course.ask('PUT', course.path, { ...settings, ...times })
    const { body } = await course.ask('POST', `/events/${course.id}/duplicate`, {
      start_date: '2027-06-10 18:00:00',
    })
    const copy = await course.ask('GET', `/events/${body.id}/registration`)
    expect(copy.body).toMatchObject({
      ...settings,
      closed: false,
      opens: '2027-06-01 08:00:00',
      closes: '2027-06-09 09:00:00',
      taken: 0,
      waiting: 0,
    })
    const numbers = 'id, event_id, version, closed, taken, waiting, told, former, tickets, tickets_utc'
    const [original, ofCopy] = await query('SELECT * FROM registrations ORDER BY id')
    const differing = Object.keys(original ?? {}).filter(name => original?.[name] !== ofCopy?.[name])
    expect(numbers.split(', ')).toEqual(expect.arrayContaining(differing))
  })

  it('says nothing of its places in lists and feeds while it is postponed', async () => {
    const course = await Course.begin({ places: 20 })
    await change(course, { event_status: 'postponed' })
    for (const path of ['/events/digest.txt?days=30', `/events/${course.id}.ics`]) {
      const { text } = await course.visit('GET', path)
      expect(text).toContain('Bread for beginners')
      expect(text).not.toContain('Tickets available')
    }
  })

  it('says what is left, at most once in ten minutes', async () => {
    const course = await Course.begin({ places: 20, per_person: 20 })
    const tickets = async () => (await course.ask('GET', `/events/${course.id}`)).body.ticket_availability
    await course.join('ann@mail.example', { places: 18 })
    await course.cron()
    expect(await tickets()).toBe('available')
    setTime('2026-11-26T10:11:00Z')
    await course.cron()
    expect(await tickets()).toBe('few')
    await course.join('ben@mail.example', { places: 2 })
    setTime('2026-11-26T10:22:00Z')
    await course.cron()
    expect(await tickets()).toBe('waitlist')
    await course.ask('PUT', course.path, { waiting_list: false })
    expect(await tickets()).toBe('sold_out')
  })

  it.each([
    [100, { places: 20 }, 'available'],
    [20, { per_person: 19 }, 'few'],
  ])(
    'says it even if two write it at once, with %s places, changed to %o',
    async (places, settings, before) => {
      const course = await Course.begin({ places, per_person: 18 })
      const tickets = async () => (await course.ask('GET', `/events/${course.id}`)).body.ticket_availability
      const ann = await course.join('ann@mail.example', { places: 18 })
      setTime('2026-11-26T10:11:00Z')
      await course.cron()
      expect(await tickets()).toBe(before)
      const beforeWrite = async () => {
        await course.ask('PUT', course.path, { places: 18, waiting_list: false })
        expect(await tickets()).toBe('sold_out')
        await course.press(ann, { do: 'save', places: '17' })
      }
      const { DB } = faultyD1({ beforeWrite, of: /\bset "?tickets"? =/i })
      expect((await course.ask('PUT', course.path, settings, undefined, { DB })).status).toBe(200)
      expect(await query('SELECT places - taken AS left FROM registrations')).toEqual([{ left: 1 }])
      setTime('2026-11-26T10:22:00Z')
      await course.cron()
      expect(await tickets()).toBe('few')
    },
  )

  it('says nothing of places once its registration has ended, even at the same moment', async () => {
    const course = await Course.begin({ places: 1 }, { ticketed: true, ticket_availability: 'available' })
    await course.join('ann@mail.example')
    const beforeWrite = () => course.ask('DELETE', `${course.path}?confirm=1`)
    const { DB } = faultyD1({ beforeWrite, of: /\bset "tickets" =/i })
    await runCron(course.outbox, '2026-11-26T10:11:00Z', { DB })
    expect(await countRows('registrations')).toBe(0)
    expect((await course.ask('GET', `/events/${course.id}`)).body.ticket_availability).toBe('available')
  })

  it('lets nobody change what it says of its tickets until the registration is deleted', async () => {
    const course = await Course.begin({ places: 12 })
    for (const fields of [
      { ticketed: false },
      { ticket_availability: 'sold_out' },
      { ticket_availability: '' },
    ]) {
      const { status, body } = await change(course, { title: 'New', ...fields })
      expect([status, Object.keys(body.data.params)]).toEqual([400, Object.keys(fields)])
    }
    const same = { ticketed: true, ticket_availability: 'available' }
    expect((await change(course, { title: 'Same', ...same })).body).toMatchObject({ title: 'Same', ...same })
    await course.ask('DELETE', course.path)
    expect((await change(course, { ticket_availability: 'few' })).body).toMatchObject({
      ticket_availability: 'few',
    })
  })

  it('has people who wait move up, however many lists nobody can move up on', async () => {
    const course = await beginCourseOfTwo()
    await query(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 30)
      INSERT INTO registrations (id, event_id, places, waiting, tickets, api) SELECT -n, 1000 + n, 5, 1, 'waitlist', '' FROM n`)
    await query('UPDATE registrations SET places = 2 WHERE id > 0')
    // A run gets as far as one of them, any: 500 runs miss this one once in ten million times.
    for (let twoRuns = 0; twoRuns < 250 && (await course.people())[1] !== 'ben confirmed'; twoRuns++)
      await course.cron()
    expect(await course.people()).toEqual(['ann confirmed', 'ben confirmed'])
  })

  it('forgets people some days after its end', async () => {
    const course = await beginCourseOfTwo()
    setTime('2027-01-09T19:53:00Z')
    await course.cron()
    expect(await queryValue('SELECT count(*) FROM registrants')).toBe(2)
    setTime('2027-01-09T20:03:00Z')
    await course.cron()
    expect(await queryValue('SELECT count(*) FROM registrants')).toBe(0)
  })
})

describe('a course of several dates', () => {
  const WEEKLY = { recurrence: 'FREQ=WEEKLY;COUNT=3' }
  const begin = () => Course.begin({ scope: 'series', places: 5 }, WEEKLY)

  it('has one registration for all dates, which can’t be divided while there are people', async () => {
    const course = await begin()
    const ids = await query('SELECT id FROM events ORDER BY id')
    expect(ids).toHaveLength(3)
    for (const { id } of ids)
      expect((await course.ask('GET', `/events/${id}/registration`)).body).toMatchObject({
        scope: 'series',
        places: 5,
      })
    await course.join('ann@mail.example')
    expect(await course.ask('PUT', course.path, { scope: 'event' })).toMatchObject({ status: 400 })
    const divided = await course.ask('PATCH', `/events/${ids[1]?.id}`, { title: 'Later', scope: 'following' })
    expect(divided).toMatchObject({ status: 409, body: { code: 'rest_event_protected' } })
    const endless = await change(course, { recurrence: 'FREQ=WEEKLY', scope: 'all' })
    expect(endless).toMatchObject({ status: 409, body: { code: 'rest_event_protected' } })
  })

  it('in the trash keeps its people, who can give back, and takes nobody', async () => {
    const course = await begin()
    const ann = await course.join('ann@mail.example')
    const ben = await course.join('ben@mail.example')
    await course.cron()
    expect((await course.ask('DELETE', `/events/${course.id}?scope=all`)).status).toBe(200)
    expect((await course.browser().get(ann)).status).toBe(200)
    expect((await course.ask('PATCH', await course.pathOf('ben'), { came: true })).status).toBe(200)
    await course.press(ann, { do: 'leave' })
    expect(await course.people()).toEqual(['ben confirmed'])
    expect((await course.register('cat@mail.example')).status).not.toBe(202)
    await course.ask('POST', `/events/${course.id}`, { status: 'publish' })
    expect((await course.browser().get(ben)).status).toBe(200)
    expect((await course.read()).body.state).toBe('open')
  })

  it('has the date that comes next on the own page, while others are in the trash', async () => {
    const course = await begin()
    const link = await course.join('ann@mail.example')
    await course.ask('DELETE', `/events/${course.id}`)
    const { text } = await course.browser().get(link)
    expect(text).toContain('17 December 2026, 18:00–20:00 Mill, 1 Mill Lane, Kilkenny All dates together')
    expect(text).toContain('All dates 10 December 2026, 18:00 Cancelled 17 December 2026, 18:00 24 December')
  })

  it.each(['all', 'following'])(
    'can’t become a single event while there are people, with the scope %s',
    async scope => {
      const course = await begin()
      const second = (await query('SELECT id FROM events ORDER BY id'))[1]?.id
      const end = () => course.ask('PATCH', `/events/${second}`, { recurrence: '', scope })
      const link = await course.join('ann@mail.example')
      await course.cron()
      expect(await end()).toMatchObject({ status: 409, body: { code: 'rest_event_protected' } })
      expect((await course.read()).body.state).toBe('open')
      expect((await course.browser().get(link)).status).toBe(200)
      setTime('2026-11-26T10:20:00Z')
      expect(await course.cron()).toEqual([])
      // Somebody who has not confirmed is on no list.
      await course.press(link, { do: 'leave' })
      await course.register('ben@mail.example')
      expect((await end()).status).toBe(200)
    },
  )

  it('in which each date has its own registration can become a single event with its people', async () => {
    const course = await Course.begin({ places: 5 }, WEEKLY)
    const link = await course.join('ann@mail.example')
    await course.cron()
    expect((await change(course, { recurrence: '', scope: 'all' })).status).toBe(200)
    expect((await course.browser().get(link)).status).toBe(200)
    expect((await course.ask('PATCH', await course.pathOf('ann'), { came: true })).status).toBe(200)
    setTime('2026-11-26T10:20:00Z')
    expect(await course.cron()).toEqual([])
  })

  it('tells which date is added, as in place of one that is left out', async () => {
    const course = await begin()
    await course.join('ann@mail.example')
    await course.cron()
    const recurrence = {
      rrule: 'FREQ=WEEKLY;COUNT=3',
      exdate: ['2026-12-17 18:00:00'],
      rdate: ['2027-01-07 18:00:00'],
    }
    expect((await change(course, { recurrence, scope: 'all' })).status).toBe(200)
    setTime('2026-11-26T10:20:00Z')
    expect(linesIn((await course.cron())[0]?.text ?? '')).toEqual([
      'Does not take place: 17 December 2026, 18:00',
      'Additional date: 7 January 2027, 18:00, Mill, 1 Mill Lane, Kilkenny',
    ])
  })

  it('says nothing to strangers of a date that is hidden, nor on which days it begins and ends', async () => {
    const course = await begin()
    const ann = await course.join('ann@mail.example')
    await course.cron()
    const third = (await query('SELECT id FROM events ORDER BY id'))[2]?.id
    await course.ask('PATCH', `/events/${third}`, { status: 'draft' })
    setTime('2026-11-26T10:20:00Z')
    expect(await course.cron()).toEqual([])
    const { text } = await course.browser().get(`/register/${course.id}/`)
    expect(text).toContain('from 10 December 2026 to 17 December 2026')
    await course.register('ben@mail.example')
    expect(course.outbox.last().text).not.toContain('24 December')
    await course.ask('DELETE', `/events/${course.id}?scope=all`)
    expect((await course.browser().get(ann)).text).toContain('from 10 December 2026 to 24 December 2026')
  })

  it.each([
    [10, 'en', undefined],
    [11, 'de', 'und 1 weiterer Termin am 18. Februar 2027'],
    [12, 'en', 'and 2 more dates, until 25 February 2027'],
    [12, 'fr', 'et 2 autres dates, jusqu’au 25 février 2027'],
  ])(
    'of %s dates names ten in e-mails, and says how many there are besides: %s',
    async (count, language, more) => {
      const event = { recurrence: `FREQ=WEEKLY;COUNT=${count}`, venue: [] }
      const course = await Course.begin({ scope: 'series' }, event)
      const own = await course.join('ann@mail.example', { language })
      await course.cron()
      expect(course.outbox.mails).toHaveLength(2)
      for (const { text } of course.outbox.mails) {
        const [, ...lines] =
          text
            .split('\n\n')
            .find(part => part.startsWith('Bread'))
            ?.split('\n') ?? []
        expect([lines.length, lines[10]]).toEqual([more ? 11 : 10, more])
      }
      const { text } = await course.browser().get(own)
      expect(text.match(/\p{L}+ (?:2026|2027)(?:,| à) 18[:h]00/gu)).toHaveLength(count + 1)
    },
  )

  it('names dates in order, and those in e-mails alone that take place', async () => {
    const course = await begin()
    const [first, second] = await query('SELECT id FROM events ORDER BY id')
    const moved = { start_date: '2026-12-31 18:00:00', end_date: '2026-12-31 20:00:00' }
    await course.ask('PATCH', `/events/${first?.id}`, moved)
    const ann = await course.join('ann@mail.example')
    await course.cron()
    await course.ask('PATCH', `/events/${second?.id}`, { event_status: 'canceled' })
    setTime('2026-11-26T10:20:00Z')
    await course.cron()
    await course.join('ben@mail.example')
    expect(course.outbox.last().text.match(/\d+ December/g)).toEqual(['24 December', '31 December'])
    expect((await course.browser().get(ann)).text).toMatch(
      /All dates 17 December 2026, 18:00 Cancelled 24 December 2026, 18:00 31 December 2026, 18:00/,
    )
  })

  it('tells which date is left out or moved', async () => {
    const course = await begin()
    await course.join('ann@mail.example')
    await course.cron()
    const [, second, third] = await query('SELECT id FROM events ORDER BY id')
    await course.ask('PATCH', `/events/${second?.id}`, {
      start_date: '2026-12-18 18:00:00',
      end_date: '2026-12-18 20:00:00',
    })
    await course.ask('DELETE', `/events/${third?.id}`)
    setTime('2026-11-26T10:20:00Z')
    const [told, ...others] = await course.cron()
    expect(others).toEqual([])
    expect(linesIn(told?.text ?? '')).toEqual([
      'New time: 18 December 2026, 18:00 (before: 17 December 2026, 18:00)',
      'Does not take place: 24 December 2026, 18:00',
    ])
  })

  it.each([
    ['one after the other', false],
    ['at once', true],
  ])(
    'has one registration for all dates only once, if two dates that have their own ask for it %s',
    async (_, isAtOnce) => {
      const course = await Course.begin({ places: 5 }, WEEKLY)
      const other = `/events/${(await query('SELECT max(id) AS id FROM events'))[0]?.id}/registration`
      await course.ask('PUT', other, { places: 7 })
      const ask = (path: string, DB?: D1Database) =>
        course.ask('PATCH', path, { scope: 'series' }, undefined, DB && { DB })
      const first = () => ask(course.path)
      if (!isAtOnce) await first()
      const { DB } = faultyD1(isAtOnce ? { beforeWrite: first } : {})
      expect(await ask(other, DB)).toMatchObject({
        status: 400,
        body: { data: { details: { scope: { code: 'registered_together' } } } },
      })
      const read = async (path: string) => (await course.ask('GET', path)).body
      expect([await read(course.path), await read(other)]).toMatchObject([
        { scope: 'series', places: 5 },
        { scope: 'event', places: 7 },
      ])
      // Without its own, the date has that of all.
      await course.ask('DELETE', other)
      expect(await read(other)).toMatchObject({ scope: 'series', places: 5 })
      expect(await ask(other)).toMatchObject({ status: 200 })
    },
  )

  it('whose first date is moved behind the others begins and ends by time', async () => {
    const course = await begin()
    expect((await course.ask('PUT', course.path, { closes: '2026-12-24 12:00:00' })).status).toBe(200)
    const link = await course.join('ann@mail.example')
    const moved = await change(course, { start_date: '2026-12-31 18:00:00', end_date: '2026-12-31 20:00:00' })
    expect(moved.status).toBe(200)
    // Two weeks after the first date, which is on the 17th now.
    expect((await course.read()).body).toMatchObject({ state: 'open', closes: '2026-12-31 12:00:00' })
    const nextDate = async () => /\d+ December 2026, 18:00/.exec((await course.browser().get(link)).text)?.[0]
    expect(await nextDate()).toBe('17 December 2026, 18:00')
    expect((await course.ask('PUT', course.path, { closes: '2026-12-31 20:00:00' })).status).toBe(200)
    expect((await course.ask('PUT', course.path, { closes: '2026-12-31 20:00:01' })).status).toBe(400)
    setTime('2026-12-24T20:01:00Z')
    expect((await course.read()).body.state).toBe('open')
    expect(await nextDate()).toBe('31 December 2026, 18:00')
    setTime('2026-12-31T20:01:00Z')
    expect((await course.read()).body.state).toBe('closed')
  })

  it('whose last date is moved before the others closes when that one begins', async () => {
    const course = await begin()
    const third = (await query('SELECT id FROM events ORDER BY id'))[2]?.id
    await course.ask('PATCH', `/events/${third}`, {
      start_date: '2026-12-02 18:00:00',
      end_date: '2026-12-02 20:00:00',
    })
    setTime('2026-12-02T17:59:00Z')
    expect((await course.read()).body.state).toBe('open')
    setTime('2026-12-02T18:01:00Z')
    expect((await course.read()).body.state).toBe('closed')
  })

  it.each([
    [['canceled', 'canceled', 'canceled'], 'closed'],
    [['canceled', 'postponed', 'canceled'], 'closed'],
    [['canceled', 'canceled', 'rescheduled'], 'open'],
    [['scheduled', 'canceled', 'canceled'], 'open'],
  ])('with dates that are %j, one by one, is %s', async (statuses, state) => {
    const course = await begin()
    await course.register('ann@mail.example')
    const link = ownLinkIn(course.outbox.last())
    const dates = await query('SELECT id FROM events ORDER BY id')
    for (const [i, event_status] of statuses.entries())
      await course.ask('PATCH', `/events/${dates[i]?.id}`, { event_status })
    expect((await course.read()).body.state).toBe(state)
    expect((await course.register('ben@mail.example')).status).toBe(state === 'open' ? 202 : 403)
    await course.press(link, { do: 'confirm' })
    expect(await course.people()).toEqual(state === 'open' ? ['ann confirmed'] : [])
  })

  it('needs an end', async () => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY' })
    expect(await course.ask('PUT', course.path, { scope: 'series' })).toMatchObject({
      status: 400,
      body: { data: { params: { scope: expect.anything() } } },
    })
  })
})

describe('organizers', () => {
  it('enter people by hand, who get no e-mail, over the limit only if they say so', async () => {
    const course = await Course.begin({ places: 2 })
    const enter = (json: object) => course.ask('POST', `${course.path}s/by-hand`, json)
    expect((await enter({ name: 'Ann', places: 2 })).body).toEqual({ id: expect.any(Number), places: 2 })
    expect((await enter({ name: 'Ben' })).status).toBe(409)
    expect((await enter({ name: '\u200b', over: true })).status).toBe(400)
    expect((await enter({ name: 'Ben', over: true })).status).toBe(201)
    expect(await course.cron()).toEqual([])
    expect((await course.ask('GET', course.path)).body).toMatchObject({ taken: 3 })
  })

  it('list, change, mark and remove people, who are told of what concerns them', async () => {
    const course = await Course.begin({ places: 2, question: 'Why?' })
    await course.join('ann@mail.example', { answer: '=1+1' })
    await course.join('ben@mail.example')
    await course.join('cat@mail.example')
    await course.cron()
    const { body } = await course.ask('GET', `${course.path}s?per_page=2`)
    expect({
      total: body.total,
      total_pages: body.total_pages,
      names: body.registrations.map((person: { name: string }) => person.name),
    }).toEqual({ total: 3, total_pages: 2, names: ['ann', 'ben'] })
    const csv = await course.ask('GET', `${course.path}s.csv`)
    expect(csv.text).toContain("ann,ann@mail.example,1,Has a place,'=1+1,No,2026-11-26 10:00:00")
    const ann = await course.pathOf('ann')
    expect((await course.ask('PATCH', ann, { came: true })).body).toMatchObject({ came: true })
    expect(await course.cron()).toEqual([])
    expect((await course.ask('PATCH', ann, { places: 2 })).status).toBe(409)
    expect((await course.ask('PATCH', ann, { places: 2, over: true })).body).toMatchObject({
      places: 2,
      came: true,
    })
    expect((await course.ask('DELETE', ann)).status).toBe(200)
    expect(await course.people()).toEqual(['ben confirmed', 'cat confirmed'])
    // She isn't told of the places that she no longer has.
    expect((await course.cron()).map(({ to, subject }) => `${to} ${subject.split(':')[0]}`)).toEqual([
      'ann@mail.example You are no longer registered',
      'cat@mail.example There is a place for you',
    ])
  })

  it('change the number of places, which an e-mail says along with the one before', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    await course.join('ann@mail.example', { places: 3 })
    await course.join('ben@mail.example', { places: 2 })
    await course.cron()
    for (const name of ['ann', 'ben'])
      await course.ask('PATCH', await course.pathOf(name), { places: 4, over: true })
    const [ann, ben] = await course.cron()
    expect(ann?.text).toContain('changed the number of your places for:')
    expect(ann?.text).toContain('Number of people: 4 (before: 3)')
    expect(ann?.attachments).toHaveLength(1)
    expect(ben?.text).toContain('changed the number of places that you are waiting for:')
    expect(ben?.text).toContain('Number of people: 4 (before: 2)')
    expect(ben?.attachments).toBeUndefined()
  })

  it('take somebody off the waiting list, whom the e-mail tells so', async () => {
    const course = await Course.begin({ places: 1 })
    await course.join('ann@mail.example')
    await course.join('ben@mail.example')
    await course.cron()
    await course.ask('DELETE', await course.pathOf('ben'))
    const [ben] = await course.cron()
    expect(ben?.subject).toBe('You are no longer on the waiting list: Bread for beginners')
    expect(ben?.text).toContain('The organizer has taken you off the waiting list for:')
  })

  it('let somebody in before others, and nobody is thrown out when there are fewer places', async () => {
    const course = await Course.begin({ places: 1 })
    await course.join('ann@mail.example')
    await course.join('ben@mail.example')
    await course.join('cat@mail.example')
    const cat = await course.pathOf('cat')
    expect((await course.ask('PATCH', cat, { state: 'confirmed' })).status).toBe(409)
    await course.ask('PATCH', cat, { state: 'confirmed', over: true })
    expect(await course.people()).toEqual(['ann confirmed', 'ben waiting', 'cat confirmed'])
    expect((await course.ask('GET', course.path)).body).toMatchObject({ places: 1, taken: 2, waiting: 1 })
    await course.ask('PUT', course.path, { places: 3 })
    expect(await course.people()).toEqual(['ann confirmed', 'ben confirmed', 'cat confirmed'])
  })

  it('pass over those who wait for more places than there still are, until they ask for fewer', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    const ann = await course.join('ann@mail.example', { places: 3 })
    const ben = await course.join('ben@mail.example', { places: 3 })
    await course.join('cat@mail.example')
    await course.ask('PATCH', course.path, { places: 2 })
    await course.press(ann, { do: 'leave' })
    expect(await course.people()).toEqual(['ben waiting', 'cat confirmed'])
    await course.join('dan@mail.example')
    expect(await course.people()).toEqual(['ben waiting', 'cat confirmed', 'dan confirmed'])
    // Both can do something about it.
    const { browser } = await signIn('administrator')
    expect((await browser.get(`/admin/registrations/${course.id}/`)).text).toContain(
      'ben is waiting for 3 places, which is more than there are now',
    )
    expect((await course.browser().get(ben)).text).toContain(
      'You are waiting for more places than there are now.',
    )
    await course.press(await course.join('eve@mail.example'), { do: 'leave' })
    await course.ask('DELETE', await course.pathOf('cat'))
    await course.press(ben, { do: 'save', places: '1' })
    expect(await course.people()).toEqual(['ben confirmed', 'dan confirmed'])
  })
})

describe('people on the list', () => {
  it('change the number on their own pages: more only while it is free, and nobody waits', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    const ann = await course.join('ann@mail.example')
    expect(await course.press(ann, { do: 'save', places: '3' })).toBe('saved')
    await course.join('ben@mail.example')
    expect(await course.press(ann, { do: 'save', places: '2' })).toBe('saved')
    expect(await course.people()).toEqual(['ann confirmed', 'ben confirmed'])
    expect(await course.press(ann, { do: 'save', places: '3' })).toBe('422')
  })

  it.each([
    ['joins', '422', 1],
    ['leaves', 'saved', 2],
  ])('take more places while somebody %s the waiting list: %s', async (act, outcome, places) => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    const ann = await course.join('ann@mail.example')
    await course.register('ben@mail.example', { places: 3 })
    const ben = ownLinkIn(course.outbox.last())
    const press = (button: string) => course.press(ben, { do: button })
    if (act === 'leaves') await press('confirm')
    const beforeWrite = () => press(act === 'leaves' ? 'leave' : 'confirm')
    course.outbox.bindings = { ...course.outbox.bindings, DB: faultyD1({ beforeWrite }).DB }
    expect(await course.press(ann, { do: 'save', places: '2' })).toBe(outcome)
    expect(await query("SELECT places FROM registrants WHERE name = 'ann'")).toEqual([{ places }])
  })

  it('take no more places on their own pages once nobody can register, but give some back', async () => {
    const course = await Course.begin({ places: 9, per_person: 4 })
    const ann = await course.join('ann@mail.example', { places: 2 })
    await course.ask('PATCH', course.path, { closed: true })
    expect((await course.browser().get(ann)).text).not.toContain('value="3"')
    expect(await course.press(ann, { do: 'save', places: '3' })).toBe('422')
    expect(await course.press(ann, { do: 'save', places: '1' })).toBe('saved')
    expect(await query('SELECT places FROM registrants')).toEqual([{ places: 1 }])
  })

  it('are in a spreadsheet in the order in which they have registered', async () => {
    const course = await Course.begin({ places: 1 })
    for (const name of ['ann', 'ben', 'cat']) await course.join(`${name}@mail.example`)
    await course.ask('PATCH', await course.pathOf('cat'), { state: 'confirmed', over: true })
    const { text } = await course.ask('GET', `${course.path}s.csv`)
    expect(text.match(/^\w+,.*?(?:Has a place|Waiting list)/gm)).toEqual([
      'ann,ann@mail.example,1,Has a place',
      'ben,ben@mail.example,1,Waiting list',
      'cat,cat@mail.example,1,Has a place',
    ])
  })

  it.each([true, false])(
    'do not make a date look full while only those who are passed over wait, whether others can wait: %s',
    async waiting_list => {
      const course = await Course.begin({ places: 3, per_person: 3 })
      await course.join('ann@mail.example')
      await course.join('ben@mail.example', { places: 3 })
      await course.ask('PATCH', course.path, { places: 2, waiting_list })
      expect((await course.read()).body).toMatchObject({ state: 'open', left: 1 })
      const event = async () => (await course.ask('GET', `/events/${course.id}`)).body
      expect((await event()).ticket_availability).toBe('few')
      const page = async () => (await course.browser().get(`/register/${course.id}/`)).text
      expect(await page()).toContain('1 place is left.')
      await course.join('cat@mail.example')
      expect(await course.people()).toEqual(['ann confirmed', 'ben waiting', 'cat confirmed'])
      expect((await course.read()).body).toMatchObject({ state: waiting_list ? 'waiting' : 'full', left: 0 })
      setTime('2026-11-26T10:11:00Z')
      await course.cron()
      expect((await event()).ticket_availability).toBe(waiting_list ? 'waitlist' : 'sold_out')
    },
  )

  it.each([
    [{}, '', 'Name;E-Mail;Anzahl der Personen;Status;Antwort;Ist da;Angemeldet am', 'Hat einen Platz;;Nein;'],
    [
      { question: 'Pain ?' },
      '?language=fr',
      'Nom;E-mail;Nombre de personnes;Statut;Pain ?;Est là;Date d’inscription',
      'A une place;;Non;',
    ],
  ])(
    'are in a spreadsheet in the language of the calendar, or the one that is asked for: %o',
    async (settings, query, head, row) => {
      const course = await Course.begin(settings, {}, { LANGUAGE: 'de', TIMEZONE: 'Europe/Berlin' })
      await course.join('ann@mail.example')
      const lines = (await course.ask('GET', `${course.path}s.csv${query}`)).text.split('\r\n')
      expect(lines).toEqual([head, `ann;ann@mail.example;1;${row}2026-11-26 11:00:00`, ''])
      const { browser } = await signIn('administrator')
      const organizer = browser.with(course.outbox.bindings)
      const page = await organizer.get(`/admin/registrations/${course.id}/`)
      const link = /href="([^"]*)">Tabelle</.exec(page.html)?.[1] ?? ''
      const sheet = await organizer.get(link)
      expect(sheet.headers.get('content-type')).toContain('text/csv')
      expect(sheet.headers.get('content-disposition')).toBe('attachment; filename="registrations.csv"')
      expect(sheet.html).toBe((await course.ask('GET', `${course.path}s.csv?language=de`)).text)
    },
  )

  it('are no formulas in a spreadsheet, in full width either', async () => {
    const course = await Course.begin({ question: 'Why?', per_person: 2 })
    const names = ['=1+1', '＝1+1', '＋49', '－5', '＠SUM']
    for (const [i, name] of names.entries())
      await course.join(`p${i}@mail.example`, { name, answer: `b;${name}` })
    const { text } = await course.ask('GET', `${course.path}s.csv`)
    for (const name of names) expect(text).toContain(`\r\n'${name},`)
    for (const name of names) expect(text).toContain(`,"b;'${name}",`)
  })

  it('take more places while only those wait who are passed over', async () => {
    const course = await Course.begin({ places: 4, per_person: 4 })
    const ann = await course.join('ann@mail.example')
    await course.join('ben@mail.example', { places: 4 })
    expect(await course.press(ann, { do: 'save', places: '2' })).toBe('422')
    await course.ask('PATCH', course.path, { places: 3 })
    expect(await course.press(ann, { do: 'save', places: '2' })).toBe('saved')
    expect(await course.people()).toEqual(['ann confirmed', 'ben waiting'])
  })
})

describe('somebody who is changed by two at once', () => {
  /** A course of six places with ann on its list, whom a statement changes right before the next write. */
  const begin = async (meanwhile: string) => {
    const course = await Course.begin({ places: 6, per_person: 6 })
    const link = await course.join('ann@mail.example', { places: 2 })
    const path = await course.pathOf('ann')
    const { DB } = faultyD1({ beforeWrite: () => query(meanwhile) })
    course.outbox.bindings = { ...course.outbox.bindings, DB }
    return { course, link, path }
  }
  const OTHER_PLACES = 'UPDATE registrants SET places = 3'
  const REMOVED = 'DELETE FROM registrants'
  const FULL = 'UPDATE registrations SET places = 2'

  it.each([
    ['other places', OTHER_PLACES, 200, [4]],
    ['the same places', 'UPDATE registrants SET places = 4', 200, [4]],
    ['removed', REMOVED, 404, []],
    ['no places left', FULL, 409, [2]],
  ])('by an organizer: %s', async (_, meanwhile, status, places) => {
    const { course, path } = await begin(meanwhile)
    expect((await course.ask('PATCH', path, { places: 4 })).status).toBe(status)
    expect((await query('SELECT places FROM registrants')).map(row => row.places)).toEqual(places)
  })

  it.each([
    ['other places', OTHER_PLACES, 200, [{ places: 3, came: 1 }]],
    ['removed', REMOVED, 404, []],
  ])('by an organizer who marks who came: %s', async (_, meanwhile, status, rows) => {
    const { course, path } = await begin(meanwhile)
    expect((await course.ask('PATCH', path, { came: true })).status).toBe(status)
    expect(await query('SELECT places, came FROM registrants')).toEqual(rows)
  })

  it.each([
    ['other places', OTHER_PLACES, 'saved', [4]],
    ['removed', REMOVED, '410', []],
    ['no places left', FULL, '422', [2]],
  ])('on the own page: %s', async (_, meanwhile, outcome, places) => {
    const { course, link } = await begin(meanwhile)
    expect(await course.press(link, { do: 'save', places: '4' })).toBe(outcome)
    expect((await query('SELECT places FROM registrants')).map(row => row.places)).toEqual(places)
  })

  it('counts as one write, however often it is tried', async () => {
    const course = await Course.begin({ places: 5, per_person: 3 })
    const link = await course.join('ann@mail.example')
    const path = await course.pathOf('ann')
    const beforeWrite = () => course.ask('PATCH', path, { places: 2 })
    let counted = 0
    const limit = async () => ({ success: ++counted > 0 })
    const { DB } = faultyD1({ beforeWrite })
    const browser = new Browser({ ...course.outbox.bindings, DB, LOGIN_LIMIT: { limit } })
    const headers = { 'cf-connecting-ip': '198.51.100.7' }
    const press = (fields: Record<string, string>) => browser.post(link, fields, { headers })
    expect((await press({ do: 'save', places: '3' })).headers.get('location')).toBe(`${link}?saved=1`)
    expect(counted).toBe(1)
    await press({ do: 'leave' })
    expect(counted).toBe(1)
  })

  it('is let in once, by whoever is first', async () => {
    const { course, path } = await begin("UPDATE registrants SET state = 'confirmed'")
    await query("UPDATE registrants SET state = 'waiting'")
    const { status, body } = await course.ask('PATCH', path, { state: 'confirmed', came: true })
    expect([status, body]).toMatchObject([200, { state: 'confirmed', came: true }])
  })
})

describe('where the database fails', () => {
  /** Sends a request until it succeeds; at first its first write fails, then the second, if it has one. */
  const inSomeTries = async (course: Course, method: string, path: string, json?: object) => {
    for (const after of [0, 1]) {
      const { DB } = faultyD1({ message: 'D1_ERROR: disk is full: SQLITE_FULL', writesOnly: true, after })
      const { status } = await course.ask(method, path, json, undefined, { DB })
      // What follows a response may write as well.
      if (status === 200) return { status, tries: after + 1 }
      expect(status).toBe(503)
    }
    return { status: (await course.ask(method, path, json)).status, tries: 3 }
  }
  const ONE_WRITE = { status: 200, tries: 2 }

  it('a registration ends and its event says so, or neither happens', async () => {
    const course = await Course.begin({ places: 2 })
    await course.join('ann@mail.example')
    const isTicketed = () => queryValue('SELECT ticketed FROM events')
    expect(await isTicketed()).toBe(1)
    expect(await inSomeTries(course, 'DELETE', `${course.path}?confirm=1`)).toEqual(ONE_WRITE)
    expect([await isTicketed(), await queryValue('SELECT count(*) FROM registrations')]).toEqual([0, 0])
  })

  it('the question about an event stays if the event could not be moved to the trash', async () => {
    const course = await Course.begin({})
    await query(`UPDATE registrations SET asked = '{"e${course.id}": {"what": "trash"}}'`)
    const { DB } = faultyD1({ message: 'D1_ERROR: disk is full: SQLITE_FULL', writesOnly: true })
    const follow = (bindings: object = {}) =>
      course.ask('POST', `${course.path}/answer`, { follow: true }, undefined, bindings)
    expect((await follow({ DB })).status).toBe(503)
    expect((await course.ask('GET', course.path)).body.asked).toEqual([{ event: course.id, what: 'trash' }])
    expect((await follow()).body.asked).toEqual([])
    expect(await queryValue('SELECT status FROM events')).toBe('trash')
  })

  it('somebody is told of other places only once these are stored', async () => {
    const course = await Course.begin({ places: 5 })
    await course.join('ann@mail.example')
    await course.cron()
    expect(await inSomeTries(course, 'PATCH', await course.pathOf('ann'), { places: 2, came: true })).toEqual(
      ONE_WRITE,
    )
    expect(await query('SELECT places, came FROM registrants')).toEqual([{ places: 2, came: 1 }])
    expect((await course.cron()).map(({ subject }) => subject.split(':')[0])).toEqual([
      'Your places have changed',
    ])
  })
})

describe('a registration that the cron can’t work on', () => {
  /** Two courses with one person each on the list of the only place, of which the first one is bad. */
  const begin = async (fault: string) => {
    const course = await Course.begin({ places: 1 })
    const first = course.id
    const { body } = await course.ask('POST', '/events', {
      title: 'Cake',
      start_date: '2026-12-10 18:00:00',
      end_date: '2026-12-10 20:00:00',
      status: 'publish',
    })
    for (const id of [body.id, first]) {
      course.id = id
      await course.ask('PUT', course.path, { places: 1 })
      await course.join(`a${id}@mail.example`)
    }
    await course.cron()
    await query(fault)
    return { course, second: body.id }
  }

  it.each([
    ['whose dates can’t be read', "UPDATE registrations SET told = '[nothing' WHERE id = 1"],
    [
      'that the database refuses to change',
      `CREATE TRIGGER refused BEFORE UPDATE OF told ON registrations WHEN OLD.id = 1
        BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    ],
  ])('%s keeps nobody else from learning of changes', async (_, fault) => {
    const { course } = await begin(fault)
    await query("UPDATE events SET event_status = 'canceled'")
    const told: string[] = []
    for (const minute of [20, 25, 30]) {
      setTime(`2026-11-26T10:${minute}:00Z`)
      told.push(...(await course.cron()).map(({ subject }) => subject))
    }
    expect(told).toEqual(['Cancelled: Cake'])
  })

  it('is postponed when its event can’t say what is left, and others are not', async () => {
    const { course, second } =
      await begin(`CREATE TRIGGER refused BEFORE UPDATE OF tickets ON registrations WHEN OLD.id = 1
      BEGIN SELECT RAISE(ABORT, 'refused'); END`)
    setTime('2026-11-26T10:31:00Z')
    for (let run = 0; run < 4; run++) await course.cron()
    expect((await course.ask('GET', `/events/${second}`)).body.ticket_availability).toBe('waitlist')
    const [row] = await query('SELECT task, row_id, failures > 0 AS again FROM setbacks')
    expect(row).toEqual({ task: 'places of a registration', row_id: 1, again: 1 })
  })
})

it('e-mails to one person are sent in the order in which things happened', async () => {
  const course = await Course.begin({ places: 1 })
  const ann = await course.join('ann@mail.example')
  await course.join('ben@mail.example')
  await course.press(ann, { do: 'leave' })
  // The platform takes longer for the first one.
  course.outbox.onSend = async ({ subject }) => {
    if (subject.startsWith('Waiting list')) for (let turn = 0; turn < 50; turn++) await Promise.resolve()
  }
  expect((await course.cron()).map(({ subject }) => subject.split(':')[0])).toEqual([
    'Waiting list',
    'There is a place for you',
  ])
})

it('an e-mail that can’t be composed keeps no other from being sent, and is sent no more', async () => {
  const course = await Course.begin({ places: 9 })
  for (const name of ['ann', 'ben', 'cat']) await course.join(`${name}@mail.example`)
  await query("UPDATE registration_mails SET api = 'nowhere' WHERE email LIKE 'ann%'")
  const sent = await course.cron()
  expect(sent.map(({ to }) => to).sort()).toEqual(['ben@mail.example', 'cat@mail.example'])
  expect(await course.cron()).toEqual([])
})

describe('while the platform takes no e-mails, those that wait', () => {
  const begin = async () => {
    const course = await Course.begin()
    // More than are sent at the same time.
    await query(`INSERT INTO registration_mails (kind, registration_id, registrant_id, email, language, about, api)
      SELECT 'gone', 1, value, value || '@mail.example', 'en', (SELECT told FROM registrations), 'https://town.example' FROM json_each('[1,2,3,4,5,6,7]')`)
    course.outbox.onSend = async () => {
      throw Object.assign(new Error('Not today.'), { code: 'E_DAILY_LIMIT_EXCEEDED' })
    }
    expect(await course.cron()).toEqual([])
    return course
  }

  it('are sent once it takes some again', async () => {
    const course = await begin()
    setTime('2026-11-29T09:00:00Z')
    expect(await course.cron()).toEqual([])
    course.outbox.onSend = async () => {}
    setTime('2026-11-29T09:59:00Z')
    expect(await course.cron()).toHaveLength(7)
  })

  it('are erased after three days, with their addresses, and newer ones are not', async () => {
    const course = await begin()
    setTime('2026-11-28T10:00:00Z')
    await query(`INSERT INTO registration_mails (kind, registration_id, registrant_id, email, language, about, api)
      SELECT kind, registration_id, 8, '8@mail.example', language, about, api FROM registration_mails LIMIT 1`)
    for (const time of ['2026-11-28T10:10:00Z', '2026-11-29T09:50:00Z']) {
      setTime(time)
      await course.cron()
      expect(await countRows('registration_mails')).toBe(8)
    }
    setTime('2026-11-29T10:17:00Z')
    await course.cron()
    expect(await query('SELECT email FROM registration_mails')).toEqual([{ email: '8@mail.example' }])
  })
})

it('a run of the cron sends no more e-mails than it may make requests', async () => {
  await Course.begin()
  await query(`INSERT INTO registration_mails (kind, registration_id, registrant_id, email, language, about, api)
    SELECT 'gone', 1, value, value || '@mail.example', 'en', (SELECT told FROM registrations), 'https://town.example' FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12]')`)
  const db = new Database(env.DB)
  db.allowance.requests = 11
  const sent: unknown[] = []
  const mailer = {
    from: { email: 'events@town.example', name: 'Town Hall' },
    send: async (mail: unknown) => sent.push(mail),
  }
  await sendMails({ db, settings: settingsOf({}), mailer, nowMs: Date.now() })
  expect(sent).toHaveLength(10)
  expect(db.allowance.requests).toBe(1)
  expect([...db.allowance.postponed]).toEqual(['registrations'])
  expect(await queryValue('SELECT count(*) FROM registration_mails')).toBe(2)
})
