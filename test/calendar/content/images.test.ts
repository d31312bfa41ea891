import { describe, expect, it } from 'vitest'
import { declareUser, eventsBy, SITE, send, WHEN } from '../../factories.ts'

const admin = declareUser('administrator', 'admin')
const author = declareUser('author')
const other = declareUser('author', 'other')
const contributor = declareUser('contributor')

const { create, change } = eventsBy(admin)

describe('images', () => {
  it('are stored by address, shared, and shown with sizes if the site has any', async () => {
    const url = 'https://example.org/poster.png'
    const { body: one } = await create({ image: url })
    const { body: two } = await create({ image: url })
    expect(one.image).toEqual({ url, id: expect.any(Number), extension: 'png', sizes: {} })
    expect(two.image).toEqual(one.image)
    const bindings = { IMAGE_SIZES: 'thumb:150, large:1024' }
    expect((await send('GET', `/events/${one.id}`, { bindings })).body).toMatchObject({
      image: {
        sizes: {
          thumb: { width: 150, url: `${SITE}/cdn-cgi/image/width=150,fit=scale-down/${url}` },
          large: { width: 1024 },
        },
      },
    })
  })

  it('are http or https addresses or known ids, and can be removed', async () => {
    for (const image of ['ftp://example.org/x.png', 'data:image/png;base64,AAAA', 'a poster.png', -1])
      expect((await create({ image })).status, String(image)).toBe(400)
    const { body: known } = await create({ image: 'https://example.org/known.png' })
    const { body } = await create({ image: known.image.id })
    expect(body.image).toEqual(known.image)
    for (const image of ['', false, []]) expect((await change(body.id, { image })).body.image).toBe(false)
  })

  it('have plausible sizes', async () => {
    const url = 'https://example.org/sides.png'
    for (const sides of [{ width: 1, height: Number.MAX_SAFE_INTEGER }, { width: 65_537 }, { height: 0 }]) {
      const { status, body } = await create({ image: { url, ...sides } })
      expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, ['image']])
    }
    expect((await create({ image: { url, width: 65_536, height: 1 } })).body.image.width).toBe(65_536)
  })
})

describe('the size of an image on another site', () => {
  let n = 0
  const address = () => `https://example.org/size-${++n}.png`
  const sized = (url: string, side: number) => ({ url, width: side, height: side })
  const sizeOn = async (id: unknown) => {
    const { body } = await send('GET', `/events/${id}`, { as: admin })
    return [body.image.width, body.image.height]
  }
  const post = async (as: string, image: unknown, fields: object = {}) =>
    (await send('POST', '/events', { as, json: { title: 'Sized', ...WHEN, image, ...fields } })).body.id

  it.each([
    ['draft of a contributor', () => contributor, {}],
    ['venue of a contributor', () => contributor, { nested: true }],
  ])(
    'is not set by the %s while somebody else shows it',
    async (_, as, { nested = false, ...fields }: Record<string, unknown>) => {
      const url = address()
      const shown = await post(author, url)
      const image = sized(url, 9)
      const own = nested
        ? await post(as(), '', { venue: { venue: `Hall ${url}`, image } })
        : await post(as(), image, fields)
      await send('PATCH', `/events/${own}`, { as: as(), json: { image } })
      expect(await sizeOn(shown)).toEqual([undefined, undefined])
      await send('PATCH', `/events/${shown}`, { as: author, json: { image: sized(url, 400) } })
      await send('PATCH', `/events/${own}`, { as: as(), json: { image } })
      expect(await sizeOn(shown)).toEqual([400, 400])
    },
  )

  it('is only set by editors once several events show it', async () => {
    const url = address()
    const shown = await post(author, url)
    await post(other, sized(url, 9))
    await send('PATCH', `/events/${shown}`, { as: author, json: { image: sized(url, 8) } })
    expect(await sizeOn(shown)).toEqual([undefined, undefined])
    await send('PATCH', `/events/${shown}`, { as: admin, json: { image: sized(url, 400) } })
    expect(await sizeOn(shown)).toEqual([400, 400])
  })

  it('that comes from a draft is replaced by whoever publishes it, and any size by an editor', async () => {
    const url = address()
    const draft = await post(contributor, sized(url, 9))
    expect(await sizeOn(draft)).toEqual([9, 9])
    const shown = await post(author, sized(url, 300))
    expect(await sizeOn(shown)).toEqual([300, 300])
    await send('PATCH', `/events/${draft}`, { as: contributor, json: { image: sized(url, 9) } })
    expect(await sizeOn(shown)).toEqual([300, 300])
    await post(admin, sized(url, 500))
    expect(await sizeOn(shown)).toEqual([500, 500])
    await post(admin, url)
    expect(await sizeOn(shown)).toEqual([500, 500])
  })
})
