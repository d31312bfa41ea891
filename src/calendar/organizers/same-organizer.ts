import { fold } from '../../kit/lib/text.ts'

// An organizer that a source or import names for the first time becomes the public organizer of that name, as
// a venue does, unless both have e-mail addresses and these differ.

type NamedOrganizer = { name: string; email: string }

/** An organizer of the calendar that may be the same as an imported one. */
export type ExistingOrganizer = NamedOrganizer & {
  id: number
  version: number
  events: number
  isPublic: boolean
  /** The source whose records are compared, if it made this row; otherwise ''. */
  source: string
}

/** Organizers of the calendar by their names without case and accents. */
export class ExistingOrganizers {
  readonly #byName = new Map<string, ExistingOrganizer[]>()

  add(organizer: ExistingOrganizer): void {
    const key = fold(organizer.name)
    const known = this.#byName.get(key) ?? []
    if (!known.some(({ id }) => id === organizer.id)) this.#byName.set(key, [...known, organizer])
  }

  /**
   * The existing organizer that an imported one is: of several, one with its e-mail address, then the one
   * with most events. An organizer that waits for review can only be the same for the source that has made
   * it.
   */
  sameAs({ name, email }: NamedOrganizer, source: string): ExistingOrganizer | undefined {
    const matches = (this.#byName.get(fold(name)) ?? []).filter(
      other =>
        (other.isPublic || other.source === source) &&
        (email === '' || other.email === '' || fold(other.email) === fold(email)),
    )
    const rank = (other: ExistingOrganizer): number => Number(other.email === '' || email === '')
    matches.sort((a, b) => rank(a) - rank(b) || b.events - a.events || a.id - b.id)
    return matches[0]
  }
}
