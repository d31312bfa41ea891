import { beforeEach, describe, expect, it } from 'vitest'
import { latestRow, visitors } from '../../calendar/intake/submit.ts'
import { signIn } from '../../editor/session.ts'
import {
  makeDatabaseAnew,
  makeEvent,
  makePerson,
  type Person,
  query,
  queryValue,
  SITE,
} from '../../factories.ts'
import { type Outbox, openOutbox } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'

const OFF = { SUBMISSIONS: 'on', FEATURES: 'none' }

let outbox: Outbox
let editor: Person
let on: ReturnType<typeof visitors>
let off: ReturnType<typeof visitors>

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox({ SITE_URL: 'https://town.example' })
  editor = await makePerson('ed', 'editor')
  await makePerson('admin', 'administrator')
  on = visitors({}, outbox.bindings)
  off = visitors(OFF, outbox.bindings)
})

describe('a calendar whose submissions are switched off', () => {
  it('takes nothing, and has no page for visitors', async () => {
    const { body } = await on.send()
    const own = String(body.url).replace('https://town.example', SITE)
    const { id } = await makeEvent(editor.as, { title: 'Jazz night' })
    const paths = [`${SITE}/submit/`, own, `${SITE}/submit/about/${id}/`]
    for (const path of paths)
      expect([(await on.ask('GET', path)).status, (await off.ask('GET', path)).status], path).toEqual([
        200, 404,
      ])
    expect((await off.send({ title: 'Another' })).status).toBe(404)
    expect((await off.send({ about: id, text: 'It begins at eight' })).status).toBe(404)
    expect(
      await queryValue('SELECT (SELECT count(*) FROM submissions) + (SELECT count(*) FROM remarks)'),
    ).toBe(1)
  })

  it('has no link to them', async () => {
    const { slug } = await makeEvent(editor.as, { title: 'Jazz night' })
    for (const path of ['/events/', '/venues/', `/event/${slug}/`]) {
      const all = await on.ask('GET', SITE + path)
      const none = await off.ask('GET', SITE + path)
      expect([all.text.includes('"/submit/'), none.text.includes('/submit')], path).toEqual([true, false])
    }
  })

  it('offers no setting for them, and leaves the one that is stored as it is', async () => {
    const { browser } = await signIn('administrator')
    const path = '/admin/settings/'
    await browser.save(path, { submissions: '1' })
    expect((await browser.with({ SUBMISSIONS: 'off' }).get(path)).html).toContain('name="submissions"')
    const without = browser.with({ FEATURES: 'none' })
    expect((await without.get(path)).html).not.toContain('name="submissions"')
    await without.save(path, { tagline: 'All that is on' })
    expect(JSON.parse(String(await queryValue('SELECT vars FROM settings')))).toMatchObject({
      SUBMISSIONS: 'on',
    })
  })
})

describe('what came before they were switched off', () => {
  it('is reviewed with its sender', async () => {
    await on.send({ name: 'Quirin Vogel' })
    const { event_id } = await latestRow()
    const { browser } = await signIn('editor')
    const page = await browser.with(OFF).get('/admin/review/')
    expect(page.text).toContain('Submitted by Quirin Vogel')
    expect(page.html).toContain(`id="event-${event_id}"`)
  })

  it('loses its sender as ever, and nobody gets an e-mail', async () => {
    await on.send()
    await query('UPDATE submissions SET is_confirmed = 1')
    const { event_id } = await latestRow()
    await off.ask('DELETE', `/events/${event_id}`, { as: editor.as })
    outbox.mails.length = 0
    const noted = '2026-11-20T12:00:00Z'
    await runCron(outbox, noted, OFF)
    await runCron(outbox, '2026-11-20T12:30:00Z', OFF)
    expect(outbox.mails).toEqual([])
    expect(await latestRow()).toMatchObject({ decided_utc: '2026-11-20 12:00:00', email: 'ann@example.org' })
    await runCron(outbox, '2027-02-20T12:00:00Z', OFF)
    expect(await latestRow()).toMatchObject({ name: '', email: '', sender: '' })
    expect(await query('SELECT * FROM day_keys')).toEqual([])
  })
})
