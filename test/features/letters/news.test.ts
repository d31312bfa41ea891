import { beforeEach, describe, expect, it } from 'vitest'
import { CONSENT_VERSION } from '../../../src/features/letters/news/subscribers.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser } from '../../editor/session.ts'
import {
  countRows,
  makeCategory,
  makeDatabaseAnew,
  makeEvent,
  makeOrganizer,
  makeUser,
  makeVenue,
  query,
  queryValue,
  SITE,
} from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { openOutbox } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'
import { newsLinkIn, setTime, WITH_IMPRINT } from './subscribe.ts'

let outbox = openOutbox(WITH_IMPRINT)
let as: string

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox(WITH_IMPRINT)
  as = await makeUser('ada', 'administrator')
})

let networks = 0
/** Signs up from a network, which differs each time. */
const signUp = (fields: object = {}, network = `198.51.100.${++networks}`, bindings = outbox.bindings) =>
  sendWith(bindings)('POST', '/subscribers', {
    json: { email: 'ann@people.example', weekday: 'thursday', ...fields },
    headers: { 'cf-connecting-ip': network },
  })

const ask = (method: string, path: string, json?: object, who = as) =>
  sendWith(outbox.bindings)(method, path, { as: who, json })

const reader = () => new Browser(outbox.bindings)

/** Opens the link of the last e-mail, and presses its button. @returns the path of the subscriber's page */
async function confirm(): Promise<string> {
  const link = newsLinkIn(outbox.last())
  const { html } = await reader().get(link)
  const done = await reader().post(link, { ...fieldsIn(html), do: 'confirm' })
  expect([done.status, done.headers.get('location')]).toEqual([303, `${link}?confirmed=1`])
  return link
}

const ACCEPTED = { status: 202, body: { state: 'asked' } }

