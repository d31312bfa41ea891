import { once } from 'node:events'
import { createServer } from 'node:net'
import { UsageError } from './arguments.ts'

/** The port of `npm run dev` by default. */
export const DEFAULT_PORT = '8787'

/** The origin of a calendar on this machine. */
export const originOf = (port: string): string => `http://localhost:${port}`

/** The errors of the system for a port that can't be used. Wrangler reports other errors. */
const OBSTACLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'in use by another program',
  EACCES: 'not for everybody to use',
}

async function obstacleAt(port: number, host: string): Promise<string | undefined> {
  const server = createServer()
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening')
    return undefined
  } catch (error) {
    return OBSTACLES[error instanceof Error && 'code' in error ? String(error.code) : '']
  } finally {
    server.close()
  }
}

/**
 * Checks that a port is free before anything else is done: wrangler notices late, and prints a long message.
 *
 * @param ip the address to listen on; by default those of wrangler
 * @throws UsageError if it isn't, with another port that is free
 */
export async function checkPort(port: number, ip: string | undefined): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UsageError('--port must be a whole number from 1 to 65535.')
  const hosts = ip === undefined ? ['127.0.0.1', '::1'] : [ip]
  const obstacleTo = async (one: number) =>
    (await Promise.all(hosts.map(host => obstacleAt(one, host)))).find(found => found)
  const obstacle = await obstacleTo(port)
  if (!obstacle) return
  let free = port < 1024 ? Number(DEFAULT_PORT) : port + 1
  while (free < 65_535 && (await obstacleTo(free))) free++
  throw new UsageError(`Port ${port} is ${obstacle}. Try a free one: npm run dev -- --port ${free}`)
}
