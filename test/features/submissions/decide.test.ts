import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { requireSubmission, selectSubmissionById } from '../../../src/features/submissions/queries.ts'
import { decideSubmission } from '../../../src/features/submissions/routes.ts'
import worker from '../../../src/index.ts'
import { by, everyRole } from '../../attacks/people.ts'
import { changeForm, visitors } from '../../calendar/intake/submit.ts'
import { contextOf } from '../../editor/by-submitting.ts'
import { query, queryValue, send } from '../../factories.ts'

const people = everyRole()
const editor = by(people.editor)

/** A request to a calendar that accepts submissions. */
const ask = (method: string, path: string, sending: Parameters<typeof send>[2] = editor) =>
  visitors().ask(method, path, sending)

/** Submits an event. @returns its submission as editors see it, and the sender's address */
async function submit(fields: object) {
  const sent = await visitors().send(fields)
  expect(sent.status).toBe(201)
  const { body } = await ask('GET', '/submissions?per_page=1')
  return { submission: body.submissions[0], page: String(sent.body.url) }
}

const decide = (id: number, json: object, headers: Record<string, string> = {}) =>
  ask('PATCH', `/submissions/${id}`, { ...editor, json, headers })

const storedStatusOf = async (table: string, id: number) =>
  queryValue(`SELECT status FROM ${table} WHERE id = ?`, id)

const senderSees = async (page: string): Promise<string> => (await visitors().ask('GET', page)).text

describe('GET /submissions', () => {
  it('lists submissions for editors, the newest first', async () => {
    await submit({ title: 'Earlier' })
    const { submission } = await submit({ title: 'Later', name: 'Quirin', email: 'quirin@vogel.example' })
    expect(submission).toMatchObject({
      name: 'Quirin',
      email: 'quirin@vogel.example',
      state: 'pending',
      likely_spam: false,
    })
    const { body } = await ask('GET', `/events/${submission.event}`)
    expect(body.title).toBe('Later')
    const all = await ask('GET', '/submissions')
    expect(all.body.total).toBe(all.body.submissions.length)
    expect(all.headers.get('cache-control')).toContain('no-store')
    const one = await ask('GET', `/submissions/${submission.id}`)
    expect(one.body).toEqual(submission)
  })

  it('is for editors and administrators only', async () => {
    const { submission } = await submit({ title: 'Not for all' })
    for (const role of ['author', 'contributor', 'subscriber'] as const)
      for (const path of ['/submissions', `/submissions/${submission.id}`])
        expect((await ask('GET', path, by(people[role]))).status, `${role} ${path}`).toBe(403)
    expect((await ask('GET', '/submissions', {})).status).toBe(401)
    const json = { state: 'published' }
    const refused = await ask('PATCH', `/submissions/${submission.id}`, { ...by(people.author), json })
    expect(refused.status).toBe(403)
    expect(await storedStatusOf('events', submission.event)).toBe('pending')
    expect((await ask('GET', '/submissions', by(people.administrator))).status).toBe(200)
  })

  it('does not exist unless submissions are on', async () => {
    const { submission } = await submit({ title: 'Off' })
    for (const path of ['/submissions', `/submissions/${submission.id}`])
      expect((await send('GET', path, editor)).body.code, path).toBe('rest_no_route')
    const json = { state: 'refused' }
    const { status } = await send('PATCH', `/submissions/${submission.id}`, { ...editor, json })
    expect(status).toBe(404)
    expect(await storedStatusOf('events', submission.event)).toBe('pending')
  })

  it('filters by state and by likely spam', async () => {
    const { submission: wanted } = await submit({ title: 'Choir rehearsal with guests' })
    const { submission: spam } = await submit({
      title: 'Cheap SEO backlinks and casino bonus',
      description: 'Buy backlinks, casino bonus, guest posts. Rank your website first on Google!',
    })
    expect(spam).toMatchObject({ likely_spam: true, state: 'pending' })
    expect(spam.likeness).toBeGreaterThan(wanted.likeness)
    const idsOf = async (query: string): Promise<number[]> =>
      (await ask('GET', `/submissions?per_page=50&${query}`)).body.submissions.map(
        ({ id }: { id: number }) => id,
      )
    expect(await idsOf('likely_spam=true')).toContain(spam.id)
    expect(await idsOf('likely_spam=true')).not.toContain(wanted.id)
    expect(await idsOf('likely_spam=false&state=pending')).toContain(wanted.id)
    await decide(spam.id, { state: 'spam' })
    expect(await idsOf('state=spam')).toEqual([spam.id])
    expect(await idsOf('state=pending')).not.toContain(spam.id)
    const wrong = await ask('GET', '/submissions?state=maybe')
    expect(Object.keys(wrong.body.data.params)).toEqual(['state'])
    expect((await ask('GET', '/submissions?page=99')).body.code).toBe('submission-archive-page-not-found')
  })
})

