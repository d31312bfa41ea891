import { defineFeature, type Feature } from '../../feature.ts'
import { submitMail } from './receive.ts'
import catalogues from './words/catalogues.ts'

const DECLARED = { words: catalogues } as const

/** E-mails that become submissions, by Cloudflare's Email Routing. */
export const inboxFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'inbox',
  declares: DECLARED,
  email: submitMail,
})
