import { describe, expect, it } from 'vitest'
import { eventsBy, SITE, send, user } from '../../factories.ts'

const admin = user('administrator', 'admin')

const { create, change } = eventsBy(admin)

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
