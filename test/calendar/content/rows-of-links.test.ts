import { beforeAll, expect, it } from 'vitest'
import {
  type Answer,
  declareUser,
  makeCategory,
  makeEvent,
  makeOrganizer,
  makeTag,
  makeVenue,
  query,
  queryValue,
  send,
} from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'

// Links have no index by target: what changes a target may not read those of all events, apart from the check
// of a foreign key.

const admin = declareUser('administrator')
const OTHERS = 3_000

beforeAll(async () => {
  const venue = await makeVenue(admin, 'Elsewhere')
  const organizer = await makeOrganizer(admin, 'Others')
  const category = await makeCategory(admin, 'Other things')
  const tag = await makeTag(admin, 'other')
  const { id } = await makeEvent(admin, {
    venue: venue.id,
    organizer: organizer.id,
    categories: [category.id],
    tags: [tag.id],
  })
  const names = await queryValue<string>(
    "SELECT group_concat(name) FROM pragma_table_info('events') WHERE name NOT IN ('id', 'slug')",
  )
  await query(
    `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < CAST(? AS INTEGER))
     INSERT INTO events (slug, ${names}) SELECT 'other-' || n, ${names} FROM number CROSS JOIN events WHERE id = ?`,
    OTHERS,
    id,
  )
  for (const table of ['event_venues', 'event_organizers', 'event_terms']) {
    const position = table === 'event_terms' ? '' : ', position'
    await query(
      `INSERT INTO ${table} (event_id, target_id${position}) SELECT events.id, target_id${position}
       FROM events CROSS JOIN ${table} WHERE slug LIKE 'other-%' AND event_id = ?`,
      id,
    )
  }
})

type Kind = readonly [plural: string, field: string, make: (name: string) => Promise<Answer['body']>]

const KINDS: Kind[] = [
  ['venues', 'venue', name => makeVenue(admin, name)],
  ['organizers', 'organizer', name => makeOrganizer(admin, name)],
  ['categories', 'categories', name => makeCategory(admin, name)],
  ['tags', 'tags', name => makeTag(admin, name)],
]

/** Events that lists show, that they don't, and one that goes to the trash. */
const EVENTS = [
  {},
  { status: 'draft' },
  { status: 'private' },
  { date: '2030-01-01 10:00:00' },
  { hide_from_listings: true },
  { title: 'In the trash' },
]

/** Makes one with all {@link EVENTS}. */
async function withEvents([plural, field, make]: Kind, name: string) {
  const { id } = await make(`${plural} ${name}`)
  const made = []
  for (const more of EVENTS) made.push(await makeEvent(admin, { [field]: [id], ...more }))
  expect((await send('DELETE', `/events/${made.at(-1)?.id}`, { as: admin })).status).toBe(200)
  return id
}

it.each(KINDS)('merging, hiding and deleting %s reads no links of other events', async (...kind) => {
  const [plural, , make] = kind
  const links = plural === 'venues' || plural === 'organizers' ? `event_${plural}` : 'event_terms'
  const linkedTo = (id: number) => queryValue(`SELECT count(*) FROM ${links} WHERE target_id = ?`, id)
  const checked = (await queryValue<number>(`SELECT count(*) FROM ${links}`)) ?? 0
  const from = await withEvents(kind, 'from')
  const into = (await make(`${plural} into`)).id
  const merged = await measure('POST', `/${plural}/${from}/merge`, { as: admin, json: { into } })
  expect({ status: merged.status, toMerged: await linkedTo(from), toSurvivor: await linkedTo(into) }).toEqual(
    { status: 200, toMerged: 0, toSurvivor: EVENTS.length },
  )
  expect(merged.rows).toBeLessThan(checked + OTHERS / 4)
  const gone = await withEvents(kind, 'gone')
  if (links !== 'event_terms') {
    const hidden = await measure('PATCH', `/${plural}/${gone}`, { as: admin, json: { status: 'draft' } })
    expect(hidden.status).toBe(200)
    expect(hidden.rows).toBeLessThan(OTHERS / 4)
  }
  const deleted = await measure('DELETE', `/${plural}/${gone}?force=true&detach=true`, { as: admin })
  expect([deleted.status, await linkedTo(gone)]).toEqual([200, 0])
  expect(deleted.rows).toBeLessThan(checked + OTHERS / 4)
})
