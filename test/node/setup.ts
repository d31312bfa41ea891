import { afterAll } from 'vitest'

// Files share a process, one after the other: none leaves variables behind, which commands that another one runs would
// get. Wrangler with another WRANGLER_LOG, for one, does not say when it is ready.
const before = { ...process.env }

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
})
