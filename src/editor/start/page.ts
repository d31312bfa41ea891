import { ACCENT_COLOURS, parseColour } from '../../kit/lib/colour.ts'
import { LOCALES, namedCodes } from '../../kit/lib/languages.ts'
import { zonesFor } from '../../kit/lib/zones.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import {
  form,
  group,
  inputField,
  labelledField,
  optionsField,
  problem,
  selectField,
} from '../../site/forms/field-html.ts'
import { type Html, html, type Options } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { PROPOSALS } from '../settings/area.ts'
import { hasSources } from '../source-paths.ts'
import type { StartPreview } from './preview.ts'
import { PLACES, type Place, SETUP_PREVIEW_PATH, type StartValues } from './values.ts'

/** The page of the start: what was chosen so far and, once it was looked at, the front page. */
type ShownStart = {
  values: StartValues
  /** True before any input: scripts then fill in what the browser knows about the place. */
  isFresh?: true
  /** Errors by the names of fields; '' for the form as a whole. */
  errors?: ReadonlyMap<string, string>
  /** The address of the header image. */
  picture: string | undefined
  preview?: StartPreview | undefined
  /** The front page as HTML. */
  front: string
  /** True if saving was refused because the form differs from what was shown. */
  isUnseen?: boolean
}

/** The page on which an owner begins: three steps, and the front page before anything is saved. */
export function startPage(editor: EditorContext, view: ShownStart): EditorPage {
  const words = editor.texts.start
  const { errors, isFresh, preview } = view
  const isWrong = errors !== undefined && errors.size > 0
  const n = preview?.events.length ?? 0
  // Until something was chosen and shown, the next step is the preview.
  const isPreviewNext = isFresh === true || isWrong
  const button = (value: 'look' | 'save', text: string) =>
    html`<button class="button${(value === 'look') !== isPreviewNext && ' button-quiet'}" type="submit" name="do" value="${value}">${text}</button>`
  return {
    title: words.title,
    ...(isWrong && { status: 422 as const }),
    main: form(editor, {
      action: SETUP_PREVIEW_PATH,
      className: 'start-form editor-columns',
      hasFiles: true,
      body: html`<button class="hidden" type="submit" name="do" value="look" tabindex="-1" aria-hidden="true">${words.refresh}</button>
<div class="stack"><div><h1>${words.title}</h1><p class="lead">${words.lead}</p></div>${problem('error', errors?.get(''))}
${lookFields(editor, view)}
${hasSources(editor) && placeChoice(editor, view)}
<div><button class="link-button" type="submit" name="do" value="later" formnovalidate>${words.later}</button></div></div>
<div class="editor-side">${frontPart(editor, view, isPreviewNext)}
<div class="actions in-sight">${button('save', words.save)}
${button('look', words.refresh)}</div>
<p class="small">${n > 0 ? countedText(editor, words, 'saves', n) : words.savesNone}</p></div>`,
    }),
  }
}

/**
 * The value of the hidden input with what the front page shows: anything else is shown before it is saved.
 */
export const shownValue = (values: StartValues): string => JSON.stringify(values)

/** The front page in a frame. @param isPreviewNext true if saving has to wait until it was looked at */
function frontPart(
  editor: EditorContext,
  { front, values, isUnseen }: ShownStart,
  isPreviewNext: boolean,
): Html {
  const words = editor.texts.start
  return html`<section class="start-front" id="front" aria-labelledby="front-title"${!isPreviewNext && html` tabindex="-1" autofocus`}><h2 id="front-title">${words.front}</h2><p class="small">${words.frontText}</p>
<div class="front-page"><iframe title="${words.front}" sandbox="" srcdoc="${front}"></iframe></div>
${!isPreviewNext && html`<input type="hidden" name="shown" value="${shownValue(values)}">`}
${isUnseen && html`<p role="status"><strong>${words.unseen}</strong></p>`}</section>`
}

const stepSection = (n: number, title: string, body: Html): Html =>
  html`<section class="card stack" aria-labelledby="step-${n}"><h2 id="step-${n}"><span class="start-number">${n}</span> ${title}</h2>${body}</section>`

const labelIn = ({ language }: EditorContext, name: string): string =>
  wordsOfField(language, 'settings', name).label

/** The settings that are folded away, because proposals mostly are right. */
const IN_FOLD = ['timezone', 'language', 'currency'] as const

