import { describe, expect, it } from 'vitest'
import { type ComparedVenue, compareVenues, ExistingVenues } from '../../../src/calendar/venues/same-venue.ts'

const venue = (address: string, city = '', position: readonly [number, number] | [] = []): ComparedVenue => ({
  name: 'Weir Theatre',
  address,
  city,
  lat: position[0] ?? null,
  lng: position[1] ?? null,
})
const named = (name: string, ...rest: Parameters<typeof venue>) => ({ ...venue(...rest), name })

const HERE = [52.65, -7.25] as const
const NEAR = [52.651, -7.25] as const
const FAR = [52.67, -7.25] as const

/**
 * Two venues, how near they are, and whether one of them becomes the other: if that is public, waits, or is
 * of the same source.
 */
const PAIRS: [ComparedVenue, ComparedVenue, string, string][] = [
  [venue('3 Mill Lane', 'Leeds'), venue('3 Mill Lane', 'Leeds'), 'there', 'public, waiting, own'],
  [venue('3 Mill Lane', 'Leeds'), venue('3 Mill Lane, Leeds'), 'there', 'public, waiting, own'],
  [
    venue('3 Mill Lane', 'Leeds'),
    named('WEIR THEATRE', '3, Mill lane', 'LEEDS'),
    'there',
    'public, waiting, own',
  ],
  [venue('3 Mill Lane', 'Leeds'), venue('3 Mill Ln'), 'there', 'public, waiting'],
  [venue('3 Mill Lane', 'Leeds'), venue('3 Mill Lane, Leeds, Room 4'), 'there', 'public, waiting'],
  [venue('Hauptstraße 5', 'Kiel'), venue('Hauptstr. 5', 'Kiel'), 'there', 'public, waiting, own'],
  [venue('Berliner Str. 5', 'Kiel'), venue('Berliner Strasse 5, Kiel'), 'there', 'public, waiting, own'],
  [venue('Hauptstraße 5', 'Kiel'), venue('Hauptstr. 5, Saal 2', 'Kiel'), 'there', 'public, waiting'],
  [venue('Hauptstraße 5', 'Kiel'), venue('Hauptstr. 6', 'Kiel'), 'unknown', ''],
  [venue('', '', HERE), venue('', '', NEAR), 'there', 'public, waiting'],
  [venue('3 Mill Lane', 'Leeds'), venue('', 'Leeds'), 'same', 'public'],
  [venue('3 Mill Lane', 'Leeds'), venue(''), 'like', 'public'],
  [venue(''), venue(''), 'like', 'public, own'],
  [venue('', 'Frankfurt'), venue('', 'Frankfurt am Main'), 'like', 'public'],
  [venue('3 Mill Lane', 'Leeds'), venue('5 Mill Lane', 'Leeds'), 'unknown', ''],
  [venue('3 Mill Lane', 'Leeds'), venue('3 Mill Lane', 'York'), 'other', ''],
  [venue('', '', HERE), venue('', '', FAR), 'other', ''],
  [venue('3 Mill Lane', 'Leeds'), named('The Weir Theatre', '3 Mill Lane', 'Leeds'), 'like', ''],
  [venue('3 Mill Lane', 'Leeds'), named('Town Hall', '9 High Street', 'Leeds'), 'other', ''],
  [venue(''), named('Town Hall', ''), 'unknown', ''],
]

const FROM = { public: '', waiting: '', own: 'source:1' }

/** The kinds that an existing venue may have for another venue to become it. */
function becomes(one: ComparedVenue, existing: ComparedVenue): string {
  const kinds = (['public', 'waiting', 'own'] as const).filter(kind => {
    const venues = new ExistingVenues()
    venues.add({
      ...existing,
      id: 1,
      version: 1,
      events: 0,
      isPublic: kind !== 'waiting',
      source: FROM[kind],
    })
    const { name, lat, lng, ...address } = one
    const values = { venue: name, geo_lat: lat ?? undefined, geo_lng: lng ?? undefined, ...address }
    return venues.sameAs(values, { source: 'source:1', isWaiting: true }) !== undefined
  })
  return kinds.join(', ')
}

describe('two venues', () => {
  it.each(PAIRS)('%j and %j are %s', (one, other, nearness, kinds) => {
    expect([compareVenues(one, other), compareVenues(other, one)]).toEqual([nearness, nearness])
    expect([becomes(one, other), becomes(other, one)]).toEqual([kinds, kinds])
  })
})

it('a venue that is public becomes none that waits for review', () => {
  const venues = new ExistingVenues()
  const there = { address: '3 Mill Lane', city: 'Leeds' }
  venues.add({ ...venue('3 Mill Lane', 'Leeds'), id: 1, version: 1, events: 0, isPublic: false, source: '' })
  const values = { venue: 'Weir Theatre', ...there }
  expect(venues.sameAs(values, { source: 'source:1', isWaiting: false })).toBeUndefined()
  expect(venues.sameAs(values, { source: 'source:1', isWaiting: true })?.id).toBe(1)
})
