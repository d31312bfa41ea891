import {
  ATTRIBUTION,
  ATTRIBUTION_URL,
  locateFields,
  type PlaceCandidate,
} from '../../../calendar/venues/locate.ts'
import type { RequestContext } from '../../../kit/context.ts'
import { LATITUDE } from '../../../kit/http/params.ts'
import { may } from '../../../kit/lib/roles.ts'
import { decodeEntities } from '../../../kit/lib/text.ts'
import { isObject } from '../../../kit/lib/values.ts'
import { type Catalogue, filled, textsIn } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import type { Choices, Control, FieldView } from '../control.ts'
import { type Entries, entry, newInput, withEntries } from '../entries.ts'
import { choicePart } from '../field-html.ts'
import { isDone, replyValue, submitOne } from '../requests.ts'
import { lineControl } from './text.ts'

// The position of a venue: two numbers, which the geocoder can find if there is one.

/** The input with the chosen candidate: latitude and longitude with a space between them. */
const CANDIDATE_INPUT = 'geo_found'

export const POSITION: readonly string[] = ['geo_lat', 'geo_lng']

/** The input of a venue's field: in the venue's own form, or in the form of an event that creates it. */
const inputOf = (entries: Entries, name: string): string =>
  entries.has(newInput('venue', 'venue')) ? newInput('venue', name) : name

/** Entries in which a chosen candidate has become the position. */
export function withPosition(entries: Entries): Entries {
  const [, ...candidate] = /^(-?[\d.]+) (-?[\d.]+)$/.exec(entry(entries, CANDIDATE_INPUT)) ?? []
  if (candidate.length === 0) return entries
  return withEntries(entries, [
    ...POSITION.map((name, i) => [inputOf(entries, name), [candidate[i] ?? '']] as const),
    [CANDIDATE_INPUT, ['']],
  ])
}

/** The keys of texts for what keeps an address from being found. */
const PROBLEMS: Readonly<Record<string, keyof Catalogue['form']>> = {
  rest_invalid_param: 'noAddress',
  rest_too_many_requests: 'locatesTooMany',
}

/** Looks up the address that was typed for a venue. */
export async function locate(
  { context, language }: { context: RequestContext; language: string },
  { entries }: { entries: Entries },
): Promise<Choices> {
  const words = textsIn(language).form
  const names = Object.keys(locateFields.shape)
  const body = Object.fromEntries(names.map(name => [name, entry(entries, inputOf(entries, name)).trim()]))
  const reply = await submitOne({ context }, { method: 'POST', path: '/venues/locate', body })
  if (!isDone(reply)) {
    const word = PROBLEMS[isObject(reply.body) ? String(reply.body.code) : ''] ?? 'locateFailed'
    return { located: { candidates: [], problem: words[word] } }
  }
  // The route responds with nothing else.
  const candidates = replyValue(reply, 'candidates') as PlaceCandidate[]
  return { located: { candidates, ...(candidates.length === 0 && { problem: words.notLocated }) } }
}

const latitudeLine = lineControl({ type: 'number', step: 'any', ...LATITUDE })

/** The latitude of a venue, with the button that finds the position. */
export const latitude: Control = {
  ...latitudeLine,
  render: view => html`${positionFinder(view)}${latitudeLine.render(view)}`,
}

/** The button that finds the position, who gets the address, and the candidates that were found. */
export function positionFinder({ site: { context }, words, id, choices: { located } }: FieldView): Html | '' {
  const { geocoder } = context.settings
  if (!geocoder || !may(context.caller, 'publish_content')) return ''
  const { candidates = [], problem } = located ?? {}
  return html`<div class="locate">
<button class="button button-quiet" type="submit" name="do" value="locate" formnovalidate aria-describedby="${id}-sent"${problem && html` autofocus`}>${words.locate}</button>
<p class="field-help" id="${id}-sent">${filled(words.locateSends, { host: geocoder.host })}</p>
${problem && html`<p class="field-error" role="alert">${problem}</p>`}${candidates.length > 0 && positionChoice(words, id, candidates)}</div>`
}

const positionChoice = (words: Catalogue['form'], id: string, candidates: readonly PlaceCandidate[]): Html =>
  html`<fieldset class="form-field form-group" aria-describedby="${id}-credit"><legend>${words.located}</legend>
<ul class="found">${[
    ...candidates.map(
      ({ name, geo_lat, geo_lng }) => [`${geo_lat} ${geo_lng}`, decodeEntities(name)] as const,
    ),
    ['', words.locatedNone] as const,
  ].map(
    ([value, label], i) =>
      html`<li class="form-check">${choicePart({ id: `${id}-found-${i}`, type: 'radio', name: CANDIDATE_INPUT, value, label, isChosen: value === '', isFocused: i === 0 })}</li>`,
  )}</ul>
<p class="field-help" id="${id}-credit">${words.locatedSave} <a href="${ATTRIBUTION_URL}" rel="noopener">${ATTRIBUTION}</a></p></fieldset>`
