import { describe, expect, it, vi } from 'vitest'
import { API, declareUser, eventsBy, send } from '../../../factories.ts'
import { TODAY } from '../../../setup.ts'

const admin = declareUser('administrator', 'admin')

const { create, change } = eventsBy(admin)

describe('lists', () => {
  it('filter by place on the globe', async () => {
    const at = (venue: string, geo_lat: number, geo_lng: number) =>
      create({ title: venue, venue: { venue, geo_lat, geo_lng } })
    await at('Galway', 53.2707, -9.0568)
    await at('Athenry', 53.2963, -8.7431)
    await at('Fiji east', -17, 179.9)
    const near = async (query: string) => {
      const { body } = await send('GET', `/events?per_page=50&orderby=title&${query}`)
      return (body.events ?? []).map((event: { title: string }) => event.title)
    }
    expect(await near('geoloc_lat=53.27&geoloc_lng=-9.05')).toEqual(['Athenry', 'Galway'])
    expect(await near('geoloc_lat=53.27&geoloc_lng=-9.05&geoloc_radius=5')).toEqual(['Galway'])
    expect(await near('geoloc_lat=-17&geoloc_lng=-179.9&geoloc_radius=30')).toEqual(['Fiji east'])
    expect((await send('GET', '/events?geoloc_radius=5')).body).toMatchObject({
      data: { status: 400, params: { geoloc_radius: 'needs geoloc_lat and geoloc_lng as well' } },
    })
    expect((await send('GET', '/events?happening=2027-06-10/2027-06-01')).body.message).toContain(
      'that does not end before it starts',
    )
    expect(await near('geoloc=true')).toContain('Galway')
    expect(await near('geoloc=false')).not.toContain('Galway')
  })

  it('lead to their end by their own links, across midnight, with every filter', async () => {
    for (let i = 0; i < 5; i++)
      await create({
        title: `Page ${i}`,
        tags: ['linked'],
        start_date: `2027-03-0${i + 1}`,
        end_date: `2027-03-0${i + 1}`,
      })
    const titles: string[] = []
    let next: string | undefined = `${API}/events/?&tags[]=linked&per_page=2&search=page&`
    while (next) {
      const { status, body, headers } = await send('GET', next)
      expect(status).toBe(200)
      expect(body.total).toBe(5)
      titles.push(...(body.events ?? []).map((event: { title: string }) => event.title))
      next = body.next_rest_url
      expect(headers.get('link')?.includes('rel="next"') ?? false).toBe(next !== undefined)
      if (next) expect(next).toMatch(/start_date=2026-11-19\+00%3A00%3A00&end_date=2028-11-20\+23%3A59%3A59/)
      vi.setSystemTime(TODAY.getTime() + 86_400_000)
    }
    vi.setSystemTime(TODAY)
    expect(titles).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3', 'Page 4'])
  })

  it('keep an event whose parent is deleted; no event can be its own parent', async () => {
    const { body: parent } = await create({ title: 'Series' })
    await create({ title: 'Episode', post_parent: parent.id })
    expect((await change(parent.id, { post_parent: parent.id })).status).toBe(400)
    await send('DELETE', `/events/${parent.id}?force=1`, { as: admin })
    expect((await send('GET', '/events?search=episode')).body.total).toBe(1)
  })
})
