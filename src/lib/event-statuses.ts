/** What has become of an event: whether it takes place as announced. Not its publication (`STATUSES`). */
export const EVENT_STATUSES = ['scheduled', 'canceled', 'postponed', 'rescheduled'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** Kinds of events that take place online: only there, or also at a place. Others have ''. */
export const VIRTUAL_EVENT_TYPES = ['', 'virtual', 'hybrid'] as const
export type VirtualEventType = (typeof VIRTUAL_EVENT_TYPES)[number]
