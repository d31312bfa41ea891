import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  cleanMedia,
  markUnused,
  removeOrphans,
  removeUnused,
  resumeRemovals,
} from '../../../src/calendar/media/removal.ts'
import worker from '../../../src/index.ts'
import { Database } from '../../../src/kit/db/database.ts'
import type { Bindings } from '../../../src/kit/env.ts'
import { declareUser, makeEvent, makeVenue, query, queryAll, send, WHEN } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { TODAY } from '../../setup.ts'
import { png } from './build.ts'
import { bucket, emptyBucket, rowsOf, storedFiles, upload } from './upload.ts'

const DAY = 86_400_000
const author = declareUser('author')

beforeEach(async () => {
  await emptyBucket()
  await queryAll([
    'UPDATE events SET image_id = NULL',
    'UPDATE venues SET image_id = NULL',
    ...['unused_images', 'image_uploaders', 'image_removals', 'images'].map(table => `DELETE FROM ${table}`),
  ])
})

let made = 0
/** An image with two sizes. */
const newImage = () => png(310, 200, `cleaning ${++made}`)
const FILES = 3
const db = () => new Database(env.DB)
const fileOf = (url: string) => url.split('/').at(-1) ?? ''
/** The files of an image and its sizes, in the order of their names. */
const filesOf = (url: string) => [
  ...['-medium', '-thumbnail'].map(size => fileOf(url).replace('.', `${size}.`)),
  fileOf(url),
]
const removals = () => rowsOf('image_removals')

