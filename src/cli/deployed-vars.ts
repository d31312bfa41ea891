import { type Settings, settingsOf, type Vars } from '../settings.ts'
import type { Configured } from './wrangler-config.ts'

// Wrangler's environments inherit no vars: what was tried at home is not what production gets, unless it is said twice.

/** Settings that everybody sees, with the name of the var and what holds without it. */
const SHOWN: readonly [keyof Vars, (settings: Settings) => string][] = [
  ['SITE_NAME', settings => settings.siteName],
  ['TIMEZONE', settings => settings.timezone],
  ['SITE_URL', settings => settings.siteUrl ?? "the request's origin"],
]

const line = (name: string, value: unknown) => `  ${name} = ${JSON.stringify(value)}`

/**
 * Tells with which vars a target is deployed, beside those of `[vars]`, which local development has.
 *
 * @throws Error if an environment lacks a var that `[vars]` sets, or one has an impossible value
 */
export function describeVars({ environment, ...configured }: Configured): string {
  const [own, common] = [configured.own.vars, configured.common.vars]
  const table = environment === undefined ? '[vars]' : `[env.${environment}.vars]`
  const missing = Object.entries(common).filter(([name]) => own[name] === undefined)
  if (missing.length > 0)
    throw new Error(
      [
        `wrangler.toml sets vars under [vars] that are not under ${table}, and environments inherit none.`,
        `Add to ${table} what is meant there:`,
        ...missing.map(([name, value]) => line(name, value)),
      ].join('\n'),
    )
  // Those of ours are texts, and others don't matter to it.
  const settings = settingsOf(own as Vars)
  const given = Object.entries(own).map(([name, value]) =>
    common[name] === value ? line(name, value) : `${line(name, value)}${besides(common[name])}`,
  )
  const defaults = SHOWN.filter(([name]) => own[name] === undefined).map(
    ([name, effect]) => `  ${name} is not set: ${effect(settings)}`,
  )
  return [`Vars, from ${table} of wrangler.toml:`, ...given, ...defaults].join('\n')
}

const besides = (value: unknown): string =>
  value === undefined ? '' : ` (under [vars]: ${JSON.stringify(value)})`
