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
