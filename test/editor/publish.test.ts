import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, makeCategory, makeEvent, makeVenue, query, SITE, send } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { measure } from '../kit/http/metrics.ts'
import { expectPage, type ShownPage } from '../site/pages/page.ts'
import { confirmPublishing, fieldsIn, reviewForm, undoOf } from './forms.ts'
import { signedIn } from './session.ts'

// Only what was shown is published.

const REVIEW = '/admin/review/'

const editor = signedIn('editor', 'ed')
const author = signedIn('author', 'ann')
const contributor = signedIn('contributor', 'cora')

beforeEach(async () => {
  await query(`UPDATE events SET status = 'draft' WHERE status = 'pending'`)
})

const pending = (fields: object = {}) => makeEvent(contributor.as, { status: 'pending', ...fields })
const change = (path: string, json: object, { as } = contributor) => send('PATCH', path, { as, json })
const read = async (path: string) => (await send('GET', path, { as: editor.as })).body
const httpStatusOf = async (path: string): Promise<number> => (await send('GET', path)).status

/** The dates of a series, in their order. */
async function datesOf({ series }: Answer['body']): Promise<{ id: number; status: string }[]> {
  const query = `series=${series.id}&start_date=2000-01-01&per_page=100&status=publish,pending,draft,private`
  return (await read(`/events?${query}`)).events
}

const statusesOf = async (first: Answer['body']): Promise<ReadonlySet<string>> =>
  new Set((await datesOf(first)).map(({ status }) => status))

const review = () => editor.browser.get(REVIEW)
/** Presses “publish” on the review as it was shown. */
const publish = (page: ShownPage, id: number, { browser } = editor) =>
  browser.post(REVIEW, { ...reviewForm(page.html, id), decision: 'publish' })

/** Presses “publish” on a database where something happens right before the write. */
const publishWith = (page: ShownPage, id: number, beforeWrite: () => Promise<unknown>) =>
  publish(page, id, { ...editor, browser: editor.browser.with(faultyD1({ beforeWrite })) })

