import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { combineQueries, countOf, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { integer, search } from '../../kit/http/params.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { proseIn } from '../../kit/lib/html.ts'
import { lazyPattern } from '../../kit/lib/pattern.ts'
import { isObject } from '../../kit/lib/values.ts'
import { type FieldWords, fieldWords } from '../../site/forms/control.ts'
import { blank } from '../../site/forms/entries.ts'
import { form, formText } from '../../site/forms/field-html.ts'
import { ifVersion, isDone, reasonsOf, submitOne } from '../../site/forms/requests.ts'
import { backLink, type Html, html } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import { eventsLabel } from '../content/area.ts'
import {
  type ContentListItem,
  EDITED_RESOURCES,
  type EditedResource,
  EVENT_LINKS,
  type LoadedContent,
  PER_PAGE,
  requireEditable,
  resourcePath,
} from '../content/resources.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { findInput, listFinder } from '../lists.ts'
import { type Area, defineEditorPage } from '../pages-and-actions.ts'
import { ifFormUnchanged, type ShownVersion, selectVersions, shownInput } from '../publish/versions.ts'

/** A query for the number of events that move: events of the first item that the other does not have. */
function selectMovingCount({ name }: EditedResource, id: number, survivorId: SQL): Query<number> {
  const links = EVENT_LINKS[name]
  return countOf(sql`${links} AS own WHERE own.target_id = ${id} AND NOT EXISTS (
    SELECT 1 FROM ${links} AS other WHERE other.event_id = own.event_id AND other.target_id = ${survivorId})`)
}

const mergeQuery = z.object({
  search: blank(search({ description: 'Words in the name of the other.' })),
  into: blank(integer({ description: 'Id of the one that stays.' })),
})

const versionedKind = ({ singular }: EditedResource) =>
  singular === 'category' || singular === 'tag' ? 'term' : singular

/** A query for everything on the page: both items, or a search by name. */
const selectMerge = (
  { context }: EditorContext,
  resource: EditedResource,
  id: number,
  { search, into }: Partial<z.output<typeof mergeQuery>>,
) =>
  combineQueries({
    from: resource.selectOne(context, id),
    into: into === undefined ? resolvedQuery(undefined) : resource.selectOne(context, into),
    items:
      into !== undefined || search === undefined
        ? resolvedQuery<ContentListItem[]>([])
        : resource.selectList(context, { search }),
    movingCount: into === undefined ? resolvedQuery(0) : selectMovingCount(resource, id, sql`${into}`),
    // The versions of both items, including their images.
    shown: combineQueries(
      into === undefined ? [] : [id, into].map(merged => selectVersions(versionedKind(resource), merged)),
    ),
  })

/** The number of words of a name that are searched for at first. */
const MAX_WORDS = 4
const WORDS = lazyPattern(String.raw`[\p{L}\p{N}]{3,}`, 'gu')
const longestWords = (name: string): string[] =>
  [...new Set(name.toLowerCase().match(WORDS()) ?? [])]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_WORDS)

/** A query for other items that share a word of the name. */
const selectAlike = (
  { context }: EditorContext,
  resource: EditedResource,
  { name }: LoadedContent,
): Query<ContentListItem[]> =>
  combineQueries(
    longestWords(name).map(search => resource.selectList(context, { search })),
    lists => {
      const itemsById = new Map(lists.flat().map(item => [item.id, item]))
      return [...itemsById.values()].slice(0, PER_PAGE)
    },
  )

/** The page for choosing the one to keep. */
function choicePage(
  editor: EditorContext,
  resource: EditedResource,
  content: LoadedContent,
  items: readonly ContentListItem[],
  search: string,
): EditorPage {
  const words = editor.texts.merge
  const path = `${resourcePath(resource, content.id)}merge/`
  const title = filled(words.title, { name: content.name })
  const otherItems = items.filter(({ id, isEditable }) => id !== content.id && isEditable)
  return {
    title,
    main: html`${backLink(resourcePath(resource, content.id), content.name)}<h1>${title}</h1><p class="lead">${filled(words.choose, { name: content.name })}</p>
<search class="find">${listFinder(editor, { action: path, fields: findInput('search', editor.words.byName, search) })}</search>
${
  otherItems.length === 0
    ? html`<p class="empty">${words.none}</p>`
    : html`<ul class="rows content-rows">${otherItems.map(
        ({ id, name, detail, eventCount }) =>
          html`<li class="row"><p class="row-title" id="name-${id}">${name}</p><p class="row-where">${[detail, eventsLabel(editor, eventCount)].filter(Boolean).join(' · ')}</p>
<p class="row-badges"><a class="button button-quiet" href="${path}?into=${id}" aria-describedby="name-${id}">${words[`keep_${resource.name}`]}</a></p></li>\n`,
      )}</ul>`
}`,
  }
}

/** Fields that are not filled in from the other item. */
const UNMERGED_FIELDS = ['author', 'date', 'status', 'show_map', 'show_map_link', 'parent', 'slug']

function displayValue(field: string, value: unknown): string {
  if (value === undefined || value === null || value === false) return ''
  if (isObject(value)) return [value.alt_text, value.url].filter(Boolean).join(' ')
  // The addresses behind its links become public as well.
  return plain(field === 'description' ? proseIn(String(value)) : String(value))
}

