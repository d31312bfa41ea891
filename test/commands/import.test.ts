import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'drizzle-orm'
import { stringify } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportCommand } from '../../src/commands/export.ts'
import { importCommand } from '../../src/commands/import.ts'
import { openLocal } from '../../src/commands/lean-database.ts'
import { manageUsers } from '../../src/commands/user.ts'
import { COMPATIBILITY_DATE } from '../../src/commands/wrangler.ts'
import { JPEG } from '../calendar/media/samples.ts'
import { listen } from '../listen.ts'
import { migrateFolder } from '../migrated.ts'
import { emptySite, event, serveSite, venue } from '../readers/site-server.ts'
import { VARS } from '../vars.ts'
import { ended, LONG, runHere, run as spawnCommand, start, temporaryFolder } from './spawn.ts'

const ROOT = join(import.meta.dirname, '../..')

const COMMANDS = { import: importCommand, export: exportCommand }
type Command = keyof typeof COMMANDS

const config = () => ['--config', join(folder, 'wrangler.toml')]

/** Runs a command to its end. */
const run = (command: Command, ...args: string[]) => runHere(COMMANDS[command], [...args, ...config()])

/** Runs it in a process of its own, as people do. */
const runAlone = (command: Command, ...args: string[]) => spawnCommand(command, [...args, ...config()])

const folder = temporaryFolder(afterAll)
beforeAll(async () => {
  // A configuration of its own: whoever sets up a calendar changes the vars of the project's.
  const database = {
    binding: 'DB',
    database_name: 'test',
    migrations_dir: relative(folder, join(ROOT, 'drizzle')),
  }
  const bucket = { binding: 'MEDIA', bucket_name: 'test-media' }
  const config = {
    name: 'test',
    compatibility_date: COMPATIBILITY_DATE,
    vars: VARS,
    d1_databases: [database],
    r2_buckets: [bucket],
  }
  await writeFile(join(folder, 'wrangler.toml'), stringify(config))
})

