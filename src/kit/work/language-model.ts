import type { LanguageModel, ModelQuestion } from '../context.ts'
import type { Bindings } from '../env.ts'
import { ApiError } from '../lib/errors.ts'
import { readUpTo } from '../lib/streams.ts'
import { parseJson } from '../lib/values.ts'
import type { Settings } from '../settings.ts'

// A language model that answers in JSON: one of Workers AI, by its binding, or one behind any server that
// speaks OpenAI's chat completions, such as Ollama on the same machine.

/** How long all tries of a question may take together, in milliseconds. */
const PATIENCE_MS = 60_000
/** The longest answer, in tokens: twenty events with all fields. Without a limit, services cut answers short. */
const MAX_TOKENS = 6_000
/** The most bytes of a server's response. */
const MAX_BYTES = 500_000

/** What both kinds of services are sent. The most likely answer is wanted, not a surprising one. */
const requestOf = ({ system, user }: ModelQuestion) => ({
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ],
  temperature: 0,
  max_tokens: MAX_TOKENS,
})

/**
 * The value that an answer has. Models write it as text, some between fences or after their thoughts;
 * Workers AI may have parsed it already.
 */
const readValue = (answer: unknown): unknown =>
  typeof answer === 'string'
    ? parseJson(answer.slice(Math.max(answer.indexOf('{'), 0), answer.lastIndexOf('}') + 1))
    : answer

const workersModel = (ai: NonNullable<Bindings['AI']>, model: string): LanguageModel => ({
  name: `${model} (Cloudflare Workers AI)`,
  answer: async (question, signal) => {
    const response_format = { type: 'json_schema', json_schema: question.schema }
    try {
      const result = await ai.run(model, { ...requestOf(question), response_format }, { signal })
      return readValue(Object(result).response)
    } catch (error) {
      // Workers AI refuses an answer that doesn't fit the schema. Asking again may help.
      if (/JSON Mode couldn't be met/i.test(String(error))) return undefined
      throw error
    }
  },
})

const serverModel = ({ url = '', model, key }: Settings['ai']): LanguageModel => ({
  name: `${model} (${new URL(url).host})`,
  answer: async (question, signal) => {
    const json_schema = { name: 'announcement', schema: question.schema, strict: true }
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        model,
        ...requestOf(question),
        response_format: { type: 'json_schema', json_schema },
      }),
      // The key is for this server alone.
      redirect: 'manual',
      signal,
    })
    const { bytes } = await readUpTo(response.body ?? [], MAX_BYTES)
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`)
    const [choice] = Object(parseJson(new TextDecoder().decode(bytes))).choices ?? []
    return readValue(Object(Object(choice).message).content)
  },
})

/** The language model of this calendar: the server that the vars name, or Workers AI; undefined for none. */
export const modelOf = (ai: Bindings['AI'], { ai: settings }: Settings): LanguageModel | undefined =>
  settings.url === undefined ? ai && workersModel(ai, settings.model) : serverModel(settings)

/**
 * Asks a model, and once more if its answer doesn't fit.
 *
 * @param read returns undefined for an answer that doesn't fit
 * @param patienceMs how long both tries may take together, in milliseconds
 * @throws ApiError `rest_model_failed` without an answer that fits
 */
export async function askModel<A>(
  model: LanguageModel,
  question: ModelQuestion,
  read: (answer: unknown) => A | undefined,
  patienceMs = PATIENCE_MS,
): Promise<A> {
  const signal = AbortSignal.timeout(patienceMs)
  const failed = (what: string, cause?: unknown) =>
    new ApiError('rest_model_failed', `The language model ${what}. Please try again later.`, { cause })
  const isLate = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const ask = async () => {
    try {
      return read(await Promise.race([model.answer(question, signal), isLate]))
    } catch (error) {
      const [status] = /^HTTP \d{3}$/.exec(String(Object(error).message)) ?? []
      const reason = status === undefined ? 'could not be reached' : `responded with ${status}`
      throw failed(signal.aborted ? 'took too long' : reason, error)
    }
  }
  const answer = (await ask()) ?? (await ask())
  if (answer === undefined) throw failed('gave no usable answer')
  return answer
}
