import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { registrants } from '../../../src/features/registrations/tables.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { isUniqueViolation } from '../../../src/kit/db/failures.ts'
import { build } from '../../../src/kit/db/statements.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser } from '../../editor/session.ts'
import { countRows, query, queryValue } from '../../factories.ts'
import { readDocument, undocumented } from '../../kit/docs/documented.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { jsonRequest } from '../../kit/http/worker.ts'
import { API, request } from '../../request.ts'
import { watchedD1 } from '../../watched-d1.ts'
import { Course, ownLinkIn } from './course.ts'

const setTime = (time: string): void => void vi.setSystemTime(time)

beforeEach(() => setTime('2026-11-26T10:00:00Z'))

it('somebody is checked once, even if conflicts make the whole registration begin again', async () => {
  const course = await Course.begin()
  let conflictCount = 0
  let isStoring = false
  const DB = watchedD1(course.outbox.bindings.DB ?? env.DB, {
    prepare: text => {
      isStoring ||= /insert into "?registrants/i.test(text)
    },
    batch: () => {
      if (!isStoring) return
      isStoring = false
      if (++conflictCount <= 10) throw new Error('version conflict')
    },
  })
  const asked = vi.spyOn(globalThis, 'fetch')
  const json = { name: 'Ann', email: 'ann@mail.example', consent: true, turnstile: '200 {"success":true}' }
  const { status } = await course.ask('POST', `${course.path}s`, json, undefined, {
    DB,
    TURNSTILE_SITE_KEY: 'site',
    TURNSTILE_SECRET: 'secret',
  })
  const checks = asked.mock.calls.filter(([address]) => String(address).includes('turnstile'))
  asked.mockRestore()
  expect([status, conflictCount, checks.length]).toEqual([202, 11, 1])
})

