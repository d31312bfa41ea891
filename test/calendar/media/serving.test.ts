import { exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeUser, SITE, send } from '../../factories.ts'
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

describe('an image', () => {
  it('is served with its media type, for ever, and can’t run scripts', async () => {
    const { status, headers } = await send('GET', url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({ ...SAFE, etag: expect.stringMatching(/^".+"$/) })
  })

  it('answers HEAD', async () => {
    const { status, headers, text } = await send('HEAD', url)
    expect({ status, text, contentLength: headers.get('content-length') }).toEqual({
      status: 200,
      text: '',
      contentLength: String(stored.length),
    })
    expect(Object.fromEntries(headers)).toMatchObject(SAFE)
  })

  it('is not sent to clients that have it', async () => {
    const { headers } = await send('GET', url)
    const tag = headers.get('etag') ?? ''
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await send('GET', url, { headers: { 'if-none-match': known } })
      expect([again.status, again.text], known).toEqual([304, ''])
      expect(Object.fromEntries(again.headers)).toMatchObject({ etag: tag, ...SAFE })
      expect((await send('HEAD', url, { headers: { 'if-none-match': known } })).status, known).toBe(304)
    }
  })

  it('is sent to clients that have something else, or send nonsense', async () => {
    const { headers } = await send('GET', url)
    const whole = async (sent: Record<string, string>) => {
      const response = await exports.default.fetch(url, { headers: sent })
      return [response.status, (await response.arrayBuffer()).byteLength]
    }
    for (const known of ['"other"', 'other', '', ',', '"', headers.get('etag')?.slice(1, -1) ?? ''])
      expect(await whole({ 'if-none-match': known }), known).toEqual([200, stored.length])
    // No response has said when the image was changed.
    expect(headers.get('last-modified')).toBeNull()
    for (const since of ['nonsense', '', 'Wed, 21 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2099 07:28:00 GMT'])
      expect(await whole({ 'if-modified-since': since }), since).toEqual([200, stored.length])
  })

  it('is sent whole, whatever range is asked for', async () => {
    for (const range of ['bytes=0-9', `bytes=${stored.length}-`, 'bytes=9-2', 'lines=1-2']) {
      const response = await exports.default.fetch(url, { headers: { range } })
      expect([response.status, new Uint8Array(await response.arrayBuffer())], range).toEqual([200, stored])
    }
  })

  it('is only served at its own address', async () => {
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

  it('of another format has the media type of that', async () => {
    const { body } = await upload(await makeUser('another', 'author'), PNG)
    expect((await send('GET', body.url)).headers.get('content-type')).toBe('image/png')
  })
})
