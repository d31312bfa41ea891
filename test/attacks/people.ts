import type { Role } from '../../src/lib/roles.ts'
import { makePerson, type Person } from '../factories.ts'

/** One person of each role, and a second author. */
export type People = Readonly<Record<Role | 'another', Person>>

/** Makes one user of each role, and a second author. */
export const makePeople = async (): Promise<People> => ({
  administrator: await makePerson('administrator', 'administrator'),
  editor: await makePerson('editor', 'editor'),
  author: await makePerson('author', 'author'),
  another: await makePerson('another', 'author'),
  contributor: await makePerson('contributor', 'contributor'),
  subscriber: await makePerson('subscriber', 'subscriber'),
})

/** Options for `send`: anonymous without a person. */
export const by = (person: Person | undefined): { as?: string } => (person ? { as: person.as } : {})
