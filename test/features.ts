import type { FeaturePart } from './feature-part.ts'
import { lettersPart } from './features/letters/part.ts'
import { picksPart } from './features/picks/part.ts'
import { registrationsPart } from './features/registrations/part.ts'
import { sourcesPart } from './features/sources/part.ts'
import { submissionsPart } from './features/submissions/part.ts'
import { webhooksPart } from './features/webhooks/part.ts'

/** What features add to tests that go through everything, in the order of `src/features.ts`. */
export const PARTS: readonly FeaturePart[] = [
  sourcesPart,
  picksPart,
  lettersPart,
  webhooksPart,
  registrationsPart,
  submissionsPart,
]
