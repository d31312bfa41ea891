import type { Row } from '../../lib/connection.ts'

/** The texts by which events are found. */
export type EventTexts = { title: string; description: string; excerpt: string }

export const TEXTS = ['title', 'description', 'excerpt'] as const satisfies (keyof EventTexts)[]

export const textsIn = (row: Readonly<Partial<Record<keyof EventTexts, unknown>>>): EventTexts => ({
  title: String(row.title ?? ''),
  description: String(row.description ?? ''),
  excerpt: String(row.excerpt ?? ''),
})

/** The texts of an occurrence if a part of them is its own, else nothing: it is found by those of its series. */
export function textsWith(own: Row, shared: EventTexts | undefined): EventTexts | undefined {
  const isOwn = (name: string) => String(own.detached).includes(`"${name}"`)
  const texts = TEXTS.map(name => [name, isOwn(name) ? own[name] : shared?.[name]])
  return TEXTS.some(isOwn) ? textsIn(Object.fromEntries(texts)) : undefined
}
