import { beforeEach, describe, expect, it } from 'vitest'
import { EVENT, visitors } from '../../calendar/intake/submit.ts'
import { makeDatabaseAnew, makePerson, type Person, query, queryValue, SITE } from '../../factories.ts'
import { type Outbox, openOutbox, type SentMail } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'

// A sender's way back: a link to the page of the submission and, for an address that was confirmed, the
// decision.

const NOON = Date.parse('2026-11-20T12:00:00Z')
const at = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString()

let outbox: Outbox
let editor: Person
let calendar: ReturnType<typeof visitors>

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox({ SITE_URL: 'https://town.example' })
  editor = await makePerson('ed', 'editor')
  await makePerson('admin', 'administrator')
  calendar = visitors({}, outbox.bindings)
})

/** The path and the query of the link in an e-mail. */
const wayIn = ({ text }: SentMail): string =>
  /https?:\/\/[^/]+(\/submit\/[\da-f]{32}\/\?confirm=[\da-f]{32})/.exec(text)?.[1] ?? ''

const page = async (path: string) => (await calendar.ask('GET', SITE + path)).text

/** Presses a button of the sender's page. */
const press = (path: string, fields: Record<string, string>) =>
  calendar.ask('POST', SITE + path, { body: new URLSearchParams(fields), headers: { origin: 'null' } })

/** Submits an event, and confirms the address as its sender would. @returns the number of the submission */
async function submitConfirmed(fields: object = {}): Promise<number> {
  expect((await calendar.send(fields)).status).toBe(201)
  const link = wayIn(outbox.last())
  const [path = '', secret = ''] = link.split('?confirm=')
  expect(await page(link)).toContain('Yes, write to')
  await press(path, { do: 'confirm', confirm: secret })
  outbox.mails.length = 0
  return Number(await queryValue('SELECT max(id) FROM submissions'))
}

const decide = (id: number, json: object) =>
  calendar.ask('PATCH', `/submissions/${id}`, { as: editor.as, json })

/** The e-mails that the cron sends in some minutes. */
async function mailsSentAt(...minutes: number[]): Promise<SentMail[]> {
  const before = outbox.mails.length
  for (const minute of minutes) await runCron(outbox, at(minute), { SUBMISSIONS: 'on' })
  return outbox.mails.slice(before)
}

describe('the first e-mail to a sender', () => {
  it('has fixed words and nothing that was typed, and leads to the page', async () => {
    const typed = {
      title: 'Buy pills',
      name: 'Mallory',
      description: 'Cheap pills',
      email: 'ann@else.example',
    }
    const { body } = await calendar.send({ ...typed, venue: { venue: 'Pill Hall' } })
    expect(outbox.mails).toHaveLength(1)
    const mail = outbox.last()
    expect(mail.to).toBe('ann@else.example')
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/pill|Mallory|Ann Example/i)
    expect(mail.text).toContain('This address was given with an event')
    expect(mail.text).toContain(body.url)
    const link = wayIn(mail)
    const [path = '', secret = ''] = link.split('?confirm=')
    // Programs open links in mails.
    expect(await page(link)).toMatch(/Would you like to be told.*Yes, write to ann@else\.example/s)
    const state = () => query("SELECT is_confirmed, email_digest <> '' AS has_link FROM submissions")
    expect(await state()).toEqual([{ is_confirmed: 0, has_link: 1 }])
    // Who only has the page, such as whoever has typed a stranger's address, can't confirm it.
    expect(await page(`${path}?confirm=${'0'.repeat(32)}`)).not.toContain('Yes, write to')
    for (const wrong of ['', '0'.repeat(32), secret.slice(1)])
      expect((await press(path, { do: 'confirm', confirm: wrong })).headers.get('location')).toBe(path)
    expect(await state()).toEqual([{ is_confirmed: 0, has_link: 1 }])
    const done = await press(path, { do: 'confirm', confirm: secret })
    expect(done.headers.get('location')).toBe(`${path}?confirmed=1`)
    expect(await page(`${path}?confirmed=1`)).toContain(
      'You will get an e-mail once the editors have decided',
    )
    expect(await state()).toEqual([{ is_confirmed: 1, has_link: 0 }])
    expect(await page(link)).not.toContain('Yes, write to')
  })

  it('counts under the limits of links, beyond which a submission is taken without one', async () => {
    for (let i = 0; i < 4; i++)
      expect(
        (await calendar.send({ title: `Dance ${i}`, email: `one+${i}@else.example` }, `192.0.2.${i}`)).status,
      ).toBe(201)
    expect(outbox.mails).toHaveLength(3)
    // Visitors leave half of a day's links to users.
    await query("UPDATE limit_counts SET count = 50 WHERE key = 'links by visitors'")
    expect((await calendar.send({ title: 'Last', email: 'two@else.example' }, '192.0.2.9')).status).toBe(201)
    expect(outbox.mails).toHaveLength(3)
  })

  it('is not sent for what looks like spam, or without mail, and holds nobody up', async () => {
    await calendar.send({
      title: 'Casino bonus slots free spins',
      description: 'Casino bonus, free spins, click now',
    })
    await visitors().send({ title: 'No mail here' })
    expect(outbox.mails).toEqual([])
    expect(await queryValue('SELECT max(email_digest) FROM submissions')).toBe('')
    expect(await page('/submit/')).toContain('once you have confirmed the address')
    expect((await visitors().ask('GET', `${SITE}/submit/`)).text).not.toContain('confirmed the address')
    outbox.onSend = async () => {
      throw new Error('E_INTERNAL_SERVER_ERROR')
    }
    expect((await calendar.send({ title: 'The platform fails' })).status).toBe(201)
  })
})

