import type * as z from 'zod/mini'
import type { paramsOf } from './field-table.ts'
import type { contentRows } from './fields.ts'

type ContentParams = ReturnType<typeof paramsOf<ReturnType<typeof contentRows<z.ZodMiniString>>>>

/** Checked values of the fields that events, venues and organizers share. */
export type ContentValues = Partial<z.output<z.ZodMiniObject<ContentParams>>>

/**
 * The type of the rest of a destructuring that names all fields. A new field of a schema that is not stored does not
 * compile.
 */
export type NothingLeft = { readonly [name: string]: never }
