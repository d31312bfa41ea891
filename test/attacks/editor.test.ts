import { beforeAll, describe, expect, it } from 'vitest'
import { decodeEntities } from '../../src/kit/lib/text.ts'
import { type SignedIn, signIn } from '../editor/session.ts'
import { makeEvent, makeOrganizer, makeTag, makeVenue } from '../factories.ts'
import type { ShownPage } from '../site/pages/page.ts'

// Every page of the editor that links lead to, and every form on it, filled with scripts.

const SCRIPT = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`

const MAX_PAGES = 60

beforeAll(async () => {
  const { as } = await signIn('editor', 'hostile')
  const venue = await makeVenue(as, SCRIPT, { city: SCRIPT })
  const organizer = await makeOrganizer(as, SCRIPT)
  await makeTag(as, SCRIPT)
  const fields = { title: SCRIPT, venue: venue.id, organizer: organizer.id, tags: [SCRIPT] }
  for (const status of ['publish', 'pending', 'draft']) await makeEvent(as, { ...fields, status })
})

/** A page of the editor as it may be: whole, escaped, with nothing inline, and forms that carry a token. */
function expectSound(path: string, { status, html, headers }: ShownPage): void {
  expect(status < 500, path).toBe(true)
  // What values hold is not looked at, only whether they end where they should.
  const tags = html.replace(/="[^"]*"/g, '=""')
  const inline = /<script>|<img src=x|<[a-z][^<>]*\s(?:on[a-z]+|style)=/i.exec(tags)?.[0]
  expect([inline, html.includes('href="javascript:')], path).toEqual([undefined, false])
  expect(headers.get('cache-control')).toBe('no-store')
  const posts = [...html.matchAll(/<form method="post"[\s\S]*?<\/form>/g)]
  for (const [form] of posts) expect(form.includes('name="_token"'), path).toBe(true)
  expect((html.match(/method="post"/g) ?? []).length, path).toEqual(posts.length)
}

/**
 * The pages that can be reached by links, and the forms on them: addresses, each with the names of its
 * fields.
 */
async function walk({ browser }: SignedIn) {
  const waiting = ['/admin/']
  const seen = new Set(waiting)
  const forms = new Map<string, Set<string>>()
  for (const path of waiting) {
    const page = await browser.get(path)
    expectSound(path, page)
    expect(page.status, path).toBe(200)
    for (const link of page.links) {
      const kind = link.replace(/\d+/g, 'N').split('?')[0] ?? ''
      if (!kind.startsWith('/admin/') || seen.has(kind) || seen.size > MAX_PAGES) continue
      seen.add(kind)
      waiting.push(link)
    }
    for (const [form, action = ''] of page.html.matchAll(
      /<form method="post" action="([^"]*)"[\s\S]*?<\/form>/g,
    )) {
      const names = forms.get(decodeEntities(action)) ?? new Set()
      for (const [, name = ''] of form.matchAll(/\bname="([^"]+)"/g)) names.add(decodeEntities(name))
      forms.set(decodeEntities(action), names)
    }
  }
  return { paths: [...seen], forms }
}

describe.each(['administrator', 'author', 'subscriber'] as const)('%s', role => {
  it('gets sound pages and replies, whatever the fields hold', async () => {
    const person = await signIn(role)
    const { paths, forms } = await walk(person)
    expect(paths.length).toBeGreaterThan(role === 'subscriber' ? 1 : 3)
    // Signing out would end the walk, and so would ending or changing whoever walks.
    const ending = new RegExp(`sign-out|/users/${person.id}/|sessions/others`)
    for (const [action, names] of forms) {
      if (ending.test(action)) continue
      const filled = [...names].filter(name => name !== '_token').map(name => [name, SCRIPT] as const)
      for (const fields of [Object.fromEntries(filled), {}])
        expectSound(action, await person.browser.post(action, fields))
    }
  })
})
