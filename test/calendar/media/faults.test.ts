import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanMedia } from '../../../src/calendar/media/removal.ts'
import { Database } from '../../../src/kit/db/database.ts'
import type { Bindings } from '../../../src/kit/env.ts'
import { signedIn } from '../../editor/session.ts'
import { type Answer, declareUser, makeEvent, SITE, send, WHEN } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { TODAY } from '../../setup.ts'
import { png } from './build.ts'
import { bucket, emptyBucket, formOf, images, rowsOf, storedFiles, upload } from './upload.ts'

// The bucket and the decoder fail for a while: the error doesn't blame the upload, and nothing stays half
// done.

const author = signedIn('author')
declareUser('administrator')

beforeEach(emptyBucket)

/** A binding with a method that fails from some call on. */
function failing<T extends object>(
  binding: T,
  method: keyof T,
  { after = 0, error = new Error('Network connection lost.') } = {},
): T {
  let calls = 0
  return new Proxy(binding, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === method && calls++ >= after)
        return () => {
          throw error
        }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function expectUnavailable({ status, headers, body, text }: Answer): void {
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toMatchObject({ code: 'rest_service_unavailable', data: { status: 503 } })
  expect(text).not.toContain('Network')
}

const post = (bindings: Partial<Bindings>, path: string, body: FormData) =>
  sendWith(bindings)('POST', path, { as: author.as, body })

let made = 0
const picture = () => png(600, 400, `picture ${made++}`)

describe('a bucket that stores nothing', () => {
  it.each([0, 2])('makes no image of an upload, nor an event with one, after %i files', async after => {
    const MEDIA = () => failing(bucket(), 'put', { after })
    const before = [await rowsOf('images'), await rowsOf('events'), await rowsOf('audit')]
    expectUnavailable(await post({ MEDIA: MEDIA() }, '/media', formOf({ file: picture() })))
    const form = formOf({ title: 'With an image', ...WHEN, image: picture() })
    expectUnavailable(await post({ MEDIA: MEDIA() }, '/events', form))
    expect([await rowsOf('images'), await rowsOf('events'), await rowsOf('audit')]).toEqual(before)
  })

  it('stores the same image afterwards', async () => {
    const file = picture()
    const MEDIA = failing(bucket(), 'put', { after: 2 })
    expectUnavailable(await post({ MEDIA }, '/media', formOf({ file })))
    expect((await post({}, '/media', formOf({ file }))).status).toBe(201)
    expect(await storedFiles()).toHaveLength(3)
  })

  it('is reported in the editor, with the form as it was', async () => {
    const browser = author.browser.with({ MEDIA: failing(bucket(), 'put') })
    const fields = { title: 'Typed', do: 'save', image_file: new File([picture()], 'poster.png') }
    const { status, headers, html, text } = await browser.post('/admin/events/new/', fields)
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(html).toContain('value="Typed"')
    expect(text).toContain('This couldn’t be done just now.')
  })
})

describe('a bucket that returns nothing', () => {
  it.each([
    ['get', 'GET', {}],
    ['head', 'HEAD', {}],
    ['head', 'GET', { 'if-none-match': '"other"' }],
  ] as const)('is 503 when its method %s fails in a %s', async (method, verb, headers) => {
    const { body } = await upload(author.as, picture())
    const answer = await sendWith({ MEDIA: failing(bucket(), method) })(verb, body.url, { headers })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.headers.get('cache-control')).toMatch(/no-store/)
  })
})

describe('a bucket that deletes nothing', () => {
  const remove = (id: number) =>
    sendWith({ MEDIA: failing(bucket(), 'delete') })('DELETE', `/media/${id}`, { as: author.as })

  it('leaves the file of a deleted image to the cron', async () => {
    const { body } = await upload(author.as, picture())
    expectUnavailable(await remove(body.id))
    expect((await send('GET', `/media/${body.id}`, { as: author.as })).status).toBe(404)
    expect(await storedFiles()).not.toEqual([])
    // Runs every five minutes, and deletes files that have been left for ten.
    await cleanMedia(new Database(env.DB), bucket(), Date.parse('2026-11-20T12:17:00Z'))
    expect(await storedFiles()).toEqual([])
  })

  it('does not delete the image of an event', async () => {
    const { body } = await upload(author.as, picture())
    await makeEvent(author.as, { image: body.id })
    expect((await remove(body.id)).status).toBe(409)
  })
})

describe('a decoder that fails', () => {
  const coded = (code: number) => Object.assign(new Error('IMAGES_TRANSFORM_ERROR'), { code })

  it.each(['info', 'input'] as const)('for a moment does not make an image invalid: %s', async method => {
    const before = await rowsOf('images')
    const IMAGES = failing(images(), method)
    expectUnavailable(await post({ IMAGES }, '/media', formOf({ file: picture() })))
    expect([await rowsOf('images'), await storedFiles()]).toEqual([before, []])
  })

  it('to read its own output does not make the upload invalid, whatever its message', async () => {
    // The first image is made from the upload, the others from that image.
    const IMAGES = failing(images(), 'input', { after: 1, error: coded(9523) })
    expectUnavailable(await post({ IMAGES }, '/media', formOf({ file: picture() })))
  })

  it('to read the upload makes it invalid', async () => {
    const IMAGES = failing(images(), 'info', { error: coded(9523) })
    expect((await post({ IMAGES }, '/media', formOf({ file: picture() }))).status).toBe(400)
    const noise = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...Array(500).fill(7)])
    expect((await post({}, '/media', formOf({ file: noise }))).status).toBe(400)
  })

  it('makes a visitor send the form again, with everything that was typed', async () => {
    const ask = sendWith({ IMAGES: failing(images(), 'info'), SUBMISSIONS: 'on' })
    const { text } = await ask('GET', `${SITE}/submit/`)
    vi.setSystemTime(TODAY.getTime() + 30_000)
    const body = formOf({
      ticket: /name="ticket" value="([^"]*)"/.exec(text)?.[1] ?? '',
      title: 'Harvest fair',
      start_date: '2027-09-04',
      start_date_time: '14:00',
      email: 'ann@example.org',
      do: 'save',
      image_file: picture(),
    })
    const answer = await ask('POST', `${SITE}/submit/`, { body, headers: { origin: 'null' } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.text).toContain('This couldn’t be sent just now.')
    expect(answer.text).toContain('value="Harvest fair"')
  })
})
