import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import '../../src/features.ts'
import { restoreEnvironment } from '../environment.ts'
import { RUNNING, WATCHED } from '../watchdog.ts'

// Files share a process, one after the other: none leaves variables behind, which commands that another one runs would
// get. Wrangler with another WRANGLER_LOG, for one, does not say when it is ready.
const before = { ...process.env }

afterAll(() => restoreEnvironment(before))

/** Tells test/watchdog.ts, without a message, which a blocked process would never send. */
function tell(test: string): void {
  const { TEST_RUN } = before
  if (TEST_RUN !== undefined) writeFileSync(join(TEST_RUN, `${RUNNING}${process.pid}`), test)
}

tell('')
if (WATCHED in before) beforeEach(({ task }) => tell(task.id))
