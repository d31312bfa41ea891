import { env } from 'cloudflare:workers'
import type { Role } from '../../src/lib/roles.ts'
import { makeUser } from '../factories.ts'

/** Somebody with a login. `as` is the Authorization header. */
export type Person = { id: number; as: string }

/** One person of each role, and a second author. */
export type People = Readonly<Record<Role | 'another', Person>>

/** Makes a user with a login and a role. */
export async function makePerson(login: string, role: Role): Promise<Person> {
  const as = await makeUser(login, role)
  const id = await env.DB.prepare('SELECT id FROM users WHERE login = ?').bind(login).first<number>('id')
  return { id: Number(id), as }
}

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
