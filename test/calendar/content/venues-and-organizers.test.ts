import { describe, expect, it } from 'vitest'
import { declareUser, makeUser, send, WHEN } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')
const author = declareUser('author')

describe.each([
  { plural: 'venues', field: 'venue', other: { city: 'Kent', zip: '7' }, text: 'address' },
  { plural: 'organizers', field: 'organizer', other: { phone: '123' }, text: 'phone' },
])('$plural', ({ plural, field, other, text }) => {
  const create = (json: object, as = admin) => send('POST', `/${plural}`, { as, json })
  const change = (id: unknown, json: object, as = admin) => send('PATCH', `/${plural}/${id}`, { as, json })
  const createEvent = (json: object) =>
    send('POST', '/events', { as: admin, json: { title: 'E', ...WHEN, ...json } })

  it('are found instead of created if no given field differs, and created again if one does', async () => {
    const { body: first } = await create({ [field]: 'Known', ...other })
    expect((await create({ [field]: 'Known' })).body.id).toBe(first.id)
    expect((await create({ [field]: 'Known', ...other, status: 'publish' })).body.id).toBe(first.id)
    const { body: second } = await create({ [field]: 'Known', ...other, description: 'Another' })
    expect(second.id).not.toBe(first.id)
    expect(second.slug).toBe('known-2')
    expect((await send('GET', `/${plural}/${first.id}`)).body).toMatchObject(other)
    const { body: event } = await createEvent({ [field]: { [field]: 'Known', description: 'Another' } })
    expect([event[field]].flat()).toMatchObject([{ id: second.id }])
    await send('DELETE', `/${plural}/${second.id}`, { as: admin })
    expect((await create({ [field]: 'Known', description: 'Another' })).body.id).not.toBe(second.id)
  })

  it('are the same in another case, and with fewer of their fields', async () => {
    const name = 'Große Mühle'
    const whole = {
      [field]: name,
      ...other,
      description: 'An old mill.',
      website: 'https://mill.example',
      image: 'https://example.org/mill.png',
    }
    const { body: first } = await create(whole)
    const loud = Object.entries(other).map(([key, value]) => [key, value.toUpperCase()])
    for (const fields of [
      whole,
      { [field]: name.toUpperCase().replace('SS', 'ß') },
      { [field]: 'gROßE mÜHLE', ...Object.fromEntries(loud) },
      ...Object.entries(whole).map(([key, value]) => ({ [field]: name, [key]: value })),
    ]) {
      expect((await create(fields)).body.id, JSON.stringify(fields)).toBe(first.id)
      const { body: event } = await createEvent({ [field]: fields })
      expect([event[field]].flat(), JSON.stringify(fields)).toMatchObject([{ id: first.id }])
    }
    for (const fields of [
      { [field]: 'Große Muhle' },
      { [field]: `${name} 2` },
      { [field]: 'große mühle', [text]: 'y' },
    ])
      expect((await create(fields)).body.id, JSON.stringify(fields)).not.toBe(first.id)
    // The one whose name is written in the same way comes before older ones.
    const { body: second } = await create({ [field]: 'GROßE MÜHLE', [text]: 'y' })
    expect((await create({ [field]: 'große mühle', [text]: 'Y' })).body.id).toBe(second.id)
  })

  it('of one request are the same in another case', async () => {
    const { body: event } = await createEvent({
      [field]: [{ [field]: 'Twice', ...other }, { [field]: 'TWICE' }],
    })
    expect([event[field]].flat()).toHaveLength(1)
  })

  it('with short names are found, too', async () => {
    const { body: first } = await create({ [field]: 'Ü2' })
    expect((await create({ [field]: 'Ü2' })).body.id).toBe(first.id)
  })

  it('are found by a slug, or by one with a number that was added to it, and by no other ending', async () => {
    const slugOf = async (json: object) => (await create({ [field]: 'Barnq', ...json })).body.slug
    const long = 'q'.repeat(200)
    expect(await slugOf({ slug: 'barnq-kent' })).toBe('barnq-kent')
    expect(await slugOf({ slug: 'barnq-2024' })).toBe('barnq-2024')
    for (let i = 0; i < 2; i++) expect(await slugOf({ slug: 'barnq' })).toBe('barnq')
    for (let i = 0; i < 2; i++) expect(await slugOf({ slug: 'barnq', [text]: 'x' })).toBe('barnq-2')
    expect(await slugOf({ slug: 'barnq-2' })).toBe('barnq-2')
    for (let i = 0; i < 2; i++) expect(await slugOf({ slug: long })).toBe(long)
    for (let i = 0; i < 2; i++) expect(await slugOf({ slug: long, [text]: 'x' })).toBe(`${'q'.repeat(198)}-2`)
    expect(await slugOf({ slug: `${'q'.repeat(195)}-kent` })).toBe(`${'q'.repeat(195)}-kent`)
  })

  it('change in the named fields only; empty ones are left out of responses', async () => {
    const { body } = await create({
      [field]: 'Full',
      description: 'Text',
      website: 'https://example.org',
      [text]: 'x',
      image: 'https://example.org/i.png',
    })
    expect(body.image).toMatchObject({ url: 'https://example.org/i.png' })
    const { body: changed } = await change(body.id, { website: '', description: null, [text]: [] })
    expect(changed).toMatchObject({ description: '<p>Text</p>', [field]: 'Full', slug: 'full' })
    expect(changed).not.toHaveProperty('website')
    expect(changed).not.toHaveProperty(text)
    expect((await change(body.id, { image: '' })).body).not.toHaveProperty('image')
  })

  it('in the trash disappear from events and lists, and come back with their links', async () => {
    const { body } = await create({ [field]: 'Gone' })
    const { body: event } = await createEvent({ [field]: body.id })
    const linkedIds = async () =>
      [(await send('GET', `/events/${event.id}`)).body[field]].flat().map((item: { id: number }) => item.id)
    expect(await linkedIds()).toEqual([body.id])
    await send('DELETE', `/${plural}/${body.id}`, { as: admin })
    expect(await linkedIds()).toEqual([])
    expect((await send('GET', `/${plural}?search=gone`)).body.total).toBe(0)
    expect((await send('GET', `/${plural}?search=gone&status=trash`, { as: admin })).body.total).toBe(1)
    expect((await createEvent({ [field]: body.id })).status).toBe(400)
    await change(body.id, { status: 'publish' })
    expect(await linkedIds()).toEqual([body.id])
    const forced = (options = '') =>
      send('DELETE', `/${plural}/${body.id}?force=true${options}`, { as: admin })
    expect((await forced('&detach=true')).status).toBe(200)
    expect((await send('GET', `/${plural}/${body.id}`)).status).toBe(404)
    expect(await linkedIds()).toEqual([])
  })

  it('that events have are not deleted for good, unless they are removed from these', async () => {
    const { body } = await create({ [field]: 'In use' })
    const path = `/${plural}/${body.id}`
    const code = `${field}-is-in-use`
    const first = await createEvent({ [field]: body.id })
    const draft = await createEvent({ [field]: body.id, status: 'draft' })
    const refused = async (address: string, number: number, as = admin, json?: object) => {
      const answer = await send('DELETE', address, { as, ...(json && { json }) })
      expect(answer).toMatchObject({ status: 409, body: { code, data: { status: 409, events: number } } })
      return answer.body.message
    }
    expect(await refused(`${path}?force=true`, 2)).toMatch(/^2 events .*detach=true/)
    await refused(path, 2, admin, { force: true, detach: false })
    await refused(`/${plural}/by-slug/in-use?force=1`, 2)
    expect((await send('GET', `/events/${first.body.id}`)).body[field]).not.toEqual([])
    // Events in the trash don't count, and lose the venue.
    await send('DELETE', `/events/${first.body.id}`, { as: admin })
    expect(await refused(`${path}?force=true`, 1)).toMatch(/^1 event /)
    expect((await send('DELETE', `${path}?force=true&detach=maybe`, { as: admin })).status).toBe(400)
    await send('DELETE', `/events/${draft.body.id}?force=true`, { as: admin })
    expect((await send('DELETE', `${path}?force=true`, { as: admin })).status).toBe(200)
    const restored = await send('PATCH', `/events/${first.body.id}`, {
      as: admin,
      json: { status: 'publish' },
    })
    expect(restored).toMatchObject({ status: 200, body: { [field]: [] } })
  })

  it('of one’s own, in somebody else’s draft, are not deleted for good either, and the error has no number', async () => {
    const author = await makeUser(`author of ${plural}`, 'author')
    const { body } = await send('POST', `/${plural}`, { as: author, json: { [field]: 'Shared' } })
    await createEvent({ [field]: body.id, status: 'draft' })
    const answer = await send('DELETE', `/${plural}/${body.id}?force=true`, { as: author })
    expect(answer).toMatchObject({ status: 409, body: { data: { events: 0 } } })
    expect(answer.body.message).toMatch(/^Events that you may not read /)
    expect((await send('DELETE', `/${plural}/${body.id}?force=1&detach=1`, { as: author })).status).toBe(200)
  })

  it('are listed by their events', async () => {
    const { body: past } = await create({ [field]: 'Past' })
    const { body: none } = await create({ [field]: 'None' })
    await createEvent({ [field]: past.id, start_date: '2020-01-01', end_date: '2020-01-02' })
    await createEvent({ [field]: none.id, status: 'draft' })
    const total = async (query: string) => (await send('GET', `/${plural}?${query}`)).body.total
    expect(await total('search=past&has_events=1')).toBe(1)
    expect(await total('search=past&only_with_upcoming=1')).toBe(0)
    expect(await total('search=none&has_events=1')).toBe(0)
    expect(await total('search=none&has_events=0')).toBe(1)
  })

  it('belong to their author, whose drafts others can’t see', async () => {
    const { body: draft } = await create({ [field]: 'Own draft', status: 'draft' }, author)
    const { body: foreign } = await create({ [field]: 'Foreign draft', status: 'draft' })
    expect((await change(draft.id, { description: 'x' }, author)).status).toBe(200)
    expect((await change(foreign.id, { description: 'x' }, author)).status).toBe(403)
    const total = async (as?: string) =>
      (await send('GET', `/${plural}?search=draft`, as ? { as } : {})).body.total
    expect({ byVisitor: await total(), byAuthor: await total(author), byAdmin: await total(admin) }).toEqual({
      byVisitor: 0,
      byAuthor: 1,
      byAdmin: 2,
    })
    expect((await create({ [field]: 'X', author: 1 }, author)).status).toBe(403)
  })

  it('are searched in every text, regardless of case and accents', async () => {
    await create({ [field]: 'Zwölfton', [text]: 'Ünïque-77' })
    for (const query of ['ZWOLFTON', 'unique-77', 'zwölf 77', 'ü'])
      expect(
        (await send('GET', `/${plural}?${new URLSearchParams({ search: query })}`)).body.total,
        query,
      ).toBeGreaterThan(0)
    const { body } = await create({ [field]: 'Moved away' })
    await change(body.id, { [field]: 'Somewhere' })
    expect((await send('GET', `/${plural}?search=moved`)).body.total).toBe(0)
    expect((await send('GET', `/${plural}?search=somewhere`)).body.total).toBe(1)
  })
})
