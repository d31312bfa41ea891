import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { by, everyRole } from '../../attacks/people.ts'
import { addSubmissions, EVENT, latestRow as latest, visitors } from '../../calendar/intake/submit.ts'
import { countRows, makeUser, makeVenue, query, queryValue, send } from '../../factories.ts'

const people = everyRole()

const rows = () => query('SELECT * FROM submissions')

const SIX_LINKS = [1, 2, 3, 4, 5, 6].map(n => `<a href="https://shop-${n}.example/">here</a>`).join(' ')

describe('POST /submissions', () => {
  it('does not exist unless submissions are on', async () => {
    const { status, body } = await send('POST', '/submissions', { json: EVENT })
    expect([status, body.code]).toEqual([404, 'rest_no_route'])
  })

  it('creates a pending event of the first administrator, and stores the sender separately', async () => {
    await makeUser('later', 'administrator')
    const { status, body, headers } = await visitors().send()
    expect([status, body.state]).toEqual([201, 'pending'])
    expect(body.url).toMatch(/\/submit\/[\da-f]{32}\/$/)
    expect(headers.get('location')).toBe(body.url)
    const row = await latest()
    expect(row).toMatchObject({ name: 'Ann Example', email: 'ann@example.org', decided_utc: null })
    const event = await send('GET', `/events/${row.event_id}`, by(people.editor))
    expect(event.body).toMatchObject({
      title: 'Barn dance',
      status: 'pending',
      author: String(people.administrator.id),
    })
    expect(event.body.venue).toMatchObject({ venue: 'The Barn' })
    expect(event.text).not.toContain('ann@example.org')
    expect((await send('GET', `/events/${row.event_id}`)).status).toBe(403)
    expect((await send('GET', `/venues/${event.body.venue.id}`)).status).toBe(403)
  })

  it('does not store the token', async () => {
    const { body } = await visitors().send({ title: 'No token' })
    const token = String(body.url).match(/[\da-f]{32}/)?.[0]
    expect(JSON.stringify(await rows())).not.toContain(token)
  })

  it('gives the event to the configured user', async () => {
    await makeUser('visitors', 'contributor')
    await visitors({ SUBMISSIONS_AUTHOR: 'Visitors' }).send({ title: 'By name' })
    const event = await send('GET', `/events/${(await latest()).event_id}`, by(people.editor))
    const id = await queryValue("SELECT id FROM users WHERE login = 'visitors'")
    expect(event.body.author).toBe(String(id))
    const nobody = await visitors({ SUBMISSIONS_AUTHOR: 'nobody' }).send({ title: 'By nobody' })
    expect({
      status: nobody.status,
      code: nobody.body.code,
      retryAfter: nobody.headers.get('retry-after'),
    }).toEqual({ status: 503, code: 'rest_submissions_misconfigured', retryAfter: '3600' })
  })

  it('turns a repeating event into a series, and stores its first date', async () => {
    await visitors().send({ title: 'Weekly', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
    const { event_id } = await latest()
    const event = await send('GET', `/events/${event_id}`, by(people.editor))
    expect(event.body).toMatchObject({ title: 'Weekly', start_date: EVENT.start_date, status: 'pending' })
    expect(await countRows("events WHERE title = 'Weekly' AND status = 'pending'")).toBe(4)
  })

  it('names all fields that are wrong, and writes nothing', async () => {
    const before = [await countRows('events'), await countRows('submissions'), await countRows('venues')]
    const { status, body } = await visitors().send({
      title: '',
      end_date: '2020-01-01',
      email: 'x',
      venue: 99_999,
    })
    expect(status).toBe(400)
    expect(Object.keys(body.data.params)).toEqual(expect.arrayContaining(['title', 'email']))
    const unknown = await visitors().send({
      title: 'Unknown',
      description: `<p>${'x'.repeat(19_994)}</p>`,
      venue: 99_999,
      organizer: 99_999,
      categories: ['New one'],
      email: '',
    })
    const named = ['categories', 'description', 'email', 'organizer', 'venue']
    expect(Object.keys(unknown.body.data.params).sort()).toEqual(named)
    const missing = await visitors().send({ title: 'Missing', categories: [99_999] })
    expect(Object.keys(missing.body.data.params)).toEqual(['categories'])
    const backwards = await visitors().send({ title: 'Backwards', end_date: '2020-01-01 10:00:00' })
    expect(Object.keys(backwards.body.data.params)).toEqual(['end_date'])
    expect([await countRows('events'), await countRows('submissions'), await countRows('venues')]).toEqual(
      before,
    )
  })

  it('accepts few venues, organizers and categories, because each date has rows for each of them', async () => {
    const before = [await countRows('events'), await countRows('organizers'), await countRows('venues')]
    const named = (field: string, n: number) =>
      Array.from({ length: n }, (_, i) => ({ [field]: `One of many ${i}` }))
    for (const [name, value] of [
      ['venue', named('venue', 4)],
      ['venue', ['1,2', '3,4']],
      ['organizer', named('organizer', 200)],
      ['categories', '1,2,3,4'],
    ] as const) {
      const { status, body } = await visitors().send({ title: 'Of many', [name]: value })
      expect([status, body.data.params]).toEqual([400, { [name]: 'must have at most 3 items' }])
    }
    expect([await countRows('events'), await countRows('organizers'), await countRows('venues')]).toEqual(
      before,
    )
    const few = { venue: named('venue', 3), organizer: named('organizer', 3) }
    expect((await visitors().send({ title: 'Of a few', ...few })).status).toBe(201)
  })

  it('only accepts the ids of public rows, and none that the administrator has hidden', async () => {
    const hidden = await makeVenue(people.administrator.as, 'Hidden hall', { status: 'draft' })
    const open = await makeVenue(people.administrator.as, 'Open hall')
    const refused = await visitors().send({ title: 'Probing', venue: hidden.id })
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['venue']])
    expect((await visitors().send({ title: 'At a known venue', venue: open.id })).status).toBe(201)
  })

  it('finds public rows by name, and hidden ones neither by name nor by external id', async () => {
    const values = { status: 'draft', address: '1 Hidden Lane', external_id: 'crm/1' }
    const hidden = await makeVenue(people.administrator.as, 'Guessed hall', values)
    await makeVenue(people.administrator.as, 'Public hall')
    const venueOf = async (title: string, venue: object) => {
      await visitors().send({ title, venue })
      return (await send('GET', `/events/${(await latest()).event_id}`, by(people.editor))).body.venue
    }
    expect((await venueOf('By guess', { venue: 'Guessed hall' })).id).not.toBe(hidden.id)
    const known = { venue: 'Of another name', external_id: 'crm/1' }
    expect((await venueOf('By its id elsewhere', known)).id).not.toBe(hidden.id)
    expect((await venueOf('By public name', { venue: 'Public hall' })).status).toBe('publish')
    const sent = await venueOf('By another visitor', { venue: 'Somebody’s home', address: '2 Home Street' })
    expect((await venueOf('By yet another', { venue: 'Somebody’s home' })).id).not.toBe(sent.id)
  })

  it('accepts only series that are short enough for a review', async () => {
    const long = { title: 'Daily', recurrence: { rrule: 'FREQ=DAILY' } }
    const { status, body } = await visitors().send(long)
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['recurrence']])
    expect(await countRows("events WHERE title = 'Daily'")).toBe(0)
    expect((await visitors().send({ ...long, recurrence: { rrule: 'FREQ=WEEKLY' } })).status).toBe(201)
  })

  it('never publishes a visitor’s venue, and gives no rights for credentials', async () => {
    const { ask } = visitors()
    const body = JSON.stringify({
      ...EVENT,
      title: 'As editor',
      venue: { venue: 'Editors’ hall', status: 'publish' },
    })
    const headers = { 'content-type': 'application/json', authorization: people.editor.as }
    const answer = await ask('POST', 'https://calendar.example/calendar/events/v1/submissions', {
      body,
      headers,
    })
    expect(answer.status).toBe(201)
    const event = await send('GET', `/events/${(await latest()).event_id}`, by(people.editor))
    expect([event.body.status, event.body.venue.status]).toEqual(['pending', 'draft'])
  })

  it('stores the same event of the same sender once', async () => {
    const event = { title: 'Twice', start_date: '2027-07-01 19:00:00', end_date: '2027-07-01 21:00:00' }
    const network = '198.51.100.11'
    expect((await visitors().send(event, network)).status).toBe(201)
    const later = {
      title: 'TWICE!',
      start_date: '2027-07-01 19:00:00',
      end_date: '2027-07-01 22:00:00',
      email: 'Ann@example.org',
    }
    const again = await visitors().send(later, network)
    expect([again.status, again.body.code]).toEqual([409, 'rest_submission_exists'])
    const { event_id } = await latest()
    await send('DELETE', `/events/${event_id}`, by(people.editor))
    expect((await visitors().send(event, network)).status).toBe(201)
  })

  it('takes a matinee and an evening of the same title by the same sender', async () => {
    const network = '198.51.100.12'
    const statuses: number[] = []
    for (const hour of [15, 20, 20]) {
      const [start_date, end_date] = [hour, hour + 2].map(at => `2027-07-03 ${at}:00:00`)
      statuses.push((await visitors().send({ title: 'The Mikado', start_date, end_date }, network)).status)
    }
    statuses.push(
      (
        await visitors().send(
          { title: 'Open day', all_day: true, start_date: '2027-07-03', end_date: '2027-07-03' },
          network,
        )
      ).status,
    )
    statuses.push(
      (
        await visitors().send(
          { title: 'Open day', all_day: true, start_date: '2027-07-03', end_date: '2027-07-03' },
          network,
        )
      ).status,
    )
    expect(statuses).toEqual([201, 201, 409, 201, 409])
  })

  it('takes the same event from others, so that a false one keeps nobody out', async () => {
    const event = {
      title: 'Quarry opera',
      start_date: '2027-07-02 19:00:00',
      end_date: '2027-07-02 21:00:00',
    }
    const venue = { venue: 'Elsewhere', city: 'Tralee' }
    const own = { ...event, email: 'opera@example.org' }
    // Anybody can enter the organizer's address.
    expect((await visitors().send({ ...own, venue }, '198.51.100.21')).status).toBe(201)
    expect((await visitors().send(own, '198.51.100.22')).status).toBe(201)
    expect((await visitors().send({ ...event, email: 'c@example.org' }, '198.51.100.22')).status).toBe(201)
    expect((await visitors().send(own, '198.51.100.22')).status).toBe(409)
    expect(await countRows("events WHERE title = 'Quarry opera'")).toBe(3)
  })

  it.each([
    ['title', { title: 'Fair https://fair.example/' }],
    ['name', { name: 'www.fair.example' }],
    ['text, six times', { description: SIX_LINKS }],
    ['text of a venue, six times', { venue: { venue: 'Hall', description: SIX_LINKS } }],
  ])('refuses links in the %s, and says what to do', async (_, fields) => {
    const { status, body } = await visitors().send({ title: 'Fair', ...fields })
    expect([status, body.code]).toEqual([422, 'rest_submission_refused'])
    expect(body.message).toMatch(/Remove them/)
  })

  it('accepts any number of links to a few sites', async () => {
    const links = Array.from(
      { length: 30 },
      (_, n) => `https://${n % 2 ? 'WWW.' : ''}choir.example/pieces/${n}, www.hall-${n % 4}.example.`,
    )
    const description = links.join(' ')
    expect((await visitors().send({ title: 'Festival of choirs', description })).status).toBe(201)
    const sixth = `${description} <a href="https://choir.example@elsewhere.example/">More</a>`
    expect((await visitors().send({ title: 'And a sixth site', description: sixth })).status).toBe(422)
  })

  it('refuses nothing because of its words', async () => {
    const { status } = await visitors().send({
      title: 'Online casino bonus',
      description: 'Free spins, slots, jackpots https://spin.example/',
    })
    expect(status).toBe(201)
    expect(Number((await latest()).likeness)).toBeGreaterThan(0.5)
  })

  it('limits one network, and still accepts others', async () => {
    const inAnHour = async (hour: number): Promise<number[]> => {
      const statuses = []
      for (let i = 0; i < 7; i++)
        statuses.push((await visitors().send({ title: `Flood ${hour} ${i}` }, '203.0.113.7')).status)
      vi.setSystemTime(Date.now() + 3_600_000)
      return statuses
    }
    const five = [201, 201, 201, 201, 201, 429, 429]
    // The limit is ten a day.
    expect({ first: await inAnHour(1), second: await inAnHour(2), third: await inAnHour(3) }).toEqual({
      first: five,
      second: five,
      third: new Array(7).fill(429),
    })
    expect((await visitors().send({ title: 'From elsewhere' }, '203.0.113.8')).status).toBe(201)
    expect(JSON.stringify(await rows())).not.toContain('203.0.113')
  })

  it('limits a /56 of IPv6 to three times as many', async () => {
    const statuses = []
    for (let i = 0; i < 20; i++)
      statuses.push((await visitors().send({ title: `Of a home ${i}` }, `2001:db8:1:1${i % 5}::1`)).status)
    expect(statuses.filter(status => status === 201)).toHaveLength(15)
    expect((await visitors().send({ title: 'Of neighbours' }, '2001:db8:1:200::1')).status).toBe(201)
  })

  it('accepts a hundred a day', async () => {
    await query('DELETE FROM submissions')
    await visitors().send({ title: 'One of many' })
    await addSubmissions(98)
    const statuses = [
      await visitors().send({ title: 'The hundredth' }),
      await visitors().send({ title: 'One too many' }, '203.0.113.9'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([201, 429])
    // The time to wait is not a minute, as with other limits.
    expect((await visitors().send({ title: 'Another' })).headers.get('retry-after')).toBe('3600')
    await query('DELETE FROM submissions')
  })

  it('applies the limit to simultaneous requests', async () => {
    const sent = (fields: (i: number) => object, network?: string) =>
      Promise.all(Array.from({ length: 8 }, (_, i) => visitors().send(fields(i), network)))
    const many = await sent(i => ({ title: `At once ${i}` }), '203.0.113.20')
    expect(many.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
    expect(await countRows("events WHERE title LIKE 'At once %'")).toBe(5)
    const same = await sent(() => ({ title: 'The same at once' }))
    expect(same.map(({ status }) => status).sort()).toEqual([201, ...new Array(7).fill(409)])
    expect(await countRows("events WHERE title = 'The same at once'")).toBe(1)
  })

  it('limits the dates of a day, of one network and of all, whichever way they come', async () => {
    await query('DELETE FROM submissions')
    const recurrence = 'FREQ=DAILY;COUNT=110'
    const {
      body: { url: page },
    } = await visitors().send({ title: 'To be changed' })
    await query("UPDATE submissions SET created_utc = '2020-01-01 00:00:00'")
    const daily = async (n: number, network?: string) =>
      (await visitors().send({ title: `Daily ${n}`, recurrence }, network)).status
    for (let n = 0; n < 6; n++) {
      expect(await daily(n, '203.0.113.30')).toBe(201)
      vi.setSystemTime(Date.now() + 3_600_000)
    }
    expect(await daily(6, '203.0.113.30')).toBe(429)
    // Each change counts all dates again: 6 × 110 times, and 1,339 more.
    const { event_id } = await latest()
    const changed = (condition: string) =>
      env.DB.prepare(`UPDATE events SET version = version + 1 WHERE ${condition}`).bind(event_id)
    const all = changed('series_id = (SELECT series_id FROM events WHERE id = ?)')
    await env.DB.batch([...new Array(12).fill(all), ...new Array(19).fill(changed('id = ?'))])
    const together = await Promise.all([7, 8, 9].map(n => daily(n)))
    expect(together.sort()).toEqual([201, 429, 429])
    const { status, body } = await visitors().send({ title: 'One date' })
    expect([status, body.code, body.data.retry_after]).toEqual([429, 'rest_too_many_requests', 3_600])
    expect(body.message).toContain('in an hour')
    const fields = {
      title: 'Changed',
      start_date: '2027-06-10',
      start_date_time: '20:00',
      description: 'Music.',
    }
    const change = { body: new URLSearchParams(fields), headers: { origin: 'null' } }
    expect((await visitors().ask('POST', page, change)).status).toBe(429)
    await query('DELETE FROM submissions')
    expect((await visitors().send({ title: 'One date' })).status).toBe(201)
  })

  it('stores the whole submission or nothing', async () => {
    await query("CREATE TRIGGER no_row BEFORE INSERT ON submissions BEGIN SELECT RAISE(ABORT, 'no'); END")
    const before = await countRows('events')
    expect((await visitors().send({ title: 'Half' })).status).toBe(500)
    expect(await countRows('events')).toBe(before)
    await query('DROP TRIGGER no_row')
  })
})

describe('the sender of a submission', () => {
  it('is in no response, feed or list, whoever asks', async () => {
    await visitors().send({ title: 'Secret sender', name: 'Zebedee Quux', email: 'zebedee@quux.example' })
    const { event_id } = await latest()
    await send('PATCH', `/events/${event_id}`, { ...by(people.editor), json: { status: 'publish' } })
    for (const path of [
      `/events/${event_id}`,
      '/events?per_page=50',
      '/changes/events',
      '/events.ics',
      '/events.json',
    ])
      for (const person of [undefined, people.administrator])
        expect((await send('GET', path, by(person))).text).not.toMatch(/zebedee|quux/i)
  })
})
