import { env } from 'cloudflare:workers'
import type { Bindings } from '../../../src/kit/env.ts'
import type { Vars } from '../../../src/kit/settings.ts'
import { fieldsIn } from '../../editor/forms.ts'
import { query } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'

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

/** A calendar that accepts submissions. */
export const visitors = (vars: Vars = {}, bindings: Partial<Bindings> = {}) => {
  const ask = sendWith({ SUBMISSIONS: 'on', ...vars, ...bindings })
  return {
    ask,
    /** Submits an event like a program. @param network the address that it comes from */
    send: (fields: object = {}, network?: string) =>
      ask('POST', '/submissions', { json: { ...EVENT, ...fields }, headers: from(network) }),
  }
}

/** The header that names the network of a request. */
export const from = (network: string | undefined): Record<string, string> =>
  network ? { 'cf-connecting-ip': network } : {}

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
export async function changeForm(address: string, fields: Readonly<Record<string, string | string[]>>) {
  const { ask } = visitors()
  const body = new URLSearchParams()
  const { text: html } = await ask('GET', address)
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
