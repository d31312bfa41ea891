import { expect } from 'vitest'
import type { Random } from '../bench/random.ts'
import { type Answer, make, send, WHEN } from '../factories.ts'

export const PLURALS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
export type Plural = (typeof PLURALS)[number]

/** The field that holds the name of each kind of resource. */
export const NAMED_BY = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
} as const

/** The least that makes a resource. */
export const least = (plural: Plural, name: string): Record<string, unknown> => ({
  [NAMED_BY[plural]]: name,
  ...(plural === 'events' && WHEN),
})

/** Creates a resource. @throws Error if it was not created: then the test itself is wrong */
export const create: (as: string, plural: Plural, fields: object) => Promise<Answer['body']> = make

/** Sends JSON as it stands, which JSON.stringify would not have made. */
export const sendJsonText = (as: string, path: string, body: string): Promise<Answer> =>
  send('POST', path, { as, body, headers: { 'content-type': 'application/json' } })

/** The names in `data.params`. */
export const badNames = ({ body }: Pick<Answer, 'body'>): string[] => Object.keys(body.data?.params ?? {})

/** Expects that a parameter was refused, by its name. */
export function expectRefused(response: Answer, name: string): void {
  expect(response).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
  expect(badNames(response)).toContain(name)
}

/** Expects the form that every error has. @param told what was sent, for the failure's message */
export function expectErrorShape({ status, headers, body }: Answer, told: string): void {
  expect(headers.get('content-type'), told).toMatch(/^application\/json/)
  expect(body, told).toMatchObject({
    code: expect.any(String),
    message: expect.any(String),
    data: { status },
  })
  if (body.code === 'rest_invalid_param') expect(body.data.params, told).toEqual(expect.any(Object))
}

/** Draws so many different items, in a fixed order for a fixed state of the source. */
export function draw<T>(random: Random, items: readonly T[], n: number): T[] {
  const left = [...items]
  const drawn: T[] = []
  while (drawn.length < n && left.length > 0) drawn.push(...left.splice(random.below(left.length), 1))
  return drawn
}

/** A value as a query or form carries it: with brackets for what is in lists and objects. */
export function toQuery(name: string, value: unknown, depth = 0): string {
  if (typeof value === 'object' && value !== null && depth < 6) {
    const entries = Object.entries(value).slice(0, 600)
    if (entries.length === 0) return `${encodeURIComponent(name)}[]=`
    return entries
      .map(([key, inner]) => toQuery(`${name}[${Array.isArray(value) ? '' : key}]`, inner, depth + 1))
      .join('&')
  }
  return `${encode(name)}=${encode(String(typeof value === 'object' ? '' : value).slice(0, 8_000))}`
}

/**
 * Percent-encodes; halves of surrogate pairs, which encodeURIComponent refuses, become bytes that are no
 * UTF-8.
 */
const encode = (text: string): string =>
  [...text].map(char => (/^[\ud800-\udfff]$/.test(char) ? '%ED%A0%BC' : encodeURIComponent(char))).join('')
