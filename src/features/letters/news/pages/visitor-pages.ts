import { checkInput } from '../../../../kit/http/input.ts'
import { ApiError } from '../../../../kit/lib/errors.ts'
import { formText } from '../../../../site/forms/field-html.ts'
import { errorsOf } from '../../../../site/forms/requests.ts'
import {
  ticketInput,
  ticketOf,
  tokenIn,
  type VisitorPage,
  type VisitorResponse,
} from '../../../../site/forms/visitor-pages.ts'
import { type Html, html } from '../../../../site/html/html.ts'
import { inLanguageOf, type PageContext } from '../../../../site/html/page-context.ts'
import { weekdayName } from '../../../../site/html/when.ts'
import { filled, textsIn } from '../../../../words/words.ts'
import { LETTER_WEEKDAYS } from '../../tables.ts'
import { CHOICE_KINDS, choiceIn, type NewsChoice } from '../choices.ts'
import { isNewsOn } from '../limits.ts'
import { subscriberFields } from '../schema.ts'
import { checkChosen } from '../subscribe.ts'
import {
  changeSubscriber,
  confirmSubscriber,
  consentWords,
  findSubscriberByToken,
  NEWS_LINKS,
  removeSubscriber,
  type Subscriber,
} from '../subscribers.ts'
import { choiceFields, NEWS_PATH, type NewsForm, newsPage, noticePage } from './form.ts'
import { choiceOf, takeSignUp } from './new.ts'
import { chosenIds, chosenNames, type NewsOffers, selectOffers, withRemovedChoices } from './offers.ts'

/** True if a mail program sends a form to leave a list, without showing the page (RFC 8058). */
const isOneClick = (data: FormData): boolean => data.has('List-Unsubscribe')

/** The page for somebody who has left, or whose link has ended. */
const endedPage = (site: PageContext): VisitorResponse => {
  const words = textsIn(site.language).news
  return { status: 410, body: noticePage(site, { title: words.ended, text: words.endedText }) }
}

const leftPage = (site: PageContext): VisitorResponse => {
  const words = textsIn(site.language).news
  return { status: 200, body: noticePage(site, { title: words.left, text: words.leftText }) }
}

/** The page of a subscriber, without sign-in. @param url its parameters say what was just done */
async function subscriberPage(site: PageContext, token: string, url: URL): Promise<VisitorResponse> {
  const subscriber = await findSubscriberByToken(site.context, token)
  if (!subscriber) return endedPage(site)
  const doneName = ['confirmed', 'saved'].find(name => url.searchParams.has(name))
  const form = { choice: choiceIn(subscriber.filters), weekday: subscriber.weekday }
  return pageOf(inLanguageOf(site, subscriber), { token, subscriber, form, done: doneName })
}

type SubscriberPage = {
  token: string
  subscriber: Subscriber
  form: NewsForm
  done?: string | undefined
  status?: 422
}

async function pageOf(site: PageContext, page: SubscriberPage): Promise<VisitorResponse> {
  const main =
    page.subscriber.consented_utc === null
      ? await confirmSection(site, page)
      : await changeSection(site, page)
  const words = textsIn(site.language).news
  const title = page.subscriber.consented_utc === null ? words.confirmTitle : words.yours
  return {
    status: page.status ?? 200,
    body: newsPage(site, { title, main: html`<h1 class="news-title">${title}</h1>${main}` }),
  }
}

const leaveForm = (token: string, text: string): Html =>
  html`<form id="leave" method="post" action="${NEWS_LINKS.pathOf(token)}"><button class="button button-quiet is-danger" name="do" value="leave">${text}</button></form>`

/**
 * The offers, with what was chosen and is no longer public, marked as such: without it, the choice would be
 * another.
 */
async function readOffersWithGone(
  { context, language }: PageContext,
  { choice }: NewsForm,
): Promise<{ offers: NewsOffers; goneNotice: Html | '' }> {
  const { gone, goneText } = textsIn(language).news
  const offers = await context.db.read(selectOffers(context, chosenIds(choice)))
  const isGone =
    chosenNames(withRemovedChoices(offers, choice, gone), choice).length > chosenNames(offers, choice).length
  return {
    offers: withRemovedChoices(offers, choice, gone),
    goneNotice: isGone ? html`<p class="notice">${goneText}</p>` : '',
  }
}

/**
 * What is to be confirmed, and the button that does it. Programs that scan e-mails open links, and some send
 * forms: the button works only with the ticket of its page.
 */
async function confirmSection(site: PageContext, { token, subscriber, form }: SubscriberPage): Promise<Html> {
  const { context, language } = site
  const words = textsIn(language).news
  const [{ offers, goneNotice }, ticket] = await Promise.all([
    readOffersWithGone(site, form),
    ticketInput(site),
  ])
  const names = chosenNames(offers, form.choice)
  const day = weekdayName(site, LETTER_WEEKDAYS.indexOf(subscriber.weekday))
  return html`<dl class="facts facts-row news-facts"><div class="fact"><dt>${words.what}</dt><dd>${names.length > 0 ? names.join(' · ') : words.everything}</dd></div>
<div class="fact"><dt>${words.day}</dt><dd>${day}</dd></div></dl>
${goneNotice}
<form class="notice news-form" method="post" action="${NEWS_LINKS.pathOf(token)}"><p>${consentWords(language, context.settings.siteName)}</p>
${ticket}
<button class="button" name="do" value="confirm">${words.confirm}</button></form>
<p class="small">${words.notMe}</p>
${leaveForm(token, words.erase)}`
}