describe('settings', () => {
  it('let people register, and say to everybody what is left, and to organizers how it stands', async () => {
    const course = await Course.begin({
      places: 12,
      question: 'Do you eat meat?',
      closes: '2026-12-09 18:00:00',
    })
    const all = await course.read()
    expect(all.body).toEqual({
      state: 'open',
      left: null,
      opens: null,
      closes: '2026-12-09 18:00:00',
      per_person: 1,
      question: 'Do you eat meat?',
      url: `https://calendar.example/register/${course.id}/`,
    })
    expect(all.headers.get('cache-control')).toContain('no-store')
    expect((await course.ask('GET', course.path)).body).toMatchObject({
      places: 12,
      taken: 0,
      waiting: 0,
      unconfirmed: 0,
    })
    const { body } = await course.ask('GET', `/events/${course.id}`)
    expect(body).toMatchObject({ ticketed: true, ticket_availability: 'available' })
  })

  it('move along with the event, across a change of the clock', async () => {
    const course = await Course.begin({ opens: '2026-12-01 09:00:00', closes: '2026-12-09 18:00:00' })
    await course.ask('PATCH', `/events/${course.id}`, {
      start_date: '2027-06-10 18:00:00',
      end_date: '2027-06-10 20:00:00',
    })
    expect((await course.read()).body).toMatchObject({
      state: 'soon',
      opens: '2027-06-01 09:00:00',
      closes: '2027-06-09 18:00:00',
    })
    setTime('2027-06-01T08:00:00Z')
    expect((await course.read()).body.state).toBe('open')
    setTime('2027-06-09T17:00:00Z')
    expect((await course.read()).body.state).toBe('closed')
  })

  it.each([
    [{ opens: '2026-12-09 18:00:00', closes: '2026-12-09 18:00:00' }, 'opens'],
    [{ closes: '2026-12-10 20:00:01' }, 'closes'],
    [{ places: 0 }, 'places'],
    [{ per_person: 21 }, 'per_person'],
    [{ scope: 'series' }, 'scope'],
  ])('refuse %o', async (settings, name) => {
    const course = await Course.begin({})
    const { status, body } = await course.ask('PUT', course.path, settings)
    expect([status, Object.keys(body.data.params)]).toEqual([400, [name]])
  })

  it.each([
    [{ opens: '2026-12-10 09:00:00' }, { start_date: '2026-12-10 08:00:00' }, {}],
    [
      { closes: '2026-12-10 19:00:00' },
      { start_date: '2026-12-10 14:00:00', end_date: '2026-12-10 16:00:00' },
      // An event that is over takes nobody.
      { closes: '2026-12-10 16:00:00' },
    ],
  ])('%o can stay after the event was moved to %o', async (times, moved, clipped) => {
    const course = await Course.begin({ places: 3, ...times })
    expect((await course.ask('PATCH', `/events/${course.id}`, moved)).status).toBe(200)
    const shown = { ...times, ...clipped }
    for (const settings of [{}, { closed: true }, { places: 6 }, shown])
      expect(await course.ask('PUT', course.path, settings)).toMatchObject({
        status: 200,
        body: { ...settings, ...shown },
      })
    const [name, time] = Object.entries(shown)[0] ?? []
    const other = await course.ask('PUT', course.path, { [`${name}`]: `${time}`.replace(':00:00', ':30:00') })
    expect([other.status, Object.keys(other.body.data.params)]).toEqual([400, [name]])
    // It is back where it was, and so are the times.
    const before = { start_date: '2026-12-10 18:00:00', end_date: '2026-12-10 20:00:00' }
    expect((await course.ask('PATCH', `/events/${course.id}`, before)).status).toBe(200)
    expect((await course.read()).body).toMatchObject(times)
  })

  it('take null as a value, and leave alone what is not named', async () => {
    const course = await Course.begin({ places: 3, per_person: 2, opens: '2026-12-01 09:00:00' })
    await course.ask('PUT', course.path, { places: null, opens: null })
    expect((await course.ask('GET', course.path)).body).toMatchObject({
      places: null,
      per_person: 2,
      opens: null,
    })
  })

  it.each([
    ['of the event', 'event'],
    ['of its series', 'series'],
  ])('can be made by two at once: the second changes those %s', async (_, scope) => {
    const course = await Course.begin({}, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    await course.ask('DELETE', course.path)
    const { DB } = faultyD1({ beforeWrite: () => course.ask('PUT', course.path, { places: 5, scope }) })
    const { status, body } = await course.ask('PUT', course.path, { per_person: 2 }, undefined, { DB })
    expect([status, body]).toMatchObject([200, { places: 5, per_person: 2, scope }])
    expect(await queryValue('SELECT count(*) FROM registrations')).toBe(1)
  })

  it('are made anew if the registration ends at the same time', async () => {
    const course = await Course.begin({ places: 3 })
    const { DB } = faultyD1({ beforeWrite: () => course.ask('DELETE', course.path) })
    const { status, body } = await course.ask('PUT', course.path, { per_person: 2 }, undefined, { DB })
    expect([status, body]).toMatchObject([200, { places: null, per_person: 2 }])
  })

  it.each(['event', 'series'])('stay those of the %s if somebody registers at the same time', async scope => {
    const rrule = 'FREQ=WEEKLY;COUNT=3'
    const course = await Course.begin({ scope }, { recurrence: { rrule } })
    const { DB } = faultyD1({ beforeWrite: () => course.join('ann@mail.example') })
    const other = scope === 'event' ? 'series' : 'event'
    const { status, body } = await course.ask('PUT', course.path, { scope: other }, undefined, { DB })
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['scope']])
    expect((await course.ask('GET', course.path)).body).toMatchObject({ scope, taken: 1 })
  })

  it('need an e-mail service, an imprint and a privacy page', async () => {
    const course = await Course.begin({})
    for (const name of ['IMPRINT_URL', 'PRIVACY_URL', 'MAIL_FROM'] as const) {
      course.outbox.bindings = { ...course.outbox.bindings, [name]: '' }
      expect((await course.ask('PUT', course.path, {})).status, name).toBe(501)
      expect((await course.register('ann@mail.example')).status, name).toBe(501)
      expect((await course.browser().get(`/register/${course.id}/`)).status, name).toBe(404)
    }
  })

  it('end with the number of people, who are told and erased, and the event says what it said before', async () => {
    const course = await Course.begin({ places: 1 }, { ticket_availability: 'few', ticketed: false })
    await course.join('ann@mail.example')
    await course.cron()
    expect(await course.ask('DELETE', course.path)).toMatchObject({
      status: 409,
      body: { data: { people: 1, unconfirmed: 0 } },
    })
    await course.register('ben@mail.example')
    expect((await course.ask('DELETE', course.path)).body).toMatchObject({
      message:
        'People have registered: `confirm=1` notifies and erases them. It also erases those who have not confirmed: 1.',
      data: { people: 1, unconfirmed: 1 },
    })
    expect(await course.ask('DELETE', `${course.path}?confirm=1`)).toMatchObject({
      status: 200,
      body: { removed: 1 },
    })
    expect((await course.cron()).map(({ to, subject }) => [to, subject])).toEqual([
      ['ann@mail.example', 'Registration has ended: Bread for beginners'],
    ])
    expect((await course.read()).status).toBe(404)
    expect((await course.ask('GET', `/events/${course.id}`)).body).toMatchObject({
      ticketed: false,
      ticket_availability: 'few',
    })
    expect(
      await queryValue(
        'SELECT (SELECT count(*) FROM registrants) + (SELECT count(*) FROM registration_mails)',
      ),
    ).toBe(0)
  })

  it('end with one e-mail to each, also to somebody who was to be told something else', async () => {
    const course = await Course.begin({ places: 1 })
    await course.join('ann@mail.example')
    await course.join('ben@mail.example')
    await course.cron()
    const ann = await course.pathOf('ann')
    await course.ask('DELETE', ann)
    await course.ask('DELETE', `${course.path}?confirm=1`)
    expect((await course.cron()).map(({ to, subject }) => `${to} ${subject.split(':')[0]}`)).toEqual([
      'ann@mail.example You are no longer registered',
      'ben@mail.example Registration has ended',
    ])
  })

  it('do not end with another number of people than the caller knows, who learns it at once', async () => {
    const course = await Course.begin({ places: 5 })
    await course.join('ann@mail.example')
    const { DB, seen } = faultyD1({ beforeWrite: () => course.join('ben@mail.example') })
    const { status, body } = await course.ask('DELETE', `${course.path}?confirm=1`, undefined, undefined, {
      DB,
    })
    expect([status, body]).toMatchObject([409, { code: 'rest_registration_people', data: { people: 2 } }])
    expect(seen.batches).toBeLessThan(6)
    expect(await course.people()).toEqual(['ann confirmed', 'ben confirmed'])
  })

  it('end in the transaction of a batch that is done as a whole', async () => {
    const course = await Course.begin({})
    const requests = [
      { method: 'DELETE', path: course.path },
      {
        method: 'POST',
        path: '/events',
        body: { title: 'Cake', start_date: '2026-12-10 18:00:00', end_date: '2026-12-10 20:00:00' },
      },
    ]
    const { DB } = faultyD1({ message: 'D1_ERROR: disk is full: SQLITE_FULL', writesOnly: true, after: 1 })
    const batch = { validation: 'require-all-validate', requests }
    expect((await course.ask('POST', '/batch', batch, undefined, { DB })).status).toBe(207)
    expect(await queryValue('SELECT count(*) FROM registrations')).toBe(0)
    expect(await countRows("events WHERE title = 'Cake'")).toBe(1)
  })
})

