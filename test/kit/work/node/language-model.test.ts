import { afterEach, describe, expect, it } from 'vitest'
import type { Bindings } from '../../../../src/kit/env.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { askModel, modelOf } from '../../../../src/kit/work/language-model.ts'
import { completion, serveModel } from '../../../model-server.ts'
import { VARS } from '../../../vars.ts'

const QUESTION = { system: 'Count.', user: 'How many?', schema: { type: 'object' } }

/** What an answer has to be: an object with a number. */
const readNumber = (answer: unknown): number | undefined => {
  const { n } = Object(answer)
  return typeof n === 'number' ? n : undefined
}

const servers: Awaited<ReturnType<typeof serveModel>>[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** Asks a server which responds like this, one response after the other. */
async function ask(
  responses: readonly (string | { status: number; body?: string } | 'never' | 'half')[],
  { patienceMs = 5_000, key = '' } = {},
) {
  let turn = 0
  const server = await serveModel((_, response) => {
    const given = responses[turn++] ?? 'never'
    if (given === 'never') return
    if (given === 'half') {
      response.write('{"choices": [')
      setTimeout(() => response.destroy(), 50)
      return
    }
    const { status, body = '' } = typeof given === 'string' ? { status: 200, body: given } : given
    response.statusCode = status
    if (status === 302) response.setHeader('location', 'http://127.0.0.1:9/')
    response.end(body)
  })
  servers.push(server)
  const settings = settingsOf({ ...VARS, AI_URL: `${server.url}/`, AI_MODEL: 'small', AI_KEY: key })
  const model = modelOf(undefined, settings)
  if (!model) throw new Error('no model')
  const answer = await askModel(model, QUESTION, readNumber, patienceMs).catch(error => error)
  return { answer, requests: server.requests, name: model.name }
}

describe('a server with chat completions', () => {
  it('is asked with the schema, the key and a limit of the answer', async () => {
    const { answer, requests, name } = await ask([completion('{"n": 3}')], { key: 'secret' })
    expect(answer).toBe(3)
    expect(name).toMatch(/^small \(127\.0\.0\.1:\d+\)$/)
    expect(requests).toMatchObject([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer secret',
        body: {
          model: 'small',
          max_tokens: expect.any(Number),
          messages: [
            { role: 'system', content: 'Count.' },
            { role: 'user', content: 'How many?' },
          ],
          response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
        },
      },
    ])
  })

  it.each([
    ['no JSON', completion('three')],
    ['JSON of another form', completion('{"m": 3}')],
    ['an answer that is cut off', completion('{"n":')],
    ['no completion', '{"error": "busy"}'],
    ['no JSON at all', '<html>'],
  ])('is asked once more after %s', async (_, first) => {
    const { answer, requests } = await ask([first, completion('```json\n{"n": 4}\n```')])
    expect([answer, requests.length]).toEqual([4, 2])
    expect(requests[0]?.authorization).toBe('')
  })

  it('fails after two answers that do not fit', async () => {
    const { answer, requests } = await ask([completion('three'), completion('{}'), completion('{"n": 1}')])
    expect(answer).toMatchObject({
      code: 'rest_model_failed',
      message: expect.stringContaining('no usable answer'),
    })
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['an error of the server', { status: 500, body: completion('{"n": 1}') }, 'responded with HTTP 500'],
    ['a wrong key', { status: 401 }, 'responded with HTTP 401'],
    ['a redirect, which would get the key', { status: 302 }, 'responded with HTTP 302'],
    ['half a response', 'half', 'could not be reached'],
  ] as const)('fails at once after %s', async (_, response, reason) => {
    const { answer, requests } = await ask([response, completion('{"n": 1}')])
    expect(answer).toMatchObject({ code: 'rest_model_failed', message: expect.stringContaining(reason) })
    expect(requests).toHaveLength(1)
  })

  it('fails if both tries take too long together', async () => {
    const { answer } = await ask(['never'], { patienceMs: 200 })
    expect(answer).toMatchObject({
      code: 'rest_model_failed',
      message: expect.stringContaining('took too long'),
    })
    const second = await ask([completion('{}'), 'never'], { patienceMs: 300 })
    expect(second.answer).toMatchObject({ message: expect.stringContaining('took too long') })
  })

  it('fails if nobody is there', async () => {
    const settings = settingsOf({ ...VARS, AI_URL: 'http://127.0.0.1:9/v1', AI_MODEL: 'small' })
    const model = modelOf(undefined, settings)
    const answer = model && (await askModel(model, QUESTION, readNumber).catch(error => error))
    expect(answer).toMatchObject({ code: 'rest_model_failed', message: expect.stringContaining('reached') })
  })

  it('sends no more than half a megabyte that is read', async () => {
    const { answer } = await ask([
      completion(`{"n": 1, "more": "${'x'.repeat(600_000)}"}`),
      completion('{"n": 2}'),
    ])
    expect(answer).toBe(2)
  })
})

