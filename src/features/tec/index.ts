import { defineFeature } from '../../feature.ts'
import { TEC_V1 } from '../../settings.ts'
import { mountTec, TEC_ROUTES } from './routes.ts'

/** The error codes of `tec/v1`, by HTTP status, each with its meaning for clients (Markdown). */
const ERRORS = {
  400: {
    missing_experimental_endpoint_acknowledgement:
      'The header `X-TEC-EEA` with its sentence is missing (`TEC_EEA`).',
  },
} as const

declare module '../../lib/features.ts' {
  interface Features {
    tec: {
      errors: typeof ERRORS
    }
  }
}

/** The second API of The Events Calendar, `tec/v1`, for the same resources. */
export const tecFeature = defineFeature({
  name: 'tec',
  errors: ERRORS,
  namespaces: { [TEC_V1]: TEC_ROUTES },
  mount: mountTec,
})
