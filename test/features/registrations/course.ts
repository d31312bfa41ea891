import { expect } from 'vitest'
import { fieldsIn } from '../../editor/forms.ts'
import { Browser } from '../../editor/session.ts'
import { makeDatabaseAnew, makeUser, query } from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { type Outbox, openOutbox, type SentMail } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'

/** The vars without which nobody can register. */
const WITH_PRIVACY = {
  IMPRINT_URL: 'https://town.example/imprint',
  PRIVACY_URL: 'https://town.example/privacy',
  TIMEZONE: 'Europe/Dublin',
  LANGUAGE: 'en-IE',
}

/** The path of the own page in an e-mail. */
export const ownLinkIn = ({ text }: SentMail): string =>
  /https?:\/\/[^/]+(\/registrations\/[\w-]+\/)/.exec(text)?.[1] ?? ''

type Answer = Awaited<ReturnType<ReturnType<typeof sendWith>>>

let networks = 0

/** A calendar with a course, for which people register. */
export class Course {
  readonly outbox: Outbox
  #as = ''
  id = 0

  private constructor(vars: object) {
    this.outbox = openOutbox({ ...WITH_PRIVACY, ...vars })
  }

  /** @param settings of the registration; @param event fields beside the usual ones */
  static async begin(settings: object = {}, event: object = {}, vars: object = {}): Promise<Course> {
    await makeDatabaseAnew()
    const course = new Course(vars)
    course.#as = await makeUser('ada', 'administrator')
    const { body } = await course.ask('POST', '/events', {
      title: 'Bread for beginners',
      start_date: '2026-12-10 18:00:00',
      end_date: '2026-12-10 20:00:00',
      status: 'publish',
      venue: { venue: 'Mill', address: '1 Mill Lane', city: 'Kilkenny' },
      ...event,
    })
    course.id = Number(body.id)
    const { status, body: said } = await course.ask('PUT', course.path, settings)
    expect([status, said]).toMatchObject([200, {}])
    return course
  }

  get path(): string {
    return `/events/${this.id}/registration`
  }

  /** A request of the administrator, or of somebody else. */
  ask(method: string, path: string, json?: object, as = this.#as, bindings: object = {}): Promise<Answer> {
    return sendWith({ ...this.outbox.bindings, ...bindings })(method, path, { as, json })
  }

  /** A request of a visitor, each from a network of its own. */
  visit(
    method: string,
    path: string,
    json?: object,
    network = `198.51.100.${++networks % 250}`,
  ): Promise<Answer> {
    return sendWith(this.outbox.bindings)(method, path, { json, headers: { 'cf-connecting-ip': network } })
  }

  read() {
    return this.visit('GET', this.path)
  }

  register(email: string, fields: object = {}, network?: string) {
    const json = { name: email.split('@')[0], email, consent: true, ...fields }
    return this.visit('POST', `${this.path}s`, json, network)
  }

  browser(): Browser {
    return new Browser(this.outbox.bindings)
  }

  /** Presses a button of an own page. @returns the state that the next address names, or the status */
  async press(link: string, fields: Record<string, string>): Promise<string> {
    const { html } = await this.browser().get(link)
    const done = await this.browser().post(link, { ...fieldsIn(html), ...fields })
    return /\?(\w+)=1/.exec(done.headers.get('location') ?? '')?.[1] ?? String(done.status)
  }

  /** Registers and confirms. @returns the path of the own page */
  async join(email: string, fields: object = {}): Promise<string> {
    const before = this.outbox.mails.length
    expect(await this.register(email, fields)).toMatchObject({ status: 202, body: { state: 'asked' } })
    expect(this.outbox.mails).toHaveLength(before + 1)
    const link = ownLinkIn(this.outbox.last())
    await this.press(link, { do: 'confirm' })
    return link
  }

  /** Runs the cron twice, since e-mails that come up in a run go with the next one, and returns them. */
  async cron(): Promise<SentMail[]> {
    const before = this.outbox.mails.length
    for (let run = 0; run < 2; run++) await runCron(this.outbox, new Date().toISOString())
    return this.outbox.mails.slice(before)
  }

  /** The path of somebody who is on the list. */
  async pathOf(name: string): Promise<string> {
    const { body } = await this.ask('GET', `${this.path}s`)
    const found = body.registrations.find((person: { name: string }) => person.name === name)
    return `/registrations/${found.id}`
  }

  /** Who is on the list, in order: `ann confirmed`. */
  async people(): Promise<string[]> {
    const rows = await query(
      "SELECT name, state FROM registrants WHERE state <> 'unconfirmed' ORDER BY position",
    )
    return rows.map(row => `${row.name} ${row.state}`)
  }
}
