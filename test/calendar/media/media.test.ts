import { beforeEach, describe, expect, it } from 'vitest'
import {
  API,
  declareUser,
  makeEvent,
  makeOrganizer,
  makePerson,
  makeVenue,
  query,
  SITE,
  send,
  WHEN,
} from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { bytes, chunk, inserted, png, text } from './build.ts'
import { JPEG, PNG, PROGRESSIVE, WEBP } from './samples.ts'
import { bytesAt, emptyBucket, formOf, rowsOf, storedFiles, upload } from './upload.ts'

const editor = declareUser('editor')
const author = declareUser('author')
const other = declareUser('author', 'other')
const contributor = declareUser('contributor')
const subscriber = declareUser('subscriber')

let made = 0
/** An image that no other test has. */
const newImage = () => png(20, 10, `table ${++made}`)

const sendForm = (method: string, path: string, fields: Parameters<typeof formOf>[0], as = author) =>
  send(method, path, { as, body: formOf(fields) })

const auditOf = async (id: number) =>
  (await rowsOf('audit')).filter(({ kind, object_id }) => kind === 'image' && object_id === id)

describe('an upload', () => {
  beforeEach(emptyBucket)

  it('is the body of a request, whose name is in a header', async () => {
    const { status, body, headers } = await upload(author, JPEG, { name: 'Jazz night.jpg' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      url: expect.stringMatching(new RegExp(`^${SITE}/media/[0-9a-f]{64}\\.jpg$`)),
      rest_url: `${API}/media/${body.id}`,
      author: '2',
      date: '2026-11-20 12:00:00',
      date_utc: '2026-11-20 12:00:00',
      slug: 'jazz-night',
      title: 'Jazz night',
      alt_text: '',
      caption: '',
      mime_type: 'image/jpeg',
      filesize: expect.any(Number),
      extension: 'jpg',
      width: 16,
      height: 24,
      sizes: {},
    })
    expect(headers.get('location')).toBe(body.rest_url)
    const stored = await bytesAt(body.url)
    expect(stored).toHaveLength(body.filesize)
    expect(text(stored)).not.toContain('SECRET')
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', stored))
    expect(body.url).toContain([...digest].map(byte => byte.toString(16).padStart(2, '0')).join(''))
    expect(await auditOf(body.id)).toMatchObject([
      { action: 'create', user_id: 2, fields: '["file","title"]' },
    ])
  })

  it('is a part of a form, with texts beside it', async () => {
    const texts = { title: 'Poster', alt_text: 'A <b>saxophone</b>', caption: 'Photo: Ann' }
    const { status, body } = await sendForm('POST', '/media', { file: PNG, ...texts })
    expect([status, body]).toMatchObject([201, { ...texts, alt_text: 'A saxophone', extension: 'png' }])
  })

  it('takes texts as parameters beside a body of bytes', async () => {
    const { body } = await upload(author, newImage(), { query: '?alt_text=Words&title=T' })
    expect(body).toMatchObject({ alt_text: 'Words', title: 'T' })
  })

  it('is the same image when the bytes are the same, whatever was removed from them', async () => {
    const plain = newImage()
    const commented = inserted(plain, 33, chunk('tEXt', bytes('Comment\0a comment')))
    const { body: one } = await upload(author, plain, { query: '?alt_text=First' })
    const { body: two } = await upload(author, commented, { name: 'other' })
    expect({ id: two.id, url: two.url, alt_text: two.alt_text }).toEqual({
      id: one.id,
      url: one.url,
      alt_text: 'First',
    })
    const { body: three } = await upload(author, plain, { query: '?alt_text=Second' })
    expect([three.id, three.alt_text]).toEqual([one.id, 'Second'])
    expect(await storedFiles()).toHaveLength(1)
    expect((await auditOf(one.id)).map(({ action }) => action)).toEqual(['create', 'update'])
  })

  it('of the same bytes by several at once is one image with its files, which all of them may use', async () => {
    const image = png(400, 330, 'twenty')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => upload(i % 2 === 0 ? author : other, image)),
    )
    const { id, url } = answers[0]?.body ?? {}
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id} ${body.url}`))).toEqual(
      new Set([`201 ${id} ${url}`]),
    )
    expect(await storedFiles()).toHaveLength(3)
    expect((await rowsOf('images')).filter(row => url.endsWith(String(row.url)))).toHaveLength(1)
    for (const as of [author, other])
      expect((await makeEvent(as, { image: id, status: 'draft' })).image).toMatchObject({ id })
  })

  it('by an author who is a contributor by now cannot be changed by them', async () => {
    const { id, as } = await makePerson('former', 'author')
    const { body: image } = await upload(as, newImage(), { query: '?alt_text=Seen' })
    await makeEvent(as, { image: image.id })
    await query("UPDATE users SET role = 'contributor' WHERE id = ?", id)
    for (const method of ['PATCH', 'PUT', 'POST']) {
      const json = { alt_text: 'Unseen' }
      expect((await send(method, `/media/${image.id}`, { as, json })).status, method).toBe(403)
    }
    expect((await send('DELETE', `/media/${image.id}`, { as })).status).toBe(403)
  })

  it('of an image of somebody else leaves it the texts that its first uploader gave it', async () => {
    const image = newImage()
    const texts = { title: 'Logo', alt_text: 'The logo', caption: 'By us' }
    const { body: first } = await sendForm('POST', '/media', { file: image, ...texts }, editor)
    const event = await makeEvent(editor, { image: first.id })
    const query = '?alt_text=Spam&title=Spam&caption=Spam'
    const { status, body: again } = await upload(author, image, { query })
    expect([status, again]).toMatchObject([201, { id: first.id, ...texts, author: first.author }])
    for (const method of ['PATCH', 'PUT', 'POST']) {
      const change = await send(method, `/media/${first.id}`, { as: author, json: { alt_text: 'Spam' } })
      expect([change.status, change.body.code], method).toEqual([403, 'rest_forbidden'])
    }
    expect((await send('GET', `/events/${event.id}`)).body.image.alt_text).toBe('The logo')
    expect((await makeEvent(author, { image: first.id })).image.id).toBe(first.id)
    const { body: own } = await upload(author, newImage(), { query: '?alt_text=Own' })
    const json = { alt_text: 'New' }
    expect((await send('PATCH', `/media/${own.id}`, { as: author, json })).status).toBe(200)
    // An editor may, also by uploading it again.
    expect((await upload(editor, image, { query: '?alt_text=Better' })).body.alt_text).toBe('Better')
  })

  it('needs a role that may upload', async () => {
    const image = newImage()
    const expected = [
      [undefined, 401, 'rest_forbidden'],
      [subscriber, 403, 'rest_forbidden'],
      [contributor, 403, 'rest_forbidden'],
    ] as const
    for (const [as, status, code] of expected) {
      const answer = await upload(as, image)
      expect([answer.status, answer.body.code]).toEqual([status, code])
    }
    const event = { title: 'X', ...WHEN, image }
    expect((await sendForm('POST', '/events', event, contributor)).status).toBe(403)
    expect(await storedFiles()).toEqual([])
  })

  it('without a file says so', async () => {
    for (const nothing of [
      {},
      { headers: { 'content-type': 'image/jpeg' }, body: '' },
      { json: { title: 'x' } },
      { body: formOf({ title: 'x' }) },
    ])
      expect(await send('POST', '/media', { as: author, ...nothing })).toMatchObject({
        status: 400,
        body: { code: 'rest_missing_callback_param', data: { params: ['file'] } },
      })
    const empty = await send('POST', '/media', { as: author, body: formOf({ file: new Uint8Array() }) })
    expect(empty.body).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { file: expect.stringContaining('must be an image') } },
    })
    const asText = await send('POST', '/media', { as: author, json: { file: 'https://example.org/x.jpg' } })
    expect(asText.body).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { file: expect.any(String) } },
    })
  })

  it.each([
    ['MEDIA', 404],
    ['IMAGES', 200],
  ])('without the binding %s is 501, and all else works', async (name, served) => {
    const { body: stored } = await upload(author, png(400, 300, name))
    const ask = sendWith({ [name]: undefined })
    const body = newImage()
    const headers = { 'content-type': 'image/jpeg' }
    for (const answer of [
      await ask('POST', '/media', { as: author, body, headers }),
      await ask('POST', '/events', { as: author, body: formOf({ title: 'X', ...WHEN, image: body }) }),
    ])
      expect(answer).toMatchObject({
        status: 501,
        body: { code: 'rest_media_unavailable', message: expect.stringContaining(name) },
      })
    const json = { title: 'X', ...WHEN, image: 'https://example.org/elsewhere.png' }
    const event = await ask('POST', '/events', { as: author, json })
    expect(event).toMatchObject({ status: 201, body: { image: { url: json.image } } })
    const get = async (path: string) => (await ask('GET', path, { as: author })).status
    expect([await get('/media'), await get(stored.sizes.medium.url)]).toEqual([200, served])
  })
})

describe('limits', () => {
  const MB = 1024 * 1024
  const large = (size: number) => bytes(JPEG, new Uint8Array(size - JPEG.length))

  it('of ten megabytes hold for bodies and for parts of forms', async () => {
    expect((await upload(author, large(10 * MB))).status).toBe(201)
    expect((await upload(author, large(10 * MB + 1))).body).toMatchObject({ code: 'rest_payload_too_large' })
    const form = await sendForm('POST', '/media', { file: large(10 * MB + 1) })
    expect([form.status, form.body.code]).toEqual([413, 'rest_payload_too_large'])
    const event = { title: 'X', ...WHEN, image: large(10 * MB + 1) }
    expect((await sendForm('POST', '/events', event)).status).toBe(413)
  })

  it('hold for bodies without a length, which end at the limit', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += MB
        controller.enqueue(sent === MB ? bytes(JPEG, new Uint8Array(MB)) : new Uint8Array(MB))
        if (sent >= 100 * MB) controller.close()
      },
    })
    expect((await upload(author, endless)).status).toBe(413)
    expect(sent).toBeLessThan(20 * MB)
  })

  it('of other bodies stay as they were', async () => {
    const json = { title: 'x'.repeat(3 * MB) }
    expect((await send('POST', '/media', { as: author, json })).status).toBe(413)
    const form = { title: 'X', ...WHEN, image: JPEG, description: 'x'.repeat(3 * MB) }
    expect((await sendForm('POST', '/events', form)).status).toBe(413)
    const { body } = await sendForm('POST', '/venues', { venue: 'X', file: JPEG })
    expect(body.data.params).toEqual({ file: 'must not be a file' })
  })
})

describe('an image of content', () => {
  it('is an uploaded image, by id in either form, with its size and words', async () => {
    const { body: image } = await upload(author, WEBP, { query: '?alt_text=Words' })
    const expected = {
      id: image.id,
      url: image.url,
      width: 16,
      height: 24,
      extension: 'webp',
      alt_text: 'Words',
    }
    for (const given of [image.id, String(image.id), { id: image.id }, image])
      expect((await makeEvent(author, { image: given })).image).toEqual({ ...expected, sizes: {} })
    const venue = await makeVenue(author, 'Hall with an image', { image: image.id })
    const organizer = await makeOrganizer(author, 'Guild with an image', { image: { id: image.id } })
    const { id } = await makeEvent(author, { venue: venue.id, organizer: organizer.id, image: image.id })
    const { body } = await send('GET', `/events/${id}`)
    for (const one of [body, body.venue, body.organizer[0]])
      expect(one.image).toEqual({ ...expected, sizes: {} })
    expect([body.json_ld.image, body.json_ld.location.image]).toEqual([image.url, image.url])
    expect(
      (await send('GET', '/events?per_page=1&orderby=id&order=desc')).body.events[0].image,
    ).toMatchObject(expected)
  })

  it('is a file of a form, stored with what it belongs to', async () => {
    const creations = [
      ['/events', { title: 'With a file', ...WHEN }],
      ['/venues', { venue: 'With a file' }],
      ['/organizers', { organizer: 'With a file' }],
    ] as const
    for (const [path, fields] of creations) {
      const { status, body } = await sendForm('POST', path, { ...fields, image: newImage() })
      expect([status, body.image]).toMatchObject([201, { width: 20, height: 10, extension: 'png' }])
      expect(await bytesAt(body.image.url)).not.toHaveLength(0)
      const change = await sendForm('PATCH', `${path}/${body.id}`, { image: PROGRESSIVE })
      expect([change.status, change.body.image]).toMatchObject([200, { width: 24, height: 16 }])
      expect((await auditOf(body.image.id)).map(({ action }) => action)).toEqual(['create'])
    }
  })

  const WEEKLY = { 'recurrence[rrule]': 'FREQ=WEEKLY;COUNT=3' }

  it('of a form is that of a new series and of all its dates', async () => {
    const made = await sendForm(
      'POST',
      '/events',
      { title: 'Poster', ...WHEN, ...WEEKLY, image: JPEG },
      editor,
    )
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect(made.body.image.url).toContain('/media/')
    const { body: list } = await send('GET', `/events?series=${made.body.series.id}`)
    expect(list.events.map((event: { image: { id: number } }) => event.image.id)).toEqual(
      Array(3).fill(made.body.image.id),
    )
    expect(await bytesAt(made.body.image.url)).not.toHaveLength(0)
  })

  it('of a form is that of all dates that a change concerns, also if it begins another series', async () => {
    const first = await makeEvent(editor, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    const { body: list } = await send('GET', `/events?series=${first.series.id}`)
    const [, second, third] = list.events
    const scoped = (scope: string, image: Uint8Array<ArrayBuffer>) =>
      sendForm('POST', `/events/${second.id}?scope=${scope}`, { image }, editor)
    const all = await scoped('all', PNG)
    const following = await scoped('following', JPEG)
    const images = await Promise.all(
      [first, second, third].map(async ({ id }) => (await send('GET', `${API}/events/${id}`)).body.image.id),
    )
    expect([all.status, following.status]).toEqual([200, 200])
    const whole = all.body.image.id
    const part = following.body.image.id
    expect(images).toEqual([whole, part, part])
    expect(whole).not.toBe(part)
  })

  it('of a request that fails is neither stored nor recorded', async () => {
    await emptyBucket()
    const rows = await rowsOf('images')
    const form = () => ({ title: 'X', start_date: 'never', end_date: 'never', image: newImage() })
    const { id } = await makeEvent(editor)
    expect((await sendForm('POST', '/events', form())).status).toBe(400)
    expect((await sendForm('PATCH', '/events/9999', form())).status).toBe(404)
    expect((await sendForm('PATCH', `/events/${id}`, { image: newImage() })).status).toBe(403)
    expect(await storedFiles()).toEqual([])
    expect(await rowsOf('images')).toEqual(rows)
  })

  it('that was read can be sent back, and to a calendar that has another address', async () => {
    const { body: image } = await upload(author, newImage())
    const event = await makeEvent(author, { image: image.id })
    const rows = (await rowsOf('images')).length
    const again = await send('PATCH', `/events/${event.id}`, { as: author, json: { image: event.image } })
    expect(again.body.image).toEqual(event.image)
    const moved = { ...event.image, url: image.url.replace(SITE, 'https://old.example') }
    const { body } = await send('PATCH', `/events/${event.id}`, { as: author, json: { image: moved } })
    expect(body.image).toEqual(event.image)
    expect(await rowsOf('images')).toHaveLength(rows)
  })

  it('has sizes where the site has any, and the address by which the request came', async () => {
    const { body: image } = await upload(author, newImage())
    const { id } = await makeEvent(author, { image: image.id })
    const vars = { IMAGE_SIZES: 'thumb:150', SITE_URL: 'https://www.example.org' }
    expect((await sendWith(vars)('GET', `/events/${id}`)).body).toMatchObject({
      image: {
        url: image.url,
        sizes: {
          thumb: { url: `https://www.example.org/cdn-cgi/image/width=150,fit=scale-down/${image.url}` },
        },
      },
    })
  })
})