describe('signing up', () => {
  it('sends one e-mail with fixed words, and nothing is subscribed before its button is pressed', async () => {
    expect(await signUp()).toMatchObject(ACCEPTED)
    expect(outbox.mails).toHaveLength(1)
    const mail = outbox.last()
    expect(mail).toMatchObject({
      to: 'ann@people.example',
      subject: 'Please confirm: news from What’s on in Kilkenny',
    })
    expect(mail.text).toContain('I want What’s on in Kilkenny to send me news')
    const link = newsLinkIn(mail)
    const page = await reader().get(link)
    expect(page.status).toBe(200)
    expect(page.text).toContain('I want What’s on in Kilkenny to send me news')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
    // Opening the page, and sending its form without what the page has in it, confirm nothing.
    await reader().post(link, { do: 'confirm' })
    await reader().post(link, { do: 'confirm', ticket: 'x.y.z' })
    expect(await countRows('subscribers WHERE consented_utc IS NOT NULL')).toBe(0)
    await confirm()
    expect(await query('SELECT consented_utc, consent, next_utc FROM subscribers')).toEqual([
      { consented_utc: '2026-11-20 12:00:00', consent: CONSENT_VERSION, next_utc: '2026-11-26 07:00:00' },
    ])
    expect((await reader().get(`${link}?confirmed=1`)).text).toContain('Confirmed')
  })

  it('asks on its page in the language of the e-mail, and says goodbye in it', async () => {
    await signUp({ language: 'de' })
    const link = newsLinkIn(outbox.last())
    const words = 'Ich möchte von What’s on in Kilkenny an diese Adresse Neues'
    expect(outbox.last().text).toContain(words)
    const page = await reader().get(link)
    expect(page.text).toContain(words)
    expect(page.html).toContain('<html lang="de"')
    await confirm()
    expect((await reader().get(`${link}?confirmed=1`)).text).toContain('Abmelden')
    expect((await reader().post(link, { do: 'leave' })).text).toContain('Sie sind abgemeldet')
  })

  it('responds alike whether an address is known, confirmed, or was asked today', async () => {
    const responses = [await signUp(), await signUp(), await signUp({ email: 'ANN@people.example' })]
    expect(outbox.mails).toHaveLength(1)
    const link = await confirm()
    setTime('2026-11-22T12:00:00Z')
    responses.push(await signUp({ weekday: 'monday' }))
    for (const { status, text } of responses) expect([status, text]).toEqual([202, '{"state":"asked"}'])
    // Who is confirmed gets the way to the own page, and keeps what was chosen.
    expect(outbox.mails).toHaveLength(2)
    expect(outbox.last().text).toContain('which it already gets')
    expect(newsLinkIn(outbox.last())).toBe(link)
    expect(await query('SELECT weekday FROM subscribers')).toEqual([{ weekday: 'thursday' }])
  })

  it('tells by no round trip and no header whether an address is known', async () => {
    const bindings = { ...outbox.bindings, DEBUG_TIMING: '1' }
    const answers: object[] = []
    const ask = async () => {
      const { status, text, headers } = await signUp({}, undefined, bindings)
      const trips = /trips;desc="\d+"/.exec(headers.get('server-timing') ?? '')?.[0]
      answers.push({ status, text, trips, names: [...headers.keys()] })
    }
    // New, silent, and asked again the next day; then known, and silent.
    for (const time of ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z', '2026-11-21T12:00:01Z']) {
      setTime(time)
      await ask()
    }
    await confirm()
    setTime('2026-11-22T12:00:02Z')
    for (let n = 0; n < 2; n++) await ask()
    expect(outbox.mails).toHaveLength(3)
    expect(answers[0]).toMatchObject({ status: 202, trips: expect.stringContaining('trips') })
    expect(answers).toEqual(Array(5).fill(answers[0]))
  })

  it('keeps the choice of the e-mail that can be confirmed, and a later e-mail ends the link of an earlier one', async () => {
    await signUp()
    const first = newsLinkIn(outbox.last())
    // Nobody can slip another choice under a link that was sent.
    await signUp({ weekday: 'monday' })
    expect(await query('SELECT weekday FROM subscribers')).toEqual([{ weekday: 'thursday' }])
    setTime('2026-11-21T12:00:01Z')
    await signUp({ weekday: 'monday' })
    expect(outbox.mails).toHaveLength(2)
    expect(newsLinkIn(outbox.last())).not.toBe(first)
    expect((await reader().get(first)).status).toBe(410)
    await confirm()
    expect(await query('SELECT weekday FROM subscribers')).toEqual([{ weekday: 'monday' }])
  })

  it.each([
    ['confirms', 'thursday', 'news from'],
    ['leaves', 'monday', 'Please confirm'],
  ])('begins again if the owner of the address %s at the same time', async (does, weekday, subject) => {
    await signUp()
    const link = newsLinkIn(outbox.last())
    setTime('2026-11-21T12:00:01Z')
    // The page stores the keys of the new day, so that the next write is that of the sign-up.
    await reader().get(link)
    const beforeWrite = does === 'confirms' ? confirm : () => reader().post(link, { do: 'leave' })
    const bindings = { ...outbox.bindings, DB: faultyD1({ beforeWrite }).DB }
    const { id } = await makeCategory(as, 'Music')
    const choice = { categories: [id] }
    expect(await signUp({ weekday: 'monday', choice }, undefined, bindings)).toMatchObject(ACCEPTED)
    expect(await query('SELECT weekday FROM subscribers')).toEqual([{ weekday }])
    expect(await query('SELECT filters FROM news_choices')).toEqual([
      { filters: does === 'confirms' ? '{}' : JSON.stringify(choice) },
    ])
    // The owner has a link that works.
    expect(outbox.mails).toHaveLength(2)
    expect(outbox.last().subject).toContain(subject)
    if (does === 'confirms') expect(newsLinkIn(outbox.last())).toBe(link)
    expect((await reader().get(newsLinkIn(outbox.last()))).status).toBe(200)
  })

  it('may be tried again if the platform refused the e-mail', async () => {
    outbox.onSend = async () => {
      throw Object.assign(new Error('no'), { code: 'E_DAILY_LIMIT_EXCEEDED' })
    }
    expect(await signUp()).toMatchObject(ACCEPTED)
    outbox.onSend = async () => {}
    expect(await signUp()).toMatchObject(ACCEPTED)
    expect(outbox.mails).toHaveLength(1)
    await confirm()
  })

  it('stores equal choices once', async () => {
    const { id: music } = await makeCategory(as, 'Music')
    const { id: film } = await makeCategory(as, 'Film')
    const { id: venue } = await makeVenue(as, 'Hall')
    const { id: organizer } = await makeOrganizer(as, 'Club')
    await signUp({ choice: { categories: [film, music, film], venues: [venue], organizers: [organizer] } })
    await signUp({
      email: 'bob@people.example',
      choice: { organizers: [organizer], categories: [music, film], venues: [venue] },
    })
    await signUp({ email: 'cyd@people.example', language: 'de' })
    const filters = { categories: [music, film].sort(), venue: [venue], organizer: [organizer] }
    expect(await query('SELECT filters, language FROM news_choices ORDER BY id')).toEqual([
      { filters: JSON.stringify(filters), language: 'en' },
      { filters: '{}', language: 'de' },
    ])
    expect(outbox.last()).toMatchObject({ headers: { 'Content-Language': 'de' } })
    expect(outbox.last().subject).toContain('Bitte bestätigen')
  })

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: 'Events@town.example' }, 'email'],
    [{ email: 'events+news@town.example' }, 'email'],
    [{ weekday: 'someday' }, 'weekday'],
    [{ language: 'xx' }, 'language'],
    [{ choice: 'all' }, 'choice'],
    [{ choice: { tags: [1] } }, 'choice'],
    [{ choice: { venues: [4711] } }, 'choice'],
    [{ choice: { categories: Array.from({ length: 11 }, (_, i) => i + 1) } }, 'choice'],
  ])('refuses %j, and names the parameter', async (fields, name) => {
    const { status, body } = await signUp(fields)
    expect([status, Object.keys(body.data.params)]).toEqual([400, [name]])
    expect(outbox.mails).toEqual([])
    expect(await countRows('subscribers')).toBe(0)
  })

  it('knows no hidden venue', async () => {
    const { id } = (await ask('POST', '/venues', { venue: 'Secret', status: 'private' })).body
    expect((await signUp({ choice: { venues: [id] } })).status).toBe(400)
  })

  it.each([
    ['an imprint', { IMPRINT_URL: '' }],
    ['e-mail', { MAIL_FROM: '' }],
    ['a limit', { NEWS_FIRST_MAILS: '0' }],
    ['pages', { WEBSITE: 'off' }],
  ])('is off without %s', async (_, vars) => {
    const bindings = { ...outbox.bindings, ...vars }
    expect(await signUp({}, '198.51.100.1', bindings)).toMatchObject({
      status: 501,
      body: { code: 'rest_mail_unavailable' },
    })
    if ('WEBSITE' in vars) return
    const browser = new Browser(bindings)
    expect((await browser.get('/news/')).status).toBe(404)
    expect((await browser.post('/news/', { email: 'ann@people.example' })).status).toBe(404)
    expect((await browser.get('/events/')).html).not.toContain('/news/')
  })
})

