import * as z from 'zod/mini'
import { mapped, type Query, settled, together } from '../../db/query.ts'
import { integer } from '../../http/params.ts'
import { isObject } from '../../lib/values.ts'
import { filled } from '../../lib/words.ts'
import { assertSource, newestRun, selectRunPage, sourceById } from '../../sources/resource/queries.ts'
import type { PreviewResponse, RunResponse } from '../../sources/resource/schema.ts'
import type { Admin } from '../admin.ts'
import type { Area } from '../area.ts'
import { idIn } from '../content/resource.ts'
import { errorsOf } from '../forms/errors.ts'
import { takeForm } from '../forms/resource.ts'
import { textOf } from '../posted.ts'
import type { Outcome } from '../respond.ts'
import { type AdminRoute, defineAction, defineAdminPage } from '../route.ts'
import { isDone, submitOne, type WriteReply } from '../submit.ts'
import { formWords } from '../words/forms.ts'
import { sourceWords } from '../words/sources.ts'
import { addressPage, packed, typedAddress } from './add.ts'
import { sourceName } from './health.ts'
import { sourcesPage } from './list.ts'
import { deletePage, type LoadedSource, RUNS_PER_PAGE, sourcePage, syncedText } from './page.ts'
import { NEW_SOURCE, SOURCES, sourcePath } from './paths.ts'
import { allSources } from './queries.ts'
import { failureIn } from './reasons.ts'
import { FOUND, openSettings, sourceResource } from './settings.ts'
import { selectAsked, selectWaitingCount, sourcesCard } from './start.ts'
import { twinPages } from './twin-routes.ts'

const requires = 'manage_sources'
const ONE = `${SOURCES}:id{[0-9]+}/`

const list = defineAdminPage({
  path: SOURCES,
  requires,
  load: () => together({ found: allSources, asked: selectAsked }),
  respond: (admin, { loaded: { found, asked } }) => sourcesPage(admin, found, asked ?? 0),
})

const one = defineAdminPage({
  path: ONE,
  requires,
  query: z.object({ page: z.optional(integer({ description: 'Page of the runs.' })) }),
  load: (_, { params, query }): Query<LoadedSource> => {
    const id = idIn(params)
    const page = Math.min(query.page ?? 1, 1_000)
    return mapped(
      together({
        source: sourceById(id),
        newest: newestRun(id),
        runs: selectRunPage(id, { page, perPage: RUNS_PER_PAGE, offset: (page - 1) * RUNS_PER_PAGE }),
      }),
      ({ source, newest, runs }) => ({ source: assertSource(source), newest, runs, page }),
    )
  },
  respond: (admin, { loaded }) => sourcePage(admin, loaded),
})

const start = defineAdminPage({
  path: NEW_SOURCE,
  requires,
  load: () => settled(undefined),
  respond: admin => addressPage(admin),
})

/** Looks at an address, and shows what is there with the settings of a new calendar. */
async function lookAt(admin: Admin, typed: string): Promise<Outcome> {
  const url = typedAddress(typed)
  const reply = await submitOne(admin, { method: 'POST', path: '/sources/preview', body: { url } })
  if (!isDone(reply)) return addressPage(admin, { url: typed, error: lookError(admin, reply) })
  // Of the route of that path.
  const found = reply.body as PreviewResponse
  return openSettings(admin, { values: { url, name: found.name }, found: packed(found) })
}

function lookError({ language }: Admin, { body }: WriteReply): string {
  const params = isObject(body) && isObject(body.data) && isObject(body.data.params) ? body.data.params : {}
  const reason = String(params.url ?? '')
  if (reason.startsWith('cannot be read')) return failureIn(sourceWords(language), reason)
  return [...errorsOf(formWords(language), body).values()].join(' ')
}

const add = defineAction({
  path: NEW_SOURCE,
  requires,
  handle: (admin, { form }) =>
    textOf(form, 'do') === 'look'
      ? lookAt(admin, textOf(form, 'url').trim())
      : takeForm(admin, sourceResource(textOf(form, FOUND)), { data: form, id: undefined }),
})

const settings = defineAdminPage({
  path: `${ONE}settings/`,
  requires,
  load: (_, { params }) => sourceById(idIn(params)),
  respond: (admin, { loaded }) => openSettings(admin, { row: assertSource(loaded) }),
})

const change = defineAction({
  path: `${ONE}settings/`,
  requires,
  handle: (admin, { form, params }) => takeForm(admin, sourceResource(), { data: form, id: idIn(params) }),
})

/** An action with one button: a request of the API, and what is said of its reply. */
const action = (
  part: string,
  request: (form: FormData) => { method: string; path?: string; body?: object },
  done: (admin: Admin, reply: WriteReply, name: string) => { text: string; to?: string },
): AdminRoute =>
  defineAction({
    path: `${ONE}${part}/`,
    requires,
    handle: async (admin, { form, params }) => {
      // Whoever comes late finds the page, or that there is none.
      const source = assertSource(await admin.context.db.get(sourceById(idIn(params))))
      const { method, path = '', body } = request(form)
      const reply = await submitOne(admin, { method, path: `/sources/${source.id}${path}`, body })
      const { text, to = sourcePath(source.id) } = done(admin, reply, sourceName(source))
      return { to, notice: { text } }
    },
  })

const removal = defineAdminPage({
  path: `${ONE}delete/`,
  requires,
  load: (_, { params }) => sourceById(idIn(params)),
  respond: (admin, { loaded }) => deletePage(admin, assertSource(loaded)),
})

/** What is said of a change that was made, or could not be. */
const said = (admin: Admin, reply: WriteReply, text: string): string =>
  isDone(reply) ? text : [...errorsOf(formWords(admin.language), reply.body).values()].join(' ')

/** Calendars elsewhere that are read on a schedule. */
export const sourcesArea: Area = {
  routes: [
    list,
    start,
    add,
    one,
    settings,
    change,
    removal,
    ...twinPages,
    action(
      'sync',
      () => ({ method: 'POST', path: '/sync' }),
      (admin, reply) => ({
        // Of the route of that path.
        text: isDone(reply) ? syncedText(admin, reply.body as RunResponse) : sourceWords(admin.language).busy,
      }),
    ),
    action(
      'pause',
      () => ({ method: 'PATCH', body: { state: 'paused' } }),
      (admin, reply) => ({ text: said(admin, reply, sourceWords(admin.language).wasPaused) }),
    ),
    action(
      'resume',
      () => ({ method: 'PATCH', body: { state: 'ok' } }),
      (admin, reply) => ({ text: said(admin, reply, sourceWords(admin.language).resumed) }),
    ),
    action(
      'delete',
      form => ({ method: 'DELETE', path: textOf(form, 'events') === 'trash' ? '?events=trash' : '' }),
      (admin, reply, name) => ({
        text: said(admin, reply, filled(sourceWords(admin.language).deleted, { name })),
        to: SOURCES,
      }),
    ),
  ],
  menu: [
    { path: SOURCES, label: language => sourceWords(language).title, requires, count: selectWaitingCount },
  ],
  start: [{ requires, query: sourcesCard }],
}
