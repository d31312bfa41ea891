import { MESSAGE_PAUSES_MS, type WaitingWork } from '../../lib/waiting-work.ts'

/** Sending letters. */
export const LETTER_WORK = {
  /** Statements that find and plan the letters that are due. */
  look: 13,
  /** The budget of a letter: reading its events, two writes, and the time that the platform may take. */
  ofLetter: { statements: 14, requests: 1, cpuMs: 2, ms: 15_000 },
  /** The CPU time of a letter with a hundred events, in milliseconds. */
  cpuOfLetter: 4,
} as const

/** Letters, which are too late after half a day. */
export const LETTERS_WAITING = {
  rowName: 'letter',
  atOnce: 5,
  leaseMs: null,
  retries: { pausesMs: MESSAGE_PAUSES_MS, isEndless: false },
} as const satisfies WaitingWork