describe('first e-mails', () => {
  it('are three an hour and network, whether or not the addresses get one', async () => {
    const statuses = []
    for (const email of ['a@people.example', 'b@people.example', 'a@people.example', 'c@people.example'])
      statuses.push((await signUp({ email }, '203.0.113.7')).status)
    expect(statuses).toEqual([202, 202, 202, 429])
    expect((await signUp({ email: 'c@people.example' }, '203.0.113.8')).status).toBe(202)
    setTime('2026-11-20T13:00:01Z')
    expect((await signUp({ email: 'd@people.example' }, '203.0.113.7')).status).toBe(202)
  })

  it('are three times as many from a /56 of IPv6', async () => {
    const statuses = []
    for (let n = 0; n < 12; n++)
      statuses.push((await signUp({ email: `p${n}@people.example` }, `2001:db8:1:1${n % 6}::1`)).status)
    expect(statuses.filter(status => status === 202)).toHaveLength(9)
    expect((await signUp({ email: 'a@people.example' }, '2001:db8:1:200::1')).status).toBe(202)
  })

  it('are as many in a day as the setting says, and no link of a user is one of them', async () => {
    const bindings = { ...outbox.bindings, NEWS_FIRST_MAILS: '2' }
    const statuses = []
    for (const email of ['a@people.example', 'b@people.example', 'c@people.example'])
      statuses.push((await signUp({ email }, undefined, bindings)).status)
    expect(statuses).toEqual([202, 202, 429])
    expect(outbox.mails).toHaveLength(2)
    // Those have a count of their own, `links`.
    expect(await countRows("limit_counts WHERE key GLOB 'links*'")).toBe(0)
    setTime('2026-11-21T12:00:01Z')
    expect((await signUp({ email: 'c@people.example' }, undefined, bindings)).status).toBe(202)
  })

  it('are one a day for an address that left in between, also across midnight', async () => {
    setTime('2026-11-20T23:50:00Z')
    await signUp()
    const link = await confirm()
    await reader().post(link, { do: 'leave' })
    expect(await countRows('subscribers')).toBe(0)
    setTime('2026-11-21T00:10:00Z')
    expect(await signUp()).toMatchObject(ACCEPTED)
    expect(outbox.mails).toHaveLength(1)
    // Neither address nor network counts.
    const stored = JSON.stringify(await query('SELECT * FROM limit_counts'))
    expect(stored).not.toMatch(/ann|people|198\.51/)
  })

  it('don’t go for a form that another site sends, but for one of a site that may', async () => {
    const fields = { email: 'ann@people.example', all: '1', weekday: 'thursday' }
    const from = (headers: Record<string, string>) => reader().post('/news/', fields, { headers })
    const evil = { origin: 'https://evil.example' }
    for (const headers of [
      evil,
      { ...evil, 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://www.calendar.example', 'sec-fetch-site': 'same-site' },
    ]) {
      const { status, text } = await from(headers)
      expect([status, text.includes('Another site has sent this form')]).toEqual([403, true])
    }
    expect(await countRows('limit_counts')).toBe(0)
    const trusting = new Browser({ ...outbox.bindings, ALLOWED_ORIGINS: 'https://shop.example' })
    const trusted = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
    expect((await trusting.post('/news/', fields, { headers: trusted })).status).not.toBe(403)
    expect((await from({ origin: 'null', 'sec-fetch-site': 'same-origin' })).status).not.toBe(403)
  })

  it('are one a day for a mailbox, however its address is written', async () => {
    const emails = [
      ...Array.from({ length: 12 }, (_, i) => `vic.tim+${i}@gmail.com`),
      'v.ictim@gmail.com',
      'Victim@googlemail.com',
    ]
    for (const email of emails) expect(await signUp({ email })).toMatchObject(ACCEPTED)
    expect(outbox.mails).toHaveLength(1)
    for (const email of ['ann+1@people.example', 'ANN+2@people.example', 'a.nn@people.example'])
      expect(await signUp({ email }), email).toMatchObject(ACCEPTED)
    expect(outbox.mails.map(({ to }) => to).slice(1)).toEqual(['ann+1@people.example', 'a.nn@people.example'])
    await Promise.all([1, 2, 3].map(i => signUp({ email: `bob+${i}@people.example` })))
    expect(outbox.mails).toHaveLength(4)
  })

  it('come a day after the last one, however often somebody has tried since', async () => {
    await signUp()
    for (const hour of [13, 18, 23]) {
      setTime(`2026-11-20T${hour}:00:00Z`)
      expect(await signUp()).toMatchObject(ACCEPTED)
    }
    setTime('2026-11-21T11:59:59Z')
    await signUp()
    expect(outbox.mails).toHaveLength(1)
    setTime('2026-11-21T12:00:01Z')
    await signUp()
    expect(outbox.mails).toHaveLength(2)
  })

  it.each([
    ['before', false],
    ['after', true],
  ])('come at the next try if D1 fails %s it has written, known or not', async (_, late) => {
    await signUp({ email: 'bob@people.example' })
    await confirm()
    setTime('2026-11-21T12:00:01Z')
    await signUp({ email: 'cyd@people.example' })
    outbox.mails.length = 0
    for (const email of ['ann@people.example', 'bob@people.example']) {
      const { DB } = faultyD1({ message: 'D1_ERROR: Network connection lost.', writesOnly: true, late })
      expect((await signUp({ email }, undefined, { ...outbox.bindings, DB })).status, email).toBe(503)
      expect(await signUp({ email }), email).toMatchObject(ACCEPTED)
      expect(await signUp({ email }), email).toMatchObject(ACCEPTED)
    }
    expect(outbox.mails.map(({ to }) => to)).toEqual(['ann@people.example', 'bob@people.example'])
  })

  it('go with the next attempt, whichever write of a sign-up with another choice fails', async () => {
    const { id } = await makeCategory(as, 'Music')
    await signUp()
    let failed = 0
    for (let after = 0; after === failed; after++) {
      setTime(`2026-11-2${after + 2}T12:00:00Z`)
      const choice = after % 2 === 0 ? { categories: [id] } : {}
      const { DB } = faultyD1({ message: 'D1_ERROR: disk is full: SQLITE_FULL', writesOnly: true, after })
      const { status } = await signUp({ choice }, undefined, { ...outbox.bindings, DB })
      if (status === 503) {
        failed++
        expect(await signUp({ choice })).toMatchObject(ACCEPTED)
      }
      expect(outbox.mails).toHaveLength(after + 2)
      expect(await query('SELECT filters FROM news_choices')).toEqual([{ filters: JSON.stringify(choice) }])
    }
    expect(failed).toBeGreaterThan(0)
  })

  it('are not sent again on that day if the platform may have sent them', async () => {
    outbox.onSend = async () => {
      throw new Error('Network connection lost.')
    }
    expect(await signUp()).toMatchObject(ACCEPTED)
    outbox.onSend = async () => {}
    expect(await signUp()).toMatchObject(ACCEPTED)
    expect(outbox.mails).toHaveLength(0)
  })

  it('don’t go twice if two requests come at the same time', async () => {
    const responses = await Promise.all([signUp(), signUp(), signUp()])
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(outbox.mails).toHaveLength(1)
    expect(await countRows('subscribers')).toBe(1)
  })
})

describe('whoever has a link', () => {
  it('leaves by a button, or as mail programs do it, and all links end', async () => {
    for (const fields of [{ do: 'leave' }, { 'List-Unsubscribe': 'One-Click' }]) {
      await makeDatabaseAnew()
      await signUp()
      const link = await confirm()
      expect((await reader().post(link, fields, { headers: { origin: 'null' } })).status).toBe(200)
      expect(await countRows('subscribers')).toBe(0)
      expect(await countRows('news_choices')).toBe(0)
      expect((await reader().get(link)).status).toBe(410)
      // A program that repeats it is told that it is done.
      expect((await reader().post(link, fields)).status).toBe(200)
      expect((await reader().post(link, { do: 'save', weekday: 'monday' })).status).toBe(410)
    }
  })

  it('leaves by one click from anywhere; what else another site sends is refused', async () => {
    await signUp()
    const link = await confirm()
    const elsewhere = { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }
    for (const fields of [{ do: 'leave' }, { do: 'save', weekday: 'monday' }])
      expect((await reader().post(link, fields, elsewhere)).status).toBe(403)
    expect(await countRows('subscribers')).toBe(1)
    expect((await reader().post(link, { 'List-Unsubscribe': 'One-Click' }, elsewhere)).status).toBe(200)
    expect(await countRows('subscribers')).toBe(0)
  })

  it('leaves even when nobody can sign up any more', async () => {
    await signUp()
    const link = await confirm()
    const browser = new Browser({ ...outbox.bindings, IMPRINT_URL: '', MAIL_FROM: '' })
    expect((await browser.get(link)).status).toBe(200)
    await browser.post(link, { do: 'leave' })
    expect(await countRows('subscribers')).toBe(0)
  })

  it.each([
    ['the feature is off', { FEATURES: 'feeds' }],
    ['the calendar has no pages', { WEBSITE: 'off' }],
    ['both are off', { FEATURES: 'none', WEBSITE: 'off' }],
  ])('leaves even when %s, and can do nothing else', async (_, vars) => {
    for (const fields of [{ do: 'leave' }, { 'List-Unsubscribe': 'One-Click' }]) {
      await makeDatabaseAnew()
      as = await makeUser('ada', 'administrator')
      await signUp()
      const link = await confirm()
      const browser = new Browser({ ...outbox.bindings, ...vars })
      const page = await browser.get(link)
      expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
      expect(page.html).toContain('value="leave"')
      expect(page.html).not.toContain('name="weekday"')
      expect(page.html.includes('/events/')).toBe(!('WEBSITE' in vars))
      expect((await browser.post(link, { do: 'save', weekday: 'monday' })).status).toBe(200)
      expect(await query('SELECT weekday FROM subscribers')).toEqual([{ weekday: 'thursday' }])
      expect((await browser.post('/news/', { email: 'bob@people.example' })).status).toBe(404)
      expect((await browser.post(link, fields, { headers: { origin: 'null' } })).status).toBe(200)
      expect(await countRows('subscribers')).toBe(0)
      expect((await browser.get(link)).status).toBe(410)
      expect((await browser.get(`/news/1-${'0'.repeat(32)}/`)).status).toBe(410)
    }
  })

  it('is erased by administrators while the feature is off, and nothing else answers', async () => {
    await signUp()
    const off = sendWith({ ...outbox.bindings, FEATURES: 'feeds' })
    const json = { email: 'ann@people.example' }
    expect((await off('POST', '/subscribers/find', { as, json })).status).toBe(404)
    expect((await off('GET', '/subscribers', { as })).status).toBe(404)
    expect((await off('POST', '/subscribers/erase', { json })).status).toBe(401)
    expect((await off('POST', '/subscribers/erase', { as, json })).body).toEqual({ erased: true })
    expect(await countRows('subscribers')).toBe(0)
    expect((await off('GET', '/doc')).text).not.toContain('subscribers')
  })

  it('changes the choice and the day', async () => {
    const { id: music } = await makeCategory(as, 'Music')
    await makeEvent(as, { title: 'Céilí', categories: [music], start_date: '2026-11-27 20:00:00' })
    await signUp()
    const link = await confirm()
    const page = await reader().get(link)
    expect(page.text).toContain('Music')
    const saved = await reader().submit(link, { do: 'save', categories: String(music), weekday: 'monday' })
    expect(saved.text).toContain('Your choice has been saved.')
    expect(saved.html).toMatch(/value="\d+" checked/)
    expect(await query('SELECT filters FROM news_choices')).toEqual([
      { filters: `{"categories":[${music}]}` },
    ])
    expect(await query('SELECT weekday, next_utc FROM subscribers')).toEqual([
      { weekday: 'monday', next_utc: '2026-11-23 07:00:00' },
    ])
    const wrong = await reader().post(link, { do: 'save', venues: '4711', weekday: 'monday' })
    expect([wrong.status, wrong.html.includes('field-error')]).toEqual([422, true])
  })

  it('is told what of the choice is gone, confirms and keeps no other choice, and can drop it', async () => {
    const { id: hall } = await makeVenue(as, 'Hall')
    const { id: cellar } = await makeVenue(as, 'Cellar')
    const { id: music } = await makeCategory(as, 'Music')
    const GONE = 'no longer in this calendar'
    await signUp({ choice: { venues: [cellar], categories: [music] } })
    await ask('PATCH', `/venues/${cellar}`, { status: 'private' })
    await ask('DELETE', `/categories/${music}`)
    const waiting = (await reader().get(newsLinkIn(outbox.last()))).text
    expect([waiting.includes(GONE), waiting.includes('Everything'), waiting.includes('Cellar')]).toEqual([
      true,
      false,
      false,
    ])
    const link = await confirm()
    const { html } = await reader().get(link)
    expect(html).toContain(`value="${cellar}" checked><span>${GONE}</span>`)
    expect(html).toContain(`value="${music}" checked><span>${GONE}</span>`)
    expect(html).toContain('no e-mails are sent until you change your choice')
    const filters = () => queryValue('SELECT filters AS value FROM news_choices')
    const save = async (choice: object) =>
      (await reader().post(link, { weekday: 'friday', do: 'save', ...choice })).status
    expect(await save({ venues: String(cellar), categories: String(music) })).toBe(303)
    expect(JSON.parse(String(await filters()))).toEqual({ categories: [music], venue: [cellar] })
    expect(await save({ venues: String(hall), categories: '4711' })).toBe(422)
    expect(await save({ venues: String(hall) })).toBe(303)
    expect(await filters()).toBe(`{"venue":[${hall}]}`)
    // Once it was dropped, it is like any other that is not public.
    expect(await save({ venues: String(cellar) })).toBe(422)
    expect((await reader().get(link)).html).not.toContain(GONE)
  })

  it('cannot use it for others, nor guess another one', async () => {
    await signUp()
    const link = newsLinkIn(outbox.last())
    await signUp({ email: 'bob@people.example' })
    const others = newsLinkIn(outbox.last())
    const [mine = '', theirs = ''] = [link, others].map(path => path.split('-')[1])
    for (const path of [`/news/1-${theirs}`, `/news/2-${mine}`, `/news/1-${'0'.repeat(32)}/`])
      expect((await reader().get(path)).status, path).toBe(410)
  })
})

describe('the page', () => {
  it('signs up without scripts, and repeats what was typed beside an error', async () => {
    const { id: music } = await makeCategory(as, 'Music')
    await makeEvent(as, { title: 'Céilí', categories: [music], start_date: '2026-11-27 20:00:00' })
    const browser = reader()
    const page = await browser.get('/news/?categories=music')
    expect(page.status).toBe(200)
    expect(page.html).toContain(`name="categories" value="${music}" checked`)
    const wrong = await browser.post('/news/', { email: 'ann', weekday: 'friday', categories: String(music) })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('id="f-email-error"')
    expect(wrong.html).toContain('value="friday" selected')
    const done = await browser.submit('/news/', {
      email: 'ann@people.example',
      weekday: 'friday',
      categories: [String(music)],
    })
    expect(done.text).toContain('Check your e-mail')
    await confirm()
    expect(
      await query('SELECT weekday, filters FROM subscribers JOIN news_choices c ON c.id = choice_id'),
    ).toEqual([{ weekday: 'friday', filters: `{"categories":[${music}]}` }])
  })

  it('names no category that only a draft has', async () => {
    const draft = { title: 'Draft', status: 'draft', start_date: '2026-11-27 20:00:00' }
    await makeEvent(as, { ...draft, categories: ['Secret'] })
    const id = await queryValue("SELECT id FROM terms WHERE name = 'Secret'")
    expect((await reader().get(`/news/?categories=${id}`)).html).not.toContain('Secret')
    expect((await signUp({ choice: { categories: [id] } })).status).toBe(400)
    // Somebody chose it while others had it, too.
    await signUp()
    const link = await confirm()
    await query(`UPDATE news_choices SET filters = '{"categories":[${id}]}'`)
    expect((await reader().get(link)).html).not.toContain('Secret')
  })

  it('is named below lists, with what they show', async () => {
    const { id: music } = await makeCategory(as, 'Music')
    const { id: venue } = await makeVenue(as, 'Hall')
    await makeEvent(as, { categories: [music], venue: [venue], start_date: '2026-11-27 20:00:00' })
    const slug = await queryValue('SELECT slug FROM venues')
    const lineIn = async (path: string) => /href="(\/news\/[^"]*)"/.exec((await reader().get(path)).html)?.[1]
    expect(await lineIn('/events/')).toBe('/news/')
    expect(await lineIn('/events/?categories=music')).toBe('/news/?categories=music')
    expect(await lineIn(`/venue/${slug}/`)).toMatch(/^\/news\/(\?venues=\d+)?$/)
    expect(await lineIn('/events/2026-11/')).toBe('/news/')
    // At the bottom of all pages, and not in the menu.
    const { html } = await reader().get('/venues/')
    expect(html.match(/<a href="\/news\/">News by e-mail<\/a>/g)).toHaveLength(1)
    expect(html).toMatch(/<footer.*\/news\//s)
  })
})

