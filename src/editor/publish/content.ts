import type { ImageResponse } from '../../calendar/content/resource.ts'
import { UPLOADS } from '../../calendar/content/uploads.ts'
import { EVENTS } from '../../calendar/events/resource.ts'
import type { EventRow } from '../../calendar/events/rows.ts'
import type { EventResponse } from '../../calendar/events/schema.ts'
import { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import { toHtml } from '../../kit/lib/html.ts'
import { capitalized } from '../../kit/lib/text.ts'
import type { DateTime } from '../../kit/lib/time.ts'
import { storedJson } from '../../kit/lib/values.ts'
import { EVENT_FORM, IMAGE_FORM, ORGANIZER_FORM, VENUE_FORM } from '../../site/forms/forms.ts'
import { fieldList } from '../../site/forms/render.ts'
import { isOver } from '../../site/html/events.ts'
import { type Html, html, imageAttributes } from '../../site/html/html.ts'
import { plain } from '../../site/html/text.ts'
import { describeWhen, repeatWords } from '../../site/html/when.ts'
import { filled } from '../../words/words.ts'
import { type EditorContext, momentOf } from '../context.ts'
import { addressLine, describedContent } from './description.ts'
import {
  describedTerms,
  detachedFields,
  mainRow,
  type NewVenueOrOrganizer,
  ownFields,
  type PublishableEvent,
  unjudgedFields,
} from './queries.ts'
import { type ShownVersion, versionText } from './versions.ts'

/** The fields that are shown elsewhere on the page, or are not public. */
const OMITTED_FIELDS = [
  ...['title', 'start_date', 'end_date', 'all_day', 'recurrence', 'description', 'image'],
  ...['status', 'author', 'date'],
]

/** The versions that were shown before, according to the form; undefined the first time. */
type ShownBefore = ReadonlySet<string> | undefined

/** Everything that becomes public with an event except its title. Changes since the last look are marked. */
export function publishedContent(editor: EditorContext, item: PublishableEvent, before: ShownBefore): Html {
  const { row, shared, dates, newLinks, hiddenNames } = item
  const main = mainRow(item)
  const shownDates = dates ? item.ownDates.filter(date => ownFields(date).length > 0) : []
  const sharedRow = !dates && shared && detachedFields(row).length > 0 ? shared : undefined
  const { publish } = editor.texts
  const versions: ShownVersion[] = [
    ...(main === row ? [] : ([['series', main.id, `${main.version}`]] as const)),
    ['event', row.id, `${row.version}`],
    ...main.terms.map(({ id, version }) => ['term', id, `${version}`] as const),
  ]
  return html`${whenContent(editor, item)}
${dates && shared && changeMark(editor, before, ['dates', shared.id, dates.version])}
${changeMark(editor, before, ...versions)}
${eventContent(editor, item, before)}
${newLinks.map(link => linkContent(editor, item, link, before))}
${termsContent(editor, item, before)}
${hiddenNames.length > 0 && html`<p class="small">${filled(publish.stayHidden, { names: hiddenNames.join(', ') })}</p>`}
${shownDates.length > 0 && ownDatesContent(editor, item, shownDates, before)}
${
  sharedRow &&
  html`<details class="review-rest"><summary>${publish.series}</summary>
${changeMark(editor, before, ['series', sharedRow.id, `${sharedRow.version}`])}
${ownContent(editor, item, sharedRow, detachedFields(row))}</details>`
}`
}

/** A mark for something that changed since it was shown. */
const changeMark = (
  { texts }: EditorContext,
  before: ShownBefore,
  ...shownVersions: ShownVersion[]
): Html | '' =>
  before && shownVersions.some(version => !before.has(versionText(version)))
    ? html`<p class="review-changed"><strong>${texts.publish.isChanged}</strong></p>`
    : ''

/** Who an event is from, and when it was changed last. */
export function byline(editor: EditorContext, item: PublishableEvent): Html {
  const { review } = editor.texts
  const { row, author } = item
  const { source } = row.origin
  const { website } = mainRow(item)
  const name = source && plain(source.name)
  const sender = !name ? author : source.url === '' ? name : filled(review.otherCalendar, { name })
  const original = name && website && URL.canParse(website) ? new URL(website) : undefined
  return html`${filled(review.by, { login: sender, when: momentOf(editor, row.modified_utc) })}${
    original && html` <a href="${original.href}" rel="nofollow noopener">${original.host}</a>`
  }`
}

function whenContent(editor: EditorContext, { row, shared, dates, scope }: PublishableEvent): Html {
  const { site, texts } = editor
  const { day, time, timeThere, zone } = describeWhen(site, EVENTS.serialize(row, editor.context))
  const repeats = shared?.series ? repeatWords(site, shared.series.rrule, shared.start_date) : undefined
  const dateText = (at: DateTime) => site.dates.format('date', at)
  const { date_utc } = dates && shared ? shared : row
  const isPlanned = date_utc > editor.context.clock.now()
  const isOverByThen = isPlanned && !dates && row.utc_end_date < date_utc
  return html`${isPlanned && html`<p><strong>${filled(texts.publish.planned, { when: momentOf(editor, date_utc) })}${isOverByThen && ` ${texts.publish.overByThen}`}</strong></p>`}
<p class="review-when">${capitalized(day)}, ${time}${zone && ` ${zone}`}${isOver(site, row) && html` <strong>${texts.review.isOver}</strong>`}</p>
${timeThere && html`<p>${timeThere}</p>`}
${
  dates &&
  html`<p class="review-when">${scope === 'all' ? texts.review.series : texts.scope.following}${repeats && html`${site.words.colon}${repeats}`}</p>
<p>${filled(texts.publish.span, { n: site.dates.number(dates.count), first: dateText(dates.first), last: dateText(dates.last) })}</p>
${(!repeats || shared?.series?.rdate !== '[]') && namedDates(editor, dates)}`
}`
}

/** The most dates that are listed one by one, if no rule in words describes them. */
const MAX_NAMED = 100

function namedDates(
  { site, texts }: EditorContext,
  { starts }: NonNullable<PublishableEvent['dates']>,
): Html {
  // The query makes this JSON with json_group_array().
  const sortedStarts = storedJson<DateTime[]>(starts).sort()
  const n = sortedStarts.length - MAX_NAMED
  const namedStarts = sortedStarts.slice(0, MAX_NAMED).map(start => site.dates.format('date', start))
  return html`<p class="small">${namedStarts.join('; ')}${n > 0 && ` ${filled(texts.scope.more, { n: site.dates.number(n) })}`}</p>`
}

function eventContent(editor: EditorContext, item: PublishableEvent, before: ShownBefore): Html {
  const row = mainRow(item)
  const event = EVENTS.serialize(row, editor.context)
  return html`${imageContent(editor, item, row, event.image, before)}
${describedContent(editor, event.description, item.isComplete)}
${fieldList(editor, { form: EVENT_FORM, body: withParent(event, row, item), without: [...OMITTED_FIELDS, ...unjudgedFields(item.row)], categories: row.terms })}`
}

/** An event with its parent event, by its title if the caller may read that. */
function withParent(event: EventResponse, { post_parent: id }: EventRow, { parents }: PublishableEvent) {
  const name = parents.get(id ?? 0)
  return { ...event, post_parent: name === undefined ? id : { id, name } }
}

function linkContent(
  editor: EditorContext,
  item: PublishableEvent,
  { kind, row }: NewVenueOrOrganizer,
  before: ShownBefore,
): Html {
  const words = editor.texts.review
  const body =
    kind === 'venue' ? VENUES.serialize(row, editor.context) : ORGANIZERS.serialize(row, editor.context)
  const form = kind === 'venue' ? VENUE_FORM : ORGANIZER_FORM
  return html`<section class="review-new"><h3>${filled(kind === 'venue' ? words.newVenue : words.newOrganizer, { name: plain(row.name) })}</h3>
${changeMark(editor, before, [kind, row.id, `${row.version}`])}
${imageContent(editor, item, row, body.image ?? false, before)}
${describedContent(editor, row.description)}
${fieldList(editor, { form, body, without: [...OMITTED_FIELDS, kind] })}</section>`
}

const termsContent = (editor: EditorContext, item: PublishableEvent, before: ShownBefore): Html =>
  html`${describedTerms(item).map(
    ({ id, name, description, version }) =>
      html`<section class="review-new"><h3>${filled(editor.texts.publish.newTerm, { name })}</h3>
${changeMark(editor, before, ['term', id, `${version}`])}
${describedContent(editor, toHtml(description))}</section>\n`,
  )}`

/** An image with its texts, some of which are not visible on the page. */
function imageContent(
  editor: EditorContext,
  { imageTexts }: PublishableEvent,
  { image: storedImage }: Pick<EventRow, 'image'>,
  shownImage: ImageResponse | false,
  before: ShownBefore,
): Html | '' {
  if (!shownImage || !storedImage) return ''
  const { alt_text: alt = '', url } = shownImage
  const { title = '', caption = '' } = imageTexts.get(storedImage.id) ?? {}
  const texts = { title, alt_text: alt, caption }
  return html`<figure class="review-figure"><img class="review-image" ${imageAttributes(shownImage, { sizes: '12rem', isCut: false })} loading="lazy">
<figcaption>${fieldList(editor, { form: IMAGE_FORM, body: texts })}${addressLine(editor, storedImage.url.startsWith(UPLOADS) ? [] : [url])}</figcaption></figure>
${changeMark(editor, before, ['image', storedImage.id, `${storedImage.version}`])}`
}

/** The dates of a series that differ from it, with their own values. */
function ownDatesContent(
  editor: EditorContext,
  item: PublishableEvent,
  ownDates: readonly EventRow[],
  before: ShownBefore,
): Html {
  const { row } = item
  const n = editor.site.dates.number(ownDates.length)
  return html`<section class="review-dates"><h3>${filled(editor.texts.publish.ownDates, { n })}</h3><ul>${ownDates.map(
    date => {
      const { day, time } = describeWhen(editor.site, EVENTS.serialize(date, editor.context))
      return html`<li><p><strong>${capitalized(day)}, ${time}</strong></p>
${date.id !== row.id && changeMark(editor, before, ['event', date.id, `${date.version}`])}
${ownContent(editor, item, date, ownFields(date), before)}</li>\n`
    },
  )}</ul></section>`
}

/** The fields of a date that differ from its series, by the names of the form. */
function ownContent(
  editor: EditorContext,
  item: PublishableEvent,
  row: EventRow,
  fields: readonly string[],
  before?: ShownBefore,
): Html {
  const event = EVENTS.serialize(row, editor.context)
  const names = fields.map(name => (name === 'is_virtual' ? 'virtual_event_type' : name))
  return html`${names.includes('image') && imageContent(editor, item, row, event.image, before)}
${fieldList(editor, { form: EVENT_FORM, body: withParent(event, row, item), names, without: ['status', 'date', ...(event.image ? ['image'] : [])], categories: row.terms })}`
}
