import { existsSync, readFileSync } from 'node:fs'
import { eraseSenderQuery } from '../calendar/intake/queries.ts'
import { selectHasAdministrator } from '../calendar/users/last-administrator.ts'
import { addLink, addPassword, revokePasswords } from '../calendar/users/passwords.ts'
import { commandLine, UserError } from '../calendar/users/records.ts'
import { addUser, type ListedUser, readUsers, removeUser } from '../calendar/users/users.ts'
import type { Database } from '../kit/db/database.ts'
import { ROLES } from '../kit/lib/roles.ts'
import { type DateTime, formatInstant } from '../kit/lib/time.ts'
import { isNewLogin } from '../kit/lib/values.ts'
import { settingsOf } from '../kit/settings.ts'
import {
  command,
  dateOption,
  positiveInteger,
  runCommand,
  TARGET_HELP,
  TARGET_OPTIONS,
  targetOf,
  UsageError,
  type ValuesOf,
} from './arguments.ts'
import type { OpenCalendar } from './lean-database.ts'
import { addressFileOf, DEFAULT_PORT, originOf, type Target } from './wrangler.ts'

const COMMON_OPTIONS = { ...TARGET_OPTIONS, json: { type: 'boolean' } } as const

const OPTIONS = {
  ...COMMON_OPTIONS,
  role: { type: 'string' },
  expires: { type: 'string' },
  'password-id': { type: 'string' },
  reassign: { type: 'string' },
  yes: { type: 'boolean' },
  site: { type: 'string' },
} as const

type UserOptions = ValuesOf<typeof OPTIONS>

/** The result of a command, for programs and for people. */
type CommandResult = { json: object; text: string }

type Command = {
  usage: string
  summary: string
  takesOperand: boolean
  /** The options of this command, in addition to the common options. */
  options: readonly (keyof typeof OPTIONS)[]
  /** Checks the arguments before the database is opened, and returns a function that does the work. */
  prepare: (
    operand: string,
    values: UserOptions,
  ) => (db: Database, origin: string | undefined) => Promise<CommandResult>
}

/** What to do about a refusal, by options of the command. */
const HINTS: Partial<Record<UserError['reason'], string>> = {
  last_administrator: 'Use --yes to do it anyway.',
  owns_content: 'Name who gets it with --reassign <login>.',
  same: 'Name another user with --reassign.',
}

const SITE_HINT = '\nIf the calendar has another address, pass it with --site.'

const COMMANDS: Record<string, Command> = {
  add: {
    usage: 'add <login> --role <role>',
    summary: 'create a user and a password',
    takesOperand: true,
    options: ['role'],
    prepare: (login, values) => {
      checkNewLogin(login)
      const role = ROLES.find(name => name === values.role)
      if (!role)
        throw new UsageError(`--role must be one of ${ROLES.join(', ')}${rejectedValueText(values.role)}.`)
      return async db => {
        const { id, password } = await addUser(db, login, role)
        return {
          json: { id, login, role, password },
          text: `User ${id}: ${login}, ${role}.\n${passwordText(password)}`,
        }
      }
    },
  },
  list: {
    usage: 'list',
    summary: 'list all users and the ids of their passwords',
    takesOperand: false,
    options: [],
    prepare: () => async db => {
      const users = await readUsers(db)
      return { json: { users }, text: users.map(userParagraph).join('\n') || 'There are no users.' }
    },
  },
  password: {
    usage: 'password <login> [--expires <date>]',
    summary: 'create another password; a date without an offset is UTC',
    takesOperand: true,
    options: ['expires'],
    prepare: (login, values) => {
      const expires = values.expires === undefined ? null : expiresOption(values.expires)
      return async db => {
        const password = await addPassword(db, login, expires)
        const until = password.expires_utc ? `${password.expires_utc} UTC` : 'it is revoked'
        return {
          json: password,
          text: `Password ${password.password_id} of ${password.login}, good until ${until}.\n${passwordText(password.password)}`,
        }
      }
    },
  },
  link: {
    usage: 'link <login> [--site <address>]',
    summary: 'create a link that signs in to the editor, once within an hour, or 7 days for a new user',
    takesOperand: true,
    options: ['site'],
    prepare: (login, values) => {
      const site = values.site === undefined ? undefined : siteOption(values.site)
      return async (db, knownAddress) => {
        const { path, ...createdLink } = await addLink(db, login)
        const link = (site ?? knownAddress ?? '') + path
        const whereText = link === path ? ', below the address of the calendar' : ''
        return {
          json: { ...createdLink, link },
          text: `${createdLink.login} can sign in once until ${createdLink.expires_utc} UTC${whereText}: ${link}${site === undefined ? SITE_HINT : ''}`,
        }
      }
    },
  },
  revoke: {
    usage: 'revoke <login> [--password-id <id>] [--yes]',
    summary: "delete all of a user's passwords, or one",
    takesOperand: true,
    options: ['password-id', 'yes'],
    prepare: (login, values) => {
      const text = values['password-id']
      const passwordId = text === undefined ? undefined : positiveInteger('--password-id', text)
      return async db => {
        const outcome = await revokePasswords(db, login, { passwordId, mayBeLast: values.yes })
        return withWarning(db, values, {
          json: outcome,
          text: `Passwords of ${outcome.login} revoked: ${outcome.revoked}.`,
        })
      }
    },
  },
  forget: {
    usage: 'forget <address>',
    summary: 'delete the name, address and e-mails of a visitor who submitted events or remarks',
    takesOperand: true,
    options: [],
    prepare: email => async db => {
      const [, ...erasedRows] = await db.write(eraseSenderQuery(commandLine(), email))
      const erasedCount = erasedRows.flat().length
      return {
        json: { forgotten: erasedCount },
        text: `Submissions and remarks whose sender was deleted: ${erasedCount}.`,
      }
    },
  },
  remove: {
    usage: 'remove <login> [--reassign <login>] [--yes]',
    summary: "delete a user, and give the user's content to another",
    takesOperand: true,
    options: ['reassign', 'yes'],
    prepare: (login, values) => async db => {
      const outcome = await removeUser(db, login, { heir: values.reassign, mayBeLast: values.yes })
      const movedText =
        values.reassign === undefined ? '' : ` Content given to ${values.reassign}: ${outcome.reassigned}.`
      return withWarning(db, values, { json: outcome, text: `Removed ${outcome.login}.${movedText}` })
    },
  },
}

