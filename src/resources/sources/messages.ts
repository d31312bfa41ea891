/** The beginning of what a run says that asks an editor, and what one says whose list may lack something. */
export const HALF_GONE = 'Half or more of its coming events are gone'
export const INCOMPLETE = 'Its list of events is incomplete'

/** What the message of a run says, which has not failed: that it asks an editor, that its list is incomplete, or both. */
export const saidIn = (message: string) => ({
  asks: message.startsWith(HALF_GONE),
  isIncomplete: message.includes(INCOMPLETE),
})
