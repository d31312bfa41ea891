import { closestTo } from '../kit/lib/likeness.ts'
import { assertKnownFeatures, type Settings, settingsOf, VAR_NAMES, type Vars } from '../kit/settings.ts'
import { featureNames } from './feature-files.ts'
import type { ConfiguredTarget } from './wrangler-config.ts'

// Not in wrangler-config.ts, because all commands load that module, and few need settings.

// Wrangler's environments inherit no vars: production lacks vars that somebody has tried at home until its
// own section has them, too.

const headerOf = ({ environment }: ConfiguredTarget): string =>
  environment === undefined ? '[vars]' : `[env.${environment}.vars]`

/**
 * Checks vars before a deployment: with a wrong var, every request would fail.
 *
 * @param local the vars that replace the configured ones on this machine
 * @returns lines about vars that the calendar doesn't know
 * @throws Error with one line, about a var with an impossible value, or with almost the name of a setting
 */
export function checkVars(configured: ConfiguredTarget, local: Record<string, unknown> = {}): string[] {
  const { vars } = configured.environmentSection
  const unknownNames = Object.keys(vars).filter(name => !VAR_NAMES.some(known => known === name))
  for (const name of unknownNames) {
    const meant = closestTo(name, VAR_NAMES)
    const place = `wrangler.toml has under ${headerOf(configured)}`
    if (meant) throw new Error(`There is no setting ${name}, which ${place}: did you mean ${meant}?`)
  }
  // The calendar's own vars are texts, and this function ignores other values.
  assertKnownFeatures(settingsOf({ ...vars, ...local } as Vars), featureNames())
  return unknownNames.map(name => `${name} is not a setting of the calendar`)
}

/** Settings that everybody sees, by the name of the var, with the default. */
const VARS_WITH_DEFAULTS: readonly [keyof Vars, (settings: Settings) => string][] = [
  ['SITE_NAME', settings => settings.siteName],
  ['TIMEZONE', settings => settings.timezone],
  ['SITE_URL', settings => settings.siteUrl ?? "the request's origin"],
]

const varLine = (name: string, value: unknown) => `  ${name} = ${JSON.stringify(value)}`

/**
 * Describes the vars of a deployed target, next to the vars of `[vars]`, which local development uses.
 *
 * @throws Error if an environment lacks a var that `[vars]` sets, or a var has an impossible value or name
 */
export function describeVars(configured: ConfiguredTarget): string {
  const ownVars = configured.environmentSection.vars
  const commonVars = configured.common.vars
  const table = headerOf(configured)
  const missing = Object.entries(commonVars).filter(([name]) => ownVars[name] === undefined)
  if (missing.length > 0)
    throw new Error(
      [
        `wrangler.toml sets vars under [vars] that are not under ${table}, and environments inherit none.`,
        `Add what you mean to ${table}:`,
        ...missing.map(([name, value]) => varLine(name, value)),
      ].join('\n'),
    )
  const unknownNames = checkVars(configured)
  // The calendar's own vars are texts, as in checkVars.
  const settings = settingsOf(ownVars as Vars)
  const varLines = Object.entries(ownVars).map(([name, value]) => {
    const differs = commonVars[name] !== undefined && commonVars[name] !== value
    return varLine(name, value) + (differs ? ` (under [vars]: ${JSON.stringify(commonVars[name])})` : '')
  })
  const defaults = VARS_WITH_DEFAULTS.filter(([name]) => ownVars[name] === undefined).map(
    ([name, effect]) => `${name} is not set: ${effect(settings)}`,
  )
  const remarks = [...defaults, ...unknownNames].map(text => `  ${text}`)
  return [`Vars, from ${table} of wrangler.toml:`, ...varLines, ...remarks].join('\n')
}
