import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../../src/app.ts'
import type { Bindings } from '../../../src/env.ts'
import { settingsOf, type Vars } from '../../../src/settings.ts'
import { type Answer, API, query } from '../../factories.ts'
import { fieldsIn } from '../../web/editor/forms.ts'

/** An event as a visitor submits it. */
export const EVENT = {
  title: 'Barn dance',
  start_date: '2027-06-10 20:00:00',
  end_date: '2027-06-10 23:00:00',
  description: 'Callers and fiddles, beginners welcome.',
  venue: { venue: 'The Barn', city: 'Kilkenny' },
  name: 'Ann Example',
  email: 'ann@example.org',
}

/** A calendar that accepts submissions. @param network the address that requests come from */
export const visitors = (vars: Vars = {}, bindings: Partial<Bindings> = {}) => {
  const app = createApp(settingsOf({ TIMEZONE: 'UTC', SUBMISSIONS: 'on', ...vars }))
  const ask = async (
    method: string,
    address: string,
    init: RequestInit,
    network?: string,
  ): Promise<Response> =>
    app.request(
      address,
      { method, ...init, headers: { ...init.headers, ...(network && { 'cf-connecting-ip': network }) } },
      { ...env, ...bindings },
      createExecutionContext(),
    )
  return {
    ask,
    /** Submits an event like a program. */
    send: async (fields: object = {}, network?: string): Promise<Answer> => {
      const body = JSON.stringify({ ...EVENT, ...fields })
      const headers = { 'content-type': 'application/json' }
      const response = await ask('POST', `${API}/submissions`, { body, headers }, network)
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: JSON.parse(text), text }
    },
  }
}

/** The row of the latest submission. */
export const latestRow = async (): Promise<Record<string, unknown>> =>
  (await env.DB.prepare('SELECT * FROM submissions ORDER BY id DESC LIMIT 1').first<
    Record<string, unknown>
  >()) ?? {}

/** Submits an event. @returns its id, and the path of the sender's page */
export async function submitEvent(fields: object, network?: string): Promise<{ id: number; path: string }> {
  const { status, body } = await visitors().send(fields, network)
  if (status !== 201) throw new Error(`refused with ${status}`)
  return { id: Number((await latestRow()).event_id), path: new URL(String(body.url)).pathname }
}

/** Sends the form of a page with some fields changed, as browsers do from pages without a referrer. */
export async function changeForm(
  address: string,
  fields: Readonly<Record<string, string | string[]>>,
): Promise<Response> {
  const { ask } = visitors()
  const body = new URLSearchParams()
  const html = await (await ask('GET', address, {})).text()
  for (const [name, values] of Object.entries({ ...fieldsIn(html), ...fields }))
    for (const value of [values].flat()) body.append(name, value)
  return ask('POST', address, { body, headers: { origin: 'null' } })
}

/** Stores some more submissions like the latest one, without events. */
export const addSubmissions = (n: number): Promise<unknown> =>
  query(
    `INSERT INTO submissions (event_id, token_digest, event_key, has_image, created_utc)
     SELECT -value, 'other ' || value, '', has_image, created_utc FROM json_each(?)
     CROSS JOIN (SELECT * FROM submissions ORDER BY id DESC LIMIT 1)`,
    JSON.stringify(Array.from({ length: n }, (_, i) => i + 1)),
  )
