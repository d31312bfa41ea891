import { Registry } from '../../lib/registry.ts'
import type { Html } from './html.ts'
import type { Site } from './site.ts'

/** What a feature adds at the end of every public page, such as a template for its script. */
export type PageEnd = (site: Site) => Html | ''

const ofFeatures = new Registry<readonly PageEnd[]>('ends of pages')
export const addPageEnds = (ends: readonly PageEnd[]): void => ofFeatures.set(ends)

/** What features add at the end of a page. */
export const pageEnds = (site: Site): (Html | '')[] => ofFeatures.value.map(end => end(site))
