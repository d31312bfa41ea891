import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signIn } from '../../editor/session.ts'
import { query, SITE } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { sendTo } from '../../request.ts'
import { runCron } from '../../run-cron.ts'
import { Course, ownLinkIn } from './course.ts'

const formOf = (course: Course) => course.browser().get(`/register/${course.id}/`)

beforeEach(() => void vi.setSystemTime('2026-11-26T10:00:00Z'))

it('the own page is in the language of the e-mails, whatever is pressed on it', async () => {
  const course = await Course.begin({ places: 3, per_person: 2 })
  await course.register('ann@mail.example', { language: 'de' })
  const link = ownLinkIn(course.outbox.last())
  const page = await course.browser().get(link)
  expect(page.html).toContain('<html lang="de"')
  expect(page.text).toContain('Donnerstag, 10. Dezember 2026')
  await course.press(link, { do: 'confirm' })
  expect((await course.browser().post(link, { do: 'save', places: '9' })).text).toContain('Plätze')
  expect((await course.browser().post(link, { do: 'leave' })).text).toContain('Zurückgegeben')
})

it.each([
  ['an evening', {}, 'Thursday 10 December 2026, 18:00–20:00 Mill, 1 Mill Lane, Kilkenny'],
  ['no end', { end_date: '2026-12-10 18:00:00' }, 'Thursday 10 December 2026, 18:00 Mill, '],
  ['no place', { venue: [] }, 'Thursday 10 December 2026, 18:00–20:00 '],
  ['an event online', { venue: [], is_virtual: true }, 'Thursday 10 December 2026, 18:00–20:00 Online '],
  ['a whole day', { all_day: true, end_date: '2026-12-10 18:00:00' }, 'Thursday 10 December 2026 Mill, '],
  [
    'two days',
    { end_date: '2026-12-11 20:00:00' },
    'Thursday 10 December 2026, 18:00 – Friday 11 December 2026, 20:00 Mill, ',
  ],
])('all pages say on which weekday, until when and where it is: %s', async (_, event, words) => {
  const course = await Course.begin({ per_person: 2 }, event)
  const text = async (path: string) => (await course.browser().get(path)).text
  const lines = `Bread for beginners Bread for beginners ${words}`
  expect(await text(`/register/${course.id}/`)).toContain(lines)
  expect(await text(`/register/${course.id}/?sent=1`)).toContain(lines)
  await course.register('ann@mail.example')
  const link = ownLinkIn(course.outbox.last())
  expect(await text(link)).toMatch(/Number of people 1 /)
  expect(await text(link)).toContain(lines)
  await course.press(link, { do: 'confirm' })
  const own = await text(link)
  expect(own).toContain(lines)
  expect(own.match(/Number of people/g)).toHaveLength(1)
})

it('the form lists above it what is wrong with it, and leads there', async () => {
  const course = await Course.begin({ per_person: 2, question: 'Why?' })
  const path = `/register/${course.id}/`
  const send = (fields: Record<string, string>) => course.browser().post(path, fields)
  const valid = { name: 'Ann', email: 'ann@mail.example', consent: '1' }
  const { html, text } = await send({ name: 'Ann', email: 'ann' })
  expect(text).toContain('Please check 2 fields E-mail : Please enter ')
  expect(html).toMatch(/<a href="#f-email">E-mail<[\s\S]*<a href="#f-consent">Privacy</)
  expect(html).toMatch(/id="f-consent-error"[\s\S]*<input id="f-consent"/)
  // What concerns no field stands alone.
  await course.ask('PATCH', course.path, { closed: true })
  expect((await send(valid)).html).not.toContain('form-errors')
})

describe('a link that has ended', () => {
  it('leads whoever has sent the form twice to the newest e-mail', async () => {
    const course = await Course.begin({})
    await course.register('ann@mail.example')
    const first = ownLinkIn(course.outbox.last())
    await course.register('ann@mail.example')
    const { status, text } = await course.browser().get(first)
    expect(status).toBe(410)
    expect(text).toContain('If you have had several e-mails with a link, use the newest one.')
  })

  it('says nothing false about an event that was deleted', async () => {
    const course = await Course.begin({})
    const link = await course.join('ann@mail.example')
    await course.ask('DELETE', `/events/${course.id}?force=true`)
    const { status, text } = await course.browser().get(link)
    expect(status).toBe(410)
    expect(text).toContain('or there is no registration for the event any more')
  })
})

