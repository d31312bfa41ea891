import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, eventsBy, makeUser, send, WHEN } from '../../factories.ts'

// Texts that people write: they are found by any of their words, and nothing in them runs.

const admin = declareUser('administrator', 'admin')

const { create } = eventsBy(admin)

describe('slugs', () => {
  it('are spelled in the language of the calendar, and stay when a name changes', async () => {
    const bindings = { LANGUAGE: 'de' }
    const json = {
      title: 'Eröffnungsfest',
      ...WHEN,
      venue: { venue: 'Königssaal' },
      organizer: { organizer: 'Bürgerverein' },
      categories: ['Führung'],
      tags: ['schön'],
    }
    const { body } = await send('POST', '/events', { as: admin, json, bindings })
    expect(body).toMatchObject({
      slug: 'eroeffnungsfest',
      venue: { slug: 'koenigssaal' },
      organizer: [{ slug: 'buergerverein' }],
      categories: [{ slug: 'fuehrung' }],
      tags: [{ slug: 'schoen' }],
    })
    const weekly = { ...json, title: 'Übung', recurrence: 'FREQ=WEEKLY;COUNT=2' }
    const series = await send('POST', '/events', { as: admin, json: weekly, bindings })
    expect(series.body.slug).toMatch(/^uebung-2/)
    const term = await send('POST', '/tags', { as: admin, json: { name: 'Größe' }, bindings })
    expect(term.body.slug).toBe('groesse')
    const { body: older } = await send('POST', '/events', { as: admin, json: { title: 'Größer', ...WHEN } })
    const changed = { as: admin, json: { title: 'Am größten' }, bindings }
    const { body: renamed } = await send('PATCH', `/events/${older.id}`, changed)
    expect({ olderSlug: older.slug, renamedSlug: renamed.slug, renamedTitle: renamed.title }).toEqual({
      olderSlug: 'grosser',
      renamedSlug: 'grosser',
      renamedTitle: 'Am größten',
    })
  })
})

describe('search', () => {
  beforeAll(async () => {
    await create({
      title: 'It\'s 100% "fun" & games',
      description: 'snake_case, C++ and naïve Ünïcode 🎸 コンサート',
    })
    await create({ title: 'ΟΔΥΣΣΕΑΣ in der Straße', excerpt: 'موسيقى हिन्दी' })
  })

  it.each([
    ['"fun"', 1],
    ['100%', 1],
    ['%', 1],
    ['_', 1],
    ["it's", 1],
    ['c++', 1],
    ['🎸', 1],
    ['サート', 1],
    ['コ', 1],
    ['UNICODE naive', 1],
    ['οδυσσεας', 1],
    ['STRASSE', 1],
    ['موسيقى', 1],
    ['हिन्दी', 1],
    ['<p>', 0],
    ['x'.repeat(1000), 0],
  ])('for %j finds %i', async (query, total) => {
    const { status, body } = await send('GET', `/events?${new URLSearchParams({ search: query })}`)
    expect([status, body.total]).toEqual([200, total])
  })
})

const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>'

describe.each(['administrator', 'editor', 'author', 'contributor'] as const)('script from an %s', role => {
  let as: string

  beforeAll(async () => {
    as = await makeUser(role, role)
  })

  it('is in no field of an event', async () => {
    const texts = ['title', 'description', 'excerpt', 'cost', 'slug'].map(name => [name, `${SCRIPT}${role}`])
    const contact = { phone: SCRIPT, description: SCRIPT }
    const { status, body } = await send('POST', '/events', {
      as,
      json: {
        ...WHEN,
        ...Object.fromEntries(texts),
        venue: { venue: `Hall ${SCRIPT}`, address: SCRIPT, city: SCRIPT, ...contact },
        organizer: { organizer: `Org ${SCRIPT}`, ...contact },
        ...(role !== 'contributor' && { categories: [`Cat ${SCRIPT}`], tags: [`Tag ${SCRIPT}`] }),
      },
    })
    expect(status).toBe(201)
    expect(JSON.stringify(body)).not.toMatch(/<script|onerror|javascript:/i)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://example.org/"><script>'])(
    'is no website: %s',
    async website => {
      const answer = await send('POST', '/events', { as, json: { title: 'x', ...WHEN, website } })
      if (answer.status === 201)
        expect(JSON.stringify(answer.body)).not.toMatch(/"><script>|javascript:|data:/)
      else expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
    },
  )
})