describe('the review shows everything that becomes public', () => {
  it('texts, addresses and flags of an event', async () => {
    const festival = await makeEvent(editor.as, { title: 'Festival' })
    const { id } = await pending({
      title: 'Reading',
      post_parent: festival.id,
      excerpt: 'In short: a reading',
      website: 'https://reading.example/tickets?a=1',
      cost: '12 to 20',
      featured: true,
      sticky: true,
      virtual_event_type: 'hybrid',
      virtual_url: 'https://stream.example/room',
      custom_fields: { door: { label: 'Door', value: 'Ring twice' } },
      slug: 'strange-address',
    })
    const { text } = await review()
    for (const shown of [
      'In short: a reading',
      'https://reading.example/tickets?a=1',
      '$12 to $20',
      'https://stream.example/room',
      'Door: Ring twice',
      'strange-address',
    ])
      expect(text).toContain(shown)
    expect(text).toMatch(/Featured Yes/)
    expect(text).toContain('Part of another event Festival')
    expect(text).not.toContain('Cancelled')
    expect((await publish(await review(), id)).status).toBe(303)
  })

  it('venues and organizers that become public with the event', async () => {
    await pending({
      title: 'Concert',
      venue: {
        venue: 'Cellar',
        address: '1 Hidden Lane',
        city: 'Cork',
        phone: '0123 4567',
        website: 'https://cellar.example/',
        description:
          '<p>Mind the <a href="https://steps.example/">steps</a>, and bring a lamp. Nothing else is needed.</p>',
        image: 'https://pictures.example/cellar.jpg',
      },
      organizer: { organizer: 'Moles', email: 'moles@example.org', website: 'https://moles.example/' },
    })
    const { text, html } = await review()
    for (const shown of [
      'Cellar',
      '1 Hidden Lane',
      'Cork',
      '0123 4567',
      'https://cellar.example/',
      'bring a lamp',
      'moles@example.org',
      'https://moles.example/',
    ])
      expect(text).toContain(shown)
    expect(html).toContain('src="https://pictures.example/cellar.jpg"')
    expect(html).toContain('href="https://steps.example/"')
  })

  it('dates of a series with their own values, and the number of the others', async () => {
    const first = await pending({ title: 'Class', recurrence: 'FREQ=DAILY;COUNT=60' })
    const dates = await datesOf(first)
    await change(`/events/${dates[3]?.id}`, {
      title: 'Hidden title',
      description: 'Hidden text, with <em>emphasis</em>',
      venue: { venue: 'Hidden hall', address: '2 Hidden Lane' },
      image: 'https://pictures.example/hidden.jpg',
      website: 'https://hidden.example/',
    })
    await change(`/events/${dates[5]?.id}`, { external_id: 'hidden-id' })
    const page = await review()
    expect(page.html.match(/<article/g)).toHaveLength(1)
    for (const shown of [
      '60 dates',
      'Dates that differ from the others: 2',
      'Hidden title',
      'Hidden text, with',
      'Hidden hall',
      '2 Hidden Lane',
      'https://hidden.example/',
      'hidden-id',
    ])
      expect(page.text).toContain(shown)
    expect(page.html).toContain('src="https://pictures.example/hidden.jpg"')
    expect((await publish(page, first.id)).status).toBe(303)
    const { body } = await send('GET', `/events/${dates[3]?.id}`)
    expect(body).toMatchObject({ title: 'Hidden title', venue: { venue: 'Hidden hall', status: 'publish' } })
    expect(await statusesOf(first)).toEqual(new Set(['publish']))
  })

  it('the shared values of a series even if each of its dates has others', async () => {
    const first = await pending({ title: 'Shared title', recurrence: 'FREQ=WEEKLY;COUNT=2' })
    for (const { id } of await datesOf(first)) await change(`/events/${id}`, { title: 'Harmless' })
    const { text } = await review()
    expect(text).toContain('Shared title')
    expect(text).toContain('Harmless')
  })

  it('new categories with the new ones above them', async () => {
    const { id: top } = await makeCategory(editor.as, 'Pills', { description: 'Pills of all sorts' })
    const below = await makeCategory(editor.as, 'Cheap', { parent: top, description: 'Cheaper elsewhere' })
    const known = await makeCategory(editor.as, 'Known', { description: 'Known text' })
    // Like categories of an imported calendar whose events wait for review.
    const hide = 'UPDATE terms SET standalone = 0, version = version + 1 WHERE id IN (?, ?)'
    await query(hide, top, below.id)
    const { id } = await makeEvent(editor.as, { status: 'pending', categories: [below.id, known.id] })
    const page = await review()
    for (const shown of ['with it: Pills', 'Pills of all sorts', 'with it: Cheap', 'Cheaper elsewhere'])
      expect(page.text).toContain(shown)
    expect(page.text).not.toContain('Known text')
    const tell = `UPDATE terms SET description = 'Pills by mail', version = version + 1 WHERE id = ?`
    await query(tell, top)
    const again = await publish(page, id)
    expect([again.status, await httpStatusOf(`/categories/${below.id}`)]).toEqual([422, 404])
    expect(again.text).toMatch(/with it: Pills Changed in the meantime Pills by mail/)
    expect((await publish(again, id)).status).toBe(303)
    expect((await send('GET', `/categories/${top}`)).body.description).toBe('Pills by mail')
  })

  it('descriptions of new categories before the form publishes them', async () => {
    const secret = await makeCategory(editor.as, 'Secret', { description: 'Unseen text' })
    const hide = 'UPDATE terms SET standalone = 0, version = version + 1 WHERE id = ?'
    await query(hide, secret.id)
    const { id } = await makeEvent(editor.as, { status: 'pending', categories: [secret.id] })
    const page = await editor.browser.save(`/admin/events/${id}/`, { status: 'publish' })
    expect([page.text, await httpStatusOf(`/events/${id}`)]).toEqual([
      expect.stringContaining('Unseen text'),
      403,
    ])
    await confirmPublishing(editor.browser, page)
    expect(await httpStatusOf(`/events/${id}`)).toBe(200)
  })

  it('that a date is over, but not of one that has only begun', async () => {
    const isOver = async (start_date: string, end_date: string) => {
      const { id } = await pending({ title: 'Exhibition', start_date, end_date })
      const { text } = await review()
      await query(`UPDATE events SET status = 'draft' WHERE id = ?`, id)
      expect(text).toContain('Exhibition')
      return text.includes('This date is over.')
    }
    expect(await isOver('2026-11-01 10:00', '2026-12-31 18:00')).toBe(false)
    expect(await isOver('2026-11-01 10:00', '2026-11-02 18:00')).toBe(true)
    // Without an end, as on the page of the event.
    expect(await isOver('2026-11-20 08:00', '2026-11-20 08:00')).toBe(false)
    expect(await isOver('2026-11-19 08:00', '2026-11-19 08:00')).toBe(true)
    expect(await isOver('2027-11-20 08:00', '2027-11-20 09:00')).toBe(false)
  })

  it('long texts on a separate page', async () => {
    const long = await pending({
      title: 'Long',
      description: `<p>${'A long text. '.repeat(2_000)}The end</p>`,
    })
    const page = await review()
    expect(page.text).not.toContain('The end')
    // A forged form publishes nothing.
    expect((await publish(page, long.id)).status).toBe(422)
    const link = page.links.find(link => link.startsWith('/admin/publish/')) ?? ''
    const whole = await editor.browser.get(link.replaceAll('&amp;', '&'))
    expect(whole.text).toContain('The end')
    const done = await confirmPublishing(editor.browser, whole)
    expect(done.text).toContain('Published: Long')
    expect(await httpStatusOf(`/events/${long.id}`)).toBe(200)
  })

  it('the venues of a series once, which its dates have as well', async () => {
    const venues = []
    for (let n = 0; n < 21; n++)
      venues.push((await makeVenue(n === 0 ? contributor.as : editor.as, `Stop ${n}`)).id)
    const walk = await pending({ title: 'Walk', venue: venues, recurrence: 'FREQ=DAILY;COUNT=2' })
    const { text } = await review()
    expect(text).toContain('Walk')
    expect(text).toContain('Stop 0')
    expect(text).not.toContain('This is more than can be shown here.')
    await send('DELETE', `/events/${walk.id}?scope=all&force=true`, { as: editor.as })
  })

  it('single dates that follow from no rule', async () => {
    await pending({ recurrence: { rdate: ['2027-02-11 10:00:00', '2027-04-17 10:00:00'] } })
    const { text } = await review()
    for (const date of ['February 11, 2027', 'April 17, 2027']) expect(text).toContain(date)
  })

  it('many dates with their own values on a separate page', async () => {
    const first = await pending({ title: 'Course', recurrence: 'FREQ=DAILY;COUNT=50' })
    const dates = await datesOf(first)
    const requests = dates.map(({ id }, n) => ({
      method: 'PATCH',
      path: `/events/${id}`,
      body: { title: `Lesson ${n}.` },
    }))
    await send('POST', '/batch', { as: contributor.as, json: { requests } })
    const { links, text } = await review()
    expect(text).toContain('This is more than can be shown here.')
    const link = links.find(link => link.startsWith('/admin/publish/')) ?? ''
    const whole = await editor.browser.get(link.replaceAll('&amp;', '&'))
    for (const n of [0, 25, 49]) expect(whole.text).toContain(`Lesson ${n}.`)
    await change(`/events/${dates[40]?.id}`, { title: 'Another lesson' })
    const again = await confirmPublishing(editor.browser, whole)
    expect(again.status).toBe(412)
    expect(again.text).toMatch(/Changed in the meantime Title Another lesson/)
    expect(await statusesOf(first)).toEqual(new Set(['pending']))
    await confirmPublishing(editor.browser, again)
    expect(await statusesOf(first)).toEqual(new Set(['publish']))
  })

  it('in one round trip, with few rows of a series of 300 dates', async () => {
    const measured = () => measure('GET', SITE + REVIEW, { headers: { cookie: editor.browser.cookie } })
    const empty = await measured()
    const first = await pending({ recurrence: 'FREQ=DAILY;COUNT=300', venue: { venue: 'Pool' } })
    const { trips, statements, rows } = await measured()
    expect([trips, statements]).toEqual([empty.trips, empty.statements])
    expect(rows - empty.rows).toBeLessThan(44 * 300)
    await send('DELETE', `/events/${first.id}?scope=all&force=true`, { as: editor.as })
  })
})