describe('PATCH /submissions/{id}', () => {
  it('publishes all dates of a series', async () => {
    const { submission } = await submit({ title: 'Each week', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
    const { status, body } = await decide(submission.id, { state: 'published' })
    expect([status, body]).toEqual([200, { ...submission, state: 'published' }])
    const results = await query("SELECT status FROM events WHERE title = 'Each week'")
    expect(results.map(({ status }) => status)).toEqual(['publish', 'publish', 'publish'])
  })

  it('decides on the remaining dates of a series', async () => {
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' }
    const decided = async (title: string, json: object) => {
      const { submission, page } = await submit({ title, recurrence, venue: { venue: `Hall: ${title}` } })
      await ask('DELETE', `/events/${submission.event}`)
      const left = (await ask('GET', `/submissions/${submission.id}`)).body
      expect(left).toEqual({ ...submission, event: left.event })
      expect(await storedStatusOf('events', left.event)).toBe('pending')
      expect((await ask('GET', '/submissions?state=pending&per_page=1')).body.submissions).toEqual([left])
      // Neither is it decided, nor may it be sent again.
      await worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, env)
      const noted = 'SELECT decided_utc FROM submissions WHERE id = ?'
      expect(await queryValue(noted, submission.id)).toBeNull()
      expect((await visitors().send({ title })).status).toBe(409)
      const { body } = await decide(submission.id, json)
      const dates = await query('SELECT status FROM events WHERE title = ? ORDER BY start_date', title)
      const hall = await queryValue('SELECT status FROM venues WHERE name = ?', `Hall: ${title}`)
      const statuses = [...dates.map(({ status }) => status), hall]
      return { state: body.state, statuses, sees: await senderSees(page) }
    }
    expect(await decided('Two of three', { state: 'published' })).toMatchObject({
      state: 'published',
      statuses: ['trash', 'publish', 'publish', 'publish'],
    })
    expect(await decided('None of three', { state: 'refused', note: 'Too late.' })).toMatchObject({
      state: 'refused',
      statuses: ['trash', 'trash', 'trash', 'draft'],
      sees: expect.stringContaining('Too late.'),
    })
    expect((await decided('Three too many', { state: 'spam' })).state).toBe('spam')
  })

  it('refuses with a note that the sender reads', async () => {
    const { submission, page } = await submit({ title: 'Refused by a program' })
    const { body } = await decide(submission.id, { state: 'refused', note: 'Too far away.' })
    expect(body.state).toBe('refused')
    expect(await storedStatusOf('events', submission.event)).toBe('trash')
    expect(await senderSees(page)).toContain('Too far away.')
    expect((await decide(submission.id, { state: 'refused', note: 'It was full.' })).status).toBe(200)
    expect(await senderSees(page)).toContain('It was full.')
    await decide(submission.id, { state: 'refused' })
    expect(await senderSees(page)).toContain('It was full.')
    const note = await decide(submission.id, { state: 'spam', note: 'No' })
    expect(Object.keys(note.body.data.params)).toEqual(['note'])
  })

  it('refuses with a note that the sender reads as it was written', async () => {
    const { submission, page } = await submit({ title: 'Refused with signs' })
    const note = 'No: children < 6 & dogs.\r\nRegards'
    expect((await decide(submission.id, { state: 'refused', note })).status).toBe(200)
    expect(await queryValue('SELECT note FROM submissions WHERE id = ?', submission.id)).toBe(
      'No: children < 6 & dogs.\nRegards',
    )
    expect(await senderSees(page)).toContain('No: children &lt; 6 &amp; dogs.\nRegards')
  })

  it('can only be decided once', async () => {
    const { submission } = await submit({ title: 'Decided once' })
    await decide(submission.id, { state: 'published' })
    expect((await decide(submission.id, { state: 'published' })).status).toBe(200)
    for (const state of ['refused', 'spam']) {
      const { status, body } = await decide(submission.id, { state })
      expect([status, body.code], state).toEqual([409, 'rest_submission_decided'])
    }
    expect(await storedStatusOf('events', submission.event)).toBe('publish')
  })

  it('leaves a series alone if an editor has published a date of it', async () => {
    const { submission } = await submit({ title: 'Partly', recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } })
    const last = await queryValue("SELECT max(id) FROM events WHERE title = 'Partly'")
    await ask('PATCH', `/events/${last}`, { ...editor, json: { status: 'publish' } })
    const { status, body } = await decide(submission.id, { state: 'refused' })
    expect([status, body.code]).toEqual([409, 'rest_submission_decided'])
    expect(await storedStatusOf('events', Number(last))).toBe('publish')
    expect(await storedStatusOf('events', submission.event)).toBe('pending')
  })

  it('applies only to the version that the editor has seen, if one is named', async () => {
    const { submission } = await submit({ title: 'Seen' })
    const tag = (await ask('GET', `/submissions/${submission.id}`)).headers.get('etag') ?? ''
    await ask('PATCH', `/events/${submission.event}`, { ...editor, json: { title: 'Changed since' } })
    const old = await decide(submission.id, { state: 'published' }, { 'if-match': tag })
    expect([old.status, old.body.code]).toEqual([412, 'rest_precondition_failed'])
    expect(await storedStatusOf('events', submission.event)).toBe('pending')
    const now = (await ask('GET', `/submissions/${submission.id}`)).headers.get('etag') ?? ''
    expect((await decide(submission.id, { state: 'published' }, { 'if-match': now })).status).toBe(200)
  })

  it('publishes nothing that its sender has changed meanwhile', async () => {
    const { submission, page } = await submit({ title: 'As it was read' })
    const context = await contextOf('editor')
    const read = requireSubmission(await context.db.read(selectSubmissionById(submission.id)))
    await changeForm(page, { title: 'As nobody read it' })
    const failed = decideSubmission(context, read, { state: 'published' })
    await expect(failed).rejects.toMatchObject({ code: 'rest_precondition_failed' })
    expect(await send('GET', `/events/${submission.event}`)).toMatchObject({ status: 403 })
  })

  it('explains errors', async () => {
    const { submission } = await submit({ title: 'Wrong' })
    expect((await decide(submission.id, {})).body.data.params).toEqual(['state'])
    expect(Object.keys((await decide(submission.id, { state: 'pending' })).body.data.params)).toEqual([
      'state',
    ])
    expect((await decide(99_999, { state: 'refused' })).body.code).toBe('rest-submission-not-found')
    await send('DELETE', `/events/${submission.event}?force=true`, by(people.administrator))
    expect((await ask('GET', `/submissions/${submission.id}`)).body.state).toBe('refused')
    expect((await decide(submission.id, { state: 'published' })).status).toBe(409)
  })
})
