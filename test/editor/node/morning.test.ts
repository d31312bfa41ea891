import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askAsOwner, dayFromNow, declareService } from '../../service.ts'
import { closePages, type OpenPage, openPage } from '../../site/pages/node/browser.ts'
import { addDevice, signInOwner } from './owner.ts'

// The days of people who look after a calendar, from the link that they got to the button that signs them
// out.

type Event = { title: string; status: string; description: string }

// The service has the real clock.
const DAY = dayFromNow(14)

describe("the editor's day in a browser", { tags: ['browser'] }, () => {
  const server = declareService()
  let site: string
  /** Of the administrator. */
  let admin: Page
  let api: ReturnType<typeof askAsOwner>
  let ada: OpenPage
  let carl: OpenPage

  beforeAll(async () => {
    api = askAsOwner(server)
    // Passkeys are for hosts with names.
    site = new URL(server.api).origin.replace('127.0.0.1', 'localhost')
    ;({ page: admin } = await openPage())
    await signInOwner(admin, site, server)
    ada = await openPage()
    carl = await openPage()
  })

  afterAll(closePages)

  const find = async (words: string): Promise<Event[]> => {
    const query = new URLSearchParams({
      search: words,
      start_date: '2020-01-01',
      status: 'publish,pending,draft,future',
    })
    return (await api<{ events: Event[] }>('GET', `/events?${query}`)).events
  }

  /** Invites somebody, as the administrator does. @returns the address to send to them */
  async function invite(login: string, role: string): Promise<string> {
    await admin.goto(`${site}/admin/users/`)
    await admin.fill('[name=login]', login)
    await admin.check(`[name=role][value=${role}]`)
    await admin.getByRole('button', { name: 'Invite' }).click()
    return linkShown()
  }

  const linkShown = async (): Promise<string> =>
    new URL((await admin.locator('.secrets code').textContent()) ?? '', site).href

  const save = (page: Page) => page.locator('.editor-side button[value=save]').click()
  const waitForNotice = (page: Page, text: string) =>
    page.locator('.editor-notice', { hasText: text }).waitFor()

  /** Opens the page of the first event that a search of the editor finds. */
  async function openEvent(page: Page, words: string, view = ''): Promise<void> {
    await page.goto(`${site}/admin/events/?${view}search=${encodeURIComponent(words)}`)
    await page.getByRole('main').getByRole('link', { name: words }).first().click()
    await page.locator('#f-title').waitFor()
  }

  it('an editor signs in by a link, and makes a passkey', async () => {
    const { page } = ada
    await addDevice(page)
    await page.goto(await invite('ada', 'editor'))
    await page.getByRole('button', { name: 'Sign in as ada' }).click()
    await page.waitForURL(`${site}/admin/`)
    await page.getByRole('link', { name: 'Create a passkey' }).click()
    await page.locator('#passkey-new button').click()
    await waitForNotice(page, 'passkey')
  })

  it('a contributor writes for review, and cannot publish', async () => {
    const { page } = carl
    await page.goto(await invite('carl', 'contributor'))
    await page.getByRole('button', { name: 'Sign in as carl' }).click()
    await page.waitForURL(`${site}/admin/`)
    const write = async (title: string) => {
      await page.getByLabel('Title').fill(title)
      expect(await page.locator('[name=status][value=publish], [name=status][value=future]').count()).toBe(0)
      await page.fill('[name=start_date]', dayFromNow(40))
      await page.fill('[name=start_date_time]', '20:00')
      await page.getByLabel('For review').check()
      await save(page)
      await waitForNotice(page, title)
    }
    await page.getByRole('link', { name: 'New event' }).click()
    await write('Late jazz')
    for (const title of ['Early jazz', 'Jazz at noon']) {
      await page.goto(`${site}/admin/events/new/`)
      await write(title)
    }
    expect((await find('jazz')).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
    await page.goto(`${site}/admin/`)
    const menu = page.getByRole('navigation', { name: 'Editor' })
    expect(await menu.getByRole('link', { name: /Review|Users|Other services/ }).count()).toBe(0)
    expect((await page.goto(`${site}/admin/review/`))?.status()).toBe(403)
  })

  it('the editor publishes two waiting events, and sends one back with a note', async () => {
    const { page } = ada
    await page.goto(`${site}/admin/`)
    await page
      .getByRole('navigation', { name: 'Editor' })
      .getByRole('link', { name: /^Review/ })
      .click()
    await page.getByLabel('Select “Early jazz”').check()
    await page.getByLabel('Select “Jazz at noon”').check()
    await page.getByRole('button', { name: 'Publish selected' }).click()
    await waitForNotice(page, '2 events published.')
    const jazz = page.getByRole('article', { name: 'Late jazz' })
    await jazz.getByText('Send back…').click()
    await jazz.getByLabel('What is missing').fill('Which room is it in?')
    await jazz.getByRole('button', { name: 'Send back', exact: true }).click()
    await waitForNotice(page, 'Late jazz')
    const states = (await find('jazz')).map(({ title, status }) => `${title} ${status}`)
    expect(states.toSorted()).toEqual(['Early jazz publish', 'Jazz at noon publish', 'Late jazz draft'])
  })

  it('the contributor reads the note, and submits the event again', async () => {
    const { page } = carl
    await page.goto(`${site}/admin/`)
    expect(await page.textContent('main')).toContain('Sent back to you')
    await page.getByRole('link', { name: 'Late jazz' }).first().click()
    await page.locator('#f-title').waitFor()
    expect(await page.textContent('main')).toContain('Which room is it in?')
    await page.getByLabel('Title').fill('Late jazz in the red room')
    await page.getByLabel('For review').check()
    await save(page)
    await waitForNotice(page, 'red room')
    await ada.page.goto(`${site}/admin/review/`)
    expect(await ada.page.textContent('main')).toContain('Which room is it in?')
  })

  it('the editor finds somebody else’s change in the history, and undoes it', async () => {
    const { page } = ada
    await openEvent(admin, 'Early jazz')
    await admin.getByLabel('Title').fill('Early jizz')
    await save(admin)
    await waitForNotice(admin, 'Early jizz')
    const menu = page.getByRole('navigation', { name: 'Editor' })
    await menu.getByText('More').click()
    await menu.getByRole('link', { name: 'History' }).click()
    await page.getByRole('searchbox', { name: 'Who' }).fill('admin')
    await page.getByRole('button', { name: 'Search' }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'Early jizz' }).first()
    expect(await entry.locator('.changes').textContent()).toContain('Early jazz')
    await entry.getByRole('link', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo it now' }).click()
    await waitForNotice(page, 'The change has been undone.')
    expect(await find('jizz')).toEqual([])
    expect(await find('early jazz')).toMatchObject([{ title: 'Early jazz', status: 'publish' }])
  })

  it('sending a form again after a lost connection makes no second event', async () => {
    const { page } = ada
    await page.goto(`${site}/admin/events/new/`)
    await page.getByLabel('Title').fill('Over a bad line')
    await page.fill('[name=start_date]', DAY)
    await page.fill('[name=start_date_time]', '20:00')
    // The service gets it, and its answer does not arrive.
    await page.route('**/admin/events/new/', async route => {
      await route.fetch({ maxRedirects: 0 })
      await route.abort('connectionreset')
    })
    await save(page)
    await page.waitForFunction("location.protocol === 'chrome-error:'")
    await page.unroute('**/admin/events/new/')
    // What a browser offers there: to send the form once more.
    await page.reload()
    await waitForNotice(page, 'This had already been saved')
    expect(await find('bad line')).toHaveLength(1)
  })

  it('unsaved input survives the end of the session', async () => {
    const { page } = carl
    await openEvent(page, 'Late jazz in the red room', 'view=pending&')
    await page.getByRole('textbox', { name: 'Description' }).fill('Bring a chair.')
    await admin.goto(`${site}/admin/users/`)
    await admin.getByRole('link', { name: 'carl' }).click()
    await admin.getByRole('button', { name: 'Sign out everywhere' }).click()
    await waitForNotice(admin, 'carl')
    await save(page)
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await admin.getByRole('button', { name: 'Create a link' }).click()
    const other = await page.context().newPage()
    await other.goto(await linkShown())
    await other.getByRole('button', { name: 'Sign in as carl' }).click()
    await other.waitForURL(`${site}/admin/`)
    await page.getByRole('button', { name: 'Send it now' }).click()
    // The form is of the session that has ended.
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await waitForNotice(page, 'red room')
    expect(await find('red room')).toMatchObject([{ description: '<p>Bring a chair.</p>' }])
  })

  it('signs out, and in again with the passkey', async () => {
    const { page, complaints } = ada
    await page.locator('.header-links summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    // The device is one that takes what the browser offers with its logins.
    await page.waitForURL(`${site}/admin/`)
    expect(await page.textContent('h1')).toBe('Hello, ada')
    expect(complaints.filter(text => !text.includes('ERR_CONNECTION_RESET'))).toEqual([])
  })
})
