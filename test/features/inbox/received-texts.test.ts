import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { selectTableRows } from '../../../src/commands/backup/pages.ts'
import { dumpedNames } from '../../../src/commands/backup/tables.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { Browser, signIn, signInAs } from '../../editor/session.ts'
import { makeUser, query, queryValue, SITE, send } from '../../factories.ts'
import { runCron } from '../../run-cron.ts'
import { openInbox } from './mail.ts'

// The text of an e-mail as it came, with quotations and signatures, is for those who review it, and for a
// short time.

let admin = ''
beforeAll(async () => {
  vi.setSystemTime(timeAfterDays(0))
  admin = await makeUser('ann', 'administrator')
})

/** The review as an editor sees it, who signs in anew: sessions end sooner than these tests. */
async function review(): Promise<string> {
  const browser = new Browser()
  const login = `editor-${day}`
  await signInAs(await signIn('editor', login), login, browser)
  return (await browser.get('/admin/review/')).html
}

let day = 0
const timeAfterDays = (days: number) =>
  new Date(Date.UTC(2027, 0, 1 + day, 10) + days * 86_400_000).toISOString()
beforeEach(() => {
  day += 1
  vi.setSystemTime(timeAfterDays(0))
})

/** In the quotation and in the signature, which are no part of what becomes public. */
const MARKS = /dromedary|flamingo/i

/** Delivers an e-mail. @returns the path of the sender's page */
async function sent(inbox = openInbox()): Promise<string> {
  const text = `The choir sings songs of the sea in the town hall on ${day} March 2027 at 8 pm. Tea and cake in the interval.\n\nOn Monday, Bob wrote:\n> Dromedary?\n\n-- \nFlamingo 12345`
  expect(await inbox.send({ subject: `Songs of evening ${day}`, text })).toBe('taken')
  return inbox.mails.at(-1)?.text.match(/\/submit\/[\da-f]{32}\//)?.[0] ?? ''
}

const latest = async () =>
  (await query('SELECT id, event_id, name, email, mail_text FROM submissions ORDER BY id DESC LIMIT 1'))[0] ??
  {}

describe('the text of an e-mail as it came', () => {
  it('is kept for thirty days', async () => {
    const inbox = openInbox()
    await sent(inbox)
    await runCron(inbox.outbox, timeAfterDays(29.9))
    expect((await latest()).mail_text).toMatch(MARKS)
    await runCron(inbox.outbox, timeAfterDays(30.1))
    expect(await latest()).toMatchObject({ mail_text: '', email: 'ann@club.example', name: 'Ann Example' })
  })

  it('goes at once with the name and the address of its sender', async () => {
    const inbox = openInbox()
    const path = await sent(inbox)
    expect((await latest()).mail_text).toMatch(MARKS)
    await send('POST', `${SITE}${path}`, {
      body: new URLSearchParams({ do: 'forget' }),
      headers: { origin: 'null' },
      bindings: inbox.bindings,
    })
    expect(await latest()).toMatchObject({ mail_text: '', email: '', name: '' })
    const html = await review()
    expect(html).toContain(`Songs of evening ${day}`)
    expect(html).not.toMatch(MARKS)
  })

  it('is folded below what is to be known before its event is published', async () => {
    const file = (summary: string) =>
      [
        ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', `UID:${summary}`, 'DTSTAMP:20270101T000000Z'],
        ...[`DTSTART:202703${10 + day}T193000Z`, 'SUMMARY:Chess', summary, 'CLASS:PRIVATE', 'END:VEVENT'],
        ...['END:VCALENDAR', ''],
      ].join('\r\n')
    // Two versions of one invitation.
    const attached = ['DESCRIPTION:For members', 'DESCRIPTION:For members, in the bar'].map(content => ({
      type: 'text/calendar',
      content: file(content),
    }))
    await openInbox().send({ subject: 'Invitation', text: 'Private joke', attached })
    const html = await review()
    const card = html.slice(html.indexOf('Chess</h2>'))
    const [beforeText = ''] = card.split('<details class="review-mail"')
    expect(beforeText).toContain('<p>Private according to its calendar file: Chess.</p>')
    const [mail = ''] = card.slice(beforeText.length).split('</details>', 1)
    expect(mail).toMatch(/^<details class="review-mail"><summary>/)
    expect(mail).toContain('>Private joke<')
    expect(mail).not.toContain('according to')
  })

  it('is in one column, which the review shows and no backup has', async () => {
    await sent()
    const tables = await query<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    )
    const having: string[] = []
    for (const { name } of tables)
      for (const row of await query(`SELECT * FROM "${name}"`))
        for (const [column, value] of Object.entries(row))
          if (MARKS.test(String(value))) having.push(`${name}.${column}`)
    expect(new Set(having)).toEqual(new Set(['submissions.mail_text']))
    expect(await review()).toMatch(MARKS)

    const db = new Database(env.DB)
    const dump: unknown[] = []
    for (const name of dumpedNames()) dump.push(await db.read(selectTableRows(name)))
    expect(JSON.stringify(dump)).toContain(`Songs of evening ${day}`)
    expect(JSON.stringify(dump)).not.toMatch(MARKS)
  })

  it('is in no output and in no log, also after the event is published', async () => {
    const spies = (['log', 'error', 'warn'] as const).map(name =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    )
    const inbox = openInbox()
    const { bindings } = inbox
    await sent(inbox)
    const { id } = await latest()
    const done = await send('PATCH', `/submissions/${id}`, {
      as: admin,
      json: { state: 'published' },
      bindings,
    })
    expect(done.status).toBe(200)
    const slug = await queryValue<string>('SELECT slug FROM events ORDER BY id DESC LIMIT 1')
    const paths = [
      '/events?start_date=2027-01-01',
      '/events.ics',
      '/events.rss',
      '/events.csv',
      '/events.feed.json',
      `${SITE}/events/?from=2027-03-01`,
      `${SITE}/event/${slug}/`,
    ]
    const shown: unknown[] = []
    for (const path of paths) {
      const { status, text } = await send('GET', path, { bindings })
      shown.push([path, status, text.includes(`Songs of evening ${day}`)])
      expect(text).not.toMatch(MARKS)
    }
    expect(shown).toEqual(paths.map(path => [path, 200, true]))
    const list = await send('GET', '/submissions?state=published', { as: admin, bindings })
    expect(list.text).toContain('"via":"email"')
    expect(list.text).not.toMatch(MARKS)
    const logged = spies.flatMap(spy => spy.mock.calls.flat()).join('\n')
    for (const spy of spies) spy.mockRestore()
    expect(logged).toContain('"email":"taken"')
    expect(logged).not.toMatch(MARKS)
    expect(logged).not.toMatch(/club\.example|Songs|Ann/)
  })
})
