import { parseAst } from 'vitest/node'

export const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** All nodes of the syntax tree of a file, each before its parts. */
export function* nodesIn(file: string, text: string): Generator<Record<string, unknown>> {
  const waiting: unknown[] = [parseAst(text, { lang: /\.[cm]?ts$/.test(file) ? 'ts' : 'js' })]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (!isNode(value)) continue
    if (typeof value.type === 'string') yield value
    waiting.push(...Object.values(value).reverse())
  }
}

/** The regular expression that a node writes between slashes; undefined for anything else. */
export const literalOf = ({ type, regex }: Record<string, unknown>) =>
  type === 'Literal' && isNode(regex)
    ? { source: String(regex.pattern), flags: String(regex.flags) }
    : undefined
