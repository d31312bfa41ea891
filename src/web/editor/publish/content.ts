import { toHtml } from '../../../lib/html.ts'
import { capitalized } from '../../../lib/text.ts'
import type { DateTime } from '../../../lib/time.ts'
import type { ImageResponse } from '../../../resources/content/resource.ts'
import { UPLOADS } from '../../../resources/content/uploads.ts'
import { EVENTS } from '../../../resources/events/resource.ts'
import type { EventRow } from '../../../resources/events/rows.ts'
import type { EventResponse } from '../../../resources/events/schema.ts'
import { ORGANIZERS } from '../../../resources/organizers/resource.ts'
import { VENUES } from '../../../resources/venues/resource.ts'
import { filled } from '../../../words/words.ts'
import { EVENT_FORM, IMAGE_FORM, ORGANIZER_FORM, VENUE_FORM } from '../../forms/forms.ts'
import { fieldList } from '../../forms/render.ts'
import { type Html, html, imageAttributes } from '../../html/html.ts'
import { plain } from '../../html/text.ts'
import { repeatWords, whenOf } from '../../html/when.ts'
import type { Admin } from '../admin.ts'
import { addresses, describedContent } from './description.ts'
import {
  describedTerms,
  detachedFields,
  mainRow,
  type NewVenueOrOrganizer,
  ownFields,
  type PublishableEvent,
} from './queries.ts'
import { type ShownVersion, versionText } from './versions.ts'

/** The fields that are shown elsewhere on the page, or are not public. */
const ELSEWHERE = [
  ...['title', 'start_date', 'end_date', 'all_day', 'recurrence', 'description', 'image'],
  ...['status', 'author', 'date'],
]

/** The versions that were shown before, according to the form; undefined the first time. */
type ShownBefore = ReadonlySet<string> | undefined

/** Everything that becomes public with an event except its title. Changes since the last look are marked. */
export function publishedContent(admin: Admin, item: PublishableEvent, before: ShownBefore): Html {
  const { row, shared, dates, ownDates, newLinks, hidden } = item
  const main = mainRow(item)
  const own = dates ? ownDates : []
  const others = !dates && shared && detachedFields(row).length > 0 ? shared : undefined
  const { publish } = admin.texts
  const versions: ShownVersion[] = [
    ...(main === row ? [] : ([['series', main.id, `${main.version}`]] as const)),
    ['event', row.id, `${row.version}`],
    ...main.terms.map(({ id, version }) => ['term', id, `${version}`] as const),
  ]
  return html`${when(admin, item)}
${dates && shared && mark(admin, before, ['dates', shared.id, dates.version])}
${mark(admin, before, ...versions)}
${eventContent(admin, item, before)}
${newLinks.map(link => linkContent(admin, item, link, before))}
${termsContent(admin, item, before)}
${hidden.length > 0 && html`<p class="small">${filled(publish.stayHidden, { names: hidden.join(', ') })}</p>`}
${own.length > 0 && ownDatesContent(admin, item, before)}
${
  others &&
  html`<details class="review-rest"><summary>${publish.series}</summary>
${mark(admin, before, ['series', others.id, `${others.version}`])}
${differing(admin, item, others, detachedFields(row))}</details>`
}`
}

/** A mark for something that changed since it was shown. */
const mark = ({ texts }: Admin, before: ShownBefore, ...shown: ShownVersion[]): Html | '' =>
  before && shown.some(version => !before.has(versionText(version)))
    ? html`<p class="review-changed"><strong>${texts.publish.isChanged}</strong></p>`
    : ''

function when(admin: Admin, { row, shared, dates, scope }: PublishableEvent): Html {
  const { site, texts } = admin
  const { day, time, there, zone } = whenOf(site, EVENTS.serialize(row, admin.context))
  const isOver = row.utc_start_date < admin.context.now
  const repeats = shared?.series ? repeatWords(site, shared.series.rrule, shared.start_date) : undefined
  const span = (at: DateTime) => site.dates.format('date', at)
  return html`<p class="review-when">${capitalized(day)}, ${time}${zone && ` ${zone}`}${isOver && html` <strong>${texts.review.isOver}</strong>`}</p>
${there && html`<p>${there}</p>`}
${
  dates &&
  html`<p class="review-when">${scope === 'all' ? texts.review.series : texts.scope.following}${repeats && html`: ${repeats}`}</p>
<p>${filled(texts.publish.span, { n: site.dates.number(dates.count), first: span(dates.first), last: span(dates.last) })}</p>
${(!repeats || shared?.series?.rdate !== '[]') && namedDates(admin, dates)}`
}`
}

/** The most dates that are listed one by one, if no rule in words describes them. */
const MAX_NAMED = 100