describe('registering', () => {
  it('sends one e-mail with fixed words, and its button takes the place', async () => {
    const course = await Course.begin({ places: 12 })
    expect(await course.register('ann@mail.example', { name: 'Call me: 0800' })).toMatchObject({
      status: 202,
      body: { state: 'asked' },
    })
    const [mail] = course.outbox.mails
    expect(mail?.subject).toBe('Please confirm: Bread for beginners')
    expect(mail?.text).toContain('Mill, 1 Mill Lane, Kilkenny')
    expect(mail?.text).not.toContain('0800')
    expect((await course.ask('GET', course.path)).body).toMatchObject({ taken: 0, unconfirmed: 1 })
    expect(await course.press(ownLinkIn(course.outbox.last()), { do: 'confirm' })).toBe('confirmed')
    expect((await course.ask('GET', course.path)).body).toMatchObject({ taken: 1, unconfirmed: 0 })
    const [told] = await course.cron()
    expect(told).toMatchObject({ to: 'ann@mail.example', subject: 'You are registered: Bread for beginners' })
    const calendar = String((told as { attachments?: { content: unknown }[] }).attachments?.[0]?.content)
    expect(calendar).toContain('SUMMARY:Bread for beginners\r\n')
    expect(calendar).toContain('DTSTART:20261210T180000Z\r\n')
    expect(calendar).toContain('DTEND:')
    expect(await course.cron()).toEqual([])
  })

  it('gives an event without a length no end in the calendar of the e-mail', async () => {
    const course = await Course.begin({ places: 12 })
    await env.DB.prepare('UPDATE events SET end_date = start_date, utc_end_date = utc_start_date').run()
    await course.join('ann@mail.example')
    const [told] = await course.cron()
    const calendar = String((told as { attachments?: { content: unknown }[] }).attachments?.[0]?.content)
    expect(calendar).toContain('DTSTART:20261210T180000Z\r\nSUMMARY:')
  })

  it('tells somebody who moves up before the first e-mail that they were waiting', async () => {
    const course = await Course.begin({ places: 1 })
    const ann = await course.join('ann@mail.example')
    await course.join('ben@mail.example')
    await course.press(ann, { do: 'leave' })
    const mails = (await course.cron()).filter(({ to }) => to === 'ben@mail.example')
    expect(
      mails.map(({ text }) =>
        /(You are on the waiting list|Your entry on the waiting list)/.test(text ?? ''),
      ),
    ).toEqual([true, false])
    expect(mails[0]?.text).toContain('Your entry on the waiting list')
    expect(mails[1]?.text).toContain('Your registration, where')
  })

  it('says how many places people have or wait for who want several', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    const ann = await course.join('ann@mail.example', { places: 3 })
    expect((await course.browser().get(`${ann}?confirmed=1`)).html).toContain('Your 3 places are booked.')
    expect(course.outbox.mails[0]?.text).toContain('wants to register with this address for 3 places:')
    await course.join('ben@mail.example', { places: 2, language: 'de' })
    const first = await course.cron()
    expect(first[0]?.text).toContain('You have 3 places for:')
    expect(first[1]?.text).toContain('Sie stehen mit 2 Plätzen auf der Warteliste für:')
    await course.press(ann, { do: 'leave' })
    const [moved] = await course.cron()
    expect(moved?.subject).toBe('2 Plätze sind frei für Sie: Bread for beginners')
    expect(moved?.text).toContain('nachgerückt und haben 2 Plätze für:')
  })

  it('says nothing of a place that was given back before its e-mail went', async () => {
    const course = await Course.begin({ places: 1 })
    const ann = await course.join('ann@mail.example')
    const ben = await course.join('ben@mail.example')
    await course.join('cat@mail.example')
    await course.press(ann, { do: 'leave' })
    expect(await course.people()).toEqual(['ben confirmed', 'cat waiting'])
    await course.press(ben, { do: 'leave' })
    const told = await course.cron()
    expect(told.map(({ to, subject }) => [to, subject])).toEqual([
      ['cat@mail.example', 'Waiting list: Bread for beginners'],
      ['cat@mail.example', 'There is a place for you: Bread for beginners'],
    ])
    expect(await queryValue('SELECT count(*) FROM registration_mails')).toBe(0)
  })

  it('gives places in the order of confirming, and the waiting list strictly in order', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    const ann = await course.join('ann@mail.example', { places: 2 })
    await course.join('ben@mail.example', { places: 2 })
    // One place is free, but somebody waits.
    expect((await course.read()).body).toMatchObject({ state: 'waiting', left: 0 })
    await course.join('cat@mail.example')
    expect(await course.people()).toEqual(['ann confirmed', 'ben waiting', 'cat waiting'])
    await course.cron()
    expect(await course.press(ann, { do: 'leave' })).toBe('200')
    expect(await course.people()).toEqual(['ben confirmed', 'cat confirmed'])
    const told = await course.cron()
    expect(told.map(({ to, subject }) => [to, subject])).toEqual([
      ['ben@mail.example', 'There are 2 places for you: Bread for beginners'],
      ['cat@mail.example', 'There is a place for you: Bread for beginners'],
    ])
    expect((await course.browser().get(ann)).status).toBe(410)
  })

  it('refuses when all is taken and nobody can wait, and erases who confirms too late', async () => {
    const course = await Course.begin({ places: 1, waiting_list: false })
    await course.register('ann@mail.example')
    const late = ownLinkIn(course.outbox.last())
    await course.join('ben@mail.example')
    expect(await course.register('cat@mail.example')).toMatchObject({
      status: 409,
      body: { code: 'rest_registration_full' },
    })
    const page = (await course.browser().get(`/register/${course.id}/`)).text
    expect(page).toContain('Register All places are taken.')
    expect(await course.press(late, { do: 'confirm' })).toBe('200')
    expect(await queryValue('SELECT count(*) FROM registrants')).toBe(1)
  })

  it('shows an answer on the own page as long as it is stored', async () => {
    const course = await Course.begin({ question: 'Why?' })
    const link = await course.join('ann@mail.example', { answer: 'Because' })
    expect((await course.browser().get(link)).text).toContain('Why? Because')
    await course.ask('PATCH', course.path, { question: '' })
    expect((await course.browser().get(link)).text).toContain('Why? Because')
    // A version before stored answers without their question.
    await query("UPDATE registrants SET question = ''")
    expect((await course.browser().get(link)).text).toContain('Answer Because')
    await course.ask('PATCH', course.path, { question: 'How?' })
    expect((await course.browser().get(link)).text).toContain('How? Because')
  })

  it('keeps the question with its answer, whatever the organizer asks later', async () => {
    const course = await Course.begin({ question: 'Are you <vegetarian>?' })
    const ann = await course.join('ann@mail.example', { answer: 'No' })
    await course.join('ben@mail.example')
    await course.ask('PATCH', course.path, { question: 'Do you eat meat?' })
    await course.join('cat@mail.example', { answer: 'Yes' })
    expect((await course.browser().get(ann)).text).toContain('Are you <vegetarian>? No')
    const { body } = await course.ask('GET', `${course.path}s`)
    expect(
      body.registrations.map((person: Record<string, string>) => [person.answer, person.question]),
    ).toEqual([
      ['No', 'Are you &lt;vegetarian>?'],
      ['', ''],
      ['Yes', 'Do you eat meat?'],
    ])
    const sheet = async () => {
      const lines = (await course.ask('GET', `${course.path}s.csv`)).text.trim().split('\r\n')
      return lines.map(line => line.split(',').slice(4, -2).join())
    }
    expect(await sheet()).toEqual(['Do you eat meat?,Are you <vegetarian>?', ',No', ',', 'Yes,'])
    await course.ask('PATCH', course.path, { question: '' })
    expect(await sheet()).toEqual(['Are you <vegetarian>?,Do you eat meat?', 'No,', ',', ',Yes'])
  })

  it('asks again if the question has changed since the form was opened', async () => {
    const course = await Course.begin({ question: 'Are you vegetarian?' })
    const path = `/register/${course.id}/`
    const { question = [] } = fieldsIn((await course.browser().get(path)).html)
    await course.ask('PATCH', course.path, { question: 'Do you eat <meat>?' })
    const typed = { name: 'Ann', email: 'ann@mail.example', consent: '1', question }
    const refused = await course.browser().post(path, { ...typed, answer: 'No' })
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('The question has changed in the meantime.'),
    ])
    const again = fieldsIn(refused.html)
    expect([again.answer, again.question]).toEqual([['No'], ['Do you eat <meat>?']])
    const current = { ...typed, answer: 'Yes', question: again.question ?? [] }
    expect((await course.browser().post(path, current)).status).toBe(303)
    // Whoever has left it empty need not see it again.
    expect((await course.browser().post(path, { ...typed, email: 'ben@mail.example' })).status).toBe(303)
  })

  it('says to somebody who asks for more places than are left only that', async () => {
    const course = await Course.begin({ places: 3, per_person: 3 })
    await course.join('ann@mail.example', { places: 2 })
    await course.join('ben@mail.example', { places: 2 })
    const texts = (await course.cron()).map(({ text }) => text)
    expect(texts[1]).toContain(
      'There aren’t enough places left at the moment. You are on the waiting list (2 places) for:',
    )
  })

  it('has a button on the page of the event that says when nobody can register, also from a cache', async () => {
    const course = await Course.begin({ opens: '2026-12-01 09:00:00', closes: '2026-12-09 18:00:00' })
    const { body } = await course.ask('GET', `/events/${course.id}`)
    const page = async () => (await course.browser().get(new URL(body.url).pathname)).html
    const button = async () =>
      new RegExp(`href="/register/${course.id}/">.*?<span>(.*?)</span>`).exec(await page())?.[1]
    expect([await button(), await button()]).toEqual(Array(2).fill('Registration opens later'))
    setTime('2026-12-01T09:00:00Z')
    expect([await button(), await button()]).toEqual(['Register', 'Register'])
    setTime('2026-12-09T18:00:00Z')
    expect(await button()).toBe('Registration is closed')
    await course.ask('PATCH', course.path, { closes: null })
    expect(await button()).toBe('Register')
    await course.ask('PATCH', course.path, { closed: true })
    expect(await button()).toBe('Registration is closed')
  })

  it('says on the page of the event that there are places only while people can have them', async () => {
    const course = await Course.begin({ opens: '2026-12-01 09:00:00', closes: null })
    const { body } = await course.ask('GET', `/events/${course.id}`)
    expect(body.ticket_availability).toBe('available')
    const main = async () =>
      /<main[\s\S]*<\/main>/.exec((await course.browser().get(new URL(body.url).pathname)).html)?.[0]
    expect(await main()).not.toContain('Tickets available')
    setTime('2026-12-01T09:00:00Z')
    expect(await main()).toContain('Tickets available')
    expect(await main()).not.toContain('<span>Price</span>')
    await course.ask('PATCH', course.path, { closed: true })
    expect(await main()).not.toContain('Tickets available')
    expect((await course.ask('GET', `/events/${course.id}`)).body.ticket_availability).toBe('available')
    // Of one that is over, nobody needs any.
    await course.ask('PATCH', course.path, { closed: false })
    setTime('2027-12-01T09:00:00Z')
    expect(await main()).not.toContain('Tickets available')
  })

  it('tells search engines that there are places only while people can have them, and the price always', async () => {
    const course = await Course.begin({ places: 2, waiting_list: false }, { cost: '€5' })
    const { body } = await course.ask('GET', `/events/${course.id}`)
    const offer = async () => {
      const { html } = await course.browser().get(new URL(body.url).pathname)
      return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}').offers
    }
    expect(await offer()).toMatchObject({ price: '5', availability: 'https://schema.org/InStock' })
    await course.ask('PATCH', course.path, { closed: true })
    expect(await offer()).toMatchObject({ price: '5' })
    expect((await offer()).availability).toBeUndefined()
    await course.ask('PATCH', course.path, { closed: false })
    await course.join('ann@mail.example')
    await course.join('ben@mail.example')
    setTime('2026-11-26T10:30:00Z')
    await course.cron()
    await course.ask('PATCH', course.path, { closed: true })
    expect(await offer()).toMatchObject({ availability: 'https://schema.org/SoldOut' })
  })

  it('says on its pages that a date does not take place, and that dates go together', async () => {
    const course = await Course.begin({ scope: 'series' }, { recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const ann = await course.join('ann@mail.example')
    const texts = async () =>
      Promise.all([`/register/${course.id}/`, ann].map(async path => (await course.browser().get(path)).text))
    for (const text of await texts()) {
      expect(text).toContain('20:00 Mill, 1 Mill Lane, Kilkenny All dates together, from ')
      expect(text).not.toContain('Cancelled')
    }
    await course.ask('PATCH', `/events/${course.id}`, { event_status: 'canceled' })
    for (const text of await texts())
      expect(text).toContain('20:00 Cancelled Mill, 1 Mill Lane, Kilkenny All dates together')
  })

  it('lets nobody ask for more places than are left if nobody can wait for them', async () => {
    const course = await Course.begin({ places: 3, per_person: 3, waiting_list: false })
    await course.join('ann@mail.example', { places: 2 })
    const { status, body } = await course.register('ben@mail.example', { places: 2 })
    expect([status, body.data.params]).toEqual([400, { places: 'must be a number from 1 to 1' }])
    const path = `/register/${course.id}/`
    expect((await course.browser().get(path)).html).not.toContain('<option')
    // Somebody has taken a place since the form was shown, and now it has no field for the number.
    const form = { name: 'Ben', email: 'ben@mail.example', consent: '1', places: '2' }
    const refused = await course.browser().post(path, form)
    expect([refused.status, refused.text.includes('There aren’t that many places left.')]).toEqual([
      422,
      true,
    ])
    await course.register('dan@mail.example')
    const dan = ownLinkIn(course.outbox.last())
    await course.join('ben@mail.example')
    const late = await course.browser().post(dan, {
      ...fieldsIn((await course.browser().get(dan)).html),
      do: 'confirm',
    })
    expect(late.text).toContain('There aren’t enough places left any more')
    expect((await course.register('cat@mail.example', { places: 2 })).body.code).toBe(
      'rest_registration_full',
    )
  })

  it.each([
    [{ opens: '2026-12-01 09:00:00' }, 'soon'],
    [{ closed: true }, 'closed'],
  ])('is closed with %o', async (settings, state) => {
    const course = await Course.begin(settings)
    expect((await course.read()).body.state).toBe(state)
    expect(await course.register('ann@mail.example')).toMatchObject({
      status: 403,
      body: { code: 'rest_registration_closed' },
    })
  })

  it.each([
    [{ name: 'www.bad.example' }, 'name'],
    [{ name: 'See bad.example/x' }, 'name'],
    [{ name: 'A\u202eB' }, 'name'],
    [{ name: 'A\nB' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '\u200b' }, 'name'],
    [{ name: '\u3164 \u2060' }, 'name'],
    [{ answer: 'A\0B' }, 'answer'],
    [{ answer: 'https://bad.example' }, 'answer'],
    [{ answer: '<b>' }, 'answer'],
    [{ answer: 'a</b' }, 'answer'],
    [{ answer: '<!-- -->' }, 'answer'],
    [{ consent: false }, 'consent'],
    [{ places: 2 }, 'places'],
    [{ email: 'events@town.example' }, 'email'],
    [{ name: 'www.bad.example', email: '' }, 'name', 'email'],
  ])('refuses %o', async (fields, ...names) => {
    const course = await Course.begin({ question: 'Why?' })
    const { status, body } = await course.register('ann@mail.example', fields)
    expect([status, Object.keys(body.data.params)]).toEqual([400, names])
    expect(course.outbox.mails).toEqual([])
  })

  it.each(['7 < 12, price > 5', 'I <3 bread', 'pasted\tfrom a table'])('takes «%s»', async answer => {
    const course = await Course.begin({ question: 'Why?' })
    const link = await course.join('ann@mail.example', { name: 'Ann <3', answer })
    const { html } = await course.browser().get(link)
    expect(html).toContain(
      `<dd>${answer.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace('\t', ' ')}</dd>`,
    )
    const { body } = await course.ask('GET', `${course.path}s`)
    expect(body.registrations).toMatchObject([{ name: 'Ann <3', answer: answer.replace('\t', ' ') }])
  })

  it('lets nobody wait for more places than there are, whatever one person may have', async () => {
    const course = await Course.begin({ places: 2, per_person: 5 })
    const { status, body } = await course.register('ann@mail.example', { places: 3 })
    expect([status, body.data.params]).toEqual([400, { places: 'must be a number from 1 to 2' }])
    const path = `/register/${course.id}/`
    const page = await course.browser().get(path)
    expect(page.html.match(/<option/g)).toHaveLength(2)
    const form = { name: 'Ann', email: 'ann@mail.example', consent: '1', places: '3' }
    const refused = await course.browser().post(path, form)
    expect([refused.status, refused.text.includes('This must be a number from 1 to 2.')]).toEqual([422, true])
    expect(course.outbox.mails).toEqual([])
    await course.join('ann@mail.example', { places: 2 })
    // Whoever waits can't ask for more afterwards either.
    const ben = await course.join('ben@mail.example')
    expect(await course.press(ben, { do: 'save', places: '3' })).toBe('422')
    expect(await course.press(ben, { do: 'save', places: '2' })).toBe('saved')
    expect((await course.browser().get(ben)).html.match(/<option/g)).toHaveLength(2)
  })

  it('replaces what is not confirmed, and ends its link; changes nothing of what is', async () => {
    const course = await Course.begin({ per_person: 3 })
    await course.register('ann@mail.example', { places: 3 })
    const first = ownLinkIn(course.outbox.last())
    await course.register('Ann@Mail.example', { places: 2 })
    const second = ownLinkIn(course.outbox.last())
    expect((await course.browser().get(first)).status).toBe(410)
    await course.press(second, { do: 'confirm' })
    setTime('2026-11-27T10:00:00Z')
    expect(await course.register('ann@mail.example', { name: 'Eve' })).toMatchObject({
      status: 202,
      body: { state: 'asked' },
    })
    expect(course.outbox.last()).toMatchObject({
      subject: 'Your registration: Bread for beginners',
      text: expect.stringContaining('nothing has changed'),
    })
    expect(ownLinkIn(course.outbox.last())).toBe(second)
    expect(await query('SELECT name, places FROM registrants')).toEqual([{ name: 'Ann', places: 2 }])
    // Its owner is told once a day.
    const before = course.outbox.mails.length
    expect((await course.register('ann@mail.example', { name: 'Eve' })).status).toBe(202)
    expect(course.outbox.mails).toHaveLength(before)
  })

  it.each([1, 2])('sends the own link on the day of confirming, after %s first e-mails', async firstMails => {
    const course = await Course.begin({})
    for (let n = 1; n < firstMails; n++) await course.register('ann@mail.example')
    const link = await course.join('ann@mail.example')
    for (let n = 0; n < 3; n++) expect((await course.register('ann@mail.example')).status).toBe(202)
    expect(course.outbox.mails).toHaveLength(firstMails + 1)
    expect(course.outbox.last()).toMatchObject({ subject: 'Your registration: Bread for beginners' })
    expect(ownLinkIn(course.outbox.last())).toBe(link)
  })

  /** Registers an address again, and presses a button of its first link in between. */
  const registerWhile = async (act: string) => {
    const course = await Course.begin({ places: 2, per_person: 2 })
    await course.register('ann@mail.example')
    const link = ownLinkIn(course.outbox.last())
    const { DB } = faultyD1({ beforeWrite: () => course.press(link, { do: act }) })
    course.outbox.bindings = { ...course.outbox.bindings, DB }
    expect(await course.register('ann@mail.example', { name: 'Eve', places: 2 })).toMatchObject({
      status: 202,
      body: { state: 'asked' },
    })
    return { course, link }
  }

  it('changes nothing of somebody who confirms at the same time', async () => {
    const { course, link } = await registerWhile('confirm')
    expect(await query('SELECT name, places, state FROM registrants')).toEqual([
      { name: 'ann', places: 1, state: 'confirmed' },
    ])
    expect((await course.ask('GET', course.path)).body).toMatchObject({ taken: 1 })
    // Somebody on the list gets the own link. The first one goes on working.
    expect(course.outbox.mails).toHaveLength(2)
    expect(ownLinkIn(course.outbox.last())).toBe(link)
    expect((await course.browser().get(link)).status).toBe(200)
  })

  it.each([
    ['in the trash', (course: Course) => course.ask('DELETE', `/events/${course.id}`)],
    ['hidden', (course: Course) => course.ask('PATCH', `/events/${course.id}`, { status: 'draft' })],
  ])('gives nobody a place in an event that is %s at the same time', async (_, hide) => {
    const course = await Course.begin({ places: 3 })
    await course.register('ann@mail.example')
    const link = ownLinkIn(course.outbox.last())
    const fields = fieldsIn((await course.browser().get(link)).html)
    const { DB } = faultyD1({ beforeWrite: () => hide(course), of: /'confirmed'/ })
    const browser = new Browser({ ...course.outbox.bindings, DB })
    await browser.post(link, { ...fields, do: 'confirm' })
    expect(await course.cron()).toEqual([])
    expect(await query('SELECT state FROM registrants')).toEqual([{ state: 'unconfirmed' }])
    await course.ask('PATCH', `/events/${course.id}`, { status: 'publish' })
    expect(await course.press(link, { do: 'confirm' })).toBe('confirmed')
  })

  it('begins anew for somebody who leaves at the same time', async () => {
    const { course } = await registerWhile('leave')
    expect(course.outbox.mails).toHaveLength(2)
    expect(await course.press(ownLinkIn(course.outbox.last()), { do: 'confirm' })).toBe('confirmed')
    expect(await query('SELECT name, places FROM registrants')).toEqual([{ name: 'Eve', places: 2 }])
  })

  it.each([
    ['registers', '/register/'],
    ['registers', '/calendar/'],
    ['registers again', '/register/'],
    ['registers again', '/calendar/'],
    ['is entered by hand', ''],
  ])('stores nobody who %s while the registration ends (%s)', async (act, path) => {
    const course = await Course.begin({ places: 5 })
    if (act === 'registers again') await course.register('ann@mail.example')
    const beforeWrite = () => course.ask('DELETE', course.path)
    const DB = faultyD1({ beforeWrite, of: /registrants/ }).DB
    const bindings = { ...course.outbox.bindings }
    course.outbox.bindings = { ...bindings, DB }
    const fields = { name: 'Ann', email: 'ann@mail.example', consent: '1', places: '1' }
    const asked =
      act === 'is entered by hand'
        ? await course.ask('POST', `${course.path}s/by-hand`, { name: 'Ann', over: true })
        : path === '/calendar/'
          ? await course.register('ann@mail.example')
          : await course.browser().post(`/register/${course.id}/`, fields)
    expect({
      status: asked.status,
      registrations: await countRows('registrations'),
      registrants: await countRows('registrants'),
    }).toEqual({ status: 404, registrations: 0, registrants: 0 })
  })

  it('sends the lost link to who is on the list, and says nothing else', async () => {
    const course = await Course.begin({})
    const link = await course.join('ann@mail.example')
    const ask = (email: string) => course.visit('POST', `${course.path}s/link`, { email })
    const known = await ask('ann@mail.example')
    expect(ownLinkIn(course.outbox.last())).toBe(link)
    const before = course.outbox.mails.length
    const unknown = await ask('ben@mail.example')
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(course.outbox.mails).toHaveLength(before)
  })

  it('answers before the link goes, and does not count one that is refused', async () => {
    const course = await Course.begin({})
    await course.join('ann@mail.example')
    const context = createExecutionContext()
    let answered: Promise<unknown> = Promise.resolve()
    course.outbox.onSend = async () => {
      await answered
      throw Object.assign(new Error('Gone.'), { code: 'E_RECIPIENT_SUPPRESSED' })
    }
    const path = `${course.path}s/link`
    answered = request(
      API + path,
      jsonRequest('POST', { email: 'ann@mail.example' }),
      { ...env, ...course.outbox.bindings },
      context,
    )
    expect(await answered).toMatchObject({ status: 202 })
    await waitOnExecutionContext(context)
    expect(course.outbox.mails).toHaveLength(1)
    course.outbox.onSend = async () => {}
    // The second e-mail of the day is still left, and no third.
    for (let n = 0; n < 2; n++) await course.visit('POST', path, { email: 'ann@mail.example' })
    expect(course.outbox.mails).toHaveLength(2)
  })

  it('erases who does not confirm within a day', async () => {
    const course = await Course.begin({})
    await course.register('ann@mail.example')
    setTime('2026-11-27T10:01:00Z')
    await course.cron()
    expect(await queryValue('SELECT count(*) FROM registrants')).toBe(0)
  })
})

