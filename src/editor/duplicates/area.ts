import * as z from 'zod/mini'
import {
  type DuplicateResponse,
  type DuplicateRow,
  selectDuplicates,
} from '../../calendar/duplicates/queries.ts'
import { EVENTS } from '../../calendar/events/resource.ts'
import type { EventRow } from '../../calendar/events/rows.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { oneOf } from '../../kit/http/params.ts'
import { proseIn } from '../../kit/lib/html.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { optionName, wordsOfField } from '../../site/forms/control.ts'
import { form, formText } from '../../site/forms/field-html.ts'
import { isDone, submitOne, submitOrThrow } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { nameOf, plain } from '../../site/html/text.ts'
import { describeWhen } from '../../site/html/when.ts'
import { costWords } from '../../words/cost.ts'
import { type Catalogue, filled } from '../../words/words.ts'
import { countText, type EditorContext } from '../context.ts'
import { editPath, venuesText } from '../events/rows.ts'
import { foldedValue } from '../history/values.ts'
import type { EditorPage } from '../layout.ts'
import { addressWith, pageAt, pageLinks, pageNumber, tabLinks } from '../lists.ts'
import { type Area, defineAction, defineEditorPage } from '../pages-and-actions.ts'
import { ifFormUnchanged, type ShownVersion, shownInput } from '../publish/versions.ts'
import {
  DUPLICATES_PATH,
  FORMER_DUPLICATES_PATH,
  hasSources,
  SOURCES_PATH,
  selectAskedCount,
} from '../source-paths.ts'

/** The states of pairs, each with a tab. */
const DUPLICATE_VIEWS = ['asked', 'joined', 'different'] as const
type DuplicateView = (typeof DUPLICATE_VIEWS)[number]

const duplicatesAddress = (view: DuplicateView, page = 1): string =>
  addressWith(DUPLICATES_PATH, { ...(view !== 'asked' && { view }), ...(page > 1 && { page }) })

/** The tabs of the area. @param askedCount the number of undecided pairs, up to `MAX_WAITING` */
export function sourceTabs(
  editor: EditorContext,
  current: DuplicateView | 'calendars',
  askedCount: number,
): Html {
  const tab = (name: DuplicateView | 'calendars', href: string) => ({
    href,
    text: editor.texts.duplicates[name],
    isCurrent: name === current,
    count: name === 'asked' && askedCount > 0 ? countText(editor.site, askedCount) : undefined,
  })
  const views = DUPLICATE_VIEWS.map(view => tab(view, duplicatesAddress(view)))
  return tabLinks(editor.texts.source.title, [
    ...(hasSources(editor) ? [tab('calendars', SOURCES_PATH)] : []),
    ...views,
  ])
}

type DuplicateList = {
  view: DuplicateView
  rows: readonly DuplicateRow[]
  page: number
  hasMore: boolean
  askedCount: number
}

function duplicatesPage(
  editor: EditorContext,
  { view, rows, page, hasMore, askedCount }: DuplicateList,
): EditorPage {
  const words = editor.texts.duplicates
  return {
    title: words[view],
    main: html`<div class="page-head"><h1>${editor.texts.source.title}</h1></div>
${sourceTabs(editor, view, askedCount)}
${rows.length > 0 && html`<p class="lead">${words[`${view}Text`]}</p>`}
${
  rows.length === 0
    ? html`<p class="empty">${view === 'asked' ? words.noneAsked : words.none}</p>`
    : html`<ol class="review">${rows.map(row => pairCard(editor, row, view))}</ol>`
}
${pageLinks(editor, { first: page > 1 && duplicatesAddress(view), next: hasMore && duplicatesAddress(view, page + 1) })}`,
  }
}

const eventTitle = ({ title, slug }: EventRow): string => nameOf(title, slug)

