import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { addUser, readUsers } from '../calendar/users/users.ts'
import { randomPassword } from '../kit/lib/hash.ts'
import { command, DEPLOYMENT_OPTIONS, runCommand, targetOf } from './arguments.ts'
import { describeVars } from './deployed-vars.ts'
import { openRemote } from './remote-database.ts'
import { applyMigrations, logIn, putSecret, readWrangler, runWrangler, type Target } from './wrangler.ts'
import {
  bucketIn,
  type ConfiguredTarget,
  readConfiguration,
  remoteDatabaseIn,
  withDatabaseId,
} from './wrangler-config.ts'

const HELP = `Creates everything that a calendar needs at Cloudflare before its first deployment. What exists
already stays as it is, so you can run this again. Without a terminal to log in from, it needs
CLOUDFLARE_API_TOKEN, a token that may edit Workers, D1 and R2.

  npm run setup -- [--env <name>] [--admin <login>]

  --env <name>       an environment of wrangler.toml
  --admin <login>    make an administrator with a password, for a calendar that programs look after;
                     otherwise the first visit of /admin/setup/ makes one, with the code printed here
  --config <file>    another wrangler.toml`

const OPTIONS = {
  ...DEPLOYMENT_OPTIONS,
  admin: { type: 'string' },
} as const

const databaseList = z.array(z.object({ uuid: z.string(), name: z.string() }))

async function findDatabase(name: string): Promise<string | undefined> {
  const databases = databaseList.parse(JSON.parse(await readWrangler(['d1', 'list', '--json'])))
  return databases.find(database => database.name === name)?.uuid
}

/** Makes the database unless it exists, and writes its id into wrangler.toml. */
async function makeDatabase(target: ConfiguredTarget): Promise<string> {
  const { name, id } = remoteDatabaseIn(target)
  if (id) return `Database ${name}: ${id}, as in wrangler.toml.`
  const existing = await findDatabase(name)
  if (!existing) await runWrangler(['d1', 'create', name])
  const database = existing ?? (await findDatabase(name))
  if (!database) throw new Error(`The database ${name} was created, but is not in wrangler's list.`)
  writeFileSync(
    target.config,
    withDatabaseId(readFileSync(target.config, 'utf8'), target.environment, database),
  )
  return `Database ${name}: ${database}, ${existing ? 'found' : 'created'} and written into wrangler.toml.`
}

/** Makes the bucket for images unless it exists. @throws Error that says how to continue without a bucket */
async function makeBucket(target: ConfiguredTarget): Promise<string> {
  const name = bucketIn(target)?.bucket_name
  if (name === undefined) return 'Images: none, because wrangler.toml binds no bucket to MEDIA.'
  const isThere = await readWrangler(['r2', 'bucket', 'info', name, '--json']).then(
    () => true,
    () => false,
  )
  if (isThere) return `Bucket ${name}: exists already.`
  await readWrangler(['r2', 'bucket', 'create', name]).catch((error: Error) => {
    throw new Error(
      `The bucket ${name} for images was not created: ${error.message}\nSwitch R2 on once, in Cloudflare's dashboard. ` +
        'To do without images, remove [[r2_buckets]] from wrangler.toml. Then run this again.',
    )
  })
  return `Bucket ${name}: created.`
}

/** Makes the first administrator, or the secret that lets the first visitor become one. */
async function makeAdministrator(target: Target, login: string | undefined): Promise<string> {
  const db = openRemote(target)
  const users = await readUsers(db)
  const administrator = users.find(({ role }) => role === 'administrator')
  if (administrator) return `Administrator ${administrator.login}: exists already.`
  // The code works only while there are no users.
  if (login !== undefined || users.length > 0) {
    const { password } = await addUser(db, login ?? 'admin', 'administrator')
    return `Administrator ${login ?? 'admin'}. Password, shown only once: ${password}`
  }
  const code = randomPassword().replaceAll(' ', '-')
  await putSecret(target, 'SETUP_CODE', code)
  return `The first person to open /admin/setup/ with this code becomes the administrator. It is shown only once: ${code}`
}

/** Makes the database, bucket and administrator at Cloudflare that a calendar needs before its deployment. */
export const setUp = command(HELP, OPTIONS, async values => {
  const target = readConfiguration(targetOf({ remote: true, env: values.env, config: values.config }))
  // This check comes first, because a mistake in the vars would only show in the deployed calendar.
  console.log(describeVars(target))
  await logIn()
  console.log(await makeDatabase(target))
  console.log(await makeBucket(target))
  await applyMigrations(target)
  console.log('Tables: up to date.')
  console.log(await makeAdministrator(target, values.admin))
  console.log(`Next: npm run deploy${values.env ? ` -- --env ${values.env}` : ''}`)
})

if (import.meta.main) await runCommand(setUp)
