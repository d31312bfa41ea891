/** Gives way to what waits, as other requests and timers, which cannot fire while there is work in one go. */
export const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
