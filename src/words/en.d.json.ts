// Made of en.json by `npm run words`.
declare const en: {
  "pages": {
    "skip": "Skip to content",
    "menu": "Main",
    "event": "Event",
    "events": "Events",
    "venues": "Venues",
    "organizers": "Organizers",
    "categories": "Categories",
    "subcategories": "Subcategories",
    "tags": "Tags",
    "list": "List",
    "week": "Week",
    "month": "Month",
    "day": "Day",
    "display": "Show as",
    "today": "Today",
    "tomorrow": "Tomorrow",
    "weekend": "This weekend",
    "thisWeek": "This week",
    "nextWeek": "Next week",
    "quickDates": "Quick dates",
    "search": "Search events",
    "searchHint": "Title or description",
    "category": "Category",
    "allCategories": "All categories",
    "from": "Date",
    "find": "Find",
    "searchAndFilter": "Search & filters",
    "filtered": "Filtered by",
    "remove": "Remove filter {{name}}",
    "clear": "Clear all",
    "quoted": "“{{text}}”",
    "pages": "Pages",
    "earlier": "Earlier",
    "later": "Later",
    "past": "Past events",
    "upcoming": "Upcoming events",
    "fromDay": "From {{date}}",
    "pageNumber": "Page {{n}}",
    "onNow": "On now",
    "until": "until {{date}}",
    "allDay": "All day",
    "allMonth": "All month",
    "allWeek": "All week",
    "earlierDays": "Earlier this month",
    "more": "{{n}} more",
    "count_one": "{{n}} event",
    "count_other": "{{n}} events",
    "countRange": "{{from}}–{{to}} of {{n}} events",
    "tooMany": "There is more on than fits here. Choose a day to see everything.",
    "nothing": "No events found",
    "nothingHere": "Nothing is announced here at the moment.",
    "nothingPast": "There are no past events here.",
    "nothingHint": "Try other words, another category, or a later date.",
    "nothingInMonth": "No events in this month.",
    "nothingInWeek": "No events in this week.",
    "nothingOnDay": "Nothing announced.",
    "seeUpcoming": "See all upcoming events",
    "free": "Free",
    "featured": "Featured",
    "when": "When",
    "where": "Where",
    "who": "Organizer",
    "cost": "Cost",
    "website": "Website",
    "source": "From",
    "phone": "Phone",
    "email": "E-mail",
    "details": "Details",
    "zoneThere": "{{time}} in {{zone}}",
    "map": "Show on a map",
    "directions": "Directions",
    "online": "Online event",
    "hybrid": "In person and online",
    "join": "Join online",
    "tickets": "Tickets",
    "available_tickets": "Tickets available",
    "few_tickets": "Few tickets left",
    "sold_out_tickets": "Sold out",
    "waitlist_tickets": "Waiting list",
    "access": "Access",
    "access_yes": "Wheelchair accessible",
    "access_limited": "Partly wheelchair accessible",
    "access_no": "Not wheelchair accessible",
    "addTo": "Add to calendar",
    "calendarFile": "Calendar file (.ics)",
    "subscribe": "Subscribe",
    "subscribeAll": "All events of this calendar, always up to date.",
    "subscribeTo": "{{name}}: all events, always up to date.",
    "subscribeSeries": "{{name}}: all dates, always up to date.",
    "copyAddress": "Copy address",
    "share": "Share",
    "byEmail": "Send by e-mail",
    "copyLink": "Copy link",
    "copied": "Link copied",
    "print": "Print",
    "tellEditors": "Something wrong here? Tell the editors",
    "paperCode": "Code that leads to this page",
    "cancelled": "Cancelled",
    "postponed": "Postponed",
    "rescheduled": "Rescheduled",
    "cancelledText": "This event has been cancelled.",
    "postponedText": "This event has been postponed. A new date is not known yet.",
    "rescheduledText": "This event has been moved to a new date.",
    "otherDates": "Other dates",
    "programme": "Programme",
    "partOf": "Part of {{name}}",
    "allDates": "All dates",
    "moreAtVenue": "More at this venue",
    "moreInCategory": "More in this category",
    "everyDay": "Every day",
    "everyWeekday": "Every {{days}}",
    "everyWeeks": "Every {{n}} weeks: {{days}}",
    "everyMonthWeekday": "Every {{nth}} {{day}} of the month",
    "everyMonthDay": "On day {{n}} of every month",
    "everyYear": "Every year",
    "nths": "first second third fourth last",
    "daySuffix": "",
    "repeatAt": "{{days}}, {{time}}",
    "atVenue": "What’s on at {{name}}",
    "byOrganizer": "Events by {{name}}",
    "inTerm": "Events: {{name}}",
    "listDescription": "Upcoming events in {{site}}: what is on, when and where.",
    "feedDescription": "What is on, when and where.",
    "monthDescription": "All events in {{month}} in {{site}}, day by day.",
    "weekDescription": "All events of the week {{week}} in {{site}}, day by day.",
    "dayDescription": "All events on {{day}} in {{site}}.",
    "listingDescription": "Upcoming events in {{site}}: {{name}}.",
    "venuesDescription": "All venues in {{site}}, with what is on there.",
    "organizersDescription": "All organizers in {{site}}, with their events.",
    "datesDescription": "All dates of {{name}}.",
    "notFound": "This page doesn’t exist",
    "notFoundText": "The address may be mistyped, or what was here has moved.",
    "gone": "This event is no longer here",
    "goneText": "It was removed from the calendar. There is more to discover.",
    "invalid": "This address does not work",
    "invalidText": "One of the filters in it is unknown.",
    "failed": "Something went wrong",
    "failedText": "Please try again in a moment.",
    "dayLimit": "This calendar has reached its limit for today",
    "dayLimitText": "It will be back after midnight (UTC). Please try again then.",
    "embed": "Put this calendar on your own site",
    "embedLink": "Embed",
    "submitLink": "Submit an event",
    "embedText": "Choose what to show, then copy the code into your page, where you want the events to appear.",
    "limit": "Number of events",
    "theme": "Colours",
    "themeAuto": "Same as the page",
    "themeLight": "Light",
    "themeDark": "Dark",
    "accent": "Accent colour",
    "apply": "Update",
    "code": "Code to copy",
    "copyCode": "Copy code",
    "preview": "Preview",
    "previewNote": "Preview: this event is not public yet. Please don’t pass this address on.",
    "policyText": "If your site has a Content-Security-Policy, add {{origin}} to script-src, connect-src and img-src, and move the style into your own stylesheet.",
    "imprint": "Imprint",
    "privacy": "Privacy",
    "accessibility": "Accessibility"
  },
  "digest": {
    "withStatus": "{{status}}: {{title}}",
    "ongoing": "Ongoing",
    "more_one": "And {{n}} more event",
    "more_other": "And {{n}} more events",
    "nothing": "Nothing is announced for these days."
  },
  "account": {
    "lead": "{{login}}, {{role}}",
    "passkeys": "Passkeys",
    "passkeysText": "A passkey signs you in with your fingerprint, your face or the PIN of a device, without a password.",
    "noPasskeys": "You have none yet.",
    "makePasskey": "Create a passkey",
    "passkeyName": "Name of the passkey",
    "passkeyNameHint": "So that you recognise it, such as “My phone”.",
    "passkeyMade": "The passkey “{{name}}” has been created. You can now sign in with it.",
    "passkeyFailed": "The passkey was not created. Please try again.",
    "passkeyKnown": "This device already has a passkey for this account.",
    "passkeyRemoved": "The passkey “{{name}}” has been removed.",
    "needsScript": "Creating a passkey needs JavaScript.",
    "tooMany": "You have {{n}}, which is the maximum. Remove one first.",
    "remove": "Remove",
    "removeNamed": "Remove “{{name}}”",
    "made": "Created on {{date}}",
    "used": "last used on {{date}}",
    "unused": "not used yet",
    "codes": "Recovery codes",
    "codesText": "In case you lose a device with a passkey. Each of the ten codes signs you in once.",
    "codesLeft": "You have {{n}} left.",
    "codesNone": "You have none yet.",
    "makeCodes": "Create ten codes",
    "makeCodesAnew": "Create ten new codes",
    "codesReplace": "Your current codes will stop working.",
    "codesShown": "Your recovery codes",
    "codesOnce": "They are shown only once. Print them, or write them down, and keep them in a safe place.",
    "done": "Done",
    "sessions": "Where you are signed in",
    "thisBrowser": "This browser",
    "unknownDevice": "Unknown device",
    "since": "Since {{date}}",
    "by_passkey": "with a passkey",
    "by_password": "with a password for programs",
    "by_link": "with a link",
    "by_code": "with a recovery code",
    "end": "Sign out",
    "endNamed": "Sign out {{name}}",
    "endOthers": "Sign out everywhere else",
    "ended": "Signed out there.",
    "passwords": "Passwords for programs",
    "passwordsText": "A website or an app that reads or changes this calendar for you signs in with one, each with its own (an “application password”). It can do whatever you can.",
    "noPasswords": "You have none.",
    "passwordName": "What is it for?",
    "passwordNameHint": "Such as “Website” or “Calendar app”.",
    "makePassword": "Create a password",
    "passwordShown": "Your new password for a program",
    "passwordOnce": "It is shown only once. Your login is {{login}}.",
    "passwordRevoked": "The password no longer works.",
    "until": "until {{date}}",
    "revoke": "Revoke",
    "revokeNamed": "Revoke “{{name}}”",
    "needsName": "Please give it a name.",
    "startTitle": "Sign in more easily",
    "startText": "Create a passkey: then your fingerprint, your face or the PIN of this device is all you need.",
    "by_setup": "on the first visit",
    "copy": "Copy",
    "copied": "Copied",
    "print": "Print",
    "save": "Save as a file",
    "mail": "Send by e-mail",
    "yourName": "Your name",
    "yourNameHint": "How others here see you. Without one, they see your login, {{login}}.",
    "saveName": "Save name",
    "nameSaved": "Your name is saved.",
    "codesNext": "Now create recovery codes, in case you lose this device.",
    "email": "E-mail and notices",
    "emailText": "So that you learn what waits in the review, and of calendars that can’t be read. Your address is shown to administrators only.",
    "emailLabel": "Your e-mail address",
    "emailHint": "We send a link to it, which confirms it. Leave this empty to remove your address.",
    "emailSave": "Save address",
    "emailAsked": "We have sent a link to {{email}}. The address counts once you have confirmed it.",
    "emailFailed": "The e-mail to {{email}} could not be sent. Please try again later.",
    "emailGone": "Your address has been removed.",
    "emailSame": "This address is confirmed already.",
    "emailBad": "Please enter one e-mail address, such as ada@example.org.",
    "emailTooMany": "Too many links were sent today. Please try again tomorrow.",
    "notices": "Notices of what waits",
    "noticesNever": "Never",
    "noticesDay": "Once a day, in the morning",
    "noticesNow": "At once",
    "noticesNeed": "They begin once your address is confirmed.",
    "noticesSave": "Save notices",
    "noticesSaved": "Your notices are saved.",
    "confirmTitle": "Confirm the address",
    "confirmOwn": "{{login}} gets e-mails about what waits at {{site}} to {{email}}, as soon as you confirm this.",
    "confirmLetter": "{{site}} sends the letter “{{name}}” to {{email}} once a week, as soon as you confirm this.",
    "confirmButton": "Confirm {{email}}",
    "confirmed": "The address is confirmed",
    "confirmedText": "E-mails can now be sent to {{email}}.",
    "confirmEnded": "This link no longer works",
    "confirmEndedText": "It has been used, has expired, or a newer one was sent. Ask for another one where you entered the address."
  },
  "content": {
    "venues": "Venues",
    "organizers": "Organizers",
    "categories": "Categories",
    "tags": "Tags",
    "newVenue": "New venue",
    "newOrganizer": "New organizer",
    "newCategory": "New category",
    "newTag": "New tag",
    "status": "Status",
    "anyStatus": "All except the trash",
    "none": "Nothing here yet.",
    "noEvents": "no events",
    "merge": "Merge into another…",
    "trashNote": "Its events don’t show it while it is in the trash.",
    "trashed": "“{{name}}” is in the trash now.",
    "inTrash": "This is in the trash. Events don’t show it.",
    "restored": "“{{name}}” is back.",
    "delete": "Delete…",
    "deleteText": "It will be deleted at once, and this can’t be undone. Its events stay, without it: {{events}}.",
    "deleteChildren": "Its subcategories move up to its parent."
  },
  "event": {
    "newEvent": "New event",
    "newEventText": "A concert, a course, a market",
    "changeEvent": "Change or cancel",
    "changeEventText": "Find an event among all of them",
    "spreadsheet": "Download as a spreadsheet",
    "editEvent": "Edit event",
    "coming": "Coming up",
    "past": "Past",
    "draft": "Drafts",
    "draftText": "Go on with what you have begun",
    "pending": "For review",
    "future": "Scheduled",
    "private": "Private",
    "hidden": "Not in lists",
    "views": "Which events",
    "searchTitle": "Words in title or text",
    "from": "From",
    "until": "Until",
    "anyCategory": "Any category",
    "none": "No events here",
    "noneText": "Nothing matches. Try other words, or another tab above.",
    "selectAll": "Select all",
    "selected": "{{n}} selected",
    "selectHint": "Select events to publish, cancel or delete them together.",
    "select": "Select “{{title}}”",
    "withSelected": "With the selected",
    "cancelEvent": "Cancel event",
    "cancelEvents": "Cancel events",
    "cancelDate": "Cancel this date",
    "reinstate": "It takes place after all",
    "restore": "Restore as drafts",
    "reason": "Reason, for everybody to see",
    "noneSelected": "Nothing was selected.",
    "did_cancel_one": "One event cancelled.",
    "did_cancel_other": "{{n}} events cancelled.",
    "did_reinstate_one": "It takes place again.",
    "did_reinstate_other": "{{n}} events take place again.",
    "did_toTrash_one": "One event moved to the trash.",
    "did_toTrash_other": "{{n}} events moved to the trash.",
    "did_restore_one": "One event restored, as a draft.",
    "did_restore_other": "{{n}} events restored, as drafts.",
    "refusedText": "These stay as they are:",
    "backToList": "Back to the list",
    "repeats": "Repeats",
    "dates_one": "{{n}} date",
    "dates_other": "{{n}} dates",
    "view": "View on the site",
    "duplicate": "Duplicate",
    "addPart": "Add to the programme",
    "duplicated": "This is the copy, a draft. Is its date right?",
    "share": "Preview for others",
    "shareText": "Show this event to somebody before it is public. Everybody who has the link can see it, for seven days, without signing in.",
    "shareMake": "Create a link",
    "shareUntil": "The link works until {{date}}.",
    "shareAgain": "It was shown only once; if it is lost, create a new one.",
    "shareNew": "Create another one instead",
    "shareRevoke": "Revoke",
    "shareRevoked": "The link no longer works.",
    "trashed": "“{{title}}” is in the trash now.",
    "inTrash": "This event is in the trash.",
    "previewText": "This is how it will look. Nothing is saved yet, and nobody else sees this.",
    "backToForm": "Continue editing",
    "waiting": "Waiting for you",
    "thisWeek": "The coming week",
    "allComing": "All {{n}} coming events",
    "next": "Next events",
    "nothingNext": "No upcoming events.",
    "nothingWaits": "Nothing is waiting for you.",
    "waitingPending": "{{n}} for review",
    "waitingDraft": "Drafts: {{n}}",
    "waitingFuture": "Scheduled: {{n}}"
  },
  "form": {
    "saved": "Saved: {{title}}",
    "savedAlready": "This had already been saved: {{title}}",
    "draftFound": "This browser still has something you typed here and didn’t save.",
    "draftOlder": "This browser still has something you typed here and didn’t save. A newer version has been saved since: when you save, you can compare the two.",
    "draftOffline": "You are offline. What you typed is kept in this browser: save it when you are online again.",
    "restoreDraft": "Restore",
    "discardDraft": "Discard",
    "nameless": "Without a name",
    "required": "required",
    "yes": "Yes",
    "no": "No",
    "none": "None",
    "myself": "Me",
    "day": "Date",
    "lastDay": "Last day",
    "clock": "Time",
    "from": "Starts",
    "until": "Ends",
    "otherDay": "Another day",
    "noneFound": "Nothing found by that name.",
    "chooseFound": "Choose one of the results, or clear the search field.",
    "newVenue": "Add a new venue",
    "newOrganizer": "Add a new organizer",
    "newTags": "New tags, separated by commas",
    "newCategory": "Add a new category",
    "noCategories": "There are no categories yet.",
    "thisImage": "This image",
    "withoutImage": "No image",
    "fromLibrary": "Choose from the library",
    "uploadImage": "Choose an image file",
    "newImage": "New: {{name}}",
    "dropImage": "Or drop it here, or paste it with Ctrl+V.",
    "tools": "Format",
    "bold": "Bold",
    "link": "Link",
    "list": "List",
    "control": "Ctrl",
    "altText": "What the image shows",
    "altTextHelp": "For people who don’t see it: one sentence is enough.",
    "nameLabel": "Heading",
    "customValue": "Text",
    "details": "Details",
    "online": "Online",
    "state": "Cancelled, postponed or moved",
    "more": "More settings",
    "programs": "For programs",
    "publication": "Publication",
    "error_one": "One thing needs another look",
    "error_other": "{{n}} things need another look",
    "missing": "Please fill this in.",
    "missingTime": "Please say at what time, or that it lasts all day.",
    "missingEnd": "Please say when the repetition ends, or choose “Never”.",
    "unclearBreak": "Please give the first and the last day of the break, in this order.",
    "make": "Add “{{name}}” as new",
    "several": "At several venues",
    "locate": "Find on the map",
    "locateSends": "Sends the address above to {{host}}, once.",
    "located": "Which of these is it?",
    "locatedNone": "None of these",
    "locatedSave": "The choice becomes the position when you save.",
    "notLocated": "Nothing was found for this address. Check the spelling, or enter the coordinates by hand.",
    "noAddress": "Please fill in the street, the postal code or the town first.",
    "locatesTooMany": "Somebody else is looking up an address just now. Please try again in two seconds.",
    "locateFailed": "The map service did not respond as it should. Try again later, or enter the coordinates by hand.",
    "longEvent": "This lasts more than twelve hours, or until the next day. If that is right, save once more.",
    "endMoved": "The end has moved with the start, to {{end}}.",
    "noDate": "Please give a date.",
    "endsEarly": "The end is before the start.",
    "noEmail": "This is not an e-mail address like info@example.org.",
    "noUrl": "This is not a web address like https://example.org.",
    "notPublic": "Please give an address that everybody can reach, without a login in it.",
    "tooLong": "This is too long: at most {{n}} characters.",
    "tooManyItems": "That is too many: at most {{n}}.",
    "tooManyMarks": "This has too many line breaks and tags: at most {{n}}.",
    "noZone": "This is not a time zone like Europe/Rome.",
    "noNumber": "This must be a number from {{from}} to {{to}}.",
    "noImage": "This is not an image that can be used.",
    "largeFile": "This file is too large: at most 10 MB.",
    "taken": "This is already taken.",
    "unknown": "This no longer exists. Please choose again.",
    "ruleCount": "The number of dates must be a whole number, 1 or more.",
    "ruleUntil": "The last day of the repetition must be a date.",
    "ruleInterval": "How often it repeats must be a whole number, 1 or more.",
    "ruleNever": "This rule never results in a date.",
    "ruleMany": "This makes more than {{n}} dates in two years. Choose an end, or fewer dates.",
    "ruleNone": "This excludes all dates, or the event itself.",
    "ruleCostly": "This rule takes too long to work out.",
    "ruleDates": "One of the additional or excluded dates is not a valid date.",
    "ruleFixed": "The rule specifies its days or times. Please choose the repetition again as well.",
    "notYours": "Your role doesn’t allow this.",
    "tooMuchNow": "That was too much for one minute, and nothing was saved. Wait a minute and send it again, or choose fewer dates.",
    "dayLimit": "The database has reached its limit for today, and nothing was saved. Leave this page open, and send it again after midnight UTC.",
    "busy": "This couldn’t be done just now. Please check whether your change is there, then try again in a moment.",
    "tooMany": "The maximum number has been reached. Delete one that is no longer needed.",
    "conflict": "Somebody else has changed this in the meantime",
    "conflictText": "Nothing you typed is lost. Where both of you changed the same field, choose which version to keep; your other changes are kept.",
    "conflictNew": "This has already been saved",
    "conflictNewText": "Your changes since then are here. Choose what to keep.",
    "yours": "Yours",
    "theirs": "Saved now",
    "nothing": "Empty",
    "onlyTheirs": "Changed only by the other person, and kept: {{fields}}",
    "resolve": "Save with these choices"
  },
  "frame": {
    "editor": "Editor",
    "skip": "Skip to content",
    "start": "Start",
    "site": "View calendar",
    "account": "Your account",
    "settings": "Settings",
    "places": "Places and organizers",
    "pause": "Pause",
    "signOut": "Sign out",
    "more": "More",
    "save": "Save",
    "asks": "{{action}}…",
    "saveChanges": "Save changes",
    "saveDraft": "Save draft",
    "sendForReview": "Send for review",
    "publish": "Publish",
    "schedule": "Schedule",
    "find": "Search",
    "byName": "Search by name",
    "clear": "Clear filters",
    "cancel": "Cancel",
    "back": "Back",
    "first": "First page",
    "previous": "Previous",
    "next": "Next",
    "refused": "Not done",
    "delete": "Delete",
    "toTrash": "Move to the trash",
    "forGood": "Delete for good",
    "deleteTitle": "Delete “{{name}}”?",
    "deleted": "“{{name}}” has been deleted.",
    "keep": "Keep it",
    "restore": "Restore",
    "welcome": "Hello, {{login}}",
    "administrator": "Administrator",
    "editorRole": "Editor",
    "author": "Author",
    "contributor": "Contributor",
    "subscriber": "Read only",
    "invalid": "That address doesn’t work",
    "invalidText": "Something in the address doesn’t make sense.",
    "forbidden": "Not with your role",
    "forbiddenText": "With the role “{{role}}” you can’t do this. An administrator of the calendar can give you another role.",
    "notFound": "Nothing here",
    "notFoundText": "What you are looking for is not here. It may have been deleted.",
    "failed": "That didn’t work",
    "failedText": "Something went wrong here, and nothing has been changed. Please try again in a moment. If it happens again, give this number to the people who run the calendar: {{id}}",
    "busy": "The calendar is busy",
    "busyText": "The database can’t be reached right now. Please check whether your change is there, then try again.",
    "dayLimit": "The calendar has reached its limit for today",
    "dayLimitText": "The free plan limits what the database may do in a day. Nothing was saved. You can continue after midnight UTC; the paid plan has no such limit.",
    "tooMany": "Too many attempts",
    "tooManyText": "Please wait a minute, then try again.",
    "elsewhere": "That came from somewhere else",
    "elsewhereText": "This was sent by another page, and nothing has been changed. Open the editor and do it there.",
    "ended": "You are signed out",
    "endedText": "What you typed is still here. Sign in in a new window, come back to this one, and send it then.",
    "endedSend": "Send it now",
    "endedFiles": "Files can’t be kept: please choose them again.",
    "signIn": "Sign in",
    "confirm": "Send this?",
    "confirmText": "You have signed in again since this page was opened. What you typed is still here, and has not been sent yet.",
    "confirmSend": "Send",
    "typed": "What you typed"
  },
  "history": {
    "history": "History",
    "lead": "Who changed what, the latest first. Values are kept for 400 days.",
    "leadOwn": "What was done with your content, the latest first. Values are kept for 400 days.",
    "ofThing": "History of “{{name}}”",
    "all": "The whole history",
    "kind": "What",
    "any": "Everything",
    "user": "Who",
    "none": "There is nothing here.",
    "noneText": "No changes match this selection.",
    "noneYet": "Nothing was found among the latest changes. There may be something among earlier ones.",
    "clock": "Automatically, when due",
    "commandLine": "Command line",
    "import": "Import of {{source}}",
    "fromCalendar": "From {{name}}",
    "formerUser": "User {{id}}, since removed",
    "event": "Event",
    "series": "Series",
    "venue": "Venue",
    "organizer": "Organizer",
    "category": "Category",
    "tag": "Tag",
    "userKind": "User",
    "image": "Image",
    "webhook": "Other service",
    "source": "Other calendar",
    "create": "created",
    "update": "changed",
    "publish": "published",
    "trash": "moved to the trash",
    "delete": "deleted for good",
    "merge": "merged into another",
    "revoke": "withdrawn",
    "before": "before",
    "after": "after",
    "empty": "empty",
    "yes": "yes",
    "no": "no",
    "long": "{{n}} characters",
    "fields": "Fields: {{fields}}",
    "review_note": "Note for the author",
    "duplicate_of": "Shown instead",
    "merged": "Merged from",
    "into": "Merged into",
    "dates": "Dates",
    "made": "{{n}} new",
    "moved": "{{n}} moved",
    "dropped": "{{n}} dropped",
    "back": "{{n}} restored",
    "alsoDates": "{{n}} additional dates",
    "notDates": "{{n}} excluded dates",
    "undo": "Undo",
    "undoTitle": "Undo a change",
    "undoLead": "This restores what was there before, as a change of its own.",
    "undoDates": "New dates of a series go to the trash, and others come back; changes made to single dates stay.",
    "undoNow": "Undo it now",
    "undone": "Undone.",
    "tooMuch": "It was too much to be undone at once.",
    "partlyUndone": "Some of it was undone. The rest could not be; see why below.",
    "tooLate": "This can’t be undone any more",
    "tooLateText": "A change can be undone for an hour, by the person who made it and by editors, unless it was too large. The history still shows what was there before.",
    "conflict": "Somebody has changed this since",
    "conflictText": "Undoing would lose that change. Look at what was done, then change it by hand if necessary.",
    "refused": "This could not be undone",
    "since": "Changed since then",
    "settings": "Settings",
    "letter": "Letter"
  },
  "image": {
    "images": "Images",
    "search": "Words in title, description or caption",
    "file": "File",
    "uploadButton": "Upload",
    "uploaded": "The image is in the library.",
    "noFile": "Please choose a file.",
    "none": "No images here",
    "noneText": "Nothing matches, or nothing has been uploaded yet.",
    "noAlt": "no description",
    "usedBy": "Where it is used",
    "unused": "Nowhere. After seven days without use, an uploaded image is deleted.",
    "elsewhere": "This image is not stored here, but at {{address}}.",
    "pixels": "{{width}} × {{height}} pixels",
    "removed": "The image has been deleted.",
    "notRemoved": "The image is still there",
    "inUse": "It is in use. Remove it from there first.",
    "notYours": "Somebody else has uploaded this image: you can use it, but not change it.",
    "view": "Open the whole image"
  },
  "merge": {
    "title": "Merge “{{name}}”",
    "choose": "Which one stays? It gets the events of “{{name}}” and whatever it lacks itself, and the addresses of “{{name}}” will lead to it.",
    "none": "Nothing else by that name was found that you may change.",
    "keep_venues": "Merge into this venue",
    "keep_organizers": "Merge into this organizer",
    "keep_categories": "Merge into this category",
    "keep_tags": "Merge into this tag",
    "compare": "Merge “{{name}}” into “{{into}}”?",
    "goes": "Goes",
    "stays": "Stays",
    "field": "Field",
    "afterwards": "Afterwards",
    "movesNone": "No events move.",
    "moves_one": "One event moves.",
    "moves_other": "{{n}} events move.",
    "children": "Its subcategories move along.",
    "hidden": "The one that stays is not public: those events will not show it to visitors.",
    "final": "This can’t be undone. Addresses of “{{name}}” will redirect.",
    "undoable": "This can be undone for an hour. Addresses of “{{name}}” will redirect.",
    "mergeNow": "Merge",
    "another": "Choose another one",
    "done": "“{{name}}” has been merged into “{{into}}”.",
    "refused": "This could not be done"
  },
  "publish": {
    "title": "This becomes public",
    "lead": "Everybody will see what is below. Nothing is published yet.",
    "changed": "Something has changed since you looked. It is marked below, and has not been published.",
    "isChanged": "Changed since you looked",
    "publishAll": "Publish all {{n}}",
    "notNow": "Not now",
    "leftOut": "Some of what you chose is not here: it is public already, gone, or not yours to publish.",
    "nothing": "There is nothing to publish.",
    "span": "{{n}} dates, from {{first}} to {{last}}",
    "ownDates": "Dates that differ from the others: {{n}}",
    "stayHidden": "Not public, and not published along with it: {{names}}",
    "addresses": "Links to, or loads: {{all}}",
    "newTerm": "New in the calendar, published along with it: {{name}}",
    "series": "Shared with other dates of the series",
    "tooMuch": "This is more than can be shown here.",
    "lookAtAll": "See everything",
    "tooManyDates": "There is more to this than can be shown at once, so it can’t be published as a whole. Publish its dates one by one, or shorten it first."
  },
  "repetition": {
    "repeats": "Repeats",
    "none": "Does not repeat",
    "daily": "Every day",
    "weekdays": "Every day from Monday to Friday",
    "weekly": "Every week on {{day}}",
    "month-nth": "Every month on the {{nth}} {{day}}",
    "month-last": "Every month on the last {{day}}",
    "month-date": "Every month on day {{n}}",
    "month-end": "Every month on its last day",
    "yearly": "Every year on {{date}}",
    "own": "A rule of your own…",
    "kept": "As it is now",
    "dates": "On dates of your choice",
    "keptHelp": "The rule of this event is too unusual for these fields: {{rule}}. It stays as it is unless you choose another one.",
    "everyWeek": "Every week",
    "everyMonth": "Every month",
    "everyYear": "Every year",
    "every": "Every",
    "unit": "Unit",
    "day": "days",
    "week": "weeks",
    "month": "months",
    "year": "years",
    "on": "On these days of the week; if none is chosen, on that of the start",
    "way": "For months and years",
    "date": "on the same date",
    "nth": "on the {{nth}} {{day}} of the month",
    "last": "on the last {{day}} of the month",
    "end": "on the last day of the month",
    "ends": "Ends",
    "never": "Never",
    "until": "On",
    "untilDate": "Last day",
    "after": "After",
    "count": "Number of dates",
    "countUnit": "dates",
    "further": "Additional and excluded dates",
    "also": "Also on",
    "not": "Not on",
    "break": "Holidays or a break",
    "breakFrom": "from",
    "breakTo": "to",
    "anotherDate": "Another date",
    "leftOut": "Excluded date",
    "next": "The next dates",
    "show": "Show the dates",
    "first": "These dates are in the past:",
    "total_one": "{{n}} date, on {{date}}.",
    "total_other": "{{n}} dates, the last on {{date}}.",
    "soFar_one": "{{n}} date for now. More are added as time goes by, up to two years ahead.",
    "soFar_other": "{{n}} dates for now. More are added as time goes by, up to two years ahead.",
    "noStart": "Enter a start first."
  },
  "review": {
    "sentIn": "Submitted by {{name}} on {{when}}",
    "visitor": "a visitor",
    "refuse": "Refuse…",
    "refuseThis": "Refuse this event",
    "refuseNote": "Why? (optional)",
    "refuseNoteHelp": "The sender reads it on the page of the submission. The event goes to the trash.",
    "sameSender_one": "One more event from the same sender is waiting.",
    "sameSender_other": "{{n}} more events from the same sender are waiting.",
    "refuseAll": "Refuse all {{n}} from this sender",
    "twins": "Possibly the same:",
    "review": "Review",
    "remarks": "What visitors say",
    "remarkDone": "Done",
    "remarkGone": "The remark was deleted, and its sender’s address with it.",
    "remarkOnDeleted": "An event that was deleted",
    "reviewText": "Decide what others have sent in",
    "lead": "These events are waiting to be published. The next one to take place comes first.",
    "nothing": "Nothing is waiting for you.",
    "nothingText": "Events that contributors submit for review appear here.",
    "by": "From {{login}}, last changed {{when}}",
    "series": "All dates of a series",
    "newVenue": "New venue, published along with it: {{name}}",
    "newOrganizer": "New organizer, published along with it: {{name}}",
    "isOver": "This date is over.",
    "sentBack": "Sent back by {{login}} on {{when}}:",
    "changedSince": "Changed since then: {{fields}}.",
    "unchangedSince": "Nothing has changed since then.",
    "rest": "Read on",
    "edit": "Edit first",
    "sendBack": "Send back…",
    "sendBackNow": "Send back",
    "note": "What is missing or needs to change?",
    "noteHelp": "The event becomes a draft again, and its author sees this note until it is published.",
    "noteNeeded": "Say what needs to change, so that the author can do it.",
    "choose": "Select “{{title}}”",
    "several": "What should happen to the selected ones?",
    "publishChosen": "Publish selected",
    "sendBackChosen": "Send selected back…",
    "trashChosen": "Move selected to the trash",
    "noneChosen": "Select at least one event first.",
    "published": "Published: {{titles}}",
    "publishedMany_one": "One event published.",
    "publishedMany_other": "{{n}} events published.",
    "returned": "Sent back: {{titles}}",
    "trashed": "In the trash: {{titles}}",
    "andMore": "{{titles}} and {{n}} more",
    "failedOne": "That could not be done. See why below.",
    "gone": "“{{title}}” is no longer waiting: somebody else has decided, or it was withdrawn.",
    "changed": "This was changed while you were looking at it. Look again, then decide.",
    "otherDates": "Some dates of this series are not waiting, and would go to the trash as well. Open one that is waiting.",
    "yours": "Sent back to you",
    "noteOf": "{{login}} sent this back on {{when}}",
    "waiting": "Waiting",
    "probablySpam": "Probably spam",
    "spam": "Spam",
    "spamText": "These look like spam. They are never refused for that alone: publish what is a real event, and the calendar learns from it.",
    "noSpam": "Nothing here looks like spam.",
    "calledSpam": "“{{titles}}” is spam and in the trash."
  },
  "scope": {
    "question": "Which dates is this for?",
    "lead": "“{{title}}” on {{date}} is a date of a series. Nothing is saved yet.",
    "deletes": "“{{title}}” on {{date}} is a date of a series. Nothing is in the trash yet.",
    "this": "Only this date",
    "following": "This and all following dates",
    "all": "All dates of the series",
    "thisText": "{{date}} gets the change, and keeps it when the series changes later.",
    "followingText": "The dates before this one stay as they are, and become a series of their own.",
    "count_one": "{{n}} date gets the change.",
    "count_other": "{{n}} dates get the change.",
    "nothing": "No date changes.",
    "ends": "The repetition ends: {{date}} stays as a single event.",
    "made": "New",
    "back": "Back from the trash",
    "moved": "Moved",
    "dropped": "Go to the trash",
    "own": "With changes of their own, which stay",
    "fromTo": "{{from}} → {{to}}",
    "more": "and {{n}} more",
    "notPossible": "Not possible: {{reason}}",
    "notYours": "some of these dates belong to other people.",
    "ruleIsForAll": "A changed repetition is never for one date alone.",
    "edit": "Back to the form"
  },
  "signIn": {
    "lead": "The editor of {{site}}",
    "again": "Please sign in again before you create a new way to sign in, so that nobody else can do it in your place.",
    "passkey": "Sign in with a passkey",
    "passkeyHint": "With your fingerprint, your face or the PIN of this device. You create a passkey under “Your account”.",
    "passkeyWrong": "This passkey doesn’t work here. It may have been removed.",
    "passkeyFailed": "The passkey wasn’t used. Please try again.",
    "withPassword": "With a password for programs",
    "login": "Login",
    "password": "Password for programs",
    "wrong": "The login or the password is wrong.",
    "withCode": "With a recovery code",
    "code": "Recovery code",
    "codeHint": "One of your ten codes. Each works once.",
    "codeWrong": "This code doesn’t work. Each works only once.",
    "help": "First time here, or no way in? Ask an administrator of the calendar for a link.",
    "signedOut": "You are signed out.",
    "linkText": "This link signs you in once. Press the button to continue.",
    "linkButton": "Sign in as {{login}}",
    "linkEnded": "This link doesn’t work any more",
    "linkEndedText": "A link works once, until the time that its sender was told. Ask for a new one, or sign in another way.",
    "needsHttps": "Signing in needs an address that begins with https.",
    "setup": "Set up this calendar",
    "setupText": "Nobody can sign in yet. With the setup code, you become the first administrator of {{site}}.",
    "setupCode": "Setup code",
    "setupCodeHint": "What you entered as SETUP_CODE when you deployed the calendar, or what the setup command printed.",
    "setupLoginHint": "Your name for signing in, such as “ada”. It can’t be changed.",
    "setupButton": "Create administrator",
    "setupWrong": "This is not the setup code.",
    "setupDone": "You are signed in. Create a passkey now, then recovery codes, so that you can come back.",
    "codesLeft": "You are signed in. Recovery codes left: {{n}}. Create a new passkey now, and remove the one you have lost.",
    "linkNext": "Then you create a passkey, with your fingerprint, your face or the PIN of this device. From then on, that is how you sign in."
  },
  "source": {
    "title": "Other calendars",
    "lead": "The theatre, the sports club, the church: what they announce in their own calendars appears here by itself, and stays up to date.",
    "add": "Add a calendar",
    "none": "No calendar is read yet.",
    "steps": "All you need is its address. You will see its events before anything appears in your calendar.",
    "address": "Address of the calendar",
    "addressHint": "Copy it from the page with the events, or from its link “Subscribe”. It often ends with .ics. Everybody can see it next to the events, so use the public address, not a secret one.",
    "look": "Have a look",
    "lookNote": "This can take some seconds. Nothing is imported yet.",
    "found": "These are its events",
    "foundNone": "It can be read, but nothing is announced there at the moment.",
    "found_one": "One event.",
    "found_other": "{{n}} events. The next ones:",
    "foundOver": "{{n}} events, all of them over:",
    "settingsNew": "How its events come in",
    "addNow": "Add this calendar",
    "anotherAddress": "Another address",
    "new": "is being read for the first time",
    "byHand": "not read yet",
    "running": "is being read",
    "ok": "up to date",
    "failing": "can’t be read",
    "asking": "has a question",
    "paused": "paused",
    "page": "Its page",
    "last": "Last read",
    "next": "Next time",
    "never": "not yet",
    "soon": "within minutes",
    "onlyByHand": "when you say so",
    "whileAsking": "when the question is answered, or the events are back",
    "events": "Events there",
    "everyHour": "every hour",
    "every6Hours": "every six hours",
    "everyDay": "every day",
    "everyWeek": "every week",
    "onDemand": "only when you say so",
    "seeEvents": "Its events here",
    "from": "From",
    "stays": "Your changes here stay.",
    "undone": "This calendar is copied as it is: your changes here are undone the next time it is read.",
    "sync": "Read it now",
    "resume": "Resume",
    "wasPaused": "It is paused. Its events stay as they are.",
    "resumed": "It is active again, and will be read within minutes.",
    "begun": "It is being read. The rest follows within minutes.",
    "done": "It was read: {{what}}.",
    "failed": "It can’t be read. {{why}}",
    "wrong": "What is wrong",
    "detail": "For those who run the other site",
    "question": "Has the other calendar been cleared out?",
    "questionText": "Half or more of its upcoming events are gone. That may be right, or a mistake over there. Nothing has been changed here yet.",
    "agreeMirror": "If you agree, the events that are gone there go to the trash here.",
    "agreeKeep": "If you agree, reading goes on. The events that are gone there stay here.",
    "agree": "Yes, that is right",
    "refuse": "No, wait for now",
    "runs": "What came in",
    "noRuns": "Nothing was read yet.",
    "created": "{{n}} new",
    "updated": "{{n}} changed",
    "unchanged": "{{n}} as before",
    "trashed": "{{n}} in the trash",
    "joined": "{{n}} joined with others",
    "asked": "{{n}} possible duplicates",
    "skipped": "{{n}} left alone",
    "nothing": "nothing new",
    "halfGone": "half or more was gone, so nothing was changed",
    "notWhole": "Not everything could be read, so nothing counts as gone.",
    "stopped": "failed",
    "skippedTitle": "What was left alone, and why",
    "deleteText": "It will no longer be read. What should happen to the events that came from it?",
    "keepEvents": "They stay here, as if you had written them.",
    "trashEvents": "They go to the trash within minutes.",
    "deleteNow": "Delete this calendar",
    "card_one": "One thing is waiting for your decision.",
    "card_other": "{{n}} things are waiting for your decision.",
    "cardFailing": "Can’t be read: {{names}}",
    "whyGone": "There is nothing at this address.",
    "whyRefused": "The other site doesn’t allow it to be read. Ask the people who run it for an address for subscribers.",
    "whyTrouble": "The other site has a problem at the moment. It will be tried again automatically.",
    "whySlow": "The other site takes too long. It will be tried again automatically.",
    "whyLarge": "It is larger than the 10 MB that can be read at once.",
    "whyPrivate": "The address leads into a private network.",
    "whyRedirects": "The address redirects again and again, and to no calendar.",
    "whyNoCalendar": "No calendar was found at this address. Look there for a link such as “Subscribe”, “iCal” or “Export”, and use its address.",
    "whyOwner": "The person who added it may no longer do so. Save its settings to take it over.",
    "whyNoAnswer": "The other site doesn’t respond. Is the address right?",
    "whyEdited": "It was changed here, and stays as it is here.",
    "whyDeleted": "It was deleted here.",
    "whySeries": "The series that it belongs to is not here, or was changed here.",
    "whyNoDates": "It has no dates.",
    "whyTooMuch": "There is more of it than can be read.",
    "whyNoSuchDate": "One of its dates does not exist, such as 30 February.",
    "whyEnds": "It ends before it begins.",
    "whyNoStart": "It doesn’t say when it begins.",
    "whyNoName": "It has no name.",
    "whyRule": "Its repetition can’t be understood.",
    "whyZone": "Its time zone can’t be understood.",
    "whyHere": "Something went wrong here, not there. It will be tried again automatically.",
    "whyBroken": "The other calendar breaks off here, so nothing counts as gone.",
    "whyItself": "This is the address of this calendar itself.",
    "whyNotAll": "Not everything there is read.",
    "whyPage": "This page could not be read."
  },
  "trash": {
    "trash": "Trash",
    "lead": "What has been deleted, the latest first. It stays here until somebody deletes it for good.",
    "empty": "The trash is empty.",
    "seriesOf": "Series: {{name}}",
    "by": "deleted by {{login}}, {{when}}",
    "at": "last changed {{when}}",
    "choose": "Select “{{name}}”",
    "delete": "Delete for good…",
    "none": "Select something first.",
    "restored_one": "It is back.",
    "restored_other": "{{n}} are back.",
    "held": "What was changed in the trash is a draft now: look at it before you publish it.",
    "deleted_one": "It is deleted.",
    "deleted_other": "{{n}} are deleted.",
    "sure": "Delete these for good?",
    "sureText": "This can’t be undone.",
    "goOn": "Delete the rest ({{n}})",
    "keep": "Keep them",
    "refused": "Some of it could not be done",
    "back": "Back to the trash"
  },
  "twin": {
    "calendars": "Calendars",
    "asked": "Possible duplicates",
    "joined": "Joined",
    "different": "Kept apart",
    "askedText": "These events are in several calendars and look alike. If they are the same, lists show only one of them. Nothing is deleted, and you can separate them again.",
    "joinedText": "Lists show these as one event. The other one is kept, and its address redirects.",
    "differentText": "These look alike but are two events. You won’t be asked about them again.",
    "noneAsked": "There is nothing to decide.",
    "none": "There are none.",
    "both": "{{a}} and {{b}}",
    "own": "Entered here",
    "shown": "In lists",
    "yes": "yes",
    "differs": "not the same on both sides",
    "same": "The same: show one",
    "apart": "Two events",
    "separate": "Separate",
    "together": "The same after all",
    "edit": "Edit",
    "putTogether": "Lists show one event now: “{{title}}”.",
    "keptApart": "Both are in lists, and you won’t be asked again.",
    "gone": "There is nothing to decide about these any more.",
    "see": "Have a look",
    "hiddenBy": "Lists show {{title}} instead.",
    "stands": "It also stands in for {{title}}.",
    "from": "{{title}} ({{source}})"
  },
  "users": {
    "title": "Users",
    "invite": "Invite somebody",
    "inviteText": "You get a link for them, which you can copy or send by e-mail. They sign in with it once, within seven days, and create a passkey.",
    "loginHint": "A short name without colons, such as “ada”. It can’t be changed.",
    "role": "Role",
    "administratorMay": "does everything, including users and settings",
    "editorMay": "adds, changes and publishes everything",
    "authorMay": "adds and publishes own events",
    "contributorMay": "writes events that somebody else publishes",
    "subscriberMay": "reads, and changes nothing",
    "inviteButton": "Invite",
    "invited": "{{login}} is invited",
    "linkOnce": "Send {{login}} this address. It is shown only once, and works once, until {{time}}.",
    "since": "since {{date}}",
    "seen": "last seen on {{date}}",
    "unseen": "not signed in yet",
    "change": "Change role",
    "changed": "{{login}} now has the role {{role}}, and has been signed out everywhere.",
    "changeText": "With another role, {{login}} has to sign in again.",
    "link": "Link to sign in",
    "linkText": "For somebody who is new, or who has lost a device: seven days for people who have no passkey, password or code yet, an hour for others. An earlier link stops working.",
    "linkButton": "Create a link",
    "linkMade": "A link for {{login}}",
    "noPasswords": "There are none.",
    "passwordFor": "A new password for a program of {{login}}",
    "passwordOnce": "It is shown only once.",
    "sessions": "Sessions and passkeys",
    "sessionsText": "Signed in: {{sessions}}. Passkeys: {{passkeys}}.",
    "endSessions": "Sign out everywhere",
    "sessionsEnded": "{{login}} is signed out everywhere.",
    "remove": "Remove {{login}}",
    "removeText": "The user’s passwords, passkeys and sessions are deleted as well. This can’t be undone.",
    "owns": "{{n}} events, venues, organizers and images belong to {{login}}.",
    "ownsMore": "More than {{n}} events, venues, organizers and images belong to {{login}}.",
    "heir": "Who gets them?",
    "removed": "{{login}} has been removed.",
    "self": "This is you.",
    "taken": "This login is already taken; capital letters make no difference.",
    "badLogin": "A login has 1 to 60 characters, no colon, and no space at either end.",
    "badRole": "Please choose a role.",
    "last": "Without an administrator, nobody could add users. Make somebody else an administrator first.",
    "ownsContent": "{{login}} owns content. Please choose who gets it.",
    "name": "Name",
    "nameHint": "How others here see them, such as “Ada Lovelace”. It can be left empty.",
    "mailSubject": "Your access to {{site}}",
    "mailText": "Hello,\n\nwith this link you sign in to the editor of {{site}}, once and until {{time}}:\n{{link}}\n\nPress the button there, then create a passkey with your fingerprint, your face or the PIN of your device. From then on, that is how you sign in.",
    "email": "E-mail: {{email}}"
  },
  "webhook": {
    "title": "Other services",
    "lead": "A chat, a website or a newsletter that is told at once when something changes here. Such a service gives you an address for it, often called a “webhook”.",
    "none": "No service is told about changes yet.",
    "add": "Tell another service",
    "addButton": "Add service",
    "url": "Address",
    "urlHint": "Where messages are sent. The other service tells you this address.",
    "events": "Tell it when",
    "event_created": "an event is new",
    "event_updated": "an event was changed",
    "event_deleted": "an event is gone",
    "event_published": "an event is published",
    "event_canceled": "an event is cancelled",
    "venue_created": "a venue is new",
    "venue_updated": "a venue was changed",
    "venue_deleted": "a venue is gone",
    "organizer_created": "an organizer is new",
    "organizer_updated": "an organizer was changed",
    "organizer_deleted": "an organizer is gone",
    "webhook_test": "Test",
    "filters": "Only some of them",
    "filtersHint": "Filters of the API, such as “categories=music”. Leave this empty for everything that is public.",
    "new": "nothing sent yet",
    "ok": "works",
    "failing": "has problems",
    "paused": "paused",
    "gone": "switched off: the other service is gone",
    "stopped": "switched off: it failed for five days",
    "since": "since {{date}}",
    "waiting": "waiting to be sent again: {{n}}",
    "saved": "Saved.",
    "test": "Send a test",
    "testText": "Sends a message at once and shows what comes back.",
    "taken": "The other service has accepted it ({{status}}).",
    "notTaken": "The other service has not accepted it. {{reason}}",
    "secret": "Secret",
    "secretText": "The other service uses it to check that messages come from here. After a change, the old one works for another day.",
    "secretButton": "Create a new secret",
    "secretTitle": "The secret for this service",
    "secretOnce": "Give it to the other service. It is shown only once.",
    "resume": "Switch on again",
    "pauseText": "What changes in the meantime is sent afterwards.",
    "resumed": "It is on again. Everything that was missed is being sent.",
    "wasPaused": "It is paused.",
    "removeText": "Nothing more will be sent, and all messages are deleted. This can’t be undone.",
    "removed": "The service has been removed.",
    "deliveries": "Messages",
    "noDeliveries": "Nothing was sent yet.",
    "delivered": "accepted",
    "waits": "next attempt {{date}}",
    "failed": "not accepted",
    "replaced": "replaced by a newer one",
    "tries": "attempts: {{n}}",
    "details": "Message and response",
    "message": "Message",
    "response": "Response",
    "noResponse": "The response was empty.",
    "retry": "Send again",
    "retryNamed": "Send again: {{name}}",
    "reasonPrivate": "The address leads into a private network.",
    "reasonTimeout": "There was no response within 15 seconds.",
    "reasonConnection": "There was no connection, or it broke.",
    "reasonRedirect": "It redirects to another address ({{status}}), which is not followed.",
    "reasonStatus": "It responded with {{status}}.",
    "badUrl": "Please give an address that begins with https:// or http:// and that everybody can reach, without a login in it.",
    "needsEvents": "Please choose at least one.",
    "badFilters": "These filters don’t work here: {{reason}}",
    "conflict": "Somebody has changed this service in the meantime. What you typed is still here: look at it, and save again."
  },
  "submit": {
    "title": "Submit an event",
    "tellEditors": "Tell the editors",
    "remark": "What is wrong?",
    "remarkLead": "Is something wrong or missing at “{{name}}”? The editors will look at it.",
    "remarkThanks": "Thank you! The editors will read it.",
    "remarkNext": "Nothing changes by itself: somebody will look at it first.",
    "remarkContactHelp": "Only for the editors of this calendar, in case they have a question. Deleted as soon as they have dealt with it, after 90 days at the latest.",
    "remarkSend": "Send",
    "lead": "Tell us about your event. Somebody will look at it before it appears in the calendar.",
    "you": "You",
    "name": "Your name",
    "email": "Your e-mail address",
    "contactHelp": "Only for the editors of this calendar, in case they have a question. Deleted 90 days after the decision.",
    "image": "Image",
    "imageHelp": "A photo or poster that you are allowed to share, up to 10 MB.",
    "trap": "Leave this empty",
    "send": "Submit",
    "save": "Save changes",
    "next": "After you have sent it, you get a page on which you can see, change and withdraw it.",
    "quick": "That was very quick. Please check it once more, and send it again.",
    "outdated": "This page was open for a long time. Please send it again.",
    "robot": "Please tick the box to show that you are not a robot.",
    "yours": "Your submission",
    "thanks": "Thank you! Your event has arrived.",
    "keep": "Keep the address of this page: it is the only way back to it, and tells you how the editors have decided.",
    "pending": "Waiting for an editor. Until then, you can change it here.",
    "working": "An editor is working on it.",
    "returned": "An editor has a question. Please change it below, and send it again:",
    "published": "It is in the calendar.",
    "planned": "It was accepted, and will appear in the calendar.",
    "see": "See it there",
    "refused": "It was not accepted.",
    "withdrawn": "You have withdrawn it.",
    "note": "Note from the editors",
    "change": "Change it",
    "withdraw": "Withdraw it",
    "forget": "Delete my name and address",
    "forgotten": "Your name and address were deleted.",
    "saved": "Your changes have arrived.",
    "changed": "An editor has changed it in the meantime. This is the current version; please make your changes again.",
    "tooMany": "We have received a lot today. Please try again tomorrow, or write to us.",
    "dayLimit": "Nothing more can be submitted today. Please leave this page open and send it after midnight (UTC), or write to us.",
    "busy": "This couldn’t be sent just now. Please try again in a moment.",
    "exists": "This event has already been submitted. There is nothing more to do.",
    "spam": "This was not accepted: there is a link in the title or in your name, or there are more than five links. Please remove them and send it again, or write to us.",
    "another": "Submit another event",
    "when": "When",
    "where": "Where",
    "privacy": "How we treat your data"
  },
  "fields": {
    "event": {
      "author": {
        "label": "Author"
      },
      "date": {
        "label": "Public from",
        "help": "In the calendar’s time zone. With a future date, it appears by itself."
      },
      "status": {
        "label": "Who can see it",
        "options": {
          "publish": "Public",
          "future": "Public from a certain date",
          "draft": "Draft",
          "pending": "For review",
          "private": "Only for editors",
          "trash": "In the trash"
        }
      },
      "slug": {
        "label": "Web address",
        "help": "How it ends. If left empty, it is made from the name."
      },
      "description": {
        "label": "Description",
        "help": "An empty line begins a new paragraph."
      },
      "image": {
        "label": "Poster or image"
      },
      "external_id": {
        "label": "Number in another system",
        "help": "Programs that bring events here recognise them by it. Leave it as it is."
      },
      "title": {
        "label": "Title"
      },
      "start_date": {
        "label": "Begins"
      },
      "end_date": {
        "label": "Ends",
        "help": "Leave the time empty if the end is open."
      },
      "all_day": {
        "label": "All day"
      },
      "recurrence": {
        "label": "Repetition"
      },
      "timezone": {
        "label": "Time zone",
        "help": "Where it takes place, such as Europe/Rome."
      },
      "venue": {
        "label": "Venue"
      },
      "organizer": {
        "label": "Organizer"
      },
      "categories": {
        "label": "Categories"
      },
      "tags": {
        "label": "Tags"
      },
      "excerpt": {
        "label": "Summary",
        "help": "One or two sentences for lists. If left empty, lists show the beginning of the description."
      },
      "cost": {
        "label": "Price",
        "help": "As it should read: “Free”, “12”, “10 to 25”."
      },
      "website": {
        "label": "Website",
        "help": "Where to read more or get tickets."
      },
      "ticketed": {
        "label": "Has tickets",
        "help": "The website is then shown as the place to get them."
      },
      "ticket_availability": {
        "label": "Tickets left",
        "options": {
          "": "Not stated",
          "available": "Available",
          "few": "Only a few",
          "sold_out": "Sold out",
          "waitlist": "Sold out, with a waiting list"
        }
      },
      "wheelchair": {
        "label": "Wheelchair accessible",
        "help": "If not stated, what the venue says counts.",
        "options": {
          "": "Not stated",
          "yes": "Yes",
          "limited": "Partly",
          "no": "No"
        }
      },
      "accessibility": {
        "label": "Good to know about access",
        "help": "Such as “Step-free from the yard, induction loop in the hall”."
      },
      "featured": {
        "label": "Featured",
        "help": "Stands out in the calendar."
      },
      "virtual_event_type": {
        "label": "Where it takes place",
        "options": {
          "": "At the venue",
          "virtual": "Online only",
          "hybrid": "At the venue and online"
        }
      },
      "virtual_url": {
        "label": "Link to take part"
      },
      "virtual_video_source": {
        "label": "Service",
        "help": "The program or site that shows it."
      },
      "event_status": {
        "label": "Does it take place?",
        "help": "A cancelled event stays in the calendar and says so.",
        "options": {
          "scheduled": "Yes, as announced",
          "canceled": "Cancelled",
          "postponed": "Postponed, no new date yet",
          "rescheduled": "Moved to the date above"
        }
      },
      "event_status_reason": {
        "label": "Reason",
        "help": "Shown to everybody."
      },
      "show_map": {
        "label": "Show a map"
      },
      "show_map_link": {
        "label": "Show a link to a map"
      },
      "hide_from_listings": {
        "label": "Keep out of lists",
        "help": "Only people who have its address can find it. A part of a programme then stands only in the programme."
      },
      "sticky": {
        "label": "Put first in month views"
      },
      "post_parent": {
        "label": "Part of another event",
        "help": "The festival or other event whose programme shows it."
      },
      "custom_fields": {
        "label": "More details",
        "help": "What visitors should know besides, such as “Age” and “from 6”. They read it on the event’s page. Clear both to remove one."
      }
    },
    "venue": {
      "author": {
        "label": "Author"
      },
      "date": {
        "label": "Public from",
        "help": "In the calendar’s time zone. With a future date, it appears by itself."
      },
      "status": {
        "label": "Who can see it",
        "options": {
          "publish": "Public",
          "future": "Public from a certain date",
          "draft": "Draft",
          "pending": "For review",
          "private": "Only for editors",
          "trash": "In the trash"
        }
      },
      "slug": {
        "label": "Web address",
        "help": "How it ends. If left empty, it is made from the name."
      },
      "description": {
        "label": "Description",
        "help": "An empty line begins a new paragraph."
      },
      "image": {
        "label": "Image"
      },
      "external_id": {
        "label": "Number in another system",
        "help": "Programs that bring events here recognise them by it. Leave it as it is."
      },
      "venue": {
        "label": "Name"
      },
      "address": {
        "label": "Street and number"
      },
      "city": {
        "label": "Town or city"
      },
      "country": {
        "label": "Country"
      },
      "province": {
        "label": "Province"
      },
      "state": {
        "label": "State"
      },
      "stateprovince": {
        "label": "Region"
      },
      "zip": {
        "label": "Postal code"
      },
      "phone": {
        "label": "Telephone"
      },
      "website": {
        "label": "Website"
      },
      "wheelchair": {
        "label": "Wheelchair accessible",
        "options": {
          "": "Not stated",
          "yes": "Yes",
          "limited": "Partly",
          "no": "No"
        }
      },
      "accessibility": {
        "label": "Good to know about access",
        "help": "Such as “Step-free from the yard, induction loop in the hall”."
      },
      "show_map": {
        "label": "Show a map"
      },
      "show_map_link": {
        "label": "Show a link to a map"
      },
      "geo_lat": {
        "label": "Latitude",
        "help": "Degrees, such as 53.27."
      },
      "geo_lng": {
        "label": "Longitude",
        "help": "Degrees, such as -9.05."
      }
    },
    "organizer": {
      "author": {
        "label": "Author"
      },
      "date": {
        "label": "Public from",
        "help": "In the calendar’s time zone. With a future date, it appears by itself."
      },
      "status": {
        "label": "Who can see it",
        "options": {
          "publish": "Public",
          "future": "Public from a certain date",
          "draft": "Draft",
          "pending": "For review",
          "private": "Only for editors",
          "trash": "In the trash"
        }
      },
      "slug": {
        "label": "Web address",
        "help": "How it ends. If left empty, it is made from the name."
      },
      "description": {
        "label": "Description",
        "help": "An empty line begins a new paragraph."
      },
      "image": {
        "label": "Image"
      },
      "external_id": {
        "label": "Number in another system",
        "help": "Programs that bring events here recognise them by it. Leave it as it is."
      },
      "organizer": {
        "label": "Name"
      },
      "phone": {
        "label": "Telephone"
      },
      "website": {
        "label": "Website"
      },
      "email": {
        "label": "E-mail"
      }
    },
    "category": {
      "name": {
        "label": "Name"
      },
      "parent": {
        "label": "Belongs to"
      },
      "description": {
        "label": "Description"
      },
      "slug": {
        "label": "Web address",
        "help": "How it ends. If left empty, it is made from the name."
      }
    },
    "tag": {
      "name": {
        "label": "Name"
      },
      "description": {
        "label": "Description"
      },
      "slug": {
        "label": "Web address",
        "help": "How it ends. If left empty, it is made from the name."
      }
    },
    "image": {
      "alt_text": {
        "label": "What it shows",
        "help": "For people who don’t see it: one sentence is enough."
      },
      "title": {
        "label": "Title",
        "help": "The name by which you find it here."
      },
      "caption": {
        "label": "Caption",
        "help": "For example, who made it."
      }
    },
    "source": {
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
          "": "Only when I say so"
        }
      },
      "status": {
        "label": "New events",
        "options": {
          "publish": "Appear at once",
          "pending": "Wait for review",
          "draft": "Become drafts"
        }
      },
      "categories": {
        "label": "Categories that its events get"
      },
      "tags": {
        "label": "Tags that its events get"
      },
      "venue": {
        "label": "Venue",
        "help": "For events that name none."
      },
      "organizer": {
        "label": "Organizer",
        "help": "For events that name none."
      },
      "search": {
        "label": "Only events with one of these words",
        "help": "Leave it empty for all."
      },
      "mirror": {
        "label": "Everything as it is there",
        "help": "Your changes here are undone, and what is gone there goes to the trash here. Otherwise, your changes stay."
      },
      "rights": {
        "label": "Rights",
        "help": "If the other calendar asks for a note with its events.",
        "options": {
          "text": "Wording, such as “CC BY 4.0”",
          "url": "Link to the terms"
        }
      }
    },
    "settings": {
      "name": {
        "label": "Name of the calendar",
        "help": "Above every page, and in feeds."
      },
      "timezone": {
        "label": "Time zone",
        "help": "New events get it, and it decides when a day begins. Existing events keep their own zone and time; all-day events keep their dates."
      },
      "language": {
        "label": "Language",
        "help": "Of the pages, with a region if dates are written differently there: en-IE."
      },
      "currency": {
        "label": "Currency",
        "help": "For prices that are only a number: EUR, GBP, USD …"
      },
      "image": {
        "label": "Logo",
        "help": "An image of the library, shown before the name."
      },
      "accent_color": {
        "label": "Accent colour",
        "help": "Of links and buttons. Where it would be hard to read, it is made darker or lighter.",
        "options": {
          "picker": "Pick a colour",
          "light": "Light",
          "dark": "Dark",
          "link": "A link",
          "button": "A button"
        }
      },
      "imprint": {
        "label": "Imprint",
        "help": "The address of that page, for the footer."
      },
      "privacy": {
        "label": "Privacy policy",
        "help": "For the footer, and where visitors give their e-mail address."
      },
      "accessibility": {
        "label": "Accessibility statement",
        "help": "For the footer."
      },
      "events_per_page": {
        "label": "Events on a page"
      },
      "submissions": {
        "label": "Visitors may suggest events",
        "help": "They wait for your review."
      }
    },
    "user": {
      "login": {
        "label": "Login"
      },
      "name": {
        "label": "Name"
      },
      "role": {
        "label": "Role"
      },
      "password": {
        "label": "Password for programs"
      },
      "link": {
        "label": "Link to sign in"
      },
      "session": {
        "label": "Sessions"
      },
      "passkey": {
        "label": "Passkey"
      },
      "recovery_codes": {
        "label": "Recovery codes"
      },
      "content": {
        "label": "Content, given to another user"
      },
      "email": {
        "label": "E-mail address"
      },
      "notices": {
        "label": "Notices"
      }
    },
    "webhook": {
      "url": {
        "label": "Address"
      },
      "events": {
        "label": "Occasions"
      },
      "filters": {
        "label": "Filters"
      },
      "active": {
        "label": "Switched on"
      },
      "secret": {
        "label": "Secret"
      }
    },
    "letter": {
      "name": {
        "label": "Name"
      },
      "filters": {
        "label": "Filters"
      },
      "days": {
        "label": "Days ahead"
      },
      "weekday": {
        "label": "Weekday"
      },
      "hour": {
        "label": "Hour"
      },
      "language": {
        "label": "Language"
      },
      "subject": {
        "label": "Subject"
      },
      "intro": {
        "label": "Opening text"
      },
      "to": {
        "label": "Address"
      },
      "empty": {
        "label": "Without events"
      },
      "active": {
        "label": "Switched on"
      }
    }
  },
  "settings": {
    "title": "Settings",
    "lead": "They hold at once, on all pages and for programs.",
    "defaults": "As the calendar was deployed",
    "defaultsText": "These values come from wrangler.toml. To return to one of them, empty the field above.",
    "replaced": "replaced above",
    "none": "none",
    "on": "yes",
    "off": "no"
  },
  "mail": {
    "confirmSubject": "Please confirm your address for {{site}}",
    "confirmUser": "{{login}} has entered this address at {{site}}, to get e-mails about what waits there.",
    "confirmLetter": "{{login}} wants {{site}} to send the letter “{{name}}” with coming events to this address, once a week.",
    "confirmHow": "To confirm the address, open this page within a day and press the button there:",
    "confirmIgnore": "If you don’t know what this is about, do nothing. Without a confirmation, nothing more is sent here.",
    "noticeSubject": "{{site}}: something waits for you",
    "noticeHello": "This waits for you at {{site}}:",
    "noticeTwins_one": "1 pair of events that may be the same",
    "noticeTwins_other": "{{count}} pairs of events that may be the same",
    "noticeSource": "The calendar “{{name}}” can’t be read",
    "noticeWhy": "You get this because you chose so on the page of your account, where you can change it or end it.",
    "noticeReview_one": "1 event or remark to review",
    "noticeReview_other": "{{count}} events and remarks to review"
  },
  "letter": {
    "title": "Letters",
    "lead": "Coming events by e-mail, once a week, to one address: best that of a mailing list, which people join and leave by themselves.",
    "none": "There is no letter yet.",
    "add": "New letter",
    "addButton": "Create letter",
    "name": "Name",
    "nameHint": "What it is called here.",
    "subject": "Subject",
    "subjectHint": "The subject line of the e-mail. Left empty, it is the name.",
    "intro": "Opening text",
    "introHint": "Before the events. Plain text, and not necessary.",
    "to": "To",
    "toHint": "One address. It gets a link first, which confirms it.",
    "days": "Days ahead",
    "daysHint": "Events of so many days, 1 to 62. After noon, the rest of the day comes on top.",
    "weekday": "Weekday",
    "hour": "Hour",
    "language": "Language",
    "filters": "Only some events",
    "filtersHint": "Filters of the API, such as “categories=music”. Leave this empty for all public events.",
    "empty": "If there is no event",
    "empty_skip": "Send nothing",
    "empty_say": "Send a letter that says so",
    "unconfirmed": "waits for confirmation",
    "paused": "paused",
    "next": "next: {{date}}",
    "saved": "Saved.",
    "asked": "Saved. A link has gone to {{email}}: the first letter is sent once the address is confirmed.",
    "notAsked": "Saved, but the link to {{email}} could not be sent. Please try again later.",
    "ask": "Send the link again",
    "askText": "{{email}} has not been confirmed yet. Nothing is sent before that.",
    "preview": "Preview",
    "previewText": "As it would go now, with what is saved.",
    "plain": "As plain text",
    "test": "Send to me now",
    "testText": "Sends it to {{email}}.",
    "testNeeds": "To send it to yourself, first confirm your own address on the page of your account.",
    "tested": "It is on its way to you.",
    "failedNow": "It was not sent. {{reason}}",
    "resume": "Switch on again",
    "pauseText": "Nothing is sent until you switch it on again.",
    "resumed": "It is on again.",
    "wasPaused": "It is paused.",
    "removeText": "Nothing more is sent. This can’t be undone.",
    "removed": "The letter has been removed.",
    "deliveries": "What was sent",
    "noDeliveries": "Nothing was sent yet.",
    "sent_one": "sent, with 1 event",
    "sent_other": "sent, with {{count}} events",
    "sending": "being sent",
    "unknown": "nobody knows whether it was sent",
    "unknownText": "Something broke off while it was being sent. Look whether it has arrived, and send it again if not.",
    "waiting": "next attempt {{date}}",
    "failed": "not sent",
    "emptied": "not sent: there was no event",
    "late": "not sent: it would have been too late",
    "forMe": "to you or another editor",
    "tries": "attempts: {{n}}",
    "retry": "Send again",
    "retryNamed": "Send again: {{name}}",
    "retried": "It was sent.",
    "reasonSender": "The address of this calendar is not set up for sending.",
    "reasonRecipient": "The service for e-mails does not send to this address.",
    "reasonLimit": "The service for e-mails takes no more at the moment.",
    "reasonUnknown": "The service for e-mails did not answer clearly.",
    "reasonOther": "The service for e-mails has refused it ({{code}}).",
    "badTo": "Please enter one e-mail address, such as list@example.org.",
    "badDays": "Please enter a number from 1 to 62.",
    "badFilters": "These filters don’t work here: {{reason}}",
    "conflict": "Somebody has changed this letter in the meantime. What you typed is still here: look at it, and save again."
  }
}
export default en
