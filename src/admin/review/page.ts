import { EVENTS } from '../../events/kind.ts'
import { capitalized } from '../../lib/text.ts'
import { filled } from '../../lib/words.ts'
import { type Html, html, raw } from '../../site/html.ts'
import { imageSources } from '../../site/images.ts'
import { repeatWords } from '../../site/repeats.ts'
import { plain, richText, summary } from '../../site/text.ts'
import { whenOf } from '../../site/when.ts'
import type { Sender } from '../../submissions/queries.ts'
import type { Admin } from '../admin.ts'
import { form } from '../form.ts'
import type { AdminPage } from '../layout.ts'
import { addressWith, pages } from '../lists.ts'
import { momentOf } from '../moments.ts'
import { wordsOfField } from '../words/fields.ts'
import { reviewWords } from '../words/review.ts'
import { type Decided, MOST_NOTE, placesOf, type ReviewOutcome, waitingName } from './decide.ts'
import type { ReviewNote } from './notes.ts'
import type { Waiting } from './queries.ts'

export const REVIEW_PATH = '/admin/review/'

/** The id of the form for several at once, to which the boxes of all events belong. */
const SEVERAL = 'several'

/** A form that could not be done, or not all of it, with what was typed. */
type Tried = { decided: Decided; outcome: ReviewOutcome }

type Shown = { waiting: readonly Waiting[]; hasMore: boolean; isLater: boolean; tried?: Tried }

/** The page of what waits for review. */
export function reviewPage(admin: Admin, { waiting, hasMore, isLater, tried }: Shown): AdminPage {
  const words = reviewWords(admin.language)
  const last = waiting.at(-1)?.row
  return {
    title: words.review,
    status: tried ? 422 : 200,
    main: html`<h1>${words.review}</h1>
${
  waiting.length === 0
    ? html`<p class="lead">${words.nothing}</p><p>${words.nothingText}</p>`
    : html`<p class="lead">${words.lead}</p>`
}
${tried && alert(admin, tried)}
${waiting.length > 1 && several(admin, tried)}
<ol class="review">${waiting.map(item => article(admin, item, tried))}</ol>
${pages(admin, { first: isLater && REVIEW_PATH, next: hasMore && last && addressWith(REVIEW_PATH, { after: `${last.utc_start_date}~${last.id}` }) })}`,
  }
}

function alert({ language }: Admin, { outcome: { error, failed, done } }: Tried): Html {
  const words = reviewWords(language)
  return html`<div class="form-error" role="alert" tabindex="-1" autofocus><p>${error ?? words.failedOne}</p>
${done.length > 0 && html`<p>${titlesOf(language, done)}</p>`}
${failed.size > 0 && html`<ul>${[...failed.values()].map(reason => html`<li>${reason}</li>`)}</ul>`}</div>`
}

/** The titles of events, as many as fit into a line or two. */
export function titlesOf(language: string, done: readonly Waiting[]): string {
  const most = 3
  const titles = done.slice(0, most).map(({ row }) => {
    const title = plain(row.title)
    return title.length > 60 ? `${title.slice(0, 59).toWellFormed()}…` : title
  })
  const all = titles.join(', ')
  return done.length > most
    ? filled(reviewWords(language).andMore, { titles: all, n: done.length - most })
    : all
}

/** The buttons for several events at once. */
function several(admin: Admin, tried: Tried | undefined): Html {
  const words = reviewWords(admin.language)
  const isBack = tried?.decided.decision === 'return' && tried.decided.chosen.size !== 1
  return form(admin, {
    action: REVIEW_PATH,
    id: SEVERAL,
    look: 'review-several',
    body: html`<p id="several-title">${words.several}</p>
<div class="buttons" role="group" aria-labelledby="several-title">
<button class="button button-quiet" name="decision" value="publish">${words.publishChosen}</button>
<button class="button button-quiet" name="decision" value="trash">${words.trashChosen}</button></div>
${sendBack(admin, { id: SEVERAL, title: words.sendBackChosen, note: isBack ? tried.decided.note : undefined, error: isBack ? tried.outcome.error : undefined })}`,
  })
}

type Back = {
  id: string
  title: string
  note: string | undefined
  error: string | undefined
  sender?: Sender | undefined
}

/** The part of a form that sends back, with the note. */
function sendBack({ language }: Admin, { id, title, note, error, sender }: Back): Html {
  const words = reviewWords(language)
  const describing = `note-help-${id}${error ? ` note-error-${id}` : ''}`
  return html`<details class="send-back"${note !== undefined && html` open`}><summary>${title}</summary>
<div class="form-field${error && ' has-error'}"><label for="note-${id}">${words.note}</label>
<p class="field-help" id="note-help-${id}">${words.noteHelp}</p>
${error && html`<p class="field-error" id="note-error-${id}">${error}</p>`}
<textarea id="note-${id}" name="note" rows="3" maxlength="${MOST_NOTE}" aria-describedby="${describing}"${error && html` aria-invalid="true"`}>
${note}</textarea></div>
<div class="buttons"><button class="button button-quiet" name="decision" value="return">${words.sendBackNow}</button>
${sender && html`<button class="button button-quiet" name="decision" value="refuse">${words.refuse}</button>`}
${sender && sender.others > 0 && html`<button class="button button-quiet" name="decision" value="refuse-all">${filled(words.refuseAll, { n: sender.others + 1 })}</button>`}</div></details>`
}

