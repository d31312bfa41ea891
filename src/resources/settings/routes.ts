import type { RequestContext } from '../../context.ts'
import { type Changed, recordChange, recordUndo } from '../../db/audit.ts'
import { mapped, type Query, settled, together } from '../../db/query.ts'
import { settings as table } from '../../db/schema.ts'
import { build } from '../../db/statements.ts'
import { one } from '../../http/reply.ts'
import { assertConditions } from '../../http/revision.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { mergedSettings, type StoredSettings, storedSettings } from '../../http/settings.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { type HeaderImage, ownSettings, type Settings } from '../../settings.ts'
import { reverting } from '../content/changed-values.ts'
import { imageById } from '../media/queries.ts'
import {
  SETTINGS,
  type SettingsResponse,
  type SettingsValues,
  settingsFields,
  settingsSchema,
  VAR_SETTINGS,
} from './schema.ts'

const requires = 'manage_settings'
const PATH = '/settings'
/** The id of the only row. */
const SETTINGS_ID = 1

/** A query of the stored settings. Where nothing is, the version is 1, which is that of the vars alone. */
export const selectSettings = (): Query<StoredSettings> =>
  mapped(
    storedSettings(),
    stored => stored ?? { version: 1, vars: {}, image: null, logo: null, header: null },
  )

const shownOf = (settings: Settings) => ({
  name: SETTINGS.name.shown(settings),
  timezone: SETTINGS.timezone.shown(settings),
  language: SETTINGS.language.shown(settings),
  currency: SETTINGS.currency.shown(settings),
  logo: settings.website.logo,
  accent_color: SETTINGS.accent_color.shown(settings),
  imprint: SETTINGS.imprint.shown(settings),
  privacy: SETTINGS.privacy.shown(settings),
  accessibility: SETTINGS.accessibility.shown(settings),
  events_per_page: SETTINGS.events_per_page.shown(settings),
  submissions: SETTINGS.submissions.shown(settings),
})

/** The settings as responses show them, with the defaults that are deployed. */
export function serializeSettings(stored: StoredSettings, context: RequestContext): SettingsResponse {
  const own = ownSettings(context.settings)
  return {
    id: SETTINGS_ID,
    ...shownOf(mergedSettings(own, stored)),
    image: stored.image ?? 0,
    header_image: stored.header?.id ?? 0,
    set: [
      ...VAR_SETTINGS.filter(name => stored.vars[SETTINGS[name].name] !== undefined),
      ...(stored.image === null ? [] : ['image']),
      ...(stored.header === null ? [] : ['header_image']),
    ],
    defaults: shownOf(own),
  }
}

type PreparedSettings = { stored: StoredSettings; next: StoredSettings; fields: string[] }

function prepareSettings(
  values: Partial<SettingsValues>,
  { stored, image, header }: { stored: StoredSettings } & Record<'image' | 'header', HeaderImage | undefined>,
  errors: ValidationErrors,
): PreparedSettings {
  const vars = { ...stored.vars }
  for (const field of VAR_SETTINGS) {
    const text = values[field]
    const { name } = SETTINGS[field]
    if (text === '') delete vars[name]
    else if (text !== undefined) vars[name] = text
  }
  const unknown = 'names no image of the library'
  if (values.image && !image) errors.add('image', unknown)
  if (values.header_image && !header) errors.add('header_image', unknown)
  const isLogoGiven = values.image !== undefined
  return {
    stored,
    next: {
      version: stored.version + 1,
      vars,
      image: isLogoGiven ? values.image || null : stored.image,
      logo: isLogoGiven ? (image?.url ?? null) : stored.logo,
      header: values.header_image === undefined ? stored.header : (header ?? null),
    },
    fields: Object.keys(values),
  }
}

/** The values that a change gives the settings, as the history shows them. */
function changesOf(context: RequestContext, { stored, next }: PreparedSettings): Changed {
  const [before, after] = [serializeSettings(stored, context), serializeSettings(next, context)]
  const names = [...VAR_SETTINGS, 'image', 'header_image'] as const
  return Object.fromEntries(
    names.flatMap(name =>
      before[name] === after[name] ? [] : [[name, [before[name], after[name]] as const]],
    ),
  )
}

/** The values of fields before a change, as a request sends them. */
const before = ({ stored, fields }: PreparedSettings) =>
  Object.fromEntries(
    fields.map(field => {
      const known = VAR_SETTINGS.find(name => name === field)
      if (known) return [field, stored.vars[SETTINGS[known].name] ?? '']
      return [field, (field === 'image' ? stored.image : stored.header?.id) ?? 0]
    }),
  )

async function writeSettings(context: RequestContext, prepared: PreparedSettings): Promise<StoredSettings> {
  const { stored, next, fields } = prepared
  const rowOf = ({ vars, image, header }: StoredSettings) => ({
    vars: JSON.stringify(vars),
    image_id: image,
    header_id: header?.id ?? null,
  })
  if (JSON.stringify(rowOf(stored)) === JSON.stringify(rowOf(next))) return stored
  const row = { version: next.version, ...rowOf(next) }
  await context.db.change([
    // Of two that begin with the same version, the second one fails, and is made again.
    build
      .insert(table)
      .values({ id: SETTINGS_ID, ...row })
      .onConflictDoUpdate({ target: table.id, set: row }),
    recordChange(
      context,
      { action: 'update', kind: 'settings', fields, changed: changesOf(context, prepared) },
      SETTINGS_ID,
    ),
    ...(context.keepsUndo
      ? recordUndo(context, 'settings', [
          { id: SETTINGS_ID, requests: [reverting(PATH, next.version, before(prepared))] },
        ])
      : []),
  ])
  return next
}

const shown = (stored: StoredSettings, context: RequestContext) => ({
  body: serializeSettings(stored, context),
  version: stored.version,
})

const read = defineRoute({
  methods: ['GET'],
  path: PATH,
  summary: 'Read the settings of the calendar',
  requires,
  isUncached: true,
  responses: { 200: settingsSchema },
  load: selectSettings,
  handle: (context, { prepared }) => one(shown(prepared, context)),
})

const change = defineRoute({
  methods: ['POST', 'PUT', 'PATCH'],
  path: PATH,
  summary: 'Change settings of the calendar; an empty value leaves one as it is deployed',
  requires,
  body: settingsFields,
  responses: { 200: settingsSchema },
  load: (context, { body: { image, header_image: header } }) =>
    together({
      stored: selectSettings(),
      image: image ? imageById(context, image) : settled(undefined),
      header: header ? imageById(context, header) : settled(undefined),
    }),
  prepare: (context, { stored, image, header }, { body: values }, errors) =>
    prepareSettings(values, { stored: assertConditions(context, stored), image, header }, errors),
  handle: async (context, { prepared }) => one(shown(await writeSettings(context, prepared), context)),
})

export const settingsRoutes: Route[] = [read, change]
