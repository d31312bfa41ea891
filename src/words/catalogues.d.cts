import type en from './en.json'
import type { Language } from './languages.ts'

/** Functions that read a language's catalogue. A test ensures that others have the keys of the English one. */
declare const catalogues: Readonly<Record<Language, () => typeof en>>
export = catalogues
