export default function () {
  return {
  "announcement": {
    "title": "Paste a text",
    "link": "Paste a text",
    "lead": "Paste what a club or a theatre has sent, such as a mail, a poster or a message. The form is filled with what it says. Nothing is saved before you save it.",
    "text": "Text",
    "read": "Fill the form",
    "none": "No event was found in this text. A day without doubt is needed: a date, or “this Saturday”.",
    "pasted": "The text",
    "check": "Check each value: what the text does not say for sure is left empty.",
    "position": "{{at}} of {{n}}:",
    "several": "{{n}} events were found. Save them one after the other: each opens in a new tab, and this page stays here for the next.",
    "isSaved": "Saved:",
    "canceled": "The text says that it does not take place. The form makes an event that does: cancel it after saving, or do not save it.",
    "otherWeekday": "The weekday in the text is not that of this date.",
    "isChecked": "I have checked the date",
    "start": "Start",
    "end": "End"
  }
} as const
}