describe('publishing is refused if something has changed since it was shown', () => {
  /**
   * Makes a waiting event.
   * @returns it, and a change that brings the text into something that becomes public with it
   */
  type Make = (text: string) => Promise<{ first: Answer['body']; change: () => Promise<unknown> }>
  const CASES: readonly (readonly [what: string, make: Make])[] = [
    [
      'the event',
      async title => {
        const first = await pending()
        return { first, change: () => change(`/events/${first.id}`, { title }) }
      },
    ],
    [
      'a venue',
      async address => {
        const first = await pending({ venue: { venue: `Hall for ${address}`, city: 'Cork' } })
        return { first, change: () => change(`/venues/${first.venue.id}`, { address }) }
      },
    ],
    [
      'an organizer',
      async phone => {
        const first = await pending({ organizer: { organizer: `Band for ${phone}` } })
        return { first, change: () => change(`/organizers/${first.organizer[0].id}`, { phone }) }
      },
    ],
    [
      'another date of a series',
      async title => {
        const first = await pending({ recurrence: 'FREQ=WEEKLY;COUNT=4' })
        const [, , third] = await datesOf(first)
        return { first, change: () => change(`/events/${third?.id}`, { title }) }
      },
    ],
    [
      'the venue of another date of a series',
      async address => {
        const first = await pending({ recurrence: 'FREQ=WEEKLY;COUNT=4' })
        const [, second] = await datesOf(first)
        const { body } = await change(`/events/${second?.id}`, { venue: { venue: `Room for ${address}` } })
        return { first, change: () => change(`/venues/${body.venue.id}`, { address }) }
      },
    ],
    [
      'what the dates of a series share',
      async cost => {
        const first = await pending({ recurrence: 'FREQ=WEEKLY;COUNT=3' })
        const [, second, third] = await datesOf(first)
        for (const date of [second, third]) await change(`/events/${date?.id}`, { title: 'Own' })
        return { first, change: () => change(`/events/${second?.id}?scope=all`, { cost }) }
      },
    ],
    [
      'the text of an image',
      async text => {
        const first = await pending({ image: `https://pictures.example/${crypto.randomUUID()}.jpg` })
        const update = 'UPDATE images SET alt_text = ?, version = version + 1 WHERE id = ?'
        return { first, change: () => query(update, text, first.image.id) }
      },
    ],
    [
      'a category',
      async name => {
        const category = await makeCategory(author.as, `Category for ${name}`)
        const first = await pending({ categories: [category.id] })
        return { first, change: () => change(`/categories/${category.id}`, { name }, editor) }
      },
    ],
  ]

  /** Expects that neither an event nor its venue and organizer are public. */
  const expectHidden = async (id: number): Promise<void> => {
    expect(await httpStatusOf(`/events/${id}`)).toBe(403)
    const { venue, organizer } = await read(`/events/${id}`)
    for (const { status } of [venue, organizer].flat()) expect(status).toBe('draft')
  }

  it.each(CASES)('%s', async (what, make) => {
    const text = `Told by ${what}`
    const { first, change } = await make(`told by ${what}`)
    const page = await review()
    await change()
    const again = await publish(page, first.id)
    expectPage(again, 422, 'This was changed while you were looking at it.', 'Changed in the meantime')
    expect(again.text.toLowerCase()).toContain(text.toLowerCase())
    await expectHidden(first.id)
    expect((await publish(again, first.id)).status).toBe(303)
    expect(await httpStatusOf(`/events/${first.id}`)).toBe(200)
  })

  it.each(CASES)('%s, in the moment before it is published', async (what, make) => {
    const { first, change } = await make(`just told by ${what}`)
    const again = await publishWith(await review(), first.id, change)
    expect(again.status).toBe(422)
    expect(again.html).toContain(`just told by ${what}`)
    await expectHidden(first.id)
  })

  it('the part that has changed is marked', async () => {
    const { id, venue } = await pending({ venue: { venue: 'Hall' }, organizer: { organizer: 'Choir' } })
    const page = await review()
    expect(page.text).not.toContain('Changed in the meantime')
    await change(`/venues/${venue.id}`, { address: 'Harmful' })
    const { text } = await publish(page, id)
    expect(text.match(/Changed in the meantime/g)).toHaveLength(1)
    expect(text).toMatch(/published along with it: Hall Changed in the meantime/)
  })

  it('the other selected events are published', async () => {
    const a = await pending({ title: 'A', venue: { venue: 'Hall of A' } })
    const b = await pending({ title: 'B', venue: { venue: 'Hall of B' } })
    const c = await pending({ title: 'C', venue: { venue: 'Hall of C' } })
    const { html } = await review()
    const event = [a, b, c].map(({ id }) => reviewForm(html, id).event?.[0] ?? '')
    await change(`/venues/${b.venue.id}`, { address: 'Harmful' })
    const { status, text } = await editor.browser.post(REVIEW, { decision: 'publish', event })
    expect(status).toBe(422)
    expect(text).toContain('Harmful')
    expect(await Promise.all([a, b, c].map(({ id }) => httpStatusOf(`/events/${id}`)))).toEqual([
      200, 403, 200,
    ])
    expect(await Promise.all([a, b, c].map(({ venue }) => httpStatusOf(`/venues/${venue.id}`)))).toEqual([
      200, 403, 200,
    ])
  })

  it('a form with fewer or other versions than shown publishes nothing', async () => {
    const { id } = await pending({ venue: { venue: 'Hall' } })
    const [name = ''] = reviewForm((await review()).html, id).event ?? []
    for (const event of [name.split(' ')[0] ?? '', `${name} venue.999.1`, `event.${id}.1 incomplete`]) {
      expect((await editor.browser.post(REVIEW, { decision: 'publish', event })).status).toBe(422)
      expect(await httpStatusOf(`/events/${id}`)).toBe(403)
    }
  })

  it('the same page of the review is shown again', async () => {
    const requests = Array.from({ length: 22 }, (_, n) => ({
      path: '/events',
      body: { title: `Event ${n}.`, start_date: '2027-06-01', end_date: '2027-06-01', status: 'pending' },
    }))
    const { body } = await send('POST', '/batch', { as: contributor.as, json: { requests } })
    const { id } = body.responses.at(-1).body
    const onward = (await review()).links.find(link => link.includes('?after=')) ?? ''
    const later = await editor.browser.get(onward.replaceAll('&amp;', '&'))
    await change(`/events/${id}`, { title: 'Harmful' })
    const [, action = ''] = new RegExp(`id="event-${id}".*?action="([^"]*)"`, 's').exec(later.html) ?? []
    const form = { ...reviewForm(later.html, id), decision: 'publish' }
    const again = await editor.browser.post(action.replaceAll('&amp;', '&'), form)
    expectPage(again, 422, 'Harmful')
  })

  it('events that share a new venue are published together with it', async () => {
    const { id: venue } = await makeVenue(contributor.as, 'Shared hall')
    const a = await pending({ title: 'One', venue })
    const b = await pending({ title: 'Two', venue })
    const c = await pending({ title: 'Three', venue, recurrence: 'FREQ=DAILY;COUNT=2' })
    const d = await pending({ title: 'Four', recurrence: 'FREQ=DAILY;COUNT=2' })
    const { html } = await review()
    const event = [a, b, c, d].map(({ id }) => reviewForm(html, id).event?.[0] ?? '')
    expect((await editor.browser.post(REVIEW, { decision: 'publish', event })).status).toBe(303)
    for (const { id } of [a, b, c, d]) expect(await httpStatusOf(`/events/${id}`)).toBe(200)
    expect(await httpStatusOf(`/venues/${venue}`)).toBe(200)
  })
})

