import { lazyPattern } from './pattern.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 does not allow, not even as references. */
const IMPOSSIBLE = lazyPattern(String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}`, 'gu')

// Most texts have none. A quick expression, which may match too much, saves them the slow search over all of
// Unicode.
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const MAYBE_IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/

/** Escapes a text for the content of an element, or for an attribute in double quotes. */
export const escapeXml = (text: string): string =>
  (MAYBE_IMPOSSIBLE.test(text) ? text.replace(IMPOSSIBLE(), '') : text).replace(
    /[&<>"]/g,
    character => ESCAPES[character] ?? '',
  )

/** A node of JSON-LD; its vocabulary is https://schema.org. */
export type Node = { '@type': string; [property: string]: unknown }

const escapeText = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('<', '&lt;')
  return Array.isArray(value) ? value.map(escapeText) : value
}

/**
 * A node without empty properties. It writes `<` in texts as `&lt;`, like titles everywhere in this calendar:
 * pages put JSON-LD into a script element, and a `</script>` in a description would end it.
 */
export const node = (type: string, properties: Record<string, unknown>): Node => ({
  '@type': type,
  ...Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== undefined && value !== '' && value !== null)
      .map(([name, value]) => [name, escapeText(value)]),
  ),
})

/** A root node, with its vocabulary. */
export const jsonLd = (root: Node) => ({ '@context': 'https://schema.org' as const, ...root })
