/** The address of the list, and the start of those of all webhooks. */
export const WEBHOOKS = '/admin/webhooks/'

/** The address of a webhook's page. */
export const webhookPath = (id: number): string => `${WEBHOOKS}${id}/`
