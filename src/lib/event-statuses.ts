/** The states of an event itself: it takes place as announced, or not. Not those of its publication (`STATUSES`). */
export const EVENT_STATUSES = ['scheduled', 'canceled', 'postponed', 'rescheduled'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** Kinds of events that take place online: only there, or also at a place. Others have ''. */
export const VIRTUAL_EVENT_TYPES = ['', 'virtual', 'hybrid'] as const
export type VirtualEventType = (typeof VIRTUAL_EVENT_TYPES)[number]
