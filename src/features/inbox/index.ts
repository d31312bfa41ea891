import { defineFeature } from '../../feature.ts'
import { takeMail } from './receive.ts'
import catalogues from './words/catalogues.cjs'
import type en from './words/en.json'
import type { TextsWithValues } from './words/texts-with-values.ts'

declare module '../../words/words.ts' {
  interface FeatureTexts {
    inbox: typeof en & TextsWithValues
  }
}

/** E-mails that become submissions, by Cloudflare's Email Routing. */
export const inboxFeature = defineFeature({ name: 'inbox', words: catalogues, email: takeMail })
