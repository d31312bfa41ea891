import { and, eq, gte, ne, sql } from 'drizzle-orm'
import type { RequestContext } from '../../../context.ts'
import { UNDO_MS } from '../../../db/audit.ts'
import { first, mapped, type Query, settled, together } from '../../../db/query.ts'
import { build } from '../../../db/statements.ts'
import { events, sources } from '../../../db/tables.ts'
import { readSettings } from '../../../http/settings.ts'
import { formatInstant, toEpoch } from '../../../lib/time.ts'
import { serializeImage } from '../../../resources/content/images.ts'
import { imageById } from '../../../resources/media/queries.ts'
import { selectSettings, serializeSettings } from '../../../resources/settings/routes.ts'
import type { RunResponse } from '../../../resources/sources/schema.ts'
import { ownSettings } from '../../../settings.ts'
import { form, textOf } from '../../forms/element.ts'
import { errorsOf, isDone, reasonIn, reasonsOf, replyValue, submitOne, upload } from '../../forms/requests.ts'
import { html } from '../../html/html.ts'
import { counted } from '../../html/site.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { typedAddress } from '../origins.ts'
import type { Outcome } from '../respond.ts'
import { type Area, defineAction, defineAdminPage } from '../route.ts'
import { undo } from '../undo/routes.ts'
import { inLanguage } from '../visit.ts'
import { shownValue, startPage } from './page.ts'
import { findEvents, inChosen, previewedPage } from './preview.ts'
import { CHOSEN, checked, firstValues, START, type StartValues, valuesIn } from './values.ts'

// The start of a calendar: its owner chooses name, place, colour and picture, says where the events are so far, and sees the front page
// before anything is saved. Until then the form carries everything; a picture waits in the library as an image that nothing uses, and a
// file as a paused source. Both are deleted by themselves if nobody confirms them.

const requires = 'manage_settings'

/** A query of whether the calendar has an event, so that its start is over. Those in the trash may be there because it was undone. */
const selectIsBegun: Query<boolean> = mapped(
  first(build.select({ id: events.id }).from(events).where(ne(events.status, 'trash')).limit(1)),
  event => event !== undefined,
)

/** True once there is an event, or somebody has hidden the first steps. */
const isOver = ({ context }: Admin, isBegun: boolean): boolean => isBegun || !context.settings.firstSteps

const HOME = '/admin/'

const start = defineAdminPage({
  path: START,
  requires,
  load: () => together({ stored: selectSettings(), isBegun: selectIsBegun }),
  respond: async (admin, { loaded: { stored, isBegun } }) => {
    if (isOver(admin, isBegun)) return { to: HOME }
    const values = firstValues(admin, serializeSettings(stored, admin.context))
    const chosen = await inChosen(admin, { vars: checked(values).vars, image: values.image })
    const picture = await addressOf(admin, values.image)
    return startPage(admin, { values, isFresh: true, picture, front: previewedPage(chosen, []) })
  },
  handle: async (admin, { form: data }): Promise<Outcome> => {
    if (isOver(admin, await admin.context.db.read(selectIsBegun))) return { to: HOME }
    const typed = valuesIn(data)
    if (textOf(data, 'do') === 'later') {
      await forgetImage(admin, typed.image)
      return { to: HOME }
    }
    const errors = new Map<string, string>()
    const values = await withFiles(admin, { data, values: typed, errors })
    const isSaving = textOf(data, 'do') === 'save'
    if (isSaving && textOf(data, 'shown') === shownValue(values)) return adopt(admin, values)
    return shown(admin, values, { errors, isUnseen: isSaving })
  },
})

