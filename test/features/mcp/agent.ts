import { SITE } from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { request, sendTo } from '../../request.ts'

// Requests of the Model Context Protocol as they are on the wire, in the revision of July 2026.

// Whatever JSON holds: tests say what they expect of it.
type Json = ReturnType<typeof JSON.parse>

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Caller = { as?: string | undefined; headers?: Record<string, string> }

/** A message, with the headers that it demands. */
export function message(method: string, params: Json, { as, headers = {} }: Caller = {}): RequestInit {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
      ...(as && { authorization: as }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  }
}

export const post = (init: RequestInit, path = '/mcp'): Promise<Response> => request(SITE + path, init)

/** Calls a tool. @returns its result, or the error of the protocol */
export async function callTool(name: string, args: Json = {}, sending: Caller = {}): Promise<Json> {
  const response = await post(message('tools/call', { name, arguments: args }, sending))
  const { result, error } = (await response.json()) as Json
  return result ?? { error }
}

/** The text of a result. */
export const resultText = (result: Json): string => result.content?.[0]?.text ?? ''

/** What a call costs D1. */
export async function costOf(name: string, args: Json, sending: Caller = {}) {
  const init = message('tools/call', { name, arguments: args }, sending)
  const response = await sendTo({ DEBUG_TIMING: '1' }, `${SITE}/mcp`, init)
  const text = await response.text()
  if (text.includes('"isError":true')) throw new Error(text)
  return metricsOf(response)
}
