import { slugify } from '../../src/kit/lib/slug.ts'
import { fold } from '../../src/kit/lib/text.ts'
import { addDays, formatInstant, startOfDay, toEpoch, toUtc } from '../../src/kit/lib/time.ts'
import { zoneAbbreviation } from '../../src/kit/lib/zones.ts'
import type { Random } from './random.ts'

// A calendar of any size: four years around today, in two zones, with texts of a likely length. Venues,
// organizers, categories and tags with a low number have many events, those with a high one few.

export const VENUES = 200
export const ORGANIZERS = 100
export const CATEGORIES = 30
export const TAGS = 60

/** A word in a fifth of all events. */
export const COMMON_WORD = 'concert'
/** A word in one of two thousand. */
export const RARE_WORD = 'zither'

const WORDS = (
  'evening morning music guitar piano garden market family children library reading history lecture open free ' +
  'river harbour bridge walk bicycle workshop pottery painting theatre dance folk choir orchestra cinema film ' +
  'kitchen bread cheese wine tasting science robots letters poetry story winter summer spring autumn neighbours ' +
  'square church museum gallery tour guided language exchange chess football running yoga repair café'
).split(' ')

const DAY_MS = 86_400_000
const YEARS = 4
/**
 * The Worker goes by the clock, so the calendar lies around the present day. Apart from that, every run has
 * the same events.
 */
export const TODAY = startOfDay(formatInstant(Date.now()))
const FIRST_DAY = toEpoch(TODAY) - (YEARS / 2) * 365 * DAY_MS

/** A day that is some days away, as parameters take it. */
export const dayFromToday = (days: number): string => addDays(TODAY, days).slice(0, 10)

/** User 1 is the administrator. */
export const AUTHORS = 4

const post = (id: number, name: string) => ({
  id,
  author_id: 2 + (id % AUTHORS),
  status: 'publish',
  slug: `${slugify(name)}-${id}`,
  date: '2024-01-01 00:00:00',
  date_utc: '2024-01-01 00:00:00',
  modified: '2024-01-01 00:00:00',
  modified_utc: '2024-01-01 00:00:00',
})

const sentence = (random: Random, length: number): string =>
  Array.from({ length }, () => random.pick(WORDS)).join(' ')

/**
 * Towns about 70 km from each other, in which the venues stand by turns, less than 6 km from the first one's
 * place.
 */
const TOWNS = 8
export const placeOf = (venue: number) => {
  const town = (venue - 1) % TOWNS
  const street = Math.floor((venue - 1) / TOWNS)
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { geo_lat: round(52 + 0.6 * town + 0.002 * street), geo_lng: round(-9 + 0.4 * town) }
}

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
    ...placeOf(i + 1),
  }))

export const organizerRows = () =>
  Array.from({ length: ORGANIZERS }, (_, i) => ({
    ...post(i + 1, 'Guild'),
    name: `Guild ${i + 1}`,
    phone: '+353 1 567',
    website: 'https://guild.example.org',
    email: `guild${i + 1}@example.org`,
  }))

// Counted from 0. Ids start at 2, as the first migration leaves it.
export const categoryId = (index: number): number => 2 + index
export const tagId = (index: number): number => 2 + CATEGORIES + index

/** Ten roots with two children each, then the tags. */
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
    const parent = i < 10 ? 0 : categoryId(i % 10)
    const name = `Category ${i + 1}`
    return term(
      categoryId(i),
      'event_category',
      name,
      parent,
      `${parent ? `category-${(i % 10) + 1}/` : ''}${slugify(name)}`,
    )
  })
  const tags = Array.from({ length: TAGS }, (_, i) => term(tagId(i), 'event_tag', `Tag ${i + 1}`))
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
    ...detailsOf(id),
    venue: 1 + random.skewed(VENUES),
    organizer: 1 + random.skewed(ORGANIZERS),
    categories: [categoryId(random.skewed(CATEGORIES))],
    tags: [...new Set([tagId(random.skewed(TAGS)), tagId(random.skewed(TAGS))])],
  }
}

/**
 * Rare properties: one event in 40 is canceled, one in 40 postponed, one in 25 online, one in 1,000 has an
 * external id.
 */
const detailsOf = (id: number) => ({
  event_status: id % 40 === 7 ? 'canceled' : id % 40 === 27 ? 'postponed' : 'scheduled',
  is_virtual: Number(id % 25 === 3),
  virtual_event_type: id % 25 === 3 ? 'virtual' : '',
  external_id: id % 1_000 === 500 ? `bench-${id}` : '',
})

/** The month of the bench's month requests: two months ahead. */
export const MONTH = { start: dayFromToday(60), end: dayFromToday(90) }
