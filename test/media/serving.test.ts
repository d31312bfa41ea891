import { exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeUser, SITE, send } from '../factories.ts'
import { JPEG, PNG } from './samples.ts'
import { bytesAt, upload } from './upload.ts'

let url: string
let stored: Uint8Array

beforeAll(async () => {
  const { body } = await upload(await makeUser('author', 'author'), JPEG)
  url = body.url
  stored = await bytesAt(url)
})

const SAFE = {
  'content-type': 'image/jpeg',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

describe('a picture', () => {
  it('is served as what it is, for good, and runs nothing', async () => {
    const { status, headers } = await send('GET', url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({ ...SAFE, etag: expect.stringMatching(/^".+"$/) })
  })

  it('has a head', async () => {
    const { status, headers, text } = await send('HEAD', url)
    expect([status, text, headers.get('content-length')]).toEqual([200, '', String(stored.length)])
    expect(Object.fromEntries(headers)).toMatchObject(SAFE)
  })

  it('is not sent to those who have it', async () => {
    const { headers } = await send('GET', url)
    const again = await send('GET', url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(Object.fromEntries(again.headers)).toMatchObject({ etag: headers.get('etag'), ...SAFE })
  })

  it('is sent in parts', async () => {
    const part = async (range: string) => {
      const response = await exports.default.fetch(url, { headers: { range } })
      const { byteLength } = await response.arrayBuffer()
      return [response.status, response.headers.get('content-range'), byteLength]
    }
    const size = stored.length
    expect(await part('bytes=0-9')).toEqual([206, `bytes 0-9/${size}`, 10])
    expect(await part('bytes=10-')).toEqual([206, `bytes 10-${size - 1}/${size}`, size - 10])
    expect(await part('bytes=-5')).toEqual([206, `bytes ${size - 5}-${size - 1}/${size}`, 5])
    for (const nonsense of ['bytes=9-2', 'lines=1-2', `bytes=${size}-`])
      expect((await part(nonsense))[0]).not.toBe(500)
  })

  it('is there at its own address only', async () => {
    const name = url.split('/').at(-1) ?? ''
    const others = [
      `${SITE}/media/${'0'.repeat(64)}.jpg`,
      url.replace('.jpg', '.png'),
      url.replace('.jpg', '.html'),
      url.replace('.jpg', ''),
      `${SITE}/media/${name.toUpperCase()}`,
      `${SITE}/media/..%2f${name}`,
      `${SITE}/media/${name}/x`,
    ]
    for (const other of others) {
      const { status, headers } = await send('GET', other)
      expect([status, headers.get('cache-control')], other).toEqual([404, 'no-store'])
    }
    expect((await send('POST', url)).status).toBe(404)
    expect((await send('DELETE', url)).status).toBe(404)
  })

  it('of another format is served as that', async () => {
    const { body } = await upload(await makeUser('another', 'author'), PNG)
    expect((await send('GET', body.url)).headers.get('content-type')).toBe('image/png')
  })
})