it.each(['1', 'link'])(
  'the page after a form (%s) says how many e-mails an address gets, to everybody',
  async sent => {
    const course = await Course.begin({})
    const page = async () => (await course.browser().get(`/register/${course.id}/?sent=${sent}`)).text
    const before = await page()
    expect(before).toContain(
      'An address gets two a day at most about an event. If none arrives, check the spam folder, use the',
    )
    for (let i = 0; i < 3; i++) await course.register('ann@mail.example')
    expect(course.outbox.mails).toHaveLength(2)
    expect(await page()).toBe(before)
  },
)

describe('the own page', () => {
  it('says that somebody waits only as long as that is so', async () => {
    const course = await Course.begin({ places: 1 })
    await course.join('ann@mail.example')
    const ben = await course.join('ben@mail.example')
    const page = async () => (await course.browser().get(`${ben}?waiting=1`)).text
    expect(await page()).toContain('You are on the waiting list. You’ll get an e-mail')
    await course.ask('PATCH', course.path, { places: 2 })
    expect(await page()).toContain('18:00–20:00 Mill, 1 Mill Lane, Kilkenny You have a place Name ben')
    expect(await page()).not.toContain('You are on the waiting list')
  })

  it('says whenever it is opened how many places somebody has, unless the event is cancelled', async () => {
    const course = await Course.begin({ places: 5, per_person: 3 })
    const ann = await course.join('ann@mail.example', { places: 3 })
    const page = async () => (await course.browser().get(ann)).text
    expect(await page()).toContain('You have 3 places')
    await course.press(ann, { do: 'save', places: '1' })
    expect(await page()).toContain('You have a place')
    await course.ask('PATCH', `/events/${course.id}`, { event_status: 'postponed' })
    expect(await page()).toContain('You have a place')
    await course.ask('PATCH', `/events/${course.id}`, { event_status: 'canceled' })
    expect(await page()).toMatch(/Cancelled Mill, [^.]* Your registration/)
  })

  it('says of a hidden event only what people were told, also whether it is cancelled', async () => {
    const course = await Course.begin({})
    const ann = await course.join('ann@mail.example')
    const page = async () => (await course.browser().get(ann)).text
    const change = (fields: object) => course.ask('PATCH', `/events/${course.id}`, fields)
    await change({ status: 'draft' })
    const before = await page()
    expect(before).toContain('You have a place')
    await change({ event_status: 'canceled', event_status_reason: 'Ill' })
    expect(await page()).toBe(before)
    await change({ status: 'publish' })
    expect(await page()).toMatch(/Cancelled Mill, [^.]* Ill Your registration/)
    vi.setSystemTime('2026-11-26T10:20:00Z')
    await course.cron()
    await change({ status: 'draft' })
    expect(await page()).toMatch(/Cancelled Mill, [^.]* Your registration/)
    await query("UPDATE registrations SET told = '[]'")
    expect(await page()).toContain('You have a place')
  })

  it('promises the place to others only if anybody is in line for it', async () => {
    const course = await Course.begin({ places: 1 })
    const ann = await course.join('ann@mail.example')
    const page = async () => (await course.browser().get(ann)).text
    expect(await page()).toContain('What you entered is erased at once. Cancel registration')
    await course.join('ben@mail.example')
    expect(await page()).toContain('erased at once, and the waiting list moves up. Cancel registration')
  })
})

it('the own page says that nobody gets a place any more once registration is closed', async () => {
  const course = await Course.begin({ places: 1, question: 'Why <here>?' })
  const ann = await course.join('ann@mail.example', { answer: 'Bread' })
  const ben = await course.join('ben@mail.example')
  const textAt = async (path: string) => (await course.browser().get(path)).text
  const promise = 'the waiting list moves up'
  expect(await textAt(ann)).toContain(promise)
  expect((await course.browser().get(ann)).html).toContain('<dt>Why &lt;here&gt;?</dt>')
  await course.ask('PATCH', course.path, { closed: true })
  expect(await textAt(ann)).not.toContain(promise)
  expect(await textAt(ben)).toContain('Registration is closed.')
})

