import { afterAll } from 'vitest'
import '../../src/features.ts'
import { restoreEnvironment } from '../environment.ts'

// Files share a process, one after the other: none leaves variables behind, which commands that another runs
// would get. Wrangler with another WRANGLER_LOG, for one, does not say when it is ready.
const before = { ...process.env }

afterAll(() => restoreEnvironment(before))
