/** The most that one user may have of each: nobody needs more, and none of the lists has pages. */
export const MOST_PASSKEYS = 20
export const MOST_PASSWORDS = 50

/** Characters of a name of either. */
export const LONGEST_NAME = 60

/** A name as it is stored: one line, without control characters. */
export const toName = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed()
