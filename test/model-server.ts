import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PreparedAnswers, preparedAnswer } from './model.ts'

/** A request of chat completions, as the adapter sends it. */
export type ChatRequest = {
  model: string
  messages: { role: string; content: string }[]
  max_tokens: number
  response_format: { type: string; json_schema: { schema: object } }
}

/** Responds to one request. */
type Respond = (request: ChatRequest, response: ServerResponse) => void

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** The body of a response of chat completions. */
export const completion = (content: string): string =>
  JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] })

/** Responds with prepared answers. */
export const withAnswers =
  (answers: PreparedAnswers): Respond =>
  ({ messages }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(completion(JSON.stringify(preparedAnswer(answers, messages[1]?.content ?? ''))))
  }

/** A server that speaks OpenAI's chat completions at `url`, and keeps what it is asked. */
export async function serveModel(respond: Respond) {
  const requests: { path: string; authorization: string; body: ChatRequest }[] = []
  const server = createServer((request, response) => {
    void readBody(request).then(text => {
      // The adapter under test writes it.
      const body = JSON.parse(text) as ChatRequest
      requests.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', body })
      respond(body, response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
