import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fieldsIn } from '../../editor/forms.ts'
import { signIn } from '../../editor/session.ts'
import { query, queryValue } from '../../factories.ts'
import { watchedD1 } from '../../watched-d1.ts'
import { Course } from './course.ts'

beforeEach(() => void vi.setSystemTime('2026-11-26T10:00:00Z'))

/** What the form of the settings sends as it is shown. */
function settingsIn(html: string): Record<string, string> {
  const form = html.match(/<form\b[^>]*>(?:(?!<form)[\s\S])*?name="question"[\s\S]*?<\/form>/)?.[0]
  return Object.fromEntries(Object.entries(fieldsIn(form ?? '')).map(([name, [value = '']]) => [name, value]))
}

/** The page of organizers, and its forms. */
async function opened(course: Course) {
  const { browser } = await signIn('editor')
  const organizer = browser.with(course.outbox.bindings)
  const path = `/admin/registrations/${course.id}/`
  const page = async (end = '') => (await organizer.get(path + end)).html
  await page()
  return {
    page,
    send: async (fields: Record<string, string>, end = '') => {
      const { status } = await organizer.post(path + end, fields)
      return status
    },
    /** The page that shows a refused form again. */
    refusal: async (fields: Record<string, string>, end = '') => {
      const { status, html } = await organizer.post(path + end, fields)
      expect(status).toBe(422)
      return html
    },
  }
}

const SETTINGS = {
  places: '12',
  per_person: '2',
  opens: '',
  closes: '2026-12-09T18:00',
  waiting_list: '1',
  question: 'Why?',
}

it('the form of an event says what the calendar does of its tickets, and sends nothing of it', async () => {
  const course = await Course.begin({ places: 12 }, { ticket_availability: 'few' })
  const { browser } = await signIn('editor')
  const organizer = browser.with(course.outbox.bindings)
  const path = `/admin/events/${course.id}/`
  const { html } = await organizer.get(path)
  expect(html).toContain('People register for this event')
  expect(html).toContain('Whoever is registered gets an e-mail a few minutes after you cancel it')
  expect(html).not.toMatch(/name="(?:was\.)?(?:ticketed|ticket_availability)"/)
  expect((await organizer.save(path, { title: 'Bread', ticketed: '' })).status).toBe(200)
  const event = async () => (await course.ask('GET', `/events/${course.id}`)).body
  expect(await event()).toMatchObject({ title: 'Bread', ticketed: true, ticket_availability: 'available' })
  await course.ask('DELETE', course.path)
  expect((await organizer.get(path)).html).toMatch(/name="ticketed"/)
  await organizer.save(path, { ticket_availability: 'sold_out' })
  expect(await event()).toMatchObject({ ticket_availability: 'sold_out' })
})

it('what the calendar writes is its own in the history, and no action offers to undo it', async () => {
  const course = await Course.begin({ places: 1 })
  await course.join('ann@mail.example')
  vi.setSystemTime('2026-11-26T10:20:00Z')
  await course.cron()
  const { browser } = await signIn('administrator')
  const organizer = browser.with(course.outbox.bindings)
  const { html } = await organizer.get(`/admin/history/?kind=event&id=${course.id}`)
  expect(html.match(/(?<=class="history-who">)[^,]*, [^,]*/g)).toEqual([
    'This calendar, by itself',
    'This calendar, by itself',
    expect.stringContaining('ada'),
  ])
  expect(html).not.toContain('/admin/undo/')
  const path = `/admin/registrations/${course.id}/`
  const done = await organizer.save(path, { places: '8' })
  expect(done.html).toContain('Saved')
  expect(done.html).not.toContain('Undo')
  await course.ask('DELETE', `${course.path}?confirm=1`)
  const begun = await organizer.save(path, { places: '8' })
  expect(begun.html).toContain('Saved')
  expect(begun.html).not.toContain('Undo')
})

