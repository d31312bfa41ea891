const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 cannot hold, however they are written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must go
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu

// Most texts have none. A regular expression over all of Unicode takes longer than one that may find too much.
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const MAYBE_IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/

/** A text for the content of an element, or for an attribute in double quotes. */
export const escapeXml = (text: string): string =>
  (MAYBE_IMPOSSIBLE.test(text) ? text.replace(IMPOSSIBLE, '') : text).replace(
    /[&<>"]/g,
    character => ESCAPES[character] ?? '',
  )