/** The page with a front page of the values, unless some of them are wrong. */
async function shown(
  admin: Admin,
  values: StartValues,
  { errors, isUnseen = false }: { errors: Map<string, string>; isUnseen?: boolean },
): Promise<AdminPage> {
  const { vars, errors: wrong } = checked(values)
  for (const [name, reason] of wrong) errors.set(name, reasonIn(admin.texts, reason))
  const chosen = await inChosen(admin, { vars, image: values.image })
  const found = await findEvents(chosen, values)
  if (typeof found === 'string') errors.set(values.where === 'file' ? 'file' : 'url', found)
  const picture = await addressOf(admin, values.image)
  if (typeof found === 'string' || errors.size > 0)
    return startPage(admin, { values, errors, picture, front: previewedPage(chosen, []) })
  const front = previewedPage(chosen, found.events)
  return startPage(admin, { values, picture, found, front, isUnseen })
}

/** The address of an image of the library; undefined for none. */
async function addressOf({ context }: Admin, id: number): Promise<string | undefined> {
  const image = await context.db.read(id > 0 ? imageById(context, id) : settled(undefined))
  return image && serializeImage(image, context).url
}

/** Deletes an image. One that is in use, or of somebody else, stays. */
async function forgetImage(admin: Admin, id: number): Promise<void> {
  if (id > 0) await submitOne(admin, { method: 'DELETE', path: `/media/${id}` })
}

type Files = { data: FormData; values: StartValues; errors: Map<string, string> }

/** Stores the chosen picture and file, and forgets the picture that they replace. @param errors gets the reasons why they can't be */
async function withFiles(admin: Admin, { data, values, errors }: Files): Promise<StartValues> {
  const [picture, file] = [data.get('picture'), data.get('file')]
  let { image, source } = values
  const isChosen = picture instanceof File && picture.size > 0
  if (isChosen) {
    const reply = await upload(admin, picture, '')
    if (isDone(reply)) image = Number(replyValue(reply, 'id'))
    else errors.set('picture', errorsOf(admin.texts, reply.body).get('file') ?? reasonsOf(admin, reply))
  } else if (textOf(data, 'without') !== '') image = 0
  if (image !== values.image) await forgetImage(admin, values.image)
  if (values.where === 'file' && file instanceof File && file.size > 0) {
    const body = new FormData()
    body.append('file', file, file.name)
    const reply = await submitOne(admin, { method: 'POST', path: '/sources/files', body })
    if (isDone(reply)) source = Number(replyValue(reply, 'id'))
    else errors.set('file', reasonsOf(admin, reply))
  } else if (values.where === 'file' && source === 0) errors.set('file', admin.texts.upload.noFile)
  if (values.where === 'address' && values.url === '') errors.set('url', admin.texts.start.noAddress)
  return { ...values, image, source }
}

/** Saves what was shown: the settings, then the source. Reading its next events takes an invocation of its own. */
async function adopt(admin: Admin, values: StartValues): Promise<Outcome> {
  const chosen = Object.fromEntries(CHOSEN.map(name => [name, values[name]]))
  const body = { ...chosen, header_image: values.image }
  const settings = await submitOne(admin, { method: 'PATCH', path: '/settings', body })
  if (!isDone(settings)) return shown(admin, values, { errors: errorsOf(admin.texts, settings.body) })
  const source = await addSource(admin, values)
  if (typeof source === 'string') return shown(admin, values, { errors: new Map([['', source]]) })
  const made = new URLSearchParams({
    request: admin.context.requestId,
    source: String(source),
  })
  if (source > 0) return { to: `${EVENTS}?${made}`, isSentOn: true }
  return done(inLanguage(admin, values.language), made, 0)
}

const EVENTS = `${START}events/`

/** Reads the next events of the source that was just added. The cron brings the rest, and all if this fails. */
const nextEvents = defineAction({
  path: EVENTS,
  requires,
  handle: async (admin, { url: { searchParams } }) => {
    const path = `/sources/${idOf(searchParams, 'source')}/sync`
    const [reply] = await Promise.allSettled([submitOne(admin, { method: 'POST', path })])
    const isRead = reply.status === 'fulfilled' && isDone(reply.value)
    // The route of that path returns it.
    return done(admin, searchParams, isRead ? (reply.value.body as RunResponse).created : 0)
  },
})