describe('a decision', () => {
  it('is sent once, to a confirmed address, when it can hardly be undone any more', async () => {
    const id = await submitConfirmed({ title: 'Barn <b>dance</b> & more' })
    expect(await mailsSentAt(1, 20)).toEqual([])
    expect((await decide(id, { state: 'published' })).status).toBe(200)
    expect(await mailsSentAt(21, 30)).toEqual([])
    const [mail, ...more] = await mailsSentAt(32, 33, 60)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: EVENT.email, subject: 'Your event at What’s on in Kilkenny' })
    expect(mail?.text).toContain('“Barn dance & more” was accepted at')
    expect(mail?.text).toMatch(/https:\/\/town\.example\/event\/barn-dance-more\//)
    expect(await queryValue('SELECT told_utc IS NOT NULL FROM submissions')).toBe(1)
  })

  it('says to whoever sent an e-mail why it comes', async () => {
    const id = await submitConfirmed()
    await query("UPDATE submissions SET via = 'email'")
    await decide(id, { state: 'published' })
    const [mail] = await mailsSentAt(1, 20)
    expect(mail?.text).toContain('because you sent the event by e-mail')
    expect(mail?.text).not.toContain('confirmed')
  })

  it('says what editors have noted, and nothing of spam, of what was withdrawn, or of what is open again', async () => {
    const refused = await submitConfirmed({ title: 'Refused', email: 'a@else.example' })
    const spam = await submitConfirmed({ title: 'Spammed', email: 'b@else.example' })
    await submitConfirmed({ title: 'Withdrawn', email: 'c@else.example' })
    await query("UPDATE submissions SET is_withdrawn = 1 WHERE email = 'c@else.example'")
    await query("UPDATE events SET status = 'trash' WHERE title = 'Withdrawn'")
    const again = await submitConfirmed({ title: 'Open again', email: 'd@else.example' })
    // Nobody has confirmed this one.
    await calendar.send({ title: 'Unconfirmed', email: 'e@else.example' })
    outbox.mails.length = 0
    const last = Number(await queryValue('SELECT max(id) FROM submissions'))
    await decide(refused, { state: 'refused', note: 'It is too far away.' })
    await decide(spam, { state: 'spam' })
    await decide(again, { state: 'published' })
    await decide(last, { state: 'published' })
    await mailsSentAt(1)
    await query("UPDATE events SET status = 'pending' WHERE title = 'Open again'")
    const mails = await mailsSentAt(12, 13, 70)
    expect(mails.map(({ to }) => to)).toEqual(['a@else.example'])
    expect(mails[0]?.text).toMatch(/“Refused” was not accepted.*It is too far away\./s)
  })

  it('names no event that was deleted before the e-mail', async () => {
    const id = await submitConfirmed({ title: 'Deleted' })
    await decide(id, { state: 'refused', note: 'It is too far away.' })
    const event = await queryValue('SELECT event_id FROM submissions WHERE id = ?', id)
    const { status } = await calendar.ask('DELETE', `/events/${event}?force=true`, { as: editor.as })
    expect(status).toBe(200)
    const [mail] = await mailsSentAt(1, 12)
    expect(mail?.text).toMatch(/^The event that you submitted was not accepted at .*It is too far away\./s)
    expect(mail?.text).not.toContain('“”')
  })

  it('is tried again only if the platform has surely not taken it', async () => {
    const id = await submitConfirmed()
    await decide(id, { state: 'published' })
    let tries = 0
    outbox.onSend = async () => {
      tries += 1
      throw Object.assign(new Error('no'), { code: 'E_RATE_LIMITED' })
    }
    expect(await mailsSentAt(1, 12)).toEqual([])
    expect(tries).toBe(1)
    outbox.onSend = async () => {}
    expect(await mailsSentAt(13, 20, 90)).toHaveLength(1)
    const second = await submitConfirmed({ title: 'Second', email: 'z@else.example' })
    await decide(second, { state: 'published' })
    outbox.onSend = async () => {
      throw new Error('unknown')
    }
    await mailsSentAt(91, 110)
    outbox.onSend = async () => {}
    expect(await mailsSentAt(111, 130, 200)).toEqual([])
  })

  it('is not sent once the sender has deleted the address', async () => {
    await calendar.send()
    const [path = '', secret = ''] = wayIn(outbox.last()).split('?confirm=')
    await press(path, { do: 'forget' })
    expect((await press(path, { do: 'confirm', confirm: secret })).headers.get('location')).toBe(path)
    expect(await page(`${path}?confirm=${secret}`)).not.toContain('Yes, write to')
    const id = await submitConfirmed({ title: 'Other' })
    await query("UPDATE submissions SET name = '', email = ''")
    await decide(id, { state: 'published' })
    expect(await mailsSentAt(1, 12, 30)).toEqual([])
  })
})
