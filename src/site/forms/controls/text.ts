import { CUSTOM_LIMITS, isCustomKey } from '../../../calendar/content/custom-fields.ts'
import { withQuery } from '../../../kit/http/lists.ts'
import { formatCost } from '../../../kit/lib/cost.ts'
import { toHtml, toInlineHtml } from '../../../kit/lib/html.ts'
import { decodeEntities, fold } from '../../../kit/lib/text.ts'
import { asObject, FIELD_LIMITS, isObject, withScheme } from '../../../kit/lib/values.ts'
import { storedCostWords } from '../../../words/cost.ts'
import { textsIn } from '../../../words/words.ts'
import { ASSETS } from '../../html/assets.ts'
import { type Html, html, icon, raw } from '../../html/html.ts'
import type { Control, FieldView } from '../control.ts'
import { entriesNamed, entry } from '../entries.ts'
import { group, inputField, inputPart, labelledField, stateOf, textField } from '../field-html.ts'

type LineOptions = {
  /** The type of the input, which selects keyboards and checks in browsers. */
  type?: 'text' | 'email' | 'tel' | 'number'
  maxLength?: number
  step?: string
  minimum?: number
  maximum?: number
}

/** A stored text without entities, as people write it. */
const plainOf = (value: unknown): string =>
  value === undefined || value === null || value === false ? '' : decodeEntities(String(value))

/** The input of a line of text. @param attributes further ones of the input */
const lineInput = (view: FieldView, attributes: Html): Html =>
  inputField({ ...view, value: entry(view.entries, view.name) }, attributes)

export const lineControl = ({
  type = 'text',
  maxLength,
  step,
  minimum,
  maximum,
}: LineOptions = {}): Control => ({
  show: (body, name) => [[name, [plainOf(body[name])]]],
  value: (entries, name) => entry(entries, name).trim(),
  read: entry,
  render: view =>
    lineInput(
      view,
      html` type="${type}"${maxLength && html` maxlength="${maxLength}"`}${step && html` step="${step}"`}${minimum !== undefined && html` min="${minimum}"`}${maximum !== undefined && html` max="${maximum}"`} autocomplete="off"`,
    ),
})

/** An address that somebody typed: one without a scheme is meant to be `https`. */
export const typedUrl = (text: string): string => withScheme(text.trim(), 'https')

/** The attributes of an input for an address. The type `url` would refuse one without a scheme. */
export const urlInput = html` inputmode="url" maxlength="${FIELD_LIMITS.url}" placeholder="https://" autocapitalize="none" spellcheck="false"`

export const urlControl: Control = {
  ...lineControl(),
  value: (entries, name) => typedUrl(entry(entries, name)),
  render: view => lineInput(view, html`${urlInput} autocomplete="off"`),
}

/** A price, which the form shows as pages do if that text would be read as the same price. */
export const price: Control = {
  ...lineControl(),
  show: (body, name, { settings: { currency, website } }) => {
    const cost = plainOf(body[name])
    const shownCost = storedCostWords(website.language, cost, currency)
    const stored = formatCost(cost, currency).cost_details
    const shown = formatCost(shownCost, currency).cost_details
    const isSame =
      stored.currency_symbol === shown.currency_symbol && stored.values.join() === shown.values.join()
    return [[name, [isSame ? shownCost : cost]]]
  },
}

/** Parameters of a list as a query: `categories=jazz&featured=true`. */
export const queryControl: Control = {
  ...lineControl(),
  show: (body, name) => [[name, [filterQuery(body[name])]]],
  render: view => lineInput(view, html` autocomplete="off" autocapitalize="none" spellcheck="false"`),
}

/** Parameters of a list as a query, without its question mark. */
export const filterQuery = (filters: unknown): string =>
  withQuery('', isObject(filters) ? filters : {})
    .slice(1)
    .replaceAll('%2C', ',')

const textareaRows = (text: string, minRows: number): number =>
  Math.min(24, Math.max(minRows, Math.ceil(text.length / 70) + text.split('\n').length))

function linesInput(view: FieldView, minRows: number, around?: (input: Html) => Html): Html {
  const value = entry(view.entries, view.name)
  return textField({ ...view, value, rows: textareaRows(value, minRows) }, '', around)
}

/** Several lines of text. @param minRows the minimum height, in lines */
export const lines = (minRows = 3): Control => ({
  ...lineControl(),
  render: view => linesInput(view, minRows),
})

