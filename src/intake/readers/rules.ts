import { translating } from '../../lib/errors.ts'
import { InvalidRule, parseRule } from '../../lib/recurrence/parse.ts'
import type { Rule } from '../../lib/recurrence/rule.ts'
import type { DateTime } from '../../lib/time.ts'
import { Unreadable } from '../records.ts'

/** Reads a rule. @param toWall of UNTIL, which is mostly in UTC @throws Unreadable that begins so for what is none */
export const sourceRule = (text: string, what: string, toWall: (utc: DateTime) => DateTime): Rule =>
  translating(
    InvalidRule,
    ({ message }) => new Unreadable(`${what}: ${message}`),
    () => parseRule(text, toWall),
  )