/** A result, with a warning if --yes has left no administrator who can sign in. */
async function withWarning(
  db: Database,
  { yes }: UserOptions,
  { json, text }: CommandResult,
): Promise<CommandResult> {
  if (!yes || (await db.read(selectHasAdministrator(formatInstant(Date.now()))))) return { json, text }
  const warning =
    'No administrator has a passkey or a password any more. Use npm run user -- add, password or link to make a new way to sign in.'
  return { json: { ...json, warning }, text: `${text}\nWarning: ${warning}` }
}

const HELP = `Users of the calendar and their passwords.

${Object.values(COMMANDS)
  .map(({ usage, summary }) => `  npm run user -- ${usage.padEnd(45)} ${summary}`)
  .join('\n')}

Roles: ${ROLES.join(', ')}.

  --yes                remove or revoke even if no administrator can sign in any more

${TARGET_HELP}
  --json               print one JSON object`

const rejectedValueText = (value: string | undefined) =>
  value === undefined ? '' : `, not ${JSON.stringify(value)}`

const passwordText = (password: string) => `Password, shown only once: ${password}`

function userParagraph({ id, login, role, content, passwords }: ListedUser): string {
  const lines = passwords.map(({ id, created_utc, expires_utc, last_used_utc }) => {
    const expiry = expires_utc ? `, until ${expires_utc}` : ''
    const use = last_used_utc ? `last used ${last_used_utc}` : 'never used'
    return `      password ${id}, made ${created_utc}${expiry}, ${use} (UTC)`
  })
  return [`${String(id).padStart(4)}  ${login}, ${role}, content: ${content}`, ...lines].join('\n')
}

/** @throws UsageError for a login that Basic authentication can't transmit, or that is hard to read */
function checkNewLogin(login: string): void {
  if (isNewLogin(login)) return
  throw new UsageError('<login> must have 1 to 60 characters, without spaces, colons or control characters.')
}

function siteOption(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return new URL(text).origin
  throw new UsageError(
    `--site must be an address such as https://www.example.org, not ${JSON.stringify(text)}.`,
  )
}

function expiresOption(text: string): DateTime {
  const { utc } = dateOption('--expires', text)
  if (utc <= formatInstant(Date.now()))
    throw new UsageError(`--expires must be in the future, but is ${utc}.`)
  return utc
}

/** @throws UsageError if the command is unknown, or gets unknown operands or options */
function checkedCommand(
  [name, ...operands]: string[],
  values: UserOptions,
): { chosen: Command; operand: string } {
  const chosen = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!chosen)
    throw new UsageError(
      `${name === undefined ? 'A command is missing' : `Unknown command ${name}`}.\n\n${HELP}`,
    )
  const [operand = '', surplus] = chosen.takesOperand ? operands : ['', ...operands]
  if (chosen.takesOperand && operands.length === 0) {
    const [missing] = /<\w+>/.exec(chosen.usage) ?? []
    throw new UsageError(`${missing} is missing: ${chosen.usage}`)
  }
  if (surplus !== undefined) throw new UsageError(`Unexpected argument ${surplus}: ${chosen.usage}`)
  const stray = Object.keys(values).find(
    option => !(option in COMMON_OPTIONS) && !chosen.options.some(own => own === option),
  )
  if (stray) throw new UsageError(`--${stray} cannot be used with this command: ${chosen.usage}`)
  return { chosen, operand }
}

/** The last address of a local calendar at `npm run dev`, or its default address. */
function localOrigin(target: Target): string {
  const file = addressFileOf(target)
  return existsSync(file) ? readFileSync(file, 'utf8') : originOf(DEFAULT_PORT)
}

async function run(values: UserOptions, operands: string[]): Promise<void> {
  const { chosen, operand } = checkedCommand(operands, values)
  const work = chosen.prepare(operand, values)
  const target = targetOf(values)
  // Loaded late, so that help and wrong options don't wait for the database's server.
  const { withCalendar } = await import('./lean-database.ts')
  const inCalendar = async ({ db, vars }: OpenCalendar) => {
    // npm run dev serves a local calendar, so the address of the deployed calendar doesn't matter.
    const origin = target.remote ? settingsOf(vars).siteUrl : localOrigin(target)
    const { json, text } = await work(db, origin).catch((error: unknown) => {
      const hint = error instanceof UserError ? HINTS[error.reason] : undefined
      if (!(error instanceof UserError) || hint === undefined) throw error
      throw new UserError(error.reason, `${error.message} ${hint}`)
    })
    console.log(values.json ? JSON.stringify(json) : text)
  }
  // Other commands need an existing user, so they don't create a calendar.
  await withCalendar(target, inCalendar, { creates: chosen === COMMANDS.add })
}

/** Makes, shows and removes users and their passwords. */
export const manageUsers = command(HELP, OPTIONS, run, { takesOperands: true })

if (import.meta.main) await runCommand(manageUsers)
