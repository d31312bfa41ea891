export default function () {
  return {
  "source": {
    "lead": "The theatre, the sports club, the church: what they announce in their own calendars appears here by itself, and stays up to date.",
    "add": "Add a calendar",
    "none": "No calendar is read yet.",
    "steps": "All you need is its address. You will see its events before anything appears in your calendar.",
    "addressHint": "Copy it from the page with the events, or from its link “Subscribe”. It often ends with .ics. Everybody can see it next to the events, so use the public address, not a secret one.",
    "look": "Have a look",
    "lookNote": "This can take some seconds. Nothing is imported yet.",
    "found": "These are its events",
    "found_one": "One event.",
    "found_other": "{{n}} events. The next ones:",
    "foundNone": "It can be read, but nothing is announced there at the moment.",
    "foundOver": "{{n}} events, all of them over:",
    "foundFilters": "The address has filters, which are kept. Only such events are read: {{filters}}",
    "settingsNew": "Import settings",
    "addNow": "Add this calendar",
    "anotherAddress": "Another address",
    "new": "is being read for the first time",
    "byHand": "not read yet",
    "running": "is being read",
    "ok": "up to date",
    "failing": "can’t be read",
    "asking": "needs a decision",
    "paused": "paused",
    "page": "Its page",
    "last": "Last read",
    "next": "Next time",
    "never": "not yet",
    "soon": "within minutes",
    "onlyByHand": "only by hand",
    "whileAsking": "once you have decided, or the events are back",
    "events": "Events there",
    "everyHour": "every hour",
    "every6Hours": "every six hours",
    "everyDay": "every day",
    "everyWeek": "every week",
    "onDemand": "only by hand",
    "seeEvents": "Its events here",
    "sync": "Read it now",
    "resume": "Resume",
    "wasPaused": "It is paused. Its events stay as they are.",
    "resumed": "It is active again, and will be read within minutes.",
    "begun": "It is being read. The rest follows within minutes.",
    "done": "It was read: {{what}}.",
    "failed": "It can’t be read. {{why}}",
    "wrong": "What is wrong",
    "detail": "For the people who run the other site",
    "question": "Has the other calendar been cleared out?",
    "questionText": "At least half of its upcoming events are gone. That may be intended, or a mistake on the other site. Nothing has been changed here yet.",
    "agreeMirror": "If you agree, the events that are gone there go to the trash here.",
    "agreeKeep": "If you agree, reading goes on. The events that are gone there stay here.",
    "agree": "Yes, that is intended",
    "refuse": "No, wait for now",
    "runs": "Imports",
    "noRuns": "Nothing has been read yet.",
    "created": "{{n}} new",
    "updated": "{{n}} changed",
    "unchanged": "{{n}} unchanged",
    "trashed": "{{n}} in the trash",
    "joined": "{{n}} combined with others",
    "asked": "{{n}} to decide",
    "skipped": "{{n}} skipped",
    "guessed": "{{n}} guessed",
    "times": "{{n}} times",
    "nothing": "nothing new",
    "halfGone": "at least half was gone, so nothing was changed",
    "notWhole": "Not everything could be read, so no missing events were removed.",
    "stopped": "failed",
    "skippedTitle": "What was skipped, and why",
    "guessedTitle": "What was guessed",
    "deleteText": "It will no longer be read. What should happen to the events that came from it?",
    "keepEvents": "They stay here, as if you had entered them.",
    "trashEvents": "They go to the trash within minutes. Venues, organizers and categories that only they use go as well.",
    "deleteNow": "Delete this calendar",
    "card_one": "One thing is waiting for your decision.",
    "card_other": "{{n}} things are waiting for your decision.",
    "cardFailing": "Can’t be read: {{names}}"
  },
  "upload": {
    "lead": "The events of a spreadsheet or of another calendar. You will see what is in the file before anything is imported.",
    "fileHelp": "A CSV or .ics file, or a saved web page, of at most 2 MB, chosen or dropped here. Save a sheet of Excel, LibreOffice, Numbers or Google Sheets as CSV first.",
    "another": "Another file",
    "replaced": "A file of this name was imported before: events with the same title and start are the same, and stay once.",
    "events": "Events",
    "stayPrivate_one": "One of them stays private.",
    "stayPrivate_other": "{{n}} of them stay private.",
    "newVenue": "{{name}} (new venue)",
    "columns": "Columns",
    "columnsText": "What each column contains. Change what was not recognized correctly.",
    "example": "For example: {{text}}",
    "nameless": "Column {{n}}",
    "notRead": "(is not imported)",
    "start_date": "Day of the start",
    "start_time": "Time of the start",
    "end_date": "Day of the end",
    "end_time": "Time of the end",
    "currency_symbol": "Sign of the currency",
    "currency_position": "Position of the currency",
    "currency_code": "Currency",
    "private": "Is private",
    "sensitivity": "How secret it is",
    "public": "Is public",
    "id": "Number in the file",
    "dates": "How is 5/6/2027 meant in this file?",
    "dmy": "June 5: the day comes first",
    "mdy": "May 6: the month comes first",
    "apply": "Show it like this",
    "problems": "What can’t be imported",
    "line": "Line {{n}}",
    "lines": "{{n}} lines ({{all}}):",
    "moreProblems": "… and {{n}} more",
    "leaveOut": "Leave this out and import the rest",
    "correct": "Correct the file and choose it again, or leave this out.",
    "asDraft": "Become drafts, which you can publish later",
    "asPublic": "Are published at once",
    "importNow": "Import",
    "imported": "imported",
    "waits": "not imported yet",
    "goOn": "Have a look and import it",
    "uploaded": "Uploaded file",
    "progress": "{{n}} of {{all}} are imported. The rest follows by itself, even if you leave this page.",
    "continue": "Continue now",
    "done": "It is imported: {{what}}.",
    "undo": "Undo the import",
    "undoText_one": "The event of {{name}} that was added goes to the trash. So do its venue and organizers if they were added with it and nothing else uses them; such categories and tags are deleted.",
    "undoText_other": "The {{n}} events of {{name}} that were added go to the trash. So do their venues and organizers if they were added with them and nothing else uses them; such categories and tags are deleted.",
    "undone": "undone, {{n}} in the trash",
    "undoing": "The events go to the trash, which takes some minutes.",
    "noFileLeft": "This file has been imported, or was deleted after a day. Choose it again to import it."
  },
  "fields": {
    "source": {
      "kind": {
        "label": "Format"
      },
      "state": {
        "label": "Paused"
      },
      "name": {
        "label": "Name",
        "help": "Shown with its events."
      },
      "url": {
        "label": "Address"
      },
      "every": {
        "label": "How often it is read",
        "options": {
          "hour": "Every hour",
          "6 hours": "Every six hours",
          "day": "Every day",
          "week": "Every week",
          "": "Only by hand"
        }
      },
      "status": {
        "label": "New events",
        "help": "Let them appear at once if this is your own calendar, and wait for review if it is somebody else’s.",
        "options": {
          "publish": "Appear at once",
          "pending": "Wait for review",
          "draft": "Become drafts"
        }
      },
      "categories": {
        "label": "Categories for its events"
      },
      "tags": {
        "label": "Tags for its events"
      },
      "venue": {
        "label": "Venue",
        "help": "For events without a venue."
      },
      "organizer": {
        "label": "Organizer",
        "help": "For events without an organizer."
      },
      "search": {
        "label": "Only events with one of these words",
        "help": "Leave it empty for all."
      },
      "mirror": {
        "label": "Exact copy of the other calendar",
        "help": "Your changes here are overwritten, and events that disappear there go to the trash here. Without this, your changes stay."
      },
      "rights": {
        "label": "Rights",
        "help": "If the other calendar requires a notice on its events.",
        "options": {
          "text": "Wording, such as “CC BY 4.0”",
          "url": "Link to the terms"
        }
      },
      "reading": {
        "label": "Reading the file"
      },
      "file": {
        "label": "File"
      },
      "undoing": {
        "label": "Undoing the import"
      }
    }
  }
} as const
}
