import type { BaseContext } from '../../kit/context.ts'
import { type ChangedFields, recorded, undoStatements } from '../../kit/db/audit.ts'
import { combineQueries, first, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { settings as table } from '../../kit/db/tables.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { okVersioned } from '../../kit/http/reply.ts'
import { requireVersion } from '../../kit/http/revision.ts'
import type { Route } from '../../kit/http/route.ts'
import { mergedSettings, type StoredSettings, selectStoredSettings } from '../../kit/http/stored-settings.ts'
import type { ValidationErrors } from '../../kit/lib/errors.ts'
import type { StoredImage } from '../../kit/lib/images/formats.ts'
import { memoize } from '../../kit/lib/memo.ts'
import { type Settings, settingsOf, varSettingsOf } from '../../kit/settings.ts'
import { revertRequest } from '../content/changed-values.ts'
import { selectImageById } from '../media/queries.ts'
import {
  PAGE_SETTINGS,
  pagePath,
  type SettingsResponse,
  type SettingsValues,
  settingsFields,
  settingsSchema,
  VAR_OF,
  VAR_SETTINGS,
} from './schema.ts'

const requires = 'manage_settings'
const PATH = '/settings'
/** The id of the only row. */
const SETTINGS_ID = 1

type PageTexts = Record<(typeof PAGE_SETTINGS)[number], string>

export const selectPageTexts = (): Query<PageTexts> =>
  mapQuery(
    first(build.select({ imprint: table.imprint_text, privacy: table.privacy_text }).from(table)),
    texts => texts ?? { imprint: '', privacy: '' },
  )

type WholeSettings = StoredSettings & { texts: PageTexts }

/** A query for the stored settings. Without any, the version is 1. */
export const selectSettings = (): Query<WholeSettings> =>
  combineQueries({ stored: selectStoredSettings(), texts: selectPageTexts() }, ({ stored, texts }) => ({
    ...(stored ?? { version: 1, vars: {}, image: null, logo: null, header: null }),
    texts,
  }))

const settingValues = ({ website, ...settings }: Settings) => ({
  name: settings.siteName,
  tagline: settings.tagline,
  timezone: settings.timezone,
  language: website.language,
  currency: settings.currency.code,
  logo: website.logo,
  header_focus: website.headerFocus,
  accent_color: website.accent,
  typeface: website.typeface,
  imprint: website.links.imprint,
  privacy: website.links.privacy,
  accessibility: website.links.accessibility,
  contact: website.contact.replace(/^mailto:/, ''),
  map_tiles: website.map?.tiles ?? '',
  map_attribution: website.map?.attribution ?? '',
  events_per_page: website.eventsPerPage,
  submissions: settings.submissions.isOn,
  news_first_mails: settings.newsFirstMails,
  first_steps: settings.firstSteps,
})

/** The settings as responses show them, with the defaults that are deployed. */
export function serializeSettings(wholeSettings: WholeSettings, context: BaseContext): SettingsResponse {
  const configured = varSettingsOf(context.settings)
  return {
    id: SETTINGS_ID,
    ...settingValues(mergedSettings(configured, wholeSettings)),
    imprint_text: wholeSettings.texts.imprint,
    privacy_text: wholeSettings.texts.privacy,
    image: wholeSettings.image ?? 0,
    header_image: wholeSettings.header?.id ?? 0,
    set: [
      ...VAR_SETTINGS.filter(name => wholeSettings.vars[VAR_OF[name]] !== undefined),
      ...(wholeSettings.image === null ? [] : ['image']),
      ...(wholeSettings.header === null ? [] : ['header_image']),
    ],
    defaults: settingValues(configured),
  }
}

/** The settings of a calendar that nobody has configured. */
const untouched = memoize(() => settingValues(settingsOf({})))

/** True if somebody has decided on a setting: here, or when the calendar was deployed. */
export const isDecided = ({ set, defaults }: SettingsResponse, name: keyof typeof VAR_OF): boolean =>
  set.includes(name) || defaults[name] !== untouched()[name]

type PreparedSettings = { stored: WholeSettings; next: WholeSettings; fields: string[] }

function prepareSettings(
  values: Partial<SettingsValues>,
  { stored, image, header }: { stored: WholeSettings } & Record<'image' | 'header', StoredImage | undefined>,
  errors: ValidationErrors,
): PreparedSettings {
  const vars = { ...stored.vars }
  const texts = { ...stored.texts }
  for (const field of VAR_SETTINGS) {
    const text = values[field]
    const name = VAR_OF[field]
    if (text === '') delete vars[name]
    else if (text !== undefined) vars[name] = text
    const page = PAGE_SETTINGS.find(setting => setting === field)
    if (!page) continue
    const typedText = values[`${page}_text`] ?? texts[page]
    // The footer leads to the text that is written here, unless somebody has given another address.
    if (typedText !== '') vars[name] ??= pagePath(page)
    else if (texts[page] !== '' && vars[name] === pagePath(page)) delete vars[name]
    texts[page] = typedText
  }
  const unknownImageReason = 'must name an image of the library'
  if (values.image && !image) errors.add('image', unknownImageReason)
  if (values.header_image && !header) errors.add('header_image', unknownImageReason)
  const isLogoGiven = values.image !== undefined
  return {
    stored,
    next: {
      version: stored.version + 1,
      vars,
      texts,
      image: isLogoGiven ? values.image || null : stored.image,
      logo: isLogoGiven ? (image?.url ?? null) : stored.logo,
      header: values.header_image === undefined ? stored.header : (header ?? null),
    },
    fields: Object.keys(values),
  }
}

/** The values that a change gives the settings, as the history shows them. */
function settingsChanges(context: BaseContext, { stored, next }: PreparedSettings): ChangedFields {
  const before = serializeSettings(stored, context)
  const after = serializeSettings(next, context)
  const names = [...VAR_SETTINGS, 'image', 'header_image', 'imprint_text', 'privacy_text'] as const
  return Object.fromEntries(
    names.flatMap(name =>
      before[name] === after[name] ? [] : [[name, [before[name], after[name]] as const]],
    ),
  )
}

/** The values of fields before a change, as a request sends them. */
const formerValues = ({ stored, fields }: PreparedSettings) =>
  Object.fromEntries(
    fields.map((field): [string, string | number] => {
      const knownName = VAR_SETTINGS.find(name => name === field)
      if (knownName) return [field, stored.vars[VAR_OF[knownName]] ?? '']
      const page = PAGE_SETTINGS.find(name => `${name}_text` === field)
      if (page) return [field, stored.texts[page]]
      return [field, (field === 'image' ? stored.image : stored.header?.id) ?? 0]
    }),
  )

async function writeSettings(context: BaseContext, prepared: PreparedSettings): Promise<WholeSettings> {
  const { stored, next, fields } = prepared
  const rowOf = ({ vars, image, header, texts }: WholeSettings) => ({
    vars: JSON.stringify(vars),
    logo_id: image,
    header_image_id: header?.id ?? null,
    imprint_text: texts.imprint,
    privacy_text: texts.privacy,
  })
  if (JSON.stringify(rowOf(stored)) === JSON.stringify(rowOf(next))) return stored
  const row = { version: next.version, ...rowOf(next) }
  await context.db.write([
    ...recorded(
      context,
      // Of two changes that begin with the same version, the second fails, and runs again.
      build
        .insert(table)
        .values({ id: SETTINGS_ID, ...row })
        .onConflictDoUpdate({ target: table.id, set: row }),
      {
        action: 'update',
        kind: 'settings',
        fields,
        changed: settingsChanges(context, prepared),
        id: SETTINGS_ID,
      },
    ),
    ...(context.keepsUndo
      ? undoStatements(context, 'settings', [
          { id: SETTINGS_ID, request: revertRequest(PATH, next.version, formerValues(prepared)) },
        ])
      : []),
  ])
  return next
}

const withVersion = (stored: WholeSettings, context: BaseContext) => ({
  body: serializeSettings(stored, context),
  version: stored.version,
})

const read = defineRead({
  path: PATH,
  summary: 'Read the settings of the calendar',
  requires,
  isUncached: true,
  responses: { 200: settingsSchema },
  load: selectSettings,
  handle: (context, { prepared }) => okVersioned(withVersion(prepared, context)),
})

const change = defineWrite({
  methods: ['POST', 'PUT', 'PATCH'],
  path: PATH,
  summary: 'Change settings of the calendar; an empty value leaves one as it is deployed',
  requires,
  body: settingsFields,
  responses: { 200: settingsSchema },
  load: (context, { body: { image, header_image: header } }) =>
    combineQueries({
      stored: selectSettings(),
      image: image ? selectImageById(context, image) : resolvedQuery(undefined),
      header: header ? selectImageById(context, header) : resolvedQuery(undefined),
    }),
  prepare: (context, { stored, image, header }, { body: values }, errors) =>
    prepareSettings(values, { stored: requireVersion(context, stored), image, header }, errors),
  handle: async (context, { prepared }) =>
    okVersioned(withVersion(await writeSettings(context, prepared), context)),
})

export const settingsRoutes: Route[] = [read, change]
