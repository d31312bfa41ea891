import { findDrift } from '../derived/values.ts'
import type { Client, Made } from './client.ts'
import { FIELDS } from './fields.ts'

type Fetch = (path: string) => Promise<Record<string, unknown>>

/** Every update that was answered is there: no crash and no other client's update took it away. */
export async function checkFields(clients: readonly Client[], read: Fetch): Promise<string[]> {
  const problems: string[] = []
  for (const [number, client] of clients.entries()) {
    for (const [id, possible] of client.possible) {
      const event = await read(`/events/${id}`)
      const field = FIELDS[number]
      const found = JSON.stringify(field?.read(event))
      // 0 is the value that every field began with.
      const expected = possible.map(n => JSON.stringify(field?.read(written(field.write(n)))))
      if (!expected.includes(found))
        problems.push(`event ${id}, client ${number}: ${found} instead of ${expected.join(' or ')}`)
    }
  }
  return problems
}

/** An event's answer, as far as a write decides it. */
function written(json: Record<string, unknown>): Record<string, unknown> {
  const named = (list: unknown) => (Array.isArray(list) ? list.map(name => ({ name })) : list)
  return {
    ...json,
    tags: named(json.tags),
    categories: named(json.categories),
    cost_details: { values: [json.cost] },
  }
}

/** Created resources are stored as a whole, or not at all if no response said that they were. */
export async function checkMade(clients: readonly Client[], db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT title, id,
        (SELECT count(*) FROM event_venues JOIN venues ON venues.id = target_id
          WHERE event_id = events.id AND name = 'Venue of ' || title) AS venues,
        (SELECT count(*) FROM event_organizers JOIN organizers ON organizers.id = target_id
          WHERE event_id = events.id AND name = 'Organizer of ' || title) AS organizers,
        (SELECT count(*) FROM event_terms WHERE event_id = events.id) AS terms,
        (SELECT count(*) FROM audit WHERE kind = 'event' AND action = 'create' AND object_id = events.id) AS audited
      FROM events WHERE title LIKE 'Made %'`,
    )
    .all<{ title: string; id: number; venues: number; organizers: number; terms: number; audited: number }>()
  const rowsByTitle = new Map(results.map(row => [row.title, row]))
  if (rowsByTitle.size !== results.length) return ['an event was made twice']
  return clients.flatMap(client => client.made.flatMap(made => checkOne(made, rowsByTitle.get(made.name))))
}

function checkOne({ name, id, deletion }: Made, row: Record<string, unknown> | undefined): string[] {
  if (!row) return id === undefined || deletion !== 'none' ? [] : [`${name} is lost`]
  if (deletion === 'done') return [`${name} was deleted and is there`]
  const { venues, organizers, terms, audited } = row
  const whole = venues === 1 && organizers === 1 && terms === 2 && audited === 1
  return whole ? [] : [`${name} is half there: ${JSON.stringify(row)}`]
}

/** What came with an event is there only if the event is or was. */
export async function checkOrphans(clients: readonly Client[], db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT name FROM venues WHERE name LIKE 'Venue of %'
        AND id NOT IN (SELECT target_id FROM event_venues)`,
    )
    .all<{ name: string }>()
  const removed = clients.flatMap(({ made }) => made.filter(({ deletion }) => deletion !== 'none'))
  const known = new Set(removed.map(({ name }) => `Venue of ${name}`))
  return results.filter(({ name }) => !known.has(name)).map(({ name }) => `${name} without its event`)
}

/** Links, counts and the search index agree with the base tables, and so do the totals that lists answer. */
export async function checkDerived(db: D1Database, read: Fetch): Promise<string[]> {
  const problems = await findDrift(async sql => (await db.prepare(sql).all()).results)
  const range = 'start_date=2029-01-01&end_date=2040-01-01&per_page=1'
  const published = `FROM events WHERE status = 'publish' AND hide_from_listings = 0 AND duplicate_of IS NULL`
  const expectTotal = async (path: string, sql: string) => {
    const { total } = await read(path)
    const expected = await db.prepare(sql).first<number>('n')
    if (total !== expected) problems.push(`${path}: total ${total}, counted ${expected}`)
  }
  await expectTotal(`/events?${range}`, `SELECT count(*) AS n ${published}`)
  await expectTotal(
    `/events?${range}&search=title`,
    `SELECT count(*) AS n ${published} AND title LIKE '%title%'`,
  )
  // Names that only came with events which are gone are unknown to everybody.
  const { results } = await db
    .prepare(`SELECT id, slug FROM terms WHERE standalone OR count > 0`)
    .all<{ id: number; slug: string }>()
  for (const { id, slug } of results)
    await expectTotal(
      `/events?${range}&${slug.startsWith('category') ? 'categories' : 'tags'}=${id}`,
      `SELECT count(*) AS n ${published} AND id IN (SELECT event_id FROM event_terms WHERE target_id = ${id})`,
    )
  return problems
}
