import { lazyPattern } from './pattern.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 does not allow, not even as references. */
const IMPOSSIBLE = lazyPattern(String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}`, 'gu')

// Most texts have no such characters. A quick expression, which may match too much, saves them the slow
// search over all of Unicode.
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const MAYBE_IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/

/** Escapes a text for the content of an element, or for an attribute in double quotes. */
export const escapeXml = (text: string): string =>
  (MAYBE_IMPOSSIBLE.test(text) ? text.replace(IMPOSSIBLE(), '') : text).replace(
    /[&<>"]/g,
    character => ESCAPES[character] ?? '',
  )
