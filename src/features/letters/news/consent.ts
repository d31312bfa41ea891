import { filled, textsIn } from '../../../words/words.ts'

/**
 * The version of the words of consent (`news.consent` in the catalogues), which is stored with each confirmation.
 * Raise it when you change the words; the former words stay in the history of the repository.
 */
export const CONSENT_VERSION = 1

/** The words to which somebody who confirms an address agrees. */
export const consentWords = (language: string, site: string): string =>
  filled(textsIn(language).news.consent, { site })
