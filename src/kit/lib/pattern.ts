/**
 * A pattern that is compiled at its first use, for patterns with properties of Unicode. V8 checks each
 * literal as it reads the script, and looks up the characters of every `\p{…}`, which takes 0.3 million
 * instructions, and 2 for some, also within a function that nobody calls. At the top of a module it does so
 * twice. Together, these patterns took 6 % of the start, so the Worker has no such literal
 * (`test/node/layers.test.ts`).
 *
 * @param source what would stand between slashes, as a template of `String.raw`
 */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let compiled: RegExp | undefined
  return () => {
    compiled ??= new RegExp(source, flags)
    return compiled
  }
}

// Each of these patterns has several users. Patterns with the flag g are for match, replace and split only:
// test and exec would continue from where they last stopped.

/** All between two words of letters and digits, in any script. */
export const BETWEEN_WORDS = lazyPattern(String.raw`[^\p{L}\p{N}]+`, 'gu')

/** White space or a control character. Addresses contain neither. */
export const NOT_IN_ADDRESSES = lazyPattern(String.raw`[\s\p{Cc}]`, 'gu')
