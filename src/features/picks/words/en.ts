export default function () {
  return {
  "pages": {
    "picks": "Your picks",
    "picksShared": "A shared selection",
    "pickName": "Keep: {{name}}",
    "pick": "Keep",
    "pickDates": "Keep all dates",
    "picksLead": "Kept in this browser, without an account. To see them on another device, or to go together with friends, share them.",
    "picksSharedLead": "Events that somebody has put together.",
    "picksNone": "Nothing kept yet. Press the heart of an event, and it stands here.",
    "picksNoScripts": "Keeping events works with JavaScript only.",
    "picksChanged": "Changed since you kept them",
    "pickWas": "was {{when}}",
    "picksPast_one": "{{n}} past event",
    "picksPast_other": "{{n}} past events",
    "picksGone_one": "{{n}} more is no longer in this calendar.",
    "picksGone_other": "{{n}} more are no longer in this calendar.",
    "picksAllDates": "All dates",
    "picksSubscribe": "Your picks in your own calendar. When one moves or is cancelled, it changes there too. The address is only yours: who has it sees what you keep.",
    "picksAdd": "Add all to your picks",
    "picksForget": "Forget all",
    "picksForgotten": "All picks are forgotten, and the subscription to them ends when you go on.",
    "picksUndo": "Undo",
    "picksFull": "No more than {{n}} can be kept.",
    "picksFailed": "This did not work. Please try again later."
  }
} as const
}
