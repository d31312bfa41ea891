import { toHtml } from '../../../lib/html.ts'
import { decodeEntities } from '../../../lib/text.ts'
import { html } from '../../html/html.ts'
import { type Control, labelled, stateOf } from '../control.ts'
import { entry } from '../entries.ts'

type Line = {
  /** The kind of keyboard and of check that browsers have for it. */
  type?: 'text' | 'url' | 'email' | 'tel' | 'number'
  most?: number
  /** For numbers: the steps in which they go. */
  step?: string
  minimum?: number
  maximum?: number
}

/** A text as it is stored, as people write it: without entities. */
const plainOf = (value: unknown): string =>
  value === undefined || value === null || value === false ? '' : decodeEntities(String(value))

/** One line of text, or a number. */
export const lineControl = ({ type = 'text', most, step, minimum, maximum }: Line = {}): Control => ({
  inputs: name => [name],
  show: (body, name) => [[name, [plainOf(body[name])]]],
  value: (entries, name) => entry(entries, name).trim(),
  read: entry,
  render: view =>
    labelled(
      view,
      html`<input id="${view.id}" name="${view.name}" type="${type}" value="${entry(view.entries, view.name)}"${most && html` maxlength="${most}"`}${step && html` step="${step}"`}${minimum !== undefined && html` min="${minimum}"`}${maximum !== undefined && html` max="${maximum}"`} autocomplete="off"${type === 'url' && html` placeholder="https://" inputmode="url"`}${stateOf(view)}>`,
    ),
})

/** A number that may be none: 0 is shown as an empty input. */
export const referenceControl: Control = {
  ...lineControl({ type: 'number', minimum: 1, step: '1' }),
  show: (body, name) => [[name, [body[name] ? String(body[name]) : '']]],
  value: (entries, name) => entry(entries, name).trim() || '0',
}

const rows = (text: string, least: number): number =>
  Math.min(24, Math.max(least, Math.ceil(text.length / 70) + text.split('\n').length))

/** Several lines. @param least the number of lines that are seen at the least */
export const lines = (least = 3): Control => ({
  ...lineControl(),
  render: view => {
    const text = entry(view.entries, view.name)
    // The first line break after the tag is not part of the text.
    return labelled(
      view,
      html`<textarea id="${view.id}" name="${view.name}" rows="${rows(text, least)}"${stateOf(view)}>
${text}</textarea>`,
    )
  },
})

/** Texts that are longer are shown as they are stored: to find out what plain text they are takes longer than it helps. */
const MOST_PLAIN = 20_000

/**
 * A sanitised text as somebody would write it: paragraphs are separated by empty lines, if that means the same. With other
 * elements it stays HTML.
 */
function writtenOf(stored: string): string {
  if (stored.length > MOST_PLAIN || /<(?!\/?p>|br \/>)/.test(stored)) return stored
  const text = decodeEntities(
    stored
      .replace(/<\/p>\s*<p>/g, '\n\n')
      .replace(/<\/?p>/g, '')
      .replace(/<br \/>\n?/g, '\n'),
  ).trim()
  return toHtml(text) === stored.trim() ? text : stored
}

/** Rich text: paragraphs as one writes them, or HTML. */
export const rich = (least = 8): Control => ({
  ...lines(least),
  show: (body, name) => [[name, [writtenOf(String(body[name] ?? ''))]]],
  value: entry,
})
