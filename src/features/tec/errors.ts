/** The error codes of `tec/v1`, by HTTP status, each with its meaning for clients (Markdown). */
export const ERRORS = {
  400: {
    missing_experimental_endpoint_acknowledgement:
      'The header `X-TEC-EEA` with its sentence is missing (`TEC_EEA`).',
  },
} as const
