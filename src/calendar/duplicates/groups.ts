import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { decodeRow, type RowOf } from '../../kit/db/columns.ts'
import {
  combineQueries,
  inList,
  literal,
  many,
  mapQuery,
  orNull,
  type Query,
  type RawRow,
  readNumber,
} from '../../kit/db/query.ts'
import { events, idInSourceName, imports, sourceNameSql, twins, users } from '../../kit/db/tables.ts'
import { may, ROLES } from '../../kit/lib/roles.ts'
import { omit } from '../../kit/lib/values.ts'
import { protectedSql } from '../content/dependents.ts'

// Events that are the same form a group: one is shown, and the addresses of the others redirect to it. Each
// pair that an editor or the comparison has judged is a row of `twins`.

type Member = {
  id: number
  version: number
  duplicate_of: number | null
  /** True if lists show it, or would show it if it had no duplicate. */
  isPublic: boolean
  /** The number of its source, 0 for own events: the lowest rank is shown. */
  rank: number
  authorId: number
  /** True if its author may publish, but not change other people's events. */
  isOfAuthor: boolean
  /** True if people depend on it. @see protectedSql of calendar/content/dependents.ts */
  isProtected: boolean
}

const pairColumns = omit(getTableColumns(twins), 'trashed_from')
export type Pair = RowOf<typeof pairColumns>

/** The whole groups of some events, and the known pairs among them. */
export type Groups = { members: Map<number, Member>; pairs: Pair[] }

/**
 * The number of the source of an event or of its series, because the cron makes dates of a source's series; 0
 * for none.
 */
export const sourceIdOf = (id: SQL): SQL => {
  const name = sql`${imports.source}`
  const first = sql`SELECT min(${idInSourceName(name)}) FROM`
  return sql`coalesce((${first} ${imports} WHERE kind = 'event' AND target_id = ${id} AND ${sourceNameSql(name)}),
    (${first} ${events} AS date CROSS JOIN ${imports} ON kind = 'series' AND target_id = coalesce(date.series_id, 0)
      WHERE date.id = ${id} AND ${sourceNameSql(name)}), 0)`
}

/** The roles that may publish, but not change other people's content. */
const authorRoles = () =>
  ROLES.filter(
    role => may({ id: 0, role }, 'publish_content') && !may({ id: 0, role }, 'edit_others_content'),
  )

/** The most pairs that are read for some events. */
const MAX_PAIRS = 500

/** A row of `twins`. */
export const readPair = (row: RawRow): Pair => decodeRow(pairColumns, row)

export const selectPairsOf = (ids: readonly number[]): Query<Pair[]> =>
  many(
    sql`SELECT * FROM ${twins} WHERE id IN (
        SELECT id FROM ${twins} WHERE first_id IN ${inList(ids)}
        UNION SELECT id FROM ${twins} WHERE second_id IN ${inList(ids)})
      ORDER BY id LIMIT ${literal(MAX_PAIRS)}`,
    readPair,
  )

/** A query for the groups of some events. @param ids a subquery */
export function selectGroups(ids: SQL): Query<Groups> {
  const groupClause = sql`WITH shown(id) AS MATERIALIZED (SELECT DISTINCT coalesce(duplicate_of, id) FROM ${events}
    WHERE id IN ${ids}),
    group_of(id) AS MATERIALIZED (SELECT id FROM shown
      UNION SELECT ${events.id} FROM shown CROSS JOIN ${events} INDEXED BY events_duplicates ON duplicate_of = shown.id)`
  const groups = combineQueries({
    members: many(
      sql`${groupClause} SELECT events.id, version, duplicate_of, status = 'publish' AND hide_from_listings = 0 AS is_public,
          ${sourceIdOf(sql`events.id`)} AS rank, author_id,
            (SELECT ${users.role} FROM ${users} WHERE ${users.id} = ${events.author_id}) IN ${inList(authorRoles())} AS is_of_author,
            ${protectedSql('event', sql`events.id`)} AS is_protected
        FROM group_of CROSS JOIN ${events} ON events.id = group_of.id ORDER BY events.id`,
      memberOf,
    ),
    pairs: many(
      sql`${groupClause} SELECT ${twins}.* FROM group_of CROSS JOIN ${twins} ON first_id = group_of.id
        WHERE second_id IN (SELECT id FROM group_of) ORDER BY ${twins.id} LIMIT ${literal(MAX_PAIRS)}`,
      readPair,
    ),
  })
  return mapQuery(groups, ({ members, pairs }) => ({
    members: new Map(members.map(member => [member.id, member])),
    pairs,
  }))
}

const memberOf = (row: RawRow): Member => ({
  id: readNumber(row.id),
  version: readNumber(row.version),
  duplicate_of: orNull(readNumber)(row.duplicate_of),
  isPublic: row.is_public === 1,
  rank: readNumber(row.rank),
  authorId: readNumber(row.author_id),
  isOfAuthor: row.is_of_author === 1,
  isProtected: row.is_protected === 1,
})

