import type { TermRow } from '../../resources/terms/serialize.ts'

/** Something that can be chosen: a venue, an organizer, a tag, a user. */
export type Choice = { id: number; name: string; detail?: string }

/** An image that can be chosen. `name` says which it is: its title, what it shows, or the name of its file. */
export type OfferedImage = { id: number; url: string; thumbnail: string; name: string; alt: string }

/** What fields offer beside what is typed into them, by the names of the fields. */
export type Choices = {
  /** What is chosen already, so that it can be shown by its name. */
  chosen?: Readonly<Record<string, readonly Choice[]>>
  /** What a search has found. */
  found?: Readonly<Record<string, readonly Choice[]>>
  categories?: readonly TermRow[]
  users?: readonly Choice[]
  images?: { chosen: OfferedImage | undefined; library: readonly OfferedImage[] }
  /** What the caller may do beside choosing. */
  mayCreateTerms?: boolean
  mayUpload?: boolean
  mayPublish?: boolean
}