/** A bucket in which something happens right before files are deleted. */
const bucketWith = (beforeDelete: (files: string[]) => Promise<unknown>): R2Bucket =>
  new Proxy(bucket(), {
    get: (target, name) => {
      if (name === 'delete')
        return async (files: string[]) => {
          await beforeDelete(files)
          await target.delete(files)
        }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** Runs the cron at a time of a day. */
async function runCron(ms: number): Promise<void> {
  // The handler uses nothing else of the controller and the bindings.
  const controller = createScheduledController({ scheduledTime: new Date(ms) })
  await worker.scheduled(controller, env as unknown as Bindings)
}

/** The next time at which the cron looks for unused images. */
const daily = (days: number) => Date.parse('2026-11-21T03:41:00Z') + days * DAY

describe('an image that nothing uses', () => {
  it('is deleted by the cron after seven days, with its file', async () => {
    const { body: unused } = await upload(author, newImage())
    const { body: used } = await upload(author, newImage())
    await makeVenue(author, 'Hall', { image: used.id })
    for (let day = 0; day < 7; day++) await runCron(daily(day))
    expect(await storedFiles()).toHaveLength(2 * FILES)
    await runCron(daily(7))
    expect(await storedFiles()).toEqual(filesOf(used.url))
    expect((await send('GET', `/media/${unused.id}`, { as: author })).status).toBe(404)
    expect((await rowsOf('audit')).at(-1)).toMatchObject({
      action: 'delete',
      kind: 'image',
      object_id: unused.id,
      user_id: null,
    })
    await runCron(daily(8))
    expect(await storedFiles()).toEqual(filesOf(used.url))
  })

  it('counts from the end of its last use; the trash counts as a use', async () => {
    const { body: image } = await upload(author, newImage())
    const event = await makeEvent(author, { image: image.id })
    await send('DELETE', `/events/${event.id}`, { as: author })
    for (const day of [0, 10, 20]) await runCron(daily(day))
    expect(await storedFiles()).toHaveLength(FILES)
    await send('DELETE', `/events/${event.id}?force=true`, { as: author })
    for (const day of [30, 36]) await runCron(daily(day))
    expect(await storedFiles()).toHaveLength(FILES)
    await runCron(daily(37))
    expect(await storedFiles()).toEqual([])
  })

  it('is used by a text that shows it or one of its sizes', async () => {
    const { body: image } = await upload(author, newImage())
    const { body: other } = await upload(author, newImage())
    const event = await makeEvent(author, { description: `<p><img src="${image.url}" alt=""></p>` })
    const venue = { description: `<p><img src="${other.sizes.medium.url}" alt=""></p>` }
    const { id } = await makeVenue(author, 'Hall with a text', venue)
    for (const day of [0, 10]) await runCron(daily(day))
    expect(await storedFiles()).toHaveLength(2 * FILES)
    const refused = await send('DELETE', `/media/${image.id}`, { as: author })
    expect(refused.body.data.used_by).toMatchObject([{ kind: 'event', id: event.id }])
    await send('PATCH', `/events/${event.id}`, { as: author, json: { description: '' } })
    await send('PATCH', `/venues/${id}`, { as: author, json: { description: '' } })
    for (const day of [20, 28]) await runCron(daily(day))
    expect(await storedFiles()).toEqual([])
  })

  it('starts its days again after another use', async () => {
    const { body: image } = await upload(author, newImage())
    await runCron(daily(0))
    const { id } = await makeEvent(author, { image: image.id })
    await runCron(daily(5))
    await send('PATCH', `/events/${id}`, { as: author, json: { image: '' } })
    for (const day of [6, 8, 12]) await runCron(daily(day))
    expect(await storedFiles()).toHaveLength(FILES)
    await runCron(daily(13))
    expect(await storedFiles()).toEqual([])
  })

  it('stays if an event uses it since it was found', async () => {
    const { body: image } = await upload(author, newImage())
    await markUnused(db(), TODAY.getTime())
    await makeEvent(author, { image: image.id })
    await removeUnused(db(), bucket(), TODAY.getTime() + 8 * DAY)
    expect(await storedFiles()).toHaveLength(FILES)
  })

  it('is gone for an event that has looked it up a moment before, which gets an error', async () => {
    const { body: image } = await upload(author, newImage())
    await markUnused(db(), TODAY.getTime())
    const { DB } = faultyD1({ beforeWrite: () => removeUnused(db(), bucket(), TODAY.getTime() + 8 * DAY) })
    const event = { as: author, json: { title: 'X', ...WHEN, image: image.id } }
    expect(await sendWith({ DB })('POST', '/events', event)).toMatchObject({
      status: 400,
      body: { data: { params: { image: expect.any(String) } } },
    })
  })

  it('on another site stays, because it takes no room', async () => {
    await makeEvent(author, { image: 'https://example.org/x.png' }).then(({ id }) =>
      send('DELETE', `/events/${id}?force=true`, { as: author }),
    )
    for (const day of [0, 30]) await runCron(daily(day))
    expect(await rowsOf('images')).toHaveLength(1)
  })
})

describe('an upload while the file is being deleted', () => {
  /** An image that is being deleted, with its bytes. */
  async function doomed() {
    const image = newImage()
    const { body } = await upload(author, image)
    await markUnused(db(), TODAY.getTime())
    return { image, body }
  }
  const clean = (r2: R2Bucket) => removeUnused(db(), r2, TODAY.getTime() + 8 * DAY)

  const failToClean = () =>
    expect(clean(bucketWith(() => Promise.reject(new Error('R2 is away'))))).rejects.toThrow('R2 is away')

  const expectWhole = async (url: string) => {
    expect(await storedFiles()).toEqual(filesOf(url))
    expect((await rowsOf('images')).map(row => row.url)).toEqual([new URL(url).pathname])
    expect((await removals()).map(({ file }) => file)).not.toContain(fileOf(url))
  }

  it('waits for the deletion, and stores its file afterwards', async () => {
    const { image, body } = await doomed()
    let uploading: Promise<unknown> = Promise.resolve()
    await clean(
      bucketWith(async () => {
        // The upload stores its file, and the database refuses the row, before the file is deleted.
        uploading = upload(author, image)
        await vi.waitFor(async () => expect(await storedFiles()).toHaveLength(FILES))
      }),
    )
    expect(await uploading).toMatchObject({ status: 201 })
    await expectWhole(body.url)
  })

  it('fails if the deletion does not end, and leaves no row without a file', async () => {
    const { image } = await doomed()
    await failToClean()
    expect((await upload(author, image)).status).toBe(503)
    expect(await rowsOf('images')).toEqual([])
    await resumeRemovals(db(), bucket(), TODAY.getTime() + 8 * DAY + 3_600_000)
    expect([await storedFiles(), (await removals()).map(({ is_done }) => is_done)]).toEqual([[], [1]])
    const { body } = await upload(author, image)
    await expectWhole(body.url)
  })

  it('finishes a deletion that was abandoned', async () => {
    const { image, body } = await doomed()
    await failToClean()
    const begun = await removals()
    // The deletion may still be under way.
    await resumeRemovals(db(), bucket(), TODAY.getTime() + 8 * DAY + 60_000)
    expect(await removals()).toEqual(begun)
    const statuses: number[] = []
    for (const at of ['11:55:00', '11:54:59']) {
      await query('UPDATE image_removals SET at_utc = ?', `2026-11-20 ${at}`)
      statuses.push((await upload(author, image)).status)
    }
    expect(statuses).toEqual([503, 201])
    await expectWhole(body.url)
    await resumeRemovals(db(), bucket(), TODAY.getTime() + 8 * DAY + 3_600_000)
    await expectWhole(body.url)
  })

  it('is finished however long ago it was abandoned, and its record is deleted a day later', async () => {
    await doomed()
    await failToClean()
    const left: unknown[] = []
    for (const day of [30, 31, 32]) {
      await resumeRemovals(db(), bucket(), TODAY.getTime() + day * DAY)
      expect(await storedFiles()).toEqual([])
      left.push((await removals()).map(({ is_done }) => is_done))
    }
    expect(left).toEqual([[1], [1], []])
  })
})

describe('an image that cannot be deleted', () => {
  const week = TODAY.getTime() + 8 * DAY
  /** Images that nothing uses. @returns their addresses */
  async function unused(count: number): Promise<string[]> {
    const urls: string[] = []
    for (let i = 0; i < count; i++) urls.push((await upload(author, newImage())).body.url)
    await markUnused(db(), TODAY.getTime())
    return urls
  }

  it('does not stop others from being deleted if the bucket refuses its file, which is tried again later', async () => {
    const [bad = '', ...others] = await unused(5)
    let isBad = true
    const refusing = bucketWith(async files => {
      if (isBad && files.includes(fileOf(bad))) throw new Error('R2 is away')
    })
    await expect(removeUnused(db(), refusing, week)).rejects.toThrow('R2 is away')
    expect(await storedFiles()).toEqual(filesOf(bad))
    expect((await removals()).filter(({ is_done }) => is_done)).toHaveLength(others.length)
    await query("UPDATE image_removals SET at_utc = '2026-11-20 11:00:00' WHERE NOT is_done")
    isBad = false
    await resumeRemovals(db(), refusing, week)
    expect(await storedFiles()).toEqual([])
  })

  it('does not stop others from being deleted if the database refuses its row', async () => {
    const [bad = ''] = await unused(5)
    await query(
      `CREATE TRIGGER refused BEFORE DELETE ON images WHEN OLD.url = '/media/${fileOf(bad)}' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    )
    try {
      for (let i = 0; i < 3; i++) await removeUnused(db(), bucket(), week)
    } finally {
      await query('DROP TRIGGER refused')
    }
    expect(await storedFiles()).toEqual(filesOf(bad))
  })
})

describe('a file without a row', () => {
  const prefixAnd = (file: string) => ({ prefix: file.slice(0, 2), nowMs: TODAY.getTime() + 2 * DAY })

  /** An upload that only reached the bucket. */
  async function orphan(image: Uint8Array<ArrayBuffer>): Promise<string> {
    const { DB } = faultyD1({ message: 'D1_ERROR: Network connection lost.', writesOnly: true, times: 9 })
    const { status } = await sendWith({ DB })('POST', '/media', {
      as: author,
      body: image,
      headers: { 'content-type': 'image/jpeg' },
    })
    expect(status).toBeGreaterThanOrEqual(500)
    expect(await rowsOf('images')).toEqual([])
    const files = await storedFiles()
    expect(files).toHaveLength(FILES)
    return files.at(-1) ?? ''
  }

  it('is left by an upload that failed half-way, and deleted a day later', async () => {
    const file = await orphan(newImage())
    expect(file).not.toBe('')
    // The bucket uses the real clock.
    const uploaded = (await bucket().head(file))?.uploaded.getTime() ?? 0
    await removeOrphans(db(), bucket(), { prefix: file.slice(0, 2), nowMs: uploaded + DAY - 1_000 })
    expect(await storedFiles()).toEqual(filesOf(file))
    await removeOrphans(db(), bucket(), { prefix: file.slice(0, 2), nowMs: uploaded + DAY })
    expect(await storedFiles()).toEqual([])
  })

  it('stays if its row came in the meantime', async () => {
    const image = newImage()
    const file = await orphan(image)
    await upload(author, image)
    await removeOrphans(db(), bucket(), { ...prefixAnd(file), nowMs: Date.now() + 100 * 365 * DAY })
    expect(await storedFiles()).toEqual(filesOf(file))
  })

  it('that is uploaded again while it is deleted exists afterwards', async () => {
    const image = newImage()
    const file = await orphan(image)
    let uploading: Promise<unknown> = Promise.resolve()
    const r2 = bucketWith(async () => {
      uploading = upload(author, image)
      await vi.waitFor(async () => expect((await rowsOf('image_removals')).length).toBe(1))
    })
    await removeOrphans(db(), r2, { ...prefixAnd(file), nowMs: Date.now() + 100 * 365 * DAY })
    expect(await uploading).toMatchObject({ status: 201 })
    expect(await storedFiles()).toEqual(filesOf(file))
    expect(await rowsOf('images')).toHaveLength(1)
  })

  it('is deleted from every page of the listing', async () => {
    const file = await orphan(newImage())
    const r2 = bucket()
    const byOne: Parameters<typeof removeOrphans>[1] = {
      list: options => r2.list({ ...options, limit: 1 }),
      put: r2.put.bind(r2),
      delete: r2.delete.bind(r2),
    }
    for (const digit of ['0', 'f']) await r2.put(`${file.slice(0, 2)}${digit.repeat(62)}.gif`, 'x')
    await removeOrphans(db(), byOne, { ...prefixAnd(file), nowMs: Date.now() + 100 * 365 * DAY })
    expect(await storedFiles()).toEqual([])
  })

  it('is looked for everywhere in the bucket within a day', async () => {
    const prefixes = new Set<string | undefined>()
    const listing: Parameters<typeof removeOrphans>[1] = {
      put: bucket().put.bind(bucket()),
      delete: bucket().delete.bind(bucket()),
      list: async options => {
        prefixes.add(options?.prefix)
        return { objects: [], delimitedPrefixes: [], truncated: false }
      },
    }
    const start = Date.parse('2126-11-20T00:02:00Z')
    for (let minute = 0; minute < 24 * 60; minute += 5)
      await cleanMedia(db(), listing, start + minute * 60_000)
    const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
    expect([...prefixes].sort()).toEqual(bytes)
  })
})

it('without a bucket nothing is cleaned, and nothing fails', async () => {
  await cleanMedia(db(), undefined, daily(0))
  expect(await removals()).toEqual([])
})
