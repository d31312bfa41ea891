import { describe, expect, it, vi } from 'vitest'
import { EVENT_FIELDS } from '../../../src/calendar/events/schema.ts'
import { submissionFields } from '../../../src/calendar/intake/schema.ts'
import { by, everyRole } from '../../attacks/people.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { API, SITE, send } from '../../factories.ts'
import type { Sample } from '../../feature-part.ts'
import { EVENT as EVENT_SAMPLES, ORGANIZER, VENUE } from '../content/samples.ts'
import { PNG } from '../media/samples.ts'
import { changeForm, EVENT, latestRow, visitors } from './submit.ts'

// What visitors may say about an event, and about the venues and organizers that come with it.

const people = everyRole()

const { ask, send: submit } = visitors()

const latest = async (): Promise<Record<string, ReturnType<typeof JSON.parse>>> => {
  const { event_id } = await latestRow()
  return (await send('GET', `/events/${event_id}`, by(people.editor))).body
}

/**
 * The fields that visitors may set: each is weighed, is shown in the review, and does no harm when it is
 * public.
 */
const EVENT_TEXTS = ['title', 'description', 'cost', 'website', 'virtual_url']
const EVENT_OTHERS = [
  ...['start_date', 'end_date', 'all_day', 'timezone', 'recurrence', 'is_virtual', 'virtual_event_type'],
  ...['categories', 'venue', 'organizer'],
]
const VENUE_TEXTS = [
  ...['venue', 'address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website'],
  'description',
]
const ORGANIZER_TEXTS = ['organizer', 'phone', 'website', 'email', 'description']

const sentOf = (samples: Readonly<Record<string, Sample>>, names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, samples[name]?.sent]))

const shownOf = (body: Record<string, unknown>, name: string) => JSON.stringify(body[name] ?? null)

describe('the fields of a submission', () => {
  it('are those of the form, and no others of an event', () => {
    const { name: _, email: _email, turnstile: _turnstile, ...fields } = submissionFields.shape
    expect(Object.keys(fields).sort()).toEqual([...EVENT_TEXTS, ...EVENT_OTHERS].sort())
  })

  it('are the only ones that are stored, whatever else is sent', async () => {
    expect((await submit({ title: 'Plain' })).status).toBe(201)
    const plain = await latest()
    const others = Object.keys(EVENT_FIELDS).filter(
      name => ![...EVENT_TEXTS, ...EVENT_OTHERS, 'scope', 'spread', 'cost_details'].includes(name),
    )
    const values = sentOf(EVENT_SAMPLES, others)
    const { status, headers } = await submit({ title: 'Plain too', ...values })
    expect(status).toBe(201)
    // The header names twenty at most.
    const ignored = headers.get('x-ignored-fields')?.split(/,\s*/) ?? []
    expect(ignored).toHaveLength(20)
    expect(others).toEqual(expect.arrayContaining(ignored))
    const event = await latest()
    for (const name of others) {
      if (name !== 'slug') expect(shownOf(event, name), name).toEqual(shownOf(plain, name))
    }
    expect([event.slug, event.status]).toEqual(['plain-too', 'pending'])
  })

  it.each([
    ['venue', VENUE, [...VENUE_TEXTS, 'geo_lat', 'geo_lng']],
    ['organizer', ORGANIZER, ORGANIZER_TEXTS],
  ] as const)('store of a new %s only its own texts, and no other fields', async (kind, samples, own) => {
    const one = async (title: string, given: object) => {
      expect((await submit({ title, [kind]: { [kind]: title, ...given } })).status).toBe(201)
      const { [kind]: linked } = await latest()
      return [linked].flat()[0]
    }
    const plain = await one(`Plain ${kind}`, {})
    const others = Object.keys(samples).filter(name => !own.some(field => field === name))
    const values = sentOf(samples, others)
    const made = await one(`Bold ${kind}`, values)
    for (const name of others)
      if (name !== 'slug') expect(shownOf(made, name), name).toEqual(shownOf(plain, name))
    expect([made.slug, made.status]).toEqual([`bold-${kind}`, 'draft'])
  })
})

/** How likely spam the latest submission is. */
const likeness = async (): Promise<number> => Number((await latestRow()).likeness)

