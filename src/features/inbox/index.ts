import { defineFeature } from '../../feature.ts'
import type { TextsOf } from '../../words/words.ts'
import { submitMail } from './receive.ts'
import catalogues from './words/catalogues.ts'

declare module '../../lib/features.ts' {
  interface Features {
    inbox: {
      words: TextsOf<typeof catalogues>
    }
  }
}

/** E-mails that become submissions, by Cloudflare's Email Routing. */
export const inboxFeature = defineFeature({ name: 'inbox', words: catalogues, email: submitMail })
