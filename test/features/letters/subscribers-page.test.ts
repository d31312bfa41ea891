import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser, signedIn, signInAs } from '../../editor/session.ts'
import { countRows, query } from '../../factories.ts'
import { openOutbox } from '../../outbox.ts'
import { addSubscribers, WITH_IMPRINT } from './subscribe.ts'

const PAGE = '/admin/subscribers/'
const outbox = openOutbox(WITH_IMPRINT)
const admin = signedIn('administrator', 'root')
const browser = new Browser(outbox.bindings)

beforeAll(async () => {
  await signInAs(admin, 'root', browser)
  await addSubscribers(3)
})

/** Sends the form of the page. */
async function send(fields: object): Promise<{ html: string }> {
  const form = fieldsIn((await browser.get(PAGE)).html)
  const { status, html } = await browser.post(PAGE, { ...form, ...fields })
  expect(status).toBe(200)
  return { html }
}

describe('the page of subscribers', () => {
  it('has numbers, and no list', async () => {
    const { html } = await browser.get(PAGE)
    expect(html).toContain('Get news: 3. Not confirmed yet: 0. Different choices: 1.')
    expect(html).not.toContain('@people.example')
  })

  it('says how many were left out', async () => {
    await query("UPDATE subscribers SET state = 'failed', week_utc = '2026-11-19 07:00:00' WHERE id = 1")
    expect((await browser.get(PAGE)).html).toContain('as far as is known: 1.')
  })

  it('looks up one address, and erases it', async () => {
    expect((await send({ email: 'nobody@people.example', do: 'find' })).html).toContain(
      'This address gets no news.',
    )
    const { html: found } = await send({ email: 'P2@people.example', do: 'find' })
    expect(found).toContain('This address gets news on Thursday')
    expect(found).toContain('value="erase"')
    expect((await send({ email: 'P2@people.example', do: 'erase' })).html).toContain('have been deleted')
    expect(await countRows('subscribers')).toBe(2)
    expect(JSON.stringify(await query('SELECT * FROM audit'))).not.toContain('people.example')
    expect((await send({ email: 'nobody', do: 'find' })).html).toContain('notice-alert')
  })

  it('says why nobody can sign up, and still finds who did', async () => {
    const { html } = await browser.with({ IMPRINT_URL: '' }).get(PAGE)
    expect(html).toContain('Nobody can sign up at the moment')
    expect(html).toContain(`Get news: ${await countRows('subscribers')}.`)
  })
})
