import { once } from 'node:events'
import { createServer } from 'node:net'
import { UsageError } from './arguments.ts'

/** The port of `npm run dev`, unless it is told another. */
export const DEFAULT_PORT = '8787'

/** Where a calendar is served on this machine. */
export const originOf = (port: string): string => `http://localhost:${port}`

/** Tells why a port cannot be listened on at an address; undefined if it can, or if there is no such address here. */
async function obstacle(port: number, host: string): Promise<'taken' | 'forbidden' | undefined> {
  const server = createServer()
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening')
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'EADDRINUSE' ? 'taken' : code === 'EACCES' ? 'forbidden' : undefined
  } finally {
    server.close()
  }
}

/** The addresses that wrangler listens on by default. */
const LOOPBACK = ['127.0.0.1', '::1']

async function obstacles(port: number, ip: string | undefined) {
  const found = await Promise.all((ip === undefined ? LOOPBACK : [ip]).map(host => obstacle(port, host)))
  return found.find(one => one !== undefined)
}

/**
 * Checks that a port is free, before anything is made ready for it: wrangler finds out late and says so at length.
 *
 * @throws UsageError that names one that is
 */
export async function checkPort(port: number, ip: string | undefined): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UsageError('--port must be a whole number from 1 to 65535.')
  const found = await obstacles(port, ip)
  if (found === undefined) return
  let free = port < 1024 ? 8787 : port + 1
  while (free < 65_535 && (await obstacles(free, ip))) free++
  const reason = found === 'taken' ? 'in use by another program' : 'not for everybody to use'
  throw new UsageError(`Port ${port} is ${reason}. Another one is free: npm run dev -- --port ${free}`)
}
