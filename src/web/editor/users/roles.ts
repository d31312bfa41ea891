import { ROLES, type Role } from '../../../lib/roles.ts'
import { usersWords } from '../../../words/words.ts'
import { problem } from '../../forms/element.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import { roleName } from '../roles.ts'

type Choice = { chosen: Role | undefined; error?: string | undefined }

/** The choice of a role, each with what it may do. */
export function roleChoice(admin: Admin, { chosen, error }: Choice): Html {
  const words = usersWords(admin.language)
  return html`<fieldset class="choices"${error && html` aria-describedby="role-error"`}><legend>${words.role}</legend>
${problem('role-error', error)}
${ROLES.map(
  role =>
    html`<label class="choice"><input type="radio" name="role" value="${role}" required${role === chosen && html` checked`}>
<span><strong>${roleName(admin, role)}</strong> <span class="hint">${words[`${role}May`]}</span></span></label>\n`,
)}</fieldset>`
}

/** The role that a form chose. */
export const roleIn = (form: FormData): Role | undefined => ROLES.find(role => role === form.get('role'))
