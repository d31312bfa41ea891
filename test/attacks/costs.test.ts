import { describe, expect, it } from 'vitest'
import { makeAll, query } from '../factories.ts'
import { measure } from '../kit/http/metrics.ts'
import { by, everyRole } from './people.ts'
import { least } from './requests.ts'

// What one request costs must not grow with what others have written before: rows read, on a database without
// statistics.

const TWINS = 3_000
const MOMENT = '2026-11-01 10:00:00'

const people = everyRole()

const sendMeasured = (method: string, path: string, json?: object) =>
  measure(method, path, { ...(method !== 'GET' && by(people.author)), json })

/** Makes so many rows of one name, numbered as the API numbers their slugs. */
const insertTwins = (table: string, columns: string, values: string) =>
  query(
    `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(?1 AS INTEGER))
     INSERT INTO ${table} (slug, ${columns})
     SELECT 'twin' || CASE n WHEN 1 THEN '' ELSE '-' || n END, ${values} FROM number`,
    TWINS,
    MOMENT,
    people.author.id,
  )

const CONTENT = 'author_id, status, date, date_utc, modified, modified_utc'
const VALUES = "CAST(?3 AS INTEGER), 'publish', ?2, ?2, ?2, ?2"

describe('a name that thousands have', () => {
  it.each(['venue', 'organizer'] as const)(
    'costs a new %s no more than another, alone and in an event',
    async kind => {
      await insertTwins(`${kind}s`, `${CONTENT}, name, phone`, `${VALUES}, 'Twin', n`)
      const alone = await sendMeasured('POST', `/${kind}s`, { [kind]: 'Twin', phone: 'new' })
      expect([alone.status, alone.body.slug]).toEqual([201, `twin-${TWINS + 1}`])
      expect(alone.rows).toBeLessThan(2_500)
      const nested = { ...least('events', `With a ${kind}`), [kind]: [{ [kind]: 'Twin', phone: 'nested' }] }
      const event = await sendMeasured('POST', '/events', nested)
      expect([event.status, [event.body[kind]].flat()[0].slug]).toEqual([201, `twin-${TWINS + 2}`])
      expect(event.rows).toBeLessThan(2_500)
      const known = await sendMeasured('POST', `/${kind}s`, { [kind]: 'Twin', phone: '1' })
      expect([known.status, known.body.slug]).toEqual([201, 'twin'])
    },
  )

  it('costs each of thousands in one request no more than a few', async () => {
    const guilds = (i: number) =>
      Array.from({ length: 200 }, (_, j) => ({ organizer: 'Namesake', phone: `${i}-${j}` }))
    const requests = Array.from({ length: 10 }, (_, i) => ({
      method: 'POST',
      path: '/events',
      body: { ...least('events', `With guilds ${i}`), organizer: guilds(i) },
    }))
    const { status, body, rows } = await sendMeasured('POST', '/batch', { requests })
    expect([status, body.responses[9].body.organizer[199].slug]).toEqual([207, 'namesake-2000'])
    expect(rows / 2_000).toBeLessThan(400)
  })

  it('costs a new event no more than another', async () => {
    await insertTwins(
      'events',
      `${CONTENT}, title, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr`,
      `${VALUES}, 'Twin', ?2, ?2, ?2, ?2, 'UTC', 'UTC'`,
    )
    const { status, rows, body } = await sendMeasured('POST', '/events', least('events', 'Twin'))
    expect([status, body.slug]).toEqual([201, `twin-${TWINS + 1}`])
    expect(rows).toBeLessThan(500)
    await query("DELETE FROM events WHERE slug = 'twin-7'")
    const { body: filled } = await sendMeasured('POST', '/events', least('events', 'Twin'))
    expect(filled.slug, 'the first that is free').toBe('twin-7')
  })
})

describe('one event', () => {
  it('is read, changed and deleted without a look at the links of others', async () => {
    const links = {
      venue: { venue: 'Shared hall' },
      organizer: { organizer: 'Shared guild' },
      tags: ['shared'],
    }
    const events = Array.from({ length: 100 }, (_, i) => ({ ...least('events', `Linked ${i}`), ...links }))
    const [event] = await makeAll(people.author.as, 'events', events)
    await makeAll(people.author.as, 'events', events)
    const path = `/events/${event?.id}`
    for (const [method, json, most] of [
      ['GET', undefined, 80],
      ['PATCH', { cost: '5' }, 200],
      ['DELETE', undefined, 250],
    ] as const) {
      const { status, rows } = await sendMeasured(method, path, json)
      expect(status, method).toBe(200)
      expect(rows, method).toBeLessThan(most)
    }
  })
})