describe('limits', () => {
  it('send two first e-mails a day to a mailbox about one event, whatever is added to its name', async () => {
    const course = await Course.begin({})
    for (const email of ['v.ic+1@gmail.com', 'vic+2@gmail.com', 'vic@googlemail.com'])
      expect((await course.register(email)).status, email).toBe(202)
    expect(course.outbox.mails).toHaveLength(2)
  })

  it('let five of a network register in an hour, and more once these have confirmed', async () => {
    const course = await Course.begin({})
    const from = (n: number) => course.register(`p${n}@mail.example`, {}, '203.0.113.7')
    for (let n = 1; n <= 5; n++) expect((await from(n)).status).toBe(202)
    const refused = await from(6)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    await course.press(ownLinkIn(course.outbox.last()), { do: 'confirm' })
    expect((await from(6)).status).toBe(202)
    expect((await from(7)).status).toBe(429)
  })

  it.each(['one after the other', 'at once'])(
    'give a network nothing for confirming twice, %s',
    async when => {
      const course = await Course.begin({})
      const from = (n: number) => course.register(`p${n}@mail.example`, {}, '203.0.113.7')
      for (let n = 1; n <= 5; n++) await from(n)
      const link = ownLinkIn(course.outbox.last())
      const fields = { ...fieldsIn((await course.browser().get(link)).html), do: 'confirm' }
      const confirm = () => course.browser().post(link, fields)
      const { bindings } = course.outbox
      const { DB } = faultyD1({ beforeWrite: confirm })
      if (when === 'at once') course.outbox.bindings = { ...bindings, DB }
      else await confirm()
      const again = await confirm()
      expect(again.headers.get('location')).toBe(`${link}?confirmed=1`)
      course.outbox.bindings = bindings
      expect([(await from(6)).status, (await from(7)).status]).toEqual([202, 429])
    },
  )

  it('count a /56 of IPv6 three times as much as a /64', async () => {
    const course = await Course.begin({})
    let sent = 0
    for (let net = 0; net < 8; net++)
      for (let n = 0; n < 3; n++)
        if (
          (await course.register(`p${net}-${n}@mail.example`, {}, `2001:db8:1:10${net}::${n + 1}`)).status ===
          202
        )
          sent++
    expect(sent).toBe(15)
  })

  it('end for every address alike when the day is used up: half of it for one event', async () => {
    const course = await Course.begin({}, {}, { REGISTRATION_FIRST_MAILS: '4' })
    for (let n = 1; n <= 2; n++) expect((await course.register(`p${n}@mail.example`)).status).toBe(202)
    expect((await course.register('p3@mail.example')).status).toBe(503)
    expect((await course.register('p1@mail.example')).body.message).toContain('for this event')
    const link = await course.visit('POST', `${course.path}s/link`, { email: 'p1@mail.example' })
    expect([link.status, link.body.code]).toEqual([503, 'rest_registration_mails_used_up'])
    expect(undocumented(await readDocument(), 'POST', `${course.path}s/link`, link)).toEqual([])
    // By hand it goes on.
    expect((await course.ask('POST', `${course.path}s/by-hand`, { name: 'Ann' })).status).toBe(201)
    await query("UPDATE limit_counts SET count = 4 WHERE key = 'registrations'")
    expect((await course.register('p3@mail.example')).body.message).toContain('can send no more')
  })

  it('do not count an e-mail that its recipient’s side refuses', async () => {
    const course = await Course.begin({})
    course.outbox.onSend = async () => {
      throw Object.assign(new Error('Gone.'), { code: 'E_RECIPIENT_SUPPRESSED' })
    }
    for (let n = 0; n < 3; n++) expect((await course.register('ann@mail.example')).status).toBe(202)
    course.outbox.onSend = async () => {}
    await course.join('ann@mail.example')
    expect(await course.people()).toEqual(['ann confirmed'])
  })
})

