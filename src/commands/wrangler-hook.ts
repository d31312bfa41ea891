import { READY } from './wrangler.ts'

// Node's --import loads this module into the process of `wrangler dev`, for two tasks that wrangler has no
// options for: it drops wrangler's lines about requests, which the Worker logs itself, and tells the parent
// when the service responds, because wrangler's own message comes too early.

// This warning is wrong here: the command that starts wrangler runs the cron.
const CRON_WARNING = /Scheduled Workers are not automatically triggered/
// `[wrangler:info] GET /calendar/events/v1/events 200 OK (12ms)`
const REQUEST_LINE = /^\[wrangler:info\] [A-Z]+ \/\S* \d{3} .*\(\d+ms\)\s*$/
const READY_LINE = /^\[wrangler:info\] Ready on /
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

// Wrangler's quieter levels hide the line “Ready on …”, after which the password appears.
if (/^(?:none|error|warn)$/i.test(process.env.WRANGLER_LOG ?? '')) process.env.WRANGLER_LOG = 'log'

// The overloads of `write` differ in their optional arguments only.
const write = process.stdout.write.bind(process.stdout) as (
  chunk: unknown,
  ...otherArguments: unknown[]
) => boolean

process.stdout.write = (chunk: unknown, ...otherArguments: unknown[]): boolean => {
  const line = typeof chunk === 'string' ? chunk.replace(COLOURS, '') : ''
  // Writes an empty text, so that the callback of the write is called.
  const isWritten = write(REQUEST_LINE.test(line) ? '' : chunk, ...otherArguments)
  if (READY_LINE.test(line)) process.send?.(READY)
  return isWritten
}

const warn = process.stderr.write.bind(process.stderr) as (
  chunk: unknown,
  ...otherArguments: unknown[]
) => boolean

process.stderr.write = (chunk: unknown, ...otherArguments: unknown[]): boolean =>
  warn(typeof chunk === 'string' && CRON_WARNING.test(chunk) ? '' : chunk, ...otherArguments)
