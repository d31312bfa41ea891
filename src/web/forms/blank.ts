import * as z from 'zod/mini'
import { descriptionOf } from '../../http/params.ts'

/** A parameter of a form that is sent by GET: an empty input says nothing. */
export const blank = <T>(param: z.ZodMiniType<T>) =>
  z.optional(
    z
      .pipe(
        z.transform((raw: unknown) => (raw === '' ? undefined : raw)),
        z.optional(param),
      )
      .register(z.globalRegistry, descriptionOf(param)),
  )
