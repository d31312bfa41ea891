import { fromFeatures, type OfFeatures, type UnionToIntersection } from './started-features.ts'

export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const
export type Role = (typeof ROLES)[number]

/** The roles to which features add capabilities. */
export type ManagingRole = Extract<Role, 'administrator' | 'editor'>

/** The role in a stored row. An unknown role becomes the role with the fewest rights. */
export const knownRole = (stored: string): Role => ROLES.find(role => role === stored) ?? 'subscriber'

const EDITOR_CAPABILITIES = [
  'read',
  'edit_content',
  'publish_content',
  'upload_media',
  'edit_others_content',
  'create_terms',
  'manage_terms',
  'manage_sources',
] as const
const ADMINISTRATOR_CAPABILITIES = [...EDITOR_CAPABILITIES, 'manage_users', 'manage_settings'] as const

/**
 * An action that a role may allow. `edit_content` covers the caller's own events, venues and organizers only.
 */
export type Capability =
  | (typeof ADMINISTRATOR_CAPABILITIES)[number]
  | keyof UnionToIntersection<OfFeatures<'capabilities'>>

const capabilitiesByRole = fromFeatures((features): Record<Role | 'anonymous', readonly Capability[]> => {
  const added = features.flatMap(({ declares }) => Object.entries(declares?.capabilities ?? {})) as [
    Capability,
    ManagingRole,
  ][] // Object.entries forgets the type of the keys.
  const editor = [
    ...EDITOR_CAPABILITIES,
    ...added.flatMap(([name, role]) => (role === 'editor' ? [name] : [])),
  ]
  return {
    administrator: [...new Set([...ADMINISTRATOR_CAPABILITIES, ...added.map(([name]) => name)])],
    editor,
    author: ['read', 'edit_content', 'publish_content', 'upload_media', 'create_terms'],
    contributor: ['read', 'edit_content'],
    subscriber: ['read'],
    anonymous: ['read'],
  }
})

/** The user behind a request. Anonymous callers have the id 0, which no user has. */
export type Caller = { readonly id: number; readonly role: Role | 'anonymous' }

export const ANONYMOUS: Caller = { id: 0, role: 'anonymous' }

export const may = (caller: Caller, capability: Capability): boolean =>
  capabilitiesByRole()[caller.role].includes(capability)

/** The roles that allow an action, from the one with the most rights. */
export const rolesWith = (capability: Capability): Role[] =>
  ROLES.filter(role => capabilitiesByRole()[role].includes(capability))

/** True if a role has all rights of another role. */
export const hasAllRightsOf = (role: Role, other: Role): boolean =>
  capabilitiesByRole()[other].every(capability => capabilitiesByRole()[role].includes(capability))

/** The parts of an event, venue or organizer that permissions depend on. */
type OwnedContent = { author_id: number; status: string }

/** True if the caller may read content that is not published. */
export const mayReadUnpublished = (caller: Caller, content: OwnedContent): boolean =>
  may(caller, 'edit_others_content') || (may(caller, 'edit_content') && content.author_id === caller.id)

/**
 * True if the caller may change or delete content: editors may change any, authors their own, contributors
 * their own until it is published.
 */
export function mayEdit(caller: Caller, content: OwnedContent): boolean {
  if (may(caller, 'edit_others_content')) return true
  if (!may(caller, 'edit_content') || content.author_id !== caller.id) return false
  return may(caller, 'publish_content') || !['publish', 'private', 'future'].includes(content.status)
}