/** The pair of two events, if it is known. */
export const pairAmong = (pairs: readonly Pair[], a: number, b: number): Pair | undefined =>
  pairs.find(pair => pair.first_id === Math.min(a, b) && pair.second_id === Math.max(a, b))

/** The order in which events of a group are preferred for being shown. */
export const byRank = (a: Member, b: Member): number => a.rank - b.rank || a.id - b.id

/**
 * The event of a group that is shown: the first public one, where one that people depend on goes before
 * others; undefined if none is public. Of events with the same rank, the one that is shown already stays,
 * because the events of a deleted source become own events.
 */
const shownMemberOf = (members: readonly Member[]): Member | undefined =>
  members
    .filter(({ isPublic }) => isPublic)
    .sort(
      (a, b) =>
        Number(b.isProtected) - Number(a.isProtected) ||
        a.rank - b.rank ||
        Number(isHiddenDuplicate(a)) - Number(isHiddenDuplicate(b)) ||
        a.id - b.id,
    )[0]

const isHiddenDuplicate = ({ duplicate_of }: Member): boolean => duplicate_of !== null

/** The loaded groups, which can be joined and separated. */
export class Regrouping {
  readonly groups: Groups
  readonly #groupOf = new Map<number, Set<number>>()

  constructor(groups: Groups) {
    this.groups = groups
    for (const { id, duplicate_of } of groups.members.values()) {
      const shownId = duplicate_of ?? id
      const group = this.#groupOf.get(shownId) ?? new Set([shownId])
      this.#groupOf.set(shownId, group.add(id))
      this.#groupOf.set(id, group)
    }
  }

  membersOf(id: number): Member[] {
    return [...(this.#groupOf.get(id) ?? [])].flatMap(memberId => this.groups.members.get(memberId) ?? [])
  }

  areTogether(a: number, b: number): boolean {
    return this.#groupOf.get(a)?.has(b) ?? false
  }

  /**
   * True if two groups may become one: no editor has decided that two of their events are different, people
   * depend on one of them at most, and one event is public. Unless an editor has decided that the two are the
   * same, there are further conditions:
   *
   * - No two events have the same origin, and people depend on none of them.
   * - No own event would be hidden.
   * - An event whose author may not change other people's events would hide only this author's own.
   */
  mayJoin(a: number, b: number, isDecided: boolean): boolean {
    const groupA = this.membersOf(a)
    const groupB = this.membersOf(b)
    // A calendar that has been given new UIDs, or that was added again, has its former events in the trash.
    const members = [groupA, groupB].flatMap(group =>
      group.length > 1 ? group.filter(({ isPublic }) => isPublic) : group,
    )
    const shownMember = shownMemberOf(members)
    const isDifferent = groupA.some(({ id }) =>
      groupB.some(other => pairAmong(this.groups.pairs, id, other.id)?.state === 'different'),
    )
    return (
      shownMember !== undefined &&
      !isDifferent &&
      !this.areBothProtected(a, b) &&
      !this.isBehindNonPublic(a) &&
      !this.isBehindNonPublic(b) &&
      (isDecided ||
        (![...groupA, ...groupB].some(({ isProtected }) => isProtected) &&
          new Set(members.map(({ rank }) => rank)).size === members.length &&
          members.every(member => member.rank > 0 || member === shownMember) &&
          (!shownMember.isOfAuthor || members.every(({ authorId }) => authorId === shownMember.authorId))))
    )
  }

  /** True if people depend on an event of each group. */
  areBothProtected(a: number, b: number): boolean {
    return [a, b].every(id => this.membersOf(id).some(member => member.isProtected))
  }

  join(a: number, b: number): void {
    const group = new Set([...this.membersOf(a), ...this.membersOf(b)].map(({ id }) => id))
    for (const id of group) this.#groupOf.set(id, group)
  }

  /** Takes an event out of its group. */
  leave(id: number): void {
    for (const { id: otherId } of this.membersOf(id)) {
      const group = this.#groupOf.get(otherId)
      if (otherId !== id && group)
        this.#groupOf.set(otherId, new Set([...group].filter(memberId => memberId !== id)))
    }
    this.#groupOf.set(id, new Set([id]))
  }

  /** True if an event of the group is hidden behind one that is not public, such as one in the trash. */
  isBehindNonPublic(id: number): boolean {
    const group = this.membersOf(id)
    return group.some(
      member => !member.isPublic && group.some(({ duplicate_of }) => duplicate_of === member.id),
    )
  }

  /**
   * The event that hides each of the events: null for those that are shown. A group without a public event
   * stays as it is.
   */
  targets(): Map<number, number | null> {
    const targets = new Map<number, number | null>()
    for (const member of this.groups.members.values()) {
      const { id, duplicate_of } = member
      const group = this.membersOf(id)
      const shownMember = this.isBehindNonPublic(id) ? undefined : shownMemberOf(group)
      if (group.length === 1) targets.set(id, null)
      else if (shownMember) targets.set(id, shownMember === member ? null : shownMember.id)
      else targets.set(id, group.some(other => other.id === duplicate_of) ? duplicate_of : null)
    }
    return targets
  }
}
