import { and, eq, gte, ne, sql } from 'drizzle-orm'
import { serializeImage } from '../../calendar/content/images.ts'
import type { RunResponse } from '../../calendar/imports/source-schema.ts'
import { selectImageById } from '../../calendar/media/queries.ts'
import { selectSettings, serializeSettings } from '../../calendar/settings/routes.ts'
import type { BaseContext } from '../../kit/context.ts'
import { UNDO_MS } from '../../kit/db/audit.ts'
import { combineQueries, first, mapQuery, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, sources } from '../../kit/db/tables.ts'
import { formatInstant, toEpoch } from '../../kit/lib/time.ts'
import { chosenFile } from '../../site/forms/entries.ts'
import { form, formText } from '../../site/forms/field-html.ts'
import {
  errorsOf,
  isDone,
  reasonIn,
  reasonsOf,
  replyValue,
  sendFile,
  submitOne,
  upload,
} from '../../site/forms/requests.ts'
import { html } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { type Area, defineAction, defineEditorPage } from '../pages-and-actions.ts'
import type { EditorResponse } from '../respond.ts'
import { typedAddress } from '../source-paths.ts'
import { undoKept } from '../undo/area.ts'
import { withNextLanguage } from '../visit.ts'
import { shownValue, startPage } from './page.ts'
import { findEvents, previewedPage, withChoices } from './preview.ts'
import {
  CHOSEN_SETTINGS,
  checkValues,
  firstValues,
  SETUP_PREVIEW_PATH,
  type StartValues,
  valuesIn,
} from './values.ts'

// The start of a calendar: its owner chooses name, place, colour and picture, says where the events are so
// far, and sees the front page before anything is saved. Until then the form carries everything; a picture is
// an unused image of the library, and a file is a paused source. Both are deleted automatically if they are
// not confirmed.

const requires = 'manage_settings'

/**
 * A query that tells whether the calendar has an event, so that its setup is over. Events in the trash may be
 * there because the setup was undone.
 */
const selectIsBegun: Query<boolean> = mapQuery(
  first(build.select({ id: events.id }).from(events).where(ne(events.status, 'trash')).limit(1)),
  event => event !== undefined,
)

/** True once there is an event, or somebody has hidden the first steps. */
const areStepsOver = ({ context }: EditorContext, isBegun: boolean): boolean =>
  isBegun || !context.settings.firstSteps

const HOME = '/admin/'

const startRoute = defineEditorPage({
  path: SETUP_PREVIEW_PATH,
  requires,
  load: () => combineQueries({ stored: selectSettings(), isBegun: selectIsBegun }),
  respond: async (editor, { loaded: { stored, isBegun } }) => {
    if (areStepsOver(editor, isBegun)) return { to: HOME }
    const values = firstValues(editor, serializeSettings(stored, editor.context))
    const chosenEditor = await withChoices(editor, {
      vars: checkValues(values).vars,
      image: values.image,
    })
    const picture = await findImageAddress(editor, values.image)
    return startPage(editor, { values, isFresh: true, picture, front: previewedPage(chosenEditor, []) })
  },
  handle: async (editor, { form: data }): Promise<EditorResponse> => {
    if (areStepsOver(editor, await editor.context.db.read(selectIsBegun))) return { to: HOME }
    const typedValues = valuesIn(data)
    if (formText(data, 'do') === 'later') {
      await forgetImage(editor, typedValues.image)
      return { to: HOME }
    }
    const errors = new Map<string, string>()
    const values = await storeFiles(editor, { data, values: typedValues, errors })
    const isSaving = formText(data, 'do') === 'save'
    if (isSaving && formText(data, 'shown') === shownValue(values)) return saveChoices(editor, values)
    return showPage(editor, values, { errors, isUnseen: isSaving })
  },
})

