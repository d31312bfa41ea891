import type { Context } from 'hono'
import { isRowReadable } from '../../../calendar/content/visibility.ts'
import { retryConflicts } from '../../../kit/db/failures.ts'
import type { AppEnv } from '../../../kit/env.ts'
import { countLooks } from '../../../kit/http/limits.ts'
import { ApiError, tooOften } from '../../../kit/lib/errors.ts'
import { formText, selectField } from '../../../site/forms/field-html.ts'
import {
  ticketInput,
  ticketOf,
  tokenIn,
  type VisitorPage,
  type VisitorResponse,
} from '../../../site/forms/visitor-pages.ts'
import { badge } from '../../../site/html/events.ts'
import { type Html, html } from '../../../site/html/html.ts'
import { inLanguageOf, type PageContext } from '../../../site/html/page-context.ts'
import { plain } from '../../../site/html/text.ts'
import { momentThere, statusWord } from '../../../words/events.ts'
import { filled, textsIn } from '../../../words/words.ts'
import { MAX_WAITING_DAYS } from '../budgets.ts'
import { isRegistrationOn } from '../limits.ts'
import { findPersonByToken, PEOPLE_LINKS, type RegistrantRow } from '../links.ts'
import { type OccasionWithRegistration, selectDatesOfCourse, withRegistration } from '../occasion.ts'
import { changeOwnPlaces, leaveRegistration } from '../places.ts'
import { confirmPerson } from '../register.ts'
import { datesIn, datesKnown, isLessLeft, maxPlacesOf, phaseOf, placesLeft, questionOf } from '../rules.ts'
import { UNCONFIRMED } from '../tables.ts'
import { eventLines, registrationPage, registrationRefusal, showRegister, takeRegister } from './new.ts'

type OwnRegistration = {
  token: string
  person: RegistrantRow
  occasion: OccasionWithRegistration
  /** True if nothing more can be changed today, except to cancel. */
  isUsedUp: boolean
}

async function findOwnRegistration(site: PageContext, token: string): Promise<OwnRegistration | undefined> {
  const registrant = await findPersonByToken(site.context, token)
  const occasion = withRegistration(registrant?.occasion)
  return registrant && occasion && { ...registrant, token, occasion }
}

const textPage = (site: PageContext, status: 200 | 410, title: string, text: string): VisitorResponse => ({
  status,
  body: registrationPage(site, {
    title,
    main: html`<h1>${title}</h1><p class="lead" role="status">${text}</p><p><a href="/events/">${site.words.seeUpcoming}</a></p>`,
  }),
})

const endedPage = (site: PageContext): VisitorResponse => {
  const words = textsIn(site.language).registration
  return textPage(site, 410, words.ended, words.endedText)
}

const pressForm = (token: string, act: string, text: string, more: Html | '', className = ''): Html =>
  html`<form class="editor-form stack" method="post" action="${PEOPLE_LINKS.pathOf(token)}">${more}<div class="actions"><button class="button${className}" name="do" value="${act}">${text}</button></div></form>`

