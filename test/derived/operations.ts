import fc from 'fast-check'

/** A request. `target` picks one of the existing rows. */
export type Operation = {
  method: 'POST' | 'PATCH' | 'DELETE'
  plural: 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
  target?: number
  force?: boolean
  /** Picks the row into which `target` is merged. */
  into?: number
  /** `parent` picks a category likewise. */
  json: Record<string, unknown> & { parent?: number }
}

/** Time passes and the cron runs. */
export type Tick = { minutes: number }

const CATEGORIES = ['Music', 'Jazz', 'Kids', 'Theatre', 'Ópera']
const TAGS = ['free', '<3', 'outdoor', 'Straße', 'new']
const PLACES = ['Barn', 'Hall', 'Café Zürich']

const target = fc.nat(50)
const word = fc.constantFrom(
  'Chess',
  'Überfahrt',
  'Ball & Gala',
  'naïve <b>bold</b>',
  'I <3 x &amp;lt;',
  'x',
  '東京の夜',
)
const status = fc.constantFrom('publish', 'draft', 'pending', 'private', 'future', 'trash')
const html = fc.constantFrom('', 'plain', '<p>Rich <em>text</em></p>', 'Two\nlines')

const optional = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
  fc.record(fields, { requiredKeys: [] })

const start = fc
  .integer({ min: -40, max: 400 })
  .map(days => new Date(Date.UTC(2026, 10, 20) + days * 86_400_000).toISOString().slice(0, 10))

const eventFields = optional({
  title: word,
  description: html,
  excerpt: html,
  status,
  date_utc: fc.constantFrom('2026-11-20 11:00:00', '2026-11-20 12:30:00', '2026-11-21 00:00:00'),
  hide_from_listings: fc.boolean(),
  event_status: fc.constantFrom('scheduled', 'canceled', 'postponed'),
  ticket_availability: fc.constantFrom('', 'few', 'sold_out'),
  wheelchair: fc.constantFrom('', '', 'yes', 'no'),
  is_virtual: fc.boolean(),
  cost: fc.constantFrom('', '0', '5'),
  categories: fc.subarray(CATEGORIES),
  tags: fc.subarray(TAGS),
  venue: fc.subarray(PLACES).map(names => names.map(venue => ({ venue }))),
  organizer: fc.subarray(PLACES).map(names => names.map(organizer => ({ organizer }))),
})

const dates = fc.tuple(start, fc.nat(3)).map(([day, hours]) => ({
  start_date: `${day} 10:00:00`,
  end_date: `${day} ${10 + hours}:30:00`,
}))

const whole = { title: 'Untitled' }
const create = fc.tuple(eventFields, dates).map(
  ([fields, when]): Operation => ({
    method: 'POST',
    plural: 'events',
    json: { ...whole, ...fields, ...when },
  }),
)

const change = fc.oneof(eventFields, dates)
const updateEvent = fc
  .tuple(target, change)
  .map(([id, json]): Operation => ({ method: 'PATCH', plural: 'events', target: id, json }))

const placeFields = optional({
  description: html,
  website: fc.constant('https://example.org/'),
  phone: word,
  status,
})
const access = fc.constantFrom('', 'yes', 'limited')
const updatePlace = fc
  .tuple(
    fc.constantFrom('venues' as const, 'organizers' as const),
    target,
    placeFields,
    fc.option(word),
    access,
  )
  .map(([plural, id, fields, name, wheelchair]): Operation => {
    const naming = name === null ? {} : { [plural === 'venues' ? 'venue' : 'organizer']: name }
    const own = plural === 'venues' ? { wheelchair } : {}
    return { method: 'PATCH', plural, target: id, json: { ...fields, ...naming, ...own } }
  })

const category = optional({
  name: fc.constantFrom(...CATEGORIES),
  slug: fc.constantFrom('a', 'b'),
  parent: fc.nat(9),
})
const createCategory = category.map(
  (json): Operation => ({
    method: 'POST',
    plural: 'categories',
    json: { name: 'Music', ...json },
  }),
)
const updateCategory = fc
  .tuple(target, category)
  .map(([id, json]): Operation => ({ method: 'PATCH', plural: 'categories', target: id, json }))

const remove = fc
  .tuple(
    fc.constantFrom('events' as const, 'events' as const, 'venues', 'organizers', 'categories', 'tags'),
    target,
    fc.boolean(),
  )
  .map(([plural, id, force]): Operation => ({ method: 'DELETE', plural, target: id, force, json: {} }))

const merge = fc
  .tuple(fc.constantFrom('venues' as const, 'organizers', 'categories', 'tags'), target, target)
  .map(([plural, id, into]): Operation => ({ method: 'POST', plural, target: id, into, json: {} }))

const tick = fc.constantFrom(1, 45, 600).map((minutes): Tick => ({ minutes }))

/** Sequences of writes on few things, so that they meet. */
export const operations = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: create },
    { weight: 6, arbitrary: updateEvent },
    { weight: 3, arbitrary: updatePlace },
    { weight: 2, arbitrary: createCategory },
    { weight: 3, arbitrary: updateCategory },
    { weight: 4, arbitrary: remove },
    { weight: 2, arbitrary: merge },
    { weight: 1, arbitrary: tick },
  ),
  { minLength: 60, maxLength: 60, size: 'max' },
)