describe('fewer places than one person may ask for', () => {
  it('are said on the form and on the page that confirms', async () => {
    const course = await Course.begin({ places: 5, per_person: 4 })
    await course.join('ann@mail.example', { places: 3 })
    const { html, text } = await formOf(course)
    expect(html.match(/<option/g)).toHaveLength(4)
    expect(text).toContain('2 places are left. Name')
    expect(text).not.toContain('Your place is booked once you press the button there.')
    const confirming = async (places: number) => {
      await course.register('ben@mail.example', { places })
      return (await course.browser().get(ownLinkIn(course.outbox.last()))).text
    }
    const waits = 'If you confirm now, you’ll be on the waiting list'
    expect(await confirming(4)).toContain(waits)
    expect(await confirming(2)).not.toContain(waits)
  })

  it('are not offered as places while somebody else is first in line', async () => {
    const course = await Course.begin({ places: 5, per_person: 2 })
    for (const name of ['ann', 'ben', 'cat', 'dan']) await course.join(`${name}@mail.example`, { places: 1 })
    await course.join('eve@mail.example', { places: 2 })
    const { text } = await formOf(course)
    expect(text).toContain('At the moment, you can only join the waiting list')
    expect(text).not.toContain('All places are taken')
    const { browser } = await signIn('editor')
    const organizer = browser.with(course.outbox.bindings)
    const page = (await organizer.get(`/admin/registrations/${course.id}/`)).text
    expect(page).toContain('Waiting list only · 4 of 5 places taken')
    expect(page).toContain('with only 1 left')
  })
})

it('the form has the focus where something is wrong, also at the box that is not ticked', async () => {
  const course = await Course.begin({ question: 'Why?' })
  const answered = async (fields: Record<string, string | string[]>) => {
    const ann = { name: 'Ann', email: 'ann@mail.example', places: '1', consent: '1' }
    const { status, html } = await course.browser().post(`/register/${course.id}/`, { ...ann, ...fields })
    expect(status).toBe(422)
    return html
  }
  const unticked = await answered({ consent: [] })
  expect(unticked).toMatch(
    /<input id="f-consent"[^>]* aria-describedby="f-consent-error" aria-invalid="true" required autofocus>/,
  )
  expect(unticked).toContain('<p class="field-error" id="f-consent-error">Please tick this box.</p>')
  expect(unticked.match(/ autofocus/g)).toHaveLength(1)
  expect(await answered({ answer: 'www.bad.example' })).toMatch(/<textarea id="f-answer"[^>]* autofocus>/)
})

it('the page after the form and the first e-mail say that nothing is booked yet, and until when it can be', async () => {
  const course = await Course.begin({})
  const path = `/register/${course.id}/`
  const ann = { name: 'Ann', email: 'ann@mail.example', places: '1', consent: '1' }
  const after = (fields: Record<string, string>) => course.browser().submit(path, fields)
  expect((await after(ann)).text).toContain('Nothing is booked yet: open the link within a day')
  const { text } = course.outbox.last()
  expect(text).toContain('Nothing is booked yet. To confirm, open this page within a day')
  await course.press(ownLinkIn(course.outbox.last()), { do: 'confirm' })
  // Neither the same form, whose page must not tell whether the address is known, …
  expect((await after(ann)).text).toContain('Nothing is booked yet')
  // … nor the form for a lost link, which is for people with a place, takes anything back.
  expect((await after({ do: 'link', email: ann.email })).text).not.toContain('Nothing is booked')
  const known = course.outbox.mails.slice(1).map(mail => mail.text)
  expect(known.join()).not.toContain('Nothing is booked')
  expect(await course.people()).toEqual(['Ann confirmed'])
})

describe('«Already registered, but lost the link?»', () => {
  const LINK = { do: 'link' }
  const formIn = (html: string) => /<details class="form-fold"( open)?>.*?<\/details>/s.exec(html)
  const BAD = 'Please enter an e-mail address'

  it.each([
    ['open', {}, 'a@mail', BAD],
    ['closed', { closed: true }, 'a@mail', BAD],
    ['open', {}, '', 'Please fill this in.'],
  ])(
    'keeps what was typed, and says at its own field what is wrong: %s, %s',
    async (_, settings, email, reason) => {
      const course = await Course.begin(settings)
      const { status, html } = await course.browser().post(`/register/${course.id}/`, { ...LINK, email })
      expect(status).toBe(422)
      const [form = '', isOpen] = formIn(html) ?? []
      expect(isOpen).toBe(' open')
      expect(form).toContain(`<p class="field-error" id="f-lost-error">${reason}`)
      expect(form).toContain(`name="email" value="${email}"`)
      expect(html.replace(form, '')).not.toMatch(/field-error|role="alert"/)
    },
  )

  it('stays closed and empty when the other form is refused', async () => {
    const course = await Course.begin({})
    const fields = { name: 'Ann', email: 'a@mail', places: '1', consent: '1' }
    const { status, html } = await course.browser().post(`/register/${course.id}/`, fields)
    expect(status).toBe(422)
    const [form = '', isOpen] = formIn(html) ?? []
    expect(isOpen).toBeUndefined()
    expect(form).not.toContain('a@mail')
    expect(html).toContain(`id="f-email-error">${BAD}`)
  })
})

