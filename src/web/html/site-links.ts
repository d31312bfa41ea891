import { Registry } from '../../lib/registry.ts'
import type { Site } from './site.ts'

/** A link at the bottom of all pages, and in their menu unless it is minor. */
export type SiteLink = { href: string; text: string; isMinor?: true }

/** The links of a feature. */
export type SiteLinks = (site: Site) => readonly SiteLink[]

const ofFeatures = new Registry<readonly SiteLinks[]>('links of the menu')
export const addSiteLinks = (links: readonly SiteLinks[]): void => ofFeatures.set(links)

/** The links of features. */
export const siteLinks = (site: Site): SiteLink[] => ofFeatures.value.flatMap(links => [...links(site)])
