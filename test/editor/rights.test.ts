import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { ROLES, type Role } from '../../src/kit/lib/roles.ts'
import { settingsOf } from '../../src/kit/settings.ts'
import { PARTS } from '../features.ts'
import { Browser, signIn } from './session.ts'

/**
 * The least role for pages and actions by their address, or `nobody` for those of people who are not signed
 * in. The last fit counts.
 */
const LEAST: readonly (readonly [RegExp, Role | 'nobody'])[] = [
  [/^(?:GET|POST) \/admin\/(?:sign-in|link|setup|email)\//, 'nobody'],
  [/^(?:GET|POST) \/admin\/(?:$|account|sign-out)/, 'subscriber'],
  [/^(?:GET|POST) \/admin\/(?:events|find|repetition|text|venues|organizers|images)\//, 'contributor'],
  [/^(?:GET|POST) \/admin\/(?:trash|history|undo)\//, 'contributor'],
  [/^(?:GET|POST) \/admin\/(?:publish|categories)\//, 'author'],
  [/^POST \/admin\/images\/$/, 'author'],
  [/^(?:GET|POST) \/admin\/(?:review|sources|tags)\//, 'editor'],
  [/\/categories\/\d+\/delete\/|\/separate\/|\/account\/notices\//, 'editor'],
  [/^(?:GET|POST) \/admin\/(?:users|settings|start)\//, 'administrator'],
  ...PARTS.flatMap(({ rights = [] }) => rights),
]

const leastFor = (route: string) => LEAST.findLast(([pattern]) => pattern.test(route))?.[1]

/** All pages and actions of the editor, with the id of nothing: `POST /admin/events/999999/trash/`. */
const ALL = createApp(settingsOf({})).routes.flatMap(({ method, path }) => {
  const address = `${path.replaceAll(/:\w+\{[^}]*\}/g, '999999')}/`
  return method === 'ALL' || !/^\/admin(?!\/\*)/.test(path) || `${method} ${path}` === 'POST /admin'
    ? []
    : [{ method, address, least: leastFor(`${method} ${address}`) }]
})
const OF_USERS = ALL.filter(({ least }) => least !== 'nobody')
const ACTIONS = OF_USERS.filter(({ method }) => method === 'POST')

const ask = ({ browser }: { browser: Browser }, { method, address }: (typeof ALL)[number]) =>
  method === 'GET' ? browser.get(address) : browser.post(address)

describe('pages and actions of the editor', () => {
  it('have a least role', () => {
    expect(OF_USERS.length).toBeGreaterThan(100)
    expect(ALL.filter(({ least }) => least === undefined)).toEqual([])
  })

  it.each(ROLES)('are refused to the role %s if they need a higher one, and only then', async role => {
    const person = await signIn(role)
    const refused = []
    for (const route of OF_USERS)
      if (route.address !== '/admin/sign-out/' && (await ask(person, route)).status === 403)
        refused.push(route)
    const above = ROLES.slice(0, ROLES.indexOf(role))
    expect(refused).toEqual(OF_USERS.filter(({ least }) => above.some(name => name === least)))
    const { links } = await person.browser.get('/admin/')
    const ownLinks = links.filter(link => link.startsWith('/admin/'))
    expect(ownLinks).not.toEqual([])
    for (const link of ownLinks)
      expect(above, link).not.toContain(leastFor(`GET ${link.replace(/[?#].*/, '')}`))
  })

  it('lead visitors to the sign-in', async () => {
    for (const [n, route] of OF_USERS.entries()) {
      const headers = { 'cf-connecting-ip': `203.0.113.${n}`, origin: 'https://calendar.example' }
      const browser = new Browser()
      const { method, address } = route
      const shown = await (method === 'GET' ? browser.get(address) : browser.post(address, {}, { headers }))
      expect(shown.status, address).toEqual(method === 'GET' ? 302 : 401)
      const [to = shown.headers.get('location')] = shown.links.filter(link => link.includes('sign-in'))
      expect(to, address).toMatch(/^\/admin\/sign-in\//)
    }
  })

  it('take no form from elsewhere, and none without the token', async () => {
    const { browser } = await signIn('administrator')
    for (const { address } of ACTIONS) {
      const elsewhere = await browser.post(address, {}, { headers: { origin: 'https://evil.example' } })
      const forged = await browser.post(address, {}, { token: 'forged' })
      expect([elsewhere.status, forged.status], address).toEqual([403, 409])
    }
  })
})
