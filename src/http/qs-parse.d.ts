// The half of qs that reads; @types/qs declares both as one.
declare module 'qs/lib/parse.js' {
  import { parse } from 'qs'
  export default parse
}