describe('who may do what', () => {
  it('lets no caller use by its address what that caller may not use by its id', async () => {
    const { body: hidden } = await upload(author, newImage())
    const unknown = hidden.url.replace(/[0-9a-f]{64}/, '0'.repeat(64))
    const { body: shown } = await upload(author, newImage())
    await makeEvent(author, { image: shown.id })
    const paramsOf = async (json: object, as = contributor) => {
      const { status, body } = await send('POST', '/events', { as, json: { title: 'X', ...WHEN, ...json } })
      return [status, ...Object.keys(body.data?.params ?? {})]
    }
    const nested = (fields: object) => ({ venue: { venue: 'Hall of images', ...fields } })
    for (const image of [hidden.id, hidden.url, { url: hidden.url, width: 9 }, unknown]) {
      expect(await paramsOf({ image }), JSON.stringify(image)).toEqual([400, 'image'])
      expect(await paramsOf(nested({ image })), JSON.stringify(image)).toEqual([400, 'venue'])
      const venue = await send('POST', '/venues', { as: contributor, json: { venue: 'Hall', image } })
      expect(venue.status, JSON.stringify(image)).toBe(400)
    }
    expect(await paramsOf({ image: shown.url })).toEqual([201])
    expect(await paramsOf({ image: hidden.url }, author)).toEqual([201])
    expect(await paramsOf({ image: hidden.url }, editor)).toEqual([201])
  })

  it('lets nobody name another author in what is nested', async () => {
    for (const fields of [
      { venue: { venue: 'Hall', author: 1 } },
      { organizer: { organizer: 'G', author: 1 } },
    ])
      expect(
        (await send('POST', '/events', { as: author, json: { title: 'X', ...WHEN, ...fields } })).status,
      ).toBe(403)
  })

  it('lets callers list, read and use images of public content and their own uploads', async () => {
    const { body: hidden } = await upload(author, newImage(), { query: '?title=Hidden' })
    const { body: shown } = await upload(author, newImage(), { query: '?title=Shown' })
    await makeEvent(author, { image: shown.id })
    await makeEvent(author, { image: hidden.id, status: 'draft' })
    const idsFor = async (as: string) =>
      (await send('GET', `/media?include=${hidden.id},${shown.id}`, { as })).body.media.map(
        ({ id }: { id: number }) => id,
      )
    for (const as of [author, editor]) expect(await idsFor(as)).toEqual([shown.id, hidden.id])
    for (const as of [other, contributor]) {
      expect(await idsFor(as)).toEqual([shown.id])
      expect((await send('GET', `/media/${hidden.id}`, { as })).body.code).toBe('rest-image-not-found')
      expect((await send('PATCH', `/media/${hidden.id}`, { as, json: { title: 'x' } })).status).toBe(404)
      expect((await send('DELETE', `/media/${hidden.id}`, { as })).status).toBe(404)
      expect((await send('PATCH', `/media/${shown.id}`, { as, json: { title: 'x' } })).status).toBe(403)
      expect((await send('DELETE', `/media/${shown.id}`, { as })).status).toBe(403)
      const event = { title: 'X', ...WHEN, image: hidden.id }
      expect((await send('POST', '/events', { as, json: event })).body.data.params).toHaveProperty('image')
    }
    for (const as of [undefined, subscriber]) {
      const sent = as === undefined ? {} : { as }
      const { body } = await send('GET', `/media?include=${hidden.id},${shown.id}`, sent)
      expect([body.total, body.media[0].id]).toEqual([1, shown.id])
      expect((await send('GET', `/media/${shown.id}`, sent)).body.title).toBe('Shown')
      expect((await send('GET', `/media/${hidden.id}`, sent)).body.code).toBe('rest-image-not-found')
      for (const method of ['PATCH', 'DELETE'])
        expect((await send(method, `/media/${shown.id}`, { ...sent, json: {} })).status, method).toBe(
          as ? 403 : 401,
        )
    }
  })
})