it('a change of all dates leaves out what those say of their tickets for which people register', async () => {
  const tickets = { ticketed: true, ticket_availability: 'available' }
  // The calendar has nothing to write: all dates say so anyway.
  const course = await Course.begin({ places: 12 }, { ...tickets, recurrence: 'FREQ=WEEKLY;COUNT=3' })
  const change = (id: number, fields: object) =>
    course.ask('PATCH', `/events/${id}`, { scope: 'all', ...fields })
  const ticketsOfDates = async () =>
    (await query('SELECT ticket_availability AS a FROM events ORDER BY start_date')).map(({ a }) => a)
  expect((await change(course.id + 1, { ticket_availability: 'sold_out', title: 'Bread' })).status).toBe(200)
  expect(await ticketsOfDates()).toEqual(['available', 'sold_out', 'sold_out'])
  expect((await change(course.id, { ticket_availability: 'few' })).body.data.params).toHaveProperty(
    'ticket_availability',
  )
  expect(await query('SELECT DISTINCT title FROM events')).toEqual([{ title: 'Bread' }])
  // One registration for all dates: the calendar itself writes all of them.
  await course.ask('DELETE', course.path)
  await course.ask('PUT', course.path, { places: 1, scope: 'series' })
  await course.join('ann@mail.example')
  vi.setSystemTime('2026-11-26T10:20:00Z')
  await course.cron()
  expect(await ticketsOfDates()).toEqual(['waitlist', 'waitlist', 'waitlist'])
})