function article(admin: Admin, item: Waiting, tried: Tried | undefined): Html {
  const { language, site } = admin
  const words = reviewWords(language)
  const { row, author, note, isWhole } = item
  const event = EVENTS.serialize(row, admin.context)
  const title = plain(row.title)
  const when = whenOf(site, event)
  const repeats = isWhole && row.series ? repeatWords(site, row.series.rrule, row.start_date) : undefined
  const isChosen = tried?.decided.chosen.has(row.id) ?? false
  const isAlone = isChosen && tried?.decided.chosen.size === 1
  const failure = tried?.outcome.failed.get(row.id)
  const category = row.terms.map(({ name }) => plain(name)).join(', ')
  return html`<li class="card" id="event-${row.id}"><article aria-labelledby="title-${row.id}">
<div class="review-head"><input id="choose-${row.id}" type="checkbox" name="event" value="${waitingName(item)}" form="${SEVERAL}" aria-label="${filled(words.choose, { title })}"${isChosen && html` checked`}>
<h2 id="title-${row.id}">${title}</h2></div>
${failure && html`<p class="field-error">${failure}</p>`}
<p class="review-when">${capitalized(when.day)}, ${when.time}${row.utc_start_date < admin.context.now && html` <strong>${words.isOver}</strong>`}</p>
${isWhole && html`<p class="review-when">${words.series}${repeats && html`: ${repeats}`}</p>`}
${row.venues.length > 0 && html`<p>${site.words.where}: ${row.venues.map(({ name }) => plain(name)).join(', ')}</p>`}
${row.organizers.length > 0 && html`<p>${site.words.who}: ${row.organizers.map(({ name }) => plain(name)).join(', ')}</p>`}
${category && html`<p>${category}</p>`}
${event.image && html`<img class="review-image" ${imageSources(event.image, { shown: '12rem', isCut: false })} alt="${event.image.alt_text ?? ''}" loading="lazy">`}
${text(admin, row)}
${placesOf(item).map(({ kind, name }) => html`<p class="review-new">${filled(kind === 'venue' ? words.newVenue : words.newOrganizer, { name })}</p>`)}
${item.twins.length > 0 && twins(admin, item)}
<p class="review-by">${item.sender ? sentBy(admin, item.sender) : filled(words.by, { login: author, when: momentOf(admin, row.modified_utc) })}</p>
${note && earlier(admin, note)}
${form(admin, {
  action: REVIEW_PATH,
  look: 'review-one',
  body: html`<input type="hidden" name="event" value="${waitingName(item)}">
<div class="buttons"><button class="button" name="decision" value="publish" aria-describedby="title-${row.id}">${admin.words.publish}</button>
<a class="button button-quiet" href="/admin/events/${row.id}/" aria-describedby="title-${row.id}">${words.edit}</a>
<button class="button button-quiet" name="decision" value="trash" aria-describedby="title-${row.id}">${admin.words.toTrash}</button></div>
${sendBack(admin, {
  id: String(row.id),
  title: words.sendBack,
  note: isAlone && tried?.decided.decision === 'return' ? tried.decided.note : undefined,
  error: isAlone && tried?.decided.decision === 'return' ? tried.outcome.error : undefined,
  sender: item.sender,
})}`,
})}
</article></li>\n`
}

/** Who sent an event in, and how they can be asked. */
function sentBy(admin: Admin, { name, email, sentUtc }: Sender): Html {
  const words = reviewWords(admin.language)
  const when = momentOf(admin, sentUtc)
  const who = name || email || words.visitor
  return html`${filled(words.sentIn, { name: who, when })}${email && html` <a href="mailto:${email}">${email}</a>`}`
}

/** What is likely to be the same. */
function twins({ language }: Admin, { twins }: Waiting): Html {
  const words = reviewWords(language)
  return html`<p class="review-twins">${words.twins} ${twins.map(({ title, url }, i) => html`${i > 0 && ', '}<a href="${url}">${title}</a>`)}</p>`
}

/** The beginning of a text that is shown at once, in characters. */
const BEGINNING = 240

/** Longer texts are read at the form, in characters: a page of the longest would take long to make. */
const MOST_SHOWN = 20_000

function text({ language }: Admin, { id, description, excerpt, isShortened }: Waiting['row']): Html | '' {
  const words = reviewWords(language)
  const beginning = summary(excerpt || description, BEGINNING)
  // Of a page of very long texts, none are read.
  if (isShortened || description.length > MOST_SHOWN)
    return html`<p class="review-text">${beginning} <a href="/admin/events/${id}/">${words.rest}</a></p>`
  if (beginning === '') return ''
  const isAll = summary(description, BEGINNING + 1) === beginning && !/<(?!\/?p>|br)/.test(description)
  return html`<p class="review-text">${beginning}</p>
${!isAll && html`<details class="review-rest"><summary>${words.rest}</summary><div class="rich">${rich(description)}</div></details>`}`
}

const rich = (description: string): Html => html`${raw(richText(description))}`

/** The note of an earlier review, and what was changed since. */
function earlier(admin: Admin, note: ReviewNote): Html {
  const { language } = admin
  const words = reviewWords(language)
  const fields = note.changed.map(name => wordsOfField(language, 'event', name)[0])
  return html`<div class="review-note"><p>${filled(words.sentBack, { login: note.login, when: momentOf(admin, note.at_utc) })}</p>
<blockquote>${note.note}</blockquote>
<p>${fields.length > 0 ? filled(words.changedSince, { fields: [...new Set(fields)].join(', ') }) : words.unchangedSince}</p></div>`
}
