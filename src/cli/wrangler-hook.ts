import { READY } from './wrangler.ts'

// Loaded into the process of `wrangler dev` by Node's --import, for wrangler has no options for these: its lines about
// requests are left out, for the Worker logs every request itself, and the parent is told when the service responds, which
// wrangler's own message comes too early for.

// `[wrangler:info] GET /calendar/events/v1/events 200 OK (12ms)`
// The command that starts wrangler runs the cron.
const CRON_WARNING = /Scheduled Workers are not automatically triggered/
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \/\S* \d{3} .*\(\d+ms\)\s*$/
const READY_LINE = /^\[wrangler:info\] Ready on /
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

// Wrangler's quieter levels hide the line by which we know that it is ready, and with it the password.
if (/^(?:none|error|warn)$/i.test(process.env.WRANGLER_LOG ?? '')) process.env.WRANGLER_LOG = 'log'

// The overloads of `write` differ in their optional arguments only.
const write = process.stdout.write.bind(process.stdout) as (chunk: unknown, ...rest: unknown[]) => boolean

process.stdout.write = (chunk: unknown, ...rest: unknown[]): boolean => {
  const line = typeof chunk === 'string' ? chunk.replace(COLOURS, '') : ''
  // An empty text is written, so that the callback of the write is called.
  const written = write(REQUEST_LINE.test(line) ? '' : chunk, ...rest)
  if (READY_LINE.test(line)) process.send?.(READY)
  return written
}

const warn = process.stderr.write.bind(process.stderr) as (chunk: unknown, ...rest: unknown[]) => boolean

process.stderr.write = (chunk: unknown, ...rest: unknown[]): boolean =>
  warn(typeof chunk === 'string' && CRON_WARNING.test(chunk) ? '' : chunk, ...rest)