function pairName(words: Catalogue['duplicates'], [a, b]: readonly EventRow[]): string {
  const first = a ? eventTitle(a) : ''
  const other = b ? eventTitle(b) : ''
  return first === other ? first : filled(words.both, { a: first, b: other })
}

const versionsOf = ({ id, version, image }: EventRow): ShownVersion[] => [
  ['event', id, String(version)],
  ...(image ? [['image', image.id, String(image.version)] as const] : []),
]

/** A pair side by side, with the buttons to decide. */
function pairCard(editor: EditorContext, { pair: { id }, events }: DuplicateRow, view: DuplicateView): Html {
  const words = editor.texts.duplicates
  const button = (isSame: boolean, text: string, isPrimary: boolean) =>
    html`<button class="button${!isPrimary && ' button-quiet'}" name="same" value="${isSame ? '1' : '0'}" aria-describedby="pair-${id}">${text}</button>`
  return html`<li class="card"><article aria-labelledby="pair-${id}"><h2 id="pair-${id}" dir="auto">${pairName(words, events)}</h2>
${view === 'joined' && events[0]?.status === 'trash' && html`<p class="notice">${words.shownInTrash}</p>`}
${sideBySide(editor, events, view)}
${form(editor, {
  action: `${DUPLICATES_PATH}${id}/`,
  body: html`<input type="hidden" name="view" value="${view}">${shownInput(events.flatMap(versionsOf))}<div class="actions">${view !== 'joined' && button(true, view === 'asked' ? words.same : words.together, view === 'asked')}${
    view !== 'different' && button(false, view === 'asked' ? words.apart : words.separate, false)
  }</div>`,
})}
<p class="duplicate-links">${events.map(row => html`<a href="${editPath(row.id)}">${words.edit}${editor.site.words.colon}${originOf(words, row)}</a> `)}</p></article></li>\n`
}

/** The fields of an event that people compare, in words, with their labels. */
function comparedValues(
  { site, language, texts, context }: EditorContext,
  row: EventRow,
): [label: string, value: string][] {
  const event = EVENTS.serialize(row, context)
  const shownWhen = describeWhen(site, event)
  const labelled = (name: string, value: string): [string, string] => [
    wordsOfField(language, 'event', name).label,
    value,
  ]
  return [
    labelled('title', eventTitle(row)),
    [site.words.when, `${capitalized(shownWhen.day)}, ${shownWhen.time}`],
    labelled('venue', venuesText(row)),
    labelled('organizer', row.organizers.map(({ name }) => plain(name)).join(', ')),
    labelled('description', [row.excerpt, row.description].map(proseIn).join('\n').trim()),
    labelled(
      'cost',
      costWords({ language: site.language, currency: site.context.settings.currency }, event) ?? '',
    ),
    labelled('website', event.website),
    labelled('image', event.image ? texts.duplicates.yes : ''),
    labelled('status', optionName(language, 'event', 'status', row.status)),
  ]
}

const originOf = (words: Catalogue['duplicates'], { origin: { source } }: EventRow): string =>
  source ? plain(source.name) : words.own

/** A comparison of both events, field by field, with differences marked. */
function sideBySide(editor: EditorContext, rows: readonly EventRow[], view: DuplicateView): Html {
  const words = editor.texts.duplicates
  const values = rows.map(row => new Map(comparedValues(editor, row)))
  const names = [...(values[0]?.keys() ?? [])].filter(name => values.some(event => event.get(name) !== ''))
  return html`<table class="sides duplicates"><thead><tr><td></td>${rows.map(
    (row, i) =>
      html`<th scope="col">${originOf(words, row)}${view === 'joined' && i === 0 && row.status !== 'trash' && html` <span class="badge">${words.shown}</span>`}</th>`,
  )}</tr></thead>
<tbody>${names.map(name => {
    const isDifferent = new Set(values.map(event => event.get(name))).size > 1
    return html`<tr${isDifferent && html` class="is-taken"`}><th scope="row">${name}${isDifferent && html`<span class="hidden"> (${words.differs})</span>`}</th>${rows.map(
      (row, i) =>
        html`<td data-side="${originOf(words, row)}" dir="auto">${foldedValue(values[i]?.get(name) ?? '')}</td>`,
    )}</tr>\n`
  })}</tbody></table>`
}

