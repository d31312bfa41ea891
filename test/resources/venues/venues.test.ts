import { describe, expect, it } from 'vitest'
import { send, user } from '../../factories.ts'

const admin = user('administrator', 'admin')

describe('a venue', () => {
  it('has coordinates only as a pair, within their bounds', async () => {
    const post = (json: object) => send('POST', '/venues', { as: admin, json })
    expect((await post({ venue: 'G', geo_lat: '53.5', geo_lng: -9 })).body).toMatchObject({
      geo_lat: 53.5,
      geo_lng: -9,
    })
    expect((await post({ venue: 'H', geo_lat: 53.5 })).body).not.toHaveProperty('geo_lat')
    const { body } = await post({ venue: 'I', geo_lat: 91, geo_lng: 'x' })
    expect(Object.keys(body.data?.params ?? {})).toEqual(['geo_lat', 'geo_lng'])
  })

  it('keeps its map flags when it moves, and changes those that are named', async () => {
    const { body } = await send('POST', '/venues', {
      as: admin,
      json: { venue: 'Map', city: 'Kent', show_map: 'no', show_map_link: 'no' },
    })
    const change = async (json: object) =>
      (await send('PATCH', `/venues/${body.id}`, { as: admin, json })).body
    expect(await change({ phone: '1', city: 'Kent' })).toMatchObject({
      show_map: false,
      show_map_link: false,
    })
    expect(await change({ city: 'Cork' })).toMatchObject({
      show_map: false,
      show_map_link: false,
    })
    expect(await change({ show_map: true })).toMatchObject({ show_map: true, show_map_link: false })
  })
})
