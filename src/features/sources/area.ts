import { and, eq } from 'drizzle-orm'
import { selectSourceById } from '../../calendar/imports/source.ts'
import type { PreviewResponse, RunResponse } from '../../calendar/imports/source-schema.ts'
import { countText, type EditorContext, shortMomentOf } from '../../editor/context.ts'
import { sourceTabs } from '../../editor/duplicates/area.ts'
import type { EditorPage } from '../../editor/layout.ts'
import { pageAt } from '../../editor/lists.ts'
import { logQuery, managedButtons } from '../../editor/managed.ts'
import { type Area, defineEditorPage, defineRequest } from '../../editor/pages-and-actions.ts'
import { handleForm } from '../../editor/resource-forms/resource.ts'
import { storedPage } from '../../editor/resource-forms/routes.ts'
import type { EditorResponse } from '../../editor/respond.ts'
import {
  NEW_FILE_PATH,
  SOURCES_PATH,
  selectAskedCount,
  sourcePath,
  typedAddress,
} from '../../editor/source-paths.ts'
import { combineQueries, many, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { sources } from '../../kit/db/tables.ts'
import { formText } from '../../site/forms/field-html.ts'
import { isDone, reasonsOf, replyValue, submitOne } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { plain } from '../../site/html/text.ts'
import { filled, plural } from '../../words/words.ts'
import { filePages } from './editor/file-pages.ts'
import { originText, runText, sourceName, stateBadge } from './editor/health.ts'
import {
  deletePage,
  type LoadedSource,
  RUNS_PER_PAGE,
  sourcePage,
  syncedText,
  undoneText,
  undoPage,
} from './editor/page.ts'
import { type ListedSource, NEW_SOURCE, selectAllSources, selectWaitingCount } from './editor/queries.ts'
import { addressPage, FOUND_INPUT, newSettings, packPreview, sourceForm } from './editor/settings.ts'
import { requireSource, selectNewestRun, selectRunPage } from './queries.ts'
import { managedSources } from './routes.ts'

function sourcesPage(
  editor: EditorContext,
  listedSources: readonly ListedSource[],
  askedCount: number,
): EditorPage {
  const words = editor.texts.source
  return {
    title: words.title,
    main: html`<div class="page-head"><h1>${words.title}</h1><p class="actions"><a class="button" href="${NEW_SOURCE}">${words.add}</a><a class="button button-quiet" href="${NEW_FILE_PATH}">${editor.texts.upload.title}</a></p></div>
${sourceTabs(editor, 'calendars', askedCount)}<p class="lead">${words.lead}</p>
${
  listedSources.length === 0
    ? html`<p class="empty">${words.none} ${words.steps}</p>`
    : html`<ul class="rows content-rows source-rows">${listedSources.map(listed => sourceItem(editor, listed))}</ul>`
}`,
  }
}

function sourceItem(editor: EditorContext, listedSource: ListedSource): Html {
  const { source, run } = listedSource
  return html`<li class="row"><p class="row-title"><a href="${sourcePath(source.id)}" dir="auto">${sourceName(source)}</a></p>
<p class="row-where">${originText(editor, source)}${run && html`<br>${runText(editor, run)}`}</p>
<p class="row-when">${run && shortMomentOf(editor, run.started_utc)}</p>
<p class="row-badges">${stateBadge(editor, listedSource)}</p></li>\n`
}

// Not `senderPages`: a source asks questions, is first looked up at an address, and may be a file, so only
// its settings page is like theirs.
const { requires } = managedSources
const ONE_SOURCE_PATH = `${SOURCES_PATH}:id{[0-9]+}/`

const listPage = defineEditorPage({
  path: SOURCES_PATH,
  requires,
  load: () => combineQueries({ listedSources: selectAllSources, asked: selectAskedCount }),
  respond: (editor, { loaded: { listedSources, asked } }) => sourcesPage(editor, listedSources, asked ?? 0),
})

const detailPage = defineEditorPage({
  path: ONE_SOURCE_PATH,
  requires,
  query: logQuery,
  load: (_, { id, query }): Query<LoadedSource> => {
    const page = pageAt(query.page ?? 1, RUNS_PER_PAGE)
    return combineQueries(
      {
        source: selectSourceById(id),
        newest: selectNewestRun(id),
        runs: selectRunPage(id, page),
      },
      ({ source, newest, runs }) => ({ source: requireSource(source), newest, runs, page }),
    )
  },
  respond: (editor, { loaded }) => sourcePage(editor, loaded),
})

/** Reads an address, and shows what was found with the settings for a new source. */
async function previewAddress(editor: EditorContext, typedText: string): Promise<EditorResponse> {
  const url = typedAddress(typedText)
  const reply = await submitOne(editor, { method: 'POST', path: '/sources/preview', body: { url } })
  if (!isDone(reply)) return addressPage(editor, { url: typedText, error: reasonsOf(editor, reply) })
  // The route of this path returns it.
  const preview = reply.body as PreviewResponse
  return newSettings(editor, { url, name: preview.name }, packPreview(preview))
}

const newPage = defineEditorPage({
  path: NEW_SOURCE,
  requires,
  load: () => resolvedQuery(undefined),
  respond: editor => addressPage(editor),
  handle: (editor, { form }) =>
    formText(form, 'do') === 'look'
      ? previewAddress(editor, formText(form, 'url').trim())
      : handleForm(editor, sourceForm(formText(form, FOUND_INPUT)), form),
})

const deletionPage = defineEditorPage({
  path: `${ONE_SOURCE_PATH}delete/`,
  requires,
  load: (_, { id }) => selectSourceById(id),
  respond: (editor, { loaded }) => deletePage(editor, requireSource(loaded)),
})

const undoingPage = defineEditorPage({
  path: `${ONE_SOURCE_PATH}undo/`,
  requires,
  load: (_, { id }) => combineQueries({ source: selectSourceById(id), run: selectNewestRun(id) }),
  respond: (editor, { loaded: { source, run } }) => undoPage(editor, requireSource(source), run),
})

const deleteAction = defineRequest({
  path: `${ONE_SOURCE_PATH}delete/`,
  requires,
  request: (_, { form, id }) => ({
    method: 'DELETE',
    path: `/sources/${id}${formText(form, 'events') === 'trash' ? '?events=trash' : ''}`,
  }),
  onDone: ({ words }, reply) => ({
    to: SOURCES_PATH,
    notice: { text: filled(words.deleted, { name: plain(String(replyValue(reply, 'name'))) }) },
  }),
  backPath: sourcePath,
})

const sourceButton = managedButtons(managedSources)

/** The card on the start page: failing sources, and the number of pending decisions. */
function selectSourcesCard(editor: EditorContext): Query<Html | ''> {
  const words = editor.texts.source
  return combineQueries(
    {
      waiting: selectWaitingCount,
      failing: many(
        build
          .select({ name: sources.name })
          .from(sources)
          .where(and(eq(sources.state, 'failing'), eq(sources.is_being_deleted, false)))
          .orderBy(sources.id)
          .limit(6),
      ),
    },
    ({ waiting, failing: rows }) => {
      const failing = rows.map(({ name }) => plain(name))
      if (waiting === 0 && failing.length === 0) return ''
      return html`<h2>${words.title}</h2>
${waiting > 0 && html`<p>${filled(plural(editor.language, words, 'card', waiting), { n: countText(editor.site, waiting) })}</p>`}
${failing.length > 0 && html`<p>${filled(words.cardFailing, { names: failing.length > 5 ? `${failing.slice(0, 5).join(', ')} …` : failing.join(', ') })}</p>`}
<p><a class="button" href="${SOURCES_PATH}">${words.look}</a></p>`
    },
  )
}

/** Sources: other calendars that are read on a schedule. */
export const sourcesArea: Area = {
  routes: [
    listPage,
    newPage,
    detailPage,
    storedPage(sourceForm()),
    deletionPage,
    undoingPage,
    ...filePages,
    sourceButton(
      'sync',
      { method: 'POST', path: () => '/sync' },
      // The route of this path returns it.
      (editor, reply) => syncedText(editor, reply.body as RunResponse),
    ),
    sourceButton(
      'undo',
      { method: 'POST', path: () => '/undo' },
      // The route of that path returns it.
      (editor, reply) => undoneText(editor, reply.body as RunResponse),
    ),
    sourceButton(
      'pause',
      { method: 'PATCH', body: { state: 'paused' } },
      ({ texts }) => texts.source.wasPaused,
    ),
    sourceButton('resume', { method: 'PATCH', body: { state: 'ok' } }, ({ texts }) => texts.source.resumed),
    deleteAction,
  ],
  menu: [
    { path: SOURCES_PATH, label: texts => texts.source.title, requires, selectCount: selectWaitingCount },
  ],
  start: [{ requires, selectCard: selectSourcesCard }],
}
