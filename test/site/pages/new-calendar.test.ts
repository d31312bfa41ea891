import { describe, expect, it } from 'vitest'
import { makeEvent, makeUser } from '../../factories.ts'
import { sendTo } from '../../request.ts'

// Before there is anything to see, nobody has decided on a language either.

const SITE = 'https://calendar.example'

async function visit(
  path: string,
  { language = '', tag = '', vars = {} }: { language?: string; tag?: string; vars?: object } = {},
) {
  const headers = { 'accept-language': language, ...(tag && { 'if-none-match': tag }) }
  const response = await sendTo({ DEBUG_TIMING: '1', ...vars }, SITE + path, { headers })
  const html = await response.text()
  const of = (name: string) => response.headers.get(name) ?? ''
  return {
    status: response.status,
    lang: /<html lang="([^"]*)"/.exec(html)?.[1],
    said: of('content-language'),
    cache: of('cache-control'),
    shared: of('cloudflare-cdn-cache-control'),
    vary: of('vary'),
    tag: of('etag'),
    trips: /trips;desc="(\d+)"/.exec(of('server-timing'))?.[1],
  }
}

const GERMAN = 'de-CH,de;q=0.9,en;q=0.5'

describe('the pages of a calendar in which nothing was saved', () => {
  it.each(['/events/', '/venues/', '/embed'])(
    'are in the language of each visitor, and no cache mixes these up: %s',
    async path => {
      for (const [language, lang] of [
        [GERMAN, 'de'],
        ['fr', 'fr'],
        [GERMAN, 'de'],
        ['tlh', 'en'],
        ['', 'en'],
        ['es-MX', 'es'],
      ] as const) {
        const shown = await visit(path, { language })
        expect(shown).toMatchObject({ status: 200, lang, said: lang, cache: 'private, no-cache', shared: '' })
        expect(shown.vary).toContain('Accept-Language')
        expect(shown.trips).toBe('1')
      }
      const german = await visit(path, { language: GERMAN })
      expect(await visit(path, { language: GERMAN, tag: german.tag })).toMatchObject({
        status: 304,
        said: 'de',
        cache: 'private, no-cache',
      })
      expect(await visit(path, { language: 'fr', tag: german.tag })).toMatchObject({
        status: 200,
        lang: 'fr',
      })
    },
  )

  it('are in the language of the calendar if it has one', async () => {
    const shown = await visit('/events/', { language: GERMAN, vars: { LANGUAGE: 'es' } })
    expect(shown).toMatchObject({ lang: 'es', said: 'es' })
    expect(shown.cache).toContain('public')
    expect(shown.vary).not.toContain('Accept-Language')
  })
})

it('pages stay in the language of the calendar once there is an event, for everybody', async () => {
  const admin = await makeUser('admin', 'administrator')
  expect((await visit('/events/', { language: GERMAN })).lang).toBe('de')
  await makeEvent(admin, { title: 'Jazz', status: 'draft' })
  expect((await visit('/events/', { language: GERMAN })).lang).toBe('de')
  await makeEvent(admin, { title: 'Jazz' })
  for (const language of [GERMAN, 'fr', '']) {
    const shown = await visit('/events/', { language })
    expect(shown).toMatchObject({ lang: 'en', said: 'en' })
    expect(shown.cache).toContain('public')
    expect(shown.vary).not.toContain('Accept-Language')
  }
})
