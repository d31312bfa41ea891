import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { settingsOf } from '../../src/settings.ts'
import { API, makeUser, SITE, send, WHEN } from '../factories.ts'

let admin: string

beforeAll(async () => {
  admin = await makeUser('admin', 'administrator')
})

const create = (fields: object) =>
  send('POST', '/events', { as: admin, json: { title: 'Event', ...WHEN, ...fields } })
const change = (id: unknown, json: object, as = admin) => send('PATCH', `/events/${id}`, { as, json })

describe('images', () => {
  it('are recorded by address, shared, and shown with sizes where the site has any', async () => {
    const url = 'https://example.org/poster.png'
    const { body: one } = await create({ image: url })
    const { body: two } = await create({ image: url })
    expect(one.image).toEqual({ url, id: expect.any(Number), extension: 'png', sizes: {} })
    expect(two.image).toEqual(one.image)
    const settings = settingsOf({ IMAGE_SIZES: 'thumb:150, large:1024' })
    const answer = await createApp(settings).request(`${API}/events/${one.id}`, {}, env)
    expect(await answer.json()).toMatchObject({
      image: {
        sizes: {
          thumb: { width: 150, url: `${SITE}/cdn-cgi/image/width=150,fit=scale-down/${url}` },
          large: { width: 1024 },
        },
      },
    })
  })

  it('are http or https addresses or known ids, and can be taken away', async () => {
    for (const image of ['ftp://example.org/x.png', 'data:image/png;base64,AAAA', 'a poster.png', -1])
      expect((await create({ image })).status, String(image)).toBe(400)
    const { body: known } = await create({ image: 'https://example.org/known.png' })
    const { body } = await create({ image: known.image.id })
    expect(body.image).toEqual(known.image)
    for (const image of ['', false, []]) expect((await change(body.id, { image })).body.image).toBe(false)
  })
})
