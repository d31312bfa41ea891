import { describe, expect, it } from 'vitest'
import { MAX_JSON_DEPTH } from '../../src/kit/http/body.ts'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { badNames, expectRefused, least, type Plural, sendJsonText } from './requests.ts'

// Bodies that no honest client sends: each is 400 or works, and costs no more than its length.

const people = everyRole()

const post = (plural: Plural, text: string) => sendJsonText(people.administrator.as, `/${plural}`, text)
const sendNew = (plural: Plural, fields: object) =>
  send('POST', `/${plural}`, { as: people.administrator.as, json: { ...least(plural, 'Odd'), ...fields } })

/** Objects that break code which turns them into text. */
const POISON = {
  'whose toString is no function': { toString: 1 },
  'whose toString is null': { toString: null, valueOf: null },
  'with a toJSON': { toJSON: 1 },
  'with a length': { length: 1e9 },
  'with a constructor': { constructor: { prototype: { polluted: 1 } } },
  'in a list': [{ toString: 1 }],
  'in lists of lists': [[[{ toString: 1 }]]],
}

/** Fields of events that no object may be. */
const PLAIN_FIELDS = [
  'title',
  'start_date',
  'status',
  'author',
  'slug',
  'description',
  'excerpt',
  'timezone',
  'all_day',
  'cost',
  'website',
  'show_map',
  'hide_from_listings',
  'sticky',
  'featured',
  'ticketed',
  'post_parent',
]
/** Fields that may pass over what they don't know of a list or an object. */
const LOOSE_FIELDS = ['categories', 'tags', 'venue', 'organizer', 'image']

describe.each(Object.entries(POISON))('an object %s', (_, value) => {
  it('is refused in every field of an event, and the error names each field', async () => {
    const response = await sendNew('events', Object.fromEntries(PLAIN_FIELDS.map(name => [name, value])))
    expect([response.status, badNames(response).sort()]).toEqual([400, [...PLAIN_FIELDS].sort()])
    for (const name of LOOSE_FIELDS) {
      const loose = await sendNew('events', { [name]: value })
      if (loose.status !== 201) expectRefused(loose, name)
    }
  })
})

describe('deep nesting', () => {
  const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const objects = (depth: number, name: string) => `${`{"${name}":`.repeat(depth)}1${'}'.repeat(depth)}`
  const known = '"title":"x","start_date":"2027-01-01","end_date":"2027-01-01"'

  it('as deep as a body may be is refused or ignored in every field', async () => {
    const depth = MAX_JSON_DEPTH - 1
    for (const value of [lists(depth), objects(depth, 'a'), objects(depth, 'venue'), objects(depth, 'id')])
      for (const name of ['title', 'venue', 'categories', 'image', 'unknown', '__proto__']) {
        const { status } = await post('events', `{${known},"${name}":${value}}`)
        expect([201, 400], `${value} in ${name}`).toContain(status)
      }
  })
})

describe('texts whose cost grows faster than their length', () => {
  const MARKS = '\u0301\u0323\u0302'
  const GROWING = {
    'a run of combining marks': `a${MARKS.repeat(60_000)}`,
    'many runs of combining marks': `a${MARKS.repeat(30)}`.repeat(2_000),
    'marks of falling class': `a${'\u0315\u0301\u0327\u0334'.repeat(45_000)}`,
    'Hangul jamo': '\u1100\u1161\u11a8'.repeat(60_000),
    'nested markup': '<b>'.repeat(60_000),
    'nested lists': '<ul><li>'.repeat(20_000),
    'unclosed attributes': '<a href="'.repeat(20_000),
    'unclosed comments': '<!--'.repeat(40_000),
    'half tags': '<a '.repeat(60_000),
    ampersands: '&amp'.repeat(45_000),
    'blank lines': ' \n \n'.repeat(40_000),
    words: 'a b '.repeat(45_000),
    'emoji families': '👨‍👩‍👧‍👦'.repeat(15_000),
    'ligatures that unfold': 'ﷺ'.repeat(60_000),
  }

  it.each(Object.entries(GROWING))('such as %s are stored or refused', async (_, text) => {
    for (const [plural, name] of [
      ['events', 'description'],
      ['events', 'excerpt'],
      ['events', 'title'],
      ['venues', 'description'],
      ['tags', 'description'],
    ] as const) {
      const response = await sendNew(plural, { [name]: text })
      if (response.status === 201) continue
      expect([response.status, badNames(response)], `${plural} ${name}`).toEqual([400, [name]])
    }
    const short = text.slice(0, 150)
    const stored = { title: short, slug: short, cost: short, categories: short, venue: short }
    const refused = { website: short, timezone: short, start_date: short }
    for (const fields of [stored, refused])
      expect([201, 400]).toContain((await sendNew('events', fields)).status)
    const search = new URLSearchParams({ search: text.slice(0, 900) })
    for (const plural of ['events', 'tags'])
      expect([200, 400]).toContain((await send('GET', `/${plural}?${search}`)).status)
  })
})
