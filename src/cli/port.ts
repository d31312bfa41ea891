import { once } from 'node:events'
import { createServer } from 'node:net'
import { UsageError } from './arguments.ts'

/** The port of `npm run dev`, unless it is told another. */
export const DEFAULT_PORT = '8787'

/** Where a calendar is served on this machine. */
export const originOf = (port: string): string => `http://localhost:${port}`

/** Why a port cannot be listened on at an address, as errors of the system say it. Other errors are left to wrangler. */
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
 * Checks that a port is free, before anything is made ready for it: wrangler finds out late and says so at length.
 *
 * @param ip the address to listen on; those of wrangler unless told
 * @throws UsageError that names one that is
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
