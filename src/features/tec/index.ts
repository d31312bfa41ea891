import { defineFeature, type Feature } from '../../feature.ts'
import { TEC_V1 } from '../../kit/settings.ts'
import { mountTec, TEC_ROUTES } from './routes.ts'

const DECLARED = {
  errors: {
    404: { tec_rest_organizers_page_not_found: 'The list has no such page.' },
    400: {
      missing_experimental_endpoint_acknowledgement:
        'The header `X-TEC-EEA` with its sentence is missing (`TEC_EEA`).',
    },
  },
} as const

/** The second API of The Events Calendar, `tec/v1`, for the same resources. */
export const tecFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'tec',
  declares: DECLARED,
  namespaces: { [TEC_V1]: TEC_ROUTES },
  mount: mountTec,
})