describe('a first e-mail that the platform refuses because of the calendar', () => {
  const refuseAll = ({ outbox }: Course) => {
    outbox.onSend = async () => {
      throw Object.assign(new Error('Over.'), { code: 'E_DAILY_LIMIT_EXCEEDED' })
    }
  }
  const begin = async () => {
    const course = await Course.begin()
    refuseAll(course)
    return course
  }

  it('waits until it is taken, whoever asks for it once more', async () => {
    const course = await begin()
    const answers = [await course.register('ann@mail.example'), await course.register('ann@mail.example')]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, '{"state":"asked"}'],
      [202, '{"state":"asked"}'],
    ])
    expect(await course.cron()).toEqual([])
    course.outbox.onSend = async () => {}
    setTime('2026-11-26T11:00:00Z')
    const mails = await course.cron()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['ann@mail.example', 'Please confirm: Bread for beginners'],
    ])
    expect(mails[0]?.text).toContain('Mill, 1 Mill Lane, Kilkenny')
    expect(await course.press(ownLinkIn(course.outbox.last()), { do: 'confirm' })).toBe('confirmed')
    expect(await countRows("registration_mails WHERE kind = 'ask'")).toBe(0)
  })

  it('waits with the link of somebody who is on the list', async () => {
    const course = await Course.begin()
    const link = await course.join('ann@mail.example')
    await course.cron()
    refuseAll(course)
    expect((await course.register('ann@mail.example')).status).toBe(202)
    course.outbox.onSend = async () => {}
    const [mail, ...others] = await course.cron()
    expect([mail && ownLinkIn(mail), others]).toEqual([link, []])
  })

  it.each([
    ['who has confirmed', "UPDATE registrants SET state = 'confirmed', position = 1"],
    ['who is erased', 'DELETE FROM registrants'],
    ['whose event is hidden', "UPDATE events SET status = 'draft'"],
  ])('is not sent to somebody %s meanwhile', async (_, change) => {
    const course = await begin()
    await course.register('ann@mail.example')
    expect(await countRows('registration_mails')).toBe(1)
    await query(change)
    course.outbox.onSend = async () => {}
    const mails = await course.cron()
    expect(mails.map(({ subject }) => subject)).not.toContain('Please confirm: Bread for beginners')
    expect(await countRows("registration_mails WHERE kind = 'ask'")).toBe(0)
  })
})

