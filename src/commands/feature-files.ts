import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

// Features are found by their folders: importing them would import the whole calendar, which takes long and
// may be broken.

const FEATURES = join(import.meta.dirname, '../features')

/** The names of all features, which are the names of their folders. */
export const featureNames = (): string[] => readdirSync(FEATURES).sort()

/** The files of one name in the folders of features. */
export const featureFiles = (name: string): string[] =>
  featureNames()
    .map(feature => join(FEATURES, feature, name))
    .filter(existsSync)
