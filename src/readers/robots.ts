// https://www.rfc-editor.org/rfc/rfc9309

/**
 * A rule: whether it allows, and the parts of its path between the `*` of the pattern. With `isWhole`,
 * nothing may follow.
 */
type Rule = { allows: boolean; length: number; parts: string[]; isWhole: boolean }

/** True if a path with its query may be requested. */
export type Robots = (path: string) => boolean

/** The most bytes that are read. RFC 9309 §2.5 demands at least 500 KiB. */
export const MAX_ROBOTS_BYTES = 512_000
/** The most rules that are read, more than any site has for one program. */
const MAX_RULES = 2_000

/**
 * Reads a robots.txt: the groups for one program, or else those for all.
 *
 * @param agent the program's name, as at the beginning of its User-Agent
 */
export function readRobots(text: string, agent: string): Robots {
  const groups = { own: [] as Rule[], all: [] as Rule[] }
  let group = { isOwn: false, isForAll: false }
  let inRules = false
  let isNamed = false
  for (const line of text.slice(0, MAX_ROBOTS_BYTES).split(/\r\n?|\n/)) {
    const content = line.replace(/#.*/, '')
    const colon = content.indexOf(':')
    const name = content.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const value = content.slice(colon + 1).trim()
    if (name === 'user-agent') {
      if (inRules) group = { isOwn: false, isForAll: false }
      inRules = false
      group.isOwn ||= value.toLowerCase() === agent.toLowerCase()
      group.isForAll ||= value === '*'
      isNamed ||= group.isOwn
    } else if (name === 'allow' || name === 'disallow') {
      inRules = true
      // An empty rule forbids nothing.
      if (value === '') continue
      const rule = ruleOf(name === 'allow', value)
      if (group.isOwn) groups.own.push(rule)
      else if (group.isForAll) groups.all.push(rule)
    }
  }
  const rules = (isNamed ? groups.own : groups.all).slice(0, MAX_RULES)
  return path => isAllowed(rules, encodePath(path))
}

/** A path with its characters encoded in one way, so that paths can be compared. */
const encodePath = (path: string): string =>
  path
    .replace(/[^\x21-\x7e]+/gu, characters => encodeURIComponent(characters.toWellFormed()))
    .replace(/%[\da-f]{2}/gi, code => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : code.toUpperCase()
    })

function ruleOf(allows: boolean, value: string): Rule {
  const isWhole = value.endsWith('$')
  const pattern = encodePath(isWhole ? value.slice(0, -1) : value)
  return { allows, length: pattern.length, parts: pattern.split(/\*+/), isWhole }
}

/**
 * The longest matching rule counts; of two equally long ones, the one that allows. No rule can forbid
 * robots.txt.
 */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  if (path === '/robots.txt') return true
  let bestRule: Rule | undefined
  for (const rule of rules) {
    if (bestRule && (rule.length < bestRule.length || (rule.length === bestRule.length && !rule.allows)))
      continue
    if (ruleFits(rule, path)) bestRule = rule
  }
  return bestRule?.allows ?? true
}

/**
 * Each part matches where it first occurs, so that a pattern takes at most the path's length for each of its
 * parts.
 */
function ruleFits({ parts: [first = '', ...otherParts], isWhole }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false
  let position = first.length
  const last = isWhole ? otherParts.pop() : undefined
  for (const part of otherParts) {
    const index = path.indexOf(part, position)
    if (index === -1) return false
    position = index + part.length
  }
  if (!isWhole) return true
  return last === undefined
    ? position === path.length
    : path.endsWith(last) && path.length - last.length >= position
}
