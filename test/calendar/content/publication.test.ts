import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { publishDue } from '../../../src/calendar/content/publication.ts'
import worker from '../../../src/index.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { declareUser, eventsBy, SITE, send } from '../../factories.ts'
import { TODAY } from '../../setup.ts'

const admin = declareUser('administrator', 'admin')
const author = declareUser('author')
const contributor = declareUser('contributor')

const { create, change } = eventsBy(admin)

describe('publishing', () => {
  it('in the future waits, shows when it is due, and is stored by the cron', async () => {
    const { body } = await create({ title: 'Later', date: '2026-11-20 13:00:00', tags: ['later'] })
    expect(body.status).toBe('future')
    expect((await send('GET', `/events/${body.id}`)).status).toBe(403)
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    expect((await send('GET', `/events/${body.id}`)).body.status).toBe('publish')
    expect((await send('GET', '/events?search=later')).body.total).toBe(1)
    expect((await send('GET', '/events?tags=later')).body.total).toBe(1)
    const cron = { scheduledTime: Date.now(), cron: '* * * * *', noRetry: () => undefined }
    await Promise.all([worker.scheduled(cron, env), worker.scheduled(cron, env)])
    vi.setSystemTime(TODAY)
    expect((await send('GET', `/events/${body.id}`)).body.status).toBe('publish')
    expect((await send('GET', '/tags?search=later')).body).toMatchObject({ total: 1, tags: [{ count: 1 }] })
  })

  it('takes one statement, which writes nothing, when nothing is due', async () => {
    await create({ title: 'Much later', date: '2028-01-01 13:00:00' })
    const db = new Database(env.DB)
    await publishDue(db, TODAY.getTime())
    expect(db.metrics).toMatchObject({ statements: 1, rowsWritten: 0 })
    expect(db.metrics.rowsRead).toBeLessThan(5)
  })

  it('happens at once if the time is missing or past', async () => {
    expect((await create({ status: 'future' })).body.status).toBe('publish')
    expect((await create({ status: 'future', date: '2020-01-01' })).body.status).toBe('publish')
  })

  it('is not possible for contributors, whose content is pending instead', async () => {
    for (const status of ['publish', 'future', 'private'])
      expect((await create({ status, date: '2028-01-01' }, contributor)).body.status, status).toBe('pending')
    const { body } = await create({}, contributor)
    expect((await change(body.id, { status: 'publish' }, contributor)).body.status).toBe('pending')
    await change(body.id, { status: 'publish' })
    expect((await change(body.id, { title: 'Mine' }, contributor)).status).toBe(403)
    expect((await send('DELETE', `/events/${body.id}`, { as: contributor })).status).toBe(403)
  })
})

describe('slugs', () => {
  it('stay when the title changes, are freed in the trash and come back if they are still free', async () => {
    const { body } = await create({ title: 'Fair of 2027' })
    expect((await change(body.id, { title: 'Renamed' })).body.slug).toBe('fair-of-2027')
    await send('DELETE', `/events/${body.id}`, { as: admin })
    const { body: next } = await create({ title: 'Fair of 2027' })
    expect(next.slug).toBe('fair-of-2027')
    expect((await change(body.id, { status: 'publish' })).body).toMatchObject({
      status: 'publish',
      slug: 'fair-of-2027-2',
    })
    await send('DELETE', `/events/${next.id}`, { as: admin })
    expect((await change(next.id, { status: 'draft' })).body).toMatchObject({
      status: 'draft',
      slug: 'fair-of-2027',
    })
  })

  it.each([
    ['single', {}, '', ''],
    ['series', { recurrence: 'FREQ=WEEKLY;COUNT=2' }, '?scope=all', '-2027-01-10'],
  ])(
    'follow the title until the first publication, unless they were named: %s',
    async (of, rule, scope, date) => {
      const fair = (title: string, json: object = {}) => ({ title: `${title} fair of ${of}`, ...json })
      const slug = (name: string) => `${name}-fair-of-${of}${date}`
      const { body: one } = await create(fair('Wniter', { status: 'draft', ...rule }))
      const rename = async (json: object, id = one.id) => (await change(`${id}${scope}`, json)).body.slug
      expect(await rename(fair('Winter'))).toBe(slug('winter'))
      expect(await rename(fair('WINTER!'))).toBe(slug('winter'))
      const { body: next } = await create(fair('Winter', { status: 'pending', ...rule }))
      expect(next.slug).toBe(`winter-fair-of-${of}-2${date}`)
      expect(await rename(fair('Winter', { excerpt: 'x' }), next.id)).toBe(next.slug)
      expect(await rename(fair('Grand', { status: 'publish' }))).toBe(slug('grand'))
      expect(await rename(fair('Small'))).toBe(slug('grand'))
      // Its address was public.
      expect(await rename(fair('Tiny', { status: 'draft' }))).toBe(slug('grand'))
      expect(await rename(fair('Last'))).toBe(slug('grand'))
      expect(await rename({ slug: `own-${of}` }, next.id)).toBe(`own-${of}${date}`)
      expect(await rename(fair('Other'), next.id)).toBe(`own-${of}${date}`)
    },
  )

  it('keep other scripts, and are found encoded or not', async () => {
    const { body } = await create({ title: 'コンサート 2027' })
    expect(body).toMatchObject({
      slug: 'コンサート-2027',
      url: `${SITE}/event/${encodeURIComponent('コンサート-2027')}/`,
    })
    expect((await send('GET', `/events/by-slug/${encodeURIComponent('コンサート-2027')}`)).body.id).toBe(
      body.id,
    )
  })

  it('are made even for a title without letters or digits', async () => {
    const slugs = [(await create({ title: '🎸' })).body.slug, (await create({ title: '🎸' })).body.slug]
    expect(slugs).toEqual([expect.stringMatching(/^event(-\d+)?$/), expect.stringMatching(/^event-\d+$/)])
    expect(slugs[0]).not.toBe(slugs[1])
  })
})