describe('the list of events', () => {
  const bulk = async (ids: number[], { browser } = editor, view = 'pending') => {
    await browser.get(`/admin/events/?view=${view}`)
    return browser.submit('/admin/events/bulk/', {
      id: ids.map(String),
      do: 'publish',
      back: `/admin/events/?view=${view}`,
    })
  }

  it('shows what becomes public before publishing it', async () => {
    const a = await pending({ title: 'Alpha', venue: { venue: 'Hall', address: '3 Hidden Lane' } })
    const b = await pending({ title: 'Beta', description: 'Hidden text' })
    const page = await bulk([a.id, b.id])
    expect(page.text).toContain('3 Hidden Lane')
    expect(page.text).toContain('Hidden text')
    expect(await httpStatusOf(`/events/${a.id}`)).toBe(403)
    await change(`/venues/${a.venue.id}`, { address: 'Harmful' })
    const again = await confirmPublishing(editor.browser, page)
    expectPage(again, 412, 'Published: Beta')
    expect(again.text).toMatch(
      /Hall Changed in the meantime Address|Changed in the meantime(?:(?!Beta).)*Harmful/,
    )
    expect([await httpStatusOf(`/events/${a.id}`), await httpStatusOf(`/events/${b.id}`)]).toEqual([403, 200])
    const done = await confirmPublishing(editor.browser, again)
    expect(done.text).toContain('Published: Alpha')
    expect((await send('GET', `/events/${a.id}`)).body.venue.address).toBe('Harmful')
  })

  it('publishes several single dates of a series at once', async () => {
    const first = await pending({ title: 'Talk', recurrence: 'FREQ=WEEKLY;COUNT=5' })
    const dates = await datesOf(first)
    const ids = dates.slice(1, 4).map(({ id }) => id)
    const done = await confirmPublishing(editor.browser, await bulk(ids))
    expect(done.text).toContain('3 events published.')
    expect((await datesOf(first)).map(({ status }) => status)).toEqual([
      'pending',
      'publish',
      'publish',
      'publish',
      'pending',
    ])
  })

  it('publishes only what the user may publish', async () => {
    const mine = await makeEvent(author.as, { title: 'Mine', status: 'draft' })
    const theirs = await makeEvent(editor.as, { title: 'Theirs and secret', status: 'draft' })
    const page = await bulk([mine.id, theirs.id, 999_999], author, 'draft')
    expect(page.text).toContain('Mine')
    expect(page.text).not.toContain('secret')
    const forged = [
      ...(fieldsIn(page.html.slice(page.html.lastIndexOf('<form method="post" action="/admin/publish/')))
        .event ?? []),
      `event.${theirs.id}.1`,
    ]
    await author.browser.post(`/admin/publish/?event=${mine.id},${theirs.id}`, { event: forged })
    expect([await httpStatusOf(`/events/${mine.id}`), await httpStatusOf(`/events/${theirs.id}`)]).toEqual([
      200, 403,
    ])
  })
})