/** The name, the place, the colour and the picture. */
function lookFields(editor: EditorContext, { values, errors, picture, isFresh }: ShownStart): Html {
  const { texts, language } = editor
  const words = texts.start
  const select = (name: (typeof IN_FOLD)[number], options: Options) =>
    selectField(
      { id: `f-${name}`, label: labelIn(editor, name), error: errors?.get(name) },
      { name, options, chosen: values[name] },
    )
  const zones = [...new Set([values.timezone, ...zonesFor(language)])]
  const locales = namedCodes(language, 'language', [...new Set([values.language, ...LOCALES])])
  const currencies = namedCodes(language, 'currency', [
    ...new Set([values.currency, ...Intl.supportedValuesOf('currency')]),
  ])
  const optionName = (options: Options, value: string) => options.find(([code]) => code === value)?.[1]
  const isFoldWrong = IN_FOLD.some(name => errors?.has(name))
  return stepSection(
    1,
    words.look,
    html`${inputField(
      {
        id: 'f-name',
        name: 'name',
        label: labelIn(editor, 'name'),
        value: values.name,
        error: errors?.get('name'),
      },
      html` maxlength="200" required autocomplete="organization"`,
    )}
${isFresh && html`<div data-proposals="${PROPOSALS}" data-fill hidden></div>`}
<details class="start-place"${isFoldWrong && html` open`}><summary><span class="small">${words.place}</span> <span data-choice="f-timezone">${values.timezone}</span>, <span data-choice="f-language">${optionName(locales, values.language)}</span>, <span data-choice="f-currency">${optionName(currencies, values.currency)}</span></summary>
<div class="stack">${select(
      'timezone',
      zones.map(zone => [zone, zone] as const),
    )}${select('language', locales)}${select('currency', currencies)}</div></details>
${colourChoice(editor, values, errors?.get('accent_color'))}
${labelledField(
  {
    id: 'picture',
    label: labelIn(editor, 'header_image'),
    help: words.pictureHelp,
    error: errors?.get('picture'),
  },
  html`${picture && html`<img class="start-picture" src="${picture}" alt="">`}<input id="picture" name="picture" type="file" accept="image/*"${errors?.has('picture') && html` aria-invalid="true" aria-describedby="picture-error"`}>`,
)}
<input type="hidden" name="image" value="${values.image}">
${values.image > 0 && html`<div class="form-check"><input id="without" type="checkbox" name="without" value="1"><label for="without">${words.without}</label></div>`}`,
  )
}

function colourChoice(editor: EditorContext, { accent_color }: StartValues, error: string | undefined): Html {
  const words = editor.texts.start
  const ownColour = accent_color.toLowerCase()
  const colours: [string, string][] = Object.entries(ACCENT_COLOURS).map(([name, colour]) => [
    colour,
    // Each name is a key of the constant.
    words[name as keyof typeof ACCENT_COLOURS],
  ])
  const isOther = parseColour(ownColour) !== undefined && colours.every(([colour]) => colour !== ownColour)
  const shownColours = isOther ? [...colours, [ownColour, words.ownColour] as const] : colours
  return group(
    { id: 'colour', label: labelIn(editor, 'accent_color'), error },
    html`<div class="swatches">${shownColours.map(
      ([colour, name]) =>
        html`<input type="radio" name="accent_color" value="${colour}" aria-label="${name}"${colour === ownColour && html` checked`}>\n`,
    )}</div>`,
  )
}

/** Where the events are. */
function placeChoice(editor: EditorContext, { values, errors, preview }: ShownStart): Html {
  const words = editor.texts.start
  const texts: Record<Place, string> = { address: words.address, file: words.file, none: words.none }
  const error = errors?.get('url')
  const fileError = errors?.get('file')
  return stepSection(
    2,
    words.where,
    html`${optionsField(
      { id: 'where', label: words.where },
      { options: PLACES.map(place => [place, texts[place]] as const), chosen: [values.where] },
      'start-where',
    )}
${inputField(
  { id: 'url', label: editor.texts.source.address, help: words.addressHelp, value: values.url, error },
  html` inputmode="url" maxlength="2048" autocomplete="off" autocapitalize="none" spellcheck="false"`,
)}
${inputField(
  { id: 'file', label: editor.texts.upload.file, help: words.fileHelp, error: fileError },
  html` type="file" accept=".csv,.tsv,.txt,.ics,.html,.htm,text/csv,text/calendar,text/html"`,
)}
<input type="hidden" name="source" value="${values.source}">
${preview && values.where !== 'none' && html`<p role="status"><span class="badge">${preview.total === 0 ? editor.texts.upload.none : countedText(editor, editor.texts.upload, 'found', preview.total)}</span></p>`}
${preview?.page && (preview.problems > 0 || preview.total === 0) && html`<p>${countedText(editor, words, 'problems', preview.problems)} <a href="${preview.page}">${words.columns}</a></p>`}`,
  )
}
