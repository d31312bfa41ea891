import type { Role } from '../../lib/roles.ts'
import type { Visit } from './admin.ts'

/** The name of a role in the language of the pages. */
export const roleName = ({ words }: Pick<Visit, 'words'>, role: Role): string =>
  words[role === 'editor' ? 'editorRole' : role]