async function changeSection(site: PageContext, { token, form, done }: SubscriberPage): Promise<Html> {
  const words = textsIn(site.language).news
  const { offers, goneNotice } = await readOffersWithGone(site, form)
  const doneText = done && { confirmed: words.confirmed, saved: words.saved }[done]
  const name = site.context.settings.siteName
  return html`${doneText && html`<p class="notice notice-done" role="status">${filled(doneText, { site: name })}</p>`}
${goneNotice}
<form class="editor-form news-form" method="post" action="${NEWS_LINKS.pathOf(token)}">${choiceFields(site, { offers, form })}
<div class="actions"><button class="button" name="do" value="save">${words.save}</button></div></form>
<section class="news-leave"><h2>${words.leave}</h2><p>${words.leaveText}</p>${leaveForm(token, words.leave)}</section>`
}

async function leavingPage(site: PageContext, token: string): Promise<VisitorResponse> {
  const subscriber = await findSubscriberByToken(site.context, token)
  if (!subscriber) return endedPage(site)
  const { leave, leaveText } = textsIn(subscriber.language).news
  const main = html`<h1 class="news-title">${leave}</h1><p>${leaveText}</p>${leaveForm(token, leave)}`
  return { status: 200, body: newsPage(inLanguageOf(site, subscriber), { title: leave, main }) }
}

/** Handles the button of the page that only lets people leave, and what mail programs send to leave. */
async function takeLeaving(site: PageContext, token: string, data: FormData): Promise<VisitorResponse> {
  if (!isLeaving(data)) return leavingPage(site, token)
  const subscriber = await findSubscriberByToken(site.context, token)
  if (!subscriber) return leftPage(site)
  await removeSubscriber(site.context, subscriber)
  return leftPage(inLanguageOf(site, subscriber))
}

const isLeaving = (data: FormData): boolean => isOneClick(data) || formText(data, 'do') === 'leave'

/** Handles the buttons of the page, and what mail programs send to leave. */
async function takeSubscriberForm(
  asked: PageContext,
  token: string,
  data: FormData,
): Promise<VisitorResponse> {
  if (isLeaving(data)) return takeLeaving(asked, token, data)
  const { context } = asked
  const action = formText(data, 'do')
  const subscriber = await findSubscriberByToken(context, token)
  if (!subscriber) return endedPage(asked)
  const site = inLanguageOf(asked, subscriber)
  // Mail programs unsubscribe many people at once, so only the other actions are limited.
  await context.countWrites(1)
  const form = { choice: choiceIn(subscriber.filters), weekday: subscriber.weekday }
  if (action === 'save' && subscriber.consented_utc !== null)
    return takeChange(site, { token, subscriber, form }, data)
  if (action !== 'confirm' || !(await ticketOf(site, data))) return pageOf(site, { token, subscriber, form })
  await confirmSubscriber(context, subscriber)
  return { to: `${NEWS_LINKS.pathOf(token)}?confirmed=1` }
}

/** A choice without what was chosen before: former choices may stay, even if they are no longer public. */
const newlyChosen = (choice: NewsChoice, former: NewsChoice): NewsChoice =>
  Object.fromEntries(
    CHOICE_KINDS.map(kind => [kind, choice[kind]?.filter(id => !former[kind]?.includes(id))]),
  )

async function takeChange(site: PageContext, page: SubscriberPage, data: FormData): Promise<VisitorResponse> {
  const { context, language } = site
  const givenForm = { choice: choiceOf(data), weekday: formText(data, 'weekday') }
  const { values, errors } = checkInput(subscriberFields, givenForm)
  try {
    await checkChosen(context, newlyChosen(givenForm.choice, choiceIn(page.subscriber.filters)), errors)
    errors.throwIfAny()
    const { weekday = page.subscriber.weekday } = values
    await changeSubscriber(context, page.subscriber, { choice: givenForm.choice, weekday })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rest_invalid_param') throw error
    const { code, message, data: details } = error
    const form = { ...givenForm, errors: errorsOf(textsIn(language), { code, message, data: details }) }
    return pageOf(site, { ...page, status: 422, form })
  }
  return { to: `${NEWS_LINKS.pathOf(page.token)}?saved=1` }
}

/**
 * The pages of news. Those of subscribers are there even when nobody can sign up any more, so that everybody
 * can leave; while the feature is off, subscribers do nothing else there.
 */
export const newsPages: readonly VisitorPage[] = [
  {
    path: NEWS_LINKS.path,
    // Mail programs unsubscribe many people at once, and web mail does it from pages of its own.
    count: () => undefined,
    isFromAnywhere: isOneClick,
    show: (site, c) => subscriberPage(site, tokenIn(c), new URL(c.req.url)),
    take: (site, data, c) => takeSubscriberForm(site, tokenIn(c), data),
    whileOff: {
      show: (site, c) => leavingPage(site, tokenIn(c)),
      take: (site, data, c) => takeLeaving(site, tokenIn(c), data),
    },
  },
  { path: NEWS_PATH, mayUseTurnstile: true, isOn: isNewsOn, take: takeSignUp },
]