describe.each(['venue', 'organizer'])('the slug of a new %s', kind => {
  const write = async (method: string, path: string, json: object) => {
    const { status, body } = await send(method, `/${kind}s${path}`, { as: admin, json })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body
  }

  it('follows the name until the first publication, unless it was named', async () => {
    const { id } = await write('POST', '', { [kind]: 'Wniter Garden', status: 'pending' })
    const rename = async (name: string, json: object = {}, of = id) =>
      (await write('PATCH', `/${of}`, { [kind]: name, ...json })).slug
    expect(await rename('Winter Garden')).toBe('winter-garden')
    expect(await rename('WINTER garden!')).toBe('winter-garden')
    expect(await rename('Summer Garden', { status: 'publish' })).toBe('summer-garden')
    expect(await rename('Garden')).toBe('summer-garden')
    // Its address was public.
    expect(await rename('Gardens', { status: 'draft' })).toBe('summer-garden')
    expect(await rename('Garden')).toBe('summer-garden')
    const other = await write('POST', '', { [kind]: 'Gate', slug: 'own', status: 'draft' })
    expect(await rename('Great Gate', {}, other.id)).toBe('own')
    expect(await rename('Great Gate', { slug: 'gate' }, other.id)).toBe('gate')
  })
})

describe.each(['venue', 'organizer'])('a new %s', kind => {
  it.each([{}, { slug: 'gone' }])('may be made right in the trash, with %j', async given => {
    const json = { [kind]: 'Gone', status: 'trash', ...given }
    const made = await send('POST', `/${kind}s`, { as: admin, json })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ [kind]: 'Gone', status: 'trash' })
  })

  // The last one is a single character, but two units of UTF-16.
  it.each(['short', 'a'.repeat(200), '𐌰'])('gets a numbered slug where another has %s', async slug => {
    const make = (name: string) => send('POST', `/${kind}s`, { as: admin, json: { [kind]: name, slug } })
    expect((await make('One')).body.slug).toBe(slug)
    expect(await make('Two')).toMatchObject({ status: 201, body: { [kind]: 'Two' } })
  })
})

describe('who may do what', () => {
  it('lets only editors name another author', async () => {
    expect((await create({ author: 1 }, author)).status).toBe(403)
    expect((await create({ author: 2 }, author)).status).toBe(201)
    expect((await create({ author: 2 })).body.author).toBe('2')
  })

  it('lets contributors use terms, but not create them', async () => {
    await create({ categories: ['Known'], tags: ['known'] })
    expect((await create({ categories: ['KNOWN'], tags: ['Known'] }, contributor)).status).toBe(201)
    const { status, body } = await create({ categories: ['Unheard of'] }, contributor)
    expect([status, body.code]).toEqual([403, 'rest_forbidden'])
    expect((await create({ tags: ['unheard of'] }, contributor)).status).toBe(403)
    expect((await create({ tags: ['heard of'] }, author)).status).toBe(201)
  })

  it('hides unpublished venues and organizers behind published events', async () => {
    const { body } = await create({
      venue: { venue: 'Secret hall', status: 'draft' },
      organizer: { organizer: 'Secret guild', status: 'private' },
    })
    expect(body).toMatchObject({
      venue: { venue: 'Secret hall' },
      organizer: [{ organizer: 'Secret guild' }],
    })
    const { body: public_ } = await send('GET', `/events/${body.id}`)
    expect([public_.venue, public_.organizer]).toEqual([[], []])
    expect(JSON.stringify(public_)).not.toContain('Secret')
  })
})
