import { beforeEach, describe, expect, it } from 'vitest'
import { type Browser, signIn } from '../../editor/session.ts'
import {
  elsewhere,
  makeDatabaseAnew,
  makeEvent,
  makePerson,
  makeSource,
  type Person,
  query,
  queryValue,
  send,
} from '../../factories.ts'
import { type Outbox, openOutbox } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'

const OFF = { FEATURES: 'none' }
const NOON = '2026-11-20T12:00:00Z'
const FEED = elsewhere(
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270211T190000Z\r\nSUMMARY:Play\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
)

let outbox: Outbox
let editor: Person
let on: Browser
let off: Browser

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox({ SITE_URL: 'https://town.example' })
  editor = await makePerson('ed', 'editor')
  on = (await signIn('administrator')).browser
  off = on.with(OFF)
})

const storedEvents = () => query('SELECT title, status FROM events ORDER BY id')

describe('a calendar whose sources are switched off', () => {
  it('reads nothing, and goes on with what is due when they are on again', async () => {
    await send('POST', '/sources', { as: editor.as, json: { name: 'Theatre', url: FEED } })
    await runCron(outbox, NOON, OFF)
    expect(await storedEvents()).toEqual([])
    await runCron(outbox, '2026-11-20T12:01:00Z')
    expect(await storedEvents()).toEqual([{ title: 'Play', status: 'publish' }])
  })

  it('moves the events of a deleted source to the trash all the same', async () => {
    const { body } = await send('POST', '/sources', { as: editor.as, json: { name: 'Theatre', url: FEED } })
    await runCron(outbox, NOON)
    await send('DELETE', `/sources/${body.id}?events=trash`, { as: editor.as })
    for (const minute of [1, 2, 3]) await runCron(outbox, `2026-11-20T12:0${minute}:00Z`, OFF)
    expect(await storedEvents()).toEqual([{ title: 'Play', status: 'trash' }])
    expect(await queryValue('SELECT count(*) FROM sources')).toBe(0)
  })

  it('deletes files that nobody imports', async () => {
    const body = new FormData()
    body.append('file', new File(['Title,Date\nWalk,2027-07-01'], 'club.csv'))
    await send('POST', '/sources/files', { as: editor.as, body })
    await query("UPDATE sources SET next_run_utc = '2026-11-20 11:00:00'")
    await runCron(outbox, NOON, OFF)
    expect(await query('SELECT * FROM source_documents')).toEqual([])
  })

  it('offers no pages of theirs anywhere in the editor', async () => {
    const event = await makeEvent(editor.as, { title: 'Play' })
    const id = await makeSource('Theatre', { events: [event.id] })
    await send('PATCH', `/sources/${id}`, { as: editor.as, json: { name: 'The theatre' } })
    const pages = [
      '',
      'events/',
      `events/${event.id}/`,
      `events/?source=${id}`,
      'history/?kind=source',
      'sources/duplicates/',
    ]
    for (const path of pages.map(path => `/admin/${path}`)) {
      const leads = (html: string) => /href="\/admin\/sources\/(?!duplicates)/.test(html)
      const all = await on.get(path)
      const none = await off.get(path)
      expect({ status: none.status, leadsIfOn: leads(all.html), leadsIfOff: leads(none.html) }, path).toEqual(
        { status: 200, leadsIfOn: true, leadsIfOff: false },
      )
    }
    expect((await off.get(`/admin/events/${event.id}/`)).text).toContain('The theatre')
  })

  it('still has the page of possible duplicates, in the menu', async () => {
    const link = 'href="/admin/sources/duplicates/"'
    expect((await off.get('/admin/events/')).html).toContain(link)
    expect((await on.get('/admin/events/')).html).not.toContain(link)
  })

  it('begins without asking where the events are', async () => {
    const path = '/admin/start/'
    expect((await on.get(path)).html).toContain('name="where"')
    const page = await off.get(path)
    expect(page.html).not.toContain('name="where"')
    const looked = await off.save(path, { do: 'look', name: 'Music school' })
    expect([looked.status, looked.html.includes('<iframe')]).toEqual([200, true])
  })

  it('tells editors nothing of sources that failed', async () => {
    const id = await makeSource('Theatre')
    await query(
      "UPDATE users SET email = 'ed@town.example', notices = 'now', noticed_utc = '2026-11-20 09:00:00' WHERE login = 'ed'",
    )
    await query(
      `UPDATE sources SET state = 'failing', failing_since_utc = '2026-11-20 10:00:00' WHERE id = ${id}`,
    )
    await runCron(outbox, NOON, OFF)
    expect(outbox.mails).toEqual([])
    await runCron(outbox, '2026-11-20T12:01:00Z')
    expect(outbox.last().text).toContain('Theatre')
  })
})
