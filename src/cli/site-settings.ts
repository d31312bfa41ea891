import { type Settings, settingsOf, type Vars } from '../settings.ts'
import type { LocalConnection } from './database.ts'
import type { Target } from './wrangler.ts'

/**
 * The settings of the calendar whose database a target is: of a local one as its Worker gets them, else as the
 * configuration has them.
 */
export async function siteSettings(target: Target, local: LocalConnection | undefined): Promise<Settings> {
  if (local) return settingsOf(local.bindings)
  const { unstable_readConfig } = await import('wrangler')
  const environment = target.environment === undefined ? {} : { env: target.environment }
  const { vars } = unstable_readConfig({ config: target.config, ...environment })
  const texts = Object.entries(vars).filter(([, value]) => typeof value === 'string')
  // Of the vars, those of ours are texts.
  return settingsOf(Object.fromEntries(texts) as Vars)
}
