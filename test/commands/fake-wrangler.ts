import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

// Stands in for wrangler where that would talk to Cloudflare: an account in a folder.
// FAKE_ACCOUNT is that folder; a file `fail` in it holds the first words of a command that fails.

const account = process.env.FAKE_ACCOUNT ?? ''
const file = (name: string) => join(account, name)
const args = process.argv.slice(2)
const command = args.join(' ')

appendFileSync(file('log'), `${command}\n`)
if (existsSync(file('fail')) && command.startsWith(readFileSync(file('fail'), 'utf8'))) process.exit(1)

const databases = (): { uuid: string; name: string }[] =>
  existsSync(file('databases')) ? JSON.parse(readFileSync(file('databases'), 'utf8')) : []

function applyMigrations(): void {
  const db = new DatabaseSync(file('db.sqlite'))
  // Nothing here outlives the test: waiting for the disk after each of hundreds of statements took most of
  // its time.
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY')
  db.exec('CREATE TABLE IF NOT EXISTS d1_migrations (name TEXT UNIQUE)')
  for (const name of readdirSync('drizzle')
    .filter(name => name.endsWith('.sql'))
    .sort()) {
    if (db.prepare('SELECT 1 FROM d1_migrations WHERE name = ?').get(name)) continue
    db.exec(readFileSync(join('drizzle', name), 'utf8'))
    db.prepare('INSERT INTO d1_migrations VALUES (?)').run(name)
  }
}

function execute(sql: string): void {
  const db = new DatabaseSync(file('db.sqlite'))
  const results = sql.split(';\n').map(statement => ({ results: db.prepare(statement).all() }))
  console.log(JSON.stringify(results))
}

if (command === 'whoami --json') process.exitCode = existsSync(file('token')) ? 0 : 1
else if (command === 'login') writeFileSync(file('token'), '')
else if (command === 'd1 list --json') console.log(JSON.stringify(databases()))
else if (command.startsWith('r2 bucket info '))
  process.exitCode = existsSync(file(`bucket-${args[3]}`)) ? 0 : 1
else if (command.startsWith('r2 bucket create ')) writeFileSync(file(`bucket-${args[3]}`), '')
else if (command.startsWith('d1 create ')) {
  const made = { uuid: '11111111-2222-3333-4444-555555555555', name: args[2] ?? '' }
  writeFileSync(file('databases'), JSON.stringify([...databases(), made]))
} else if (command.startsWith('d1 migrations apply DB')) applyMigrations()
else if (command.startsWith('d1 execute DB')) execute(args[args.indexOf('--command') + 1] ?? '')
else if (command.startsWith('secret put ')) writeFileSync(file(`secret-${args[2]}`), readFileSync(0))
else if (args[0] !== 'deploy') process.exitCode = 1
