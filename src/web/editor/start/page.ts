import { ACCENT_COLOURS, parseColour } from '../../../lib/colour.ts'
import { namedCodes } from '../../../words/codes.ts'
import { LOCALES } from '../../../words/languages.ts'
import { wordsOfField } from '../../forms/control.ts'
import { form, group, inputField, labelled, optionsField, problem, selectField } from '../../forms/element.ts'
import { type Html, html, type Options } from '../../html/html.ts'
import { counted } from '../../html/site.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { hasSources } from '../origins.ts'
import { PROPOSALS } from '../settings/area.ts'
import type { StartPreview } from './preview.ts'
import { CHOSEN, PLACES, type Place, START, type StartValues } from './values.ts'

/** The page of the start: what was chosen so far and, once it was looked at, the front page. */
export type ShownStart = {
  values: StartValues
  /** True before any input: scripts fill in what the browser says of the place. */
  isFresh?: true
  /** Errors by the names of fields; '' for the form as a whole. */
  errors?: ReadonlyMap<string, string>
  /** The address of the header image. */
  picture?: string | undefined
  found?: StartPreview | undefined
  /** The front page as HTML. */
  front?: string | undefined
}

/** The page on which an owner begins: three steps, and the front page before anything is saved. */
export function startPage(admin: Admin, shown: ShownStart): AdminPage {
  const words = admin.texts.start
  const { values, errors, front } = shown
  return {
    title: words.title,
    ...(errors && errors.size > 0 && { status: 422 as const }),
    main: form(admin, {
      action: START,
      look: 'start-form',
      hasFiles: true,
      body: html`<button class="hidden" type="submit" name="do" value="look" tabindex="-1" aria-hidden="true">${words.show}</button>
<div class="stack"><div><h1>${words.title}</h1><p class="lead">${words.lead}</p></div>${problem('error', errors?.get(''))}
${look(admin, shown)}
${hasSources(admin) && places(admin, shown)}
<div class="actions"><button class="button${front !== undefined && ' button-quiet'}" type="submit" name="do" value="look">${front === undefined ? words.show : words.refresh}</button>
<button class="link-button" type="submit" name="do" value="later" formnovalidate>${words.later}</button></div></div>
${front !== undefined && frontPart(admin, { front, values, found: shown.found })}`,
    }),
  }
}

/** The value of the hidden input with what the front page shows: anything else is shown before it is saved. */
export const shownValue = (values: StartValues): string => JSON.stringify(values)

/** The front page in a frame, and the button that saves it. */
function frontPart(
  admin: Admin,
  { front, values, found }: { front: string; values: StartValues; found: StartPreview | undefined },
): Html {
  const words = admin.texts.start
  const n = found?.events.length ?? 0
  return html`<section class="start-front" id="front" aria-labelledby="front-title" tabindex="-1" autofocus><h2 id="front-title">${words.front}</h2><p class="small">${words.frontText}</p>
<iframe class="front-page" title="${words.front}" sandbox="" srcdoc="${front}"></iframe>
<input type="hidden" name="shown" value="${shownValue(values)}">
<div class="actions"><button class="button" type="submit" name="do" value="save">${words.save}</button></div>
<p class="small">${n > 0 ? counted(admin, words, 'saves', n) : words.savesNone}</p></section>`
}

const step = (n: number, title: string, body: Html): Html =>
  html`<section class="card stack" aria-labelledby="step-${n}"><h2 id="step-${n}"><span class="start-number">${n}</span> ${title}</h2>${body}</section>`

const labelIn = ({ language }: Admin, name: string): string => wordsOfField(language, 'settings', name).label

