import { beforeAll, describe, expect, it } from 'vitest'
import { type MediaListParams, mediaList } from '../../../src/resources/media/schema.ts'
import { makeEvent, send, user } from '../../factories.ts'
import { JPEG, PNG, WEBP } from './samples.ts'
import { upload } from './upload.ts'

const editor = user('editor')

beforeAll(async () => {
  const names = [JPEG, PNG, WEBP].map(image =>
    upload(editor, image, { name: image === PNG ? 'Jazz' : 'Folk' }),
  )
  const [{ body } = { body: { id: 0 } }] = await Promise.all(names)
  await makeEvent(editor, { image: body.id })
})

/** Queries without a parameter and with it, which must make a difference, for every parameter of the list. */
const DIFFERENT: Record<keyof MediaListParams, [without: string, value: string]> = {
  page: ['per_page=1', '2'],
  per_page: ['', '1'],
  search: ['', 'jazz'],
  include: ['', '2'],
  slug: ['', 'folk'],
  unused: ['', 'true'],
}

describe('the list of media', () => {
  const read = async (query: string) => {
    const { body } = await send('GET', `/media?${query}`, { as: editor })
    return { total: body.total, ids: body.media?.map(({ id }: { id: number }) => id) ?? [] }
  }

  it.each(Object.keys(mediaList.shape))('heeds %s', async name => {
    // The names of a schema are those of its values.
    const [without, value] = DIFFERENT[name as keyof MediaListParams]
    const [before, after] = [await read(without), await read(`${without}&${name}=${value}`)]
    expect(after.ids.length).toBeGreaterThan(0)
    expect(after).not.toEqual(before)
  })

  it('refuses values that none of them takes', async () => {
    for (const query of ['page=0', 'per_page=x', 'search=', 'include=x', 'unused=perhaps'])
      expect((await send('GET', `/media?${query}`, { as: editor })).status, query).toBe(400)
  })
})