describe('the form of an event', () => {
  const path = (id: number) => `/admin/events/${id}/`
  const save = (id: number, fields: Record<string, string | string[]>, { browser } = editor) =>
    browser.save(path(id), fields)

  it('publishes what it shows', async () => {
    const { id } = await pending({ title: 'Simple' })
    await save(id, { status: 'publish', title: 'Simple and good' })
    expect((await send('GET', `/events/${id}`)).body.title).toBe('Simple and good')
  })

  it('leads to a page with the venue that becomes public as well', async () => {
    const { id, venue } = await pending({
      title: 'With a hall',
      venue: { venue: 'Hall', address: '4 Hidden Lane' },
    })
    const page = await save(id, { status: 'publish', title: 'With a great hall' })
    expect(page.text).toContain('4 Hidden Lane')
    expect(await read(`/events/${id}`)).toMatchObject({ status: 'pending', title: 'With a great hall' })
    await change(`/venues/${venue.id}`, { address: 'Harmful' })
    const again = await confirmPublishing(editor.browser, page)
    expect(again.text).toContain('Harmful')
    expect(await httpStatusOf(`/events/${id}`)).toBe(403)
    const done = await confirmPublishing(editor.browser, again)
    expect(done.text).toContain('Published: With a great hall')
    expect(await httpStatusOf(`/venues/${venue.id}`)).toBe(200)
  })

  it.each(['image', 'category'])(
    'leads to that page if something beside it has changed since: its %s',
    async part => {
      const image = `https://pictures.example/${crypto.randomUUID()}.jpg`
      const category = await makeCategory(editor.as, `Kind of ${part}`)
      const first = await pending({ title: 'Illustrated', image, categories: [category.id] })
      await save(first.id, { status: 'publish' })
      expect(await httpStatusOf(`/events/${first.id}`)).toBe(200)
      await send('PATCH', `/events/${first.id}`, { as: editor.as, json: { status: 'pending' } })
      const form = fieldsIn((await editor.browser.get(path(first.id))).html)
      if (part === 'category') await change(`/categories/${category.id}`, { description: 'Harmful' }, editor)
      else
        await query(
          `UPDATE images SET alt_text = 'Harmful', version = version + 1 WHERE id = ?`,
          first.image.id,
        )
      const page = await editor.browser.submit(path(first.id), { ...form, status: 'publish' })
      if (part === 'image') expect(page.text).toContain('Harmful')
      expect(await httpStatusOf(`/events/${first.id}`)).toBe(403)
      await confirmPublishing(editor.browser, page)
      expect(await httpStatusOf(`/events/${first.id}`)).toBe(200)
    },
  )

  it('leads to that page if somebody else’s hidden image was chosen', async () => {
    const { image } = await pending({ image: `https://pictures.example/${crypto.randomUUID()}.jpg` })
    const { id } = await pending({ title: 'Plain' })
    await save(id, { status: 'publish', image: String(image.id) })
    expect((await read(`/events/${id}`)).status).toBe('pending')
  })

  it('leads to that page with the other dates of a series, for all and for the following', async () => {
    for (const scope of ['all', 'following']) {
      const first = await pending({ title: `Class ${scope}`, recurrence: 'FREQ=WEEKLY;COUNT=5' })
      const dates = await datesOf(first)
      await change(`/events/${dates[1]?.id}`, { title: 'Hidden before' })
      await change(`/events/${dates[3]?.id}`, { title: 'Hidden after' })
      const { id = 0 } = dates[2] ?? {}
      const asked = await save(id, { status: 'publish' })
      expect(asked.text, scope).toContain('Which dates does this apply to?')
      const page = await editor.browser.submit(path(id), {
        ...fieldsIn(asked.html, 'none'),
        ...hidden(asked.html),
        scope,
        do: 'save',
      })
      expect(page.text, scope).toContain('Hidden after')
      expect(page.text.includes('Hidden before')).toBe(scope === 'all')
      expect(await statusesOf(first), scope).toEqual(new Set(['pending']))
      await change(`/events/${dates[3]?.id}`, { title: 'Harmful' })
      const again = await confirmPublishing(editor.browser, page)
      expectPage(again, 412, 'Harmful')
      await confirmPublishing(editor.browser, again)
      const statuses = await Promise.all(dates.map(async ({ id }) => (await read(`/events/${id}`)).status))
      const before = scope === 'all' ? 'publish' : 'pending'
      expect(statuses, scope).toEqual([before, before, 'publish', 'publish', 'publish'])
    }
  })

  it('schedules the publication', async () => {
    const { id, venue } = await pending({ venue: { venue: 'Later hall' } })
    const page = await save(id, { status: 'future', date: '2031-01-01', date_time: '10:00' })
    expect((await read(`/events/${id}`)).status).toBe('pending')
    expect(page.text).toMatch(/Public from .*January 1, 2031.* on, not before/)
    expect(page.text).toContain('The event is over by then.')
    const done = await confirmPublishing(editor.browser, page)
    expect(done.text).toMatch(/Planned: .*January 1, 2031/)
    expect(await read(`/events/${id}`)).toMatchObject({
      status: 'future',
      date: '2031-01-01 10:00:00',
      venue: { status: 'future', date: '2031-01-01 10:00:00' },
    })
    expect(venue.status).toBe('draft')
  })

  it('says of a new event that it is planned, and if it is over by then', async () => {
    const planned = async (date: string) => {
      const page = await author.browser.save('/admin/events/new/', {
        title: 'Later',
        start_date: '2027-05-01',
        start_date_time: '10:00',
        status: 'future',
        date,
        date_time: '10:00',
      })
      return page.text
    }
    const before = await planned('2027-04-20')
    expect(before).toMatch(/Saved: Later.*Public from .*April 20, 2027.* on, not before\./)
    expect(before).not.toContain('over by then')
    expect(await planned('2027-05-03')).toContain('The event is over by then.')
  })

  it('of a new event leads to that page if a draft venue was chosen', async () => {
    const { id: venue } = await makeVenue(author.as, 'Drafted hall', {
      status: 'draft',
      address: '5 Hidden Lane',
    })
    const page = await author.browser.save('/admin/events/new/', {
      title: 'New and at once',
      start_date: '2027-05-01',
      start_date_time: '10:00',
      venue: [String(venue)],
      status: 'publish',
    })
    expect(page.text).toContain('5 Hidden Lane')
    expect(await httpStatusOf(`/venues/${venue}`)).toBe(403)
    await confirmPublishing(author.browser, page)
    expect(await httpStatusOf(`/venues/${venue}`)).toBe(200)
    expect((await read('/events?search=new and at once')).events[0]).toMatchObject({ status: 'publish' })
  })
})

