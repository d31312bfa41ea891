import { send } from '../../factories.ts'
import type { Read } from './copy.ts'

/** Reads of one caller. @param as a password; undefined for anonymous ones */
export const readAs =
  (as: string | undefined): Read =>
  path =>
    send('GET', path, as === undefined ? {} : { as })
