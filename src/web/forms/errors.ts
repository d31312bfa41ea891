import { isObject } from '../../lib/values.ts'
import { type FormWords, formWords } from '../../words/words.ts'
import { reasonIn } from './reasons.ts'

/** What is wrong with a form: by the names of fields, and '' for what concerns no field of its own. */
export type FormErrors = ReadonlyMap<string, string>

/** The parts of an error of the API that forms show. */
type ErrorBody = { code: string; message: string; params: unknown }

function errorIn(body: unknown): ErrorBody {
  const { code, message, data } = isObject(body) ? body : {}
  return {
    code: String(code ?? ''),
    message: String(message ?? ''),
    params: isObject(data) ? data.params : undefined,
  }
}

/** Words for errors that concern no field. */
const WORDS: Readonly<Record<string, keyof FormWords>> = {
  rest_forbidden: 'notYours',
  rest_too_many_requests: 'tooMuchNow',
  rest_daily_limit_reached: 'dayLimit',
  rest_service_unavailable: 'busy',
  'sources-are-too-many': 'tooMany',
  'webhooks-are-too-many': 'tooMany',
}

/** The errors of a reply of the API, in the language of the page. */
export function errorsOf(words: FormWords, body: unknown): Map<string, string> {
  const { code, message, params } = errorIn(body)
  if (Array.isArray(params)) {
    const names = params.map(String)
    // Without a start there is no end, which is then no news.
    const told = names.filter(name => name !== 'end_date' || !names.includes('start_date'))
    return new Map(told.map(name => [name, words.missing]))
  }
  if (isObject(params) && Object.keys(params).length > 0)
    return new Map(Object.entries(params).map(([name, reason]) => [name, reasonIn(words, String(reason))]))
  const word = WORDS[code]
  return new Map([['', word ? words[word] : message]])
}

/** Why something was refused, in one line. */
export const reasonsOf = ({ language }: { language: string }, { body }: { body: unknown }): string =>
  [...errorsOf(formWords(language), body).values()].join(' ')
