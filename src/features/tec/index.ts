import { defineFeature } from '../../feature.ts'
import { TEC_V1 } from '../../settings.ts'
import { ERRORS } from './errors.ts'
import { mountTec, TEC_ROUTES } from './routes.ts'

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