describe('the page of organizers', () => {
  it('has answers with the question that they answer', async () => {
    const course = await Course.begin({ question: 'Are you vegetarian?' })
    const { page } = await opened(course)
    const text = async () => (await page()).replaceAll(/<[^>]*>/g, '')
    await course.join('ann@mail.example', { answer: 'No.' })
    expect(await text()).toContain('Question: Are you vegetarian?')
    await course.ask('PATCH', course.path, { question: 'Do you eat <meat>?' })
    expect(await text()).toContain('Are you vegetarian? No.')
    expect(await text()).not.toContain('Question: ')
    await course.join('ben@mail.example', { answer: 'Yes.' })
    expect(await text()).toContain('Question: Do you eat &lt;meat&gt;?')
    expect(await text()).not.toContain('? Yes.')
  })

  it('changes what was changed in its form, and leaves what was saved in another window', async () => {
    const course = await Course.begin({ places: 12, question: 'Why <here>?' })
    const { page, send } = await opened(course)
    const fields = settingsIn(await page())
    expect(fields.question).toBe('Why <here>?')
    expect(await send({ ...fields, closed: '1' })).toBe(303)
    expect(await send({ ...fields, places: '8' })).toBe(303)
    expect((await course.ask('GET', course.path)).body).toMatchObject({
      places: 8,
      closed: true,
      waiting_list: true,
      question: 'Why &lt;here>?',
    })
  })

  it('shows what somebody else has changed meanwhile before it is overwritten', async () => {
    const course = await Course.begin({ places: 12, closes: '2026-12-09 18:00:00' })
    const { page, send, refusal } = await opened(course)
    const fields = settingsIn(await page())
    await course.ask('PUT', course.path, { places: 8, closes: '2026-12-08 12:00:00', question: 'Why?' })
    const html = await refusal({ ...fields, places: '20', closes: '' })
    expect(html).toContain('Somebody else has changed the same settings')
    expect(html).toContain('Saved now: 8<')
    expect(html).toContain('Saved now: 8 December 2026, 12:00<')
    const again = settingsIn(html)
    expect(again).toMatchObject({ places: '20', closes: '', question: 'Why?', per_person: '1' })
    expect(await send(again)).toBe(303)
    const stored = async () => (await course.ask('GET', course.path)).body
    expect(await stored()).toMatchObject({ places: 20, closes: null, question: 'Why?' })
    // Both have saved the same, as when a form is sent twice.
    expect(await send(again)).toBe(303)
  })

  it('begins no registration again that somebody else has ended, or made, without saying so', async () => {
    const course = await Course.begin({ places: 12 })
    const { page, send, refusal } = await opened(course)
    const fields = settingsIn(await page())
    await course.ask('DELETE', course.path)
    const html = await refusal({ ...fields, question: 'Why?' })
    expect(html).toContain('Registration for this event has ended.')
    const begun = settingsIn(html)
    expect(begun).toMatchObject({ places: '12', question: 'Why?' })
    await course.ask('PUT', course.path, { places: 8, question: 'Where?' })
    expect(await refusal(begun)).toContain('Saved now: 8<')
    await course.ask('DELETE', course.path)
    expect(await send(begun)).toBe(303)
    expect((await course.ask('GET', course.path)).body).toMatchObject({
      places: 12,
      question: 'Why?',
      per_person: 1,
    })
  })

  it('gives all coming dates of a series the same settings, each for itself', async () => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY;COUNT=4' })
    const { send } = await opened(course)
    const ids = (await query('SELECT id FROM events ORDER BY start_date')).map(({ id }) => Number(id))
    // Another author's date, and one in the trash, keep what they have.
    await query(`UPDATE events SET author_id = (SELECT max(id) FROM users) WHERE id = ${ids[2]}`)
    expect(await send({ ...SETTINGS, scope: 'each' })).toBe(303)
    const registrationOf = async (i: number) =>
      (await course.ask('GET', `/events/${ids[i]}/registration`)).body
    expect(await registrationOf(0)).toMatchObject({
      places: 12,
      question: 'Why?',
      scope: 'event',
      closes: '2026-12-09 18:00:00',
    })
    expect(await registrationOf(1)).toMatchObject({
      places: 12,
      question: 'Why?',
      scope: 'event',
      closes: '2026-12-16 18:00:00',
    })
    expect(await registrationOf(2)).toMatchObject({ code: 'rest-registration-not-found' })
    expect(await registrationOf(3)).toMatchObject({ places: 12, taken: 0, closes: '2026-12-30 18:00:00' })
    // People of one date are of that date, and a second time changes the settings of all.
    await course.join('ann@mail.example')
    expect(await send({ ...SETTINGS, places: '8', scope: 'each' })).toBe(303)
    expect({
      firstPlaces: (await registrationOf(0)).places,
      firstTaken: (await registrationOf(0)).taken,
      secondPlaces: (await registrationOf(1)).places,
      secondTaken: (await registrationOf(1)).taken,
    }).toEqual({ firstPlaces: 8, firstTaken: 1, secondPlaces: 8, secondTaken: 0 })
    await course.cron()
    expect((await course.ask('GET', `/events/${ids[1]}`)).body).toMatchObject({
      ticketed: true,
      ticket_availability: 'available',
    })
    // What the date said before comes back.
    await course.ask('DELETE', `/events/${ids[1]}/registration`)
    expect((await course.ask('GET', `/events/${ids[1]}`)).body.ticketed ?? false).toBe(false)
  })

  it('says which dates have the settings if those of the others fail, and saves them the second time', async () => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY;COUNT=2' })
    const { browser } = await signIn('editor')
    const path = `/admin/registrations/${course.id}/`
    let isCopying = false
    const DB = watchedD1(course.outbox.bindings.DB ?? env.DB, {
      prepare: text => {
        isCopying ||= text.includes('date.utc_start_date >')
      },
      batch: () => {
        if (!isCopying) return
        isCopying = false
        throw new Error('D1_ERROR: Network connection lost.')
      },
    })
    const failing = browser.with({ ...course.outbox.bindings, DB })
    await failing.get(path)
    const { status, html, text } = await failing.post(path, { ...SETTINGS, scope: 'each' })
    expect([status, text]).toEqual([422, expect.stringContaining('This date has the new settings')])
    const places = () => query('SELECT places FROM registrations ORDER BY id')
    expect(await places()).toEqual([{ places: 12 }])
    const fields = settingsIn(html)
    expect(fields.scope).toBe('each')
    expect((await failing.with(course.outbox.bindings).post(path, fields)).status).toBe(303)
    expect(await places()).toEqual([{ places: 12 }, { places: 12 }])
  })

  it('gives dates that are added later the settings of the last one: by the cron, by a longer rule, by one more date', async () => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY' })
    const count = () => queryValue('SELECT count(*) FROM events')
    const settings = () =>
      query(
        `SELECT count(*) AS n, sum(event_id IN (SELECT id FROM events)) AS own, min(places) AS least, max(places) AS most, max(taken) AS taken FROM registrations`,
      )
    // Only one date registers, and no new one follows it.
    vi.setSystemTime('2027-02-26T10:00:00Z')
    await course.cron()
    expect(await settings()).toMatchObject([{ n: 1 }])
    const { send } = await opened(course)
    expect(await send({ ...SETTINGS, closes: '', scope: 'each' })).toBe(303)
    const before = Number(await count())
    await course.ask('POST', `/events/${before}/registrations/by-hand`, { name: 'Ann' })
    vi.setSystemTime('2027-05-26T10:00:00Z')
    await course.cron()
    const after = Number(await count())
    expect(after).toBeGreaterThan(before + 10)
    const [own] = await query('SELECT count(*) AS n FROM registrations WHERE event_id > ?', before)
    expect(own).toEqual({ n: after - before })
    expect(await settings()).toMatchObject([{ least: 12, most: 12 }])
    // The last one has others, which those after it get.
    const last = await queryValue('SELECT max(id) FROM events')
    expect(await queryValue('SELECT id FROM events ORDER BY start_date DESC LIMIT 1')).toBe(last)
    const { body } = await course.ask('PUT', `/events/${last}/registration`, { places: 7, closed: true })
    expect([body.places, body.closed]).toEqual([7, true])
    vi.setSystemTime('2027-06-26T10:00:00Z')
    await course.cron()
    expect(
      await query(
        'SELECT DISTINCT places, question, closed, taken, told FROM registrations WHERE event_id > ?',
        last,
      ),
    ).toEqual([{ places: 7, question: 'Why?', closed: 0, taken: 0, told: '[]' }])
  })

  it('says beside “this and all following dates” that people keep the series from being divided', async () => {
    const course = await Course.begin({ scope: 'series' }, { recurrence: 'FREQ=WEEKLY;COUNT=6' })
    const third = Number(await queryValue('SELECT id FROM events ORDER BY start_date LIMIT 1 OFFSET 2'))
    const { browser } = await signIn('administrator')
    const organizer = browser.with(course.outbox.bindings)
    const question = async () => {
      const { html } = await organizer.save(`/admin/events/${third}/`, { title: 'Rye' })
      return /value="following"[\s\S]*?(?=value="all")/.exec(html)?.[0] ?? ''
    }
    expect(await question()).not.toContain('disabled')
    await course.join('ann@mail.example')
    expect(await question()).toMatch(
      / disabled>[\s\S]*Not possible: people are registered for all of its dates/,
    )
  })

  describe('of a series that was divided by a change from a date on', () => {
    const begin = async () => {
      const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY;COUNT=6' })
      const ids = (await query('SELECT id FROM events ORDER BY start_date')).map(({ id }) => Number(id))
      await course.ask('DELETE', course.path)
      const room = { venue: { venue: 'Bakery', city: 'Kilkenny' }, scope: 'following' }
      expect((await course.ask('PATCH', `/events/${ids[3]}`, room)).status).toBe(200)
      const registrationOf = async (i: number) =>
        (await course.ask('GET', `/events/${ids[i]}/registration`)).body
      return { course, ids, of: registrationOf }
    }

    it('gives all dates that pages join the same settings, each for itself', async () => {
      const { course, of } = await begin()
      const { send } = await opened(course)
      expect(await send({ ...SETTINGS, scope: 'each' })).toBe(303)
      for (const i of [0, 1, 3, 5]) expect(await of(i)).toMatchObject({ places: 12, scope: 'event' })
    })

    it('says how many of the dates are in a registration together, and leaves one of the others', async () => {
      const { course, ids, of } = await begin()
      const { page, send } = await opened(course)
      expect(await page()).toContain('These are 3 of the 6 dates that pages show together')
      expect(await send({ ...SETTINGS, closes: '', scope: 'series' })).toBe(303)
      const { text } = await course.browser().get(`/register/${course.id}/`)
      expect(text).toContain('All dates together, from 10 December 2026 to 24 December 2026')
      course.id = ids[3] ?? 0
      const rest = await opened(course)
      expect(await rest.send({ ...SETTINGS, closes: '', places: '7', scope: 'each' })).toBe(303)
      expect(await of(0)).toMatchObject({ places: 12, scope: 'series' })
      expect(await of(5)).toMatchObject({ places: 7, scope: 'event' })
      expect(await query('SELECT count(*) AS n FROM registrations')).toEqual([{ n: 4 }])
    })

    it('says nothing of parts where there is one series', async () => {
      const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY;COUNT=6' })
      expect(await (await opened(course)).page()).not.toContain('These are')
    })
  })

  it.each([
    [{ recurrence: 'FREQ=WEEKLY;COUNT=4' }, 4],
    [{ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2', rdate: ['2027-03-01 18:00:00'] } }, 3],
  ])('gives dates of a changed rule the settings: %o', async (fields, n) => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY;COUNT=2' })
    const { send } = await opened(course)
    await course.ask('PATCH', `/events/${course.id}`, {
      ...fields,
      recurrence: 'FREQ=WEEKLY;COUNT=2',
      title: 'Bread',
    })
    expect(await send({ ...SETTINGS, scope: 'each' })).toBe(303)
    expect((await course.ask('PATCH', `/events/${course.id}`, fields)).status).toBe(200)
    expect(await query('SELECT count(*) AS n, min(places) AS least FROM registrations')).toEqual([
      { n, least: 12 },
    ])
    // An end of one is an end, also if the rule adds dates after it.
    const last = await queryValue('SELECT id FROM events ORDER BY start_date DESC LIMIT 1')
    await course.ask('DELETE', `/events/${last}/registration`)
    await course.ask('PATCH', `/events/${course.id}`, { recurrence: 'FREQ=WEEKLY;COUNT=20', scope: 'all' })
    expect(await queryValue('SELECT count(*) FROM registrations')).toBe(n - 1)
  })

  it('says who holds up the waiting list', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    await course.join('ann@mail.example', { places: 2 })
    await course.join('ben@mail.example', { places: 2 })
    await course.join('cat@mail.example')
    expect(await course.people()).toEqual(['ann confirmed', 'ben waiting', 'cat waiting'])
    const { page } = await opened(course)
    expect(await page()).toContain('ben is waiting for 2 places, with only 1 left')
  })

  it.each([
    ['en', '1 place taken · 1 waiting'],
    ['de', '1 Platz vergeben · 1 wartet'],
    ['fr', '1 place prise · 1 en attente'],
  ])('counts one place and one who waits in %s', async (LANGUAGE, line) => {
    const course = await Course.begin({}, {}, { LANGUAGE })
    for (const name of ['ann', 'ben']) await course.join(`${name}@mail.example`)
    await query("UPDATE registrants SET state = 'waiting' WHERE name = 'ben'")
    const { page } = await opened(course)
    expect((await page()).replaceAll('\u00a0', ' ')).toContain(line)
    await query("DELETE FROM registrants WHERE name = 'ann'")
    expect((await page()).match(/<ul class="registrants">/g)).toHaveLength(1)
  })

  it('says how many are erased at its end, also of those who have not confirmed', async () => {
    const course = await Course.begin({})
    const { page, send } = await opened(course)
    const asked = async () => {
      const html = await page('end/')
      expect(html).toContain('<h1>End the registration?</h1>')
      return html
    }
    expect(await asked()).toContain('>Nobody is registered. Its settings are deleted')
    await course.join('ann@mail.example', { places: 1 })
    const told = '1 registration on the list is erased, and whoever gave an address is told by e-mail'
    expect(await asked()).toContain(`>${told}`)
    await course.register('ben@mail.example')
    expect(await asked()).toContain(
      `>1 registration that is not confirmed yet is erased without an e-mail. ${told}`,
    )
    await course.register('cat@mail.example')
    const html = await asked()
    expect(html).toContain('>2 registrations that are not confirmed yet are erased')
    // Only the button of the question ends it.
    const start = await page()
    expect(start).toContain(`href="/admin/registrations/${course.id}/end/"`)
    expect(start).not.toContain('name="confirm"')
    expect((await course.read()).status).toBe(200)
    expect(await send({ confirm: fieldsIn(html).confirm?.join() ?? '' }, 'end/')).toBe(303)
    expect((await course.read()).status).toBe(404)
  })

  it.each([
    ['one event', {}, {}, ''],
    ['all dates of a series', { recurrence: 'FREQ=WEEKLY;COUNT=2' }, { scope: 'series' }, '?scope=all'],
    ['dates that have their own', { recurrence: 'FREQ=WEEKLY;COUNT=2' }, {}, '?scope=all'],
  ])('says whom it erases before the event is deleted for good: %s', async (_, event, settings, scope) => {
    const course = await Course.begin(settings, event)
    await course.join('ann@mail.example')
    await course.register('ben@mail.example')
    const other = await course.ask('POST', '/events', {
      title: 'Cake',
      start_date: '2026-12-10 18:00:00',
      end_date: '2026-12-10 20:00:00',
    })
    await course.ask('DELETE', `/events/${other.body.id}`)
    await course.ask('DELETE', `/events/${course.id}${scope}`)
    const { browser } = await signIn('editor')
    const chosen = [
      ...(await browser.get('/admin/trash/')).html.matchAll(/name="thing" value="(\w+-\d+)/g),
    ].map(([, thing = '']) => thing)
    expect(chosen).toHaveLength(2)
    const asked = async (thing: string[]) =>
      (await browser.submit('/admin/trash/', { thing, do: 'ask' })).text
    expect(await asked(chosen)).toContain(
      '1 registration that is not confirmed yet is erased without an e-mail. 1 registration on the list is erased, and',
    )
    const cake = `event-${other.body.id}`
    expect(chosen).toContain(cake)
    expect(await asked([cake])).not.toContain('registration')
    // A single date leaves those of the whole series alone.
    const own = fieldsIn((await browser.get(`/admin/events/${course.id}/`)).html, 'in-trash')
    const ofOne = (await browser.post('/admin/trash/', { ...own, do: 'ask' })).text
    expect(ofOne.includes('registration on the list')).toBe(!('scope' in settings))
  })

  it('adds somebody by hand once for each page, also if it is sent twice', async () => {
    const course = await Course.begin({ places: 3 })
    const { page, send, refusal } = await opened(course)
    const keyIn = (html: string) => /name="key" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const shown = await page()
    const paul = { name: 'Paul', places: '2', key: keyIn(shown) }
    for (let i = 0; i < 2; i++) expect(await send(paul, 'enter/')).toBe(303)
    expect((await course.ask('GET', course.path)).body.taken).toBe(2)
    // Refused, it can be sent again.
    const again = await refusal({ ...paul, key: keyIn(await page()) }, 'enter/')
    expect(await send({ ...paul, over: '1', key: keyIn(again) }, 'enter/')).toBe(303)
    expect((await course.ask('GET', course.path)).body.taken).toBe(4)
  })

  it('asks before somebody is removed, and says whether an e-mail tells them', async () => {
    const course = await Course.begin({})
    await course.join('ann@mail.example')
    await course.ask('POST', `${course.path}s/by-hand`, { name: 'Ben' })
    await course.cron()
    const { page, send } = await opened(course)
    const [ann = '', ben = ''] = [
      ...(await page()).matchAll(/href="\/admin\/registrations\/\d+\/([^"]*remove\/)"/g),
    ].map(([, end]) => end)
    expect(await page(ann)).toContain('<h1>Remove ann?</h1>')
    expect(await page(ann)).toContain('ann is told by e-mail')
    expect(await page(ben)).toContain('<h1>Remove Ben?</h1>')
    expect(await page(ben)).toContain('without an e-mail')
    expect(await page()).not.toContain('value="remove"')
    expect(await course.people()).toEqual(['ann confirmed', 'Ben confirmed'])
    const [action = ''] = /(?<=action="\/admin\/registrations\/\d+\/)people[^"]*/.exec(await page(ann)) ?? []
    expect(await send({ do: 'remove' }, action)).toBe(303)
    expect(await course.people()).toEqual(['Ben confirmed'])
    expect((await course.cron()).map(({ to }) => to)).toEqual(['ann@mail.example'])
  })

  it.each(['came', 'places', 'remove'])(
    'leads back to the list if somebody was removed since it was shown: %s',
    async action => {
      const course = await Course.begin({})
      await course.join('ann@mail.example')
      await course.join('ben@mail.example')
      await course.ask('DELETE', await course.pathOf('ann'))
      const { browser } = await signIn('editor')
      const organizer = browser.with(course.outbox.bindings)
      const path = `/admin/registrations/${course.id}/`
      const shown = await organizer.submit(`${path}people/1/`, { do: action, places: '1' })
      expect(shown.text).toContain('This person is no longer on the list.')
      expect(shown.text).toContain('ben@mail.example')
      const { headers } = await organizer.get(`${path}people/1/remove/`)
      expect(headers.get('location')).toBe(path)
    },
  )

  it('asks nothing about somebody on the list of another event', async () => {
    const course = await Course.begin({})
    await course.join('ann@mail.example')
    const { body } = await course.ask('POST', '/events', {
      title: 'Cakes',
      start_date: '2026-12-11 18:00:00',
      end_date: '2026-12-11 20:00:00',
      status: 'publish',
    })
    await course.ask('PUT', `/events/${body.id}/registration`, {})
    const { browser } = await signIn('editor')
    const path = `/admin/registrations/${body.id}/`
    const asked = await browser.with(course.outbox.bindings).get(`${path}people/1/remove/`)
    expect(asked.html).not.toContain('ann')
  })

  it('says when no more first e-mails are sent today', async () => {
    const course = await Course.begin({}, {}, { REGISTRATION_FIRST_MAILS: '4' })
    const { page } = await opened(course)
    await course.register('ann@mail.example')
    expect(await page()).not.toContain('No more confirmation e-mails')
    await course.register('ben@mail.example')
    expect(await page()).toContain('No more confirmation e-mails')
    vi.setSystemTime('2026-11-27T10:00:00Z')
    expect(await page()).not.toContain('No more confirmation e-mails')
  })

  it.each([
    ['trash', {}, '“Bread for beginners” is no longer there.', '1', 'trash'],
    ['hide', {}, '“Bread for beginners” is no longer public there.', '1', 'private'],
    [
      'move',
      {
        to: {
          start_date: '2026-12-12 18:00:00',
          end_date: '2026-12-12 20:00:00',
          timezone: 'Europe/Dublin',
          all_day: false,
        },
      },
      'has a new time there: 12 December 2026, 18:00.',
      '',
      'publish',
    ],
  ])('asks what a source asks (%s), and does what it is told', async (what, more, text, follow, status) => {
    const course = await Course.begin({})
    await course.join('ann@mail.example')
    await query(
      `UPDATE registrations SET asked = '${JSON.stringify({ [`e${course.id}`]: { what, ...more } })}'`,
    )
    const { page, send } = await opened(course)
    expect(await page()).toContain(text)
    expect(await send({ follow }, 'answer/')).toBe(303)
    expect(await page()).not.toContain(text)
    expect(await queryValue('SELECT status FROM events')).toBe(status)
    expect(await queryValue('SELECT start_date FROM events')).toBe('2026-12-10 18:00:00')
  })

  it('takes no answer to what was asked before, and says so', async () => {
    const course = await Course.begin({})
    await course.join('ann@mail.example')
    const ask = (what: string) =>
      query(`UPDATE registrations SET asked = '${JSON.stringify({ [`e${course.id}`]: { what } })}'`)
    await ask('hide')
    const { page, send } = await opened(course)
    const accept = async (html: string) => {
      const forms = html.split('<form ').filter(form => form.includes('name="follow" value="1"'))
      return send({ follow: '1', asked: fieldsIn(forms[0] ?? '').asked?.join() ?? '' }, 'answer/')
    }
    const shown = await page()
    await ask('trash')
    expect(await accept(shown)).toBe(303)
    expect(await queryValue('SELECT status FROM events')).toBe('publish')
    const renewed = await page()
    expect(renewed).toContain('is no longer there.')
    expect(await accept(renewed)).toBe(303)
    expect(await queryValue('SELECT status FROM events')).toBe('trash')
  })

  it.each([
    ['en', { closes: '2026-12-11T18:00' }, 'closes', 'Registration has to close by the end of the event.'],
    [
      'de',
      { closes: '2026-12-11T18:00' },
      'closes',
      'Die Anmeldung muss spätestens mit der Veranstaltung enden.',
    ],
    ['en', { opens: '2026-12-10T18:30', closes: '' }, 'opens', 'Registration has to open before it closes.'],
  ])('says in words of its own (%s) that %o is too late', async (LANGUAGE, fields, name, reason) => {
    const course = await Course.begin({}, {}, { LANGUAGE })
    const { refusal } = await opened(course)
    expect(await refusal({ ...SETTINGS, ...fields })).toContain(`id="f-${name}-error">${reason}`)
  })

  it.each([
    [{ name: 'Ann', places: '3' }, 'over', 'There aren’t that many places left. Tick the box'],
    [{ name: 'www.ann.example', places: '2', over: '1' }, 'name', 'This must not contain a web address'],
  ])('keeps what was typed of somebody who can’t be added by hand: %o', async (fields, name, reason) => {
    const course = await Course.begin({ places: 2 })
    const { refusal, page } = await opened(course)
    const html = await refusal(fields, 'enter/')
    expect(html).toContain(`id="e-${name}-error">${reason}`)
    const forms = html.split('<form ').filter(form => form.includes('id="e-name"'))
    const kept = Object.entries(fieldsIn(forms[0] ?? '')).map(([field, values]) => [field, values.join()])
    expect(Object.fromEntries(kept)).toMatchObject(fields)
    expect(forms[0]).toMatch(new RegExp(`id="e-${name}"[^>]* autofocus`))
    expect(await page()).not.toContain(fields.name)
  })

  it('says in German what is wrong with a number of places, and why dates must stay together', async () => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY;COUNT=3' }, { LANGUAGE: 'de' })
    await course.join('ann@mail.example')
    const { page, send, refusal } = await opened(course)
    const number = 'Das muss eine ganze Zahl von 1 bis 10000 sein.'
    expect(await send({ do: 'places', places: '' }, 'people/1/')).toBe(303)
    expect(await page()).toContain(number)
    expect(await page()).toMatch(/id="places-1"[^>]* required/)
    expect(await refusal({ ...SETTINGS, places: '10001' })).toContain(number)
    expect(await refusal({ ...SETTINGS, scope: 'series' })).toContain(
      'Das muss so bleiben, solange jemand angemeldet ist oder wartet.',
    )
  })

  it('says in German that a repetition without an end can’t have one registration', async () => {
    const course = await Course.begin({}, { recurrence: 'FREQ=WEEKLY' }, { LANGUAGE: 'de' })
    const { refusal } = await opened(course)
    expect(await refusal({ ...SETTINGS, scope: 'series' })).toContain(
      'Dafür braucht die Wiederholung ein Ende.',
    )
  })
})
