import { beforeAll, describe, expect, it } from 'vitest'
import { send } from '../factories.ts'
import { everyRole } from './people.ts'
import { create, expectErrorShape, expectRefused, least, PLURALS } from './requests.ts'

// Anyone may search: no words, however many or odd, may be more than the service can answer.

/** 500 letters in no order, so that nearly every piece of them is another. */
const LETTERS = Array.from({ length: 500 }, (_, i) =>
  String.fromCodePoint(97 + (((i * i * 7 + i * 3) % 101) % 26)),
).join('')

/** Different pieces of {@link LETTERS}. */
const pieces = (n: number, length: number): string[] => {
  const all = Array.from(LETTERS, (_, i) => LETTERS.slice(i, i + length)).slice(0, -length)
  return [...new Set(all)].slice(0, n)
}

const people = everyRole()
beforeAll(async () => {
  for (const plural of PLURALS)
    await create(people.administrator.as, plural, {
      ...least(plural, 'Ab cde fgh the 50% off_season "fun"'),
      description: 'Nothing NEAR it AND (more)',
    })
  for (const plural of PLURALS) await create(people.administrator.as, plural, least(plural, LETTERS))
})

const list = (plural: string, parameters: Record<string, string>) =>
  send('GET', `/${plural}?${new URLSearchParams({ hide_empty: '0', ...parameters })}`)

/** Texts of at most 1,000 characters made of as many words as fit. */
const packed = (word: (i: number) => string): string => {
  let text = ''
  for (let i = 0; text.length + word(i).length + 1 <= 1_000; i++) text += `${text && ' '}${word(i)}`
  return text
}

const letter = (i: number) => String.fromCodePoint(97 + (Math.floor(i) % 26))
const MANY = {
  'one letter, all alike': packed(() => 'a'),
  'one letter': packed(letter),
  'two letters, all alike': packed(() => 'ab'),
  'two letters': packed(i => letter(i) + letter(i / 26)),
  'three letters, all alike': packed(() => 'cde'),
  'three letters': packed(i => letter(i) + letter(i / 26) + letter(i / 3)),
  'one to four letters': packed(i => letter(i).repeat((i % 4) + 1)),
  'one Han character': packed(i => String.fromCodePoint(0x4e00 + i)),
  'one emoji': packed(() => '🎸'),
  'combining marks': packed(() => '\u0301\u0301'),
  quotes: packed(() => '"'),
  wildcards: packed(i => '%_*'.charAt(i % 3)),
  operators: packed(i => ['AND', 'OR', 'NOT', 'NEAR'][i % 4] ?? ''),
}

/** Events, and another kind in turn: one code makes conditions of words for all of them. */
const pluralsInTurn = (turn: number) =>
  ['events', PLURALS[1 + (turn % (PLURALS.length - 1))] ?? 'events'] as const

const WORDS: readonly [n: number, letters: number][] = [
  [29, 3],
  [30, 3],
  [64, 3],
  [99, 3],
  [101, 3],
  [30, 2],
  [90, 2],
  [101, 2],
  [26, 1],
]

describe('a search', () => {
  it.each(Object.entries(MANY))('takes as many words of %s as fit', async (what, search) => {
    for (const plural of pluralsInTurn(Object.keys(MANY).indexOf(what)))
      expect(await list(plural, { search })).toMatchObject({
        status: 200,
        body: { total: expect.any(Number) },
      })
  })

  it.each(Object.values(MANY))('takes as many words in names: %s', async search => {
    expect(await list('events', { search, search_in: 'all' })).toMatchObject({
      status: 200,
      body: { total: expect.any(Number) },
    })
  })

  it.each(WORDS)('takes %i different words of %i letters, and finds what has them all', async (n, length) => {
    const search = pieces(n, length).join(' ')
    for (const plural of pluralsInTurn(
      WORDS.findIndex(([count, letters]) => count === n && letters === length),
    )) {
      expect(await list(plural, { search })).toMatchObject({ status: 200, body: { total: 1 } })
      expect(await list(plural, { search: `${search} 0` })).toMatchObject({ status: 200, body: { total: 0 } })
    }
  })

  const SYNTAX = [
    'cde AND fgh',
    'cde OR xyz',
    'cde NOT xyz',
    'NEAR(cde fgh, 5)',
    '"cde fgh',
    "cde'",
    'cde"fgh',
    '^cde',
    'cde*',
    '-cde',
    '+cde',
    '(cde)',
    'search_text : cde',
    '{title}: cde',
    'cde || fgh',
    "'; DROP TABLE terms; --",
    '%',
    '%%%',
    '_',
    '___',
    '\\',
    '\\%',
    '[a-z]',
    'a{1000}',
    '?1',
    ':x',
    '@x',
    '$x',
    '\u0000cde',
    'cde\u0000',
    '\ud83c',
    '\u202ecde',
    '\u{e0041}',
    'ß'.repeat(1000),
    'ﷺ'.repeat(1000),
    '"'.repeat(1000),
    'İ'.repeat(500),
  ]
  it.each(SYNTAX)('has no syntax: %j', async search => {
    // Plain words are found where they are substrings of title or description, and nowhere else.
    const searched = 'ab cde fgh the 50% off_season "fun" nothing near it and (more)'
    const words = search.toLowerCase().split(' ')
    for (const plural of pluralsInTurn(SYNTAX.indexOf(search))) {
      const response = await list(plural, { search })
      expect(response.status, JSON.stringify(response.body)).toBe(200)
      if (/^[\x20-\x7e]*$/.test(search) && plural === 'events')
        expect(response.body.total).toBe(words.every(word => searched.includes(word)) ? 1 : 0)
    }
  })

  it.each(PLURALS)('in %s is refused beyond 1,000 characters, or without any', async plural => {
    expectRefused(await list(plural, { search: 'a '.repeat(501) }), 'search')
    expectRefused(await list(plural, { search: '🎸'.repeat(1_001) }), 'search')
    expectRefused(await list(plural, { search: ' \t ' }), 'search')
    expect(await list(plural, { search: '🎸'.repeat(1_000) })).toMatchObject({ status: 200 })
  })
})

describe('long lists of values in a filter', () => {
  it.each([
    ['events', 'categories'],
    ['events', 'tags'],
    ['events', 'venue'],
    ['events', 'organizer'],
    ['events', 'include'],
    ['categories', 'include'],
    ['categories', 'exclude'],
    ['categories', 'slug'],
    ['tags', 'include'],
    ['tags', 'exclude'],
    ['tags', 'slug'],
  ])('%s?%s are answered or refused by name', async (plural, name) => {
    for (const n of [101, 500, 501, 5_000]) {
      const values = Array.from({ length: n }, (_, i) => 1 + (i % 7)).join(',')
      const response = await list(plural, { [name]: values })
      if (response.status === 200) continue
      expectErrorShape(response, `${n} ${name}`)
      expectRefused(response, name)
    }
  })
})