it('the own page of an event in the trash says that it does not take place, and leads to no page that is gone', async () => {
  const course = await Course.begin({})
  const { body } = await course.ask('GET', `/events/${course.id}`)
  const event = new URL(body.url).pathname
  const ann = await course.join('ann@mail.example')
  const page = () => course.browser().get(ann)
  expect((await page()).html).toContain(`href="${event}"`)
  await course.ask('DELETE', `/events/${course.id}`)
  const { html, text } = await page()
  expect(text).toContain(
    'Thursday 10 December 2026, 18:00–20:00 Cancelled Mill, 1 Mill Lane, Kilkenny Your registration',
  )
  expect(html).not.toContain(`href="${event}"`)
  await course.ask('POST', `/events/${course.id}`, { status: 'publish' })
  expect((await page()).text).not.toContain('Cancelled')
})

describe('the own page of a course with 300 dates', () => {
  const COURSE = { recurrence: 'FREQ=DAILY;COUNT=300' }
  const DATES = 300

  it('reads little more than the dates that it lists, and its buttons few rows, whatever became of the dates', async () => {
    const course = await Course.begin({ scope: 'series', per_person: 2 }, COURSE, { DEBUG_TIMING: '1' })
    const link = await course.join('ann@mail.example')
    const rowsOf = async (fields?: Record<string, string>) => {
      const page = await (fields ? course.browser().post(link, fields) : course.browser().get(link))
      return metricsOf(page).rows
    }
    const dateOf = async () => /(\d+ \w+ \d{4}), 18:00/.exec((await course.browser().get(link)).text)?.[1]
    expect((await course.browser().get(link)).html.match(/<li><time|<li>/g)?.length).toBeGreaterThanOrEqual(
      DATES,
    )
    expect(await rowsOf()).toBeLessThan(DATES + 100)
    expect(await rowsOf({ do: 'save', places: '2' })).toBeLessThan(100)
    expect(await dateOf()).toBe('10 December 2026')
    await query("UPDATE events SET event_status = 'canceled' WHERE id > 5")
    expect(await rowsOf()).toBeLessThan(DATES + 100)
    vi.setSystemTime('2027-09-01T17:30:00Z')
    expect(await dateOf()).toBe('1 September 2027')
    expect(await rowsOf()).toBeLessThan(DATES + 100)
    await query("UPDATE events SET status = 'trash'")
    expect(await rowsOf()).toBeLessThan(11 * DATES)
  })

  it('is read in its e-mails once, and not once for each date that is off', async () => {
    const course = await Course.begin({ scope: 'series' }, COURSE)
    await course.join('ann@mail.example')
    await query("UPDATE events SET event_status = 'canceled'")
    const { rows_read } = await runCron(course.outbox, '2026-11-26T11:00:00Z')
    expect(rows_read).toBeLessThan(100 * DATES)
  })
})

describe('an own page', () => {
  it('takes thirty changes a day, and always lets people cancel', async () => {
    const course = await Course.begin({ places: 9, per_person: 2 })
    const link = await course.join('ann@mail.example')
    const save = (n: number) => course.browser().post(link, { do: 'save', places: String(1 + (n % 2)) })
    for (let n = 0; n < 30; n++) expect((await save(n)).status).toBe(303)
    const refused = await save(30)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    vi.setSystemTime('2026-11-27T10:00:01Z')
    expect((await save(31)).status).toBe(303)
    await query("UPDATE limit_counts SET count = 30 WHERE key LIKE 'changes of %'")
    expect((await save(32)).status).toBe(429)
    expect((await course.browser().get(link)).status).toBe(200)
    expect((await course.browser().post(link, { do: 'leave' })).status).toBe(200)
    expect(await course.people()).toEqual([])
  })

  it('is shown to a network under the limit of what nothing caches', async () => {
    const course = await Course.begin({})
    const link = await course.join('ann@mail.example')
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const headers = { 'cf-connecting-ip': '203.0.113.77' }
      const { status } = await sendTo(
        { ...course.outbox.bindings, WRITE_LIMIT: env.NARROW_LIMIT },
        SITE + link,
        { headers },
      )
      statuses.push(status)
    }
    expect(statuses).toEqual([200, 200, 429])
  })
})