describe('the likeness to spam', () => {
  const textIn = (name: string, words: string): string => {
    const host = words.toLowerCase().replaceAll(' ', '-')
    return name === 'email'
      ? `ann@${host}.example`
      : /website|url/.test(name)
        ? `https://${host}.example/`
        : words
  }

  // Each is another event, with a title that says the same to the classifier.
  let number = 1_000

  /** The likeness of something that is sent in with some words in one of its texts. */
  const likenessWith = async (words: string, fieldsOf: (words: string) => object): Promise<number> => {
    const { status } = await submit({ title: `Fair ${++number}`, ...fieldsOf(words) })
    expect(status).toBe(201)
    return likeness()
  }

  const expectMore = async (fieldsOf: (words: string) => object) =>
    expect(await likenessWith('Cheap viagra casino bonus', fieldsOf)).toBeGreaterThan(
      await likenessWith('Choir in the village hall', fieldsOf),
    )

  it.each(EVENT_TEXTS)('depends on the %s of an event', async name => {
    const online = name === 'virtual_url' ? { virtual_event_type: 'hybrid' } : {}
    await expectMore(words => ({ ...online, [name]: textIn(name, words) }))
  })

  it.each(VENUE_TEXTS)('depends on the %s of a venue', name =>
    expectMore(words => ({ venue: { venue: 'Hall', [name]: textIn(name, words) } })),
  )

  it.each(ORGANIZER_TEXTS)('depends on the %s of an organizer', name =>
    expectMore(words => ({
      organizer: [{ organizer: 'Club' }, { organizer: 'Society', [name]: textIn(name, words) }],
    })),
  )

  it('depends on the name of the file and the text of an image', async () => {
    const withImage = async (file: string, alt: string): Promise<number> => {
      const html = (await ask('GET', `${SITE}/submit/`)).text
      vi.setSystemTime(Date.now() + 30_000)
      const form = new FormData()
      const typed = {
        title: `Fair ${++number}`,
        start_date: '2027-09-04',
        start_date_time: '14:00',
      }
      const fields = { ...fieldsIn(html), ...typed, email: 'ann@example.org', image_alt: alt }
      for (const [name, values] of Object.entries(fields))
        for (const value of [values].flat()) form.append(name, value)
      form.append('image_file', new File([PNG], file))
      const response = await ask('POST', `${SITE}/submit/`, { body: form, headers: { origin: 'null' } })
      expect(response.status).toBe(303)
      return likeness()
    }
    const plain = await withImage('poster.png', 'The choir')
    expect(await withImage('Cheap viagra casino.png', 'The choir')).toBeGreaterThan(plain)
    expect(await withImage('poster.png', 'Cheap viagra casino bonus')).toBeGreaterThan(plain)
  })

  it('depends on the address of a new venue in a change', async () => {
    const { body } = await submit({ title: 'To be moved' })
    const before = await likeness()
    const typed = { venue_new_venue: 'Hall', venue_new_address: 'Cheap viagra casino bonus' }
    expect((await changeForm(body.url, typed)).status).toBe(303)
    expect(await likeness()).toBeGreaterThan(before)
  })

  it('does not stop an ordinary event that has all kinds of addresses', async () => {
    const { status } = await submit({
      title: 'Well described',
      description: 'Doors at seven. <a href="https://barn.example.org/map">How to get there</a>',
      website: 'https://dance.example.org/',
      virtual_event_type: 'hybrid',
      virtual_url: 'https://meet.example.org/dance',
      venue: { venue: 'Old barn', address: '1 Lane', zip: '02101', phone: '+353 1 234 5678' },
      organizer: { organizer: 'Dance club', email: 'info@dance.example.org', phone: '+353 1 234 5679' },
    })
    expect(status).toBe(201)
  })
})

