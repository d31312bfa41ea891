import type { Context } from 'hono'
import type { Database } from '../db/database.ts'
import { revision } from '../db/derived.ts'
import { first, mapQuery, type Query, resolvedQuery } from '../db/query.ts'
import { build } from '../db/statements.ts'
import type { AppEnv } from '../env.ts'
import { ApiError } from '../lib/errors.ts'
import type { StoredImage } from '../lib/images/formats.ts'
import { memoize } from '../lib/memo.ts'
import { type Settings, settingsOf, settingsWith, type Vars, varSettingsOf } from '../settings.ts'
import { asError, logError } from '../work/error-log.ts'

// Administrators set settings in the editor, which stores them in one row. They replace the vars of
// wrangler.toml. An instance of the Worker remembers the settings that it has worked out from both. The first
// batch of each request also reads the row: if the row is a new one, the request starts again with new
// settings, having only read so far.

/** The stored settings: texts by the names of their vars, the logo, and the image of the header. */
export type StoredSettings = {
  version: number
  vars: Vars
  image: number | null
  logo: string | null
  header: StoredImage | null
}

function parseStored(text: string): StoredSettings {
  // The text comes from the view in kit/db/triggers/revision.sql.
  const { vars, ...otherSettings }: Omit<StoredSettings, 'vars'> & { vars: string } = JSON.parse(text)
  // Rows that were stored before the header could have an image don't name one.
  const stored = { ...otherSettings, header: otherSettings.header ?? null }
  try {
    // Only checked values are stored, by the names of their vars.
    return { ...stored, vars: JSON.parse(vars) }
  } catch (error) {
    // Other programs may have written anything. If pages failed, nobody could change these settings.
    logError('settings', asError(error))
    return { ...stored, vars: {} }
  }
}

const selectStoredText = memoize(() => first(build.select({ stored: revision.settings }).from(revision)))

/** A query for the stored settings; undefined where only the vars apply. */
export const selectStoredSettings = (): Query<StoredSettings | undefined> =>
  mapQuery(selectStoredText(), row => (row?.stored ? parseStored(row.stored) : undefined))

/** The latest settings that this instance has worked out, by the settings of its vars alone. */
let latestByVarSettings = new WeakMap<Settings, Settings>()

/** Forgets the settings of the database: the binding may lead to another database now. */
export const forgetSettings = (): void => {
  latestByVarSettings = new WeakMap()
}

/** The settings as this instance knows them. @param varSettings the settings of the vars alone */
export const knownSettings = (varSettings: Settings): Settings =>
  latestByVarSettings.get(varSettings) ?? varSettings

function settingsFrom(varSettings: Settings, storedText: string | null | undefined): Settings {
  const text = storedText ?? ''
  const last = knownSettings(varSettings)
  if (last.stored === text) return last
  const settings = text === '' ? varSettings : mergedSettings(varSettings, parseStored(text), text)
  latestByVarSettings.set(varSettings, settings)
  return settings
}

/**
 * The settings of the vars, replaced by the settings of the stored row.
 * @param text the row, which identifies the result
 */
export function mergedSettings(
  varSettings: Settings,
  { vars, logo, header }: StoredSettings,
  text = '',
): Settings {
  try {
    return settingsWith(
      varSettings,
      { vars: { ...vars, ...(logo !== null && { SITE_LOGO: logo }) }, header },
      text,
    )
  } catch (error) {
    // A later version may not know a value any more.
    logError('settings', asError(error))
    return settingsWith(varSettings, { vars: {}, header: null }, text)
  }
}

/** The settings of a calendar. @param varSettings the settings of the vars alone */
export const readSettings = (db: Database, varSettings: Settings): Promise<Settings> =>
  db.read(mapQuery(selectStoredText(), row => settingsFrom(varSettings, row?.stored)))

/** The settings of a calendar, for commands. */
export const readSettingsIn = (db: Database, vars: Vars): Promise<Settings> =>
  readSettings(db, settingsOf(vars))

/** Thrown if the settings have changed since the request began. */
export class OutdatedSettings extends ApiError {
  override readonly name = 'OutdatedSettings'
  readonly settings: Settings

  constructor(settings: Settings) {
    super(
      'rest_concurrent_changes',
      'The settings of this calendar have just changed. Please send this again.',
    )
    this.settings = settings
  }
}

/**
 * @param stored the row of the settings, as text
 * @throws OutdatedSettings if the request has begun with other settings
 */
export function assertSettings(assumedSettings: Settings, stored: string | null | undefined): void {
  const settings = settingsFrom(varSettingsOf(assumedSettings), stored)
  if (settings.stored !== assumedSettings.stored) throw new OutdatedSettings(settings)
}

/**
 * Does some work of a request with the settings of the database, which its first batch reads. If this
 * instance knew other settings, the work begins once more.
 *
 * @param work must change nothing before its first batch, and look up the context each time
 */
export async function withSettings<T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> {
  const db = c.get('db')
  const pendingSettings = c.get('settings')
  db.assume(
    'settings',
    mapQuery(selectStoredText(), row => assertSettings(pendingSettings, row?.stored)),
  )
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OutdatedSettings)) throw error
    db.dropAssumption('settings')
    c.set('settings', error.settings)
    // Middleware that runs before `requestContext` has no context yet.
    const context: AppEnv['Variables']['context'] | undefined = c.get('context')
    if (context) c.set('context', { ...context, settings: error.settings })
    return await work()
  } finally {
    // Later batches don't check the settings, because the work cannot begin again by then.
    db.dropAssumption('settings')
  }
}

/** Reads the settings of the database for the rest of a request, in a round trip. */
export const updateSettings = (c: Context<AppEnv>): Promise<unknown> =>
  withSettings(c, () => c.get('db').read(resolvedQuery(undefined)))
