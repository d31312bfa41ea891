import { Registry } from '../../lib/registry.ts'
import type { Filters } from './filters.ts'
import type { Html } from './html.ts'
import type { Site } from './site.ts'

/** A line of a feature below the events of a page. @param filters of the page */
export type BelowLists = (site: Site, filters: Filters) => Html | ''

const ofFeatures = new Registry<readonly BelowLists[]>('lines below lists')
export const addBelowLists = (lines: readonly BelowLists[]): void => ofFeatures.set(lines)

/** The lines of features below the events of a page. */
export const belowLists = (site: Site, filters: Filters): (Html | '')[] =>
  ofFeatures.value.map(line => line(site, filters))
