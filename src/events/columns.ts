import { asColumns, contentColumns, ownFields } from '../content/columns.ts'
import type { RequestContext } from '../context.ts'
import { events } from '../db/schema.ts'
import { costToStore } from '../lib/cost.ts'
import type { ValidationErrors } from '../lib/errors.ts'
import { attendanceOf } from './attendance.ts'
import { changedCustomFields } from './custom-fields.ts'
import type { PlainEventRow } from './rows.ts'
import type { EventFields } from './schema.ts'

type Values = Partial<EventFields>

/**
 * The columns of an event's own fields, except for those that depend on each other or on what is stored
 * (dependentColumns), the columns that all content shares, and relations, which are in other tables.
 */
function ownColumns(values: Values) {
  const {
    post_parent,
    cost: _cost,
    cost_details: _costDetails,
    start_date: _start,
    end_date: _end,
    timezone: _zone,
    all_day: _allDay,
    is_virtual: _isVirtual,
    virtual_event_type: _virtualType,
    custom_fields: _customFields,
    categories: _categories,
    tags: _tags,
    venue: _venue,
    organizer: _organizer,
    recurrence: _recurrence,
    scope: _scope,
    ...fields
  } = ownFields(values)
  return asColumns(events, { ...fields, post_parent: post_parent === 0 ? null : post_parent })
}

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
  ...contentColumns(values),
})
