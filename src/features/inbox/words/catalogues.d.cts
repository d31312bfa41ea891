// Made by `npm run words`.
import type de from './de.json'
import type en from './en.json'
import type es from './es.json'
import type fr from './fr.json'

/** Functions that read a language's catalogue. */
declare const catalogues: {
  en: () => typeof en
  de: () => typeof de
  es: () => typeof es
  fr: () => typeof fr
}
export = catalogues
