import { beforeAll, type beforeEach } from 'vitest'
import type { Role } from '../../src/kit/lib/roles.ts'
import { type Person, person } from '../factories.ts'

/** One person of each role, and a second author. */
export type People = Readonly<Record<Role | 'another', Person>>

/** Declares one user of each role, and a second author. @param when they are made */
export const everyRole = (when: typeof beforeAll | typeof beforeEach = beforeAll): People => ({
  administrator: person('administrator', 'administrator', when),
  editor: person('editor', 'editor', when),
  author: person('author', 'author', when),
  another: person('author', 'another', when),
  contributor: person('contributor', 'contributor', when),
  subscriber: person('subscriber', 'subscriber', when),
})

/** Options for `send`: anonymous without a person. */
export const by = (person: Person | undefined): { as?: string } => (person ? { as: person.as } : {})