describe('deleting', () => {
  it('happens to addresses that nobody confirms in three days, and to limits after one', async () => {
    await signUp()
    await signUp({ email: 'bob@people.example' })
    await confirm()
    await runCron(outbox, '2026-11-23T11:59:00Z')
    expect(await countRows('subscribers')).toBe(2)
    expect(await countRows('limit_counts')).toBe(0)
    await runCron(outbox, '2026-11-23T12:01:00Z')
    expect(await query('SELECT email FROM subscribers')).toEqual([{ email: 'bob@people.example' }])
    expect(await countRows('news_choices')).toBe(1)
  })
})

describe('administrators', () => {
  it('see numbers, look up or erase one address, and leave no address in the audit', async () => {
    await signUp()
    await confirm()
    await signUp({ email: 'bob@people.example' })
    expect((await ask('GET', '/subscribers')).body).toEqual({
      confirmed: 1,
      unconfirmed: 1,
      choices: 1,
      first_mails: 2,
      waiting: 0,
      left_out: 0,
    })
    expect((await ask('POST', '/subscribers/find', { email: 'Ann@People.example' })).body).toEqual({
      state: 'confirmed',
      weekday: 'thursday',
      asked: '2026-11-20 12:00:00',
      confirmed: '2026-11-20 12:00:00',
      consent: CONSENT_VERSION,
    })
    expect((await ask('POST', '/subscribers/find', { email: 'cyd@people.example' })).body).toEqual({
      state: 'none',
    })
    expect((await ask('POST', '/subscribers/erase', { email: 'ann@people.example' })).body).toEqual({
      erased: true,
    })
    expect((await ask('POST', '/subscribers/erase', { email: 'ann@people.example' })).body).toEqual({
      erased: false,
    })
    expect(await countRows('subscribers')).toBe(1)
    const entries = await query("SELECT * FROM audit WHERE kind = 'subscriber' ORDER BY id")
    expect(entries.map(({ action, object_id }) => [action, object_id])).toEqual([
      ['find', 0],
      ['find', 0],
      ['delete', 0],
    ])
    expect(JSON.stringify(await query('SELECT * FROM audit'))).not.toContain('people.example')
  })

  it('are the only ones who may see, look up and erase subscribers', async () => {
    const editor = await makeUser('ed', 'editor')
    for (const [method, path] of [
      ['GET', '/subscribers'],
      ['POST', '/subscribers/find'],
      ['POST', '/subscribers/erase'],
    ] as const) {
      const json = method === 'POST' ? { email: 'ann@people.example' } : undefined
      expect((await ask(method, path, json, editor)).status, path).toBe(403)
      expect((await sendWith(outbox.bindings)(method, path, { json })).status, path).toBe(401)
    }
  })
})

