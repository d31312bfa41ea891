// Made by `npm run words`.
export type TextsWithValues = {
  "pages": {
    "pickName": "Keep: {{name}}",
    "pickWas": "was {{when}}",
    "picksPast_one": "{{n}} past event",
    "picksPast_other": "{{n}} past events",
    "picksGone_one": "{{n}} more is no longer in this calendar.",
    "picksGone_other": "{{n}} more are no longer in this calendar.",
    "picksFull": "No more than {{n}} can be kept."
  }
}