/** A comparison of both items, field by field, with the result. */
function sideBySide(
  editor: EditorContext,
  { singular }: EditedResource,
  from: LoadedContent,
  survivor: LoadedContent,
): Html {
  const words = editor.texts.merge
  const fields: Readonly<Record<string, FieldWords>> = fieldWords(editor.language)[singular]
  const body = (content: LoadedContent): Readonly<Record<string, unknown>> => ({ ...content.body })
  const rows = Object.entries(fields).flatMap(([field, { label }]) => {
    const goes = displayValue(field, body(from)[field])
    const stays = displayValue(field, body(survivor)[field])
    return UNMERGED_FIELDS.includes(field) || (goes === '' && stays === '') ? [] : [{ label, goes, stays }]
  })
  return html`<table class="sides"><thead><tr><th scope="col">${words.field}</th><th scope="col">${words.goes}${editor.site.words.colon}${from.name}</th><th scope="col">${words.stays}${editor.site.words.colon}${survivor.name}</th></tr></thead>
<tbody>${rows.map(({ label, goes, stays }) => {
    const isTaken = stays === '' && goes !== ''
    const result =
      isTaken && html`<span class="nothing">${words.afterwards}${editor.site.words.colon}${goes}</span>`
    return html`<tr><th scope="row">${label}</th>
<td data-side="${words.goes}"${isTaken && html` class="is-taken"`}>${goes}</td>
<td data-side="${words.stays}">${stays}${result}</td></tr>\n`
  })}</tbody></table>`
}

type Comparison = {
  from: LoadedContent
  into: LoadedContent
  movingCount: number
  shown: readonly ShownVersion[][]
  error?: string
}

function comparisonPage(
  editor: EditorContext,
  resource: EditedResource,
  { from, into, movingCount, shown, error }: Comparison,
): EditorPage {
  const words = editor.texts.merge
  const path = `${resourcePath(resource, from.id)}merge/`
  const title = filled(words.compare, { name: from.name, into: into.name })
  const moves = movingCount === 0 ? words.movesNone : countedText(editor, words, 'moves', movingCount)
  return {
    title,
    ...(error && { status: 409 as const }),
    main: html`${backLink(resourcePath(resource, from.id), from.name)}<h1>${title}</h1>
${error && html`<p class="form-error" role="alert">${error}</p>`}
<p class="lead">${moves} ${resource.name === 'categories' && words.children}</p>
${into.status !== 'publish' && html`<p class="form-error">${words.hidden}</p>`}
${sideBySide(editor, resource, from, into)}
<p class="merge-final">${filled(words.final, { name: from.name })}</p>
${form(editor, {
  action: path,
  body: html`<input type="hidden" name="into" value="${into.id}"><input type="hidden" name="version" value="${from.version}">${shownInput(shown.flat())}
<div class="actions"><button class="button" type="submit">${words.mergeNow}</button> <a class="button button-quiet" href="${path}">${words.another}</a></div>`,
})}`,
  }
}

const notFoundError = () => new ApiError('rest_no_route', 'There is nothing with this id.')

function mergePage(resource: EditedResource) {
  const path = `${resourcePath(resource)}:id{[0-9]+}/merge/`
  return defineEditorPage({
    path,
    requires: resource.requires,
    query: mergeQuery,
    load: (editor, { id, query }) => selectMerge(editor, resource, id, query),
    respond: async (editor, { query: { search, into }, loaded }) => {
      const { context } = editor
      const from = requireEditable(resource, loaded.from)
      if (into !== undefined) {
        if (into === from.id || !loaded.into) throw notFoundError()
        const survivor = requireEditable(resource, loaded.into)
        return comparisonPage(editor, resource, { ...loaded, from, into: survivor })
      }
      if (search !== undefined) return choicePage(editor, resource, from, loaded.items, search)
      const alike = await context.db.read(selectAlike(editor, resource, from))
      const similarItems = alike.filter(({ id }) => id !== from.id)
      return choicePage(
        editor,
        resource,
        from,
        similarItems.length > 0 ? similarItems : await context.db.read(resource.selectList(context, {})),
        '',
      )
    },
    handle: async (editor, { id, form: formData }) => {
      const { context, texts } = editor
      const survivorId = Number(formData.get('into'))
      const contents = await context.db.read(selectMerge(editor, resource, id, { into: survivorId || 0 }))
      const from = requireEditable(resource, contents.from)
      const survivor = requireEditable(resource, contents.into)
      const merge = {
        method: 'POST',
        path: `/${resource.name}/${id}/merge`,
        body: { into: survivorId },
        headers: ifVersion(formText(formData, 'version')),
      }
      const reply = await submitOne(editor, merge, ifFormUnchanged(formData))
      const names = { name: from.name, into: survivor.name }
      if (isDone(reply))
        return {
          to: resourcePath(resource, survivor.id),
          notice: { text: filled(texts.merge.done, names) },
        }
      const error =
        reply.status === 412
          ? texts.review.changed
          : `${texts.merge.refused}${editor.site.words.colon}${reasonsOf(editor, reply)}`
      return comparisonPage(editor, resource, { ...contents, from, into: survivor, error })
    },
  })
}

export const mergeArea: Area = {
  routes: EDITED_RESOURCES.map(mergePage),
}
