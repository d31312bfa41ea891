import type { IncomingMessage, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from './listen.ts'

type Json = ReturnType<typeof JSON.parse>

/** A received message. */
type Received = {
  id: string
  type: string
  timestamp: string
  data: { id: number; rest_url: string; changed: string[] }
}

type Respond = (message: Received, response: ServerResponse, request: IncomingMessage) => void | Promise<void>

/** Responds with a status. */
export const respondWithStatus =
  (code: number, body = ''): Respond =>
  (_, response) => {
    response.writeHead(code).end(body)
  }

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const verified = (secret: string, body: string, headers: IncomingMessage['headers']): Json =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

/**
 * A server that verifies every message with the standard's own library, and then responds as a test wants.
 */
export async function makeReceiver() {
  const received: Received[] = []
  const bad: unknown[] = []
  const state: { secret: string; respond: Respond } = { secret: '', respond: respondWithStatus(204) }
  const { address, close } = await listen(() => async (request, response) => {
    try {
      const body = await bodyOf(request)
      const payload = verified(state.secret, body, request.headers)
      const message: Received = { id: String(request.headers['webhook-id']), ...payload }
      received.push(message)
      await state.respond(message, response, request)
    } catch (error) {
      bad.push(error)
      response.writeHead(400).end()
    }
  })
  return {
    url: `${address}/hook?key=of-the-receiver`,
    address,
    close,
    received,
    /** The messages with wrong signatures. */
    bad,
    set secret(secret: string) {
      state.secret = secret
    },
    set respond(respond: Respond) {
      state.respond = respond
    },
    /** The messages since the last call, as `type id`. */
    take: () => received.splice(0).map(({ type, data }) => `${type} ${data.id}`),
  }
}

export type Receiver = Awaited<ReturnType<typeof makeReceiver>>
