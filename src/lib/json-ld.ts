/** A node of JSON-LD; its vocabulary is https://schema.org. */
export type Node = { '@type': string; [property: string]: unknown }

/** A node without the properties that say nothing. */
export const node = (type: string, properties: Record<string, unknown>): Node => ({
  '@type': type,
  ...Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined && value !== '' && value !== null),
  ),
})

/** A node that stands by itself. */
export const jsonLd = (root: Node) => ({ '@context': 'https://schema.org' as const, ...root })