describe("with Cloudflare's check", () => {
  // The stand-in for Cloudflare responds with the status and the text of the token (vitest.config.ts).
  const PERSON = '200 {"success":true}'
  const keys = () => ({ ...outbox.bindings, TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET: 'secret' })

  it('only people sign up, by the form and by the API', async () => {
    const robot = await signUp({ turnstile: '200 {"success":false}' }, undefined, keys())
    expect([robot.status, Object.keys(robot.body.data.params)]).toEqual([400, ['turnstile']])
    const browser = new Browser(keys())
    const page = await browser.get('/news/')
    expect(page.html).toContain('class="cf-turnstile" data-sitekey="site"')
    expect(page.headers.get('content-security-policy')).toContain(
      'frame-src https://challenges.cloudflare.com',
    )
    const form = { email: 'bob@people.example', weekday: 'friday' }
    const refused = await browser.post('/news/', form)
    expect([refused.status, refused.text.includes('you are not a robot')]).toEqual([422, true])
    expect(refused.headers.get('content-security-policy')).toContain('challenges.cloudflare.com')
    expect(outbox.mails).toHaveLength(0)
    expect(await signUp({ turnstile: PERSON }, undefined, keys())).toMatchObject(ACCEPTED)
    expect((await browser.post('/news/', { ...form, 'cf-turnstile-response': PERSON })).status).toBe(303)
    expect(outbox.mails).toHaveLength(2)
    // Pages with secret addresses have no script of others.
    const own = await browser.get(newsLinkIn(outbox.last()))
    expect(own.html + own.headers.get('content-security-policy')).not.toContain('challenges.cloudflare')
  })
})

