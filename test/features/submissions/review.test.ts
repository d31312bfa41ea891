import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import { decodeEntities } from '../../../src/kit/lib/text.ts'
import { changeForm, submitEvent, visitors } from '../../calendar/intake/submit.ts'
import { png } from '../../calendar/media/build.ts'
import { upload } from '../../calendar/media/upload.ts'
import { reviewForm, undoOf } from '../../editor/forms.ts'
import { signedIn, signIn } from '../../editor/session.ts'
import {
  countRows,
  makeEvent,
  makeOrganizer,
  makeVenue,
  query,
  queryValue,
  SITE,
  send,
} from '../../factories.ts'
import { textOf } from '../../site/pages/page.ts'

const administrator = signedIn('administrator')
const editor = signedIn('editor', 'ella')
const author = signedIn('author')

/** Submits an event. @returns its id and name in the form of the review, and the path of the sender's page */
async function submit(fields: object, network?: string) {
  const { id, path } = await submitEvent(fields, network)
  const version = await queryValue('SELECT version FROM events WHERE id = ?', id)
  return { id, name: `event.${id}.${version}`, path }
}

const senderSees = async (path: string): Promise<string> => (await visitors().ask('GET', SITE + path)).text

describe('the review of submissions', () => {
  it('tells editors who sent it, and nobody else', async () => {
    await submit({ title: 'From outside', name: 'Quirin Vogel', email: 'quirin@vogel.example' })
    const page = await editor.browser.get('/admin/review/')
    expect(page.text).toContain('Submitted by Quirin Vogel')
    expect(page.links).toContain('mailto:quirin@vogel.example')
    expect((await author.browser.get('/admin/review/')).status).toBe(403)
    // A question appears on a page alone, which the sender may not look at.
    const [asked = ''] = page.html
      .slice(page.html.indexOf('From outside</h2>'))
      .split('Send back</button>', 1)
    expect(asked).toMatch(/No e-mail tells them about it.*<a href="mailto:quirin@vogel\.example">/)
    for (const { browser } of [administrator, author])
      for (const path of ['/admin/', '/admin/events/'])
        expect((await browser.get(path)).html, path).not.toMatch(/vogel/i)
  })

  it('says nothing of senders where only people with an account sent something', async () => {
    await query("UPDATE events SET status = 'draft' WHERE status = 'pending'")
    await makeEvent(author.as, { title: 'From inside', status: 'pending' })
    const { html } = await editor.browser.get('/admin/review/')
    expect(html).toContain('From inside</h2>')
    expect(html).not.toContain('No e-mail tells them')
  })

  it('has the slug of the corrected title, and a history that names no user for what the visitor did', async () => {
    const { id, path } = await submit({ title: 'Yuoth orchestra', venue: { venue: 'Orchestar hall' } })
    await changeForm(SITE + path, { description: 'With cake' })
    const venue = await queryValue("SELECT id FROM venues WHERE name = 'Orchestar hall'")
    await editor.browser.save(`/admin/venues/${venue}/`, { venue: 'Orchestra hall' })
    const title = 'Youth orchestra'
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { title, status: 'publish' } })
    expect(await queryValue('SELECT slug FROM events WHERE id = ?', id)).toBe('youth-orchestra')
    expect(await queryValue('SELECT slug FROM venues WHERE id = ?', venue)).toBe('orchestra-hall')
    const { text } = await editor.browser.get(`/admin/history/?kind=event&id=${id}`)
    expect(text).toMatch(/changed.*ella.*changed A visitor’s submission.*created A visitor’s submission/s)
    const made = await editor.browser.get(`/admin/history/?kind=venue&id=${venue}`)
    expect(made.text).toMatch(/created A visitor’s submission/)
  })

  it('refuses with a note that the sender reads', async () => {
    const { id, name, path } = await submit({ title: 'Refused' })
    const other = await submit({ title: 'Refused as well' })
    const refusal = { decision: 'refuse', note: 'Too far <b>away</b>.' }
    // A decision about another version has no effect.
    await editor.browser.submit('/admin/review/', { ...refusal, event: [`event.${id}.0`, other.name] })
    expect(await senderSees(path)).not.toContain('Too far')
    await editor.browser.submit('/admin/review/', { ...refusal, event: name })
    expect((await send('GET', `/events/${id}`, editor)).status).toBe(403)
    const page = await senderSees(path)
    expect(page).toContain('It was not accepted')
    expect(page).toContain('Too far &lt;b&gt;away&lt;/b&gt;.')
  })

  it('gives no note for sending back to the sender of an event that goes to the trash', async () => {
    const { name, path } = await submit({ title: 'Trashed' }, '192.0.2.78')
    const note = 'Which hall?'
    await editor.browser.submit('/admin/review/', { decision: 'trash', note, event: name })
    const page = await senderSees(path)
    expect(page).toContain('It was not accepted')
    expect(page).not.toContain(note)
  })

  it('takes the note back with the refusal, also if it is refused again', async () => {
    const { id, name, path } = await submit({ title: 'Fundraiser' }, '192.0.2.77')
    const note = 'Fundraisers are not wanted here.'
    const done = await editor.browser.submit('/admin/review/', { decision: 'refuse', note, event: name })
    const refused = textOf(await senderSees(path))
    expect(refused).toMatch(/Fundraiser It was not accepted\. .* Fundraisers are not wanted here\./)
    await editor.browser.submit(undoOf(done))
    const open = await senderSees(path)
    expect(open).toContain('Waiting for an editor')
    expect(open).not.toContain(note)
    // A question is still shown.
    const version = () => queryValue('SELECT version FROM events WHERE id = ?', id)
    const asked = { decision: 'return', note: 'Who gets the money?', event: `event.${id}.${await version()}` }
    await editor.browser.submit('/admin/review/', asked)
    expect(await senderSees(path)).toMatch(/An editor has a question.*Who gets the money\?/s)
    await changeForm(SITE + path, { title: 'Fundraiser for the roof' })
    const event = `event.${id}.${await version()}`
    await editor.browser.submit('/admin/review/', { decision: 'refuse', note: '', event })
    const again = await senderSees(path)
    expect(again).toMatch(/Fundraiser for the roof.*It was not accepted/s)
    expect(again).not.toContain(note)
  })

  it('returns an event with a note, and shows it again after the change', async () => {
    const { id, name, path } = await submit({ title: 'Sent back' })
    await editor.browser.submit('/admin/review/', { event: name, decision: 'return', note: 'Which hall?' })
    expect(await senderSees(path)).toContain('Which hall?')
    await changeForm(SITE + path, { title: 'Sent back, mended' })
    expect((await send('GET', `/events/${id}`, editor)).body).toMatchObject({
      status: 'pending',
      title: 'Sent back, mended',
    })
  })

  it('returns a series with a note', async () => {
    const { name, path } = await submit({ title: 'Series', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    await editor.browser.submit('/admin/review/', { event: name, decision: 'return', note: 'Until when?' })
    expect(await senderSees(path)).toContain('Until when?')
  })

  it.each([
    ['event', {}],
    ['series', { recurrence: 'FREQ=WEEKLY;COUNT=3' }],
  ])('does not tell administrators that a visitor’s %s was sent back to them', async (what, more) => {
    const title = `Visitor’s ${what}`
    const { id, name } = await submit({ title, ...more })
    // An administrator is the author of what visitors submit.
    expect((await send('GET', `/events/${id}`, administrator)).body.author).toBe(String(administrator.id))
    await editor.browser.submit('/admin/review/', { event: name, decision: 'return', note: 'Which hall?' })
    const own = `Own ${what}`
    const { id: ownId } = await makeEvent(administrator.as, { title: own, status: 'pending' })
    const version = await queryValue('SELECT version FROM events WHERE id = ?', ownId)
    const toOwn = { event: `event.${ownId}.${version}`, decision: 'return', note: 'Which hall?' }
    await editor.browser.submit('/admin/review/', toOwn)
    const { text } = await administrator.browser.get('/admin/')
    expect(text).toMatch(/Sent back to you/)
    expect(text).toContain(own)
    expect(text).not.toContain(title)
  })

  it('refuses all submissions of one sender at once, and no others', async () => {
    const spammer = { email: 'spammer@example.org' }
    const sent = [
      await submit({ title: 'Spam one', ...spammer }, '203.0.113.60'),
      await submit({ title: 'Spam two', ...spammer }, '203.0.113.60'),
      await submit({ title: 'Spam three', email: 'alias@example.org' }, '203.0.113.60'),
      await submit({ title: 'Innocent', email: 'innocent@example.org' }),
      await submit({ title: 'Sent back before', ...spammer }, '203.0.113.60'),
      await submit({ title: 'Of whom the spammer pretends to be', ...spammer }),
      await submit({ title: 'Of some network', email: 'one@example.org' }, '203.0.113.61'),
      await submit({ title: 'Of some other', email: 'two@example.org' }, '203.0.113.62'),
    ]
    const [first, , , , returned] = sent
    await send('PATCH', `/events/${returned?.id}`, { as: editor.as, json: { status: 'draft' } })
    // Networks are deleted after two days: submissions without one don't count as those of one sender.
    await query("UPDATE submissions SET sender = '' WHERE email IN ('one@example.org', 'two@example.org')")
    const page = await editor.browser.get('/admin/review/')
    expect(page.text.match(/Reject all \d+/g)?.sort()).toEqual([
      'Reject all 3',
      'Reject all 3',
      'Reject all 3',
    ])
    await editor.browser.submit('/admin/review/', { event: first?.name ?? '', decision: 'refuse-all' })
    const statuses = await query(
      'SELECT status FROM events WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
      JSON.stringify(sent.map(({ id }) => id)),
    )
    expect(statuses.map(({ status }) => status)).toEqual([
      ...['trash', 'trash', 'trash', 'pending', 'draft', 'pending', 'pending', 'pending'],
    ])
  })

  it('knows the sender of a series of which the first date is in the trash', async () => {
    const of = async (title: string) => {
      const sent = await submit(
        { title, recurrence: 'FREQ=WEEKLY;COUNT=3', name: 'Tilda Weber' },
        '203.0.113.64',
      )
      await send('DELETE', `/events/${sent.id}`, editor)
      const left = env.DB.prepare("SELECT min(id) FROM events WHERE title = ? AND status = 'pending'").bind(
        title,
      )
      return { path: sent.path, left: Number(await left.first('min(id)')) }
    }
    const first = await of('Course one')
    const other = await of('Course two')
    const { html } = await editor.browser.get('/admin/review/')
    const item = html.split(`id="event-${first.left}"`)[1]?.split('</article>')[0] ?? ''
    expect(textOf(item)).toMatch(/Submitted by Tilda Weber.*Reject all 2/s)
    const refusal = { ...reviewForm(html, first.left), note: 'Too often.' }
    await editor.browser.submit('/admin/review/', { ...refusal, decision: 'refuse-all' })
    for (const { path } of [first, other]) expect(await senderSees(path)).toContain('Too often.')
  })

  it('runs no script of a stranger, whoever looks at it', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'><script>alert(1)</script>'
    const { id, path } = await submit({
      title: `Evil ${evil}`,
      description: `Fine. ${evil}`,
      cost: evil,
      name: evil,
      email: 'evil@example.org',
      venue: { venue: `Hall ${evil}`, address: evil, city: evil },
      organizer: { organizer: `Club ${evil}` },
    })
    const pages = [
      await senderSees(path),
      (await editor.browser.get('/admin/review/')).html,
      (await editor.browser.get(`/admin/events/${id}/`)).html,
      (await editor.browser.get('/admin/events/?status=pending')).html,
    ]
    for (const html of pages) expect(html).not.toMatch(/<script>alert|<img[^>]*onerror|onerror=alert\(1\)>/)
  })

  it('shows likely duplicates next to it', async () => {
    const times = { start_date: '2027-08-01 19:00:00', end_date: '2027-08-01 21:00:00' }
    await makeEvent(editor.as, { title: 'Summer night concert', ...times })
    await makeEvent(editor.as, { title: 'Chess', ...times })
    await makeEvent(editor.as, { title: 'Sommernachtkonzert', ...times, start_date: '2027-08-01 18:00:00' })
    await submit({ title: 'Concert on a summer night', ...times })
    const { html } = await editor.browser.get('/admin/review/')
    const duplicates = html.match(/review-duplicates">.*?<\/p>/gs)?.join() ?? ''
    expect(duplicates).toContain('>Summer night concert<')
    expect(duplicates).not.toMatch(/Chess|Sommer/)
  })

  it('does not show an event with the same words in another town as a duplicate', async () => {
    const times = { start_date: '2027-08-02 19:00:00', end_date: '2027-08-02 21:00:00' }
    await makeEvent(editor.as, {
      title: 'The Lanterns',
      ...times,
      venue: { venue: 'Harbour Stage', city: 'Cork' },
    })
    await submit({
      title: 'The Lanterns',
      ...times,
      venue: { venue: 'Mill Hall', city: 'Kilkenny' },
    })
    const { html } = await editor.browser.get('/admin/review/')
    expect(html.match(/Lanterns/g)).not.toBeNull()
    expect(html.match(/review-duplicates">.*?<\/p>/gs)?.join() ?? '').not.toContain('Lanterns')
  })

  it('marks what others have submitted with its title and day, at whatever place and time', async () => {
    const town = (name: string) => ({ venue: { venue: `Hall of ${name}`, city: name } })
    const times = (hour: number) => ({
      start_date: `2027-08-03 ${hour}:00:00`,
      end_date: '2027-08-03 23:00:00',
    })
    const wrong = await submit({ title: 'Harvest play', ...times(15), ...town('Sligo') }, '198.51.100.31')
    const right = await submit({ title: 'Harvest Play!', ...times(19), ...town('Ennis') }, '198.51.100.32')
    await submit({ title: 'Chess', ...times(15), ...town('Ennis') }, '198.51.100.33')
    const marks = async (): Promise<unknown> => {
      const { html } = await editor.browser.get('/admin/review/')
      const links = (id: number) =>
        [
          ...(new RegExp(`id="event-${id}".*?</article>`, 's')
            .exec(html)?.[0]
            .match(/(?<=review-duplicates">.*)\/admin\/events\/\d+/g) ?? []),
        ].map(path => Number(path.split('/').at(-1)))
      return [links(wrong.id), links(right.id)]
    }
    expect(await marks()).toEqual([[right.id], [wrong.id]])
    await editor.browser.submit('/admin/review/', { event: wrong.name, decision: 'refuse', note: '' })
    expect(await marks()).toEqual([[], []])
  })
})

describe('probable spam', () => {
  const SPAM = {
    title: 'Online casino bonus',
    description: 'Free spins, best slots, no deposit https://spin.example/',
  }

  it('has a tab of its own, where editors publish it or mark it as spam', async () => {
    const { id } = await submit(SPAM)
    const other = await submit({ ...SPAM, title: 'Casino bonus slots free spins' })
    const waiting = await editor.browser.get('/admin/review/')
    expect(waiting.html).not.toContain(`id="event-${id}"`)
    expect(waiting.links).toContain('/admin/review/?view=spam')
    const { html } = await editor.browser.get('/admin/review/?view=spam')
    expect([html.includes(`id="event-${id}"`), html.includes(`id="event-${other.id}"`)]).toEqual([true, true])
    const isSpam = (event: number) => queryValue('SELECT is_spam FROM submissions WHERE event_id = ?', event)
    const decide = (event: number, decision: string) =>
      editor.browser.submit('/admin/review/?view=spam', { ...reviewForm(html, event), decision })
    // An event that has changed since the editor saw it can't be marked as spam.
    await editor.browser.submit('/admin/review/?view=spam', { event: `event.${id}.0`, decision: 'spam' })
    expect(await isSpam(id)).toBe(0)
    expect((await decide(id, 'spam')).text).toContain('marked as spam and moved to the trash')
    expect(await isSpam(id)).toBe(1)
    await decide(other.id, 'publish')
    const statuses = await Promise.all(
      [id, other.id].map(one => queryValue('SELECT status FROM events WHERE id = ?', one)),
    )
    expect(statuses).toEqual(['trash', 'publish'])
  })

  it('does not count a series of which editors have dropped the first date as waiting', async () => {
    const shown = async () => {
      const { html } = await editor.browser.get('/admin/review/')
      return html.match(/<a href="\/admin\/review\/"[^>]*>.*?<\/a>/s)?.[0]
    }
    const before = await shown()
    const { id } = await submit({ ...SPAM, title: 'Casino bonus weekly', recurrence: 'FREQ=WEEKLY;COUNT=3' })
    expect(await shown()).toBe(before)
    await send('DELETE', `/events/${id}`, editor)
    const { html } = await editor.browser.get('/admin/review/?view=spam')
    expect(html).toContain('Casino bonus weekly')
    expect(await shown()).toBe(before)
  })
})

/** The item of an event in the review. */
async function shownOf(id: number): Promise<{ html: string; text: string }> {
  const tabs = [
    await editor.browser.get('/admin/review/'),
    await editor.browser.get('/admin/review/?view=spam'),
  ]
  const html = tabs.map(tab => tab.html).join('')
  const item = html.match(new RegExp(`<li class="card" id="event-${id}">.*?</article></li>`, 's'))?.[0] ?? ''
  return { html: item, text: decodeEntities(textOf(item)) }
}

describe('what the review shows', () => {
  const VENUE = {
    venue: 'Hall of fields',
    address: '7 Address Lane',
    city: 'Cityville',
    country: 'Countryland',
    province: 'Provincia',
    state: 'Statia',
    stateprovince: 'Stateprovia',
    zip: '09876',
    phone: '+353 1 555',
    website: 'https://hall.example/?all=1&of=it',
    geo_lat: 52.25,
    geo_lng: -7.125,
  }
  const ORGANIZER = {
    organizer: 'Society of fields',
    phone: '+353 1 777',
    website: 'https://society.example/',
    email: 'society@example.org',
  }

  it('includes everything that a visitor has written about the event, its venue and its organizer', async () => {
    const more = (name: string) => `<p>${name} begins. ${'More of it. '.repeat(60)}${name} ends.</p>`
    const { id } = await submit({
      title: 'Event of fields',
      description: more('Event'),
      cost: '12 for grown-ups',
      website: 'https://event.example/page?a=1',
      virtual_event_type: 'hybrid',
      virtual_url: 'https://online.example/room',
      timezone: 'Asia/Tokyo',
      venue: { ...VENUE, description: more('Hall') },
      organizer: { ...ORGANIZER, description: more('Society') },
    })
    const { text } = await shownOf(id)
    const texts = [...Object.values(VENUE), ...Object.values(ORGANIZER)].map(String)
    const own = [
      '12 for grown-ups',
      'https://event.example/page?a=1',
      'https://online.example/room',
      'Asia/Tokyo',
    ]
    const ends = ['Event', 'Hall', 'Society'].flatMap(name => [`${name} begins.`, `${name} ends.`])
    for (const said of [...texts, ...own, ...ends]) expect(text).toContain(said)
    expect(text).toContain('New venue, published along with it: Hall of fields')
    expect(text).toContain('New organizer, published along with it: Society of fields')
  })

  it('includes folded parts, and the targets of links, whatever their texts', async () => {
    const description = (name: string) =>
      `<a href="https://${name}.example/target?x=1&amp;y=2">https://harmless.example/</a>`
    const { id } = await submit({
      title: 'Event of links',
      description: description('event'),
      venue: { venue: 'Hall of links', description: description('hall') },
    })
    const { text } = await shownOf(id)
    for (const name of ['event', 'hall']) expect(text).toContain(`https://${name}.example/target?x=1&y=2`)
    const folded =
      '<details><summary>Programme</summary>Folded</details><img src="https://pictures.example/x.png">'
    const contributor = await signIn('contributor')
    const event = await makeEvent(contributor.as, { status: 'pending', description: folded })
    const shown = await shownOf(event.id)
    expect(shown.html).toMatch(/<details open[^>]*><summary>Programme/)
    expect(shown.text).toContain('https://pictures.example/x.png')
  })

  it('includes all texts of an image, even of an existing one', async () => {
    const texts = { title: 'Poster of spring', alt_text: 'A lamb', caption: 'Photo: Ann Example' }
    const { body } = await upload(editor.as, png(30, 20, 'spring'), {
      query: `?${new URLSearchParams(texts)}`,
    })
    const { id } = await submit({ title: 'Event of an image' })
    await send('PATCH', `/events/${id}`, { as: editor.as, json: { image: body.id } })
    const { text } = await shownOf(id)
    for (const said of Object.values(texts)) expect(text).toContain(said)
  })

  it('includes the venues and organizers that stay hidden', async () => {
    const { id } = await submit({ title: 'Event of hidden things', venue: { venue: 'Seen hall' } })
    const { venue } = (await send('GET', `/events/${id}`, { as: editor.as })).body
    const secret = await makeVenue(administrator.as, 'Secret hall', { status: 'draft' })
    const people = await makeOrganizer(administrator.as, 'Secret people', { status: 'private' })
    const json = { venue: [venue.id, secret.id], organizer: people.id }
    await send('PATCH', `/events/${id}`, { as: editor.as, json })
    const { text } = await shownOf(id)
    expect(text).toContain('published along with it: Seen hall')
    expect(text).toContain('Will not be published: Secret hall, Secret people')
  })
})

describe('the cron', () => {
  const runCronAt = (day: string) =>
    worker.scheduled({ scheduledTime: Date.parse(`${day}T00:00:00Z`) } as ScheduledController, env)

  it('deletes the sender 90 days after the decision, and the network after two', async () => {
    const { id } = await submit({ title: 'Forgotten by and by' }, '203.0.113.50')
    const { id: waiting } = await submit({ title: 'Sent back, and nobody mends it' })
    await send('PATCH', `/events/${waiting}`, { as: editor.as, json: { status: 'draft' } })
    const row = (of = id) =>
      env.DB.prepare('SELECT * FROM submissions WHERE event_id = ?').bind(of).first<Record<string, unknown>>()
    expect((await row())?.sender).toMatch(/./)
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    await runCronAt(day(3))
    expect(await row()).toMatchObject({ sender: '', email: 'ann@example.org', decided_utc: null })
    expect(await countRows('day_keys')).toBe(0)
    await send('DELETE', `/events/${id}`, editor)
    await runCronAt(day(4))
    expect((await row())?.decided_utc).toBe(`${day(4)} 00:00:00`)
    await runCronAt(day(93))
    expect(await row()).toMatchObject({ email: 'ann@example.org' })
    await runCronAt(day(96))
    expect(await row()).toMatchObject({ name: '', email: '' })
    await runCronAt(day(403))
    expect(await row()).not.toBeNull()
    await runCronAt(day(405))
    expect(await row()).toBeNull()
    expect(await row(waiting)).toMatchObject({ email: 'ann@example.org', decided_utc: null })
  })
})
