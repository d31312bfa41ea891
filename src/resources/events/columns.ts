import type { RequestContext } from '../../context.ts'
import { events } from '../../db/schema.ts'
import { costToStore } from '../../lib/cost.ts'
import type { ValidationErrors } from '../../lib/errors.ts'
import { storedColumns } from '../content/field-table.ts'
import { attendanceOf } from './attendance.ts'
import { changedCustomFields } from './custom-fields.ts'
import type { PlainEventRow } from './rows.ts'
import { EVENT_FIELDS, type EventFields } from './schema.ts'

type Values = Partial<EventFields>

const asStored = storedColumns(EVENT_FIELDS, events)

/** The columns of the fields that don't depend on others, nor on what is stored. */
const ownColumns = (values: Values) => ({
  ...asStored(values),
  author_id: values.author,
  post_parent: values.post_parent === 0 ? null : values.post_parent,
})

/** The column of the cost. A cost that is sent back as it was read stays unchanged. */
function costColumn(
  { settings }: RequestContext,
  { cost, cost_details: details }: Values,
  stored: string | undefined,
): { cost?: string } {
  if (cost === undefined) return {}
  return { cost: costToStore(cost, settings.currency, { stored, details }) }
}

/** The columns that depend on what is stored before an update. */
type Stored = Pick<PlainEventRow, 'cost' | 'is_virtual' | 'virtual_event_type' | 'custom_fields'>

type Given = { values: Values; stored?: Stored | undefined }

/** The columns whose new values depend on several fields, or on the row before an update. */
const dependentColumns = (context: RequestContext, { values, stored }: Given, errors: ValidationErrors) => ({
  ...costColumn(context, values, stored?.cost),
  ...attendanceOf(values, stored),
  custom_fields: changedCustomFields(
    { changes: values.custom_fields, stored: stored?.custom_fields },
    errors,
  ),
})

/**
 * The columns of the fields of an event or series, except for its times, publication, slug and image. Fields that are
 * absent leave theirs undefined.
 *
 * @param errors gets one for too many custom fields
 */
export const columnsOf = (context: RequestContext, { values, stored }: Given, errors: ValidationErrors) => ({
  ...ownColumns(values),
  ...dependentColumns(context, { values, stored }, errors),
})