describe('texts', () => {
  it('are changed one by one, shown at once to everybody, and found', async () => {
    const { body: image } = await upload(author, newImage())
    const { id } = await makeEvent(author, { image: image.id })
    const read = async () => (await send('GET', `/events/${id}`)).body.image.alt_text
    expect(await read()).toBeUndefined()
    const change = (json: object) => send('PATCH', `/media/${image.id}`, { as: author, json })
    expect((await change({ alt_text: 'A tuba', caption: 'Blühend' })).body).toMatchObject({
      alt_text: 'A tuba',
      title: 'poster',
    })
    expect(await read()).toBe('A tuba')
    expect((await change({ caption: 'Tubist' })).body).toMatchObject({
      alt_text: 'A tuba',
      caption: 'Tubist',
    })
    const found = async (search: string) =>
      (await send('GET', `/media?search=${search}`, { as: editor })).body.total
    expect({
      bothTexts: await found('TUBA%20tubist'),
      formerCaption: await found('bluhend'),
      otherWord: await found('tuba%20harp'),
    }).toEqual({ bothTexts: 1, formerCaption: 0, otherWord: 0 })
    expect((await change({ alt_text: '' })).body.alt_text).toBe('')
    expect(await read()).toBeUndefined()
  })

  it('that two change at once are both kept, unless one says which version it means', async () => {
    const { body: image, headers } = await upload(author, newImage())
    expect(headers.get('etag')).toBeNull()
    const { headers: read } = await send('GET', `/media/${image.id}`, { as: editor })
    const [one, two] = await Promise.all([
      send('PATCH', `/media/${image.id}`, { as: author, json: { title: 'T' } }),
      send('PATCH', `/media/${image.id}`, { as: editor, json: { caption: 'C' } }),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    const ifMatch = { 'if-match': read.get('etag') ?? '' }
    const late = { as: editor, json: { title: 'Late' }, headers: ifMatch }
    expect((await send('PATCH', `/media/${image.id}`, late)).status).toBe(412)
    expect((await send('GET', `/media/${image.id}`, { as: editor })).body).toMatchObject({
      title: 'T',
      caption: 'C',
    })
    for (const method of ['PATCH', 'DELETE']) {
      const headers = { 'if-none-match': '*' }
      const refused = await send(method, `/media/${image.id}`, { as: author, json: { title: 'N' }, headers })
      expect([refused.status, refused.body.code], method).toEqual([412, 'rest_precondition_failed'])
    }
  })
})

describe('a list', () => {
  it('has pages, filters and totals, and is as fresh as the last upload', async () => {
    const { body: unused } = await upload(author, newImage())
    const { body: used } = await upload(author, newImage())
    await makeEvent(author, { image: used.id })
    const list = async (query: string) => (await send('GET', `/media?${query}`, { as: editor })).body
    const both = `include=${used.id},${unused.id}`
    expect((await list(`${both}&unused=true`)).media).toEqual([unused])
    expect((await list(`${both}&unused=false`)).media).toEqual([used])
    const first = await send('GET', `/media?per_page=1&${both}`, { as: editor })
    expect(first.body).toMatchObject({ media: [{ id: used.id }], total: 2, total_pages: 2 })
    expect(first.headers.get('x-wp-total')).toBe('2')
    expect((await send('GET', '/media?page=999', { as: editor })).body.code).toBe(
      'image-archive-page-not-found',
    )
    const tag = { 'if-none-match': first.headers.get('etag') ?? '' }
    const again = () => send('GET', `/media?per_page=1&${both}`, { as: editor, headers: tag })
    expect((await again()).status).toBe(304)
    await upload(author, newImage())
    expect((await again()).status).toBe(200)
  })

  it('has slugs, from the names of files, each once', async () => {
    const found = async (slug: string) => {
      const { body } = await send('GET', `/media?unused=true&slug=${encodeURIComponent(slug)}`, {
        as: author,
      })
      return body.media.map(({ id }: { id: number }) => id)
    }
    const names = [
      'Straßenfest 2026.PNG',
      'C:\\\\Bilder\\\\strassenfest-2026.png',
      'media-1.png',
      '💃.png',
      '.png',
      'ночь.png',
    ]
    const uploads = []
    for (const name of names)
      uploads.push(
        (await send('POST', '/media', { as: author, body: formOf({ file: newImage() }, name) })).body,
      )
    const ids = uploads.map(({ id }) => id)
    expect(uploads.map(({ slug }) => slug)).toEqual([
      'strassenfest-2026',
      'strassenfest-2026-2',
      'media-1-2',
      `media-${ids[3]}`,
      `media-${ids[4]}`,
      'ночь',
    ])
    for (const { id, slug } of uploads) expect(await found(slug), slug).toEqual([id])
    expect(await found('STRASSENFEST-2026,ночь')).toEqual([ids[5], ids[0]])
    for (const unknown of ['strassenfest', `media-${ids[0]}`, 'media-', 'media-9e99', '-1', '%25'])
      expect(await found(unknown), unknown).toEqual([])
    const { body: titled } = await upload(author, newImage(), { name: 'a1.png', query: '?title=Poster' })
    expect(titled).toMatchObject({ slug: 'a1', title: 'Poster' })
    const json = { title: 'Another' }
    expect((await send('PATCH', `/media/${titled.id}`, { as: author, json })).body.slug).toBe('a1')
    const { body: deleted } = await send('DELETE', `/media/${ids[0]}`, { as: author })
    expect(deleted.slug).toBe('strassenfest-2026')
    expect((await upload(author, newImage(), { name: 'strassenfest 2026.png' })).body.slug).toBe(
      'strassenfest-2026',
    )
  })

  it('is found by the names of all files with its bytes', async () => {
    const bytes = newImage()
    const other = newImage()
    const slugs = async (slug: string) =>
      (await send('GET', `/media?unused=true&slug=${slug}`, { as: author })).body.media.map(
        ({ id }: { id: number }) => id,
      )
    const { body: first } = await upload(author, bytes, { name: 'one-name.png' })
    const { body: second } = await upload(author, bytes, {
      name: 'second-name.png',
      query: '?alt_text=A+name',
    })
    expect(second).toMatchObject({ id: first.id, slug: 'second-name', alt_text: 'A name' })
    expect((await upload(author, bytes, { name: 'second-name.jpg' })).body.slug).toBe('second-name')
    expect((await upload(author, bytes, { name: 'one-name.png' })).body.slug).toBe('one-name')
    expect([await slugs('one-name'), await slugs('SECOND-NAME')]).toEqual([[first.id], [first.id]])
    expect(await slugs('one-name,second-name')).toEqual([first.id])
    // A name that leads elsewhere, or to ids, goes on to do so.
    const { body: taken } = await upload(author, other, { name: 'taken.png' })
    for (const name of ['taken.png', `media-${taken.id}.png`])
      expect((await upload(author, bytes, { name })).body).toMatchObject({ id: first.id, slug: 'one-name' })
    expect([await slugs('taken'), await slugs(`media-${taken.id}`)]).toEqual([[taken.id], []])
    await send('DELETE', `/media/${first.id}`, { as: author })
    expect(await slugs('second-name')).toEqual([])
  })

  it('has slugs of files that come with events, several at once too', async () => {
    const files = [newImage(), newImage()]
    const slugs = await Promise.all(
      files.map(async image => {
        const body = formOf({ title: 'Event', ...WHEN, image }, 'Flyer.png')
        const { body: event } = await send('POST', '/events', { as: author, body })
        return (await send('GET', `/media/${event.image.id}`)).body.slug
      }),
    )
    expect(slugs.toSorted()).toEqual(['flyer', 'flyer-2'])
  })

  it('has images that are elsewhere', async () => {
    const { image } = await makeEvent(author, { image: 'https://example.org/listed.png' })
    const { body } = await send('GET', `/media/${image.id}`, { as: author })
    expect(body).toMatchObject({ url: 'https://example.org/listed.png', author: '0', mime_type: '' })
    expect(body.slug).toBe(`media-${image.id}`)
    expect(body).not.toHaveProperty('date')
    const words = { as: editor, json: { alt_text: 'Elsewhere' } }
    expect((await send('PATCH', `/media/${image.id}`, words)).body.alt_text).toBe('Elsewhere')
  })
})

describe('a deletion', () => {
  it('takes the row and the file', async () => {
    const { body: image } = await upload(author, newImage())
    const { status, body } = await send('DELETE', `/media/${image.id}`, { as: author })
    expect([status, body]).toEqual([200, image])
    expect((await send('GET', `/media/${image.id}`, { as: author })).status).toBe(404)
    expect((await send('GET', image.url)).status).toBe(404)
    expect((await auditOf(image.id)).map(({ action }) => action)).toEqual(['create', 'delete'])
    expect(await rowsOf('image_uploaders')).not.toContainEqual(
      expect.objectContaining({ image_id: image.id }),
    )
  })

  it('of an image in use is refused, and names the uses that the caller may read', async () => {
    const { body: image } = await upload(author, newImage())
    const { id } = await makeEvent(author, { image: image.id })
    const { id: secret } = await makeEvent(editor, { image: image.id, status: 'draft' })
    const { body, status } = await send('DELETE', `/media/${image.id}`, { as: author })
    expect({ status, code: body.code, used_by: body.data.used_by }).toEqual({
      status: 409,
      code: 'image-is-in-use',
      used_by: [{ kind: 'event', id, rest_url: `${API}/events/${id}` }],
    })
    const full = await send('DELETE', `/media/${image.id}`, { as: editor })
    expect(full.body.data.used_by.map((use: { id: number }) => use.id)).toEqual([secret, id])
    await send('DELETE', `/events/${id}?force=true`, { as: author })
    const hidden = await send('DELETE', `/media/${image.id}`, { as: author })
    expect([hidden.status, hidden.body.data.used_by]).toEqual([409, []])
    expect((await send('GET', image.url)).status).toBe(200)
    const series = await makeEvent(editor, {
      image: 'https://a.example/1.png',
      recurrence: 'FREQ=DAILY;COUNT=2',
    })
    const elsewhere = await send('DELETE', `/media/${series.image.id}`, { as: editor })
    expect([elsewhere.status, elsewhere.body.data.used_by.map((use: { kind: string }) => use.kind)]).toEqual([
      409,
      ['event', 'event', 'series'],
    ])
    expect(await rowsOf('image_removals')).not.toContainEqual(expect.objectContaining({ is_done: 0 }))
  })

  it('is no obstacle to a later upload of the same bytes', async () => {
    const image = newImage()
    const { body: one } = await upload(author, image)
    await send('DELETE', `/media/${one.id}`, { as: author })
    const { status, body: two } = await upload(author, image)
    expect([status, two.url]).toEqual([201, one.url])
    expect((await send('GET', two.url)).status).toBe(200)
    expect((await rowsOf('image_removals')).map(({ file }) => file)).not.toContain(two.url.split('/').at(-1))
  })
})

describe('budgets', () => {
  const timed = sendWith({ DEBUG_TIMING: '1' })

  it('an upload of five megabytes makes two trips to the database', async () => {
    const body = bytes(newImage(), new Uint8Array(5 * 1024 * 1024))
    const answer = await timed('POST', '/media', {
      as: author,
      body,
      headers: { 'content-type': 'image/jpeg' },
    })
    expect([answer.status, metricsOf(answer).trips]).toEqual([201, 2])
  })

  it('an event with an image makes as many trips as one without', async () => {
    const trips = async (fields: Record<string, string | Uint8Array<ArrayBuffer>>) => {
      const body = formOf({ title: 'X', ...WHEN, ...fields })
      return metricsOf(await timed('POST', '/events', { as: author, body })).trips
    }
    expect([await trips({ image: newImage() }), await trips({ image: '1' })]).toEqual([2, 2])
  })

  it('an image is served without the database', async () => {
    const { body } = await upload(author, newImage())
    const served = await timed('GET', body.url)
    expect([served.status, metricsOf(served).trips]).toEqual([200, 0])
  })
})