/** The page with a front page of the values, unless some of them are wrong. */
async function showPage(
  editor: EditorContext,
  values: StartValues,
  { errors, isUnseen = false }: { errors: Map<string, string>; isUnseen?: boolean },
): Promise<EditorPage> {
  const { vars, errors: wrong } = checkValues(values)
  for (const [name, reason] of wrong) errors.set(name, reasonIn(editor.texts, reason))
  const chosenEditor = await withChoices(editor, { vars, image: values.image })
  const preview = await findEvents(chosenEditor, values)
  if (typeof preview === 'string') errors.set(values.where === 'file' ? 'file' : 'url', preview)
  const picture = await findImageAddress(editor, values.image)
  if (typeof preview === 'string' || errors.size > 0)
    return startPage(editor, { values, errors, picture, front: previewedPage(chosenEditor, []) })
  const front = previewedPage(chosenEditor, preview.events)
  return startPage(editor, { values, picture, preview, front, isUnseen })
}

/** The address of an image of the library; undefined for none. */
async function findImageAddress({ context }: EditorContext, id: number): Promise<string | undefined> {
  const image = await context.db.read(id > 0 ? selectImageById(context, id) : resolvedQuery(undefined))
  return image && serializeImage(image, context).url
}

/** Deletes an image. One that is in use, or of somebody else, stays. */
async function forgetImage(editor: EditorContext, id: number): Promise<void> {
  if (id > 0) await submitOne(editor, { method: 'DELETE', path: `/media/${id}` })
}

type Files = { data: FormData; values: StartValues; errors: Map<string, string> }

/**
 * Stores the chosen picture and file, and forgets the picture that they replace.
 * @param errors gets the reasons why they can't be stored
 */
async function storeFiles(editor: EditorContext, { data, values, errors }: Files): Promise<StartValues> {
  const picture = chosenFile(data, 'picture')
  const file = data.get('file')
  let { image, source } = values
  if (picture) {
    const reply = await upload(editor, picture, '')
    if (isDone(reply)) image = Number(replyValue(reply, 'id'))
    else errors.set('picture', errorsOf(editor.texts, reply.body).get('file') ?? reasonsOf(editor, reply))
  } else if (formText(data, 'without') !== '') image = 0
  if (image !== values.image) await forgetImage(editor, values.image)
  if (values.where === 'file' && file instanceof File && file.size > 0) {
    const reply = await sendFile(editor, '/sources/files', file)
    if (isDone(reply)) source = Number(replyValue(reply, 'id'))
    else errors.set('file', reasonsOf(editor, reply))
  } else if (values.where === 'file' && source === 0) errors.set('file', editor.texts.upload.noFile)
  if (values.where === 'address' && values.url === '') errors.set('url', editor.texts.start.noAddress)
  return { ...values, image, source }
}

/**
 * Saves what was shown: the settings, then the source. Reading its next events takes an invocation of its
 * own.
 */
async function saveChoices(editor: EditorContext, values: StartValues): Promise<EditorResponse> {
  const chosenValues = Object.fromEntries(CHOSEN_SETTINGS.map(name => [name, values[name]]))
  const body = { ...chosenValues, header_image: values.image }
  const settings = await submitOne(editor, { method: 'PATCH', path: '/settings', body })
  if (!isDone(settings)) return showPage(editor, values, { errors: errorsOf(editor.texts, settings.body) })
  const source = await addSource(editor, values)
  if (typeof source === 'string') return showPage(editor, values, { errors: new Map([['', source]]) })
  const params = new URLSearchParams({
    request: editor.context.requestId,
    source: String(source),
  })
  if (source > 0) return { to: `${EVENTS_PATH}?${params}`, isSentOn: true }
  return doneResponse(await withNextLanguage(editor), params, 0)
}

const EVENTS_PATH = `${SETUP_PREVIEW_PATH}events/`

/**
 * Reads the next events of the source that was just added. The cron brings the rest, or all events if this
 * fails.
 */
const nextEvents = defineAction({
  path: EVENTS_PATH,
  requires,
  handle: async (editor, { url: { searchParams } }) => {
    const path = `/sources/${sourceIdIn(searchParams)}/sync`
    const [reply] = await Promise.allSettled([submitOne(editor, { method: 'POST', path })])
    const isRead = reply.status === 'fulfilled' && isDone(reply.value)
    // The route of that path returns it.
    return doneResponse(editor, searchParams, isRead ? (reply.value.body as RunResponse).created : 0)
  },
})

