import { slugify } from '../../src/lib/slug.ts'
import { fold } from '../../src/lib/text.ts'
import { addDays, formatInstant, toUtc } from '../../src/lib/time.ts'
import { zoneAbbreviation } from '../../src/lib/zones.ts'
import type { Random } from './random.ts'

// A calendar of any size: four years around today, in two zones, with texts of a likely length.

export const VENUES = 200
export const ORGANIZERS = 100
export const CATEGORIES = 30
export const TAGS = 60

/** In a fifth of all events. */
export const COMMON_WORD = 'concert'
/** In one of two thousand. */
export const RARE_WORD = 'zither'

const WORDS = (
  'evening morning music guitar piano garden market family children library reading history lecture open free ' +
  'river harbour bridge walk bicycle workshop pottery painting theatre dance folk choir orchestra cinema film ' +
  'kitchen bread cheese wine tasting science robots letters poetry story winter summer spring autumn neighbours ' +
  'square church museum gallery tour guided language exchange chess football running yoga repair café'
).split(' ')

const DAY_MS = 86_400_000
const YEARS = 4
export const TODAY = '2026-11-20 00:00:00'
const FIRST_DAY = Date.parse('2024-11-20T00:00:00Z')

const post = (id: number, name: string) => ({
  id,
  author_id: 1,
  status: 'publish',
  slug: `${slugify(name)}-${id}`,
  date: '2024-01-01 00:00:00',
  date_utc: '2024-01-01 00:00:00',
  modified: '2024-01-01 00:00:00',
  modified_utc: '2024-01-01 00:00:00',
})

const sentence = (random: Random, length: number): string =>
  Array.from({ length }, () => random.pick(WORDS)).join(' ')

export const venueRows = () =>
  Array.from({ length: VENUES }, (_, i) => ({
    ...post(i + 1, 'Hall'),
    name: `Hall ${i + 1}`,
    address: `${i + 1} Main Street`,
    city: 'Kent',
    country: 'Ireland',
    zip: `K${i}`,
    phone: '+353 1 234',
    website: 'https://hall.example.org',
    geo_lat: 53 + i / 1000,
    geo_lng: -9 + i / 1000,
  }))

export const organizerRows = () =>
  Array.from({ length: ORGANIZERS }, (_, i) => ({
    ...post(i + 1, 'Guild'),
    name: `Guild ${i + 1}`,
    phone: '+353 1 567',
    website: 'https://guild.example.org',
    email: `guild${i + 1}@example.org`,
  }))

/** Ten roots with two children each, then the tags. Ids start at 2, as the first migration leaves it. */
export function termRows() {
  const term = (id: number, taxonomy: string, name: string, parent = 0, path = slugify(name)) => ({
    id,
    taxonomy,
    parent,
    name,
    name_key: name.toLowerCase(),
    sort_name: fold(name),
    slug: slugify(name),
    path,
  })
  const categories = Array.from({ length: CATEGORIES }, (_, i) => {
    const parent = i < 10 ? 0 : 2 + (i % 10)
    const name = `Category ${i + 1}`
    return term(
      i + 2,
      'event_category',
      name,
      parent,
      `${parent ? `category-${(i % 10) + 1}/` : ''}${slugify(name)}`,
    )
  })
  const tags = Array.from({ length: TAGS }, (_, i) => term(i + 2 + CATEGORIES, 'event_tag', `Tag ${i + 1}`))
  return [...categories, ...tags]
}

/** One event of a hundred takes part of a year, three some weeks, five some days; the others some hours. */
function durationHours(random: Random): number {
  const kind = random.next()
  if (kind < 0.91) return 1 + random.below(5)
  if (kind < 0.96) return 24 * (1 + random.below(4))
  return kind < 0.99 ? 24 * (5 + random.below(25)) : 24 * (30 + random.below(200))
}

export type SeedEvent = ReturnType<typeof eventRow>

export function eventRow(id: number, random: Random) {
  const wall = formatInstant(
    FIRST_DAY + random.below(YEARS * 365) * DAY_MS + (7 + random.below(15)) * 3_600_000,
  )
  const hours = durationHours(random)
  const end = formatInstant(Date.parse(`${wall.replace(' ', 'T')}Z`) + hours * 3_600_000)
  const timezone = random.next() < 0.8 ? 'UTC' : 'Europe/Rome'
  const utc_start_date = toUtc(wall, timezone)
  const common = random.next() < 0.2 ? ` ${COMMON_WORD}` : ''
  const rare = random.next() < 0.0005 ? ` ${RARE_WORD}` : ''
  const title = `${sentence(random, 3)}${common}`
  const description = `<p>${sentence(random, 45)}${rare}</p>`
  return {
    ...post(id, title),
    title,
    description,
    excerpt: '',
    start_date: wall,
    end_date: end,
    utc_start_date,
    utc_end_date: toUtc(end, timezone),
    timezone,
    timezone_abbr: zoneAbbreviation(utc_start_date, timezone),
    cost: random.next() < 0.3 ? 'Free' : `$${5 + random.below(40)}`,
    featured: Number(random.next() < 0.05),
    venue: 1 + random.below(VENUES),
    organizer: 1 + random.below(ORGANIZERS),
    terms: [
      2 + random.below(CATEGORIES),
      2 + CATEGORIES + random.below(TAGS),
      2 + CATEGORIES + random.below(TAGS),
    ],
    search_text: fold(`${title}\n${description.slice(3, -4)}`),
  }
}

/** The month of the bench's month request: two months ahead. */
export const MONTH = { start: addDays(TODAY, 60).slice(0, 10), end: addDays(TODAY, 90).slice(0, 10) }