describe('the page of the form', () => {
  const page = (headers = {}) => sendWith(outbox.bindings)('GET', `${SITE}/news/`, { headers })

  it('shows the first events of what would come now, as the e-mail does, and is cached as other pages are', async () => {
    setTime('2026-11-20T12:00:00Z')
    const day = { end_date: '2026-11-27 22:00:00', all_day: false }
    for (const title of ['Céilí', 'Ball', 'Choir', 'Dance', 'Evensong', 'Fair'])
      await makeEvent(as, { title, start_date: '2026-11-27 20:00:00', ...day })
    await makeEvent(as, { title: 'Next month', start_date: '2026-12-27 20:00:00' })
    const { text, headers } = await page()
    const [, sample = ''] = /<section class="card news-sample"(.*?)<\/section>/s.exec(text) ?? []
    expect(sample).toMatch(/<h2[^>]*>What’s on in Kilkenny, November 20 – 30, 2026/)
    expect(sample.match(/<li>/g)).toHaveLength(5)
    expect(sample).toContain('Friday, November 27')
    expect(sample).toContain('And 1 more event')
    expect(sample).not.toContain('Next month')
    const list = await sendWith(outbox.bindings)('GET', `${SITE}/events/`)
    expect(headers.get('cache-control')).toBe(list.headers.get('cache-control'))
    expect((await page({ 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
    // A failed sign-up shows it as well.
    expect((await reader().post('/news/', { email: '' })).html).toContain('news-sample')
  })

  it('shows no sample where no e-mail would come', async () => {
    await makeEvent(as, { title: 'Next month', start_date: '2026-12-27 20:00:00' })
    expect((await page()).text).not.toContain('news-sample')
  })
})
