import { parseAst } from 'vitest/node'

export const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** All nodes of a syntax tree. */
function* nodesOf(value: unknown): Generator<Record<string, unknown>> {
  if (!isNode(value)) return
  if (typeof value.type === 'string') yield value
  for (const part of Object.values(value)) yield* nodesOf(part)
}

/** All nodes of the syntax tree of a file. */
export const nodesIn = (file: string, text: string): Generator<Record<string, unknown>> =>
  nodesOf(parseAst(text, { lang: /\.[cm]?ts$/.test(file) ? 'ts' : 'js' }))

/** The regular expression that a node writes between slashes; undefined for anything else. */
export const literalOf = ({ type, regex }: Record<string, unknown>) =>
  type === 'Literal' && isNode(regex)
    ? { source: String(regex.pattern), flags: String(regex.flags) }
    : undefined