describe('the HTML of a visitor', () => {
  const HTML =
    '<p style="color: #fff" title="Buy">Come to <a href="https://barn.example/?a=1&amp;b=2" rel="follow" target="_blank">the <b>barn</b></a>' +
    '<img src="https://tracker.example/x.png" alt="Pixel"></p><details><summary>More</summary>Hidden</details>' +
    '<video src="https://tracker.example/x.mp4" autoplay></video><ul class="x"><li>One</ul>'
  const LINK = '<a href="https://barn.example/?a=1&amp;b=2" rel="nofollow ugc noopener">the <b>barn</b></a>'

  const check = (html: string) => {
    expect(html).toContain(LINK)
    expect(html).toMatch(/Hidden[\s\S]*<ul>\s*<li>One<\/li>\s*<\/ul>/)
    expect(html).not.toMatch(/tracker|style|title=|details|summary|class|target|<img|<video/)
  }

  const bracketed = (form: FormData | URLSearchParams, title: string) => {
    const { venue: _, ...event } = EVENT
    for (const [name, value] of Object.entries({ ...event, title, description: HTML }))
      form.append(name, value)
    form.append('venue[venue]', `Barn of ${title}`)
    form.append('venue[description]', HTML)
    form.append('organizer[0][organizer]', `People of ${title}`)
    form.append('organizer[0][description]', HTML)
    return ask('POST', `${API}/submissions`, { body: form })
  }

  it.each([
    [
      'JSON',
      async (title: string) => {
        const venue = { venue: `Barn of ${title}`, description: HTML }
        const organizer = { organizer: `People of ${title}`, description: HTML }
        return submit({ title, description: HTML, venue, organizer })
      },
    ],
    ['a form', (title: string) => bracketed(new URLSearchParams(), title)],
    ['a multipart form', (title: string) => bracketed(new FormData(), title)],
  ])('keeps words and links that nobody vouches for, sent as %s', async (title, sent) => {
    expect((await sent(title)).status).toBe(201)
    const { description, venue, organizer } = await latest()
    for (const html of [description, venue.description, organizer[0].description]) check(html)
  })

  it('stays simple after a change, and when an editor saves it', async () => {
    const { body } = await submit({ title: 'Changed later' })
    const saved = await changeForm(body.url, { description: HTML })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, expect.stringContaining('saved=1')])
    const { id, description } = await latest()
    check(description)
    const again = await send('PATCH', `/events/${id}`, { ...by(people.editor), json: { description } })
    expect(again.body.description).toBe(description)
  })
})

describe('the public page of a submission', () => {
  it('vouches for none of the addresses that a visitor typed', async () => {
    const { status } = await submit({
      title: 'Linked all over',
      description: '<a href="https://in-text.example/">here</a>',
      website: 'https://own.example/',
      virtual_event_type: 'hybrid',
      virtual_url: 'https://online.example/',
      venue: { venue: 'Linked hall', website: 'https://hall.example/' },
      organizer: { organizer: 'Linked people', website: 'https://people.example/' },
    })
    expect(status).toBe(201)
    const { id, venue, organizer } = await latest()
    const json = { status: 'publish', ticketed: true }
    await send('PATCH', `/events/${id}`, { ...by(people.editor), json })
    await send('PATCH', `/venues/${venue.id}`, { ...by(people.editor), json: { status: 'publish' } })
    await send('PATCH', `/organizers/${organizer[0].id}`, {
      ...by(people.editor),
      json: { status: 'publish' },
    })
    const pages = ['/event/linked-all-over/', '/venue/linked-hall/', '/organizer/linked-people/']
    const links: string[] = []
    for (const path of pages) {
      const html = (await ask('GET', SITE + path)).text
      links.push(...(html.match(/<a [^>]*href="https:\/\/[a-z-]+\.example\/"[^>]*>/g) ?? []))
    }
    const hosts = links.map(link => /\/\/([a-z-]+)/.exec(link)?.[1])
    expect(new Set(hosts)).toEqual(new Set(['in-text', 'own', 'online', 'hall', 'people']))
    for (const link of links) expect(link).toMatch(/ rel="nofollow ugc noopener"/)
  })
})

describe('descriptions', () => {
  it.each(['<p>', '<li>', '<b>', '\n', '\na\n\n', '<h1><p><h2>'])(
    'of very many tags or line breaks are refused before they are sanitised: %j',
    async text => {
      const many = text.repeat(2_000)
      const least = { title: 'Many', start_date: '2027-06-11 20:00:00', end_date: '2027-06-11 22:00:00' }
      const reason = 'must have at most 1000 tags and line breaks'
      const taken = await submit({ ...least, description: many })
      expect([taken.status, taken.body.data?.params?.description]).toEqual([400, reason])
      for (const one of ['venue', 'organizer']) {
        const { status, text } = await submit({ ...least, [one]: { [one]: 'New', description: many } })
        expect([status, text.includes(reason)], one).toEqual([400, true])
      }
    },
  )

  it('with the most paragraphs allowed can be sent again as they are stored', async () => {
    const lines = Array.from({ length: 450 }, (_, i) => `Line ${i}`).join('\n')
    expect((await submit({ title: 'Lines', description: lines })).status).toBe(201)
    const { description } = await latest()
    expect((await submit({ title: 'Lines again', description })).status).toBe(201)
    const more = Array.from({ length: 900 }, (_, i) => `Line ${i}`).join('\n')
    expect((await submit({ title: 'More lines', description: more })).status).toBe(400)
  })
})
