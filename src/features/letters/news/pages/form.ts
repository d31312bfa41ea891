import { errorOf, inputField, selectField } from '../../../../site/forms/field-html.ts'
import { errorSummary, linksTo } from '../../../../site/forms/render.ts'
import type { FormErrors } from '../../../../site/forms/requests.ts'
import { alertOf } from '../../../../site/forms/visitor-pages.ts'
import { ASSETS } from '../../../../site/html/assets.ts'
import { type Html, html } from '../../../../site/html/html.ts'
import { layout, type SitePage } from '../../../../site/html/layout.ts'
import type { PageContext } from '../../../../site/html/page-context.ts'
import type { SiteLink } from '../../../../site/html/slots.ts'
import { turnstileBox, turnstileScripts } from '../../../../site/html/turnstile.ts'
import { weekdayName } from '../../../../site/html/when.ts'
import { filled, textsIn } from '../../../../words/words.ts'
import { LETTER_WEEKDAYS } from '../../tables.ts'
import { CHOICE_KINDS, type ChoiceKind, type NewsChoice } from '../choices.ts'
import type { NewsOffers } from './offers.ts'

export const NEWS_PATH = '/news/'

/** The day that a new form has: news for the weekend arrive in time. */
export const USUAL_DAY = 'thursday'

export type NewsForm = {
  choice: NewsChoice
  weekday: string
  /** Undefined for somebody whose address is known. */
  email?: string | undefined
  errors?: FormErrors
  /** What is wrong with the form as a whole. */
  message?: string | undefined
}

/** The most options that are shown unfolded below their legend; with more, they are folded. */
const MAX_OPEN = 12

const HEADINGS = { categories: 'what', venues: 'where', organizers: 'who' } as const

type Boxes = {
  kind: ChoiceKind
  name: string
  options: readonly { value: string | number; label: string; className?: string | undefined }[]
  chosen: readonly unknown[]
}

/** A box for each option of a kind. Without any ticked, all are meant. */
export function choiceBoxes(
  { language }: Pick<PageContext, 'language'>,
  { kind, name, options, chosen }: Boxes,
): Html | '' {
  if (options.length === 0) return ''
  const list = html`<div class="chip-list news-chips">${options.map(
    ({ value, label, className }) =>
      html`<label class="chip${className && ` category ${className}`}"><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && html` checked`}><span>${label}</span></label>\n`,
  )}</div>`
  const isFolded = kind === 'organizers' || options.length > MAX_OPEN
  const legend = textsIn(language).news[HEADINGS[kind]]
  return isFolded
    ? html`<details class="form-fold"${chosen.length > 0 && html` open`}><summary><span class="fold-name">${legend}</span></summary><fieldset class="form-group"><legend class="hidden">${legend}</legend>${list}</fieldset></details>`
    : html`<fieldset class="form-field form-group"><legend>${legend}</legend>${list}</fieldset>`
}

export function choiceFields(
  site: PageContext,
  { offers, form }: { offers: NewsOffers; form: NewsForm },
): Html {
  const words = textsIn(site.language).news
  const { errors = new Map<string, string>(), weekday } = form
  const options = LETTER_WEEKDAYS.map((day, i) => [day, weekdayName(site, i)] as const)
  const error = errors.get('choice')
  return html`${error && errorOf({ id: 'f-choice', label: words.what, error })}
${CHOICE_KINDS.map(kind => {
  const offered = offers[kind].map(({ id, name, className }) => ({ value: id, label: name, className }))
  return choiceBoxes(site, { kind, name: kind, options: offered, chosen: form.choice[kind] ?? [] })
})}
<p class="small">${words.chooseHelp}</p>
${selectField({ id: 'f-weekday', label: words.day, error: errors.get('weekday') }, { name: 'weekday', options, chosen: weekday })}`
}

export function signUpForm(site: PageContext, input: { offers: NewsOffers; form: NewsForm }): Html {
  const words = textsIn(site.language).news
  const { errors = new Map<string, string>(), message, email = '' } = input.form
  const { privacy } = site.settings.links
  const labels = new Map([
    ['weekday', words.day],
    ['email', words.email],
  ])
  return html`${alertOf(message)}${errorSummary(site.language, errors, linksTo(labels))}
<form class="editor-form news-form" method="post" action="${NEWS_PATH}">
${choiceFields(site, input)}
${inputField(
  {
    id: 'f-email',
    name: 'email',
    value: email,
    label: words.email,
    error: errors.get('email'),
    isRequired: true,
    words: textsIn(site.language).form,
  },
  html` type="email" maxlength="254" autocomplete="email"`,
)}
${turnstileBox(site)}
<div class="actions"><button class="button" type="submit">${words.send}</button></div>
<p class="small">${words.promise}${privacy && html` <a href="${privacy}">${words.privacy}</a>`}</p></form>`
}

/** A page of news. @param page.isUnlisted false for the page that search engines may list */
export const newsPage = (
  site: PageContext,
  page: Pick<SitePage, 'title' | 'main'> & { isUnlisted?: boolean },
): string =>
  String(
    site.settings.isOn
      ? layout(site, {
          section: NEWS_PATH,
          isUnlisted: true,
          ...page,
          styles: [ASSETS.editorStyle],
          // The addresses of the other pages have the token of a subscriber, which no other site may see.
          scripts: page.isUnlisted === false ? turnstileScripts(site) : [],
        })
      : plainPage(site, page),
  )

/** A page of a calendar without pages: nothing to which the usual layout leads is there. */
const plainPage = ({ language }: PageContext, { title, main }: Pick<SitePage, 'title' | 'main'>): Html =>
  html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title></head><body><main>${main}</main></body></html>`

export const noticePage = (site: PageContext, { title, text }: { title: string; text: string }): string =>
  newsPage(site, {
    title,
    main: html`<h1>${title}</h1><p class="lead" role="status">${text}</p>
${site.settings.isOn && html`<p><a href="/events/">${site.words.seeUpcoming}</a></p>`}`,
  })

export const newsLink = (site: PageContext): SiteLink => ({
  href: NEWS_PATH,
  text: textsIn(site.language).news.link,
  isMinor: true,
})

/**
 * The line below lists of events.
 *
 * @param query the choice that the form begins with, as the query of its address
 */
export const newsLine = (site: PageContext, query: string): Html => {
  const words = textsIn(site.language).news
  return html`<p class="news-line"><a href="${site.base}${NEWS_PATH}${query}">${filled(words.line, { site: site.context.settings.siteName })}</a></p>`
}
