import { beforeAll, describe, expect, it } from 'vitest'
import { makeEvent, makeVenue, send, user } from '../../factories.ts'

// Now is 20 November 2026, 12:00 UTC, a Friday.

const admin = user('administrator', 'admin')

/** The event blocks of the plain form below each heading. */
const textOf = async (query = '', as?: string): Promise<string> => {
  const { status, text } = await send('GET', `/events/digest.txt${query}`, as === undefined ? {} : { as })
  expect(status, text).toBe(200)
  return text
}

beforeAll(async () => {
  const { id } = await makeVenue(admin, 'Cleere’s Theatre', { city: 'Kilkenny' })
  await makeEvent(admin, {
    title: 'Session & songs',
    start_date: '2026-11-20 20:30',
    end_date: '2026-11-20 23:00',
    venue: id,
    cost: '10',
    ticket_availability: 'few',
    excerpt: 'Bring an instrument.',
  })
})

describe('the plain form', () => {
  it('reads like a letter', async () => {
    expect(await textOf()).toBe(`Events
======
November 20 – 26, 2026

Friday, November 20
-------------------

8:30 – 11:00 PM
Session & songs
Cleere’s Theatre, Kilkenny
$10 · Few tickets left
Bring an instrument.
https://calendar.example/event/session-songs/

--------

See all upcoming events:
https://calendar.example/events/
`)
  })
})
