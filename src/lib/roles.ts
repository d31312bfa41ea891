export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const
export type Role = (typeof ROLES)[number]

/** An action that a caller may be allowed. `edit_posts` is about events, venues and organizers of one's own. */
export type Capability =
  | 'read'
  | 'edit_posts'
  | 'publish_posts'
  | 'edit_others_posts'
  | 'create_terms'
  | 'manage_terms'

const EDITOR: readonly Capability[] = [
  'read',
  'edit_posts',
  'publish_posts',
  'edit_others_posts',
  'create_terms',
  'manage_terms',
]

const MAY: Record<Role | 'anonymous', readonly Capability[]> = {
  administrator: EDITOR,
  editor: EDITOR,
  author: ['read', 'edit_posts', 'publish_posts', 'create_terms'],
  contributor: ['read', 'edit_posts'],
  subscriber: ['read'],
  anonymous: ['read'],
}

/** Who asks. Anonymous callers have the id 0, which no user has. */
export type Caller = { readonly id: number; readonly role: Role | 'anonymous' }

export const ANONYMOUS: Caller = { id: 0, role: 'anonymous' }

export const may = (caller: Caller, capability: Capability): boolean => MAY[caller.role].includes(capability)

/** A post as far as permissions are concerned. */
type Owned = { author_id: number; status: string }

/** True for callers who may read a post that is not published. */
export const mayReadUnpublished = (caller: Caller, post: Owned): boolean =>
  may(caller, 'edit_others_posts') || (may(caller, 'edit_posts') && post.author_id === caller.id)

/** True for callers who may change or delete a post: editors any, authors their own, contributors their own until it is published. */
export function mayEdit(caller: Caller, post: Owned): boolean {
  if (may(caller, 'edit_others_posts')) return true
  if (!may(caller, 'edit_posts') || post.author_id !== caller.id) return false
  return may(caller, 'publish_posts') || !['publish', 'private', 'future'].includes(post.status)
}