/** The longest text that is converted to plain text: for longer ones that takes too long. */
const MAX_PLAIN = 20_000

/** The inline elements and lists of a text that is written without other tags. */
const WRITTEN_TAGS = 'strong|em|b|i|a|ul|ol|li'

/**
 * Sanitized HTML as it is written: with empty lines between paragraphs and tags only where something is bold,
 * a link or a list, if that is equivalent. Text with other elements stays HTML.
 */
function plainestHtml(storedHtml: string): string {
  if (storedHtml.length > MAX_PLAIN || OTHER_TAGS.test(storedHtml)) return storedHtml
  const text = storedHtml
    .replace(/<\/p>\s*<p>/g, '\n\n')
    .replace(/<\/?p>/g, '')
    .replace(/<br \/>\n?/g, '\n')
    .trim()
  // A text with tags keeps its entities, since they could become tags otherwise.
  const plainText = text.includes('<') ? text : decodeEntities(text)
  return toHtml(plainText) === storedHtml.trim() ? plainText : storedHtml
}

const OTHER_TAGS = new RegExp(`<(?!/?(?:p|${WRITTEN_TAGS})[ >]|br />)`)

/** The formats that the buttons of the visual editor set, in their order. */
type Format = 'bold' | 'italic' | 'heading' | 'list' | 'numbers' | 'quote' | 'link' | 'image'

export const TEXT_FORMATS: readonly Format[] = [
  'bold',
  'italic',
  'heading',
  'list',
  'numbers',
  'quote',
  'link',
  'image',
]

export const SIMPLE_FORMATS: readonly Format[] = ['bold', 'italic', 'list', 'link']

/** Keys of formats, for the titles of their buttons. */
const SHORTCUT_KEYS: Readonly<Partial<Record<Format, string>>> = { bold: 'B', italic: 'I', link: 'K' }

/**
 * The visual editor of a text, for scripts (assets/writing.browser.ts). It begins with the text as the server
 * would store it. All formats come with a button for its HTML.
 */
const visualEditor =
  ({ id, site, words, name, entries }: FieldView, formats: readonly Format[]) =>
  (input: Html): Html => {
    const value = entry(entries, name)
    const { writing } = textsIn(site.language)
    const tool = (format: Format) => {
      const key = SHORTCUT_KEYS[format]
      return html`<button type="button" data-set="${format}" aria-pressed="false" title="${writing[format]}${key && ` (${words.control}+${key})`}">${icon(format === 'list' ? 'bullets' : format)}<span class="hidden">${writing[format]}</span></button>`
    }
    return html`<div class="writing" data-writing data-link="${writing.link}" data-address="${writing.address}" data-remove="${writing.removeLink}" data-image="${writing.image}" data-close="${writing.close}">
<div class="writing-tools" role="toolbar" aria-label="${writing.tools}" aria-controls="${id}-page" hidden>${formats.map(tool)}${formats === TEXT_FORMATS && html`<button type="button" data-html aria-pressed="false">HTML</button>`}</div>
<p class="field-help writing-note" hidden>${writing.onlyHtml}</p>
${value.length <= MAX_PLAIN && html`<template>${raw(toHtml(value))}</template>`}${input}</div>
<script type="module" src="${ASSETS.writing}"></script>`
  }

/**
 * Rich text: paragraphs of plain text with some tags, or HTML.
 * @param formats the formats of the visual editor; without any, there is no such editor
 */
export const rich = (minRows: number, formats: readonly Format[] = []): Control => ({
  ...lines(minRows),
  show: (body, name) => [[name, [plainestHtml(String(body[name] ?? ''))]]],
  value: entry,
  render: view => linesInput(view, minRows, formats.length > 0 ? visualEditor(view, formats) : undefined),
})

/** Lines of text that may have emphasis and links, as they are written: HTML only where there are some. */
export const inlineText: Control = {
  ...lines(),
  show: (body, name) => {
    const storedText = String(body[name] ?? '')
    const text = decodeEntities(storedText)
    // Decoded, entities could become tags.
    const isText = decodeEntities(toInlineHtml(text)) === text
    return [[name, [isText ? text : storedText]]]
  },
}

const CUSTOM_INPUTS = ['key', 'label', 'value'] as const
const customInputs = (name: string) => CUSTOM_INPUTS.map(part => `${name}_${part}`)

type CustomRow = Record<(typeof CUSTOM_INPUTS)[number], string>

