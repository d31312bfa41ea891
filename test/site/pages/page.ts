import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { decodeEntities } from '../../../src/kit/lib/text.ts'
import { settingsOf, type Vars } from '../../../src/kit/settings.ts'
import { makeEvent, SITE } from '../../factories.ts'

type Sending = { vars?: Vars; method?: string; headers?: Record<string, string> }

/** A page as it came. `text` is what a reader sees of it, `links` are the addresses of its links. */
export type ShownPage = { status: number; headers: Headers; html: string; text: string; links: string[] }

const apps = new Map<string, ReturnType<typeof createApp>>()

/**
 * The app with some vars. Its first request, which puts its routes together, takes longer than most others.
 */
function appWith(vars: Vars): ReturnType<typeof createApp> {
  const key = JSON.stringify(vars)
  const app = apps.get(key) ?? createApp(settingsOf({ TIMEZONE: 'UTC', EVENTS_PER_PAGE: '6', ...vars }))
  apps.set(key, app)
  return app
}

/** Requests a page. `text` is its visible text, without the head. @param path or a whole address */
export async function page(
  path: string,
  { vars = {}, method = 'GET', headers = {} }: Sending = {},
): Promise<ShownPage> {
  const app = appWith(vars)
  const address = path.startsWith('http') ? path : SITE + path
  const answer = await app.request(address, { method, headers }, env, createExecutionContext())
  const html = await answer.text()
  return { status: answer.status, headers: answer.headers, html, text: textOf(html), links: linksIn(html) }
}

/** Expects a page of a status, and what it says. */
export function expectPage(
  { status, text }: Pick<ShownPage, 'status' | 'text'>,
  expected: number,
  ...said: readonly string[]
): void {
  for (const words of said) expect([status, text]).toEqual([expected, expect.stringContaining(words)])
}

/** A function that makes events as somebody. */
export const eventMakerFor =
  (as: string) =>
  (title: string, start: string, end: string, fields: object = {}) =>
    makeEvent(as, { title, start_date: start, end_date: end, ...fields })

/** The text of a page's main part. */
export const textOf = (html: string): string =>
  decodeEntities(
    (html.match(/<main[\s\S]*<\/main>/)?.[0] ?? html).replace(/<\/?mark>/g, '').replace(/<[^>]+>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim()

/** Addresses of links, each once. */
export const linksIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = '']) => decodeEntities(href))),
]

/** The content of a meta element, by its name or property. */
export const meta = (html: string, name: string): string | undefined => {
  const content = html.match(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`))?.[1]
  return content === undefined ? undefined : decodeEntities(content)
}

export const canonical = (html: string): string | undefined =>
  html.match(/<link rel="canonical" href="([^"]*)"/)?.[1]

/** All JSON-LD of a page. */
export const allDataIn = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  )

/** The first JSON-LD of a page. */
export const dataIn = (html: string) => allDataIn(html)[0]
