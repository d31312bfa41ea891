/**
 * A pattern that is made at its first use, for those that name properties of Unicode: V8 checks each literal as it reads the script, and looks up
 * the characters of every `\p{…}`, which takes 0.3 million instructions, and 2 for some. At the top of a module it does so twice. Together, these
 * patterns took a thirtieth of the start.
 *
 * @param source what would stand between slashes, as a template of `String.raw`
 */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined
  return () => {
    made ??= new RegExp(source, flags)
    return made
  }
}