/** The way to the start page of the editor, with a link that undoes everything. */
function doneResponse(editor: EditorContext, params: URLSearchParams, n: number): EditorResponse {
  const words = editor.texts.start
  return {
    to: HOME,
    notice: {
      text: n > 0 ? countedText(editor, words, 'done', n) : words.doneNone,
      link: { href: `${START_UNDO_PATH}?${params}`, text: editor.texts.history.undo },
    },
  }
}

const sourceIdIn = (params: URLSearchParams): number =>
  Number(/^\d{1,15}$/.exec(params.get('source') ?? '')?.[0] ?? 0)

/**
 * Adds the source of the events, or begins the import of a file.
 * @returns its id, 0 for none, or the reason why it can't be added
 */
async function addSource(
  editor: EditorContext,
  { where, url, source }: StartValues,
): Promise<number | string> {
  if (where === 'none') return 0
  if (where === 'file') {
    const body = { state: 'ok', status: 'publish' }
    const reply = await submitOne(editor, { method: 'PATCH', path: `/sources/${source}`, body })
    return isDone(reply) ? source : reasonsOf(editor, reply)
  }
  const address = typedAddress(url)
  const name = URL.canParse(address) ? new URL(address).hostname : address
  const existingId = await editor.context.db.read(selectSourceAt(address))
  // The same form may have been sent before, and have failed halfway.
  if (existingId !== undefined) return existingId
  const reply = await submitOne(editor, { method: 'POST', path: '/sources', body: { name, url: address } })
  return isDone(reply) ? Number(replyValue(reply, 'id')) : reasonsOf(editor, reply)
}

const selectSourceAt = (address: string): Query<number | undefined> =>
  mapQuery(
    first(
      build
        .select({ id: sources.id })
        .from(sources)
        .where(
          sql`${eq(sources.url, URL.canParse(address) ? new URL(address).href : address)} AND NOT is_being_deleted`,
        )
        .limit(1),
    ),
    source => source?.id,
  )

const START_UNDO_PATH = `${SETUP_PREVIEW_PATH}undo/`

/**
 * A query for the source that the start has added. One that was there before, or for longer than changes can
 * be undone, stays.
 */
const selectAddedSource = ({ clock }: BaseContext, { searchParams }: URL) =>
  first(
    build
      .select({ id: sources.id, name: sources.name })
      .from(sources)
      .where(
        and(
          eq(sources.id, sourceIdIn(searchParams)),
          eq(sources.is_being_deleted, false),
          gte(sources.created_utc, formatInstant(toEpoch(clock.now()) - UNDO_MS)),
        ),
      ),
  )

const undoing = defineEditorPage({
  path: START_UNDO_PATH,
  requires,
  load: ({ context }, { url }) => selectAddedSource(context, url),
  respond: (editor, { url, loaded: source }) => {
    const words = editor.texts.start
    return {
      title: words.undo,
      isNarrow: true,
      main: html`<h1>${words.undo}</h1><p class="lead">${words.undoText}</p>${source && html`<p dir="auto">${source.name}</p>`}
${form(editor, {
  action: START_UNDO_PATH + url.search,
  body: html`<div class="actions"><button class="button" type="submit">${editor.texts.history.undoNow}</button></div>`,
})}`,
    }
  },
  handle: async (editor, { url }) => {
    const { context } = editor
    const source = await context.db.read(selectAddedSource(context, url))
    if (source) await submitOne(editor, { method: 'DELETE', path: `/sources/${source.id}?events=trash` })
    const response = await undoKept(editor, {
      request: (url.searchParams.get('request') ?? '').slice(0, 200),
    })
    if (!('to' in response)) return response
    const { start: words } = (await withNextLanguage(editor)).texts
    return { to: HOME, notice: { text: words.undone, link: { href: SETUP_PREVIEW_PATH, text: words.title } } }
  },
})

export const startArea: Area = { routes: [startRoute, nextEvents, undoing] }