const requires = 'manage_sources'

const PER_PAGE = 10

const list = defineEditorPage({
  path: DUPLICATES_PATH,
  requires,
  query: z.object({
    page: pageNumber,
    view: z.optional(oneOf(DUPLICATE_VIEWS, { description: 'Which of the tabs.' })),
  }),
  load: ({ context }, { query: { view = 'asked', page = 1 } }) =>
    combineQueries({
      pairs: selectDuplicates(context, {
        values: { state: view },
        // One pair more, to know whether there is a next page.
        page: { ...pageAt(page, PER_PAGE), perPage: PER_PAGE + 1 },
      }),
      asked: selectAskedCount,
    }),
  respond: (editor, { query: { view = 'asked', page = 1 }, loaded }) =>
    duplicatesPage(editor, {
      view,
      askedCount: loaded.asked ?? 0,
      // Either event may have been deleted for good.
      rows: loaded.pairs.slice(0, PER_PAGE).filter(({ events }) => events.length === 2),
      page,
      hasMore: loaded.pairs.length > PER_PAGE,
    }),
})

const decision = defineAction({
  path: `${DUPLICATES_PATH}:id{[0-9]+}/`,
  requires,
  handle: async (editor, { form: data, id }) => {
    const words = editor.texts.duplicates
    const isSame = formText(data, 'same') === '1'
    const request = { method: 'POST', path: `/duplicates/${id}`, body: { same: isSame } }
    const reply = await submitOrThrow(editor, request, ifFormUnchanged(data))
    // The tab from which the form was sent.
    const view = DUPLICATE_VIEWS.find(name => name === formText(data, 'view')) ?? 'asked'
    const to = duplicatesAddress(view)
    if (reply.status === 412) return { to, notice: { text: editor.texts.review.changed, isWarning: true } }
    if (!isDone(reply)) return { to, notice: { text: words.gone, isWarning: true } }
    // The route of this path returns it. The first event is the one in lists.
    const [shownEvent] = (reply.body as DuplicateResponse).events
    const title = plain(shownEvent?.title ?? '')
    const text = isSame ? filled(words.putTogether, { title }) : words.keptApart
    // The tab where the decision can be reversed.
    const link = { href: duplicatesAddress(isSame ? 'joined' : 'different'), text: words.see }
    return { to, notice: { text, link } }
  },
})

/** Separates joined events, from the page of one of them. */
const separation = defineAction({
  path: '/admin/events/:id{[0-9]+}/separate/',
  requires,
  handle: async (editor, { form: data, id }) => {
    const words = editor.texts.duplicates
    const reply = await submitOne(editor, { method: 'POST', path: `/events/${id}/separate` })
    const originId = Number(formText(data, 'back'))
    return {
      to: editPath(Number.isSafeInteger(originId) && originId > 0 ? originId : id),
      notice: isDone(reply) ? { text: words.keptApart } : { text: words.gone, isWarning: true },
    }
  },
})

const formerList = defineEditorPage({
  path: FORMER_DUPLICATES_PATH,
  requires,
  load: () => resolvedQuery(undefined),
  respond: (_, { url }) => ({ to: DUPLICATES_PATH + url.search }),
})

/** The pages of possible duplicates. The page of sources links to them while there are any. */
export const duplicatesArea: Area = {
  routes: [list, formerList, decision, separation],
  menu: [
    {
      path: DUPLICATES_PATH,
      label: texts => texts.duplicates.asked,
      requires,
      selectCount: selectAskedCount,
      isShown: editor => !hasSources(editor),
    },
  ],
}