/** @param isNumberAsked true if a field for the number of people follows, which says it */
function personFacts(
  { language, dates }: PageContext,
  { person, occasion }: OwnRegistration,
  isNumberAsked = false,
): Html {
  const words = textsIn(language).registration
  const rows = [
    [words.name, person.name],
    [words.places, isNumberAsked ? '' : dates.number(person.places)],
    [plain(questionOf(person, occasion.registration)) || words.sheet_answer, person.answer],
  ] as const
  return html`<dl class="facts facts-row">${rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<div class="fact"><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

/** All dates of a course, as people on its list may know them. */
async function courseDates(
  site: PageContext,
  { registration }: OccasionWithRegistration,
): Promise<Html | ''> {
  if (registration.series_id === null) return ''
  const { settings, db } = site.context
  const dates = await db.read(selectDatesOfCourse(registration.series_id))
  const lines = datesKnown(dates, datesIn(registration.told)).map(({ start, end, zone, day, status }) => {
    const timezone = zone ?? settings.timezone
    const time = momentThere(site, { wall: start, end, timezone, isWholeDay: day === 1 }, settings.timezone)
    const word = statusWord(site, status === 'gone' ? 'canceled' : status)
    return html`<li>${time}${word && html` ${badge(word, word === site.words.cancelled ? 'alert' : 'warn')}`}</li>\n`
  })
  return html`<details class="form-fold"><summary><span class="fold-name">${site.words.allDates}</span></summary><ul>${lines}</ul></details>`
}

/** The most places that somebody can choose: more than now only while they are free. */
function maxPlacesFor({ context }: PageContext, { person, occasion }: OwnRegistration): number {
  const { registration } = occasion
  if (phaseOf(occasion, context.clock) !== 'on') return person.places
  const left = placesLeft(occasion)
  const allowed = maxPlacesOf(registration)
  const maxPlaces =
    person.state === 'confirmed' && left !== null ? Math.min(allowed, person.places + left) : allowed
  return Math.max(maxPlaces, person.places)
}

async function ownPageBody(
  site: PageContext,
  ownRegistration: OwnRegistration,
  isOn: boolean,
  done?: string,
  error?: string,
): Promise<Html> {
  const { language, context, dates } = site
  const words = textsIn(language).registration
  const { token, person, occasion } = ownRegistration
  const head = eventLines(site, occasion)
  const readersNote = html`<p class="small">${filled(words.readers, { days: dates.number(context.settings.registrations.days), most: dates.number(MAX_WAITING_DAYS) })}</p>`
  const eraseForm = (text: string) => pressForm(token, 'leave', text, '', ' button-quiet is-danger')
  if (person.state === UNCONFIRMED) {
    const isOpen = isOn && phaseOf(occasion, context.clock) === 'on'
    const mustWait = occasion.registration.waiting_list && isLessLeft(occasion, person.places)
    return html`${head}<h1>${words.confirmTitle}</h1>${personFacts(site, ownRegistration)}
${isOpen && mustWait && html`<p class="notice" role="status">${words.confirmWaits}</p>`}
${isOpen ? pressForm(token, 'confirm', words.confirm, await ticketInput(site)) : html`<p class="notice" role="status">${words.closedText}</p>`}
${readersNote}<p class="small">${words.notMe}</p>${eraseForm(words.erase)}`
  }
  const confirmedText =
    person.places > 1
      ? filled(words.isConfirmedSeveral, { n: dates.number(person.places) })
      : words.isConfirmed
  const doneText = done && { confirmed: confirmedText, waiting: words.isWaiting, saved: words.saved }[done]
  const hasPlace = person.state === 'confirmed'
  const placesText =
    person.places > 1 ? filled(words.yoursPlaces, { n: dates.number(person.places) }) : words.yoursPlace
  // If the event does not take place, nobody has a place. As long as it is hidden, people know what they were
  // told last.
  const known = datesIn(occasion.registration.told)
  const isCancelled =
    occasion.event.status === 'trash' ||
    (isRowReadable(occasion.event, context)
      ? occasion.status === 'canceled'
      : known.length > 0 && known.every(({ status }) => status === 'canceled' || status === 'gone'))
  const title = hasPlace ? (isCancelled ? words.yours : placesText) : words.yoursWaiting
  const phase = phaseOf(occasion, context.clock)
  const { places } = occasion.registration
  const isPassedOver = !hasPlace && places !== null && person.places > places
  const maxPlaces = maxPlacesFor(site, ownRegistration)
  const isNumberAsked = isOn && maxPlaces > 1
  const options = Array.from({ length: maxPlaces }, (_, i) => [String(i + 1), dates.number(i + 1)] as const)
  return html`${head}<h1>${title}</h1>
${error && html`<p class="notice notice-alert" role="alert">${error}</p>`}${doneText && html`<p class="notice notice-done" role="status">${doneText}</p>`}
${!hasPlace && phase === 'closed' && html`<p class="notice" role="status">${words.closedText}</p>`}
${isPassedOver && html`<p class="notice" role="status">${words.tooManyPlaces}</p>`}
${personFacts(site, ownRegistration, isNumberAsked)}${await courseDates(site, occasion)}
${isNumberAsked && pressForm(token, 'save', words.changePlaces, selectField({ id: 'f-places', label: words.places }, { name: 'places', options, chosen: String(person.places) }), ' button-quiet')}
<section class="register-leave"><h2>${hasPlace ? words.giveBack : words.leaveList}</h2><p>${hasPlace && phase === 'on' && occasion.hasLine ? words.giveBackText : words.leaveListText}</p>${eraseForm(hasPlace ? words.giveBack : words.leaveList)}</section>${readersNote}`
}

async function ownPageResponse(
  site: PageContext,
  ownRegistration: OwnRegistration,
  isOn: boolean,
  outcome: { done?: string | undefined; error?: string } = {},
): Promise<VisitorResponse> {
  const { yours } = textsIn(site.language).registration
  const main = await ownPageBody(site, ownRegistration, isOn, outcome.done, outcome.error)
  return {
    status: outcome.error === undefined ? 200 : 422,
    body: registrationPage(site, { title: yours, main }),
  }
}

/**
 * The page of a registrant.
 *
 * @param isOn false where nobody registers any more: people can only cancel there
 */
async function showOwn(asked: PageContext, token: string, url: URL, isOn: boolean): Promise<VisitorResponse> {
  const ownRegistration = await findOwnRegistration(asked, token)
  if (!ownRegistration) return endedPage(asked)
  const site = inLanguageOf(asked, ownRegistration.person)
  // Somebody who was waiting when the page was opened may have moved up since.
  const done = [ownRegistration.person.state, 'saved'].find(name => url.searchParams.has(name))
  return ownPageResponse(site, ownRegistration, isOn, { done })
}

/**
 * Handles the buttons of the page; tries again if somebody else changes or removes the person at the same
 * time.
 */
async function takeOwn(...press: Parameters<typeof takeOwnOnce>): Promise<VisitorResponse> {
  const [{ context }, , data] = press
  // Counts once for all attempts. Cancelling has no limit.
  if (formText(data, 'do') !== 'leave') await context.countWrites(1)
  return retryConflicts(() => takeOwnOnce(...press))
}

async function takeOwnOnce(
  asked: PageContext,
  token: string,
  data: FormData,
  isOn: boolean,
): Promise<VisitorResponse> {
  const own = await findOwnRegistration(asked, token)
  if (!own) return endedPage(asked)
  const { person, occasion } = own
  const site = inLanguageOf(asked, person)
  const { context, language } = site
  const words = textsIn(language).registration
  const act = formText(data, 'do')
  if (act === 'leave') {
    await leaveRegistration(context, occasion, person)
    return textPage(site, 200, words.given, words.givenText)
  }
  if (act === 'save' && own.isUsedUp) throw tooOften('Too many changes within a day. Please try again later.')
  if (act === 'save' && isOn && person.state !== UNCONFIRMED) {
    const places = Number(formText(data, 'places'))
    if (
      !Number.isInteger(places) ||
      places < 1 ||
      places > Math.max(maxPlacesOf(occasion.registration), person.places)
    )
      return ownPageResponse(site, own, isOn, { error: words.fullText })
    try {
      await changeOwnPlaces(context, occasion, person, places)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { message, errors } = registrationRefusal(site, error)
      return ownPageResponse(site, own, isOn, { error: message ?? [...errors.values()].join(' ') })
    }
    return { to: `${PEOPLE_LINKS.pathOf(token)}?saved=1` }
  }
  // Mail scanners open links, and some submit forms: the button works only with the ticket of its page.
  if (act !== 'confirm' || !isOn || !(await ticketOf(site, data))) return ownPageResponse(site, own, isOn)
  const confirmedPerson = await confirmPerson(context, occasion, person)
  if (!confirmedPerson) return textPage(site, 200, words.tooLate, words.tooLateText)
  return {
    to: `${PEOPLE_LINKS.pathOf(token)}${confirmedPerson.state === UNCONFIRMED ? '' : `?${confirmedPerson.state}=1`}`,
  }
}

const idIn = (c: Context<AppEnv>): number => Number(c.req.param('id'))

/** Shows a page that nothing caches, under the limit for a network. */
const showOwnCounted = async (
  site: PageContext,
  c: Context<AppEnv>,
  isOn: boolean,
): Promise<VisitorResponse> => {
  await countLooks(c)
  return showOwn(site, tokenIn(c), new URL(c.req.url), isOn)
}

/**
 * The pages of registrants. While the feature is off, people can only cancel there. Cancelling has no limit.
 */
export const ownPages: readonly VisitorPage[] = [
  {
    path: PEOPLE_LINKS.path,
    count: () => undefined,
    show: (site, c) => showOwnCounted(site, c, isRegistrationOn(site.context)),
    take: (site, data, c) => takeOwn(site, tokenIn(c), data, isRegistrationOn(site.context)),
    whileOff: {
      show: (site, c) => showOwnCounted(site, c, false),
      take: (site, data, c) => takeOwn(site, tokenIn(c), data, false),
    },
  },
]

export const registerPages: readonly VisitorPage[] = [
  {
    path: '/register/:id{[0-9]+}/',
    mayUseTurnstile: true,
    show: (site, c) => showRegister(site, idIn(c), new URL(c.req.url)),
    take: (site, data, c) => takeRegister(site, idIn(c), data),
  },
]
