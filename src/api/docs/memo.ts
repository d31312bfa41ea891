import type { DocsContext } from '../../context.ts'
import { memoize } from '../../lib/memo.ts'
import { toWall } from '../../lib/time.ts'

/**
 * Makes a document once a day for each address, with the settings of which there are several in tests. The defaults of dates depend
 * on the day.
 *
 * @param make must use nothing else of the context
 */
export const onceADay = <T>(make: (context: DocsContext) => T): ((context: DocsContext) => T) =>
  memoize(make, {
    // Origins come from requests, so there may be many.
    most: 16,
    by: ({ settings, api, now }) => [settings, api, toWall(now, settings.timezone).slice(0, 10)],
  })