it('registering tells by no round trip and no header whether an address is on the list', async () => {
  const course = await Course.begin({}, {}, { DEBUG_TIMING: '1' })
  const answers: object[] = []
  const ask = async (email: string) => {
    const { status, text, headers } = await course.register(email)
    const trips = /trips;desc="\d+"/.exec(headers.get('server-timing') ?? '')?.[0]
    answers.push({ status, text, trips, names: [...headers.keys()] })
  }
  const isOnList = async () => (await course.people()).length
  // New, asked again, and silent; then on the list, and silent.
  for (let n = 0; n < 3; n++) await ask('ann@mail.example')
  expect([await isOnList(), course.outbox.mails.length]).toEqual([0, 2])
  await course.press(ownLinkIn(course.outbox.last()), { do: 'confirm' })
  for (let n = 0; n < 2; n++) await ask('ann@mail.example')
  expect([await isOnList(), course.outbox.mails.length]).toEqual([1, 3])
  expect(answers[0]).toMatchObject({ status: 202, trips: expect.stringContaining('trips') })
  expect(answers).toEqual(Array(5).fill(answers[0]))
})

it('an address that is twice on a list violates an index that ignores case, which is known by its column', async () => {
  await Course.begin()
  const person = { registration_id: 1, name: 'Ben', language: 'en', created_utc: '' }
  const twice = ['b@c.example', 'B@C.example'].map(email => ({ ...person, email }))
  const error = await new Database(env.DB)
    .write([build.insert(registrants).values(twice)])
    .catch(error => error)
  expect([isUniqueViolation(error, registrants.email), isUniqueViolation(error, registrants.name)]).toEqual([
    true,
    false,
  ])
})
