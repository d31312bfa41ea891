import { MESSAGE_PAUSES_MS, RETRIES_OF_ROWS, type WaitingWork } from '../../kit/lib/retries.ts'

export const LETTER_WORK = {
  /** Statements that find and plan the letters that are due. */
  look: 13,
  /**
   * The budget of a letter: reading its events, of which there may be a hundred, two writes, and the time
   * that the platform may take.
   */
  ofLetter: { statements: 14, requests: 1, cpuMs: 4, ms: 15_000 },
} as const

/** Letters, which are too late after half a day. */
export const LETTERS_WAITING = {
  rowName: 'letter',
  atOnce: 5,
  leaseMs: null,
  retries: { pausesMs: MESSAGE_PAUSES_MS, isEndless: false },
} as const satisfies WaitingWork

/** Sending news to subscribers (news/send.ts). */
export const NEWS_WORK = {
  /**
   * The budget of a choice: finding it, reading its events, of which there may be a hundred, and one group of
   * e-mails.
   */
  ofChoice: { statements: 26, requests: 5, cpuMs: 4, ms: 15_000 },
  /**
   * E-mails that are claimed together and sent at the same time: a Worker that is killed in between loses no
   * more.
   */
  group: 5,
  /**
   * The budget of a group: claiming it, storing the outcomes, which is up to seven statements, and a pause.
   */
  ofGroup: { statements: 11, requests: 5, cpuMs: 0.5, ms: 15_000 },
} as const

/** News. While the platform takes none, a run tries once, less and less often. */
export const NEWS_WAITING = {
  rowName: 'news',
  atOnce: NEWS_WORK.group,
  leaseMs: null,
  retries: RETRIES_OF_ROWS,
} as const satisfies WaitingWork
