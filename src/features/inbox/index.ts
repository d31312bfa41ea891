import { defineFeature, type Feature } from '../../feature.ts'
import { submitMail } from './receive.ts'
import de from './words/de.ts'
import en from './words/en.ts'
import es from './words/es.ts'
import fr from './words/fr.ts'

const DECLARED = { words: { en, de, es, fr } } as const

/** E-mails that become submissions, by Cloudflare's Email Routing. */
export const inboxFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'inbox',
  declares: DECLARED,
  email: submitMail,
})
