import type { Feature } from './feature.ts'
import { lettersFeature } from './features/letters/index.ts'

/** The features of this calendar, in the order of the documentation and of the menu. A line less is a feature less. */
export const FEATURES: readonly Feature[] = [lettersFeature]