describe('npm run import', () => {
  it.each([
    [[], 'What to import is missing.'],
    [['--frob', 'x'], "Unknown option '--frob'"],
    [['no/such/file.json'], 'There is no file or folder no/such/file.json.\n'],
    [
      ['example.org/events'],
      'There is no file or folder example.org/events. If it is an address, write https://example.org/events',
    ],
    [['--dates', 'ymd', '.'], '--dates must be dmy (day first) or mdy (month first), not "ymd".'],
    [['--since', 'whenever', '.'], '--since must be a date'],
    [['--local', '--remote', '.'], '--local and --remote cannot be combined.'],
    [['--pause', 'long', '.'], '--pause must be a whole number'],
    [['--source', '3', '.'], '--source cannot be combined with .'],
    [['--source', '3', '--mirror'], '--source cannot be combined with --mirror.'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run('import', ...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  describe('says what is wrong with', () => {
    const HTML = '<!doctype html><html><body><h1>Welcome</h1></body></html>'
    const ROW = 'Title,Date\n'
    const web: Record<string, [status: number, type: string, body: string]> = {
      '/closed': [403, 'text/html', HTML],
      '/closed.ics': [403, 'text/html', HTML],
      '/gone.ics': [404, 'text/html', HTML],
      '/page.ics': [200, 'text/html', HTML],
      '/': [200, 'text/html', HTML],
      '/empty': [200, 'text/calendar', ''],
      '/table': [200, 'text/csv', `${ROW}x,2027-01-01`],
      '/down': [501, 'text/html', HTML],
    }
    let server: Awaited<ReturnType<typeof listen>>
    beforeAll(async () => {
      server = await listen(() => ({ url = '' }, response) => {
        const [status, type, body] = web[url] ?? [404, 'text/html', HTML]
        response.writeHead(status, { 'content-type': type }).end(body)
      })
      const files = {
        'empty.ics': '\n',
        'page.ics': HTML,
        'table.xlsx': 'PK\u0003\u0004',
        'text.txt': 'Concert on Friday',
        'both.csv': `${ROW}Concert,05/06/2027\n`,
        'none.csv': 'a,b\n1,2\n',
        'none.json': '{}',
      }
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
      await mkdir(join(folder, 'no files'))
      await mkdir(join(folder, 'photos'))
      await writeFile(join(folder, 'photos', 'a.jpg'), JPEG)
      await migrateFolder(join(folder, 'wrong'), join(folder, 'wrangler.toml'))
    })
    afterAll(() => server.close())

    const MISTAKES = [
      [
        '/closed',
        'HTTP 403: the server refuses this program. Save what it shows in a browser, and import the file',
      ],
      ['/closed.ics', 'HTTP 403: the server refuses this program'],
      ['/gone.ics', 'HTTP 404: there is nothing at this address'],
      ['/gone', 'HTTP 404: there is nothing at this address'],
      ['/page.ics', 'there is no iCalendar file, but a page'],
      ['/', 'has no calendar that can be read: no iCalendar feed, no API, and no events as JSON-LD'],
      ['/empty', 'the response is empty'],
      ['/table', 'it is CSV: save it, and import the file'],
      ['/down', 'HTTP 501: the server cannot answer'],
      ['http://127.0.0.1:1', 'page http://127.0.0.1:1: '],
      ['empty.ics', 'page empty.ics: it is empty'],
      [
        'page.ics',
        'page page.ics: it is a web page without events as JSON-LD or microdata: save the calendar that it links to, or import its address',
      ],
      ['table.xlsx', 'page table.xlsx: it is a workbook or an archive: save the table as CSV'],
      ['text.txt', 'page text.txt: it is neither JSON nor iCalendar, nor named as CSV'],
      [
        'both.csv',
        'event both.csv (Concert, line 2): Date "05/06/2027" can be read as 2027-06-05 and as 2027-05-06',
      ],
      [
        'none.csv',
        'page none.csv: its first line names no column "Event Name" or "Event Start Date": it has "a", "b"',
      ],
      [
        'none.json',
        'page none.json: it is JSON of another program: export the events there as iCalendar (.ics) or as a table (.csv), or import the address of the calendar',
      ],
      ['no files', 'no files: the folder is empty'],
    ] as const

    const NO_CALENDAR =
      'none of its files is a calendar (.ics), a saved response (.json) or page, or a table (.csv)'

    it.each([
      ['each operand', MISTAKES],
      ['a folder without a calendar', [['photos', NO_CALENDAR]]],
    ] as const)('%s', async (_, mistakes) => {
      const operands = mistakes.map(([what]) => {
        if (what.startsWith('http:')) return what
        return what.startsWith('/') ? server.address + what : join(folder, what)
      })
      const state = ['--persist-to', join(folder, 'wrong')]
      const { code, stdout } = await run('import', ...operands, '--pause', '0', '--retries', '0', ...state)
      const failed = stdout.split('\n').filter(line => line.startsWith('failed: '))
      const isSaid = ([what, message]: readonly [string, string]) =>
        failed.some(line => line.includes(what) && line.includes(message))
      expect(mistakes.filter(mistake => !isSaid(mistake))).toEqual([])
      expect(failed).toHaveLength(mistakes.length)
      expect(failed.filter(line => /page (\S+): \1: /.test(line))).toEqual([])
      expect(code).toBe(1)
    })
  })

  it('reports what it has done when it is interrupted, and continues when it is run again', {
    timeout: LONG,
  }, async () => {
    const concerts = Array.from({ length: 250 }, (_, i) =>
      ['BEGIN:VEVENT', `UID:c${i}`, `SUMMARY:C ${i}`, 'DTSTART:20270301T190000Z', 'END:VEVENT'].join('\r\n'),
    )
    const waiting = Promise.withResolvers<void>()
    const server = await listen(() => ({ url }, response) => {
      // The other one never responds.
      if (url !== '/a.ics') return waiting.resolve()
      response.end(`BEGIN:VCALENDAR\r\n${concerts.join('\r\n')}\r\nEND:VCALENDAR\r\n`)
    })
    const first = `${server.address}/a.ics`
    const second = `${server.address}/b.ics`
    const state = ['--persist-to', join(folder, 'interrupted')]
    await migrateFolder(join(folder, 'interrupted'), join(folder, 'wrangler.toml'))
    try {
      const running = start('import', [first, second, ...state, ...config()])
      await waiting.promise
      // As a terminal does, which tells the database as well.
      process.kill(-(running.process.pid ?? 0), 'SIGINT')
      expect([await ended(running), running.stderr]).toEqual([130, ''])
      expect(running.stdout).toMatch(/^event +200 +0 +0 +0 +0$/m)
      expect(running.stdout).toContain('Run the same command again to continue.')
      const again = await run('import', first, ...state)
      expect(again.stdout).toMatch(/^event +50 +0 +200 +0 +0$/m)
    } finally {
      await server.close()
    }
  })

  it('moves a site in, prints a report, and exits with 1 if anything failed', {
    timeout: LONG,
  }, async () => {
    const site = { ...emptySite(), events: [event(1, { venue: venue(5) }), event(2), { id: 3 }] }
    const server = await serveSite(site)
    const state = ['--persist-to', join(folder, 'state')]
    try {
      const moved = await run('import', server.address, '--pause', '0', ...state)
      expect(moved.stderr).toBe('')
      expect(moved.stdout).toMatch(/^event +2 +0 +0 +0 +1$/m)
      expect(moved.stdout).toContain('organizers 0 of 1, events 3 of 1.\n')
      expect(moved.stdout).toContain('failed: event 3: it has no start date')
      expect(moved.code).toBe(1)
      site.events.pop()
      const again = await run('import', server.address, '--pause', '0', ...state)
      expect(again.stdout).toMatch(/^event +0 +0 +2 +0 +0$/m)
      expect(again.code).toBe(0)
    } finally {
      await server.close()
    }
    const out = join(folder, 'out')
    expect(await runAlone('export', '--out', out, ...state)).toMatchObject({ code: 0, stderr: '' })
    expect(await readdir(out)).toContain('backup.json')
    expect(await run('export', '--out', out, ...state)).toMatchObject({ code: 2 })
  })

  it('brings images along, which export and import carry elsewhere', async () => {
    const site = emptySite()
    const server = await serveSite(site, (url, response) => {
      if (!url.pathname.startsWith('/images/')) return false
      response.writeHead(url.pathname === '/images/a.jpg' ? 200 : 404)
      response.end(JPEG)
      return true
    })
    const image = (name: string) => ({ image: { url: `${server.address}/images/${name}` } })
    site.events.push(event(1, image('a.jpg')), event(2, image('gone.jpg')))
    const state = (name: string) => ['--persist-to', join(folder, name)]
    const out = (name: string) => join(folder, `images-${name}`)
    for (const name of ['a', 'b']) await migrateFolder(join(folder, name), join(folder, 'wrangler.toml'))
    try {
      const dry = await run(
        'import',
        server.address,
        '--copy-images',
        '--dry-run',
        '--pause',
        '0',
        ...state('a'),
      )
      expect(dry.stdout).toContain('note: A dry run neither copies nor counts images.')
      const moved = await run('import', server.address, '--copy-images', '--pause', '0', ...state('a'))
      expect(moved.stderr).toBe('')
      expect(moved.stdout).toMatch(/^image +1 +0 +0 +0 +1$/m)
      expect(moved.stdout).toMatch(/failed: image http:.*\/images\/gone\.jpg: HTTP 404/)
      expect(moved.code).toBe(1)
    } finally {
      await server.close()
    }
    const first = await run('export', '--out', out('a'), ...state('a'))
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^image files +1$/m) })
    const restored = await run('import', out('a'), ...state('b'))
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^image files +1$/m) })
    expect(restored.stdout).toContain('npm run user -- password <login>')
    expect(await run('export', '--out', out('b'), ...state('b'))).toMatchObject({ code: 0 })
    const [file = ''] = await readdir(join(out('a'), 'media'))
    expect(await readdir(join(out('b'), 'media'))).toEqual([file])
    const bytesIn = (name: string) => readFile(join(out(name), 'media', file))
    expect(await bytesIn('b')).toEqual(await bytesIn('a'))
    expect(await readFile(join(out('b'), 'images.jsonl'), 'utf8')).toContain(`/media/${file}`)
  })

  it('restores a whole backup, by itself, into a calendar without content', async () => {
    const path = join(folder, 'town.json')
    await writeFile(path, JSON.stringify({ events: [event(1, { venue: venue(5) }), event(2)] }))
    const state = (name: string) => ['--persist-to', join(folder, name)]
    for (const name of ['c', 'd']) await migrateFolder(join(folder, name), join(folder, 'wrangler.toml'))
    expect(await run('import', path, ...state('c'))).toMatchObject({ code: 0 })
    const whole = join(folder, 'backup')
    expect(await run('export', '--out', whole, ...state('c'))).toMatchObject({ code: 0 })
    const restore = (backup: string, ...args: string[]) => run('import', backup, ...args, ...state('d'))
    expect(await restore(whole, path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('by itself'),
    })
    expect(await restore(whole, '--mirror')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--mirror cannot be combined with a backup.'),
    })
    const broken = join(folder, 'no-manifest')
    await cp(whole, broken, { recursive: true })
    await rm(join(broken, 'backup.json'))
    for (const args of [[], ['--dry-run']])
      expect(await restore(broken, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('lacks backup.json'),
      })
    expect(await restore(join(whole, 'events.jsonl'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `is part of a backup, which is restored whole: npm run import -- ${whole}`,
      ),
    })
    // As an export leaves it that is killed at once.
    const begun = join(folder, 'begun')
    await mkdir(join(begun, 'media'), { recursive: true })
    for (const name of ['backup.json.part', 'events.jsonl.part']) await writeFile(join(begun, name), '')
    expect(await restore(begun)).toMatchObject({ code: 1, stderr: expect.stringContaining('was broken off') })
    expect(await run('export', '--out', begun, ...state('c'))).toMatchObject({
      code: 2,
      stderr: `--out: ${begun} has an export that was broken off, or is under way. Remove it, or name another folder.\n`,
    })
    const dry = await restore(whole, '--dry-run')
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^events +2$.*nothing was written/ms),
    })
    const restored = await restore(whole)
    expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^venues +1$/m) })
    expect(await restore(whole)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This calendar has content already: 2 events, 1 venues'),
    })
  })

  it('says that a restore was interrupted, whatever it was asked to do', async () => {
    const path = join(folder, 'village.json')
    await writeFile(path, JSON.stringify({ events: [event(1)] }))
    for (const name of ['e', 'f']) await migrateFolder(join(folder, name), join(folder, 'wrangler.toml'))
    const source = ['--persist-to', join(folder, 'f')]
    expect(await run('import', path, ...source)).toMatchObject({ code: 0 })
    const whole = join(folder, 'backup-f')
    expect(await run('export', '--out', whole, ...source)).toMatchObject({ code: 0 })
    const state = ['--persist-to', join(folder, 'e')]
    const target = { config: join(folder, 'wrangler.toml'), persistTo: join(folder, 'e') }
    const { db, close } = await openLocal({ ...target, remote: false, environment: undefined })
    await db.write([sql`UPDATE revision SET restoring = '{"backup": "x"}'`])
    await close()
    const commands = [
      await run('export', '--out', join(folder, 'half'), ...state),
      await run('import', path, ...state),
      await runHere(manageUsers, ['list', ...state, ...config()]),
    ]
    for (const { code, stderr } of commands) {
      expect(code).toBe(1)
      expect(stderr).toContain('The restore of a backup was interrupted here')
    }
    expect(await run('import', whole, ...state)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The restore of another backup was interrupted here'),
    })
  })

  it('asks by its exit status before half of a calendar goes to the trash', async () => {
    const path = join(folder, 'mirror.json')
    const state = ['--persist-to', join(folder, 'mirror')]
    await migrateFolder(join(folder, 'mirror'), join(folder, 'wrangler.toml'))
    // Only what is still to come vanishes.
    const start = `${new Date().getFullYear() + 1}-03-01 20:00:00`
    const times = { start_date: start, end_date: start, utc_start_date: start, utc_end_date: start }
    const read = async (ids: number[], ...options: string[]) => {
      await writeFile(path, JSON.stringify({ events: ids.map(id => event(id, times)) }))
      return run('import', path, '--mirror', ...options, ...state)
    }
    expect(await read([1, 2, 3, 4])).toMatchObject({ code: 0 })
    const lost = '2 of 4 events of file:mirror.json'
    const question = `Half or more has vanished: ${lost}. ${lost} would go to the trash`
    for (const options of [[], ['--dry-run']]) {
      const asked = await read([1, 2], ...options)
      expect(asked).toMatchObject({ code: 3, stdout: expect.stringContaining(question) })
    }
    expect((await read([1, 2, 3, 4])).stdout).toMatch(/^event +0 +0 +4 +0 +0$/m)
    const agreed = await read([1, 2], '--yes')
    expect(agreed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^event +0 +0 +2 +0 +0 +2$/m) })
  })

  it('asks with the numbers of upcoming events if half of those have vanished', async () => {
    const path = join(folder, 'old.ics')
    const state = ['--persist-to', join(folder, 'old')]
    await migrateFolder(join(folder, 'old'), join(folder, 'wrangler.toml'))
    const vevent = (id: number, year: number) =>
      `BEGIN:VEVENT\r\nUID:${id}@old\r\nSUMMARY:Event ${id}\r\nDTSTART:${year}0501T100000Z\r\nDTEND:${year}0501T110000Z\r\nEND:VEVENT\r\n`
    const read = async (...coming: number[]) => {
      const events = [
        ...[5, 6, 7, 8, 9, 10].map(id => vevent(id, 2020)),
        ...coming.map(id => vevent(id, 2096)),
      ]
      await writeFile(path, `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`)
      return run('import', path, '--mirror', '--from', '2019-01-01', '--to', '2099-01-01', ...state)
    }
    expect(await read(1, 2, 3, 4)).toMatchObject({ code: 0 })
    const asked = await read(1, 2)
    expect(asked.stdout).toContain(
      'Half or more has vanished: 2 of 4 upcoming events of ics:old.ics. 2 of 10 events of ics:old.ics would go to the trash',
    )
  })

  it('waits while another process writes into the database', async () => {
    const site = { ...emptySite(), events: [event(1), event(2)] }
    const state = join(folder, 'locked')
    await migrateFolder(state, join(folder, 'wrangler.toml'))
    const files = await readdir(state, { recursive: true })
    const file = files.find(name => name.includes('D1') && name.endsWith('.sqlite') && !/metadata/.test(name))
    const other = new DatabaseSync(join(state, file ?? ''))
    const server = await serveSite(site, url => {
      // The first list is asked for when the database has been read, and the last before it is written to.
      if (url.pathname.endsWith('/categories')) other.exec('BEGIN IMMEDIATE')
      if (url.pathname.endsWith('/events') && url.searchParams.get('per_page') !== '1')
        setTimeout(() => other.exec('ROLLBACK'), 1_000)
      return false
    })
    try {
      const moved = await run('import', server.address, '--pause', '0', '--persist-to', state)
      expect(moved).toMatchObject({ code: 0, stderr: '' })
      expect(moved.stdout).toMatch(/^event +2 +0 +0 +0 +0$/m)
    } finally {
      await server.close()
      other.close()
    }
  })
})
