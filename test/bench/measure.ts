import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

export type Sample = {
  ms: number
  status: number
  bytes: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Milliseconds of CPU of the server's process. */
  cpu?: number
}

/** True if a response should not be measured: an error, or a redirect. One of 304 is short, but whole. */
export const isFailed = ({ status }: Sample): boolean => status >= 300 && status !== 304

/**
 * Sends one request over a kept connection and waits for the whole response. The server closes a connection
 * that has been idle for five seconds: a request that meets this is sent again, over a new one
 * (https://nodejs.org/api/http.html#requestreusedsocket).
 */
export function send(
  agent: Agent,
  url: URL,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | undefined } = {},
): Promise<Sample> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url.href, { agent, method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const data = Buffer.concat(chunks)
        const { statusCode: status = 0, headers: got } = response
        resolve({
          ms: performance.now() - from,
          status,
          bytes: data.length,
          headers: got,
          text: data.toString(),
        })
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET')
        return send(agent, url, { method, headers, body }).then(resolve, reject)
      reject(new Error(`${method} ${url.pathname}${url.search}: ${error.message}`, { cause: error }))
    })
    sent.end(body)
  })
}

export const makeAgent = (n: number): Agent => new Agent({ keepAlive: true, maxSockets: n })

/** @param share 0.5 for the median */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Sends one request and throws the response away: what a client does with it is not the server's time. */
const drain = (agent: Agent, url: URL): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url.href, { agent }, response => {
      response.resume().on('end', resolve).on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })

/** Requests a second that several connections get through in a stretch of time. */
export async function throughput(url: URL, clients: number, ms: number): Promise<number> {
  const agent = makeAgent(clients)
  const until = performance.now() + ms
  let done = 0
  const client = async () => {
    while (performance.now() < until) {
      await drain(agent, url)
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return (done * 1000) / ms
}

/** True where the system tells what a process has taken. */
export const hasCpu = existsSync('/proc/self/schedstat')

/** Milliseconds of CPU that a process has taken, by its threads' accounts in nanoseconds. */
export const cpuOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, id) => sum + ofThread(`/proc/${pid}/task/${id}/schedstat`), 0)

function ofThread(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/** The ids of the runtimes that this process has started, in that order. */
export const runtimeIds = (): number[] =>
  !hasCpu
    ? []
    : readdirSync('/proc')
        .filter(name => /^\d+$/.test(name) && isRuntime(name))
        .map(Number)
        .sort((a, b) => a - b)

function isRuntime(pid: string): boolean {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name === 'workerd' && Number(parent) === process.pid
  } catch {
    return false
  }
}
