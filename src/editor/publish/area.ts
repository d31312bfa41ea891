import { type SQL, sql } from 'drizzle-orm'
import { ownedByCallerSql } from '../../calendar/content/visibility.ts'
import { SCOPES, type Scope } from '../../calendar/events/recurrence-fields.ts'
import type { BaseContext } from '../../kit/context.ts'
import { allOf, inList, mapQuery, type Query } from '../../kit/db/query.ts'
import { events } from '../../kit/db/tables.ts'
import { withQuery } from '../../kit/http/lists.ts'
import { form } from '../../site/forms/field-html.ts'
import { type Html, html } from '../../site/html/html.ts'
import { nameOf } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { editPath } from '../events/rows.ts'
import type { EditorPage } from '../layout.ts'
import { type Area, defineEditorPage } from '../pages-and-actions.ts'
import { MAX_PARTS } from '../programme/parts.ts'
import { notePage } from '../respond.ts'
import { byline, publishedContent } from './content.ts'
import {
  type PublishResult,
  publish,
  publishedText,
  readShownEvents,
  type ShownEvent,
  shownVersionsText,
  versionsIn,
} from './publish.ts'
import { mainRow, type PublishableEvent, selectPublishable } from './queries.ts'

// The page that shows everything that becomes public with some events. The list and the form lead to it,
// since they show less.

const PUBLISH = '/admin/publish/'

/**
 * The most events that are published at once, a whole programme, and the most dates of a series with values
 * of their own.
 */
const MAX_PUBLISHED = 1 + MAX_PARTS
const MAX_DATES = 300

/** The request of the page: events, or dates of one series, and where to return. */
type PublishRequest = { events: readonly number[]; scope: Scope; backPath: string }

/** The address of the page for some events. */
export const publishPath = ({ events, scope, backPath }: PublishRequest): string =>
  withQuery(PUBLISH, {
    event: events.slice(0, MAX_PUBLISHED).join(),
    ...(scope !== 'this' && { scope }),
    back: backPath,
  })

function requestIn({ searchParams }: URL): PublishRequest {
  const ids = (searchParams.get('event') ?? '').split(',').filter(text => /^\d{1,15}$/.test(text))
  const backPath = searchParams.get('back') ?? ''
  return {
    events: [...new Set(ids.map(Number))].slice(0, MAX_PUBLISHED),
    scope: SCOPES.find(name => name === searchParams.get('scope')) ?? 'this',
    backPath: /^\/admin\/(?:review\/|events\/(?:\d{1,15}\/)?)(?:\?[\x20-\x7e]*)?$/.test(backPath)
      ? backPath
      : '/admin/events/',
  }
}

/** A condition for events that the caller may publish; of a series, the date that represents the others. */
const publishableSql = (context: BaseContext, scope: Scope): SQL =>
  allOf([
    ownedByCallerSql(events, context),
    ...(scope === 'this' ? [sql`${events.status} IN ('draft', 'pending', 'private')`] : []),
  ])

/** A query for the requested events that the caller may publish. */
export const selectToPublish = (
  context: BaseContext,
  { events: ids, scope }: Omit<PublishRequest, 'backPath'>,
): Query<PublishableEvent[]> =>
  mapQuery(
    selectPublishable(context, {
      // A wider scope names dates of one series only.
      ids: sql`SELECT ${events.id} AS id FROM ${events}
        WHERE ${events.id} IN ${inList(scope === 'this' ? ids : ids.slice(0, 1))} AND ${publishableSql(context, scope)}`,
      seriesWideSql: scope === 'this' ? sql`0` : sql`1`,
      scope,
      maxDates: MAX_DATES,
    }),
    items => items.filter(({ dates }) => dates?.count !== 0),
  )

type PublishPageContent = {
  items: readonly PublishableEvent[]
  /** The versions shown before, and the reasons why they were not published. */
  tried?: { shown: ReadonlyMap<number, ShownEvent> } & Pick<PublishResult, 'published' | 'failed'>
}

function publishPage(
  editor: EditorContext,
  request: PublishRequest,
  { items, tried }: PublishPageContent,
): EditorPage {
  const words = editor.texts.publish
  const completeItems = items.filter(({ isComplete }) => isComplete)
  if (items.length === 0)
    return notePage({
      title: words.nothing,
      status: 404,
      text: words.leftOut,
      link: { href: request.backPath, text: words.notNow },
    })
  const n = editor.site.dates.number(completeItems.length)
  const button = completeItems.length === 1 ? editor.words.publish : filled(words.publishAll, { n })
  const lead = tried
    ? html`<div class="form-error" role="alert" tabindex="-1" autofocus><p>${words.changed}</p></div>`
    : html`<p class="lead">${words.lead}</p>`
  return {
    title: words.title,
    status: tried ? 412 : 200,
    notice: tried?.published.length ? { text: publishedText(editor, tried.published) } : undefined,
    main: html`<h1>${words.title}</h1>
${lead}
${!tried && items.length < request.events.length && html`<p>${words.leftOut}</p>`}
<ol class="review">${items.map(item => itemCard(editor, item, tried))}</ol>
${form(editor, {
  action: publishPath(request),
  body: html`${completeItems.map(item => html`<input type="hidden" name="event" value="${shownVersionsText(item)}">`)}
<div class="actions">${completeItems.length > 0 && html`<button class="button" type="submit">${button}</button>`}
<a class="button button-quiet" href="${request.backPath}">${words.notNow}</a></div>`,
})}`,
  }
}

function itemCard(editor: EditorContext, item: PublishableEvent, tried: PublishPageContent['tried']): Html {
  const { row, isComplete } = item
  const before = tried?.shown.get(row.id)
  const { title, slug } = mainRow(item)
  const failure = tried?.failed.get(row.id)
  return html`<li class="card" id="event-${row.id}"><article aria-labelledby="title-${row.id}">
<h2 id="title-${row.id}">${nameOf(title, slug)}</h2>
${failure && html`<p class="field-error">${failure}</p>`}
${publishedContent(editor, item, before && versionsIn(before))}
${!isComplete && html`<p class="form-error">${editor.texts.publish.tooManyDates}</p>`}
<p class="review-by">${byline(editor, item)} <a href="${editPath(row.id)}">${editor.texts.review.edit}</a></p>
</article></li>\n`
}

const publishRoute = defineEditorPage({
  path: PUBLISH,
  requires: 'publish_content',
  load: ({ context }, { url }) => selectToPublish(context, requestIn(url)),
  respond: (editor, { url, loaded }) => publishPage(editor, requestIn(url), { items: loaded }),
  handle: async (editor, { url, form: formData }) => {
    const request = requestIn(url)
    const shownEvents = readShownEvents(formData, MAX_PUBLISHED)
    const query = mapQuery(selectToPublish(editor.context, request), items =>
      items.filter(({ row }) => shownEvents.has(row.id)),
    )
    const { published, failed } = await publish(editor, query, shownEvents)
    if (failed.size > 0) {
      const items = (await editor.context.db.read(query)).filter(({ row }) => failed.has(row.id))
      return publishPage(editor, request, { items, tried: { shown: shownEvents, published, failed } })
    }
    if (published.length === 0) return publishPage(editor, request, { items: [] })
    return { to: request.backPath, notice: { text: publishedText(editor, published) } }
  },
})

/** Publishing with a preview of everything that becomes public. */
export const publishArea: Area = { routes: [publishRoute] }
