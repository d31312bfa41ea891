// Made by `npm run words`.
export type TextsWithValues = {
  "source": {
    "found_other": "{{n}} events. The next ones:",
    "foundOver": "{{n}} events, all of them over:",
    "foundFilters": "The address has filters, which are kept. Only such events are read: {{filters}}",
    "done": "It was read: {{what}}.",
    "failed": "It can’t be read. {{why}}",
    "created": "{{n}} new",
    "updated": "{{n}} changed",
    "unchanged": "{{n}} unchanged",
    "trashed": "{{n}} in the trash",
    "joined": "{{n}} combined with others",
    "asked": "{{n}} possible duplicates",
    "skipped": "{{n}} skipped",
    "card_other": "{{n}} things are waiting for your decision.",
    "cardFailing": "Can’t be read: {{names}}"
  },
  "upload": {
    "newVenue": "{{name}} (new venue)",
    "example": "For example: {{text}}",
    "nameless": "Column {{n}}",
    "line": "Line {{n}}",
    "lines": "{{n}} lines ({{all}}):",
    "moreProblems": "… and {{n}} more",
    "progress": "{{n}} of {{all}} are imported. The rest follows by itself, even if you leave this page.",
    "done": "It is imported: {{what}}.",
    "undoText_one": "The event of {{name}} that was added goes to the trash. So do its venue and organizers if they were added with it and nothing else uses them; such categories and tags are deleted.",
    "undoText_other": "The {{n}} events of {{name}} that were added go to the trash. So do their venues and organizers if they were added with them and nothing else uses them; such categories and tags are deleted.",
    "undone": "undone, {{n}} in the trash"
  }
}
