import { checkboxes } from '../../web/forms/controls/choice.ts'
import { queryControl, urlControl } from '../../web/forms/controls/text.ts'
import { defineForm, inFirst } from '../../web/forms/form.ts'
import { WEBHOOK_EVENTS } from './filters.ts'
import { webhookFields } from './schema.ts'

/** The form of webhooks. Their secrets are made here. */
export const WEBHOOK_FORM = defineForm('webhook', webhookFields.shape, {
  url: inFirst(urlControl),
  events: { ...inFirst(checkboxes(WEBHOOK_EVENTS)), isRequired: true },
  filters: inFirst(queryControl),
  active: null,
  secret: null,
})
