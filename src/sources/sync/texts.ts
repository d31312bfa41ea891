import type { series } from '../../db/schema.ts'
import type { Row } from '../../lib/connection.ts'
import type { ColumnName } from '../columns.ts'
import type { EventTexts } from './state.ts'

/** The columns by which events are found. */
export const TEXTS = ['title', 'description', 'excerpt'] as const satisfies readonly ColumnName<
  typeof series
>[]

/** The texts of an occurrence if a part of them is its own, else nothing: it is found by those of its series. */
export function textsWith(own: Row, shared: EventTexts | undefined): EventTexts | undefined {
  const detached = String(own.detached)
  const isOwn = (name: string) => detached.includes(`"${name}"`)
  if (!TEXTS.some(isOwn)) return undefined
  const textOf = (name: (typeof TEXTS)[number]) =>
    isOwn(name) ? String(own[name] ?? '') : (shared?.[name] ?? '')
  return { title: textOf('title'), description: textOf('description'), excerpt: textOf('excerpt') }
}

export const textsIn = ({ title, description, excerpt }: Row): EventTexts => ({
  title: String(title),
  description: String(description),
  excerpt: String(excerpt),
})
