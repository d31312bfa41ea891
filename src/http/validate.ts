import * as z from 'zod/mini'
import { ApiError, ValidationErrors } from '../lib/errors.ts'

/** Checked fields: the valid values, the errors of the others, and the names of those whose values mean nothing here. */
export type Checked<T> = { values: Partial<T>; errors: ValidationErrors; ignored: string[] }

/**
 * Checks fields or parameters one by one, so that all bad values are reported. Unknown names and nulls are ignored.
 *
 * @param raw the fields as the client sent them
 */
export function check<T>(
  schema: z.ZodMiniObject & z.ZodMiniType<T>,
  raw: Readonly<Record<string, unknown>>,
): Checked<T> {
  const errors = new ValidationErrors()
  const values: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (value === undefined || value === null) continue
    const result = z.safeParse(field, value)
    if (result.success) {
      // A value may turn out to be none.
      if (result.data !== undefined) values[name] = result.data
      continue
    }
    const [issue] = result.error.issues
    if (issue?.code === 'custom' && issue.params?.isIgnored) ignored.push(name)
    else errors.add(name, issue?.message ?? 'is not valid')
  }
  // Each value was made by the schema of its own name.
  return { values: values as Partial<T>, errors, ignored }
}

/** The required fields that are absent, as an error that lists them all; undefined if none is. */
export function missingFields(
  schema: z.ZodMiniObject,
  raw: Readonly<Record<string, unknown>>,
): ApiError | undefined {
  const missing = Object.entries(schema.shape)
    .filter(
      ([name, field]) => !(field instanceof z.ZodMiniOptional) && (raw[name] ?? undefined) === undefined,
    )
    .map(([name]) => name)
  if (missing.length === 0) return undefined
  return new ApiError('rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, {
    params: missing,
  })
}