/** The way to the start page of the editor, with a link that undoes everything. */
function done(admin: Admin, made: URLSearchParams, n: number): Outcome {
  const words = admin.texts.start
  return {
    to: HOME,
    notice: {
      text: n > 0 ? counted(admin, words, 'done', n) : words.doneNone,
      link: { href: `${UNDO}?${made}`, text: admin.texts.history.undo },
    },
  }
}

const idOf = (params: URLSearchParams, name: string): number =>
  Number(/^\d{1,15}$/.exec(params.get(name) ?? '')?.[0] ?? 0)

/** Adds the source of the events, or begins the import of a file. @returns its id, 0 for none, or why it can't be */
async function addSource(admin: Admin, { where, url, source }: StartValues): Promise<number | string> {
  if (where === 'none') return 0
  if (where === 'file') {
    const body = { state: 'ok', status: 'publish' }
    const reply = await submitOne(admin, { method: 'PATCH', path: `/sources/${source}`, body })
    return isDone(reply) ? source : reasonsOf(admin, reply)
  }
  const address = typedAddress(url)
  const name = URL.canParse(address) ? new URL(address).hostname : address
  const made = await admin.context.db.read(sourceAt(address))
  // The same form may have been sent before, and have failed halfway.
  if (made !== undefined) return made
  const reply = await submitOne(admin, { method: 'POST', path: '/sources', body: { name, url: address } })
  return isDone(reply) ? Number(replyValue(reply, 'id')) : reasonsOf(admin, reply)
}

const sourceAt = (address: string): Query<number | undefined> =>
  mapped(
    first(
      build
        .select({ id: sources.id })
        .from(sources)
        .where(
          sql`${eq(sources.url, URL.canParse(address) ? new URL(address).href : address)} AND NOT is_ending`,
        )
        .limit(1),
    ),
    found => found?.id,
  )

const UNDO = `${START}undo/`

/** A query of the source that the start has added. One that was there before, or for longer than changes can be undone, stays. */
const addedSource = ({ now }: RequestContext, { searchParams }: URL) =>
  first(
    build
      .select({ id: sources.id, name: sources.name })
      .from(sources)
      .where(
        and(
          eq(sources.id, idOf(searchParams, 'source')),
          eq(sources.is_ending, false),
          gte(sources.created_utc, formatInstant(toEpoch(now) - UNDO_MS)),
        ),
      ),
  )

const undoing = defineAdminPage({
  path: UNDO,
  requires,
  load: ({ context }, { url }) => addedSource(context, url),
  respond: (admin, { url, loaded: source }) => {
    const words = admin.texts.start
    return {
      title: words.undo,
      isNarrow: true,
      main: html`<h1>${words.undo}</h1><p class="lead">${words.undoText}</p>${source && html`<p dir="auto">${source.name}</p>`}
${form(admin, {
  action: UNDO + url.search,
  body: html`<div class="actions"><button class="button" type="submit">${admin.texts.history.undoNow}</button></div>`,
})}`,
    }
  },
  handle: async (admin, { url }) => {
    const { context } = admin
    const source = await context.db.read(addedSource(context, url))
    if (source) await submitOne(admin, { method: 'DELETE', path: `/sources/${source.id}?events=trash` })
    const outcome = await undo(admin, { request: (url.searchParams.get('request') ?? '').slice(0, 200) })
    if (!('to' in outcome)) return outcome
    const { isLanguageChosen, website } = await readSettings(context.db, ownSettings(context.settings))
    // The next page may be in another language again.
    const language = isLanguageChosen ? website.language : admin.browserLanguage
    const { start: words } = inLanguage(admin, language).texts
    return { to: HOME, notice: { text: words.undone, link: { href: START, text: words.title } } }
  },
})

export const startArea: Area = { routes: [start, nextEvents, undoing] }
