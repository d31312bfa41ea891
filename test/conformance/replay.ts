import { TODAY } from '../setup.ts'

/** A recorded request with the expected response. */
export type Step = {
  name: string
  method: string
  path: string
  query?: object
  json?: unknown
  form?: object
  raw?: string
  headers?: Record<string, string>
  as?: string
  /** The acknowledgement that a request to `tec/v1` has; false for none, absent for the usual one. */
  ack?: string | false
  save?: Record<string, string>
  expect: { status: number; headers?: Record<string, string>; body?: unknown }
}
export type Suite = { suite: string; about?: string; steps: Step[] }

type Variables = Readonly<Record<string, unknown>>

/** `${event:a}` becomes that variable; alone in a text it keeps its type. `${now+3d}` is a date in UTC. */
export function fill(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') {
    const alone = value.match(/^\$\{([^}]+)\}$/)?.[1]
    return alone
      ? lookUp(alone, variables)
      : value.replace(/\$\{([^}]+)\}/g, (_, name) => String(lookUp(name, variables)))
  }
  if (Array.isArray(value)) return value.map(item => fill(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, variables)]))
}

function lookUp(name: string, variables: Variables): unknown {
  const [, days, time = ''] = name.match(/^now([+-]\d+)d( .*)?$/) ?? []
  if (days) return new Date(TODAY.getTime() + Number(days) * 86_400_000).toISOString().slice(0, 10) + time
  if (!(name in variables)) throw new Error(`${name} was not saved by an earlier step`)
  return variables[name]
}

/** Fields as a form or a query, nested ones in brackets. */
export function encode(fields: unknown, prefix = ''): [string, string][] {
  return Object.entries(Object(fields)).flatMap(([name, value]): [string, string][] => {
    const key = prefix ? `${prefix}[${name}]` : name
    return typeof value === 'object' && value !== null ? encode(value, key) : [[key, String(value)]]
  })
}

/** The part of a response that `save` names, e.g. `venue.id`. */
export const pick = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Object(value)[name], body)
