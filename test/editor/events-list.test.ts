import { beforeAll, describe, expect, it } from 'vitest'
import { makeAll, makeCategory, makeEvent, query, queryValue, SITE, send, WHEN } from '../factories.ts'
import { PARTS } from '../features.ts'
import { expectPage } from '../site/pages/page.ts'
import { type SignedIn, signedIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')
const contributor = signedIn('contributor')

const LIST = '/admin/events/'
const BULK = '/admin/events/bulk/'
const PAST = { start_date: '2026-11-01 10:00:00', end_date: '2026-11-01 12:00:00' }

/** The titles on a page of the list, in order. */
const titles = (html: string): string[] =>
  [...html.matchAll(/<p class="row-title">(?:<a [^>]*>)?([^<]*)/g)].map(([, title = '']) => title)

const listed = async ({ browser }: SignedIn, query = ''): Promise<string[]> =>
  titles((await browser.get(LIST + query)).html)

const statusOf = async (id: number) => (await send('GET', `/events/${id}`, { as: editor.as })).body.status

beforeAll(async () => {
  await makeCategory(editor.as, 'Music')
  await makeEvent(editor.as, { title: 'Coming', categories: ['music'], venue: { venue: 'The Barn' } })
  await makeEvent(editor.as, { title: 'Over', ...PAST })
  await makeEvent(editor.as, { title: 'On now', start_date: '2026-11-19', end_date: '2026-11-25' })
  await makeEvent(editor.as, { title: 'Begun', status: 'draft', ...PAST })
  await makeEvent(editor.as, { title: 'Unlisted', hide_from_listings: true })
  await makeEvent(editor.as, { title: 'Later', status: 'publish', date: '2027-01-01' })
  await makeEvent(author.as, { title: 'Written' })
  await makeEvent(author.as, { title: 'Unwritten', status: 'draft' })
  await makeEvent(contributor.as, { title: 'Offered', status: 'pending' })
  const { id } = await makeEvent(editor.as, { title: 'Binned' })
  await send('DELETE', `/events/${id}`, { as: editor.as })
})

describe('the list', () => {
  it('says on which days an event of several is, and in which year one of another year is', async () => {
    const { html } = await editor.browser.get(LIST)
    expect(html).toMatch(/On now<\/a><\/p>\s*<p class="row-when">Thu, Nov 19 – Tue, Nov 24</)
    const scheduled = await editor.browser.get(`${LIST}?view=future`)
    expect(scheduled.html).toMatch(/Later<\/a><\/p>\s*<p class="row-when">Sun, Jan 10 2027, 10:00 AM</)
  })

  it('shows every event in one of its tabs, which count them', async () => {
    const { browser } = editor
    expect(await listed(editor)).toEqual(['On now', 'Coming', 'Written'])
    expect(await listed(editor, '?view=past')).toEqual(['Over'])
    expect((await listed(editor, '?view=draft')).sort()).toEqual(['Begun', 'Unwritten'])
    expect(await listed(editor, '?view=pending')).toEqual(['Offered'])
    expect(await listed(editor, '?view=future')).toEqual(['Later'])
    expect(await listed(editor, '?view=hidden')).toEqual(['Unlisted'])
    expect(await listed(editor, '?view=trash')).toEqual(['Binned'])
    const { text } = await browser.get(LIST)
    expect(text).toMatch(/Coming up 3 Past Drafts 2 For review 1 Scheduled 1 Not in lists Trash 1/)
  })

  it('names the categories, and to editors whose event it is', async () => {
    const row = async ({ browser }: SignedIn, title: string) =>
      (await browser.get(LIST)).html.split('<li class="row').find(item => item.includes(`>${title}<`)) ?? ''
    expect(await row(editor, 'Coming')).toMatch(
      /row-badges">.*<span class="small">Music · editor-\d+<\/span>/s,
    )
    expect(await row(editor, 'Written')).toMatch(/<span class="small">author-\d+<\/span>/)
    expect(await row(author, 'Written')).not.toContain('class="small"')
  })

  it('shows only their own events to users who may not edit those of others', async () => {
    expect(await listed(author)).toEqual(['Written'])
    expect(await listed(author, '?view=draft')).toEqual(['Unwritten'])
    expect(await listed(contributor, '?view=pending')).toEqual(['Offered'])
    for (const view of ['coming', 'past', 'future', 'hidden', 'trash'])
      expect(await listed(contributor, `?view=${view}`), view).toEqual([])
    const unlisted = await makeEvent(author.as, { title: 'Own unlisted', hide_from_listings: true })
    expect(await listed(author)).toEqual(['Written'])
    expect((await author.browser.get(LIST)).text).toMatch(
      /Coming up 1 Past Drafts 1 For review Not in lists Trash/,
    )
    await send('DELETE', `/events/${unlisted.id}?force=true`, { as: editor.as })
  })

  it('has its own size, however few the API lists at once', async () => {
    const browser = editor.browser.with({ MAX_PER_PAGE: '1' })
    expect((await listed({ ...editor, browser }, '?view=draft')).sort()).toEqual(['Begun', 'Unwritten'])
  })

  it.each([
    '',
    '?view=past',
    '?search=com',
    '?place=barn',
    '?category=music',
    '?from=2026-01-01&until=2026-11-10',
  ])('can be downloaded as a spreadsheet of its public events: %s', async query => {
    const { html } = await editor.browser.get(LIST + query)
    const [, address = ''] = /href="([^"]*events\.csv[^"]*)"/.exec(html) ?? []
    const { text } = await send('GET', address.replaceAll('&amp;', '&').replace(/^.*(?=\/events\.csv)/, ''))
    const rows = text.split('\r\n').slice(1, -1)
    expect(rows.map(row => row.split(',')[0]).toSorted()).toEqual(titles(html).toSorted())
  })

  it('offers no spreadsheet of one’s own events, or of a tab without public ones', async () => {
    for (const [who, view] of [
      [author, ''],
      [editor, '?view=draft'],
      [editor, '?view=trash'],
    ] as const)
      expect((await who.browser.get(LIST + view)).html, view).not.toContain('events.csv')
  })

  it.each([
    ['?search=com', ['Coming']],
    ['?place=barn', ['Coming']],
    ['?place=nowhere', []],
    ['?category=music', ['Coming']],
    ['?category=none-such', []],
    ['?from=2027-01-01', ['Coming', 'Written']],
    ['?until=2026-12-31', ['On now']],
    ['?from=2026-01-01&until=2026-11-10', ['Over']],
    ['?view=past&search=&place=&category=&from=&until=', ['Over']],
  ] as const)('filters: %s', async (query, found) => {
    expect(await listed(editor, query)).toEqual(found)
  })

  it('says so if it is empty, and refuses invalid parameters', async () => {
    expect((await editor.browser.get(`${LIST}?search=xylophone`)).text).toContain('No events here')
    const { text } = await editor.browser.get(`${LIST}?view=draft&search=unwriten`)
    expect(text).toContain('Showing results for “unwritten”. Search only for “unwriten” instead')
    expect(await listed(editor, '?view=draft&search=unwriten')).toEqual(['Unwritten'])
    expect(await listed(editor, '?view=draft&search=unwriten&exact=true')).toEqual([])
    expect(await listed(contributor, '?view=draft&search=unwriten')).toEqual([])
    for (const query of ['?view=sideways', '?page=0', '?from=never'])
      expect((await editor.browser.get(LIST + query)).status, query).toBe(400)
    const { html } = await editor.browser.get(
      `${LIST}?search=${encodeURIComponent('"><script>alert(1)</script>')}`,
    )
    expect(html).not.toContain('<script>alert')
  })
})

it('the tabs count the matches of a search that finds nothing in the current tab', async () => {
  const { text } = await editor.browser.get(`${LIST}?search=later`)
  expect(text).toMatch(/Coming up Past Drafts For review Scheduled 1 Not in lists Trash Search/)
  expect((await author.browser.get(`${LIST}?search=unwritten&exact=true`)).text).toMatch(
    /Coming up Past Drafts 1 For review Not in lists Trash Search/,
  )
})

it('a search among what is not in lists finds only what matches', async () => {
  expect(await listed(editor, '?view=hidden&search=unlisted')).toEqual(['Unlisted'])
  expect(await listed(editor, '?view=hidden&search=coming&exact=true')).toEqual([])
  expect(await listed(editor, '?view=hidden&category=music')).toEqual([])
})

/** The inputs of a row, as if it were checked. */
const rowIn = (row: string) => {
  const one = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(row)?.[1] ?? ''
  return { id: one('id'), version: one('version'), dates: one('dates') }
}

describe('a series', () => {
  const weekly = async (as: SignedIn['as'], title: string, start: string, count: number) => {
    const series = { start_date: `${start} 19:00`, end_date: `${start} 20:00` }
    const { id } = await makeEvent(as, { title, ...series, recurrence: `FREQ=WEEKLY;COUNT=${count}` })
    const { series: own } = (await send('GET', `/events/${id}`, { as })).body
    return { id, series: own.id }
  }
  const dateCountsBySeries = async ({ browser }: SignedIn) =>
    [...(await browser.get(LIST)).html.matchAll(/\?series=(\d+)">(\d+) dates</g)].map(([, id, n]) => [
      Number(id),
      Number(n),
    ])

  it('is one row of the upcoming events, with its next date and the number of remaining dates', async () => {
    // It began before the clock of the tests, November 20.
    const { series } = await weekly(editor.as, 'Choir', '2026-11-10', 6)
    expect(await listed(editor)).toEqual(['On now', 'Choir', 'Coming', 'Written'])
    expect(await dateCountsBySeries(editor)).toEqual([[series, 4]])
    const { html } = await editor.browser.get(LIST)
    expect(html).toMatch(/Choir<\/a><\/p>\s*<p class="row-when">Tue, Nov 24, 7:00 PM/)
    expect(html).toContain('aria-label="Select “Choir”: 4 dates"')
    // Single dates have a separate list, and searches find them.
    expect(await listed(editor, `?series=${series}`)).toEqual(Array(4).fill('Choir'))
    expect(await listed(editor, `?view=past&series=${series}`)).toEqual(Array(2).fill('Choir'))
    expect(await listed(editor, '?search=choir')).toHaveLength(4)
    const { html: dates } = await editor.browser.get(`${LIST}?series=${series}`)
    expect(dates).toContain('aria-label="Select “Choir”: Tue, Nov 24, 7:00 PM"')
    expect(dates).toContain('aria-label="Select “Choir”: Tue, Dec 1, 7:00 PM"')
    expect(/href="[^"]*events\.csv([^"]*)"/.exec(dates)?.[1]).toContain(`series=${series}&`)
  })

  it('is not crossed out because its next date is cancelled', async () => {
    const { as } = editor
    const { id } = await weekly(as, 'Harmonica', '2026-11-24', 3)
    await send('PATCH', `/events/${id}`, { as, json: { event_status: 'canceled', scope: 'this' } })
    const { html } = await editor.browser.get(LIST)
    const [row = ''] = /<li class="row[^>]*>(?:(?!<\/li>).)*Harmonica.*?<\/li>/s.exec(html) ?? []
    expect(row).toMatch(/row-when">Tue, Nov 24, 7:00 PM.*Cancelled.*3 dates/s)
    expect(row).not.toContain('is-off')
    await send('DELETE', `/events/${id}?scope=all&force=true`, { as })
  })

  it('is cancelled or moved to the trash with all remaining dates, but keeps earlier ones', async () => {
    const { series } = await weekly(editor.as, 'Trumpets', '2026-11-10', 6)
    const press = async (action: string) => {
      const { html } = await editor.browser.get(LIST)
      const [row = ''] = /<li class="row[^>]*>(?:(?!<\/li>).)*Trumpets.*?<\/li>/s.exec(html) ?? []
      const asked = await editor.browser.submit(BULK, { ...rowIn(row), do: action })
      expect(asked.text).toContain('Your selection covers 4 dates.')
      return editor.browser.submit(BULK, { ...rowIn(row), scope: 'following', do: action })
    }
    const statuses = `SELECT status || ' ' || event_status AS now, count(*) AS n FROM events WHERE title = 'Trumpets'
      GROUP BY 1 ORDER BY 1`
    expect((await press('cancel')).text).toContain('4 events cancelled.')
    expect(await query(statuses)).toEqual([
      { now: 'publish canceled', n: 4 },
      { now: 'publish scheduled', n: 2 },
    ])
    expect((await press('toTrash')).text).toContain('4 events moved to the trash.')
    expect(await query(statuses)).toEqual([
      { now: 'publish scheduled', n: 2 },
      { now: 'trash canceled', n: 4 },
    ])
    expect(await listed(editor, `?view=past&series=${series}`)).toHaveLength(2)
  })

  it('with one remaining date is listed like a single event', async () => {
    await weekly(author.as, 'Last lesson', '2026-11-18', 2)
    expect(await listed(author)).toEqual(['Last lesson', 'Written'])
    const { html } = await author.browser.get(LIST)
    expect(html).toContain('Select “Last lesson”')
    expect(await dateCountsBySeries(author)).toEqual([])
  })

  it('has another row for a date moved after later ones, and none for one in the trash', async () => {
    const { id, series } = await weekly(editor.as, 'Moved', '2026-12-01', 5)
    const move = { start_date: '2027-03-01 19:00', end_date: '2027-03-01 20:00', scope: 'this' }
    await send('PATCH', `/events/${id}`, { as: editor.as, json: move })
    const all = (await send('GET', `/events?series=${series}&per_page=9`, { as: editor.as })).body.events
    await send('DELETE', `/events/${all[0].id}`, { as: editor.as })
    const rows = (await dateCountsBySeries(editor)).filter(([of]) => of === series)
    expect(rows).toEqual([
      [series, 4],
      [series, 4],
    ])
  })

  it('takes only one row, so that pages have room for other events', async () => {
    await Promise.all(Array.from({ length: 3 }, (_, n) => weekly(editor.as, `Long ${n}`, '2026-12-02', 40)))
    await makeAll(
      editor.as,
      'events',
      Array.from({ length: 31 }, (_, n) => ({ ...WHEN, title: `Single ${n}` })),
    )
    const first = await listed(editor)
    const second = await listed(editor, '?page=2')
    expect(first).toHaveLength(30)
    expect([...first, ...second].filter(title => title.startsWith('Long'))).toHaveLength(3)
    expect(new Set([...first, ...second].filter(title => title.startsWith('Single'))).size).toBe(31)
    expect((await editor.browser.get(`${LIST}?page=9`)).headers.get('location')).toBe(LIST)
    const gone = (await send('GET', '/events?search=single&per_page=50', { as: editor.as })).body.events
    for (const { id } of gone) await send('DELETE', `/events/${id}?force=true`, { as: editor.as })
  })
})

it('the list shows images and prices', async () => {
  const image = { url: 'https://example.org/harp.jpg', alt_text: 'A harp' }
  const { id } = await makeEvent(editor.as, { title: 'With a harp', cost: '12', image })
  const { html, text } = await editor.browser.get(`${LIST}?search=harp`)
  expect(html).toContain('<img src="https://example.org/harp.jpg"')
  expect(text).toMatch(/With a harp .* \$12/)
  await send('DELETE', `/events/${id}?force=true`, { as: editor.as })
})

describe('the start page', () => {
  it('shows the coming week, waiting items and three actions', async () => {
    const { text, html } = await editor.browser.get('/admin/')
    expect(text).toMatch(/New event .* Change or cancel .* Review 1 /s)
    expect(text).toMatch(/The coming week .*On now.*Choir/s)
    expect(html).not.toMatch(/start-coming.*Written.*start-waiting/s)
    expect(text).toMatch(/Waiting for you .*Drafts: 2 .*Scheduled: 1/s)
  })

  it('says what is cancelled in the coming week', async () => {
    const soon = { start_date: '2026-11-23 20:00', end_date: '2026-11-23 22:00' }
    const { id } = await makeEvent(editor.as, { title: 'Called off', event_status: 'canceled', ...soon })
    expect((await editor.browser.get('/admin/')).text).toMatch(/Called off Cancelled/)
    await send('DELETE', `/events/${id}?force=true`, { as: editor.as })
  })

  it('leads contributors to their drafts instead of the review', async () => {
    const { text, links } = await contributor.browser.get('/admin/')
    expect(text).toMatch(/New event .* Drafts .*1 for review/s)
    expect(links).not.toContain('/admin/review/')
    // There are events of others, which they don't see here.
    expect(text).toContain('Search your events')
    expect(text).toContain('You have no upcoming events')
    expect((await contributor.browser.get(LIST)).text).toContain('You have no events here')
  })

  it('leads contributors to the public pages of what they may not change any more', async () => {
    const soon = { status: 'pending', start_date: '2026-11-23 20:00', end_date: '2026-11-23 22:00' }
    const { id } = await makeEvent(contributor.as, { title: 'Taken over', ...soon })
    const recurrence = 'FREQ=DAILY;COUNT=2'
    const daily = await makeEvent(contributor.as, { title: 'Taken daily', ...soon, recurrence })
    const formOf = (event: number) => `/admin/events/${event}/`
    expect((await contributor.browser.get('/admin/events/?view=pending')).links).toContain(formOf(id))
    for (const path of [`/events/${id}`, `/events/${daily.id}?scope=all`])
      await send('PATCH', path, { as: editor.as, json: { status: 'publish' } })
    for (const path of ['/admin/', LIST]) {
      const { links } = await contributor.browser.get(path)
      const pages = links.filter(link => link.startsWith('/event/taken-'))
      expect(pages, path).toEqual(expect.arrayContaining(['/event/taken-over/']))
      expect(pages.length, path).toBe(path === LIST ? 2 : 3)
      for (const page of pages) expect((await send('GET', SITE + page)).status, page).toBe(200)
      expect(links).not.toContain(formOf(id))
      expect((await editor.browser.get(path)).links).toContain(formOf(id))
    }
    expect((await contributor.browser.get('/admin/')).text).not.toContain('Change or cancel')
    for (const path of [`/events/${id}`, `/events/${daily.id}?scope=all`])
      await send('DELETE', path, { as: editor.as })
  })
})

describe('the menu', () => {
  const entries = async ({ browser }: SignedIn, path: string, look: string) => {
    const { html } = await browser.get(path)
    const part = new RegExp(`<ul class="${look}">(.*?)</ul>`, 's').exec(html.slice(html.indexOf('<nav')))?.[1]
    return [...(part ?? '').matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
  }

  it('has few entries, and tabs between pages that share one', async () => {
    expect(await entries(editor, LIST, 'menu')).toEqual([
      ...['/admin/events/', '/admin/review/', '/admin/venues/', '/admin/images/', '/admin/sources/'],
    ])
    expect(await entries(editor, LIST, 'menu-items')).toEqual([
      '/admin/trash/',
      '/admin/history/',
      ...PARTS.flatMap(({ menu = [] }) => menu),
    ])
    const { html } = await editor.browser.get('/admin/tags/')
    expect(html).toMatch(/href="\/admin\/venues\/" aria-current="true">Venues and organizers/)
    expect(html).toMatch(
      /<nav class="tabs" aria-label="Venues and organizers">.*venues.*organizers.*categories.*tags\/" aria-current="page"/s,
    )
    expect(await entries(contributor, LIST, 'menu')).not.toContain('/admin/review/')
  })

  it('counts what waits for review', async () => {
    const { html } = await editor.browser.get(LIST)
    expect(html).toMatch(/href="\/admin\/review\/">Review <span class="tab-count">1<\/span>/)
  })
})

describe('bulk actions', () => {
  it('are carried out where possible, and say why the others are refused', async () => {
    const mine = await makeEvent(author.as, { title: 'Mine' })
    const theirs = await makeEvent(editor.as, { title: 'Theirs' })
    const shown = await author.browser.post(BULK, {
      id: [mine, theirs].map(({ id }) => String(id)),
      do: 'cancel',
    })
    expectPage(shown, 409, 'Some of it was not possible', 'Theirs : Your role doesn’t allow this.')
    expect(shown.text).toMatch(/One event cancelled\.\s*Undo/)
    expect((await send('GET', `/events/${mine.id}`)).body.event_status).toBe('canceled')
    const gone = await editor.browser.post(BULK, {
      id: [String(mine.id), '999999', 'x', '-1'],
      do: 'toTrash',
    })
    expect(gone.text).toMatch(/#999999 ?: There is no event/)
    expect((await send('GET', `/events/${mine.id}`, { as: author.as })).status).toBe(403)
    // In the trash already: named to those who may read it there, and to nobody else.
    const shownBefore = { id: String(mine.id), version: `${mine.id}-1`, do: 'cancel' }
    const cancel = async ({ browser }: SignedIn) => (await browser.post(BULK, shownBefore)).text
    const texts = [await cancel(author), await cancel(editor), await cancel(contributor)]
    expect(texts.map(text => /(Mine|#\d+) ?: /.exec(text)?.[1])).toEqual(['Mine', 'Mine', `#${mine.id}`])
    for (const text of texts) expect(text).toContain('Not done')
  })

  it('cancel events with a reason, move them to the trash and restore them', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Rained off' })
    const back = `${LIST}?search=rained`
    const done = await editor.browser.post(BULK, { id: String(id), do: 'cancel', reason: 'Rain', back })
    expect([done.status, done.headers.get('location')]).toEqual([303, back])
    expect((await send('GET', `/events/${id}`)).body).toMatchObject({
      event_status: 'canceled',
      event_status_reason: 'Rain',
    })
    await editor.browser.post(BULK, { id: String(id), do: 'toTrash' })
    expect(await listed(editor, '?view=trash')).toContain('Rained off')
    await editor.browser.post(BULK, { id: String(id), do: 'restore' })
    expect(await statusOf(id)).toBe('draft')
  })

  it('lead to the page before if the last one has become empty', async () => {
    const events = Array.from({ length: 31 }, (_, n) => ({ ...WHEN, title: `Row ${n}` }))
    await makeAll(editor.as, 'events', events)
    const back = `${LIST}?search=row&page=2`
    const [, id = ''] = /name="id" value="(\d+)"/.exec((await editor.browser.get(back)).html) ?? []
    expect((await editor.browser.post(BULK, { id, do: 'toTrash', back })).headers.get('location')).toBe(back)
    const { status, headers } = await editor.browser.get(back)
    expect([status, headers.get('location')]).toEqual([303, `${LIST}?search=row`])
    expect((await editor.browser.get(`${LIST}?search=row`)).text).toContain('One event moved to the trash.')
    expect((await editor.browser.get(`${LIST}?search=nothing&page=7`)).headers.get('location')).toBe(
      `${LIST}?search=nothing`,
    )
  })

  it('redirect only to lists of events, and ignore unknown actions', async () => {
    const { id } = await makeEvent(editor.as, { title: 'Untouched' })
    for (const back of [
      'https://evil.example/',
      '//evil.example',
      '/admin/events/../users/',
      '/admin/events/\r\nx: y',
    ]) {
      const { headers } = await editor.browser.post(BULK, { id: String(id), do: 'constructor', back })
      expect(headers.get('location'), back).toBe(LIST)
    }
    expect(await statusOf(id)).toBe('publish')
  })

  it('change a hundred events in a few statements', async () => {
    const requests = Array.from({ length: 100 }, (_, i) => ({
      path: '/events',
      body: { title: `Many ${i}`, start_date: '2027-02-01', end_date: '2027-02-01' },
    }))
    const { body } = await send('POST', '/batch', { as: editor.as, json: { requests } })
    const ids = body.responses.map(({ body: { id } }: { body: { id: number } }) => String(id))
    const done = await editor.browser.post(BULK, { id: ids, do: 'toTrash' })
    expect(done.status).toBe(303)
    const count = "SELECT count(*) AS n FROM events WHERE status = 'trash' AND title LIKE 'Many %'"
    expect(await queryValue(count)).toBe(100)
  })
})
