import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { WriteRequest } from '../../../context.ts'
import { many, mapped, type Query, settled, together } from '../../../db/query.ts'
import { sources } from '../../../db/schema.ts'
import { build } from '../../../db/statements.ts'
import { integer } from '../../../http/params.ts'
import { isObject } from '../../../lib/values.ts'
import { assertSource, newestRun, selectRunPage, sourceById } from '../../../resources/sources/queries.ts'
import type { PreviewResponse, RunResponse } from '../../../resources/sources/schema.ts'
import { filled, plural, sourceWords } from '../../../words/words.ts'
import { textOf } from '../../forms/element.ts'
import { reasonsOf } from '../../forms/errors.ts'
import { ask, isDone, submitOne, valueIn, type WriteReply } from '../../forms/requests.ts'
import { type Html, html } from '../../html/html.ts'
import { plain } from '../../html/text.ts'
import { type Admin, shortMomentOf } from '../admin.ts'
import { takeForm } from '../forms/resource.ts'
import { type AdminPage, countText } from '../layout.ts'
import type { Outcome } from '../respond.ts'
import { type AdminRoute, type Area, defineAction, defineAdminPage } from '../route.ts'
import { everyOf, failureIn, runText, sourceName, stateBadge } from './health.ts'
import { deletePage, type LoadedSource, RUNS_PER_PAGE, sourcePage, syncedText } from './page.ts'
import {
  allSources,
  type ListedSource,
  NEW_SOURCE,
  SOURCES,
  selectAsked,
  selectWaitingCount,
  sourcePath,
} from './queries.ts'
import { addressPage, FOUND, openSettings, packed, sourceResource, typedAddress } from './settings.ts'
import { sourceTabs, twinPages } from './twins.ts'

/** The page that lists the sources with their health. */
function sourcesPage(admin: Admin, found: readonly ListedSource[], asked: number): AdminPage {
  const words = sourceWords(admin.language)
  return {
    title: words.title,
    main: html`<div class="page-head"><h1>${words.title}</h1><a class="button" href="${NEW_SOURCE}">${words.add}</a></div>
${sourceTabs(admin, 'calendars', asked)}<p class="lead">${words.lead}</p>
${
  found.length === 0
    ? html`<p class="empty">${words.none} ${words.steps}</p>`
    : html`<ul class="rows content-rows source-rows">${found.map(listed => item(admin, listed))}</ul>`
}`,
  }
}

function item(admin: Admin, listed: ListedSource): Html {
  const { source, run } = listed
  const words = sourceWords(admin.language)
  const { host } = new URL(source.url)
  return html`<li class="row"><p class="row-title"><a href="${sourcePath(source.id)}" dir="auto">${sourceName(source)}</a></p>
<p class="row-where">${host} · ${everyOf(words, source)}${run && html`<br>${runText(admin, run)}`}</p>
<p class="row-when">${run && shortMomentOf(admin, run.started_utc)}</p>
<p class="row-badges">${stateBadge(admin, listed)}</p></li>\n`
}

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
  load: (_, { id, query }): Query<LoadedSource> => {
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

/** Reads an address, and shows what was found with the settings for a new source. */
async function lookAt(admin: Admin, typed: string): Promise<Outcome> {
  const url = typedAddress(typed)
  const reply = await submitOne(admin, { method: 'POST', path: '/sources/preview', body: { url } })
  if (!isDone(reply)) return addressPage(admin, { url: typed, error: lookError(admin, reply) })
  // The route of that path returns it.
  const found = reply.body as PreviewResponse
  return openSettings(admin, { values: { url, name: found.name }, found: packed(found) })
}

function lookError({ language }: Admin, { body }: WriteReply): string {
  const params = isObject(body) && isObject(body.data) && isObject(body.data.params) ? body.data.params : {}
  const reason = String(params.url ?? '')
  if (reason.startsWith('cannot be read')) return failureIn(sourceWords(language), reason)
  return reasonsOf({ language }, { body })
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
  load: (_, { id }) => sourceById(id),
  respond: (admin, { loaded }) => openSettings(admin, { row: assertSource(loaded) }),
})

const change = defineAction({
  path: `${ONE}settings/`,
  requires,
  handle: (admin, { form, id }) => takeForm(admin, sourceResource(), { data: form, id }),
})

type Asked = Pick<WriteRequest, 'method' | 'body'> & { path?: string }

/** An action with one button: a request of the API, and the notice afterwards. */
const button = (
  part: string,
  request: (form: FormData) => Asked,
  said: (admin: Admin, reply: WriteReply) => string,
): AdminRoute =>
  defineAction({
    path: `${ONE}${part}/`,
    requires,
    handle: async (admin, { form, id }) => {
      const { path = '', ...asked } = request(form)
      const reply = await ask(admin, { ...asked, path: `/sources/${id}${path}` })
      const text = isDone(reply) ? said(admin, reply) : reasonsOf(admin, reply)
      return { to: part === 'delete' ? SOURCES : sourcePath(id), notice: { text } }
    },
  })

const removal = defineAdminPage({
  path: `${ONE}delete/`,
  requires,
  load: (_, { id }) => sourceById(id),
  respond: (admin, { loaded }) => deletePage(admin, assertSource(loaded)),
})

/** The card on the start page: failing sources, and the number of pending decisions. */
function sourcesCard(admin: Admin): Query<Html | ''> {
  const words = sourceWords(admin.language)
  return mapped(
    together({
      waiting: selectWaitingCount,
      failing: many(
        build
          .select({ name: sources.name })
          .from(sources)
          .where(and(eq(sources.state, 'failing'), eq(sources.is_ending, false)))
          .orderBy(sources.id)
          .limit(6),
      ),
    }),
    ({ waiting, failing: rows }) => {
      const failing = rows.map(({ name }) => plain(name))
      if (waiting === 0 && failing.length === 0) return ''
      return html`<h2>${words.title}</h2>
${waiting > 0 && html`<p>${filled(plural(admin.language, words, 'card', waiting), { n: countText(admin, waiting) })}</p>`}
${failing.length > 0 && html`<p>${filled(words.cardFailing, { names: failing.length > 5 ? `${failing.slice(0, 5).join(', ')} …` : failing.join(', ') })}</p>`}
<p><a class="button" href="${SOURCES}">${words.look}</a></p>`
    },
  )
}

/** Sources: other calendars that are read on a schedule. */
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
    button(
      'sync',
      () => ({ method: 'POST', path: '/sync' }),
      // The route of that path returns it.
      (admin, reply) => syncedText(admin, reply.body as RunResponse),
    ),
    button(
      'pause',
      () => ({ method: 'PATCH', body: { state: 'paused' } }),
      ({ language }) => sourceWords(language).wasPaused,
    ),
    button(
      'resume',
      () => ({ method: 'PATCH', body: { state: 'ok' } }),
      ({ language }) => sourceWords(language).resumed,
    ),
    button(
      'delete',
      form => ({ method: 'DELETE', path: textOf(form, 'events') === 'trash' ? '?events=trash' : '' }),
      ({ words }, reply) => filled(words.deleted, { name: plain(String(valueIn(reply, 'name'))) }),
    ),
  ],
  menu: [
    { path: SOURCES, label: language => sourceWords(language).title, requires, count: selectWaitingCount },
  ],
  start: [{ requires, query: sourcesCard }],
}