describe('undoing', () => {
  const save = async (id: number, fields: Record<string, string>) => {
    const path = `/admin/events/${id}/`
    const asked = await editor.browser.save(path, fields)
    return editor.browser.submit(path, { ...hidden(asked.html), scope: 'all', do: 'save' })
  }
  const published = async (title: string) => {
    const first = await pending({ title, recurrence: 'FREQ=WEEKLY;COUNT=3' })
    await publish(await review(), first.id)
    return first
  }

  it('publishes the dates of a series again', async () => {
    const first = await published('Withdrawn')
    await editor.browser.submit(undoOf(await save(first.id, { status: 'draft' })))
    expect((await datesOf(first)).map(({ status }) => status)).toEqual(['publish', 'publish', 'publish'])
  })

  it('publishes none of them if one has been changed since', async () => {
    const first = await published('Withdrawn and changed')
    const [, second] = await datesOf(first)
    const address = undoOf(await save(first.id, { status: 'draft' }))
    await editor.browser.get(address)
    expect((await change(`/events/${second?.id}`, { title: 'Harmful' })).status).toBe(200)
    expect((await editor.browser.post(address)).status).toBe(409)
    expect((await datesOf(first)).map(({ status }) => status)).toEqual(['draft', 'draft', 'draft'])
  })
})

/** The hidden inputs of the question which dates a change applies to. */
const hidden = (html: string) => {
  const form = html.slice(html.indexOf('class="stack scope-form"'))
  const { scope: _, ...fields } = fieldsIn(form.slice(0, form.indexOf('</form>')), 'none')
  return fields
}
