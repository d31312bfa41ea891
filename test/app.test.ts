/// <reference types="vite/types/importMeta.d.ts" />
import { TrieRouter } from 'hono/router/trie-router'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../src/app.ts'
import { relatedList, venueList } from '../src/calendar/content/related/resource.ts'
import { duplicateList } from '../src/calendar/duplicates/queries.ts'
import { eventFields, eventList } from '../src/calendar/events/schema.ts'
import { mediaList } from '../src/calendar/media/schema.ts'
import { organizerFields } from '../src/calendar/organizers/resource.ts'
import { categoryFields, categoryList, tagFields, tagList } from '../src/calendar/terms/schema.ts'
import { venueFields } from '../src/calendar/venues/schema.ts'
import { FEATURES } from '../src/features.ts'
import { plainList } from '../src/kit/http/lists.ts'
import { honoPath, type Route } from '../src/kit/http/route.ts'
import { Clock } from '../src/kit/lib/clock.ts'
import { settingsOf } from '../src/kit/settings.ts'
import { PLURALS } from './attacks/requests.ts'

// What a new resource must not be left out of: the compiler knows no list of folders.

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'mount' in value && 'path' in value

/** Every route that a file exports, alone or in a list. */
const exported = Object.entries(
  import.meta.glob<object>(['../src/{calendar,features}/**/*.ts', '!**/*.browser.ts'], { eager: true }),
).flatMap(([file, module]) =>
  Object.values(module)
    .flat()
    .filter(isRoute)
    .map((route): [string, Route] => [`${route.methods} ${route.path} of ${file}`, route]),
)

it.each(exported)('%s is a route of the app', (_, { respond }) => {
  const context = {
    api: 'https://calendar.test',
    clock: new Clock(0),
    settings: settingsOf({ CORE_PREFIX: 'wp-json' }),
  }
  const api = { routes: ROUTES, otherNamespaces: {} }
  const others = FEATURES.flatMap(({ namespaces = {}, documented }) => [
    ...Object.values(namespaces).flat(),
    ...(documented?.(context, api) ?? []),
  ])
  // Some are copies that have another path, or further errors.
  expect([...ROUTES, ...others].map(route => route.respond)).toContain(respond)
})

it('no two routes have a method and a path in common', () => {
  const all = ROUTES.flatMap(({ methods, path }) => methods.map(method => `${method} ${path}`))
  expect(exported.length).toBeGreaterThan(20)
  expect(new Set(all).size).toBe(all.length)
})

it('no route is hidden by an earlier one, so that features may follow the core', () => {
  const router = new TrieRouter<Route>()
  for (const route of ROUTES)
    for (const method of route.methods) router.add(method, honoPath(route.path), route)
  const hidden = ROUTES.filter(route => {
    const address = route.path.replaceAll(/\{(?:slug|external_id)\}/g, 'a').replaceAll(/\{\w+\}/g, '1') || '/'
    return route.methods.some(method => router.match(method, address)[0][0]?.[0] !== route)
  })
  expect(hidden.map(({ path }) => path)).toEqual([])
})

describe('tests that go through all resources', () => {
  // Features have tests of their own, and so has what strangers may send in.
  const ofFeatures = FEATURES.flatMap(({ routes = [] }) => routes)
  const ofCore = ROUTES.filter(route => !ofFeatures.includes(route))
  const creating = ofCore.filter(
    ({ complete, path, requires }) => complete && requires !== 'read' && !path.includes('{'),
  )
  const listing = ofCore.filter(({ query }) => query && 'per_page' in query.shape)

  it('attack each of them', () => {
    expect(creating.map(({ path }) => path).sort()).toEqual(PLURALS.map(plural => `/${plural}`).sort())
  })

  it('write each field (content/fields.test.ts)', () => {
    const tested: unknown[] = [eventFields, venueFields, organizerFields, categoryFields, tagFields]
    for (const { path, body } of creating) expect(tested.includes(body), path).toBe(true)
  })

  it('give each parameter of a list (events/listing/filters.test.ts, content/parameters.test.ts)', () => {
    const tested: unknown[] = [
      eventList,
      relatedList,
      venueList,
      categoryList,
      tagList,
      mediaList,
      plainList,
      duplicateList,
    ]
    for (const { path, query } of listing) expect(tested.includes(query), path).toBe(true)
  })
})