function namedDates({ site, texts }: Admin, { starts }: NonNullable<PublishableEvent['dates']>): Html {
  // From json_group_array() in the query.
  const all: DateTime[] = JSON.parse(starts).sort()
  const n = all.length - MAX_NAMED
  const named = all.slice(0, MAX_NAMED).map(start => site.dates.format('date', start))
  return html`<p class="small">${named.join('; ')}${n > 0 && ` ${filled(texts.scope.more, { n: site.dates.number(n) })}`}</p>`
}

function eventContent(admin: Admin, item: PublishableEvent, before: ShownBefore): Html {
  const row = mainRow(item)
  const event = EVENTS.serialize(row, admin.context)
  return html`${image(admin, item, row, event.image, before)}
${describedContent(admin, event.description, item.isComplete)}
${fieldList(admin, { form: EVENT_FORM, body: withParent(event, row, item), without: ELSEWHERE, categories: row.terms })}`
}

/** An event with its parent event, by its title if the caller may read that. */
function withParent(event: EventResponse, { post_parent: id }: EventRow, { parents }: PublishableEvent) {
  const name = parents.get(id ?? 0)
  return { ...event, post_parent: name === undefined ? id : { id, name } }
}

function linkContent(
  admin: Admin,
  item: PublishableEvent,
  { kind, row }: NewVenueOrOrganizer,
  before: ShownBefore,
): Html {
  const words = admin.texts.review
  const body =
    kind === 'venue' ? VENUES.serialize(row, admin.context) : ORGANIZERS.serialize(row, admin.context)
  const form = kind === 'venue' ? VENUE_FORM : ORGANIZER_FORM
  return html`<section class="review-new"><h3>${filled(kind === 'venue' ? words.newVenue : words.newOrganizer, { name: plain(row.name) })}</h3>
${mark(admin, before, [kind, row.id, `${row.version}`])}
${image(admin, item, row, body.image ?? false, before)}
${describedContent(admin, row.description)}
${fieldList(admin, { form, body, without: [...ELSEWHERE, kind] })}</section>`
}

const termsContent = (admin: Admin, item: PublishableEvent, before: ShownBefore): Html =>
  html`${describedTerms(item).map(
    ({ id, name, description, version }) =>
      html`<section class="review-new"><h3>${filled(admin.texts.publish.newTerm, { name })}</h3>
${mark(admin, before, ['term', id, `${version}`])}
${describedContent(admin, toHtml(description))}</section>\n`,
  )}`

/** An image with its texts, which not every reader sees. */
function image(
  admin: Admin,
  { imageTexts }: PublishableEvent,
  { image: stored }: Pick<EventRow, 'image'>,
  shown: ImageResponse | false,
  before: ShownBefore,
): Html | '' {
  if (!shown || !stored) return ''
  const { alt_text: alt = '', url } = shown
  const { title = '', caption = '' } = imageTexts.get(stored.id) ?? {}
  const texts = { title, alt_text: alt, caption }
  return html`<figure class="review-figure"><img class="review-image" ${imageAttributes(shown, { shown: '12rem', isCut: false })} loading="lazy">
<figcaption>${fieldList(admin, { form: IMAGE_FORM, body: texts })}${addresses(admin, stored.url.startsWith(UPLOADS) ? [] : [url])}</figcaption></figure>
${mark(admin, before, ['image', stored.id, `${stored.version}`])}`
}

/** The dates of a series that differ from it, with their own values. */
function ownDatesContent(admin: Admin, item: PublishableEvent, before: ShownBefore): Html {
  const { row, ownDates } = item
  const n = admin.site.dates.number(ownDates.length)
  return html`<section class="review-dates"><h3>${filled(admin.texts.publish.ownDates, { n })}</h3><ul>${ownDates.map(
    date => {
      const { day, time } = whenOf(admin.site, EVENTS.serialize(date, admin.context))
      return html`<li><p><strong>${capitalized(day)}, ${time}</strong></p>
${date.id !== row.id && mark(admin, before, ['event', date.id, `${date.version}`])}
${differing(admin, item, date, ownFields(date), before)}</li>\n`
    },
  )}</ul></section>`
}

/** The fields of a date that differ from its series, by the names of the form. */
function differing(
  admin: Admin,
  item: PublishableEvent,
  row: EventRow,
  fields: readonly string[],
  before?: ShownBefore,
): Html {
  const event = EVENTS.serialize(row, admin.context)
  const names = fields.map(name => (name === 'is_virtual' ? 'virtual_event_type' : name))
  return html`${names.includes('image') && image(admin, item, row, event.image, before)}
${fieldList(admin, { form: EVENT_FORM, body: withParent(event, row, item), names, without: ['status', 'date', ...(event.image ? ['image'] : [])], categories: row.terms })}`
}