const EMPTY_ROW: CustomRow = { key: '', label: '', value: '' }
/** Empty rows after the filled ones. */
const SPARE_ROWS: readonly CustomRow[] = [EMPTY_ROW, EMPTY_ROW]

function rowsIn(entries: Parameters<Control['value']>[0], name: string): CustomRow[] {
  const [keys = [], labels = [], values = []] = customInputs(name).map(input => entriesNamed(entries, input))
  return labels.map((label, i) => ({ key: keys[i] ?? '', label, value: values[i] ?? '' }))
}

/** The key of a new field, made from its label. @param takenKeys those of the other fields of the event */
function keyFromLabel(label: string, takenKeys: ReadonlySet<string>): string {
  const words = fold(label).match(/[a-z0-9]+/g) ?? ['field']
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `_${n}`
    const key = `${words.join('_').slice(0, CUSTOM_LIMITS.key - suffix.length)}${suffix}`
    if (!takenKeys.has(key) && isCustomKey(key)) return key
  }
}

/** Custom fields: pairs of label and value. A pair with both emptied is deleted. */
export const custom: Control = {
  inputs: customInputs,
  show: (body, name) => {
    const filledRows = Object.entries(asObject(body[name])).map(([key, field]): CustomRow => {
      const { label, value } = asObject(field)
      return { key, label: String(label ?? ''), value: String(value ?? '') }
    })
    const allRows = [...filledRows, ...SPARE_ROWS]
    return customInputs(name).map((input, i) => [
      input,
      allRows.map(row => decodeEntities(row[CUSTOM_INPUTS[i] ?? 'key'])),
    ])
  },
  value: (entries, name) => {
    const rows = rowsIn(entries, name).filter(({ key, label, value }) => key || label || value)
    const takenKeys = new Set(rows.map(({ key }) => key))
    return Object.fromEntries(
      rows.map(({ key: storedKey, label, value }) => {
        const key = storedKey || keyFromLabel(label, takenKeys)
        takenKeys.add(key)
        return [key, label || value ? { label: label || storedKey, value } : null]
      }),
    )
  },
  read: (entries, name) =>
    rowsIn(entries, name)
      .filter(({ label, value }) => label || value)
      .map(({ label, value }) => `${label}: ${value}`)
      .join('\n'),
  render: view => {
    const rows = rowsIn(view.entries, view.name).filter(({ key, label, value }) => key || label || value)
    return group(
      view,
      html`${[...rows, ...SPARE_ROWS].map(
        (
          { key, label, value },
          i,
        ) => html`<div class="pair"><input type="hidden" name="${view.name}_key" value="${key}">
${inputPart({ id: `${view.id}-label-${i}`, name: `${view.name}_label`, label: view.words.nameLabel, value: label }, html` maxlength="255"`)}
${inputPart({ id: `${view.id}-value-${i}`, name: `${view.name}_value`, label: view.words.customValue, value }, html` maxlength="5000"`)}</div>`,
      )}`,
    )
  },
}

/** A point of the header image, in percent. A script shows the image, on which it can be clicked. */
export const focusControl: Control = {
  ...lineControl(),
  render: view =>
    labelledField(
      view,
      html`<input id="${view.id}" name="${view.name}" value="${entry(view.entries, view.name)}" maxlength="9" placeholder="50 50" autocomplete="off"${stateOf(view)}>
<div class="focus" data-focus="${view.id}" data-image="header_image" hidden><img alt=""><span></span></div>`,
    ),
}

/**
 * A colour, with samples of links and buttons on light and on dark pages. Its options are the texts of the
 * samples.
 */
export const colourControl: Control = {
  ...lineControl(),
  render: view => {
    const colour = entry(view.entries, view.name)
    return labelledField(
      view,
      html`<div class="colour"><input id="${view.id}" name="${view.name}" value="${colour}" maxlength="7" placeholder="#1a6b54" autocomplete="off" autocapitalize="none" spellcheck="false"${stateOf(view)}>
<input type="color" value="${colour || '#1c5f5a'}" data-colour="${view.id}" aria-label="${view.options?.picker}" hidden></div>
<div class="colour-previews">${(['light', 'dark'] as const).map(
        scheme =>
          html`<p class="colour-preview is-${scheme}"><span class="small">${view.options?.[scheme]}</span> <span class="colour-link">${view.options?.link}</span> <span class="button">${view.options?.button}</span></p>`,
      )}</div>`,
    )
  },
}