/** The name, the place, the colour and the picture. */
function look(admin: Admin, { values, errors, picture, isFresh }: ShownStart): Html {
  const { texts, language } = admin
  const words = texts.start
  const select = (name: 'timezone' | 'language' | 'currency', options: Options) =>
    selectField(
      { id: `f-${name}`, label: labelIn(admin, name), error: errors?.get(name) },
      { name, options, chosen: values[name] },
    )
  const zones = [...new Set([values.timezone, ...Intl.supportedValuesOf('timeZone')])]
  const locales = namedCodes(language, 'language', [...new Set([values.language, ...LOCALES])])
  const currencies = namedCodes(language, 'currency', [
    ...new Set([values.currency, ...Intl.supportedValuesOf('currency')]),
  ])
  const nameOf = (options: Options, value: string) => options.find(([code]) => code === value)?.[1]
  const isWrong = CHOSEN.some(name => name !== 'name' && errors?.has(name))
  return step(
    1,
    words.look,
    html`${inputField(
      {
        id: 'f-name',
        name: 'name',
        label: labelIn(admin, 'name'),
        value: values.name,
        error: errors?.get('name'),
      },
      html` maxlength="200" required autocomplete="organization"`,
    )}
${isFresh && html`<div data-proposals="${PROPOSALS}" data-fill hidden></div>`}
<details class="start-place"${isWrong && html` open`}><summary><span class="small">${words.place}</span> <span data-choice="f-timezone">${values.timezone}</span>, <span data-choice="f-language">${nameOf(locales, values.language)}</span>, <span data-choice="f-currency">${nameOf(currencies, values.currency)}</span></summary>
<div class="stack">${select(
      'timezone',
      zones.map(zone => [zone, zone] as const),
    )}${select('language', locales)}${select('currency', currencies)}</div></details>
${colours(admin, values)}
${labelled(
  {
    id: 'picture',
    label: labelIn(admin, 'header_image'),
    help: words.pictureHelp,
    error: errors?.get('picture'),
  },
  html`${picture && html`<img class="start-picture" src="${picture}" alt="">`}<input id="picture" name="picture" type="file" accept="image/*"${errors?.has('picture') && html` aria-invalid="true" aria-describedby="picture-error"`}>`,
)}
<input type="hidden" name="image" value="${values.image}">
${values.image > 0 && html`<div class="form-check"><input id="without" type="checkbox" name="without" value="1"><label for="without">${words.without}</label></div>`}`,
  )
}

function colours(admin: Admin, { accent_color }: StartValues): Html {
  const words = admin.texts.start
  const own = accent_color.toLowerCase()
  const all: [string, string][] = Object.entries(ACCENT_COLOURS).map(([name, colour]) => [
    colour,
    // The keys of the constant.
    words[name as keyof typeof ACCENT_COLOURS],
  ])
  const isOther = parseColour(own) !== undefined && all.every(([colour]) => colour !== own)
  const shown = isOther ? [...all, [own, words.ownColour] as const] : all
  return group(
    { id: 'colour', label: labelIn(admin, 'accent_color') },
    html`<div class="swatches">${shown.map(
      ([colour, name]) =>
        html`<input type="radio" name="accent_color" value="${colour}" aria-label="${name}"${colour === own && html` checked`}>\n`,
    )}</div>`,
  )
}

/** Where the events are. */
function places(admin: Admin, { values, errors, found }: ShownStart): Html {
  const words = admin.texts.start
  const texts: Record<Place, string> = { address: words.address, file: words.file, none: words.none }
  const error = errors?.get('url')
  const wrongFile = errors?.get('file')
  return step(
    2,
    words.where,
    html`${optionsField(
      { id: 'where', label: words.where },
      { options: PLACES.map(place => [place, texts[place]] as const), chosen: [values.where] },
      'start-where',
    )}
${inputField(
  { id: 'url', label: admin.texts.source.address, help: words.addressHelp, value: values.url, error },
  html` inputmode="url" maxlength="2048" autocomplete="off" autocapitalize="none" spellcheck="false"`,
)}
${inputField(
  { id: 'file', label: admin.texts.upload.file, help: words.fileHelp, error: wrongFile },
  html` type="file" accept=".csv,.tsv,.txt,.ics,.html,.htm,text/csv,text/calendar,text/html"`,
)}
<input type="hidden" name="source" value="${values.source}">
${found && values.where !== 'none' && html`<p role="status"><span class="badge">${found.total === 0 ? admin.texts.upload.none : counted(admin, admin.texts.upload, 'found', found.total)}</span></p>`}
${found?.page && (found.problems > 0 || found.total === 0) && html`<p>${counted(admin, words, 'problems', found.problems)} <a href="${found.page}">${words.columns}</a></p>`}`,
  )
}
