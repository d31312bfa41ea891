import { defineFeature, type Feature } from '../../feature.ts'
import { submitMail } from './receive.ts'
import words from './words.ts'

const DECLARED = { words } as const

/** E-mails that become submissions, by Cloudflare's Email Routing. */
export const inboxFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'inbox',
  declares: DECLARED,
  email: submitMail,
})
