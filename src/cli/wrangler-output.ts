/** The message of wrangler's process to its parent once the service responds. */
export const READY = 'calendar-ready'

// `[wrangler:info] GET /calendar/events/v1/events 200 OK (12ms)`
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \/\S* \d{3} .*\(\d+ms\)\s*$/
const READY_LINE = /^\[wrangler:info\] Ready on /

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

type Output = Pick<NodeJS.WriteStream, 'write'>
type Write = (chunk: unknown, ...rest: unknown[]) => boolean

/**
 * Keeps wrangler's own lines about requests out of its output: the Worker logs every request itself, in more detail.
 *
 * @param onReady called after the line that says that the service responds
 */
export function filterOutput(output: Output, onReady: () => void): void {
  // The overloads of `write` differ in their optional arguments only.
  const write = output.write.bind(output) as Write
  output.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    const line = typeof chunk === 'string' ? chunk.replace(COLOURS, '') : ''
    // An empty text is written, so that the callback of the write is called.
    const written = write(REQUEST_LINE.test(line) ? '' : chunk, ...rest)
    if (READY_LINE.test(line)) onReady()
    return written
  }
}
