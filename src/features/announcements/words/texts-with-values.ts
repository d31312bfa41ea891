// Made by `npm run words`.
export type TextsWithValues = {
  "announcement": {
    "several": "{{n}} events were found. Save them one after the other: each opens in a new tab, and this page stays here for the next."
  }
}
