import { expect, it } from 'vitest'
import { declareUser, makeAll, makeCategory, makeOrganizer, makeVenue } from '../../../factories.ts'
import { measure } from '../../../kit/http/metrics.ts'

// Rows that D1 reads for each listed event when a search looks in names as well, where every name has a word
// of the search.

const admin = declareUser('administrator', 'admin')

/**
 * Searches, and the names of each event that have any of the words: the venue, the organizer, two categories
 * and two tags. Words of one or two letters are in no index, so that all texts are read for them.
 */
const SEARCHES: Record<string, [words: string, names: number, more?: number]> = {
  'eight words of an address': ['hall main street kent west ireland harbour quay', 1],
  'eight words of an address, all of which are in texts as well': [
    'garden main street kent west ireland harbour quay',
    1,
  ],
  'words of venues and organizers': ['hall main street kent ireland quay guild of', 2],
  'words of the names of all kinds': ['hall guild large music evening outdoor kent street', 6],
  'words of names and of all texts': ['concert hall guild large music kent street quay', 4, 1],
  'eight letters': ['a e i l n r s t', 6, 3],
  'more words than are looked for in names': [
    'hall guild large music evening outdoor kent street con cert',
    6,
  ],
  'words that no event has': ['hall guild large music evening outdoor kent nothing', 6],
}
/** Rows for each name, which are its listing and that of the group, and for the event. */
const A_NAME = 2
const AN_EVENT = 6

const SIZE = 120

const events = (from: number) =>
  Array.from({ length: SIZE }, (_, n) => ({
    title: `Concert in the garden ${from + n}`,
    start_date: `2027-0${1 + (n % 6)}-${10 + (n % 18)} 19:00:00`,
    end_date: `2027-0${1 + (n % 6)}-${10 + (n % 18)} 22:00:00`,
    venue: 1 + (n % 12),
    organizer: 1 + (n % 2),
    categories: ['Music'],
    tags: ['Evening', 'Outdoor'],
  }))

async function fill(from: number): Promise<void> {
  const all = events(from)
  for (let n = 0; n < SIZE; n += 60) await makeAll(admin, 'events', all.slice(n, n + 60))
}

const rowsOf = async () => {
  const rows: Record<string, number> = {}
  for (const [name, [words]] of Object.entries(SEARCHES)) {
    const path = `/events?per_page=1&search_in=all&search=${encodeURIComponent(words)}`
    const { status, text, rows: read } = await measure('GET', path)
    expect(status, text).toBe(200)
    const { total } = JSON.parse(text)
    expect(total > 0, `${name}: ${total}`).toBe(!words.includes('nothing'))
    rows[name] = read
  }
  return rows
}

it('a search in names reads two rows for each name of an event and some for the event, for any number of words', async () => {
  for (let n = 1; n <= 12; n++)
    await makeVenue(admin, `Hall of the garden ${n}`, {
      address: `${n} Main Street, Harbour Quay`,
      city: 'Kent West',
      country: 'Ireland',
    })
  for (const name of ['Guild of actors', 'Guild of singers']) await makeOrganizer(admin, name)
  const { id: parent } = await makeCategory(admin, 'Large')
  await makeCategory(admin, 'Music', { parent })
  await fill(0)
  const before = await rowsOf()
  await fill(SIZE)
  const after = await rowsOf()
  const over = Object.entries(SEARCHES).flatMap(([name, [, names, more = 0]]) => {
    const each = ((after[name] ?? 0) - (before[name] ?? 0)) / SIZE
    return each > names * A_NAME + AN_EVENT + more ? [`${name}: ${each}`] : []
  })
  expect(over).toEqual([])
})