describe('Workers AI', () => {
  const asked: unknown[] = []
  const workersAi = (run: (input: object) => Promise<unknown>): NonNullable<Bindings['AI']> => ({
    run: (model, input) => {
      asked.push([model, input])
      return run(input)
    },
  })
  const askAi = async (run: (input: object) => Promise<unknown>, patienceMs = 5_000) => {
    asked.length = 0
    const model = modelOf(workersAi(run), settingsOf(VARS))
    return model && askModel(model, QUESTION, readNumber, patienceMs).catch(error => error)
  }

  it('is asked for a model with JSON mode, and gives values or texts', async () => {
    expect(await askAi(async () => ({ response: { n: 5 } }))).toBe(5)
    expect(asked).toMatchObject([
      [
        '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
        {
          max_tokens: expect.any(Number),
          response_format: { type: 'json_schema', json_schema: { type: 'object' } },
        },
      ],
    ])
    expect(await askAi(async () => ({ response: '{"n": 6}' }))).toBe(6)
  })

  it('is asked once more if the model did not keep to the schema', async () => {
    const refused = async () => {
      if (asked.length === 1) throw new Error("5024: JSON Mode couldn't be met")
      return { response: { n: 7 } }
    }
    expect(await askAi(refused)).toBe(7)
  })

  it('fails for other errors, and if it is slow whatever the signal says', async () => {
    const failing = async () => {
      throw new Error('3040: out of capacity')
    }
    expect(await askAi(failing)).toMatchObject({ code: 'rest_model_failed' })
    expect(asked).toHaveLength(1)
    expect(await askAi(() => new Promise(() => {}), 200)).toMatchObject({
      message: expect.stringContaining('took too long'),
    })
  })

  it('is not needed where a server has an address, and is no model without the binding', () => {
    const vars = { ...VARS, AI_URL: 'http://localhost:11434/v1', AI_MODEL: 'llama3.1' }
    expect(
      modelOf(
        workersAi(async () => 1),
        settingsOf(vars),
      )?.name,
    ).toBe('llama3.1 (localhost:11434)')
    expect(modelOf(undefined, settingsOf({ ...VARS, AI_MODEL: 'x' }))).toBeUndefined()
  })
})

describe('the settings of a model', () => {
  it.each([
    [{ AI_URL: 'localhost:11434' }, 'AI_URL'],
    [{ AI_URL: 'https://me:key@models.example/v1', AI_MODEL: 'x' }, 'AI_URL'],
    [{ AI_URL: 'https://models.example/v1' }, 'AI_MODEL'],
    [{ AI_TEXTS: 'many' }, 'AI_TEXTS'],
  ])('are refused: %j', (vars, name) => {
    expect(() => settingsOf({ ...VARS, ...vars })).toThrow(new RegExp(`^${name}: `))
  })

  it('allow no text at all', () => {
    expect(settingsOf({ ...VARS, AI_TEXTS: '0' }).ai.textsPerDay).toBe(0)
  })
})
